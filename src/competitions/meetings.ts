/** Which sides met and how often, whoever played at home. Pure. */

/** A match of two sides. */
export interface Meeting {
  home_id: number;
  away_id: number;
}

/** The sides of matches, in the order in which they first play. */
export const sidesOf = (matches: readonly Meeting[]): Set<number> =>
  new Set(matches.flatMap(({ home_id, away_id }) => [home_id, away_id]));

/** The same text for both orders of two sides. */
export const pairKey = ({ home_id, away_id }: Meeting): string =>
  home_id < away_id ? `${home_id}-${away_id}` : `${away_id}-${home_id}`;

/** Returns how often each pair of sides met, by the key of the pair. */
export function countMeetings(matches: readonly Meeting[]): Map<string, number> {
  const met = new Map<string, number>();
  for (const match of matches) {
    const pair = pairKey(match);
    met.set(pair, (met.get(pair) ?? 0) + 1);
  }
  return met;
}
