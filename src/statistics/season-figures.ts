/**
 * Reads the season figures of teams and players, which are stored as rows. A row is valid as long as it has the revision that
 * the last change to a finished match left in season_team. Reading computes the rest again.
 */
import type pg from 'pg';
import { COUNTED } from '../competitions/index.ts';
import { prepared, type Queryable, retried, transaction } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import { readTogether } from '../http/index.ts';
import type { CricketSums } from './cricket-figures.ts';
import { NO_MATCHES, type PlayerFigures, playerFigures, type SeasonKnowledge, type TeamSums } from './figures.ts';
import {
  type PlayerRow,
  type SeasonTeam,
  storeKnowledge,
  storeTeamFigures,
  type TeamRow,
} from './store-season-figures.ts';

export interface ChosenSeason extends SeasonTeam {
  /** When the last counted match started, in seconds since 1970. Null without one. */
  last_start: number | null;
  sums: TeamSums;
  known: SeasonKnowledge;
  /** Only the requested players. */
  players: PlayerSeason[];
}
export interface TeamSeason extends ChosenSeason {
  last_start: number;
}

export interface PlayerSeason
  extends SeasonTeam,
    Pick<PlayerRow, 'participant_id' | 'player_name' | 'last_start' | 'shirt_numbers' | 'positions'> {
  /** Identifies a player by id or, if there is none, by team and folded name. */
  key: string;
  figures: PlayerFigures;
  /** Null in other sports, and if the figures or the line-ups of a match are not known. */
  own_sums: CricketSums | null;
}

/** Selects the teams and seasons that a read returns, and the players for whom it returns rows. */
export interface Selection {
  name: string;
  /** SQL that selects season_id and team_id. */
  teams: string;
  /** SQL condition for a row `p` in player_figures. */
  players: string;
}
const TEAM: Selection = {
  name: 'figures of a team',
  teams: `SELECT season_id, team_id FROM season_team
     WHERE team_id = $1 AND ($2::bigint[] IS NULL OR season_id = ANY ($2))`,
  players: 'false',
};
/** Only the last $2 seasons in which the team has a match; all seasons if $2 is null. */
const LAST_SEASONS: Selection = {
  name: 'figures of the last seasons of a team',
  teams: `SELECT season_id, team_id FROM season_team
     WHERE team_id = $1 AND ($2::int IS NULL OR season_id IN (
       SELECT season_id FROM match WHERE home_id = $1 OR away_id = $1 GROUP BY season_id ORDER BY max(scheduled_start) DESC, season_id LIMIT $2))`,
  players: 'false',
};
/** Also finds seasons in which the team has not played yet. */
const SQUAD: Selection = {
  name: 'figures of a squad',
  teams: 'SELECT season_id, $1::bigint AS team_id FROM unnest($2::bigint[]) s (season_id)',
  players: 'true',
};
const PLAYER: Selection = {
  name: 'figures of a player',
  teams: `SELECT DISTINCT m.season_id, CASE p.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS team_id
     FROM match_player p JOIN match m ON m.id = p.match_id
     WHERE p.participant_id = $1 AND ($2::bigint[] IS NULL OR m.season_id = ANY ($2))`,
  players: 'p.participant_id = $1',
};
/** Used only to compute the rows. */
const SEASON_TEAMS: Selection = {
  name: 'figures of the teams in a season',
  teams: 'SELECT season_id, team_id FROM season_team WHERE season_id = $1 AND $2::bigint[] IS NULL',
  players: 'false',
};

/** A row from which figures are made. */
export type SquadRow = Row;
interface Row extends SeasonTeam {
  /** Null if the team has never had a finished match in the season. */
  revision: number | null;
  /** Null if never computed. */
  team: TeamRow | null;
  season_revision: number | null;
  /** Null if never computed. */
  season: (Omit<SeasonKnowledge, 'sport'> & { revision: number }) | null;
  sport: string;
  players: PlayerRow[] | null;
}

/** SQL for the rows. It has subqueries, because otherwise Postgres would join all rows of the tables. */
const rowsSql = ({ teams, players }: Pick<Selection, 'teams' | 'players'>) =>
  `WITH chosen AS MATERIALIZED (${teams})
   SELECT c.season_id, c.team_id, u.revision,
     (SELECT row_to_json(f) FROM team_figures f WHERE f.season_id = c.season_id AND f.team_id = c.team_id) AS team,
       (SELECT r.revision FROM season_revision r WHERE r.season_id = c.season_id) AS season_revision,
       (SELECT row_to_json(k) FROM season_figures k WHERE k.season_id = c.season_id) AS season,
       (SELECT t.sport FROM season s JOIN tournament t ON t.id = s.tournament_id WHERE s.id = c.season_id) AS sport,
       (SELECT json_agg(p ORDER BY p.player_key) FROM player_figures p
        WHERE p.season_id = c.season_id AND p.team_id = c.team_id AND ${players}) AS players
     FROM chosen c LEFT JOIN LATERAL (
     SELECT revision FROM season_team u WHERE u.season_id = c.season_id AND u.team_id = c.team_id OFFSET 0) u ON true`;

const selectRows = (selection: Selection) => prepared(selection.name, rowsSql(selection));

/** Thrown by a read that finds stale figures. */
class StaleFigures extends Error {
  readonly select: Select;

  constructor(select: Select) {
    super(`stale: ${select.name}`);
    this.select = select;
  }
}

/** Runs a read that includes figures. If they are stale, they are computed, and the read is repeated. */
export async function withFreshFigures<T>(pool: pg.Pool, read: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StaleFigures)) throw error;
      await freshRows(pool, error.select);
    }
}

const figuresRead = <T>(select: Select, toValue: (seasons: ChosenSeason[]) => T): Read<T> => ({
  statement: select,
  toValue: (rows: Row[]) => {
    if (rows.some(isStale)) throw new StaleFigures(select);
    return toValue(toSeasons(rows));
  },
});

/**
 * Reads a team's seasons that have a counted match, newest first. Use it within `withFreshFigures`.
 * @param count how many of the last seasons in which the team has a match; all if absent
 */
export const lastSeasonsRead = (teamId: number, count?: number): Read<TeamSeason[]> =>
  figuresRead(selectRows(LAST_SEASONS)([teamId, count ?? null]), (seasons) =>
    seasons.filter(hasPlayed).sort(newestFirst),
  );

/** Reads a player's seasons by team, newest first. Use it within `withFreshFigures`. */
export const playerSeasonsRead = (playerId: number): Read<PlayerSeason[]> =>
  figuresRead(selectRows(PLAYER)([playerId, null]), (teams) =>
    teams.flatMap(({ players }) => players).sort(newestFirst),
  );

/** Reads the selected teams that have a counted match. Use it within `withFreshFigures`. */
export const seasonsRead = <T>(selection: Selection, values: unknown[], toValue: (teams: TeamSeason[]) => T): Read<T> =>
  figuresRead(selectRows(selection)(values), (teams) => toValue(teams.filter(hasPlayed)));

/**
 * SQL for the rows from which `squadSeasons` makes a team's seasons.
 * @param seasons SQL that selects season_id
 * @param team SQL for the team's id
 */
export const squadRowsSql = (seasons: string, team: string): string =>
  rowsSql({ ...SQUAD, teams: `SELECT season_id, ${team} AS team_id FROM (${seasons}) s` });

/**
 * Returns a team's seasons in the order of `readSquadSeasons`.
 * @param rows as `squadRowsSql` selects them, for all of `seasonIds`
 * @throws {StaleFigures} see `withFreshFigures`
 */
export function squadSeasons(rows: readonly SquadRow[], teamId: number, seasonIds: readonly number[]): ChosenSeason[] {
  if (rows.some(isStale)) throw new StaleFigures(selectRows(SQUAD)([teamId, seasonIds]));
  return squadOrder(toSeasons(rows));
}

/**
 * Returns a team's seasons that have a counted match, newest first.
 * @param within only these seasons
 */
export async function readTeamSeasons(
  pool: pg.Pool,
  teamId: number,
  within?: readonly number[],
): Promise<TeamSeason[]> {
  return (await readSeasons(pool, TEAM, teamId, within)).filter(hasPlayed).sort(newestFirst);
}

/** Returns a team's seasons with all players, oldest first. Seasons without a counted match come last. */
export async function readSquadSeasons(
  pool: pg.Pool,
  teamId: number,
  within: readonly number[],
): Promise<ChosenSeason[]> {
  return squadOrder(await readSeasons(pool, SQUAD, teamId, within));
}

const squadOrder = (seasons: readonly ChosenSeason[]): ChosenSeason[] => [
  ...seasons.filter(hasPlayed).sort(newestFirst).reverse(),
  ...seasons.filter((one) => !hasPlayed(one)),
];

/**
 * Returns a player's seasons by team, newest first.
 * @param within only these seasons
 */
export async function readPlayerSeasons(
  pool: pg.Pool,
  playerId: number,
  within?: readonly number[],
): Promise<PlayerSeason[]> {
  const teams = await readSeasons(pool, PLAYER, playerId, within);
  return teams.flatMap(({ players }) => players).sort(newestFirst);
}

const hasPlayed = (season: ChosenSeason): season is TeamSeason => season.last_start !== null;
const newestFirst = <T extends SeasonTeam & { last_start: number }>(a: T, b: T) =>
  b.last_start - a.last_start || b.season_id - a.season_id || a.team_id - b.team_id;

const NOTHING_KNOWN = { assists: false, penalties: false };

async function readSeasons(
  pool: pg.Pool,
  selection: Selection,
  id: number,
  within?: readonly number[],
): Promise<ChosenSeason[]> {
  const select = selectRows(selection)([id, within ?? null]);
  return toSeasons(await freshRows(pool, select));
}

function toSeasons(rows: readonly Row[]): ChosenSeason[] {
  return rows.map(({ season_id, team_id, team, season, sport, players }) => {
    const sums = team ?? NO_MATCHES;
    const knowledge = { ...(season ?? NOTHING_KNOWN), sport };
    return {
      season_id,
      team_id,
      last_start: team?.last_start ?? null,
      sums,
      known: knowledge,
      players: (players ?? []).map((player) => playerSeason(player, sums, knowledge)),
    };
  });
}

const isTeamStale = (row: Row): row is Row & { revision: number } =>
  row.revision !== null && row.revision !== row.team?.revision;
const isSeasonStale = ({ season_revision, season }: Row) =>
  season_revision !== null && season_revision !== season?.revision;
const isStale = (row: Row) => isTeamStale(row) || isSeasonStale(row);

function playerSeason(row: PlayerRow, team: TeamSums, known: SeasonKnowledge): PlayerSeason {
  const {
    season_id,
    team_id,
    player_key,
    participant_id,
    player_name,
    last_start,
    shirt_numbers,
    positions,
    own_sums,
    ...sums
  } = row;
  return {
    season_id,
    team_id,
    key: participant_id === null ? `${team_id} ${player_key}` : player_key,
    participant_id,
    player_name,
    last_start,
    shirt_numbers,
    positions,
    figures: playerFigures(sums, team, known),
    own_sums: team.has_lineups ? own_sums : null,
  };
}

type Select = ReturnType<ReturnType<typeof prepared>>;

/** Refreshes in progress in this process, by what they read. */
const refreshes = new Map<string, Promise<unknown>>();

/** Requests for the same rows wait for one refresh and then look again, because it may not have seen the newest change. */
async function freshRows(pool: pg.Pool, select: Select): Promise<Row[]> {
  const key = JSON.stringify([select.name, select.values]);
  for (;;) {
    const { rows } = await pool.query<Row>(select);
    if (!rows.some(isStale)) return rows;
    const other = refreshes.get(key);
    if (other === undefined) break;
    await other.catch(() => {});
  }
  const refresh = readTogether(pool, (own) => refreshed(own, select)).finally(() => refreshes.delete(key));
  refreshes.set(key, refresh);
  return refresh;
}

/** All statements see the same state of the matches, so that rows match their revisions. */
const ONE_SNAPSHOT = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ';

/** Computes and stores the stale rows, and returns all rows, in one transaction. */
const refreshed = (pool: pg.Pool, select: Select): Promise<Row[]> =>
  retried(() =>
    transaction(
      pool,
      async (client) => {
        const { rows } = await client.query<Row>(select);
        await storeTeamFigures(client, rows.filter(isTeamStale));
        await storeKnowledge(
          client,
          [...new Set(rows.filter(isSeasonStale).map(({ season_id }) => season_id))].sort((a, b) => a - b),
        );
        return (await client.query<Row>(select)).rows;
      },
      [ONE_SNAPSHOT],
    ),
  );

const STALE_SEASONS = prepared(
  'seasons with stale figures',
  `SELECT u.season_id AS id FROM season_team u LEFT JOIN team_figures f USING (season_id, team_id)
   WHERE f.revision IS DISTINCT FROM u.revision GROUP BY u.season_id ORDER BY u.season_id DESC LIMIT 1`,
);

/** Computes the stale figures of the newest season that has any. @returns false if no season has any */
export async function refreshStaleSeason(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ id: number }>(STALE_SEASONS([]));
  for (const { id } of rows) await readSeasons(pool, SEASON_TEAMS, id);
  return rows.length > 0;
}

/** Deletes figures that no longer fit the matches, because a process of an earlier release has changed these. */
export async function dropWrongFigures(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM team_figures f USING season_team u LEFT JOIN (
       SELECT m.season_id, s.team_id, sum(m.id * m.version) AS fingerprint
       FROM match m CROSS JOIN LATERAL (VALUES (m.home_id), (m.away_id)) s (team_id) WHERE ${COUNTED} GROUP BY 1, 2
     ) c USING (season_id, team_id)
     WHERE f.season_id = u.season_id AND f.team_id = u.team_id AND f.revision = u.revision AND f.fingerprint <> coalesce(c.fingerprint, 0)`,
  );
}

/** Computes all figures again, season by season, while the service is running. @returns how many teams' seasons there are */
export async function rebuildSeasonFigures(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number; teams: number }>(
    'SELECT season_id AS id, count(*)::int AS teams FROM season_team GROUP BY season_id ORDER BY season_id',
  );
  for (const { id } of rows) {
    for (const table of ['team_figures', 'season_figures'])
      await pool.query(`DELETE FROM ${table} WHERE season_id = $1`, [id]);
    await readSeasons(pool, SEASON_TEAMS, id);
  }
  return rows.reduce((sum, { teams }) => sum + teams, 0);
}
