/** A sport's default table rules. Stored rules for a tournament or a season replace them. */

/**
 * Tie-breakers for sides that are level on points. If the first step is points_per_match or win_percentage, sides are
 * compared by that instead of points.
 * Consecutive head_to_head steps use one table of the matches between the level sides. Sides that this table leaves level get
 * a new table of only their matches.
 *
 * - play_off: by the play-offs outside the groups
 * - points_per_match: replaces points if sides do not all play the same number of matches
 * - unrounded_points: after a split, points without the rounding of halved points
 * - regular_season: after a split, the place in the regular season
 * - regulation_wins: wins without overtime and shoot-outs
 * - regulation_overtime_wins: wins without shoot-outs
 * - set_points_average: points won for each point lost in all sets
 * - head_to_head_sweep: a side that won every match against all other level sides is first; one that lost every such match is
 *   last
 * - division_leader: a side that leads its division is first
 * - same_division_percentage: as division_percentage, if all level sides are in one division
 * - play_off_side_percentage, other_play_off_side_percentage: against sides with a place in the play-offs, in the own or the
 *   other conference
 * - winning_side_percentage: against sides that won at least half of their matches
 * - division_percentage, conference_percentage, conference_goal_difference: against sides in the same division or
 *   conference
 * - common_games_percentage: against opponents that all level sides have met, if each side has four such matches
 * - net_run_rate: in cricket; see competitions/net-run-rate.ts
 * - strength_of_victory, strength_of_schedule: the win percentage of the opponents that were beaten, or of all
 *   opponents
 */
export const TIE_BREAKS = [
  'points',
  'points_per_match',
  'win_percentage',
  'unrounded_points',
  'regular_season',
  'play_off',
  'wins',
  'regulation_wins',
  'regulation_overtime_wins',
  'goal_difference',
  'goals_for',
  'goal_average',
  'set_points_average',
  'away_goals',
  'away_wins',
  'head_to_head_points',
  'head_to_head_points_per_match',
  'head_to_head_wins',
  'head_to_head_win_percentage',
  'head_to_head_goal_difference',
  'head_to_head_goals_for',
  'head_to_head_away_goals',
  'head_to_head_sweep',
  'division_leader',
  'same_division_percentage',
  'play_off_side_percentage',
  'other_play_off_side_percentage',
  'winning_side_percentage',
  'division_percentage',
  'conference_percentage',
  'conference_goal_difference',
  'common_games_percentage',
  'net_run_rate',
  'strength_of_victory',
  'strength_of_schedule',
  'name',
] as const;
export type TieBreak = (typeof TIE_BREAKS)[number];

export interface TablePoints {
  win: number;
  draw: number;
  loss: number;
  /** Points for a win after overtime, extra time or a shoot-out; by default, as many as for any other win. */
  overtime_win?: number | undefined;
  /** By default, as many as for any other loss. */
  overtime_loss?: number | undefined;
  /** Points of each side for an abandoned match. If absent, such a match does not count. */
  no_result?: number | undefined;
}

/** Bonus points for a high statistic, for a higher statistic than the opponent's, or for a narrow defeat. */
export type BonusRule =
  | { statistic: string; at_least: number; points: number }
  | { statistic: string; more_by: number; points: number }
  | { lost_by_at_most: number; points: number };

/** Table columns on pages, in addition to place, side and form. */
export const TABLE_COLUMNS = [
  'played',
  'wins',
  'draws',
  'losses',
  'regulation_losses',
  'overtime_wins',
  'overtime_losses',
  'five_set_wins',
  'five_set_losses',
  'win_percentage',
  'games_behind',
  'scores_for',
  'scores_against',
  'goal_difference',
  'score_percentage',
  'score_quotient',
  'set_points_quotient',
  'bonus_points',
  'no_results',
  'net_run_rate',
  'points',
] as const;
export type TableColumn = (typeof TABLE_COLUMNS)[number];

export interface TableDefaults {
  points: TablePoints;
  tie_breaks: TieBreak[];
  bonus?: BonusRule[];
  /** Set if the sport's conferences are called leagues. */
  hasLeagues?: true;
  /** By default, `USUAL_COLUMNS`. */
  columns?: readonly TableColumn[];
  /** Points in international tournaments in seasons before this year. */
  formerInternational?: { before: string; points: TablePoints };
}

export const USUAL_COLUMNS: readonly TableColumn[] = [
  'played',
  'wins',
  'draws',
  'losses',
  'scores_for',
  'scores_against',
  'goal_difference',
  'points',
];
/** Columns for tables by win percentage in sports without draws. */
export const PERCENTAGE_COLUMNS: readonly TableColumn[] = [
  'played',
  'wins',
  'losses',
  'win_percentage',
  'games_behind',
  'scores_for',
  'scores_against',
  'goal_difference',
];
export const BY_DIFFERENCE: TieBreak[] = ['goal_difference', 'goals_for', 'head_to_head_points'];
export const TWO_POINTS: TablePoints = { win: 2, draw: 1, loss: 0 };
export const THREE_POINTS: TablePoints = { win: 3, draw: 1, loss: 0 };
export const DEFAULT_TABLE: TableDefaults = { points: TWO_POINTS, tie_breaks: BY_DIFFERENCE };
