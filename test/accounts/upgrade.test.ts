/**
 * Upgrades a database that version 0.2.0 has used, up to its last migration. No session, key or link ends, and pods with version 0.2.0
 * may still write during the rollout. The statements come from that version.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { PasswordHasher } from '../../src/accounts/members/password-hasher.ts';
import { encryptSecret } from '../../src/accounts/stored-secret.ts';
import { routes as catalogueRoutes } from '../../src/catalogue/routes.ts';
import { migratePostgres } from '../../src/db/migrate.ts';
import { type AccountApp, PASSWORD, startAccountApp } from '../support/account-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { testMigrations } from '../support/test-migrations.ts';

const LAST_OF_0_2_0 = '0072_event_log_lost.sql';
const SECRET_KEY = 'a-secret-key-of-the-tests';
const HOUR_MS = 3_600_000;
/** When the app's clock starts. */
const NOW = Date.parse('2026-03-01T12:00:00Z');

const hashOf = (text: string) => createHash('sha256').update(text).digest();
/** Creates a token for a session, link or calendar. */
const newToken = () => randomBytes(32).toString('base64url');

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
function newKey(kind: 'sk' | 'pk'): string {
  const text = `${kind}_live_${[...randomBytes(32)].map((byte) => DIGITS[byte % 62]).join('')}`;
  let digits = '';
  for (let rest = crc32(text); digits.length < 6; rest = Math.floor(rest / 62)) digits = DIGITS[rest % 62] + digits;
  return text + digits;
}

/** Writes like a pod with version 0.2.0. */
class Release020 {
  readonly db: TestDatabase;
  constructor(db: TestDatabase) {
    this.db = db;
  }

  async #id(sql: string, values: unknown[]): Promise<number> {
    const { rows } = await this.db.pool.query<{ id: number }>(`${sql} RETURNING id`, values);
    return rows[0]!.id;
  }

  async signUp(email: string, password: string): Promise<{ accountId: number; memberId: number }> {
    const accountId = await this.#id(
      `INSERT INTO account (email, plan, created_at, signed_up_from, awaits_verification, suspended_at, awaits_approval)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (lower(email)) DO NOTHING`,
      [email, 'pro', new Date(NOW), null, false, null, false],
    );
    const memberId = await this.#id(
      'INSERT INTO member (account_id, email, password, created_at) VALUES ($1, $2, $3, $4)',
      [accountId, email, password, new Date(NOW)],
    );
    await this.db.pool.query(
      `INSERT INTO audit_entry (account_id, at, actor, address, by_operator, action, target, details)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [accountId, new Date(NOW), email, '192.0.2.7', false, 'account.created', null, JSON.stringify({ plan: 'pro' })],
    );
    return { accountId, memberId };
  }

  async openSession(memberId: number): Promise<string> {
    const token = newToken();
    await this.db.pool.query(
      `INSERT INTO member_session (hash, member_id, awaits_code, created_at, seen_at, expires_at, address, agent, confirmed_at)
       VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8)`,
      [hashOf(token), memberId, false, new Date(NOW), new Date(NOW + 24 * HOUR_MS), '192.0.2.7', 'Firefox', null],
    );
    return token;
  }

  async createKey(accountId: number, kind: 'sk' | 'pk'): Promise<string> {
    const key = newKey(kind);
    await this.#id(
      `INSERT INTO api_key (account_id, kind, hash, prefix, hint, name, origins, addresses, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [accountId, kind, hashOf(key), key.slice(0, 12), key.slice(-4), `From 0.2.0`, null, null, new Date(NOW), null],
    );
    return key;
  }

  subscribe(accountId: number): Promise<number> {
    return this.#id(
      `INSERT INTO webhook_subscription (account_id, url, event_types, sports, leagues, dispatcher_group, paused, secret,
         managed_namespace, managed_name, managed_uid, created_at, last_sent_at, match_ids, participant_ids, description, metadata,
         managed_installation, managed_cluster, position, unconfirmed_since, confirmed_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14, $15, $16, $17, $18,
         (SELECT base + last_offset FROM relay), NULL, NULL`,
      [
        ...[accountId, 'https://hooks.example.com/touchline', ['match.goal'], [], [], 'default', false],
        ...[
          encryptSecret('whsec_of_0_2_0', [SECRET_KEY]),
          null,
          null,
          null,
          new Date(NOW),
          [],
          [],
          '',
          '{}',
          null,
          null,
        ],
      ],
    );
  }

  async createCalendar(memberId: number): Promise<string> {
    const token = newToken();
    await this.db.pool.query(
      `INSERT INTO calendar_token (member_id, hash, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (member_id) DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at`,
      [memberId, hashOf(token), new Date(NOW)],
    );
    return token;
  }

  async createLink(purpose: 'invitation' | 'reset', accountId: number | null, email: string): Promise<string> {
    const token = newToken();
    await this.db.pool.query(
      'INSERT INTO account_link (hash, purpose, account_id, email, plan, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [hashOf(token), purpose, accountId, email, null, new Date(NOW), new Date(NOW + HOUR_MS)],
    );
    return token;
  }

  async deleteAccount(id: number): Promise<void> {
    const subscriptions = 'SELECT id FROM webhook_subscription WHERE account_id = $1';
    for (const sql of [
      `DELETE FROM webhook_attempt WHERE subscription_id IN (${subscriptions})`,
      `DELETE FROM webhook_delivery WHERE subscription_id IN (${subscriptions})`,
      'DELETE FROM webhook_subscription WHERE account_id = $1',
      ...['api_key', 'account_window', 'publishable_window', 'account_usage', 'account_activity'].map(
        (table) => `DELETE FROM ${table} WHERE account_id = $1`,
      ),
      'DELETE FROM account WHERE id = $1',
    ])
      await this.db.pool.query(sql, [id]);
  }
}

describe('an upgrade from 0.2.0', function () {
  this.timeout(120_000);
  let db: TestDatabase;
  let accounts: AccountApp;
  /** Serves data, which both kinds of keys may read. */
  let data: TestApp;
  let old: Release020;
  let password: string;
  let ann: { accountId: number; memberId: number; session: string; secret: string; publishable: string };
  let subscription: number;
  let calendar: string;
  let invitation: string;
  let reset: string;

  before(async () => {
    db = await createTestDatabase('template0');
    const before = testMigrations({}, LAST_OF_0_2_0);
    assert.equal((await migratePostgres(db.pool, { folder: before.folder })).at(-1), LAST_OF_0_2_0);
    before.remove();
    old = new Release020(db);
    password = (await (
      await PasswordHasher.open({ memoryCost: 64, timeCost: 1, parallelism: 1 })
    ).hash(PASSWORD, {
      network: '192.0.2.0/24',
      isKnown: true,
    }))!;
    const made = await old.signUp('ann@example.com', password);
    ann = {
      ...made,
      session: await old.openSession(made.memberId),
      secret: await old.createKey(made.accountId, 'sk'),
      publishable: await old.createKey(made.accountId, 'pk'),
    };
    subscription = await old.subscribe(ann.accountId);
    calendar = await old.createCalendar(ann.memberId);
    invitation = await old.createLink('invitation', null, 'guest@example.com');
    reset = await old.createLink('reset', ann.accountId, 'ann@example.com');
    await migratePostgres(db.pool);
    accounts = await startAccountApp({ SECRET_KEY }, true, db);
    data = await startApp(catalogueRoutes, accounts.deps as never);
  });
  after(async () => {
    await data?.close();
    await (accounts ?? { close: () => db.drop() }).close();
  });

  /** Returns a browser that has signed in on an old pod. */
  function browserWith(session: string) {
    const visitor = accounts.visitor();
    visitor.cookies.set('touchline_member', session);
    return visitor;
  }

  it('ends no session, and the member owns the organisation', async () => {
    const visitor = browserWith(ann.session);
    assert.equal((await visitor.get('/account')).status, 200);
    const account = (await visitor.json('GET', '/v1/account')).json;
    assert.deepEqual([account.id, account.email], [ann.accountId, 'ann@example.com']);
    const { members } = (await visitor.json('GET', '/v1/account/members')).json;
    assert.deepEqual(
      members.map(({ id, email, role, current }: Record<string, unknown>) => ({ id, email, role, current })),
      [{ id: ann.memberId, email: 'ann@example.com', role: 'owner', current: true }],
    );
    assert.equal((await visitor.get('/account/single-sign-on')).status, 200, 'only owners see this page');
    assert.deepEqual(
      (await visitor.json('GET', '/v1/account/events')).json.events.map(({ action }: { action: string }) => action),
      ['account.created'],
    );
  });

  it('takes the start of a session for the last sign-in, which is recent for 10 minutes', async () => {
    const visitor = browserWith(await old.openSession(ann.memberId));
    assert.equal((await visitor.json('POST', '/v1/account/keys', { name: 'Recent' })).status, 201);
    accounts.clock.advance(600_001);
    const late = await visitor.json('POST', '/v1/account/keys', { name: 'Late' });
    assert.deepEqual([late.status, late.json.code], [403, 'sign_in_required']);
    assert.equal((await visitor.get('/account')).status, 200, 'the session goes on');
    accounts.clock.advance(-600_001);
  });

  it('ends no key, which keeps every scope', async () => {
    assert.equal((await accounts.app.ask<{ id: number }>('/v1/account', { key: ann.secret })).json.id, ann.accountId);
    assert.equal((await accounts.app.ask('/v1/account/audit', { key: ann.secret })).status, 200);
    for (const key of [ann.secret, ann.publishable])
      assert.equal((await data.ask('/v1/sports', { key })).status, 200, key.slice(0, 7));
    const { keys } = (await browserWith(ann.session).json('GET', '/v1/account/keys')).json;
    const listed = keys.filter(({ name }: { name: string }) => name === 'From 0.2.0');
    assert.deepEqual(
      listed.map(({ kind, member, scopes }: Record<string, unknown>) => ({ kind, member, scopes })),
      [
        { kind: 'sk', member: null, scopes: null },
        { kind: 'pk', member: null, scopes: null },
      ],
    );
  });

  it('ends no subscription, calendar, invitation or link for a password', async () => {
    const page = await browserWith(ann.session).get(`/account/webhooks/${subscription}`);
    assert.equal(page.status, 200);
    assert.match(page.text, /hooks\.example\.com/);
    const { rows } = await db.pool.query(
      'SELECT account_id, paused, ended_at, disabled_at FROM webhook_subscription WHERE id = $1',
      [subscription],
    );
    assert.deepEqual(rows, [{ account_id: ann.accountId, paused: false, ended_at: null, disabled_at: null }]);
    const opened = await accounts.visitor().get(`/calendar/mine.ics?token=${calendar}`);
    assert.equal(opened.status, 200);
    assert.match(opened.text, /^BEGIN:VCALENDAR/);
    const guest = accounts.visitor('192.0.2.20');
    const sent = { email: 'guest@example.com', password: PASSWORD, invitation };
    assert.equal((await guest.post('/account/sign-up', sent)).status, 200);
    assert.equal((await guest.json('GET', '/v1/account/members')).json.members[0].role, 'owner');
    const form = { token: reset, password: 'a new horse battery' };
    assert.equal((await accounts.visitor('192.0.2.21').post('/account/reset', form)).status, 303);
  });

  it('accepts people who sign up on an old pod afterwards, with sessions and keys', async () => {
    const { accountId, memberId } = await old.signUp('late@example.com', password);
    const visitor = browserWith(await old.openSession(memberId));
    assert.equal((await visitor.json('GET', '/v1/account')).json.id, accountId);
    assert.equal((await visitor.json('GET', '/v1/account/members')).json.members[0].role, 'owner');
    const [secret, publishable] = [await old.createKey(accountId, 'sk'), await old.createKey(accountId, 'pk')];
    assert.equal((await accounts.app.ask('/v1/account/audit', { key: secret })).status, 200);
    for (const key of [secret, publishable]) assert.equal((await data.ask('/v1/sports', { key })).status, 200);
    const again = accounts.visitor('192.0.2.30');
    const signedIn = await again.post('/account/sign-in', { email: 'late@example.com', password: PASSWORD });
    assert.equal(signedIn.location, '/account');
  });

  it('keeps only people who also belong elsewhere when an old pod deletes an account', async () => {
    /** Signs up on an old pod, and signs in there. */
    const person = async (email: string) => {
      const made = await old.signUp(email, password);
      return { ...made, email, visitor: browserWith(await old.openSession(made.memberId)) };
    };
    const [gone, other] = [await person('gone@example.com'), await person('other@example.com')];
    const joins = async (guest: typeof gone, host: typeof gone) => {
      const invited = { email: guest.email, role: 'admin' };
      const inviter = browserWith(await old.openSession(host.memberId));
      assert.equal((await inviter.json('POST', '/v1/account/member-invitations', invited)).status, 201);
      const token = accounts.tokenFor(guest.email);
      assert.equal((await guest.visitor.post('/account/join', { token, password: PASSWORD })).location, '/account');
    };
    const only = { ...gone, email: 'only@example.com', visitor: accounts.visitor('192.0.2.40') };
    for (const guest of [other, only]) await joins(guest, gone);
    await joins(gone, other);
    assert.equal((await other.visitor.json('GET', '/v1/account')).json.id, gone.accountId);
    const key = await old.createKey(gone.accountId, 'sk');
    await old.deleteAccount(gone.accountId);
    assert.equal((await accounts.app.ask('/v1/account', { key })).status, 401);
    for (const { visitor } of [gone, other])
      assert.equal((await visitor.json('GET', '/v1/account')).json.id, other.accountId);
    assert.equal((await only.visitor.json('GET', '/v1/account')).status, 401);
    const { rows } = await db.pool.query('SELECT email FROM member WHERE email = ANY ($1) ORDER BY id', [
      [gone.email, other.email, only.email],
    ]);
    assert.deepEqual(rows, [{ email: gone.email }, { email: other.email }]);
  });
});
