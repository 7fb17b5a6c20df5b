/**
 * The statements about connection slots in the release before `stream_process`, whose processes still run during a
 * rolling update.
 */
import type { Queryable } from '../../src/db/postgres.ts';

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

const RENEW = `INSERT INTO stream_lease AS l (subject, slot, holder, client, session, expires_at)
  SELECT subject, slot, holder, client, $6, now() + make_interval(secs => $5)
  FROM unnest($1::text[], $2::int[], $3::text[], $4::text[]) AS h (subject, slot, holder, client) ORDER BY subject, slot
  ON CONFLICT (subject, slot) DO UPDATE SET expires_at = excluded.expires_at WHERE l.holder = excluded.holder
  RETURNING l.holder`;

interface HeldSlot {
  subject: string;
  slot: number;
  holder: string;
  client: string | null;
}

/**
 * One process of that release.
 * @param process a name with 12 characters
 * @param ttlMs how long its slots live
 */
export function earlierProcess(db: Queryable, process: string, ttlMs: number) {
  let connections = 0;
  let held: HeldSlot[] = [];
  return {
    held: () => held,
    /** @returns whether the process got a slot */
    async acquire(subject: string, slots: number, client: string | null = null): Promise<boolean> {
      connections += 1;
      const holder = `${process}-${connections}`;
      const { rows } = await db.query<{ slot: number | null }>(CLAIM, [
        [subject],
        [slots],
        [holder],
        [client],
        [null],
        ttlMs / 1_000,
        null,
      ]);
      const { slot } = rows[0]!;
      if (slot !== null) held.push({ subject, slot, holder, client });
      return slot !== null;
    },
    /** Ends the connections that have lost their slots. */
    async renew(): Promise<void> {
      const { rows } = await db.query<{ holder: string }>(RENEW, [
        held.map(({ subject }) => subject),
        held.map(({ slot }) => slot),
        held.map(({ holder }) => holder),
        held.map(({ client }) => client),
        ttlMs / 1_000,
        null,
      ]);
      held = held.filter(({ holder }) => rows.some((row) => row.holder === holder));
    },
    async dropExpired(): Promise<void> {
      await db.query(
        'DELETE FROM stream_lease WHERE (subject, slot) IN (SELECT subject, slot FROM stream_lease WHERE expires_at < now() FOR UPDATE SKIP LOCKED)',
      );
    },
  };
}
