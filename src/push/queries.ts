/** Reads browsers by team, and keeps the positions in the event log. */
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/index.ts';

export interface StoredBrowser {
  id: number;
  /** A PushAddress as JSON, encrypted. */
  secret: string;
  lang: Lang;
}

/** How far the log has been sent to a push service. */
export interface Position {
  /** Every event up to here is done. */
  cursor: number;
  /** The next event is done for the browsers up to this one. */
  browserId: number;
}

export async function hasBrowsers(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>('SELECT EXISTS (SELECT FROM push_browser) AS has');
  return rows[0]!.has;
}

/**
 * Returns the ids under which members with a browser have these teams among their favourites. A team without such members is
 * missing. If a team was linked to a second id, either id counts as the favourite.
 */
export async function followedTeams(db: Queryable, teams: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await db.query<{ team: number; ids: number[] }>(
    `WITH wanted AS (SELECT DISTINCT unnest($1::bigint[]) AS team),
     same AS (SELECT team, team AS id FROM wanted UNION
       SELECT w.team, g.id FROM wanted w JOIN participant p ON p.id = w.team
         JOIN participant g ON g.person_id = coalesce(p.person_id, p.id) OR g.id = p.person_id)
     SELECT team, array_agg(id) AS ids FROM same s WHERE EXISTS (
       SELECT FROM member_favourite f JOIN push_browser b ON b.member_id = f.member_id
       WHERE f.kind = 'team' AND f.entity_id = s.id) GROUP BY team`,
    [teams],
  );
  return new Map(rows.map(({ team, ids }) => [team, ids.map(Number)]));
}

/** Returns a service's browsers whose members have one of these favourites, by id. Each browser is in the list once. */
export async function browsersAfter(
  db: Queryable,
  service: string,
  after: number,
  favourites: readonly number[],
  limit: number,
): Promise<StoredBrowser[]> {
  const { rows } = await db.query<StoredBrowser>(
    `SELECT b.id, b.secret, b.lang FROM push_browser b WHERE b.service = $1 AND b.id > $2 AND EXISTS (
       SELECT FROM member_favourite f WHERE f.member_id = b.member_id AND f.kind = 'team' AND f.entity_id = ANY ($3::bigint[]))
     ORDER BY b.id LIMIT $4`,
    [service, after, favourites, limit],
  );
  return rows;
}

/** Returns the stored positions. Adds those of new services at `head`. */
export async function readPositions(
  db: Queryable,
  services: readonly string[],
  head: number,
): Promise<Map<string, Position>> {
  await db.query(
    `INSERT INTO push_position (service, cursor, browser_id) SELECT unnest($1::text[]), $2, 0 ON CONFLICT DO NOTHING`,
    [services, head],
  );
  const { rows } = await db.query<{ service: string; cursor: number; browserId: number }>(
    'SELECT service, cursor, browser_id AS "browserId" FROM push_position WHERE service = ANY ($1)',
    [services],
  );
  return new Map(rows.map(({ service, cursor, browserId }) => [service, { cursor, browserId }]));
}

export async function savePositions(db: Queryable, positions: ReadonlyMap<string, Position>): Promise<void> {
  const all = [...positions];
  await db.query(
    `UPDATE push_position p SET cursor = w.cursor, browser_id = w.browser_id
     FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS w (service, cursor, browser_id)
     WHERE p.service = w.service AND (p.cursor, p.browser_id) <> (w.cursor, w.browser_id)`,
    [all.map(([service]) => service), all.map(([, { cursor }]) => cursor), all.map(([, { browserId }]) => browserId)],
  );
}
