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

/** The most entries that one change may have: all of a browser's stars, and more than a member may have. */
export const MAX_CHANGES = 500;

export interface FavouriteIds {
  team: number[];
  tournament: number[];
}

type Entry = Pick<Favourite, 'kind' | 'id'>;

const columns = (entries: readonly Entry[]) => [entries.map(({ kind }) => kind), entries.map(({ id }) => id)];

/** Entries with the ids that pages show. Unknown ids, and ids of players, are left out. */
const KNOWN = `SELECT 'team' AS kind, p.id, min(w.place) AS place
     FROM wanted w JOIN participant g ON g.id = w.id JOIN participant p ON p.id = coalesce(g.person_id, g.id)
     WHERE w.kind = 'team' AND p.type = 'team' GROUP BY p.id
   UNION ALL SELECT 'tournament', t.id, min(w.place) FROM wanted w JOIN tournament t ON t.id = w.id
     WHERE w.kind = 'tournament' GROUP BY t.id`;

/**
 * Removes and adds favourites, as a browser's stars say. Adds as many as a member may have. Unknown ids, and present
 * favourites, are ignored.
 * @returns all favourites, and the added ones without a place
 */
export async function changeFavourites(
  { pool, clock }: Deps,
  memberId: number,
  { add, remove }: { add: readonly Entry[]; remove: readonly Entry[] },
): Promise<{ chosen: FavouriteIds; left_out: FavouriteIds }> {
  return transaction(pool, async (db) => {
    // Concurrent requests run one at a time, so that the limit holds.
    await db.query('SELECT FROM member WHERE id = $1 FOR NO KEY UPDATE', [memberId]);
    if (remove.length > 0)
      await db.query(
        `DELETE FROM member_favourite f USING unnest($2::text[], $3::bigint[]) AS w (kind, id)
         WHERE f.member_id = $1 AND f.kind = w.kind AND (f.entity_id = w.id OR f.kind = 'team'
           AND w.id = (SELECT person_id FROM participant WHERE id = f.entity_id))`,
        [memberId, ...columns(remove)],
      );
    const left: Entry[] = [];
    if (add.length > 0) {
      const { rows } = await db.query<Entry & { fits: boolean }>(
        `WITH wanted AS (SELECT kind, id, place FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY w (kind, id, place)),
         known AS (${KNOWN}),
         fresh AS (SELECT kind, id, row_number() OVER (ORDER BY place) <= $4 -
             (SELECT count(*) FROM member_favourite WHERE member_id = $1) AS fits
           FROM known k WHERE NOT EXISTS (
             SELECT FROM member_favourite f WHERE f.member_id = $1 AND f.kind = k.kind AND f.entity_id = k.id)),
         added AS (INSERT INTO member_favourite (member_id, kind, entity_id, created_at)
           SELECT $1, kind, id, $5 FROM fresh WHERE fits)
         SELECT kind, id, fits FROM fresh`,
        [memberId, ...columns(add), MAX_FAVOURITES, new Date(clock.now())],
      );
      left.push(...rows.filter(({ fits }) => !fits));
    }
    const { teams: team, tournaments: tournament } = await chosenByMember(db, memberId);
    const ids = (kind: CalendarKind) => left.filter((one) => one.kind === kind).map(({ id }) => id);
    return { chosen: { team, tournament }, left_out: { team: ids('team'), tournament: ids('tournament') } };
  });
}
