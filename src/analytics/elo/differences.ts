/** Ratings before each match, from earlier days' matches only. Pure. */
import { matchDays } from '../samples/match-days.ts';
import type { EloMatch, EloModel } from './elo.ts';

/** @param matches in any order @returns the home side's lead in rating points, home advantage included, by match id */
export function differencesBefore<M extends EloMatch>(model: EloModel<M>, matches: readonly M[]): Map<number, number> {
  const differences = new Map<number, number>();
  for (const { matches: day } of matchDays(matches)) {
    for (const match of day) differences.set(match.id, model.difference(match));
    model.play(day);
  }
  return differences;
}
