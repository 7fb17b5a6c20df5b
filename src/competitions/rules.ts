/** Table rules, from the tournament and the season. Each sport has defaults. */
import { z } from 'zod';
import { findSport } from '../sports/sports.ts';
import {
  type BonusRule,
  DEFAULT_TABLE,
  type TablePoints,
  TIE_BREAKS,
  type TieBreak,
} from '../sports/table-defaults.ts';

export const ZONE_KINDS = [
  'champions_league',
  'europa_league',
  'conference_league',
  'promotion',
  'promotion_play_off',
  'next_round',
  'play_off',
  'play_in',
  'relegation_play_off',
  'relegation',
] as const;

/** Ways to group sides. With `wild_card`, the sides in each conference that do not lead a division form a table. */
export const GROUPINGS = ['division', 'conference', 'wild_card', 'overall'] as const;
export type Grouping = (typeof GROUPINGS)[number];

const points = z.object({
  win: z.int(),
  draw: z.int(),
  loss: z.int(),
  overtime_win: z.int().optional(),
  overtime_loss: z.int().optional(),
  no_result: z.int().optional(),
});
const ALIASES: Record<string, TieBreak> = { away_goals_head_to_head: 'head_to_head_away_goals' };
const known = (step: unknown): TieBreak | undefined =>
  TIE_BREAKS.find((name) => name === step) ?? (typeof step === 'string' ? ALIASES[step] : undefined);
/** Steps that may come first instead of points. */
const LEADING = ['points_per_match', 'win_percentage'] as const;
/** Puts points first, unless the steps begin with one that replaces points. */
function inOrder(steps: readonly TieBreak[]): TieBreak[] {
  const leading = LEADING.find((step) => step === steps[0]) ?? 'points';
  return [...new Set([leading, ...steps] as const)];
}
const tieBreaks = z
  .array(z.unknown())
  .transform((steps) => inOrder(steps.map(known).filter((step) => step !== undefined)));
/** A part into which a league splits. */
const splitGroup = z.object({
  name: z.string().min(1),
  /** Places in the regular season whose sides form the group. */
  places: z.array(z.int().min(1)).min(2),
  /** How often the group's sides meet. */
  meetings: z.int().min(1),
  /** Whether a side keeps all of its points, or half of them, rounded up or down. */
  points: z.enum(['keep', 'halve_up', 'halve_down']).default('keep'),
  /** True if matches and goals from the regular season stay in the table. */
  results: z.boolean().default(true),
  /** Tie-breakers for this group only. */
  tie_breaks: tieBreaks.optional(),
});
export type SplitGroup = z.infer<typeof splitGroup>;
/** A league that is divided after each side has played a number of matches. */
const split = z.object({
  after: z.int().min(1),
  /** True if all groups form one table, in which each group is below the previous one. */
  one_table: z.boolean().default(false),
  groups: z
    .array(splitGroup)
    .min(1)
    .refine(
      (groups) =>
        new Set(groups.flatMap(({ places }) => places)).size === groups.flatMap(({ places }) => places).length,
    ),
});
export type SplitRules = z.infer<typeof split>;
/** With `legs_or_series`, goals decide a tie of two games, and wins a longer one. */
export const TIE_FORMATS = ['single', 'legs', 'series', 'legs_or_series'] as const;
const tie = z.object({
  format: z.enum(TIE_FORMATS).optional(),
  /** Maximum number of games in a series. */
  best_of: z.int().min(1).optional(),
});
/** How knock-out ties are decided. Each rule is used only if the matches alone do not show it. */
const ties = tie.extend({
  /** True if away goals separate sides that are level after two legs. */
  away_goals: z.boolean().optional(),
  /** Rounds that differ, by name. */
  rounds: z.record(z.string(), tie).optional(),
});
const place = z.int().refine((value) => value !== 0);
/** Places with the same consequence, such as relegation. Negative places count from the bottom of the table. */
export const zone = z.object({ kind: z.enum(ZONE_KINDS), first: place, last: place });
export type ZoneRule = z.infer<typeof zone>;
const bonusPoints = z.int().min(1).max(10);
const statistic = z.string().min(1);
const bonus = z.union([
  z.strictObject({ statistic, at_least: z.int().min(1), points: bonusPoints }),
  z.strictObject({ statistic, more_by: z.int().min(1), points: bonusPoints }),
  z.strictObject({ lost_by_at_most: z.int().min(1), points: bonusPoints }),
]);
const sides = z.array(z.string().min(1)).min(1);
const name = z.string().min(1);
/** A conference (in baseball, a league) with divisions, or with sides if it has no divisions. */
const conference = z.object({
  name,
  teams: sides.optional(),
  divisions: z
    .array(z.object({ name, teams: sides }))
    .min(1)
    .optional(),
});
export type Conference = z.infer<typeof conference>;
/** Places that lead to the play-offs. */
const qualification = z.object({
  /** Number of places in each division. These sides also lead the conference table. */
  division_places: z.int().min(0),
  /** How many of the best other sides in each conference qualify. */
  wild_cards: z.int().min(0),
  /** How many sides after these, in each conference, enter the play-in. */
  play_in: z.int().min(0).default(0),
  /** How many of the best other sides qualify, whatever their conference. */
  overall: z.int().min(0).default(0),
});
export type Qualification = z.infer<typeof qualification>;
/** Stored rules for a tournament or a season. Null removes what an earlier layer has set. */
const layer = z.object({
  points: points.partial().optional().catch(undefined),
  tie_breaks: tieBreaks.optional().catch(undefined),
  /** Bonus points. Each rule that is met counts. */
  bonus: z.array(bonus).optional().catch(undefined),
  /** True if the steps start over for the rest of the level sides once the best side has been found. */
  restart_tie_breaks: z.boolean().optional().catch(undefined),
  /** If false, the win percentage ignores draws; otherwise a draw counts as half a win. */
  draws_in_percentage: z.boolean().optional().catch(undefined),
  conferences: z.array(conference).min(1).nullish().catch(undefined),
  /** Steps that order sides from several divisions. */
  conference_tie_breaks: tieBreaks.optional().catch(undefined),
  /** Steps that order three or more sides from several divisions; by default, those for two. */
  several_tie_breaks: tieBreaks.optional().catch(undefined),
  /** If false, all level sides take part in these steps; otherwise only the best one from each division. */
  best_of_divisions: z.boolean().optional().catch(undefined),
  qualification: qualification.nullish().catch(undefined),
  /** False for cups and friendlies, which have no table. */
  table: z.boolean().optional().catch(undefined),
  split: split.nullish().catch(undefined),
  /** Head-to-head steps are skipped until each pair of level sides has met this often. */
  head_to_head_meetings: z.int().min(1).optional().catch(undefined),
  /**
   * True if head-to-head results count equally many matches at both venues. The first matches at the venue that had more are
   * left out.
   */
  head_to_head_even: z.boolean().optional().catch(undefined),
  /** True if a shoot-out counts as a goal for its winner. */
  shoot_out_goal: z.boolean().optional().catch(undefined),
  /** True if the season ended early. Unplayed matches then do not count as missing. */
  curtailed: z.boolean().optional().catch(undefined),
  /** False if the sources are known to lack results from this season. True if groups beside a table are stages of their own. */
  complete: z.boolean().optional().catch(undefined),
  ties: ties.optional().catch(undefined),
  zones: z.array(zone).optional().catch(undefined),
});
type Layer = z.infer<typeof layer>;

export type TableRules = { [K in Exclude<keyof Layer, 'bonus'>]?: NonNullable<Layer[K]> } & {
  points: TablePoints;
  tie_breaks: TieBreak[];
  bonus: readonly BonusRule[];
  table: boolean;
  /** Set if the rules put all matches in one table, as in a league. */
  league?: true;
  zones: ZoneRule[];
};

/** Rules for the seasons `from` to `until`, both included. Without `from` or `until`, the period is open at that end. */
const period = z.looseObject({ from: z.string().optional(), until: z.string().optional() });
const stored = z.looseObject({ periods: z.array(z.unknown()).optional().catch(undefined) });

/**
 * @param layers stored rules, first the tournament's, then the season's; invalid members are ignored, because a table with
 * the usual rules is better than none
 * @param season selects the rules that apply to certain periods
 */
export function tableRules(
  sport: string,
  layers: readonly unknown[],
  season?: { label: string | null; country: string },
): TableRules {
  const { points: usual, tie_breaks, bonus = [], formerInternational } = findSport(sport)?.table ?? DEFAULT_TABLE;
  const rules: TableRules = {
    table: true,
    points: usual,
    tie_breaks,
    bonus,
    zones: [],
  };
  const label = season?.label ?? undefined;
  if (formerInternational && season?.country === 'INT' && label !== undefined && label < formerInternational.before)
    rules.points = formerInternational.points;
  for (const one of layers) {
    applyLayer(rules, one);
    if (label !== undefined) for (const part of parsePeriods(one, label)) applyLayer(rules, part);
  }
  return { ...rules, tie_breaks: inOrder(rules.tie_breaks) };
}

function applyLayer(rules: TableRules, given: unknown): void {
  const { data } = layer.safeParse(given);
  if (data === undefined) return;
  const { points: givenPoints, ties, ...members } = data;
  // The members must stay in this order, because simulation seeds are made from the rules as text.
  if (data.table === true) rules.league = true;
  for (const name of ['conferences', 'qualification', 'split'] as const) if (data[name] === null) delete rules[name];
  Object.assign(rules, Object.fromEntries(Object.entries(members).filter(([, value]) => (value ?? null) !== null)));
  // Points are used only if they are complete. Otherwise they would be mixed with those of an earlier layer.
  const whole = points.safeParse(givenPoints);
  if (whole.success) rules.points = whole.data;
  if (ties) rules.ties = { ...rules.ties, ...ties };
}

/**
 * Returns the rules for periods that include the season. Labels begin with a year, so that 1994 and 1994/95 sort by
 * year.
 */
function parsePeriods(given: unknown, label: string): unknown[] {
  const periods = stored.safeParse(given).data?.periods ?? [];
  return periods.filter((one) => {
    const { data } = period.safeParse(one);
    return data !== undefined && (data.from ?? '') <= label && label <= (data.until ?? '9999');
  });
}
