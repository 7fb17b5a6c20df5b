/** Finds the sessions that are still valid, for what outlives the request that a member made. */
import type { Queryable } from '../../db/postgres.ts';

/** @returns the sessions, as hexadecimal hashes, that have not ended and whose account is not suspended */
export async function lastingSessions(
  db: Queryable,
  now: number,
  hashes: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ hash: Buffer }>(
    `SELECT s.hash FROM member_session s JOIN member m ON m.id = s.member_id JOIN account a ON a.id = m.account_id
     WHERE s.hash = ANY ($1::bytea[]) AND NOT s.awaits_code AND s.expires_at > $2 AND a.suspended_at IS NULL`,
    [hashes, new Date(now)],
  );
  return new Set(rows.map(({ hash }) => hash.toString('hex')));
}
