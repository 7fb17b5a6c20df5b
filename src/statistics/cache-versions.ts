/** Versions of the data from which statistics are computed. Each match change gives a higher version. */
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';

const VERSION = `concat_ws(':', count(*), sum(m.version), (SELECT revision FROM search_refresh)) AS version`;

const OF_PARTICIPANT = prepared(
  'version of a participant',
  `SELECT ${VERSION} FROM (
     SELECT id FROM match WHERE home_id = $1 UNION SELECT id FROM match WHERE away_id = $1
     UNION SELECT o.id FROM match_player p JOIN match m ON m.id = p.match_id
       JOIN match o ON o.season_id = m.season_id AND CASE p.side WHEN 'home' THEN m.home_id ELSE m.away_id END IN (o.home_id, o.away_id)
     WHERE p.participant_id = $1
   ) one JOIN match m USING (id)`,
);
const OF_SEASON = prepared('version of a season', `SELECT ${VERSION} FROM match m WHERE m.season_id = $1`);

/** Covers a side's matches. For a player, covers all matches that the player's teams played in the player's seasons. */
export async function participantVersion(db: Queryable, id: number): Promise<string> {
  const { rows } = await db.query<{ version: string }>(OF_PARTICIPANT([id]));
  return firstRow(rows).version;
}

const OF_LISTS = prepared(
  'version of listed squads',
  `SELECT concat_ws(':', count(*), extract(epoch FROM max(updated_at))) AS version FROM squad_member
   WHERE team_id IN (SELECT id FROM participant WHERE id = $1 UNION ALL SELECT id FROM participant WHERE person_id = $1)`,
);

/** Covers a team's matches and player lists. */
export async function squadVersion(db: Queryable, id: number): Promise<string> {
  const [matches, { rows }] = await Promise.all([
    participantVersion(db, id),
    db.query<{ version: string }>(OF_LISTS([id])),
  ]);
  return `${matches} ${firstRow(rows).version}`;
}

export async function seasonVersion(db: Queryable, seasonId: number): Promise<string> {
  const { rows } = await db.query<{ version: string }>(OF_SEASON([seasonId]));
  return firstRow(rows).version;
}

const OF_GIVEN_OR_CURRENT = prepared(
  'version of a given or current season',
  `SELECT ${VERSION} FROM match m WHERE m.season_id = coalesce($2::bigint, current_season($1, $3))`,
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
