/** Wire format for statistics, squads, leaders and missing players. */
import { z } from 'zod';
import { countryCode, id } from '../wire/match.ts';
import { wireDay as day, timestamp } from '../wire/time.ts';

const count = z.int().min(0);
const figure = count.nullable();

const season = { season_id: id, season_label: z.string(), tournament_id: id, tournament: z.string() };
const team = {
  team_id: id,
  team_name: z.string().meta({ description: 'Name on the day of the last counted match' }),
  team_name_ru: z.string().nullable(),
};
const player = {
  participant_id: id.nullable().meta({ description: 'Null for a player known only by name' }),
  player_name: z.string(),
  player_name_ru: z.string().nullable(),
};

const figures = {
  matches: figure.meta({
    description: 'Matches in which the player appeared: null unless all line-ups and substitutions are known',
  }),
  starts: figure.meta({ description: 'Null unless all line-ups are known; players only' }),
  minutes: figure.meta({
    description: 'Without added time; null like `matches`, and in sports in which players come and go',
  }),
  goals: figure.meta({
    description:
      'Goals; points in sports that count points, such as basketball and rugby. Null unless the scorers of all goals or points of the team in the season are known',
  }),
  assists: figure.meta({ description: 'Null like `goals`, and if no match of the season has an assist' }),
  yellow_cards: figure.meta({
    description:
      'Null in sports without cards, and unless a source reports the cards of every match. In football a second yellow card counts only as a red card. For a team, the cards in the match statistics count, if there are any',
  }),
  red_cards: figure.meta({ description: 'Straight red cards and second yellow cards; null like `yellow_cards`' }),
  clean_sheets: figure.meta({
    description:
      'Matches without a goal against; null in sports that do not count them. For a goalkeeper, only matches played from start to end; null for other players. Null like `matches`',
  }),
};

const rate = z.number().min(0).nullable();
export const cricketFigures = z
  .strictObject({
    innings: count.meta({ description: 'In which the player batted' }),
    not_outs: count,
    runs: count,
    highest_score: z.string().nullable().meta({ description: 'In an innings; `113*` is 113 not out' }),
    batting_average: rate.meta({ description: 'Runs divided by the number of times out; null if never out' }),
    balls_faced: count,
    strike_rate: rate.meta({ description: 'Runs per 100 balls faced' }),
    hundreds: count.meta({ description: 'Innings with 100 runs or more' }),
    fifties: count.meta({ description: 'Innings with 50 to 99 runs' }),
    fours: count,
    sixes: count,
    balls_bowled: count,
    maidens: count,
    runs_conceded: count,
    wickets: count,
    best_bowling: z.string().nullable().meta({ description: 'In an innings; `5/17` is 5 wickets for 17 runs' }),
    bowling_average: rate.meta({ description: 'Runs conceded per wicket' }),
    economy: rate.meta({ description: 'Runs conceded per over of six balls' }),
    catches: count,
    stumpings: count,
    run_outs: count,
  })
  .meta({ id: 'CricketFigures', description: 'Figures of a cricketer, without super overs' });

export const seasonStatistics = z
  .strictObject({
    ...season,
    ...team,
    ...figures,
    wins: figure.meta({ description: 'Teams only, like `draws`, `losses` and `goals_against`' }),
    draws: figure,
    losses: figure,
    goals_against: figure,
    penalties: figure.meta({ description: 'Goals from penalties; null like `assists`' }),
    own_goals: figure.meta({ description: 'Null like `goals`' }),
    cricket: cricketFigures.nullable().optional().meta({
      description: 'Only for a player in cricket. Null unless a source gives the figures of players in every match',
    }),
  })
  .meta({ id: 'SeasonStatistics' });
export const statistics = z
  .strictObject({
    participant_id: id,
    count,
    statistics: z.array(seasonStatistics),
    career: cricketFigures.nullable().optional().meta({
      description: 'Only for a player in cricket: the figures of all seasons in the list. Null if one is unknown',
    }),
    reason: z.literal('no_results').optional().meta({
      description: 'Only with an empty list: no finished match of the participant is known in the requested seasons',
    }),
  })
  .meta({ id: 'Statistics' });

export const squadPlayer = z
  .strictObject({
    ...player,
    birth_date: day.nullable(),
    country: countryCode.nullable(),
    shirt_number: z
      .string()
      .nullable()
      .meta({ description: 'From the list of players, otherwise the most frequent number' }),
    position: z
      .string()
      .nullable()
      .meta({ description: 'From the list of players, otherwise the most frequent position; as sources write it' }),
    ...figures,
  })
  .meta({ id: 'SquadPlayer' });
export const squadCompetition = z
  .strictObject({
    season_id: id,
    tournament_id: id,
    tournament: z.string(),
    is_listed: z.boolean().meta({ description: 'Whether a source has the list of players that the team has entered' }),
    is_counted: z.boolean().meta({ description: 'Whether players and figures of this competition are in `squad`' }),
  })
  .meta({ id: 'SquadCompetition' });
export const squad = z
  .strictObject({
    participant_id: id,
    season_label: z.string().nullable().meta({ description: "Null if none of the team's players are known" }),
    season_labels: z.array(z.string()).meta({ description: 'Seasons in which players are known, newest first' }),
    competitions: z.array(squadCompetition).meta({
      description: 'Competitions of the season in which players are known, newest first',
    }),
    count,
    squad: z.array(squadPlayer),
    reason: z.literal('no_players').optional().meta({
      description: 'Only with an empty list: no finished match that the plan includes names players of the team',
    }),
  })
  .meta({ id: 'Squad' });

export const leader = z
  .strictObject({
    rank: z.int().min(1).meta({ description: 'Shared by players with the same value' }),
    ...player,
    ...team,
    value: z.number().gt(0),
    value_text: z.string().optional().meta({
      description: 'For `highest_score` and `best_bowling`: the value as cricket writes it, `113*` or `5/17`',
    }),
    matches: figure.meta({ description: 'Matches played; null unless all line-ups and substitutions are known' }),
  })
  .meta({ id: 'Leader' });
export const leaders = z
  .strictObject({
    tournament_id: id,
    season_id: id.nullable(),
    season_label: z.string().nullable(),
    stat: z.string(),
    count,
    leaders: z.array(leader),
    reason: z.enum(['no_results', 'unknown']).optional().meta({
      description:
        'Why the list is empty: no match has a result, no source tells the figure, or the figure is 0 for all players',
    }),
    latest_season_with_leaders: id.nullable().optional().meta({
      description:
        'Only with an empty list: a value for `season`, the id of the latest season that has leaders by `stat`. Null if there is none, or if the three latest candidates lack figures',
    }),
  })
  .meta({ id: 'Leaders' });

const missingPlayer = z
  .strictObject({
    event_id: id,
    team_id: id,
    player_participant_id: id
      .nullable()
      .meta({ description: "Null unless exactly one of the team's players has the name" }),
    player_name: z.string(),
    position: z.string().nullable(),
    type: z.string(),
    status: z.string().nullable(),
    reason_text: z.string().nullable(),
  })
  .meta({ id: 'MissingPlayer' });
const missingPlayers = {
  cards: z
    .array(z.strictObject({ event_id: id, team_id: id, scheduled_start: timestamp, updated_at: timestamp }))
    .meta({ description: 'The cards that were read, one for a team; without one, it is not known who is missing' }),
  count,
  missing: z.array(missingPlayer),
};
export const missing = z.strictObject({ participant_id: id, ...missingPlayers }).meta({ id: 'Missing' });
export const missingOfSeason = z
  .strictObject({
    tournament_id: id,
    season_id: id.nullable(),
    season_label: z.string().nullable(),
    ...missingPlayers,
  })
  .meta({ id: 'TournamentMissing' });
