/** Queries of the connection slots (table `stream_lease`). */

import { hasEndedSql } from '../db/liveness-lock.ts';
import type { Queryable } from '../db/postgres.ts';

export interface RequestedSlot {
  /** The account, its publishable keys, or the session: its streams are counted together. */
  subject: string;
  /** Limit of slots. */
  slots: number;
  /** Identifies one connection over all processes. */
  holder: string;
  /** The client's own name: it takes over the slot of the connection with the same name. */
  client: string | null;
  /** null: opened without a key. */
  keyId: number | null;
}

/** Time to live of slots, and the session of the process that takes them. */
export interface SlotLease {
  ttlMs: number;
  session: number | null;
}

export interface SlotRow {
  holder: string;
  /** Whether the key is valid. */
  permitted: boolean;
  /** The slot that was tried; null: all were taken. */
  tried: number | null;
  /** The slot that was taken; null although one was tried: another process was faster. */
  slot: number | null;
  /** The holder whose slot it has taken over, since both have the same client; null: none. */
  former: string | null;
}

/**
 * Takes the first free slots. Times are the database's, since the clocks of processes may differ.
 * @param requests no two of one subject and client
 */
export async function acquireSlots(
  db: Queryable,
  requests: readonly RequestedSlot[],
  { ttlMs, session }: SlotLease,
): Promise<SlotRow[]> {
  const { rows } = await db.query<SlotRow>(CLAIM, [
    requests.map(({ subject }) => subject),
    requests.map(({ slots }) => slots),
    requests.map(({ holder }) => holder),
    requests.map(({ client }) => client),
    requests.map(({ keyId }) => keyId),
    ttlMs / 1_000,
    session,
  ]);
  return rows;
}

const CLAIM = `WITH asked AS MATERIALIZED (
    SELECT a.*, a.key_id IS NULL OR k.id IS NOT NULL AS permitted
    FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::bigint[])
         WITH ORDINALITY AS a (subject, slots, holder, client, key_id, position)
    LEFT JOIN api_key k ON k.id = a.key_id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
  ), own AS (
    SELECT DISTINCT ON (a.holder) a.subject, a.holder, l.slot, nullif(l.holder, a.holder) AS former
    FROM asked a JOIN stream_lease l ON l.subject = a.subject AND (l.holder = a.holder OR l.client = a.client)
    WHERE a.permitted
    ORDER BY a.holder, l.holder = a.holder DESC, l.slot
  ), free AS (
    SELECT s.subject, n.slot, row_number() OVER (PARTITION BY s.subject ORDER BY n.slot) AS turn
    FROM (SELECT subject, max(slots) AS slots FROM asked GROUP BY subject) s, generate_series(1, s.slots) AS n (slot)
    WHERE NOT EXISTS (SELECT FROM stream_lease l WHERE l.subject = s.subject AND l.slot = n.slot AND l.expires_at >= now())
      AND NOT EXISTS (SELECT FROM own WHERE own.subject = s.subject AND own.slot = n.slot)
  ), others AS (
    SELECT subject, holder, row_number() OVER (PARTITION BY subject ORDER BY position) AS turn
    FROM asked WHERE permitted AND holder NOT IN (SELECT holder FROM own)
  ), assigned AS (
    SELECT subject, holder, slot, former FROM own
    UNION ALL SELECT o.subject, o.holder, f.slot, NULL FROM others o JOIN free f USING (subject, turn)
  ), taken AS (
    INSERT INTO stream_lease AS l (subject, slot, holder, client, session, expires_at)
    SELECT a.subject, p.slot, a.holder, a.client, $7, now() + make_interval(secs => $6)
    FROM assigned p JOIN asked a USING (holder) ORDER BY a.subject, p.slot
    ON CONFLICT (subject, slot) DO UPDATE SET holder = excluded.holder, client = excluded.client, session = excluded.session,
      expires_at = excluded.expires_at
    WHERE l.expires_at < now() OR l.holder = excluded.holder OR l.client = excluded.client
    RETURNING l.holder, l.slot
  )
  SELECT a.holder, a.permitted, p.slot AS tried, t.slot, p.former
  FROM asked a LEFT JOIN assigned p USING (holder) LEFT JOIN taken t USING (holder)`;

export interface HeldSlot {
  subject: string;
  slot: number;
  holder: string;
  client: string | null;
}

/**
 * Extends slots by `ttlMs`, also if their rows have been deleted meanwhile.
 * @returns the holders that still have theirs; the others have lost them to another process
 */
export async function renewSlots(
  db: Queryable,
  held: readonly HeldSlot[],
  { ttlMs, session }: SlotLease,
): Promise<Set<string>> {
  const { rows } = await db.query<{ holder: string }>(
    `INSERT INTO stream_lease AS l (subject, slot, holder, client, session, expires_at)
     SELECT subject, slot, holder, client, $6, now() + make_interval(secs => $5)
     FROM unnest($1::text[], $2::int[], $3::text[], $4::text[]) AS h (subject, slot, holder, client) ORDER BY subject, slot
     ON CONFLICT (subject, slot) DO UPDATE SET expires_at = excluded.expires_at WHERE l.holder = excluded.holder
     RETURNING l.holder`,
    [
      held.map(({ subject }) => subject),
      held.map(({ slot }) => slot),
      held.map(({ holder }) => holder),
      held.map(({ client }) => client),
      ttlMs / 1_000,
      session,
    ],
  );
  return new Set(rows.map(({ holder }) => holder));
}

/** Releases slots. Locks rows in the same order as the other statements. */
export async function releaseSlots(
  db: Queryable,
  released: readonly Pick<HeldSlot, 'subject' | 'holder'>[],
): Promise<void> {
  await db.query(
    `DELETE FROM stream_lease WHERE (subject, slot) IN (
       SELECT l.subject, l.slot FROM unnest($1::text[], $2::text[]) AS r (subject, holder)
       JOIN stream_lease l USING (subject, holder) ORDER BY l.subject, l.slot FOR UPDATE OF l)`,
    [released.map(({ subject }) => subject), released.map(({ holder }) => holder)],
  );
}

/**
 * Frees the slots of ended processes.
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

/** Deletes the rows of processes that no longer renew them. */
export async function dropExpiredSlots(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM stream_lease WHERE (subject, slot) IN (
       SELECT subject, slot FROM stream_lease WHERE expires_at < now() FOR UPDATE SKIP LOCKED)`,
  );
}
