/**
 * Finds the groups in a Euroleague season, because the results do not name them. The sides that are connected by games
 * in a phase form a group. In each round, the league numbers the games by group, so the order of the games gives the
 * order of the letters. The Top 16 continues after the last letter of the regular season. Pure.
 */
import { grouped } from '../../wire/grouped.ts';

interface Game {
  id: string;
  code: number;
  phase: string;
  codes: { home: string; away: string };
}

const SMALLEST_GROUP = 4;

/** Returns group names by game. A phase gets none if it has one group, or if too few games are known. */
export function nameGroups(games: readonly Game[]): Map<string, string> {
  const names = new Map<string, string>();
  let letters = 0;
  for (const phase of ['RS', 'TS']) {
    const groups = connected(games.filter((game) => game.phase === phase));
    // The Top 16 continues after the last letter of the regular season.
    if (groups.length < 2 || !areWhole(groups)) return names;
    for (const group of groups) {
      const name = `Group ${String.fromCharCode('A'.charCodeAt(0) + letters)}`;
      letters += 1;
      for (const { id } of group) names.set(id, name);
    }
  }
  return names;
}

const listSides = (games: readonly Game[]) => new Set(games.flatMap(({ codes }) => [codes.home, codes.away]));

/**
 * Returns false if too few games are known, as after a few rounds. Sides in one group may then not be connected yet,
 * and the group would be split into several.
 */
function areWhole(groups: readonly (readonly Game[])[]): boolean {
  const counts = groups.map((group) => ({ games: group.length, sides: listSides(group).size }));
  const sizes = counts.map(({ sides }) => sides);
  const enough = counts.every(({ games, sides }) => games >= (sides * (sides - 1)) / 2);
  return enough && Math.min(...sizes) >= SMALLEST_GROUP && Math.max(...sizes) - Math.min(...sizes) <= 1;
}

/** Groups games by connected sides. The groups are in the order of their first games. */
function connected(games: readonly Game[]): Game[][] {
  const joinedBySide = new Map<string, Set<string>>();
  for (const { codes } of games) {
    const joined = new Set([codes.home, codes.away].flatMap((code) => [...(joinedBySide.get(code) ?? [code])]));
    for (const code of joined) joinedBySide.set(code, joined);
  }
  const inOrder = games.toSorted((a, b) => a.code - b.code);
  return [...grouped(inOrder, ({ codes }) => joinedBySide.get(codes.home)).values()];
}
