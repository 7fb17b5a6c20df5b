/** Converts chances to percentages with one decimal, as in the `win_probability` block. They add up to 100. Pure. */
import type { BySide, Chances } from './chances.ts';

export interface WinProbability {
  homeWin: number;
  draw: number;
  awayWin: number;
}

const TENTHS = 1_000;

const tenths = (chance: number) => Math.round(Math.min(1, Math.max(0, chance)) * TENTHS);

/**
 * Converts chances to percent. The draw takes the rounding error, so that a higher chance is never shown as a lower
 * one.
 */
export function toWinProbability({ home, away }: Chances): WinProbability {
  const homeWin = tenths(home);
  const awayWin = Math.min(tenths(away), TENTHS - homeWin);
  return { homeWin: homeWin / 10, draw: (TENTHS - homeWin - awayWin) / 10, awayWin: awayWin / 10 };
}

/** Returns two chances that add up to 100. */
export function toPercent({ home }: BySide): BySide {
  const share = tenths(home);
  return { home: share / 10, away: (TENTHS - share) / 10 };
}
