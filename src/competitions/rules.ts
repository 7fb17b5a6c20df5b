/** Rules of a table, from tournament and season, with defaults per sport. */
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
  'relegation_play_off',
  'relegation',
] as const;

/** wild_card: the sides of each conference that do not lead a division. */
export const GROUPINGS = ['division', 'conference', 'wild_card', 'overall'] as const;
export type Grouping = (typeof GROUPINGS)[number];

const points = z.object({
  win: z.int(),
  draw: z.int(),
  loss: z.int(),
  overtime_win: z.int().optional(),
  overtime_loss: z.int().optional(),
});
const ALIASES: Record<string, TieBreak> = { away_goals_head_to_head: 'head_to_head_away_goals' };
const known = (step: unknown): TieBreak | undefined =>
  TIE_BREAKS.find((name) => name === step) ?? (typeof step === 'string' ? ALIASES[step] : undefined);
/** Steps that may come first, instead of points. */
const LEADING = ['points_per_match', 'win_percentage'] as const;
/** One of the leading steps comes first. */
function inOrder(steps: readonly TieBreak[]): TieBreak[] {
  const leading = LEADING.find((step) => step === steps[0]) ?? 'points';
  return [...new Set([leading, ...steps] as const)];
}
const tieBreaks = z
  .array(z.unknown())
  .transform((steps) => inOrder(steps.map(known).filter((step) => step !== undefined)));
/** A part of a league after its split. */
const splitGroup = z.object({
  name: z.string().min(1),
  /** Places of the regular season whose sides form the group. */
  places: z.array(z.int().min(1)).min(2),
  /** How often its sides meet. */
  meetings: z.int().min(1),
  /** The points that a side keeps: all, or half of them, rounded. */
  points: z.enum(['keep', 'halve_up', 'halve_down']).default('keep'),
  /** Whether matches and goals of the regular season stay in the table. */
  results: z.boolean().default(true),
  /** Tie-breakers of this group only. */
  tie_breaks: tieBreaks.optional(),
});
export type SplitGroup = z.infer<typeof splitGroup>;
/** A league that is divided after each side has played a number of matches. */
const split = z.object({
  after: z.int().min(1),
  /** The groups stay one table, the later ones below the earlier ones. */
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
/** How knock-out ties are decided, as far as the matches do not show it. */
const ties = z.object({
  /** Whether away goals separate sides that are level after two legs. */
  away_goals: z.boolean().optional(),
  format: z.enum(['single', 'legs', 'series']).optional(),
  /** Maximum number of games of a series. */
  best_of: z.int().min(1).optional(),
});
const place = z.int().refine((value) => value !== 0);
/** Places that lead to something; below 0 they count from the end of the table. */
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
/** A conference (in baseball: league) with its divisions, or with its sides if it has none. */
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
  /** The first places of each division; these sides also lead the table of their conference. */
  division_places: z.int().min(0),
  /** The best others of each conference. */
  wild_cards: z.int().min(0),
});
export type Qualification = z.infer<typeof qualification>;
/** Stored rules of a tournament or a season; null removes what an earlier layer has set. */
const layer = z.object({
  points: points.partial().optional().catch(undefined),
  tie_breaks: tieBreaks.optional().catch(undefined),
  /** Bonus points; each rule that is met counts. */
  bonus: z.array(bonus).optional().catch(undefined),
  /** The first step is next for the others once they have told the best of the level sides. */
  restart_tie_breaks: z.boolean().optional().catch(undefined),
  /** False: a draw is no match for the win percentage, instead of half a win. */
  draws_in_percentage: z.boolean().optional().catch(undefined),
  conferences: z.array(conference).min(1).nullish().catch(undefined),
  /** Steps between sides of different divisions. */
  conference_tie_breaks: tieBreaks.optional().catch(undefined),
  /** False: all level sides take part in these steps, instead of the best of each division. */
  best_of_divisions: z.boolean().optional().catch(undefined),
  qualification: qualification.nullish().catch(undefined),
  /** False for cups and friendlies, which have no table. */
  table: z.boolean().optional().catch(undefined),
  split: split.nullish().catch(undefined),
  /** Head-to-head steps are skipped until each pair of the sides still level has met this often. */
  head_to_head_meetings: z.int().min(1).optional().catch(undefined),
  /** The season ended early: unplayed matches are not missing. */
  curtailed: z.boolean().optional().catch(undefined),
  /** False if the sources are known to lack results of this season. */
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
  /** Set by the rules: all matches belong to one table, as in a league. */
  league?: true;
  zones: ZoneRule[];
};

/** Rules of a span of seasons, both ends included; a missing end leaves it open. */
const period = z.looseObject({ from: z.string().optional(), until: z.string().optional() });
const stored = z.looseObject({ periods: z.array(z.unknown()).optional().catch(undefined) });

/**
 * @param layers stored rules of the tournament, then of the season; invalid members are ignored, because a table by the
 * usual rules is better than none.
 * @param season season for which the rules of a span of seasons apply, too
 */
export function tableRules(
  sport: string,
  layers: readonly unknown[],
  season?: { label: string | null; country: string },
): TableRules {
  const { points: usual, tie_breaks, bonus = [], formerInternational } = findSport(sport)?.table ?? DEFAULT_TABLE;
  const rules: TableRules = { table: true, points: usual, tie_breaks, bonus, zones: [] };
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
  // The order of the members is kept: seeds of simulations are made from the rules as text.
  if (data.table === true) rules.league = true;
  for (const name of ['conferences', 'qualification', 'split'] as const) if (data[name] === null) delete rules[name];
  Object.assign(rules, Object.fromEntries(Object.entries(members).filter(([, value]) => (value ?? null) !== null)));
  // Incomplete points would mix two rules, so they are used only if complete.
  const whole = points.safeParse(givenPoints);
  if (whole.success) rules.points = whole.data;
  if (ties) rules.ties = { ...rules.ties, ...ties };
}

/** Labels begin with a year: 1994 and 1994/95 are in the same order as their years. */
function parsePeriods(given: unknown, label: string): unknown[] {
  const periods = stored.safeParse(given).data?.periods ?? [];
  return periods.filter((one) => {
    const { data } = period.safeParse(one);
    return data !== undefined && (data.from ?? '') <= label && label <= (data.until ?? '9999');
  });
}
