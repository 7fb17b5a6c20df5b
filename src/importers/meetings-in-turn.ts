/**
 * Orders a season's games so that the same sides do not meet twice in a batch of updates. An import applies such games one
 * after the other, which takes twice as long.
 */

/**
 * Puts all pairings' first meetings first, then the second meetings, and so on.
 * @param pairing names a game's season and sides
 */
export function meetingsInTurn<T>(games: readonly T[], pairing: (game: T) => string): T[] {
  const turns: T[][] = [];
  const met = new Map<string, number>();
  for (const game of games) {
    const key = pairing(game);
    const turn = met.get(key) ?? 0;
    met.set(key, turn + 1);
    turns[turn] ??= [];
    turns[turn].push(game);
  }
  return turns.flat();
}
