/**
 * An account's audit log in the order in which its entries became visible, for readers who go on after a cursor. Ids are no such
 * order: they are assigned before a transaction ends, so an entry may appear after one with a higher id. Therefore the first
 * reader who sees an entry numbers it.
 */
import type pg from 'pg';
import { z } from 'zod';
import { type Queryable, transaction } from '../db/postgres.ts';
import { timestamp } from '../wire/time.ts';
import { COLUMNS } from './audit.ts';

/** Wire format for an entry. */
export const auditEvent = z
  .strictObject({
    cursor: z.int().meta({ description: 'Position in the log of the account; later entries have higher ones' }),
    id: z.int(),
    at: timestamp,
    actor: z.string().meta({ description: 'An email, `key 12`, `operator` or `system`' }),
    address: z.string().nullable(),
    by_operator: z.boolean().meta({ description: 'Whether the actor was an operator of this service' }),
    action: z.string().meta({ description: 'Such as `key.created`' }),
    target: z.string().nullable().meta({ description: 'Such as `key 12`' }),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.output<typeof auditEvent>;

/** Limit on the entries that one transaction numbers. */
const NUMBERED_AT_ONCE = 10_000;

const NUMBER = `WITH last AS (
    SELECT coalesce(max(cursor), 0) AS cursor FROM audit_entry WHERE account_id = $1
  ), fresh AS (
    SELECT id, row_number() OVER (ORDER BY id) AS number
    FROM (SELECT id FROM audit_entry WHERE account_id = $1 AND cursor IS NULL ORDER BY id LIMIT ${NUMBERED_AT_ONCE}) oldest
  )
  UPDATE audit_entry e SET cursor = last.cursor + fresh.number FROM last, fresh WHERE e.id = fresh.id`;

/** Numbers an account's new entries, oldest first. @returns how many were new */
export async function numberEntries(pool: pg.Pool, accountId: number): Promise<number> {
  const { rows } = await pool.query('SELECT FROM audit_entry WHERE account_id = $1 AND cursor IS NULL LIMIT 1', [
    accountId,
  ]);
  if (rows.length === 0) return 0;
  return transaction(pool, async (db) => {
    // Readers number one after the other, so that entries that end meanwhile get higher numbers.
    await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`audit ${accountId}`]);
    const { rowCount } = await db.query(NUMBER, [accountId]);
    return rowCount ?? 0;
  });
}

/** Reads numbered entries, oldest first. @param after the cursor of the last known entry, or 0 */
export async function readNumbered(
  db: Queryable,
  accountId: number,
  after: number,
  limit: number,
): Promise<AuditEvent[]> {
  const { rows } = await db.query<AuditEvent>(
    `SELECT e.cursor, ${COLUMNS} FROM audit_entry e WHERE e.account_id = $1 AND e.cursor IS NOT NULL AND e.cursor > $2 ORDER BY e.cursor LIMIT $3`,
    [accountId, after, limit],
  );
  return rows;
}

/** Reads a page of entries, oldest first. @param after the cursor of the last known entry, or 0 */
export async function readAuditEvents(
  pool: pg.Pool,
  accountId: number,
  after: number,
  limit: number,
): Promise<{ events: AuditEvent[]; has_more: boolean }> {
  const numbered = await numberEntries(pool, accountId);
  const rows = await readNumbered(pool, accountId, after, limit + 1);
  return { events: rows.slice(0, limit), has_more: rows.length > limit || numbered === NUMBERED_AT_ONCE };
}

const EXPORTED_AT_ONCE = 1_000;

/** Reads all entries, oldest first, in batches. */
export async function* auditBatches(pool: pg.Pool, accountId: number): AsyncGenerator<AuditEvent[]> {
  for (let after = 0, isMore = true; isMore; ) {
    const { events, has_more } = await readAuditEvents(pool, accountId, after, EXPORTED_AT_ONCE);
    if (events.length > 0) yield events;
    after = events.at(-1)?.cursor ?? after;
    isMore = has_more;
  }
}
