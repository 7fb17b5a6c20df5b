/** Versions of the data that pages and lists of leaders show. Each visible change gives a new version. */
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';

const REVISION = '(SELECT revision FROM search_refresh)';

const OF_PARTICIPANT = prepared(
  'version of a participant',
  `SELECT concat_ws(':', sum(s.matches), sum(s.versions), sum(r.revision), ${REVISION}) AS version FROM (
     SELECT season_id, count(*) AS matches, sum(version) AS versions FROM (
       SELECT season_id, version FROM match WHERE home_id = $1 UNION ALL SELECT season_id, version FROM match WHERE away_id = $1
       UNION ALL SELECT m.season_id, m.version FROM match_player p JOIN match m ON m.id = p.match_id WHERE p.participant_id = $1
     ) own GROUP BY season_id
   ) s LEFT JOIN season_revision r USING (season_id)`,
);

/** Reads the version together with the page. */
export const participantVersionRead = (id: number): Read<string> => ({
  statement: OF_PARTICIPANT([id]),
  toValue: (rows: { version: string }[]) => firstRow(rows).version,
});

/** Covers the participant's matches, and all finished matches in the same seasons, because figures depend on them. */
export async function participantVersion(db: Queryable, id: number): Promise<string> {
  const { rows } = await db.query<{ version: string }>(OF_PARTICIPANT([id]));
  return firstRow(rows).version;
}

const OF_SEASON = prepared(
  'version of a season',
  `SELECT concat_ws(':', (SELECT revision FROM season_revision WHERE season_id = $1), ${REVISION}) AS version`,
);

/** Covers the season's finished matches. */
export async function seasonVersion(db: Queryable, seasonId: number): Promise<string> {
  const { rows } = await db.query<{ version: string }>(OF_SEASON([seasonId]));
  return firstRow(rows).version;
}

const OF_GIVEN_OR_CURRENT = prepared(
  'version of a given or current season',
  `SELECT concat_ws(':', count(*), sum(m.version), ${REVISION}) AS version
   FROM match m WHERE m.season_id = coalesce($2::bigint, current_season($1, $3))`,
);

/** Reads the version of `tournamentVersion` together with the page. @param id null for none */
export const tournamentVersionRead = (id: number | null, season: number | undefined, today: string): Read<string> => ({
  statement: OF_GIVEN_OR_CURRENT([id, season ?? null, today]),
  toValue: (rows: { version: string }[]) => firstRow(rows).version,
});

/** @param season the current season if absent @param today YYYY-MM-DD */
export async function tournamentVersion(
  db: Queryable,
  id: number,
  season: number | undefined,
  today: string,
): Promise<string> {
  const { rows } = await db.query<{ version: string }>(OF_GIVEN_OR_CURRENT([id, season ?? null, today]));
  return firstRow(rows).version;
}
