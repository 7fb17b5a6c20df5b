/** A member's favourite teams and tournaments, whose matches are in `/calendar/mine.ics`. */
import type pg from 'pg';
import { type Queryable, transaction } from '../../db/postgres.ts';
import { Problem } from '../../http/index.ts';
import type { CalendarKind } from '../../wire/calendar.ts';

export const MAX_FAVOURITES = 100;

interface Deps {
  pool: pg.Pool;
  clock: { now(): number };
}

export interface Favourite {
  kind: CalendarKind;
  id: number;
  name: string;
  sport: string;
}

/** Lists a member's favourites by name. */
export async function listFavourites(db: Queryable, memberId: number, now: Date): Promise<Favourite[]> {
  const { rows } = await db.query<Favourite>(
    `SELECT f.kind, f.entity_id AS id, coalesce(n.name, t.name) AS name, coalesce(p.sport, t.sport) AS sport
     FROM member_favourite f LEFT JOIN participant g ON g.id = f.entity_id AND f.kind = 'team'
       LEFT JOIN participant p ON p.id = coalesce(g.person_id, g.id) LEFT JOIN LATERAL names_at(p.id, $2) n ON true
       LEFT JOIN tournament t ON t.id = f.entity_id AND f.kind = 'tournament'
     WHERE f.member_id = $1 AND coalesce(p.id, t.id) IS NOT NULL ORDER BY name, f.kind, f.entity_id`,
    [memberId, now],
  );
  return rows;
}

/**
 * Returns the ids of a member's favourites, in a fixed order. For a team with a link (`person_id`), returns the id that
 * the link leads to.
 */
export async function chosenByMember(
  db: Queryable,
  memberId: number,
): Promise<{ teams: number[]; tournaments: number[] }> {
  const { rows } = await db.query<{ kind: CalendarKind; id: number }>({
    name: 'calendar favourites',
    text: `SELECT f.kind, coalesce(g.person_id, f.entity_id) AS id FROM member_favourite f
       LEFT JOIN participant g ON g.id = f.entity_id AND f.kind = 'team' WHERE f.member_id = $1 ORDER BY f.entity_id`,
    values: [memberId],
  });
  const ids = (kind: CalendarKind) => rows.filter((row) => row.kind === kind).map(({ id }) => id);
  return { teams: ids('team'), tournaments: ids('tournament') };
}

/** @throws {Problem} conflict if it is a favourite already, or if the member has 100 */
export async function addFavourite(
  { pool, clock }: Deps,
  memberId: number,
  { kind, id, name }: Pick<Favourite, 'kind' | 'id' | 'name'>,
): Promise<void> {
  await transaction(pool, async (db) => {
    // Concurrent requests run one at a time, so that the limit holds.
    await db.query('SELECT FROM member WHERE id = $1 FOR NO KEY UPDATE', [memberId]);
    const { rows } = await db.query<{ total: number; has: boolean }>(
      `SELECT count(*)::int AS total, coalesce(bool_or(kind = $2 AND entity_id = $3), false) AS has
       FROM member_favourite WHERE member_id = $1`,
      [memberId, kind, id],
    );
    const { total, has } = rows[0]!;
    if (has) throw new Problem('conflict', `${name} is already one of your favourites.`);
    if (total >= MAX_FAVOURITES)
      throw new Problem('conflict', `You have ${MAX_FAVOURITES} favourites, which is the maximum: remove one first.`);
    await db.query('INSERT INTO member_favourite (member_id, kind, entity_id, created_at) VALUES ($1, $2, $3, $4)', [
      memberId,
      kind,
      id,
      new Date(clock.now()),
    ]);
  });
}

/** @throws {Problem} not_found if it is not a favourite */
export async function removeFavourite(
  db: Queryable,
  memberId: number,
  { kind, id }: Pick<Favourite, 'kind' | 'id'>,
): Promise<void> {
  const { rowCount } = await db.query(
    'DELETE FROM member_favourite WHERE member_id = $1 AND kind = $2 AND entity_id = $3',
    [memberId, kind, id],
  );
  if (rowCount === 0) throw new Problem('not_found', `The ${kind} ${id} is not one of your favourites.`);
}
