/** Browsers that show notifications to a member. Each row has an endpoint of a push service, which is a secret. */
import { createHash } from 'node:crypto';
import { type PoolAndClock, type Queryable, transaction } from '../../db/postgres.ts';
import { type Lang, Problem } from '../../http/index.ts';
import { withoutSecrets } from '../../wire/secret-formats.ts';
import { type Actor, audit } from '../audit.ts';
import type { SecretColumn } from '../secret-reencryption.ts';
import { encryptSecret } from '../stored-secret.ts';

export const MAX_BROWSERS = 20;
/** Bounds how long the notifications about one event take. */
const MAX_BROWSERS_IN_TOTAL = 100_000;
const MAX_AGENT_LENGTH = 200;

/** A browser's subscription, as `PushSubscription.toJSON()` in the browser gives it. */
export interface PushAddress {
  endpoint: string;
  /** base64url */
  keys: { p256dh: string; auth: string };
}

export interface PushBrowser {
  id: number;
  /** The User-Agent header. */
  agent: string;
  lang: Lang;
  created_at: Date;
  /** Hash of the session that added it. */
  session: Buffer;
}

interface Owner {
  memberId: number;
  accountId: number;
  sessionHash: Buffer;
}

interface Added {
  address: PushAddress;
  service: string;
  lang: Lang;
  agent: string;
}

type Deps = PoolAndClock & { config: { secretKeys: readonly string[] } };

const endpointHash = (endpoint: string) => createHash('sha256').update(endpoint).digest();

/** Lists a member's browsers, newest first. */
export async function listBrowsers(db: Queryable, memberId: number): Promise<PushBrowser[]> {
  const { rows } = await db.query<PushBrowser>(
    `SELECT id, agent, lang, created_at, session_hash AS session FROM push_browser WHERE member_id = $1 ORDER BY id DESC`,
    [memberId],
  );
  return rows;
}

/** Locks the member's row. @throws {Problem} conflict if there is no room for one more browser */
async function checkLimits(db: Queryable, memberId: number, hash: Buffer): Promise<void> {
  await db.query('SELECT FROM member WHERE id = $1 FOR NO KEY UPDATE', [memberId]);
  const { rows } = await db.query<{ own: number; total: number }>(
    `SELECT (SELECT count(*)::int FROM push_browser WHERE member_id = $1 AND endpoint_hash <> $2) AS own,
       (SELECT count(*)::int FROM push_browser) AS total`,
    [memberId, hash],
  );
  const { own, total } = rows[0]!;
  if (own >= MAX_BROWSERS)
    throw new Problem('conflict', `You have ${MAX_BROWSERS} browsers, which is the maximum: remove one first.`);
  if (total >= MAX_BROWSERS_IN_TOTAL) throw new Problem('conflict', 'This service has no room for more browsers.');
}

/**
 * Adds a browser, or updates it. If the endpoint belongs to a different member, it moves, because each browser has one
 * endpoint, and this member uses the browser now.
 * @throws {Problem} conflict if the member has 20 browsers
 */
export async function addBrowser(
  { pool, clock, config }: Deps,
  owner: Owner,
  added: Added,
  actor: Actor,
): Promise<void> {
  const { memberId, accountId, sessionHash } = owner;
  const { address, service, lang, agent } = added;
  const hash = endpointHash(address.endpoint);
  await transaction(pool, async (db) => {
    await checkLimits(db, memberId, hash);
    const { rows } = await db.query<{ memberId: number }>(
      'DELETE FROM push_browser WHERE endpoint_hash = $1 RETURNING member_id AS "memberId"',
      [hash],
    );
    await db.query(
      `INSERT INTO push_browser (member_id, session_hash, service, endpoint_hash, secret, lang, agent, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        memberId,
        sessionHash,
        service,
        hash,
        encryptSecret(JSON.stringify(address), config.secretKeys),
        lang,
        withoutSecrets(agent).slice(0, MAX_AGENT_LENGTH),
        new Date(clock.now()),
      ],
    );
    if (rows[0]?.memberId !== memberId) await audit(db, clock, { accountId, actor, action: 'member.browser_added' });
  });
}

/**
 * Notes that a browser still belongs to the member, in the present session.
 * @returns false if it was removed, for example on another device
 */
export async function renewBrowser(
  db: Queryable,
  { memberId, sessionHash }: Pick<Owner, 'memberId' | 'sessionHash'>,
  endpoint: string,
  lang: Lang,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE push_browser SET session_hash = $3, lang = $4 WHERE endpoint_hash = $1 AND member_id = $2',
    [endpointHash(endpoint), memberId, sessionHash, lang],
  );
  return rowCount === 1;
}

/** Removes a member's browser, by id or by endpoint. @returns whether it existed */
export function removeBrowser(
  { pool, clock }: PoolAndClock,
  { memberId, accountId }: Pick<Owner, 'memberId' | 'accountId'>,
  by: { id: number } | { endpoint: string },
  actor: Actor,
): Promise<boolean> {
  const [condition, value] = 'id' in by ? ['id = $2', by.id] : ['endpoint_hash = $2', endpointHash(by.endpoint)];
  return transaction(pool, async (db) => {
    const { rowCount } = await db.query(`DELETE FROM push_browser WHERE member_id = $1 AND ${condition}`, [
      memberId,
      value,
    ]);
    if (rowCount === 0) return false;
    await audit(db, clock, { accountId, actor, action: 'member.browser_removed' });
    return true;
  });
}

/** Removes browsers whose push service says that they are gone. */
export async function removeGoneBrowsers(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query('DELETE FROM push_browser WHERE id = ANY ($1)', [ids]);
}

/** Removes members' browsers. @param kept hash of a session whose browser stays. @returns how many there were */
export async function dropBrowsers(db: Queryable, memberIds: readonly number[], kept?: Buffer): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM push_browser WHERE member_id = ANY ($1) AND ($2::bytea IS NULL OR session_hash <> $2)',
    [memberIds, kept ?? null],
  );
  return rowCount ?? 0;
}

/** Removes the browser that a session has added. */
export async function dropBrowserOfSession(db: Queryable, sessionHash: Buffer): Promise<void> {
  await db.query('DELETE FROM push_browser WHERE session_hash = $1', [sessionHash]);
}

/** Moves a browser to the next session of the same member. If somebody else has signed in, the browser is removed. */
export async function moveBrowser(db: Queryable, memberId: number, from: Buffer, to: Buffer): Promise<void> {
  await db.query('UPDATE push_browser SET session_hash = $3 WHERE session_hash = $2 AND member_id = $1', [
    memberId,
    from,
    to,
  ]);
  await dropBrowserOfSession(db, from);
}

export const BROWSER_SECRETS: SecretColumn = {
  name: 'browser',
  async read(db, prefix) {
    const { rows } = await db.query<{ id: number; stored: string }>(
      'SELECT id, secret AS stored FROM push_browser WHERE NOT starts_with(secret, $1) ORDER BY id',
      [prefix],
    );
    return rows;
  },
  async replace(db, id, stored, replacement) {
    const { rowCount } = await db.query('UPDATE push_browser SET secret = $3 WHERE id = $1 AND secret = $2', [
      id,
      stored,
      replacement,
    ]);
    return rowCount === 1;
  },
};
