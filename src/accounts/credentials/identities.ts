/** Identities: who a person is at an identity provider. The issuer and the subject never change; an address may. */
import type { Queryable } from '../../db/postgres.ts';
import { Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';

export interface Identity {
  issuer: string;
  /** Identifies the person at this issuer for ever. */
  subject: string;
}

/** Makes concurrent sign-ins of the same person, and changes of the address, wait. */
export async function lockIdentity(db: Queryable, { issuer, subject }: Identity, email: string): Promise<void> {
  for (const key of [`identity ${issuer} ${subject}`, `email ${email}`])
    await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
}

/** @returns the member's id */
export async function findIdentity(db: Queryable, { issuer, subject }: Identity): Promise<number | null> {
  const { rows } = await db.query<{ member_id: number }>(
    'SELECT member_id FROM member_identity WHERE issuer = $1 AND subject = $2',
    [issuer, subject],
  );
  return rows[0]?.member_id ?? null;
}

/** Whether the member has ever signed in at an identity provider. */
export async function hasIdentity(db: Queryable, memberId: number): Promise<boolean> {
  const { rows } = await db.query('SELECT FROM member_identity WHERE member_id = $1 LIMIT 1', [memberId]);
  return rows.length > 0;
}

/**
 * @throws {Problem} key_not_permitted if the member has another identity at the issuer, so that the address belonged to a different
 *   person before
 */
export async function addIdentity(
  db: Queryable,
  clock: Clock,
  { issuer, subject }: Identity,
  memberId: number,
): Promise<void> {
  const { rows } = await db.query('SELECT FROM member_identity WHERE member_id = $1 AND issuer = $2', [
    memberId,
    issuer,
  ]);
  if (rows.length > 0)
    throw new Problem(
      'key_not_permitted',
      'A different person of your company has this address here. Ask an owner of the organisation.',
    );
  await db.query('INSERT INTO member_identity (issuer, subject, member_id, created_at) VALUES ($1, $2, $3, $4)', [
    issuer,
    subject,
    memberId,
    new Date(clock.now()),
  ]);
}

/** @returns how many there were */
export async function dropIdentities(db: Queryable, memberIds: readonly number[]): Promise<number> {
  const { rowCount } = await db.query('DELETE FROM member_identity WHERE member_id = ANY ($1)', [memberIds]);
  return rowCount ?? 0;
}
