/**
 * Two accounts, a suspended account, and all kinds of callers, for tests that send every route each caller's request.
 */
import { randomBytes } from 'node:crypto';
import { insertPasskey } from '../../src/accounts/credentials/passkeys.ts';
import { sessionCookie } from '../../src/accounts/credentials/session-cookie.ts';
import { createSession } from '../../src/accounts/credentials/sessions.ts';
import { createAccountKey } from '../../src/accounts/keys/manage-keys.ts';
import { rolePermissions } from '../../src/accounts/roles.ts';
import type { Role } from '../../src/http/index.ts';
import { createGuard } from '../../src/outbound/address-guard.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { createKey } from './accounts.ts';
import type { SampleService } from './sample-service.ts';
import { storeSingleSignOn } from './single-sign-on.ts';
import { DEFAULT_POLICY } from './webhook-policy.ts';

/** An account that has one of everything an account can have. */
export interface MatrixAccount {
  email: string;
  accountId: number;
  memberId: number;
  sk: string;
  pk: string;
  revoked: string;
  /** A text that appears only in this account's data. */
  mark: string;
  /** Ids, by the word before the id in a path. */
  ids: {
    keys: number;
    sessions: number;
    webhooks: number;
    deliveries: string;
    notifications: number;
    passkeys: number;
    members: number;
    organisations: number;
    'member-invitations': number;
  };
}

const PLAN = 'sample';

export async function createMatrixAccount(service: SampleService, name: string): Promise<MatrixAccount> {
  const { running, plans } = service;
  const { pool, clock } = running.deps;
  const email = `${name}@matrix.example.com`;
  const mark = `belongs-to-${name}`;
  const create = (kind: 'sk' | 'pk') => createKey(pool, clock, { email, plan: PLAN, kind, name: mark }, plans);
  const [{ key: sk, keyId, accountId }, { key: pk }, revoked] = [
    await create('sk'),
    await create('pk'),
    await create('sk'),
  ];
  await pool.query('UPDATE api_key SET revoked_at = $1 WHERE id = $2', [new Date(clock.now()), revoked.keyId]);
  const { rows } = await pool.query<{ id: number }>(
    'INSERT INTO member (account_id, email, created_at) VALUES ($1, $2, $3) RETURNING id',
    [accountId, email, new Date(clock.now())],
  );
  const account = { email, accountId, memberId: rows[0]!.id, sk, pk, revoked: revoked.key, mark };
  await storeSingleSignOn(service.running.deps, accountId, mark, `${name}.example.com`);
  const sessions = await createMatrixSession(service, account);
  const ids = {
    keys: keyId,
    sessions,
    notifications: await createMatrixBrowser(service, account),
    passkeys: await createMatrixPasskey(service, account),
    members: account.memberId,
    organisations: accountId,
    'member-invitations': await createMatrixInvitation(service, account),
  };
  return { ...account, ids: { ...ids, ...(await createMatrixWebhook(service, account)) } };
}

/** Creates a person with a role in the account, with a session and a browser. @returns the account as this person sees it */
export async function createMatrixMember(
  service: SampleService,
  account: MatrixAccount,
  role: Role,
): Promise<MatrixAccount> {
  const { pool } = service.running.deps;
  const email = `${role}-${randomBytes(6).toString('hex')}@matrix.example.com`;
  const { rows } = await pool.query<{ id: number }>(
    'INSERT INTO member (email, created_at) VALUES ($1, now()) RETURNING id',
    [email],
  );
  const memberId = rows[0]!.id;
  await pool.query('INSERT INTO membership (account_id, member_id, role, created_at) VALUES ($1, $2, $3, now())', [
    account.accountId,
    memberId,
    role,
  ]);
  const sessions = await createMatrixSession(service, { memberId });
  const notifications = await createMatrixBrowser(service, { memberId });
  const passkeys = await createMatrixPasskey(service, { memberId });
  return { ...account, memberId, ids: { ...account.ids, sessions, notifications, passkeys } };
}

/** Creates an open invitation to the account. @returns its id */
export async function createMatrixInvitation(
  { running }: SampleService,
  { accountId, memberId, mark }: Pick<MatrixAccount, 'accountId' | 'memberId' | 'mark'>,
): Promise<number> {
  const hash = randomBytes(32);
  const { rows } = await running.deps.pool.query<{ id: number }>(
    `INSERT INTO member_invitation (account_id, hash, email, role, invited_by, mailed, created_at, expires_at)
     VALUES ($1, $2, $3, 'viewer', $4, false, now(), now() + interval '1 day') RETURNING id`,
    [accountId, hash, `${hash.toString('hex').slice(0, 12)}@${mark}.example.com`, memberId],
  );
  return rows[0]!.id;
}

/** Creates a personal key, which a request of this person may change or revoke. */
export async function createMatrixKey({ running }: SampleService, account: MatrixAccount): Promise<number> {
  const { pool, clock } = running.deps;
  const { accountId, memberId, email, mark } = account;
  const owner = {
    accountId,
    memberId,
    actor: { name: email, address: null },
    permissions: rolePermissions('developer'),
  };
  return (await createAccountKey(pool, clock, owner, { name: mark })).keyId;
}

/** Creates a session. @returns its id */
export async function createMatrixSession(
  { running }: SampleService,
  { memberId }: Pick<MatrixAccount, 'memberId'>,
): Promise<number> {
  const { pool, clock } = running.deps;
  await createSession(pool, clock, memberId, { address: '192.0.2.7', agent: 'matrix' });
  const { rows } = await pool.query<{ id: number }>('SELECT max(id) AS id FROM member_session WHERE member_id = $1', [
    memberId,
  ]);
  return rows[0]!.id;
}

/** Creates a browser that is notified. @returns its id */
export async function createMatrixBrowser(
  { running }: SampleService,
  { memberId }: Pick<MatrixAccount, 'memberId'>,
): Promise<number> {
  const { rows } = await running.deps.pool.query<{ id: number }>(
    `INSERT INTO push_browser (member_id, session_hash, service, endpoint_hash, secret, lang, agent, created_at)
     VALUES ($1, $2, 'google', $2, 'v1.', 'en', 'matrix', now()) RETURNING id`,
    [memberId, randomBytes(32)],
  );
  return rows[0]!.id;
}

/** Creates a subscription that no dispatcher serves, with a failed delivery. */
export async function createMatrixWebhook(
  { running, plans, receiverUrl }: SampleService,
  { email, mark }: Pick<MatrixAccount, 'email' | 'mark'>,
): Promise<{ webhooks: number; deliveries: string }> {
  const { pool, clock, config } = running.deps;
  const guard = createGuard({ allow: ['http://127.0.0.1:*'] });
  const deps = { pool, clock, guard, secretKeys: config.secretKeys, policy: DEFAULT_POLICY, plans };
  const settings = { account: email, url: receiverUrl, description: mark, dispatcherGroup: 'none' };
  const { id } = await createSubscription(deps, settings);
  const delivery = `dlv_${id}_4711_3`;
  await pool.query(
    `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, created_at, updated_at)
     VALUES ($1, $2, 'evt_4711_3', 'match.goal', '{"id":"evt_4711_3","type":"match.goal","data":{}}', 'failed', 7, $3, $3)`,
    [delivery, id, new Date(clock.now() - 60_000)],
  );
  return { webhooks: id, deliveries: delivery };
}

/**
 * Creates a session. Each request needs a new one, since some requests end it.
 * @returns the Cookie header
 */
export async function signInAs({ running }: SampleService, { memberId }: MatrixAccount): Promise<string> {
  const { pool, clock } = running.deps;
  const token = await createSession(pool, clock, memberId, { address: '192.0.2.7', agent: 'matrix' });
  return sessionCookie(token, false).split(';')[0]!;
}

/**
 * Returns everything in the account that a request could change, as text. If the text is the same before and after a
 * request, nothing has changed.
 */
export async function contentsOf({ running }: SampleService, { accountId }: MatrixAccount): Promise<string> {
  const tables: Record<string, string> = {
    account: 'id',
    api_key: 'account_id',
    member: 'account_id',
    audit_entry: 'account_id',
    webhook_subscription: 'account_id',
    idempotent_request: 'account_id',
    membership: 'account_id',
    single_sign_on: 'account_id',
    single_sign_on_domain: 'account_id',
    member_invitation: 'account_id',
    ownership_offer: 'account_id',
  };
  const { pool } = running.deps;
  const read = async (sql: string) => (await pool.query(sql, [accountId])).rows;
  const contents: unknown[] = [
    await read(
      'SELECT b.* FROM push_browser b JOIN member m ON m.id = b.member_id WHERE m.account_id = $1 ORDER BY b.id',
    ),
    await read(
      'SELECT d.* FROM webhook_delivery d JOIN webhook_subscription s ON s.id = d.subscription_id WHERE s.account_id = $1 ORDER BY d.id',
    ),
  ];
  // Leaves out each key's last use, which any request updates.
  for (const [table, column] of Object.entries(tables))
    contents.push(
      await read(
        `SELECT to_jsonb(t) - 'last_used_at' - 'last_used_from' AS row FROM ${table} t WHERE ${column} = $1 ORDER BY to_jsonb(t)::text`,
      ),
    );
  return JSON.stringify(contents);
}

/** Creates a passkey that a request may remove. @returns its id */
export async function createMatrixPasskey(
  { running }: SampleService,
  { memberId }: Pick<MatrixAccount, 'memberId'>,
): Promise<number> {
  const { pool, clock } = running.deps;
  const credential = randomBytes(16).toString('base64url');
  const made = {
    name: 'matrix',
    credential,
    publicKey: randomBytes(64),
    counter: 0,
    rpId: 'example.com',
    transports: [],
  };
  return insertPasskey(pool, clock, memberId, made);
}
