/** Wire format for standings, scorers and rounds. */
import { z } from 'zod';
import { id } from '../wire/match.ts';
import { timestamp, wireDay } from '../wire/time.ts';
import { GROUPINGS, ZONE_KINDS } from './rules.ts';

export const STANDING_TYPES = ['total', 'home', 'away', 'form'] as const;
export const standingType = z.enum(STANDING_TYPES);
export type StandingType = z.infer<typeof standingType>;

const count = z.int().min(0);

export const standingsRow = z
  .strictObject({
    position: z.int().min(1).meta({ description: 'Within the group, if there are groups' }),
    participant_id: id,
    name: z.string().meta({ description: "Name on the day of the side's last match in the season" }),
    name_ru: z.string().nullable(),
    group: z.string().nullable().meta({
      description:
        "Null if the season has one table, and for the regular season of a divided league. If no source names the groups but the fixtures prove them, a number (`1`, or `2.1` for the first group of the second stage), in the order of the groups' first names",
    }),
    played: count,
    wins: count,
    draws: count,
    losses: count,
    overtime_wins: count.meta({
      description: 'Part of `wins`: after overtime, extra time or a shoot-out, or in the deciding set',
    }),
    overtime_losses: count.meta({ description: 'Part of `losses`' }),
    win_percentage: z.number().min(0).max(1).nullable().meta({
      description:
        'Share of matches won, with three decimals; a draw is half a win unless the rules say otherwise. Null before the first match',
    }),
    games_behind: z.number().nullable().meta({
      description:
        'Matches behind the leader, in halves; in the grouping `wild_card` behind the last place that leads to the play-offs (below 0: ahead of it). Null unless the table is ordered by `win_percentage`',
    }),
    scores_for: count,
    scores_against: count,
    goal_difference: z.int(),
    set_points_for: count.nullable().meta({
      description:
        'Points won in all sets, where they decide between level sides, as in volleyball. Null in other sports',
    }),
    set_points_against: count.nullable().meta({ description: 'Points lost in all sets, as in `set_points_for`' }),
    bonus_points: z.int().min(0).nullable().meta({
      description: 'Part of `points`, for tries or a narrow defeat. Null if the rules have none',
    }),
    no_results: z.int().min(0).nullable().meta({
      description: 'Part of `played`: abandoned matches. Null if the rules give no points for them',
    }),
    net_run_rate: z.number().nullable().meta({
      description: 'In cricket: runs per over scored less conceded, with three decimals. Null in other sports',
    }),
    points: z.int(),
    points_deducted: z.int().meta({
      description:
        'Points that the organizer has deducted, already subtracted from `points`; below 0 if points were added. Only in `total`',
    }),
    form: z
      .string()
      .regex(/^[WDL]{0,5}$/)
      .meta({ description: "Outcomes of the row's last five matches, newest on the left" }),
    zone: z.enum(ZONE_KINDS).nullable().meta({
      description:
        'What the place leads to, by the rules of the season. Null if the place leads to nothing, if the rules are not known, and in tables other than `total`',
    }),
    movement: z.int().nullable().optional().meta({
      description:
        'Only with `date` or `round`: places gained since the previous day with matches, or since the previous round; below 0: places lost. Null if the side had no place then',
    }),
  })
  .meta({ id: 'StandingsRow' });

const emptyTable = z.enum(['no_table', 'not_begun']).optional().meta({
  description:
    'Why the list is empty. no_table: the season has no table; not_begun: no match that counts had a result by then',
});

export const standings = z
  .strictObject({
    tournament_id: id,
    tournament: z.string(),
    season_id: id.nullable(),
    season_label: z.string().nullable().meta({ description: 'Null for a tournament without seasons' }),
    standing_type: standingType,
    groupings: z.array(z.enum(GROUPINGS)).meta({
      description: 'Values of `grouping` for this season, the default first; empty if the season has no conferences',
    }),
    table: z.array(standingsRow),
    complete: z.boolean().meta({
      description:
        'False if the table is known to lack results, for one of three reasons. A match that was not postponed has no result a day after its start. The season is over (its last match began more than 120 days ago), but lacks matches that nearly all its sides or pairings have, or the groups after its split. The sources of the season are known to be incomplete. Matches to come do not count as missing',
    }),
    reason: emptyTable,
  })
  .meta({ id: 'Standings' });

export const standingsHistory = z
  .strictObject({
    tournament_id: id,
    tournament: z.string(),
    season_id: id.nullable(),
    season_label: z.string().nullable(),
    groupings: z.array(z.enum(GROUPINGS)),
    steps: z
      .array(
        z
          .strictObject({
            round_num: z.int().nullable(),
            round_name: z.string().nullable(),
            last_day: wireDay.meta({ description: 'Day (UTC) of the last match that has been played in it' }),
          })
          .meta({ id: 'StandingsStep' }),
      )
      .meta({
        description:
          'Rounds with at least one result, in the order of play. If most matches of the season have no round: weeks from Monday to Sunday, or days in a season of less than eight weeks (UTC), both without number and name',
      }),
    rows: z.array(
      z
        .strictObject({
          participant_id: id,
          name: z.string(),
          name_ru: z.string().nullable(),
          group: z.string().nullable(),
          positions: z
            .array(z.int().min(1).nullable())
            .meta({ description: 'Place after each of the `steps`; null while the side had none' }),
          points: z.array(z.int().nullable()).meta({ description: 'Points after each of the `steps`' }),
        })
        .meta({ id: 'StandingsHistoryRow' }),
    ),
    reason: emptyTable,
  })
  .meta({ id: 'StandingsHistory' });

export const scorer = z
  .strictObject({
    rank: z.int().min(1).meta({ description: 'Shared by players with the same number of goals' }),
    participant_id: id.nullable().meta({ description: 'Null for a player known only by name' }),
    player_name: z.string(),
    player_name_ru: z.string().nullable(),
    team_id: id,
    team_name: z.string().meta({ description: "Name on the day of the player's last match" }),
    team_name_ru: z.string().nullable(),
    goals: z
      .int()
      .min(1)
      .meta({ description: 'Goals; points in basketball, rugby and other sports that count points' }),
    assists: count.nullable(),
    penalties: count.nullable().meta({ description: 'Goals from penalties' }),
    matches: count
      .nullable()
      .meta({ description: 'Matches played; null if the line-ups or substitutions of some matches are not known' }),
  })
  .meta({ id: 'Scorer' });

export const scorers = z
  .strictObject({
    tournament_id: id,
    season_id: id.nullable(),
    count: z.int().min(0),
    scorers: z.array(scorer),
    reason: z
      .enum(['no_results', 'no_scorers'])
      .optional()
      .meta({ description: 'Why the list is empty: no match has a result, or no source names the scorers' }),
    latest_season_with_scorers: id.nullable().optional().meta({
      description: 'Only with an empty list: a value for `season`, the id of the latest season that has scorers',
    }),
  })
  .meta({ id: 'Scorers' });

export const round = z
  .strictObject({
    round_num: z.int().nullable(),
    round_name: z.string().nullable(),
    matches: count,
    finished: count.meta({ description: 'Matches that are over, cancelled ones included' }),
    first_start: timestamp,
    last_start: timestamp,
    is_current: z.boolean().meta({
      description:
        'True for the round of the next match that is live or to come, or for the last round if there is no such match. Exactly one round is current',
    }),
  })
  .meta({ id: 'Round' });
export const rounds = z
  .strictObject({
    tournament_id: id,
    season_id: id.nullable(),
    season_label: z.string().nullable(),
    count,
    rounds: z.array(round),
    reason: z
      .literal('no_rounds')
      .optional()
      .meta({ description: 'Only with an empty list: no source names the rounds of this season' }),
  })
  .meta({ id: 'Rounds' });
