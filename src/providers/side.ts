/** A match's sides and scores. Pure. */
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

export const isSameScore = (one: Score, other: Score | null | undefined): boolean =>
  one.home === other?.home && one.away === other.away;

/**
 * Counts each side's goals.
 * @param goals goals or incidents; only goals are counted
 */
export function countGoals(goals: readonly { kind?: string; side?: Side | null | undefined }[]): Score {
  const scored = (side: Side) => goals.filter((goal) => goal.side === side && (goal.kind ?? 'goal') === 'goal').length;
  return { home: scored('home'), away: scored('away') };
}
