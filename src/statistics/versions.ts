/** Versions of everything that statistics are computed from: each change of a match gives it a higher version. */
import { prepared, type Queryable } from '../db/postgres.ts';

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

/** Covers the matches of a side, and all matches of the teams of a player in the seasons of the player. */
export async function participantVersion(db: Queryable, id: number): Promise<string> {
  const { rows } = await db.query<{ version: string }>(OF_PARTICIPANT([id]));
  return rows[0]!.version;
}

export async function seasonVersion(db: Queryable, seasonId: number): Promise<string> {
  const { rows } = await db.query<{ version: string }>(OF_SEASON([seasonId]));
  return rows[0]!.version;
}
