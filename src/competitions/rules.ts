/** The rules of a table: those of tournament and season, with defaults per sport. */
import { z } from 'zod';

/**
 * How sides level on points are ordered. Consecutive head_to_head steps are one table of the matches among the sides
 * still level; sides that it leaves level get a table of their own. play_off: by the play-offs outside of the groups.
 */
export const TIE_BREAKS = [
  'points',
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
}

const points = z.object({
  win: z.int(),
  draw: z.int(),
  loss: z.int(),
  overtime_win: z.int().optional(),
  overtime_loss: z.int().optional(),
});
const stored = z.object({
  points: points.partial().optional().catch(undefined),
  tie_breaks: z.array(z.unknown()).optional().catch(undefined),
  table: z.boolean().optional().catch(undefined),
});

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

const ALIASES: Record<string, TieBreak> = { away_goals_head_to_head: 'head_to_head_away_goals' };
const known = (step: unknown): TieBreak | undefined =>
  TIE_BREAKS.find((name) => name === step) ?? (typeof step === 'string' ? ALIASES[step] : undefined);

/**
 * @param layers the stored rules of the tournament, then of the season; invalid members are ignored, because a table by
 * the usual rules is better than none.
 */
export function tableRules(sport: string, layers: readonly unknown[]): TableRules {
  const rules: TableRules = { table: true, ...(DEFAULTS[sport] ?? OTHER) };
  for (const layer of layers) {
    const { data } = stored.safeParse(layer);
    if (data?.table !== undefined) rules.table = data.table;
    // Incomplete points would mix two rules: they are used only if complete.
    const whole = points.safeParse(data?.points);
    if (whole.success) rules.points = whole.data;
    if (data?.tie_breaks) rules.tie_breaks = data.tie_breaks.map(known).filter((step) => step !== undefined);
  }
  rules.tie_breaks = ['points', ...rules.tie_breaks.filter((step) => step !== 'points')];
  return rules;
}
