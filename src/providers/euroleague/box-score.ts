/** Computes player and side figures from a game's plays. Pure. */
import type { MatchInput } from '../../wire/feed-update.ts';
import { lookUp } from '../reader.ts';
import type { Side } from '../side.ts';
import type { Play, Player } from './plays.ts';

type PlayerStats = NonNullable<MatchInput['player_stats']>;

/** The figures that a play increases, and by how much, for each play code in the files and the live API. */
// biome-ignore format: a table
const FIGURES: Record<string, Record<string, number>> = {
  FTM: { points: 1, free_throws_made: 1, free_throws_attempted: 1 }, FTA: { free_throws_attempted: 1 },
  '2FGM': { points: 2, two_pointers_made: 1, two_pointers_attempted: 1 }, '2FGA': { two_pointers_attempted: 1 },
  '3FGM': { points: 3, three_pointers_made: 1, three_pointers_attempted: 1 }, '3FGA': { three_pointers_attempted: 1 },
  ORB: { rebounds: 1, offensive_rebounds: 1 }, O: { rebounds: 1, offensive_rebounds: 1 },
  DRB: { rebounds: 1, defensive_rebounds: 1 }, D: { rebounds: 1, defensive_rebounds: 1 },
  AST: { assists: 1 }, AS: { assists: 1 }, STL: { steals: 1 }, ST: { steals: 1 }, TOV: { turnovers: 1 }, TO: { turnovers: 1 },
  BLK: { blocks: 1 }, FV: { blocks: 1 },
  CPF: { fouls: 1 }, CM: { fouls: 1 }, OF: { fouls: 1 }, CMU: { fouls: 1 }, CMT: { fouls: 1 },
  RPF: { fouls_drawn: 1 }, RV: { fouls_drawn: 1 },
};

/** All figure names. Every player has every figure, even if it is 0. */
const NAMES = [...new Set(Object.values(FIGURES).flatMap((figures) => Object.keys(figures)))];

/** @param appeared players of a side who took part, including those without a play of their own */
export function playerStats(
  plays: readonly Play[],
  appeared: readonly { side: Side; player: Player }[] = [],
): PlayerStats {
  const found = new Map<string, { player: Player; side: Side; stats: Record<string, number> }>();
  const findEntry = (side: Side, player: Player) => {
    const key = `${side}|${player.name}`;
    const entry = found.get(key) ?? { player, side, stats: Object.fromEntries(NAMES.map((name) => [name, 0])) };
    found.set(key, entry);
    return entry;
  };
  for (const { side, player } of appeared) findEntry(side, player);
  for (const { type, side, player } of plays) {
    const figures = lookUp(FIGURES, type);
    if (!figures || !side || !player) continue;
    const { stats } = findEntry(side, player);
    for (const [name, value] of Object.entries(figures)) stats[name] = (stats[name] ?? 0) + value;
  }
  return [...found.values()];
}

/** Adds up a side's figures, including plays that belong to no player, such as team rebounds. */
export function sideFigures(plays: readonly Play[], side: Side): Record<string, number> {
  const sums = Object.fromEntries(NAMES.map((name) => [name, 0]));
  for (const play of plays) {
    if (play.side !== side) continue;
    for (const [name, value] of Object.entries(lookUp(FIGURES, play.type) ?? {}))
      sums[name] = (sums[name] ?? 0) + value;
  }
  return sums;
}
