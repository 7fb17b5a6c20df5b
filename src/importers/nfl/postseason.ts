/** Names postseason rounds, because the file does not. Uses the game order and data/identity/nfl-postseasons.csv. */
import { dataRows } from '../../wire/data-file.ts';
import type { League } from './teams.ts';

const ROUNDS = dataRows('identity/nfl-postseasons.csv', ['league', 'from', 'until', 'round', 'games']);

export interface PostseasonGame {
  date: string;
  team1: string;
  team2: string;
  neutral: boolean;
}

/** Returns the round names for all games in a postseason, in playing order. */
function roundsIn(league: League, season: number): string[] {
  const isPlayed = (row: (typeof ROUNDS)[number]) =>
    row.league === league && season >= Number(row.from) && season <= Number(row.until || season);
  return ROUNDS.filter(isPlayed).flatMap(({ round, games }) => Array.from({ length: Number(games) }, () => round));
}

/**
 * Names each game's round. In an incomplete season, the rounds are counted from the first game. The Super Bowl is
 * recognized without the rest, because it is the only one on neutral ground.
 * @param games one league's postseason games in a season, each once, in any order
 * @returns the names in the order of `games`; undefined for a game that has no place in the format
 */
export function postseasonRounds(
  league: League,
  season: number,
  games: readonly PostseasonGame[],
): (string | undefined)[] {
  const names = roundsIn(league, season);
  const hasSuperBowl = names.at(-1) === 'Super Bowl';
  const found = new Map<PostseasonGame, string>();
  const played = new Map<string, Set<string>>();
  const inOrder = [...games].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const earlier = names.filter((name) => name !== 'Super Bowl');
  let next = 0;
  for (const game of inOrder) {
    const name = hasSuperBowl && game.neutral ? 'Super Bowl' : earlier[next++];
    if (name === undefined) continue;
    const sides = played.get(name) ?? new Set();
    played.set(name, sides);
    // No side plays twice in a round. If one seems to, a game is missing or a date is wrong, so the game gets no name.
    if (sides.has(game.team1) || sides.has(game.team2)) continue;
    sides.add(game.team1).add(game.team2);
    found.set(game, name);
  }
  return games.map((game) => found.get(game));
}
