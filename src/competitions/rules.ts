/** Rules of a table, from tournament and season, with defaults per sport. */
import { z } from 'zod';

/**
 * Tie-breakers for sides level on points. Consecutive head_to_head steps use one table of the matches among the sides
 * still level; sides that it leaves level get a table of their own. play_off: by the play-offs outside the groups.
 * points_per_match: instead of points, if sides will never have played equally many matches. After a split,
 * unrounded_points: without the rounding of halved points; regular_season: by the place before the split.
 */
export const TIE_BREAKS = [
  'points',
  'points_per_match',
  'unrounded_points',
  'regular_season',
  'play_off',
  'wins',
  'goal_difference',
  'goals_for',
  'goal_average',
  'away_goals',
  'away_wins',
  'head_to_head_points',
  'head_to_head_goal_difference',
  'head_to_head_goals_for',
  'head_to_head_away_goals',
  'name',
] as const;
export type TieBreak = (typeof TIE_BREAKS)[number];

export interface TableRules {
  /** overtime_win and overtime_loss: after overtime, extra time or a shoot-out; default: as other wins and losses. */
  points: {
    win: number;
    draw: number;
    loss: number;
    overtime_win?: number | undefined;
    overtime_loss?: number | undefined;
  };
  tie_breaks: TieBreak[];
  /** False for cups and friendlies, which have no table. */
  table: boolean;
  /** Set by the rules: all matches belong to one table, as in a league. */
  league?: true;
  split?: SplitRules;
  /** Head-to-head steps are skipped until each pair of the sides still level has met this often. */
  head_to_head_meetings?: number;
  /** The season ended early: unplayed matches are not missing. */
  curtailed?: boolean;
  /** False if the sources are known to lack results of this season. */
  complete?: boolean;
  ties?: TieRules;
}

/** How knock-out ties are decided, as far as the matches do not show it. */
export interface TieRules {
  /** Whether away goals separate sides that are level after two legs. */
  away_goals?: boolean | undefined;
  format?: 'single' | 'legs' | 'series' | undefined;
  /** Maximum number of games of a series. */
  best_of?: number | undefined;
}

/** A part of a league after its split. */
export interface SplitGroup {
  name: string;
  /** Places of the regular season whose sides form the group. */
  places: number[];
  /** How often its sides meet. */
  meetings: number;
  /** The points that a side keeps: all, or half of them, rounded. */
  points: 'keep' | 'halve_up' | 'halve_down';
  /** Whether matches and goals of the regular season stay in the table. */
  results: boolean;
  /** Tie-breakers of this group only. */
  tie_breaks?: TieBreak[] | undefined;
}

/** A league that is divided after each side has played a number of matches. */
export interface SplitRules {
  after: number;
  groups: SplitGroup[];
  /** The groups stay one table, the later ones below the earlier ones. */
  one_table: boolean;
}

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
/** Points come first, in either form. */
function inOrder(steps: readonly TieBreak[]): TieBreak[] {
  const leading = steps[0] === 'points_per_match' ? steps[0] : 'points';
  return [...new Set([leading, ...steps] as const)];
}
const tieBreaks = z
  .array(z.unknown())
  .transform((steps) => inOrder(steps.map(known).filter((step) => step !== undefined)));
const split = z.object({
  after: z.int().min(1),
  one_table: z.boolean().default(false),
  groups: z
    .array(
      z.object({
        name: z.string().min(1),
        places: z.array(z.int().min(1)).min(2),
        meetings: z.int().min(1),
        points: z.enum(['keep', 'halve_up', 'halve_down']).default('keep'),
        results: z.boolean().default(true),
        tie_breaks: tieBreaks.optional(),
      }),
    )
    .min(1)
    .refine(
      (groups) =>
        new Set(groups.flatMap(({ places }) => places)).size === groups.flatMap(({ places }) => places).length,
    ),
});
const ties = z.object({
  away_goals: z.boolean().optional(),
  format: z.enum(['single', 'legs', 'series']).optional(),
  best_of: z.int().min(1).optional(),
});
const layer = z.object({
  points: points.partial().optional().catch(undefined),
  tie_breaks: tieBreaks.optional().catch(undefined),
  table: z.boolean().optional().catch(undefined),
  split: split.nullish().catch(undefined),
  head_to_head_meetings: z.int().min(1).optional().catch(undefined),
  curtailed: z.boolean().optional().catch(undefined),
  complete: z.boolean().optional().catch(undefined),
  ties: ties.optional().catch(undefined),
});
/** Rules of a span of seasons, both ends included; a missing end leaves it open. */
const period = z.looseObject({ from: z.string().optional(), until: z.string().optional() });
const stored = z.looseObject({ periods: z.array(z.unknown()).optional().catch(undefined) });

const BY_DIFFERENCE: TieBreak[] = ['goal_difference', 'goals_for', 'head_to_head_points'];
const TWO_POINTS = { win: 2, draw: 1, loss: 0 };
const THREE_POINTS = { win: 3, draw: 1, loss: 0 };
const DEFAULTS: Record<string, Pick<TableRules, 'points' | 'tie_breaks'>> = {
  football: { points: THREE_POINTS, tie_breaks: BY_DIFFERENCE },
  futsal: { points: THREE_POINTS, tie_breaks: BY_DIFFERENCE },
  'ice-hockey': {
    points: { ...THREE_POINTS, overtime_win: 2, overtime_loss: 1 },
    tie_breaks: ['wins', ...BY_DIFFERENCE],
  },
  volleyball: {
    points: { win: 3, draw: 0, loss: 0, overtime_win: 2, overtime_loss: 1 },
    tie_breaks: ['wins', 'goal_average'],
  },
  basketball: { points: { win: 2, draw: 1, loss: 1 }, tie_breaks: ['head_to_head_points', ...BY_DIFFERENCE] },
  rugby: { points: { win: 4, draw: 2, loss: 0 }, tie_breaks: ['wins', ...BY_DIFFERENCE] },
  'aussie-rules': { points: { win: 4, draw: 2, loss: 0 }, tie_breaks: ['goal_average'] },
};
const OTHER = { points: TWO_POINTS, tie_breaks: BY_DIFFERENCE };

/** The season in which three points for a win became the rule of football between nations and their clubs. */
const THREE_POINTS_SINCE = '1995';

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
  const rules: TableRules = { table: true, ...(DEFAULTS[sport] ?? OTHER) };
  const label = season?.label ?? undefined;
  if (sport === 'football' && season?.country === 'INT' && label !== undefined && label < THREE_POINTS_SINCE)
    rules.points = TWO_POINTS;
  for (const one of layers) {
    applyLayer(rules, one);
    if (label !== undefined) for (const part of parsePeriods(one, label)) applyLayer(rules, part);
  }
  return { ...rules, tie_breaks: inOrder(rules.tie_breaks) };
}

function applyLayer(rules: TableRules, given: unknown): void {
  const { data } = layer.safeParse(given);
  if (data === undefined) return;
  if (data.table !== undefined) rules.table = data.table;
  if (data.table === true) rules.league = true;
  // Incomplete points would mix two rules, so they are used only if complete.
  const whole = points.safeParse(data.points);
  if (whole.success) rules.points = whole.data;
  if (data.tie_breaks) rules.tie_breaks = data.tie_breaks;
  if (data.split) rules.split = data.split;
  else if (data.split === null) delete rules.split;
  if (data.head_to_head_meetings !== undefined) rules.head_to_head_meetings = data.head_to_head_meetings;
  if (data.curtailed !== undefined) rules.curtailed = data.curtailed;
  if (data.complete !== undefined) rules.complete = data.complete;
  if (data.ties) rules.ties = { ...rules.ties, ...data.ties };
}

/** Labels begin with a year: 1994 and 1994/95 are in the same order as their years. */
function parsePeriods(given: unknown, label: string): unknown[] {
  const periods = stored.safeParse(given).data?.periods ?? [];
  return periods.filter((one) => {
    const { data } = period.safeParse(one);
    return data !== undefined && (data.from ?? '') <= label && label <= (data.until ?? '9999');
  });
}
