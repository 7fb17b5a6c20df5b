/** Reads line-ups, figures, statistics, umpire and attendance from a box score. Pure. */
import type { MatchInput } from '../../wire/feed-update.ts';
import type { Reader } from '../reader.ts';
import type { Side } from '../side.ts';
import { count, present, type StatisticName } from '../statistic.ts';
import { type BoxPlayer, type BoxScoreReply, type BoxSide, boxPlayerReply } from './replies.ts';

type Entry = NonNullable<MatchInput['lineups']>[number];

/** Number of a side's batters in the line-up before a game begins. */
const BATTERS = 9;

const STATISTICS: readonly (readonly [StatisticName, 'batting' | 'fielding', string])[] = [
  ['Runs', 'batting', 'runs'],
  ['Hits', 'batting', 'hits'],
  ['Errors', 'fielding', 'errors'],
  ['Doubles', 'batting', 'doubles'],
  ['Triples', 'batting', 'triples'],
  ['Home runs', 'batting', 'homeRuns'],
  ['Walks', 'batting', 'baseOnBalls'],
  ['Strikeouts', 'batting', 'strikeOuts'],
  ['Stolen bases', 'batting', 'stolenBases'],
  ['Left on base', 'batting', 'leftOnBase'],
];
const BATTING: Record<string, string> = {
  atBats: 'at_bats',
  runs: 'runs',
  hits: 'hits',
  doubles: 'doubles',
  triples: 'triples',
  homeRuns: 'home_runs',
  rbi: 'runs_batted_in',
  baseOnBalls: 'walks',
  strikeOuts: 'strikeouts',
  stolenBases: 'stolen_bases',
};
const PITCHING: Record<string, string> = {
  inningsPitched: 'innings_pitched',
  hits: 'hits_allowed',
  runs: 'runs_allowed',
  earnedRuns: 'earned_runs',
  baseOnBalls: 'walks_allowed',
  strikeOuts: 'strikeouts_pitched',
  numberOfPitches: 'pitches',
};

/** Returns the blocks that the reply has. Missing blocks stay unchanged. */
export function boxScoreBlocks(reply: BoxScoreReply, reader: Reader): Partial<MatchInput> {
  const sides = (['away', 'home'] as const).map((side) => readSide(side, reply.teams[side], reader));
  const entries = sides.flatMap(({ entries }) => entries);
  const isWhole = sides.every(({ isWhole }) => isWhole);
  const isConfirmed = sides.every(
    ({ entries }) => entries.filter(({ is_substitute }) => !is_substitute).length >= BATTERS,
  );
  const statistics = STATISTICS.map(([name, part, member]) => {
    const [home, away] = (['home', 'away'] as const).map((side) =>
      wholeNumber(reply.teams[side].teamStats?.[part]?.[member]),
    );
    return count('ALL', name, home, away);
  }).filter(present);
  const umpire = reply.officials.find(({ officialType }) => officialType === 'Home Plate')?.official?.fullName;
  const attendance = Number((reply.info.find(({ label }) => label === 'Att')?.value ?? '').replace(/[,.]/gu, ''));
  const stats = sides.flatMap(({ stats }) => stats);
  return {
    ...(isWhole && isConfirmed && { lineups: entries, lineup_confirmed: true }),
    ...(isWhole && stats.length > 0 && { player_stats: stats }),
    ...(statistics.length > 0 && { statistics }),
    ...(umpire && { referee: umpire }),
    ...(Number.isInteger(attendance) && attendance > 0 && attendance < 1_000_000 && { attendance }),
  };
}

const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;

/**
 * Returns the starters in batting order, then the starting pitcher, then everybody else on the bench and in the
 * bullpen.
 */
function readSide(side: Side, given: BoxSide, reader: Reader) {
  const players = Object.entries(given.players).map(([key, one]) =>
    reader.item(boxPlayerReply, one, `teams.${side}.players.${key}`),
  );
  const known = players.filter((player) => player !== undefined);
  const [starter] = given.pitchers;
  const place = ({ battingOrder, person }: BoxPlayer) =>
    /^[1-9]00$/u.test(battingOrder ?? '') ? Number(battingOrder) : person.id === starter ? 1_000 : 10_000;
  const inOrder = [...known].sort((a, b) => place(a) - place(b));
  return {
    isWhole: known.length === players.length,
    entries: inOrder.map(
      (player): Entry => ({
        side,
        player: { id: String(player.person.id), name: player.person.fullName },
        position: (player.allPositions?.[0] ?? player.position)?.abbreviation ?? null,
        shirt_number: player.jerseyNumber?.slice(0, 10) ?? null,
        is_substitute: place(player) === 10_000,
      }),
    ),
    stats: inOrder.flatMap((player) => {
      const stats = {
        ...pick(player.stats?.batting, BATTING),
        ...pick(player.stats?.pitching, PITCHING),
      };
      if (Object.keys(stats).length === 0) return [];
      return [{ player: { id: String(player.person.id), name: player.person.fullName }, side, stats }];
    }),
  };
}

/** Returns the named figures that are present. Some are missing for a player who has not batted, or has not pitched. */
const pick = (figures: Record<string, unknown> | null | undefined, names: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(names).flatMap(([member, name]) => {
      const value = figures?.[member];
      const fits = typeof value === 'number' || (typeof value === 'string' && /^\d+\.\d$/u.test(value));
      return fits ? [[name, value]] : [];
    }),
  );
