/** Computes both sides' statistics for a basketball game from their figures. Pure. */
import { type Statistic, statisticRow } from '../statistic.ts';

type Figures = Readonly<Record<string, number>>;

/**
 * Each statistic's name, group and figure. If the figure counts successful attempts, the last item is the figure for
 * all attempts.
 */
const STATISTICS: readonly (readonly [name: string, group: string, figure: string, of?: string])[] = [
  ['Two-pointers', 'Shooting', 'two_pointers_made', 'two_pointers_attempted'],
  ['Three-pointers', 'Shooting', 'three_pointers_made', 'three_pointers_attempted'],
  ['Free throws', 'Shooting', 'free_throws_made', 'free_throws_attempted'],
  ['Rebounds', 'Rebounds', 'rebounds'],
  ['Offensive rebounds', 'Rebounds', 'offensive_rebounds'],
  ['Defensive rebounds', 'Rebounds', 'defensive_rebounds'],
  ['Assists', 'Match overview', 'assists'],
  ['Turnovers', 'Match overview', 'turnovers'],
  ['Steals', 'Match overview', 'steals'],
  ['Blocks', 'Match overview', 'blocks'],
  ['Fouls', 'Discipline', 'fouls'],
];

/** Returns the statistics' rows. Successful and all attempts are shown as one text, such as `23/39`. */
export const sideStatistics = (home: Figures, away: Figures): Statistic[] =>
  STATISTICS.map(([stat_name, group_name, figure, of]) => {
    const read = (side: Figures) => {
      const value = side[figure] ?? 0;
      return { value, text: of === undefined ? String(value) : `${value}/${side[of] ?? 0}` };
    };
    return statisticRow(['ALL', group_name, stat_name], read(home), read(away));
  });
