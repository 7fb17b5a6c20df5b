/** The rounds of a postseason, which the file does not name: from the order of its games and the format of its year. */
import type { League } from './teams.ts';

type Rounds = readonly (readonly [name: string, games: number])[];

const CHAMPIONSHIP = ['Championship game', 1] as const;
const NFL_CHAMPIONSHIP = ['NFL Championship', 1] as const;
const WITH_CONFERENCES = [
  ['Divisional round', 4],
  ['Conference Championship', 2],
  ['Super Bowl', 1],
] as const;

/** From the first season of each format on. */
const FORMATS: Record<League, readonly (readonly [from: number, rounds: Rounds])[]> = {
  NFL: [
    [1933, [CHAMPIONSHIP]],
    [1966, [NFL_CHAMPIONSHIP, ['Super Bowl', 1]]],
    [1967, [['Conference Championship', 2], NFL_CHAMPIONSHIP, ['Super Bowl', 1]]],
    [1970, WITH_CONFERENCES],
    [1978, [['Wild Card round', 2], ...WITH_CONFERENCES]],
    // After a strike, a tournament of sixteen.
    [1982, [['Wild Card round', 8], ...WITH_CONFERENCES]],
    [1983, [['Wild Card round', 2], ...WITH_CONFERENCES]],
    [1990, [['Wild Card round', 4], ...WITH_CONFERENCES]],
    [2020, [['Wild Card round', 6], ...WITH_CONFERENCES]],
  ],
  'American Football League': [
    [1960, [CHAMPIONSHIP]],
    [1969, [['Divisional round', 2], CHAMPIONSHIP]],
  ],
  'All-America Football Conference': [
    [1946, [CHAMPIONSHIP]],
    [1949, [['Semi-finals', 2], CHAMPIONSHIP]],
  ],
};

/** Games that decided a division whose first two were level, by season. */
const PLAY_OFFS: Record<League, Record<number, number>> = {
  NFL: { 1941: 1, 1943: 1, 1947: 1, 1950: 2, 1952: 1, 1957: 1, 1958: 1, 1965: 1 },
  'American Football League': { 1963: 1, 1968: 1 },
  'All-America Football Conference': { 1948: 1 },
};

export interface PostseasonGame {
  date: string;
  team1: string;
  team2: string;
  neutral: boolean;
}

function formatIn(league: League, season: number): Rounds {
  const format = FORMATS[league].findLast(([from]) => season >= from)?.[1] ?? [];
  const playOffs = PLAY_OFFS[league][season];
  return playOffs === undefined ? format : [['Divisional play-off', playOffs], ...format];
}

/**
 * Names the round of each game. A season that is not complete is named from its first game on; a Super Bowl, the only game on
 * neutral ground, is known without the others.
 * @param games of the postseason of one league and season, each once, in any order
 * @returns the names in the order of `games`; undefined for a game that the format has no place for
 */
export function postseasonRounds(
  league: League,
  season: number,
  games: readonly PostseasonGame[],
): (string | undefined)[] {
  const names = formatIn(league, season).flatMap(([name, count]) => Array.from({ length: count }, () => name));
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
    // Nobody plays twice in a round: a game is missing, or a date is wrong.
    if (sides.has(game.team1) || sides.has(game.team2)) continue;
    sides.add(game.team1).add(game.team2);
    found.set(game, name);
  }
  return games.map((game) => found.get(game));
}
