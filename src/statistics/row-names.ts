/** The names in statistics rows, read for many ids at once. */
import { prepared, type Queryable } from '../db/postgres.ts';

export interface TeamName {
  team_name: string;
  team_name_ru: string | null;
}

const TEAM_NAMES = prepared(
  'names of teams then',
  `SELECT n.name AS team_name, n.name_ru AS team_name_ru
   FROM unnest($1::bigint[], $2::float8[]) WITH ORDINALITY t (id, at, position) CROSS JOIN LATERAL names_at(t.id, to_timestamp(t.at)) n
   ORDER BY t.position`,
);

/**
 * Adds the names that teams had at given times.
 * @param teams `at` is when a match starts, in seconds since 1970
 */
export async function withTeamNames<T extends { team_id: number; at: number }>(
  db: Queryable,
  teams: readonly T[],
): Promise<(T & TeamName)[]> {
  const { rows } = await db.query<TeamName>(
    TEAM_NAMES([teams.map(({ team_id }) => team_id), teams.map(({ at }) => at)]),
  );
  return teams.flatMap((team, index) => {
    const names = rows[index];
    return names === undefined ? [] : [{ ...team, ...names }];
  });
}

export interface PlayerProfile {
  name: string;
  name_ru: string | null;
  birth_date: string | null;
  country: string | null;
}

const PROFILES = prepared(
  'profiles of players',
  `SELECT id, name, name_ru, to_char(birth_date, 'YYYY-MM-DD') AS birth_date, country FROM participant WHERE id = ANY ($1::bigint[])`,
);

/** Returns what the catalogue knows about players, by id. */
export async function playerProfiles(
  db: Queryable,
  ids: readonly (number | null)[],
): Promise<Map<number | null, PlayerProfile>> {
  const { rows } = await db.query<PlayerProfile & { id: number }>(PROFILES([ids.filter((id) => id !== null)]));
  return new Map(rows.map(({ id, ...profile }) => [id, profile]));
}

export interface SeasonName {
  season_id: number;
  season_label: string;
  tournament_id: number;
  tournament: string;
  sport: string;
}

const SEASON_NAMES = prepared(
  'names of seasons',
  `SELECT s.id AS season_id, s.season_label, t.id AS tournament_id, t.name AS tournament, t.sport
   FROM season s JOIN tournament t ON t.id = s.tournament_id WHERE s.id = ANY ($1::bigint[])`,
);

/** Returns seasons' labels and tournaments, by id. */
export async function seasonNames(db: Queryable, ids: readonly number[]): Promise<Map<number, SeasonName>> {
  const { rows } = await db.query<SeasonName>(SEASON_NAMES([ids]));
  return new Map(rows.map((row) => [row.season_id, row]));
}
