/** The chance of winning a shoot-out. Pure. */
import type { BySide } from './chances.ts';

/** Kicks for each side before sudden death. */
const KICKS = 5;
/** Share of shoot-out kicks that are scored, about three in four at World Cups. */
const SCORED = 0.75;

export interface Kick {
  side: 'home' | 'away';
  scored: boolean;
}

interface Count {
  goals: BySide;
  taken: BySide;
  first: Kick['side'];
}

/** Returns the home side's chance. @param kicks in the order in which they were taken */
export function shootOutChance(kicks: readonly Kick[]): number {
  const count: Count = {
    goals: { home: 0, away: 0 },
    taken: { home: 0, away: 0 },
    first: kicks[0]?.side ?? 'home',
  };
  for (const { side, scored } of kicks) {
    count.taken[side] += 1;
    if (scored) count.goals[side] += 1;
  }
  // If one side has taken two kicks more than its opponent, kicks are missing from the list, and the chance is unknown.
  return Math.abs(count.taken.home - count.taken.away) > 1 ? 0.5 : chanceFrom(count);
}

function chanceFrom({ goals, taken, first }: Count): number {
  const due = Math.max(KICKS, taken.home, taken.away);
  const left = { home: due - taken.home, away: due - taken.away };
  if (goals.home > goals.away + left.away) return 1;
  if (goals.away > goals.home + left.home) return 0;
  // In sudden death, level sides are assumed to be equally good.
  if (left.home === 0 && left.away === 0) return 0.5;
  const next = left.home > left.away || (left.home === left.away && first === 'home') ? 'home' : 'away';
  const after = (scored: number) =>
    chanceFrom({
      goals: { ...goals, [next]: goals[next] + scored },
      taken: { ...taken, [next]: taken[next] + 1 },
      first,
    });
  return SCORED * after(1) + (1 - SCORED) * after(0);
}
