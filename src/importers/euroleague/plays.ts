/** Reads a Euroleague game's play-by-play (…pbp.csv), with player ids from the shots (…shots.csv). */
import {
  elapsedSeconds,
  momentum,
  type Play,
  type Player,
  periodScores,
  personName,
  playerStats,
  pointIncidents,
  sideFigures,
  sideStatistics,
} from '../../providers/euroleague/index.ts';
import { isSameScore, type Side, totalScore } from '../../providers/index.ts';
import type { MatchInput } from '../../wire/feed-update.ts';
import { integer, type Row } from '../csv.ts';
import type { Game } from './results.ts';

type Blocks = Partial<MatchInput>;

export const PLAY_COLUMNS = [
  'season',
  'game_code',
  'play_number',
  'team_code',
  'player_name',
  'play_type',
  'time_remaining',
  'quarter',
];
export const SHOT_COLUMNS = ['season', 'game_code', 'team_code', 'player_id', 'player_name'];

/** Returns the source's player ids by team code and name. A name with two different ids is left out. */
export function playerIds(shots: readonly Row[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string | null>();
  for (const { team_code, player_name, player_id } of shots) {
    const key = `${team_code}|${player_name}`;
    if (player_id) ids.set(key, (ids.get(key) ?? player_id) === player_id ? player_id : null);
  }
  return new Map([...ids].filter((entry): entry is [string, string] => entry[1] !== null));
}

/** @returns an error text if the plays contradict the result or cannot be read. The game then gets only the result */
export function playBlocks(rows: readonly Row[], game: Game, ids: ReadonlyMap<string, string>): Blocks | string {
  const findSide = (code: string | undefined): Side | null =>
    code === game.codes.home ? 'home' : code === game.codes.away ? 'away' : null;
  const toPlayer = (side: Side, written: string): Player => {
    const id = ids.get(`${game.codes[side]}|${written}`);
    return { ...(id && { id }), name: personName(written) };
  };
  const plays: Play[] = [];
  for (const row of rows) {
    const [number, quarter] = [integer(row.play_number), integer(row.quarter)];
    if (number === undefined || quarter === undefined || quarter < 1)
      return `imported without its play-by-play: play_number ${JSON.stringify(row.play_number ?? '')}, quarter ${JSON.stringify(row.quarter ?? '')}`;
    const side = findSide(row.team_code);
    plays.push({
      number,
      quarter,
      second: elapsedSeconds(row.time_remaining ?? '', quarter),
      type: row.play_type ?? '',
      side,
      player: side && isNamed(row.player_name) ? toPlayer(side, row.player_name!) : null,
    });
  }
  const period_scores = periodScores(plays);
  const sum = totalScore(period_scores);
  if (!isSameScore(sum, game.score))
    return `imported without its play-by-play: its periods add up to ${sum.home}:${sum.away}, not to ${game.score.home}:${game.score.away}`;
  const lineups = readLineups(rows, findSide, toPlayer);
  return {
    ...(period_scores.some(({ period }) => period === 'OT') && { status_detail: 'after_extra_time' as const }),
    period_scores,
    incidents: pointIncidents(plays),
    momentum: momentum(plays),
    player_stats: playerStats(plays, lineups),
    statistics: sideStatistics(sideFigures(plays, 'home'), sideFigures(plays, 'away')),
    ...(lineups.length > 0 && { lineups, lineup_confirmed: true }),
  };
}

const isNamed = (name: string | undefined) => name !== undefined && name !== '' && name !== 'NA';
const ON_COURT = [1, 2, 3, 4, 5];

/**
 * Returns the line-ups. The starters are the five players whom the first row names for each side. Everybody else with a
 * play is a substitute.
 */
function readLineups(
  rows: readonly Row[],
  findSide: (code: string | undefined) => Side | null,
  toPlayer: (side: Side, written: string) => Player,
) {
  const starters = (['home', 'away'] as const).flatMap((side) =>
    ON_COURT.map((place) => ({ side, written: rows[0]?.[`${side}_player${place}`] })).filter(({ written }) =>
      isNamed(written),
    ),
  );
  // If the first row does not name ten players, the starters are unknown.
  if (starters.length !== 2 * ON_COURT.length) return [];
  const seen = new Map(starters.map(({ side, written }) => [`${side}|${written}`, { side, written: written! }]));
  for (const { team_code, player_name } of rows) {
    const side = findSide(team_code);
    if (side && isNamed(player_name)) seen.set(`${side}|${player_name}`, { side, written: player_name! });
  }
  return [...seen.values()].map(({ side, written }, index) => ({
    side,
    player: toPlayer(side, written),
    is_substitute: index >= starters.length,
  }));
}
