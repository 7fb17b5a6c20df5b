/** Wire format for the analytics. */
import { z } from 'zod';
import { id } from '../wire/match.ts';
import { timestamp } from '../wire/time.ts';

const count = z.int().min(0);
const percent = z.number().min(0).max(100);
const rate = z.number().min(0).nullable();
const share = percent.nullable();
const computedAt = timestamp.meta({
  description:
    'When the analytics were computed. If they are requested often, the change of a match may appear in them up to 60 seconds late',
});
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);

/** The member that `?explain=true` adds to a block. */
const explainedSample = z.strictObject({
  event_ids: z.array(id).max(500).meta({ description: 'The matches in the sample, newest first' }),
  truncated: z.boolean(),
  bounds: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .meta({ description: 'Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample' }),
});
const explain = explainedSample.optional().meta({ description: 'Only with `explain=true`' });

const shootout = z.literal(true).optional().meta({
  description:
    'Only if a shoot-out decided the match. In football such a match counts as a draw; in other sports the final result counts',
});

const streaks = {
  streak: z.strictObject({ type: z.enum(['win', 'draw', 'loss']), len: z.int().min(1) }).nullable(),
  unbeaten_run: count,
  scoring_run: count,
  cleansheet_run: count,
};

const formBlock = z
  .strictObject({
    matches: count,
    w: count,
    d: count,
    l: count,
    ppg: z.number().nullable().meta({ description: "Points per match, by the tournament's rules" }),
    gf_avg: rate,
    ga_avg: rate,
    goals_avg: rate,
    win_pct: share,
    draw_pct: share,
    loss_pct: share,
    over_1_5: share,
    over_2_5: share,
    over_3_5: share,
    btts: share,
    clean_sheet: share,
    failed_to_score: share,
    ...streaks,
    form: z
      .string()
      .regex(/^[WDL]{0,10}$/)
      .meta({ description: 'The newest ten outcomes, newest on the left' }),
    explain,
  })
  .meta({ id: 'FormBlock' });

const form = z.strictObject({
  overall: formBlock,
  last5: formBlock,
  last10: formBlock,
  home: formBlock,
  away: formBlock,
  streaks: z.strictObject(streaks),
});

const discipline = z.strictObject({
  matches: count.meta({ description: 'Matches in the form whose cards are known' }),
  cards_avg: rate,
  explain,
});
const standing = z
  .strictObject({
    position: z.int().min(1),
    played: count,
    points: z.int(),
    goals_for: count,
    goals_against: count,
    explain,
  })
  .nullable();

const teamBlock = z
  .strictObject({ name: z.string(), name_ru: z.string().nullable(), form, discipline, standing })
  .meta({ id: 'AnalyticsTeam' });

const headToHead = z.strictObject({
  matches: count,
  team_a_wins: count,
  draws: count,
  team_b_wins: count,
  goals_avg: rate,
  over_2_5: share,
  btts: share,
  recent: z
    .array(
      z.strictObject({
        date: day,
        score: z.string().meta({ description: 'Home side first, as in that match' }),
        home: z.enum(['team_a', 'team_b']),
        shootout,
      }),
    )
    .max(10),
  explain,
});

const each = <T extends z.ZodType>(value: T) =>
  z.strictObject({
    home_win: value,
    draw: value,
    away_win: value,
    over_1_5: value,
    over_2_5: value,
    over_3_5: value,
    under_2_5: value,
    btts: value,
  });
const goals = z.number().min(0);
const figures = {
  expected_goals: z.strictObject({ home: goals, away: goals, total: goals }),
  probabilities: each(percent),
  fair_odds: each(z.number().min(1).nullable()),
};
const strength = z.strictObject({ attack: z.number().min(0), defence: z.number().min(0) });
const valueBet = z.strictObject({
  market: z.enum(['1x2', 'over_under_2.5', 'btts']),
  selection: z.enum(['home', 'draw', 'away', 'over', 'under', 'yes', 'no']),
  market_odds: z.number(),
  fair_odds: z.number(),
  edge_pct: z.number().gt(0),
  caution: z.literal(true).optional().meta({
    description: "Present if the edge is over 20 %, which is more often the model's error than the market's mistake",
  }),
});

const likelyScorelines = z.array(z.strictObject({ score: z.string().regex(/^\d+:\d+$/), prob: percent })).max(5);
const calibrated = z.strictObject({
  ...figures,
  method: z.string(),
  likely_scorelines: likelyScorelines,
  value_bets: z.array(valueBet).meta({
    description: 'By the calibrated model; the `value_bets` at the top level of the reply are by `model` itself',
  }),
  explain,
});
const model = z
  .strictObject({
    ...figures,
    likely_scorelines: likelyScorelines,
    sample: z.strictObject({
      from: day,
      to: day,
      league_matches: count,
      home_matches: count,
      away_matches: count,
    }),
    strengths: z.strictObject({ home: strength, away: strength }),
    calibrated: calibrated.optional(),
    explain: explainedSample
      .extend({
        league_averages: z.strictObject({ home: goals, away: goals }),
        home_event_ids: z.array(id),
        away_event_ids: z.array(id),
      })
      .optional()
      .meta({ description: 'Only with `explain=true`' }),
  })
  .nullable();

const sideRating = z.strictObject({
  rating: z.number(),
  matches: count.meta({ description: 'Rated matches before this one' }),
});
const outcomes = <T extends z.ZodType>(value: T) =>
  z.strictObject({ home_win: value, draw: value.nullable(), away_win: value });
const rating = z
  .strictObject({
    method: z.literal('elo_margin'),
    parameters: z.enum(['fivethirtyeight', 'fitted', 'assumed']).meta({
      description:
        'fivethirtyeight: published for the sport; fitted: to earlier seasons; assumed: chosen by analogy with a different sport',
    }),
    home: sideRating,
    away: sideRating,
    home_advantage: z.number().meta({ description: 'Points that playing at home is worth; 0 on neutral ground' }),
    rest: z.number().meta({
      description: 'Points for a match of the away side on the day before; negative for one of the home side',
    }),
    difference: z.number().meta({ description: "The home side's lead, home advantage and rest included" }),
    probabilities: outcomes(percent),
    overtime: percent
      .nullable()
      .meta({ description: 'Probability that the match goes to overtime; null in most sports' }),
    fair_odds: outcomes(z.number().min(1).nullable()),
    expected_margin: z.number().nullable().meta({
      description: "The home side's expected margin in points. Null in sports without such a forecast",
    }),
    set_scores: z
      .array(z.strictObject({ home: count, away: count, probability: percent }))
      .nullable()
      .meta({ description: 'Probabilities of all final scores in sets, as in volleyball. Null in other sports' }),
  })
  .nullable()
  .meta({
    description:
      'Elo ratings with margin of victory, and the probabilities that follow from them, without a model of goals. Null in other sports, before the ratings are computed, and if a side has fewer than 5 rated matches; `draw` is null if matches always have a winner',
  });

const trend = z.strictObject({
  label: z.string(),
  detail: z.string(),
  side: z.enum(['home', 'away']),
  explain: z
    .strictObject({
      condition: z.string(),
      venue: z.enum(['overall', 'home', 'away']),
      last: z.int().min(1).meta({ description: 'Sample length' }),
      count: count.meta({ description: 'Matches that meet the condition' }),
      matches: count,
      base_rate: z
        .number()
        .min(0)
        .max(1)
        .meta({ description: 'Share of matches in which an average side in the league meets the condition' }),
      tail: z.number().min(0).max(1).meta({ description: 'Probability that chance alone gives at least this `count`' }),
      bound: z.number().min(0).max(1).meta({ description: 'Maximum `tail` of a trend' }),
      event_ids: z.array(id),
      truncated: z.boolean(),
    })
    .optional()
    .meta({ description: 'Only with `explain=true`' }),
});

export const analyticsCard = z
  .strictObject({
    event_id: id,
    sport: z.string(),
    tournament: z.strictObject({ id, name: z.string(), name_ru: z.string().nullable() }),
    home: teamBlock,
    away: teamBlock,
    h2h: headToHead,
    model,
    rating,
    value_bets: z.array(valueBet),
    trends: z.array(trend),
    computed_at: computedAt,
    disclaimer: z.string(),
  })
  .meta({ id: 'Analytics' });
export type AnalyticsCard = z.infer<typeof analyticsCard>;

export const teamTrends = z
  .strictObject({
    participant_id: id,
    name: z.string(),
    name_ru: z.string().nullable(),
    sport: z.string(),
    scope: z
      .strictObject({
        kind: z.enum(['season', 'all']),
        tournament: z.strictObject({ id, name: z.string(), name_ru: z.string().nullable() }).nullable(),
        season_label: z.string().nullable(),
        from: day.nullable(),
      })
      .meta({
        description:
          'The sample: a season of a tournament, or all competitions from a day on. `standing` always refers to the newest league season of the side',
      }),
    form: z.strictObject({
      overall: formBlock,
      last5: formBlock,
      last10: formBlock,
      last_n: formBlock,
      home: formBlock,
      away: formBlock,
    }),
    discipline,
    standing,
    recent: z
      .array(
        z.strictObject({
          event_id: id,
          date: day,
          tournament_id: id,
          opponent_id: id,
          opponent: z.string(),
          opponent_ru: z.string().nullable(),
          side: z.enum(['home', 'away']),
          score_for: count,
          score_against: count,
          result: z.enum(['W', 'D', 'L']),
          shootout,
        }),
      )
      .meta({ description: 'The last matches of the sample, newest first' }),
    trends: z
      .array(z.strictObject({ label: z.string(), detail: z.string(), side: z.enum(['home', 'away', 'overall']) }))
      .meta({ description: '`side`: the venue of the matches in which the trend was found' }),
    computed_at: computedAt,
    disclaimer: z.string(),
  })
  .meta({ id: 'TeamTrends' });

export const leagueProfile = z
  .strictObject({
    tournament_id: id,
    name: z.string(),
    name_ru: z.string().nullable(),
    sport: z.string(),
    window_from: day.nullable(),
    window_to: day.nullable(),
    matches: count,
    avg_goals: rate,
    avg_home_goals: rate,
    avg_away_goals: rate,
    home_win_pct: share,
    draw_pct: share,
    away_win_pct: share,
    over_2_5_pct: share,
    over_3_5_pct: share,
    btts_pct: share,
    computed_at: computedAt,
  })
  .meta({ id: 'LeagueProfile' });

export const oddsHistory = z
  .strictObject({
    event_id: id,
    count,
    changes: z.array(
      z.strictObject({
        at: z.iso.datetime(),
        market_name: z.string(),
        market_group: z.string().nullable(),
        choice_name: z.string(),
        bookmaker: z.string().nullable(),
        decimal_value: z.number(),
        opening_decimal: z.number().nullable(),
        movement: z.enum(['up', 'down']).nullable().meta({
          description:
            'Compared with the previous price, or for the first price with `opening_decimal`. Null if there is nothing to compare with, and if the price is the same',
        }),
        opening: z.boolean().meta({ description: 'The first known price' }),
        closing: z.boolean().meta({ description: 'The last price before the start' }),
        winning: z.boolean().nullable(),
      }),
    ),
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page' }),
  })
  .meta({ id: 'OddsHistory' });
