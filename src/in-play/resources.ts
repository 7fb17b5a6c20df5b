/**
 * Resources of an innings: the share of a full innings' runs that a side can still expect from the balls and wickets that it has left.
 * The form is that of F. C. Duckworth and A. J. Lewis ("A fair method for resetting the target in interrupted one-day cricket
 * matches", J. Oper. Res. Soc. 49, 1998): F(w) × (1 − e^(−b u ÷ F(w))), with u as the share of 120 balls. Pure.
 */
import { ALL_WICKETS, FULL_BALLS, type InningsParameters } from './innings-parameters.ts';

export interface Left {
  /** Balls of the innings. Wides and no-balls do not count. */
  balls: number;
  wickets: number;
}

/** @returns 0 when the innings is over, 1 before a full innings, otherwise between them */
export function resources(
  { balls, wickets }: Left,
  { decay, wicket_shares }: Pick<InningsParameters, 'decay' | 'wicket_shares'>,
): number {
  if (balls <= 0 || wickets <= 0) return 0;
  const share = wickets >= ALL_WICKETS ? 1 : wicket_shares[wickets - 1]!;
  return (share * (1 - Math.exp((-decay * (balls / FULL_BALLS)) / share))) / (1 - Math.exp(-decay));
}
