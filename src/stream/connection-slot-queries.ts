/**
 * Queries for the connection slots. A row in `stream_lease` is one slot that an account uses. The row is valid as long
 * as the process's row in `stream_process`. A row from an earlier release has its own expiry time instead. Earlier
 * releases read this time in every row, so it is infinite in rows from this release.
 */

import { mayStreamSql } from '../accounts/keys/index.ts';
import { hasEndedSql } from '../db/liveness-lock.ts';
import { columns, firstRow, type Queryable } from '../db/postgres.ts';

export interface RequestedSlot {
  /** The account, the account's publishable keys, or the session. All its streams are counted together. */
  subject: string;
  /** Maximum number of slots. */
  slots: number;
  /** Identifies one connection across all processes: the process name, '-' and a number. */
  holder: string;
  /** The name that the client chose. A connection takes over the slot of an earlier one with the same name. */
  client: string | null;
  /** The key that opened the stream. Null if no key did. */
  keyId: number | null;
}

export interface SlotRow {
  holder: string;
  /** True if the key is valid. */
  permitted: boolean;
  /** The number of the slot that was tried. Null if all slots were taken. */
  tried: number | null;
  /** The number of the slot that was taken. Null if all were taken, or if another process took the tried slot first. */
  slot: number | null;
  /** The holder from which the slot was taken over, because both connections have the same client name. Null if the slot was free. */
  former: string | null;
}

export interface HeldSlot {
  subject: string;
  slot: number;
  holder: string;
  client: string | null;
}

export type ReleasedSlot = Pick<HeldSlot, 'subject' | 'holder'>;

/** Length of a process name. */
export const PROCESS_LENGTH = 12;

const processSql = (holder: string) => `left(${holder}, ${PROCESS_LENGTH})`;

/**
 * SQL for whether a stored slot is free. If the snapshot that the statement reads has no row for the slot's process,
 * the process started after it, so the slot is in use.
 */
const isFreeSql = (row: string) =>
  `(${row}.expires_at < now() OR EXISTS (SELECT FROM stream_process p WHERE p.process = ${processSql(`${row}.holder`)} AND p.expires_at < now()))`;

/**
 * Takes the first free slots, and releases slots. A slot that this statement releases can be taken only by a later
 * statement. All times are the database's, since process clocks may differ.
 * @param requests slots to take, no two with the same subject and client
 * @param session liveness lock of the process that takes them
 */
export async function exchangeSlots(
  db: Queryable,
  requests: readonly RequestedSlot[],
  released: readonly ReleasedSlot[],
  session: number | null,
): Promise<SlotRow[]> {
  const { rows } = await db.query<SlotRow>(EXCHANGE, [
    ...columns(requests, 'subject', 'slots', 'holder', 'client', 'keyId'),
    session,
    ...columns(released, 'subject', 'holder'),
  ]);
  return rows;
}

/**
 * Looks at no more slot numbers than are taken or requested. Two statements never wait for each other: the rows to
 * take are locked in a fixed order, and a row to release is skipped if it is locked. Such a row is being taken over by
 * another process, because the client has reconnected there.
 */
const EXCHANGE = `WITH asked AS MATERIALIZED (
    SELECT a.*, a.key_id IS NULL OR k.id IS NOT NULL AS permitted
    FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::bigint[])
         WITH ORDINALITY AS a (subject, slots, holder, client, key_id, position)
    LEFT JOIN api_key k ON k.id = a.key_id AND ${mayStreamSql('k')}
  ), subjects AS MATERIALIZED (
    SELECT subject, max(slots) AS slots, count(*) AS requests FROM asked GROUP BY subject
  ), present AS MATERIALIZED (
    SELECT l.subject, l.slot, l.holder, l.client, ${isFreeSql('l')} AS is_free
    FROM stream_lease l WHERE l.subject IN (SELECT subject FROM subjects)
  ), own AS (
    SELECT DISTINCT ON (holder) subject, holder, slot, former FROM (
      SELECT a.subject, a.holder, p.slot, NULL AS former
      FROM asked a JOIN present p ON p.subject = a.subject AND p.holder = a.holder WHERE a.permitted
      UNION ALL
      SELECT a.subject, a.holder, p.slot, p.holder
      FROM asked a JOIN present p ON p.subject = a.subject AND p.client = a.client AND p.holder <> a.holder WHERE a.permitted
    ) o ORDER BY holder, former NULLS FIRST, slot
  ), taken AS (
    SELECT subject, slot FROM present WHERE NOT is_free UNION SELECT subject, slot FROM own
  ), free AS (
    SELECT s.subject, n.slot, row_number() OVER (PARTITION BY s.subject ORDER BY n.slot) AS turn
    FROM (
      SELECT subject, slots, requests, count(t.slot) AS taken FROM subjects LEFT JOIN taken t USING (subject)
      GROUP BY subject, slots, requests
    ) s, generate_series(1, least(s.slots, s.taken + s.requests)) AS n (slot)
    WHERE NOT EXISTS (SELECT FROM taken t WHERE t.subject = s.subject AND t.slot = n.slot)
  ), others AS (
    SELECT subject, holder, row_number() OVER (PARTITION BY subject ORDER BY position) AS turn
    FROM asked WHERE permitted AND holder NOT IN (SELECT holder FROM own)
  ), assigned AS (
    SELECT subject, holder, slot::int, former FROM own
    UNION ALL SELECT o.subject, o.holder, f.slot::int, NULL FROM others o JOIN free f USING (subject, turn)
  ), stored AS (
    INSERT INTO stream_lease AS l (subject, slot, holder, client, session, expires_at)
    SELECT a.subject, p.slot, a.holder, a.client, $6, 'infinity'
    FROM assigned p JOIN asked a USING (holder) ORDER BY a.subject, p.slot
    ON CONFLICT (subject, slot) DO UPDATE SET holder = excluded.holder, client = excluded.client, session = excluded.session,
      expires_at = excluded.expires_at
    WHERE ${isFreeSql('l')} OR l.holder = excluded.holder OR l.client = excluded.client
    RETURNING l.holder, l.slot
  ), released AS (
    DELETE FROM stream_lease WHERE (subject, slot) IN (
      SELECT l.subject, l.slot FROM unnest($7::text[], $8::text[]) AS r (subject, holder)
      JOIN stream_lease l USING (subject, holder) FOR UPDATE OF l SKIP LOCKED
    ) AND (SELECT count(*) FROM stored) >= 0
  )
  SELECT a.holder, a.permitted, p.slot AS tried, s.slot, p.former
  FROM asked a LEFT JOIN assigned p USING (holder) LEFT JOIN stored s USING (holder)`;

export interface RenewedProcess {
  /** Number of slot rows that the process has. */
  rows: number;
  /** Number of slots that the largest process has. */
  most: number;
  /** True if the table has a process that no longer renews its row. */
  hasExpired: boolean;
}

/**
 * Extends a process's row, and with it all the process's slots, to `ttlMs` from now.
 * @param slots number of slots that the process has
 */
export async function renewProcess(
  db: Queryable,
  process: string,
  slots: number,
  ttlMs: number,
): Promise<RenewedProcess> {
  const { rows } = await db.query<RenewedProcess>(
    `WITH renewed AS (
       INSERT INTO stream_process (process, slots, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))
       ON CONFLICT (process) DO UPDATE SET slots = excluded.slots, expires_at = excluded.expires_at
     )
     SELECT (SELECT count(*) FROM stream_lease WHERE ${processSql('holder')} = $1)::int AS rows,
       greatest($2, (SELECT max(slots) FROM stream_process WHERE expires_at >= now())) AS most,
       EXISTS (SELECT FROM stream_process WHERE expires_at < now() AND process <> $1) AS "hasExpired"`,
    [process, slots, ttlMs / 1_000],
  );
  return firstRow(rows);
}

/** Frees the slots that an ending process still has. */
export async function endProcess(db: Queryable, process: string): Promise<void> {
  await db.query("UPDATE stream_process SET expires_at = '-infinity' WHERE process = $1", [process]);
}

/** @returns the slots that a process has */
export async function slotsOfProcess(db: Queryable, process: string): Promise<ReleasedSlot[]> {
  const { rows } = await db.query<ReleasedSlot>(
    `SELECT subject, holder FROM stream_lease WHERE ${processSql('holder')} = $1`,
    [process],
  );
  return rows;
}

/**
 * Stores slots again if their rows have been deleted. If a process stood still so long that a connection of its own took an earlier
 * one's slot, the later one gets it.
 * @param held the earlier connections first
 * @param session the process's liveness lock
 * @returns the holders that got their slots back. Other processes have taken the rest, or the clients have reconnected.
 */
export async function restoreSlots(
  db: Queryable,
  held: readonly HeldSlot[],
  session: number | null,
): Promise<Set<string>> {
  const { rows } = await db.query<{ holder: string }>(
    `INSERT INTO stream_lease AS l (subject, slot, holder, client, session, expires_at)
     SELECT DISTINCT ON (subject, slot) subject, slot, holder, client, $5::bigint, 'infinity'::timestamptz
     FROM unnest($1::text[], $2::int[], $3::text[], $4::text[]) WITH ORDINALITY AS h (subject, slot, holder, client, position)
     WHERE NOT EXISTS (SELECT FROM stream_lease o WHERE o.subject = h.subject AND o.client = h.client AND o.holder <> h.holder)
     ORDER BY subject, slot, position DESC
     ON CONFLICT (subject, slot) DO UPDATE SET expires_at = excluded.expires_at WHERE l.holder = excluded.holder
     RETURNING l.holder`,
    [...columns(held, 'subject', 'slot', 'holder', 'client'), session],
  );
  return new Set(rows.map(({ holder }) => holder));
}

/**
 * Frees the slots that ended processes held.
 * @returns the subjects that had such slots
 */
export async function freeSlotsOfEnded(db: Queryable, subjects: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ subject: string }>(
    `DELETE FROM stream_lease WHERE (subject, slot) IN (
       SELECT subject, slot FROM stream_lease WHERE subject = ANY ($1) AND ${hasEndedSql('session')} FOR UPDATE SKIP LOCKED)
     RETURNING subject`,
    [subjects],
  );
  return new Set(rows.map(({ subject }) => subject));
}

/**
 * Deletes processes that no longer renew a row, after deleting the slots. A slot may also have a process without a row, if the
 * process was killed and a last statement ran after the row had been deleted. If such a process still runs, it finds out at the next
 * renewal and stores the slot again.
 */
export async function dropExpiredSlots(db: Queryable): Promise<void> {
  await db.query(
    `WITH dropped AS (
       DELETE FROM stream_lease WHERE (subject, slot) IN (
         SELECT subject, slot FROM stream_lease l
         WHERE ${isFreeSql('l')} OR l.expires_at = 'infinity'
           AND NOT EXISTS (SELECT FROM stream_process o WHERE o.process = ${processSql('l.holder')})
         FOR UPDATE OF l SKIP LOCKED)
     )
     DELETE FROM stream_process p WHERE p.expires_at < now()
       AND NOT EXISTS (SELECT FROM stream_lease l WHERE ${processSql('l.holder')} = p.process)`,
  );
}
