/** `/v1/tournament/{id}/leaders` returns a season's best players by one figure. */
import type { z } from 'zod';
import { COUNTED } from '../competitions/index.ts';
import { prepared, type Queryable } from '../db/postgres.ts';
import { type Read, readAll } from '../db/reads.ts';
import type { Deps } from '../deps.ts';
import {
  COMMON_FIGURES,
  type CommonFigure,
  type CricketFigure,
  isCricketFigure,
  PLAYER_FIGURES,
  type PlayerFigure,
} from '../sports/sport-words.ts';
import { findSport } from '../sports/sports.ts';
import { grouped } from '../wire/grouped.ts';
import { seasonVersion } from './cache-versions.ts';
import { addCricketSums, rankCricketer } from './cricket-figures.ts';
import { type PlayerFigures, sumOrNull } from './figures.ts';
import type { leader } from './schema.ts';
import { type PlayerSeason, type Selection, seasonsRead, type TeamSeason, withFreshFigures } from './season-figures.ts';
import { addFigure } from './squad.ts';

export type Leader = z.infer<typeof leader>;

export const STATS = PLAYER_FIGURES;
export type Stat = PlayerFigure;

/** Returns the figure by which a sport ranks players first. */
export const firstStat = (sport: string): Stat => findSport(sport)?.leaders[0] ?? 'goals';

/** Returns the figures whose sum ranks the players. */
function readFigures(stat: CommonFigure): readonly (keyof PlayerFigures)[] {
  if (stat === 'goals_and_assists') return ['goals', 'assists'];
  return stat === 'cards' ? ['yellow_cards', 'red_cards'] : [stat];
}

/** A player whose value is known and above 0, over all teams in a season. */
interface Total extends Pick<Leader, 'value' | 'matches' | 'participant_id' | 'player_name' | 'team_id'> {
  /** When the player's last match started, in seconds since 1970. The team is the one of that match. */
  at: number;
  /** The value as the sport writes it; null for a plain number. */
  text: string | null;
  /** Players with a higher order come first. */
  order: number;
}

/** SQL for the sum that ranks a player by `$2`, before it is known which figures are known. @param row alias of player_figures */
const sumSql = (row: string): string =>
  `CASE $2::text ${COMMON_FIGURES.map(
    (stat) =>
      `WHEN '${stat}' THEN ${readFigures(stat)
        .map((figure) => `coalesce(${row}.${figure}, 0)`)
        .join(' + ')}`,
  ).join(' ')} ELSE (${row}.own_sums IS NOT NULL)::int END`;

/**
 * A season's players that may be leaders by the figure `$2`. All rows of such a player are selected, because a sum is unknown if it is
 * unknown for one team.
 */
const RANKED: Selection = {
  name: 'figures of the leaders in a season',
  teams: 'SELECT season_id, team_id FROM season_team WHERE season_id = $1',
  players: `(${sumSql('p')} > 0 OR p.participant_id IN (
    SELECT q.participant_id FROM player_figures q WHERE q.season_id = $1 AND ${sumSql('q')} > 0))`,
};

/** A season's players with a value above 0, in no order. */
export interface SeasonTotals {
  totals: Total[];
  /** True if the season has a finished match. */
  hasResults: boolean;
}

/** Reads a season's players with their values. Use it within `withFreshFigures`. @param seasonId null for none */
export const seasonTotalsRead = (seasonId: number | null, stat: Stat): Read<SeasonTotals> =>
  seasonsRead(RANKED, [seasonId, stat], (teams) => ({
    totals: sumPlayers(teams, stat),
    hasResults: teams.length > 0,
  }));

function sumPlayers(teams: readonly TeamSeason[], stat: Stat): Total[] {
  const matchCounts = new Map(teams.map(({ team_id, sums }) => [team_id, sums.matches]));
  const players = grouped(
    teams.flatMap((team) => team.players),
    ({ key }) => key,
  );
  return [...players.values()].flatMap((own) => {
    const most = Math.max(...own.map(({ team_id }) => matchCounts.get(team_id)!));
    const ranked = isCricketFigure(stat) ? rankOwn(own, stat, most) : rankCommon(own, stat);
    if (ranked === null) return [];
    const { participant_id, player_name, team_id, last_start } = own.reduce((a, b) =>
      b.last_start > a.last_start ? b : a,
    );
    return [{ ...ranked, matches: addFigure(own, 'matches'), participant_id, player_name, team_id, at: last_start }];
  });
}

type Ranked = Pick<Total, 'value' | 'text' | 'order'>;

function rankCommon(own: readonly PlayerSeason[], stat: CommonFigure): Ranked | null {
  const value = sumOrNull(readFigures(stat), (figure) => addFigure(own, figure)) ?? 0;
  return value > 0 ? { value, text: null, order: value } : null;
}

/** @param matches the team's matches in the season */
function rankOwn(own: readonly PlayerSeason[], stat: CricketFigure, matches: number): Ranked | null {
  const sums = own.flatMap(({ own_sums }) => own_sums ?? []);
  return sums.length < own.length ? null : rankCricketer(stat, addCricketSums(sums), matches);
}

/** Higher values come first, and of equal ones those from fewer matches. */
const byValue = (a: Pick<Total, 'order' | 'matches'>, b: Pick<Total, 'order' | 'matches'>) =>
  b.order - a.order || (a.matches ?? 0) - (b.matches ?? 0);

const NAMES = prepared(
  'names of leaders',
  `SELECT w.position::int, p.name, p.name_ru, n.name AS team_name, n.name_ru AS team_name_ru
   FROM unnest($1::bigint[], $2::bigint[], $3::float8[]) WITH ORDINALITY w (player_id, team_id, at, position)
     LEFT JOIN participant p ON p.id = w.player_id
     CROSS JOIN LATERAL names_at(w.team_id, to_timestamp(w.at)) n
   ORDER BY w.position`,
);

interface Names extends Pick<Leader, 'team_name' | 'team_name_ru'> {
  /** Place of the player in the arrays, from 1. */
  position: number;
  /** Null if the player is known only by name. */
  name: string | null;
  name_ru: string | null;
}

/** Reads the players with the highest values. Equal values are ordered by fewer matches, then by name. */
export function leadersRead(totals: readonly Total[], limit: number): Read<Leader[]> {
  const sorted = totals.toSorted(byValue);
  const last = sorted[limit - 1];
  // Names decide between equal players, so players equal to the last one are read too.
  const first = last === undefined ? sorted : sorted.filter((total) => byValue(total, last) <= 0);
  return {
    statement: NAMES([
      first.map(({ participant_id }) => participant_id),
      first.map(({ team_id }) => team_id),
      first.map(({ at }) => at),
    ]),
    toValue: (rows: Names[]) => rank(first, rows).slice(0, limit),
  };
}

/** @param totals sorted by value */
function rank(totals: readonly Total[], names: readonly Names[]): Leader[] {
  const ranks = new Map<number, number>();
  for (const [index, { order }] of totals.entries()) if (!ranks.has(order)) ranks.set(order, index + 1);
  return names
    .map(({ position, name, name_ru, team_name, team_name_ru }) => {
      const { participant_id, player_name, team_id, matches, value, text, order } = totals[position - 1]!;
      const player = { participant_id, player_name: name ?? player_name, player_name_ru: name_ru };
      const shown = { value, ...(text !== null && { value_text: text }) };
      return {
        order,
        leader: { rank: ranks.get(order)!, ...player, team_id, team_name, team_name_ru, matches, ...shown },
      };
    })
    .sort(
      (a, b) =>
        byValue({ ...a, ...a.leader }, { ...b, ...b.leader }) ||
        a.leader.player_name.localeCompare(b.leader.player_name, 'en'),
    )
    .map(({ leader }) => leader);
}

/** Returns a season's leaders, and whether the season has a finished match. */
export async function readLeaders(
  { pool, reads }: Pick<Deps, 'pool' | 'reads'>,
  seasonId: number,
  stat: Stat,
  limit: number,
): Promise<{ leaders: Leader[]; hasResults: boolean }> {
  const { season } = await withFreshFigures(pool, () => readAll(reads, { season: seasonTotalsRead(seasonId, stat) }));
  const { leaders } = await readAll(reads, { leaders: leadersRead(season.totals, limit) });
  return { leaders, hasResults: season.hasResults };
}

/** Returns the leaders from memory, if no finished match of the season has changed since. */
export async function seasonLeaders(
  deps: Pick<Deps, 'pool' | 'reads' | 'caches'>,
  seasonId: number,
  stat: Stat,
  limit: number,
): Promise<Awaited<ReturnType<typeof readLeaders>>> {
  const key = `leaders ${seasonId} ${stat} ${limit}`;
  const { body } = await deps.caches.versioned.get(key, await seasonVersion(deps.reads, seasonId), async () =>
    JSON.stringify(await readLeaders(deps, seasonId, stat, limit)),
  );
  return JSON.parse(String(body));
}

/** SQL that requires line-ups. Players who are known only from goals would say nothing about players without goals. */
const IN_LINEUPS = `p.appeared AND EXISTS (
  SELECT FROM match_block b WHERE b.match_id = m.id AND b.block = 'lineups' AND b.json <> '[]')`;

/** SQL condition for each figure in matches. If no player in a season meets it, the season has no leaders by this figure. */
const NEEDED: Partial<Record<Stat, string>> = {
  goals: 'p.goals > 0',
  assists: 'p.assists > 0',
  // In a season without any assist, assists are unknown, and so is the sum.
  goals_and_assists: 'p.assists > 0',
  penalties: 'p.penalties > 0',
  yellow_cards: 'p.yellow_cards > 0',
  red_cards: 'p.red_cards > 0',
  cards: 'p.yellow_cards + p.red_cards > 0',
  matches: IN_LINEUPS,
  starts: IN_LINEUPS,
  minutes: IN_LINEUPS,
  clean_sheets: IN_LINEUPS,
};

/** Maximum number of seasons that a request reads in addition to the requested season. */
const MOST_SEASONS = 3;

/** SQL condition for a stored row `f` of a player whose value is above 0, and known for the team `t`; see `playerFigures`. */
function isRanked(stat: Stat): string {
  if (isCricketFigure(stat)) return 'f.own_sums IS NOT NULL';
  if (stat === 'starts') return 't.has_lineups AND f.starts > 0';
  if (stat === 'matches' || stat === 'minutes' || stat === 'clean_sheets')
    return `t.has_lineups AND t.is_detailed AND f.${stat} > 0`;
  if (stat === 'yellow_cards' || stat === 'red_cards') return `t.is_detailed AND f.${stat} > 0`;
  if (stat === 'cards') return 't.is_detailed AND f.yellow_cards + f.red_cards > 0';
  return `t.has_scorers AND f.${stat === 'goals_and_assists' ? 'assists' : stat} > 0`;
}

/**
 * Returns the tournament's newest three seasons that may have leaders by the figure. The stored figures decide, and the matches only
 * in seasons some of whose figures are stale. Whether such a season has leaders is known only once its figures have been computed,
 * since a figure is unknown if it is unknown in any of the team's matches.
 */
export async function seasonsWithPlayers(db: Queryable, tournamentId: number, stat: Stat): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: `seasons with players by ${stat}`,
    text: `SELECT s.id FROM season_dates s WHERE s.tournament_id = $1 AND (
       EXISTS (SELECT FROM team_figures t JOIN player_figures f USING (season_id, team_id) WHERE t.season_id = s.id AND ${isRanked(stat)}) OR (
         EXISTS (SELECT FROM season_team u LEFT JOIN team_figures f USING (season_id, team_id)
           WHERE u.season_id = s.id AND f.revision IS DISTINCT FROM u.revision) AND
         EXISTS (SELECT FROM match m JOIN match_player p ON p.match_id = m.id
           WHERE m.season_id = s.id AND ${COUNTED} AND ${NEEDED[stat] ?? 'true'})))
     ORDER BY s.sorted_by DESC, s.id DESC LIMIT ${MOST_SEASONS}`,
    values: [tournamentId],
  });
  return rows.map(({ id }) => id);
}
