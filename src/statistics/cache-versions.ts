/** Versions of the data that pages and lists of leaders show. Each visible change gives a new version. */
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';

const REVISION = '(SELECT revision FROM search_refresh)';

const OF_PARTICIPANT = prepared(
  'version of a participant',
  `SELECT concat_ws(':', sum(s.matches), sum(s.versions), sum(r.revision), ${REVISION}) AS version FROM (
     SELECT m.season_id, count(*) AS matches, sum(m.version) AS versions FROM (
       SELECT id FROM match WHERE home_id = $1 UNION SELECT id FROM match WHERE away_id = $1
       UNION SELECT match_id FROM match_player WHERE participant_id = $1
     ) own JOIN match m USING (id) GROUP BY m.season_id
   ) s LEFT JOIN season_revision r USING (season_id)`,
);

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
