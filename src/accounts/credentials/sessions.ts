/** Member sessions. Each has a random token in a cookie, and the token's hash in Postgres. */
import type { Queryable } from '../../db/postgres.ts';
import { type MemberPrincipal, Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createSecret, withoutSecrets } from '../../wire/secret-formats.ts';
import { DAY_MS, MINUTE_MS } from '../../wire/time.ts';
import { rolePermissions } from '../roles.ts';
import { tokenHash } from './member-tokens.ts';
import { dropBrowserOfSession, moveBrowser } from './push-browsers.ts';
import { HAS_SECOND_FACTOR } from './second-factor.ts';
import { SESSION_LIFETIME_MS, sessionHash } from './session-cookie.ts';

/** A session ends after this long without a request. */
const IDLE_MS = 14 * DAY_MS;
/** How long a member may take to enter the second factor code. */
const CODE_MS = 10 * MINUTE_MS;
/** Minimum time between two updates of the last use. */
const SEEN_EVERY_MS = 5 * MINUTE_MS;
const MAX_AGENT_LENGTH = 200;
/** Maximum number of sessions that are listed for a member. */
export const MAX_LISTED_SESSIONS = 100;

/** The browser in a session. */
export interface Client {
  address: string;
  /** The User-Agent header. */
  agent: string;
}

/** How a sign-in was proved. */
export interface Origin {
  /** The organisation at whose identity provider. Null if it was not at one. */
  provider: number | null;
  /** When, in ms since 1970. */
  provedAt: number;
}

/**
 * SQL for the organisations `b` of the person `m` that a session reaches. Suspended ones do not count, nor do those that require a
 * sign-in at their identity provider for the domain of the person's address, unless the session began there. Their emergency owner is
 * excepted.
 * @param provider SQL for the organisation at whose provider the session began
 */
const reachedSql = (provider: string) => `b.member_id = m.id AND a.suspended_at IS NULL AND NOT EXISTS (
    SELECT FROM single_sign_on o JOIN single_sign_on_domain d ON d.account_id = o.account_id AND d.verified_at IS NOT NULL
      AND d.domain = lower(substring(m.email from '[^@]*$'))
    WHERE o.account_id = b.account_id AND o.required AND o.account_id IS DISTINCT FROM ${provider}
      AND NOT (o.emergency_member_id = m.id AND b.role = 'owner'
        AND ${HAS_SECOND_FACTOR}))`;

/**
 * SQL for the membership for which a session of the person `m` acts: the organisation that was chosen in the session, otherwise the
 * home account, otherwise the oldest one.
 */
const chosenSql = (session: string, provider: string) => `SELECT b.account_id, b.role, a.plan, a.awaits_verification
  FROM membership b JOIN account a ON a.id = b.account_id WHERE ${reachedSql(provider)}
  ORDER BY b.account_id IS DISTINCT FROM ${session}, b.account_id IS DISTINCT FROM m.account_id, b.account_id LIMIT 1`;
const WITH_CHOSEN = `JOIN member m ON m.id = s.member_id
  JOIN LATERAL (${chosenSql('s.account_id', 's.provider_account_id')}) c ON true`;

/** Whether a person may sign in with a password or a passkey, because an organisation can be reached without its provider. */
export async function needsNoProvider(db: Queryable, memberId: number): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM member m JOIN membership b ON b.member_id = m.id JOIN account a ON a.id = b.account_id
     WHERE m.id = $1 AND ${reachedSql('NULL')} LIMIT 1`,
    [memberId],
  );
  return rows.length > 0;
}

/**
 * Always creates a new token. If an attacker planted a token before the sign-in (session fixation), it is therefore
 * useless.
 * @param code says whether the second factor code is missing, was given, or is not needed
 * @param origin how the sign-in was proved; by default here and now
 * @returns the token, for the cookie
 */
export async function createSession(
  db: Queryable,
  clock: Clock,
  memberId: number,
  { address, agent }: Client,
  code: 'missing' | 'given' | 'unneeded' = 'unneeded',
  { provider, provedAt }: Origin = { provider: null, provedAt: clock.now() },
): Promise<string> {
  const token = createSecret('session');
  const now = clock.now();
  await db.query('DELETE FROM member_session WHERE expires_at < $1', [new Date(now)]);
  await db.query(
    `INSERT INTO member_session (hash, member_id, account_id, awaits_code, created_at, seen_at, expires_at, address, agent, confirmed_at, proved_at,
       provider_account_id)
     VALUES ($1, $2, coalesce($9, (SELECT c.account_id FROM member m JOIN LATERAL (${chosenSql('NULL', 'NULL')}) c ON true WHERE m.id = $2)),
       $3, $4, $4, $5, $6, $7, $8, $10, $9)`,
    [
      tokenHash(token),
      memberId,
      code === 'missing',
      new Date(now),
      new Date(now + (code === 'missing' ? CODE_MS : IDLE_MS)),
      address,
      withoutSecrets(agent).slice(0, MAX_AGENT_LENGTH),
      code === 'given' ? new Date(now) : null,
      provider,
      new Date(Math.min(provedAt, now)),
    ],
  );
  return token;
}

/** Records that the member has given the password, or the second factor, in this open session. */
export async function confirmSession(
  db: Queryable,
  clock: Clock,
  hash: Buffer,
  by: 'password' | 'factor',
): Promise<void> {
  await db.query(
    'UPDATE member_session SET proved_at = $2, confirmed_at = CASE WHEN $3 THEN $2 ELSE confirmed_at END WHERE hash = $1',
    [hash, new Date(clock.now()), by === 'factor'],
  );
}

interface SessionRow
  extends Omit<MemberPrincipal, 'kind' | 'permissions' | 'sessionHash' | 'confirmedAt' | 'provedAt'> {
  created_at: Date;
  seen_at: Date;
  confirmed_at: Date | null;
  proved_at: Date;
}

async function readSession(db: Queryable, clock: Clock, hash: Buffer, awaitsCode: boolean): Promise<SessionRow | null> {
  const { rows } = await db.query<SessionRow>(
    `SELECT m.id AS "memberId", c.account_id AS "accountId", c.role, m.email, c.plan, c.awaits_verification AS "awaitsVerification",
       m.operator_since IS NOT NULL AS "isOperator", ${HAS_SECOND_FACTOR} AS "hasSecondFactor", m.language, s.created_at, s.seen_at, s.confirmed_at,
       coalesce(s.proved_at, s.created_at) AS proved_at
     FROM member_session s ${WITH_CHOSEN} WHERE s.hash = $1 AND s.awaits_code = $2 AND s.expires_at > $3`,
    [hash, awaitsCode, new Date(clock.now())],
  );
  return rows[0] ?? null;
}

/** @returns null if no member is signed in */
export async function findMember(
  db: Queryable,
  clock: Clock,
  cookies: string | undefined,
  secure: boolean,
): Promise<MemberPrincipal | null> {
  const hash = sessionHash(cookies, secure);
  if (hash === null) return null;
  const row = await readSession(db, clock, hash, false);
  if (row === null) return null;
  const { created_at, seen_at, confirmed_at, proved_at, ...member } = row;
  const now = clock.now();
  if (now - seen_at.getTime() > SEEN_EVERY_MS) {
    const expires = Math.min(now + IDLE_MS, created_at.getTime() + SESSION_LIFETIME_MS);
    await db.query('UPDATE member_session SET seen_at = $2, expires_at = $3 WHERE hash = $1', [
      hash,
      new Date(now),
      new Date(expires),
    ]);
  }
  return {
    kind: 'member',
    ...member,
    permissions: rolePermissions(member.role),
    sessionHash: hash,
    confirmedAt: confirmed_at?.getTime() ?? null,
    provedAt: proved_at.getTime(),
  };
}

/** Finds the member who has given the password and still has to give the second factor code. */
export async function findAwaitingCode(
  db: Queryable,
  clock: Clock,
  cookies: string | undefined,
  secure: boolean,
): Promise<{ memberId: number; hash: Buffer } | null> {
  const hash = sessionHash(cookies, secure);
  const row = hash === null ? null : await readSession(db, clock, hash, true);
  return row === null ? null : { memberId: row.memberId, hash: hash! };
}

/** Ends a session and the notifications in its browser. @returns false if the session had already ended */
export async function endSession(db: Queryable, hash: Buffer): Promise<boolean> {
  await dropBrowserOfSession(db, hash);
  return (await removeSession(db, hash)) !== null;
}

/**
 * Creates the session that replaces another one in the same browser. Notifications in the browser stay if they are for the
 * same member.
 * @param before null if there is none
 * @returns the token; null if the session before had to be open and has ended
 */
export async function replaceSession(
  db: Queryable,
  clock: Clock,
  before: { hash: Buffer; isRequired: boolean } | null,
  memberId: number,
  client: Client,
  code: 'missing' | 'given' | 'unneeded',
  origin?: Origin,
): Promise<string | null> {
  const ended = before === null ? null : await removeSession(db, before.hash);
  if (before?.isRequired === true && ended === null) return null;
  // A session that has to be open is the first step of the same sign-in.
  const begun = before?.isRequired === true ? { provider: ended!.provider, provedAt: clock.now() } : origin;
  const token = await createSession(db, clock, memberId, client, code, begun);
  if (before !== null) await moveBrowser(db, memberId, before.hash, tokenHash(token));
  return token;
}

async function removeSession(db: Queryable, hash: Buffer): Promise<{ provider: number | null } | null> {
  const { rows } = await db.query<{ provider: number | null }>(
    'DELETE FROM member_session WHERE hash = $1 RETURNING provider_account_id AS provider',
    [hash],
  );
  return rows[0] ?? null;
}

/**
 * @param except a session that does not end
 * @returns how many sessions have ended
 */
export async function endSessions(db: Queryable, memberId: number, except?: Buffer): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM member_session WHERE member_id = $1 AND ($2::bytea IS NULL OR hash <> $2)',
    [memberId, except ?? null],
  );
  return rowCount ?? 0;
}

/**
 * Ends the sessions that act for an account, and the notifications in their browsers.
 * @param memberId if set, only this person's sessions
 * @returns how many there were
 */
export async function endAccountSessions(
  db: Queryable,
  accountId: number,
  { memberId, kept }: { memberId?: number | undefined; kept?: Buffer | undefined } = {},
): Promise<number> {
  const { rows } = await db.query<{ hash: Buffer }>(
    `DELETE FROM member_session s USING member m, membership b
     WHERE m.id = s.member_id AND b.member_id = m.id AND b.account_id = $1
       AND ($2::bigint IS NULL OR m.id = $2) AND ($3::bytea IS NULL OR s.hash <> $3)
       AND coalesce(s.account_id, m.account_id, (SELECT min(o.account_id) FROM membership o WHERE o.member_id = m.id)) = $1
     RETURNING s.hash`,
    [accountId, memberId ?? null, kept ?? null],
  );
  for (const { hash } of rows) await dropBrowserOfSession(db, hash);
  return rows.length;
}

/**
 * Chooses the organisation for which a session acts.
 * @returns false if the person does not belong to it, or if it is suspended
 */
export async function chooseAccount(
  db: Queryable,
  { memberId, sessionHash }: Pick<MemberPrincipal, 'memberId' | 'sessionHash'>,
  accountId: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE member_session s SET account_id = a.id FROM membership b JOIN account a ON a.id = b.account_id
     WHERE s.hash = $1 AND s.member_id = $2 AND b.member_id = $2 AND a.id = $3 AND a.suspended_at IS NULL`,
    [sessionHash, memberId, accountId],
  );
  return rowCount === 1;
}

export interface ListedSession {
  id: number;
  hash: Buffer;
  memberId: number;
  accountId: number;
  email: string;
  created_at: Date;
  seen_at: Date;
  address: string;
  /** The User-Agent header. */
  agent: string;
}

export interface SessionFilter {
  memberId?: number;
  accountId?: number;
  /** Part of the member's email, case-insensitive. */
  email?: string | undefined;
  /** Lists only sessions older than the one with this id. */
  before?: number | undefined;
}

/** Lists signed-in sessions, most recently used first for one member or account, and newest first for all accounts. */
export async function listSessions(
  db: Queryable,
  clock: Clock,
  { memberId, accountId, email, before }: SessionFilter = {},
  limit = MAX_LISTED_SESSIONS,
): Promise<ListedSession[]> {
  await nameSessions(db);
  const order = memberId === undefined && accountId === undefined ? 's.id' : 's.seen_at';
  const { rows } = await db.query<ListedSession>(
    `SELECT s.id, s.hash, m.id AS "memberId", c.account_id AS "accountId", m.email, s.created_at, s.seen_at, s.address, s.agent
     FROM member_session s ${WITH_CHOSEN}
     WHERE s.id IS NOT NULL AND NOT s.awaits_code AND s.expires_at > $1
       AND ($2::bigint IS NULL OR m.id = $2) AND ($3::bigint IS NULL OR c.account_id = $3)
       AND ($4::text IS NULL OR strpos(lower(m.email), lower($4)) > 0) AND ($5::bigint IS NULL OR s.id < $5)
     ORDER BY ${order} DESC LIMIT $6`,
    [new Date(clock.now()), memberId ?? null, accountId ?? null, email ?? null, before ?? null, limit],
  );
  return rows;
}

/** Assigns ids to sessions made by a version without ids, in batches. */
async function nameSessions(db: Queryable): Promise<void> {
  await db.query(
    `UPDATE member_session SET id = DEFAULT
     WHERE hash IN (SELECT hash FROM member_session WHERE id IS NULL LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
  );
}

type EndedSession = Pick<ListedSession, 'hash' | 'accountId' | 'address' | 'agent'>;

/**
 * Ends one session if it belongs to this member or acts for this account, and the notifications in its browser.
 * @returns the session, for the audit log
 * @throws {Problem} not_found, also for another member's session
 */
export async function endSessionById(
  db: Queryable,
  { accountId, memberId }: { accountId?: number; memberId?: number },
  id: number,
): Promise<EndedSession> {
  const { rows } = await db.query<EndedSession>(
    `WITH found AS (SELECT s.hash, c.account_id FROM member_session s ${WITH_CHOSEN}
       WHERE s.id = $1 AND NOT s.awaits_code AND ($2::bigint IS NULL OR c.account_id = $2) AND ($3::bigint IS NULL OR m.id = $3))
     DELETE FROM member_session s USING found f WHERE s.hash = f.hash
     RETURNING s.hash, f.account_id AS "accountId", s.address, s.agent`,
    [id, accountId ?? null, memberId ?? null],
  );
  if (rows[0] === undefined) throw new Problem('not_found', `There is no session ${id}.`);
  await dropBrowserOfSession(db, rows[0].hash);
  return rows[0];
}

/**
 * Returns those of the given sessions that are still valid. For work that outlives a member's request, such as a live
 * page.
 * @returns hexadecimal hashes of the sessions that have not ended and whose member belongs to an account that is not suspended
 */
export async function lastingSessions(
  db: Queryable,
  now: number,
  hashes: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ hash: Buffer }>(
    `SELECT s.hash FROM member_session s ${WITH_CHOSEN}
     WHERE s.hash = ANY ($1::bytea[]) AND NOT s.awaits_code AND s.expires_at > $2`,
    [hashes, new Date(now)],
  );
  return new Set(rows.map(({ hash }) => hash.toString('hex')));
}
