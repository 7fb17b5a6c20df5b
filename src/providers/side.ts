/** The sides of a match, and their scores. Pure. */
import { isRecord } from './reader.ts';

export type Side = 'home' | 'away';

export interface Score {
  home: number;
  away: number;
}

export const isScore = (value: unknown): value is Score =>
  isRecord(value) && typeof value.home === 'number' && typeof value.away === 'number';

export const totalScore = (periods: readonly Score[]): Score => ({
  home: periods.reduce((sum, { home }) => sum + home, 0),
  away: periods.reduce((sum, { away }) => sum + away, 0),
});
