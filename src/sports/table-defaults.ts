/** The defaults of a sport's tables, which the stored rules of a tournament or a season replace. */

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

export interface TablePoints {
  win: number;
  draw: number;
  loss: number;
  /** After overtime, extra time or a shoot-out; default: as other wins. */
  overtime_win?: number | undefined;
  /** Default: as other losses. */
  overtime_loss?: number | undefined;
}

export interface TableDefaults {
  points: TablePoints;
  tie_breaks: TieBreak[];
  /** Points of international tournaments in seasons before this year. */
  formerInternational?: { before: string; points: TablePoints };
}

export const BY_DIFFERENCE: TieBreak[] = ['goal_difference', 'goals_for', 'head_to_head_points'];
export const TWO_POINTS: TablePoints = { win: 2, draw: 1, loss: 0 };
export const THREE_POINTS: TablePoints = { win: 3, draw: 1, loss: 0 };
export const DEFAULT_TABLE: TableDefaults = { points: TWO_POINTS, tie_breaks: BY_DIFFERENCE };
