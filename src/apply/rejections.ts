/** Updates that were rejected, stored for a while with their errors. */
import type { Queryable } from '../db/postgres.ts';
import type { Fault } from '../wire/fault.ts';
import { DAY_MS, wireTime } from '../wire/time.ts';

/** How long rejected updates and deletions are stored. No provider sends an update later than this. */
const RETENTION_MS = 30 * DAY_MS;

/** An update as it was sent, with its errors. */
export interface Rejection {
  /** Null if unknown. */
  provider: string | null;
  text: string;
  errors: readonly Fault[];
}

/** Stores rejections in the given order. @param receivedAt ms since 1970 */
export async function storeRejections(
  client: Queryable,
  receivedAt: number,
  rejections: readonly Rejection[],
): Promise<void> {
  await client.query(
    `INSERT INTO feed_rejection (received_at, provider, update_text, errors)
     SELECT to_timestamp($1 / 1000.0), provider, update_text, errors
     FROM unnest($2::text[], $3::text[], $4::jsonb[]) WITH ORDINALITY AS r (provider, update_text, errors, position) ORDER BY position`,
    [
      receivedAt,
      rejections.map(({ provider }) => provider),
      // Postgres text cannot hold NUL.
      rejections.map(({ text }) => text.replaceAll('\0', '\\u0000')),
      rejections.map(({ errors }) => JSON.stringify(errors).replaceAll('\\u0000', '\\\\u0000')),
    ],
  );
}

/** Deletes rejections and deletions older than 30 days. @param now ms since 1970 */
export async function deleteOldRejections(db: Queryable, now: number): Promise<void> {
  const since = now - RETENTION_MS;
  await db.query('DELETE FROM feed_rejection WHERE received_at < $1', [wireTime(since)]);
  await db.query('DELETE FROM match_deletion WHERE observed_at < $1', [since]);
}
