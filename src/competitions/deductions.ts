/** Applies organizers' decisions about sides, which deduct or add points, or assign places. Pure. */
import type { TeamRow } from './queries.ts';

export interface Decisions {
  /** Points that the organizer added, by team; negative if deducted. */
  adjustments: Map<number, number>;
  /** Assigned places, from 1, by team. */
  placed: Map<number, number>;
}

/**
 * Returns the organizer's decisions that apply to a table.
 * @param group name of the table's group; null for the table of the whole league, to which assigned places apply
 * @param adjusted sides whose points have already been adjusted; a side in several groups is adjusted only in the first
 */
export function decisionsFor(sides: readonly TeamRow[], group: string | null, adjusted: Set<number>): Decisions {
  const decisions: Decisions = { adjustments: new Map(), placed: new Map() };
  for (const { id, adjustment, placed } of sides) {
    if (adjustment !== 0 && !adjusted.has(id)) decisions.adjustments.set(id, adjustment);
    if (placed !== null && group === null) decisions.placed.set(id, placed);
    adjusted.add(id);
  }
  return decisions;
}

/** Adjusts the points for the sides in a table. */
export function adjustPoints(
  sums: ReadonlyMap<number, { points: number }>,
  adjustments: ReadonlyMap<number, number>,
): void {
  for (const [team, points] of adjustments) {
    const side = sums.get(team);
    if (side !== undefined) side.points += points;
  }
}
