/** Counts which sides met and how often, regardless of who was at home. Pure. */

/** A match between two sides. */
export interface Meeting {
  home_id: number;
  away_id: number;
}

/** Returns the sides in the order in which they first play. */
export const sidesOf = (matches: readonly Meeting[]): Set<number> =>
  new Set(matches.flatMap(({ home_id, away_id }) => [home_id, away_id]));

/** Returns a key for two sides that does not depend on which side is at home. */
export const pairKey = ({ home_id, away_id }: Meeting): string =>
  home_id < away_id ? `${home_id}-${away_id}` : `${away_id}-${home_id}`;

/** Returns how often each item occurs. */
export function tally<T>(items: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Returns how often each pair met, by pair key. */
export const countMeetings = (matches: readonly Meeting[]): Map<string, number> => tally(matches.map(pairKey));

/** Returns each side's number of matches. */
export const countMatches = (matches: readonly Meeting[]): Map<number, number> =>
  tally(matches.flatMap(({ home_id, away_id }) => [home_id, away_id]));
