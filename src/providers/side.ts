/** The sides of a match, and their scores. Pure. */
export type Side = 'home' | 'away';

export interface Score {
  home: number;
  away: number;
}

export const totalScore = (periods: readonly Score[]): Score => ({
  home: periods.reduce((sum, { home }) => sum + home, 0),
  away: periods.reduce((sum, { away }) => sum + away, 0),
});
