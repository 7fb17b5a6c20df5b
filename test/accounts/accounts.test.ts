import assert from 'node:assert/strict';
import { changePlan, deleteAccount, listAccounts } from '../../src/accounts/accounts.ts';
import { OPERATOR } from '../../src/accounts/audit.ts';
import { findKey } from '../../src/accounts/keys/key-store.ts';
import { listKeys, revokeKey } from '../../src/accounts/keys/manage-keys.ts';
import { Problem } from '../../src/http/errors.ts';
import { BUILT_IN_PLANS, createAccount, createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('accounts', () => {
  let db: TestDatabase;
  let now = NOW;
  const clock = { now: () => now };
  before(async () => {
    db = await createTestDatabase();
  });
  beforeEach(() => {
    now = NOW;
  });
  after(() => db.drop());

  it('are created only once for an address, whatever its letter case', async () => {
    const id = await createAccount(db.pool, clock, { email: 'Ann@example.com' });
    await assert.rejects(createAccount(db.pool, clock, { email: 'ann@EXAMPLE.com' }), /there is already an account/);
    const found = await listAccounts(db.pool, clock, 'ANN@example.com');
    assert.deepEqual(found, [
      {
        id,
        email: 'ann@example.com',
        plan: 'trial',
        name: null,
        created_at: new Date(NOW),
        suspended_at: null,
        awaits_verification: false,
        awaits_approval: false,
        is_operator: false,
        keys: 0,
        managed: null,
      },
    ]);
    assert.equal((await createKey(db.pool, clock, { email: 'ann@example.com' })).accountId, id);
  });

  it('are not created if the address or the plan is invalid', async () => {
    const before = (await listAccounts(db.pool, clock)).length;
    for (const email of ['', 'ann', 'a@b', 'a@b.co\nBcc: c@d.co', `${'a'.repeat(300)}@example.com`])
      await assert.rejects(createAccount(db.pool, clock, { email }), Problem, email);
    await assert.rejects(createAccount(db.pool, clock, { email: 'b@example.com', plan: 'gold' }), Problem);
    assert.equal((await listAccounts(db.pool, clock)).length, before);
  });

  it('count only usable keys, and leave out revoked and expired ones', async () => {
    const email = 'keys@example.com';
    const first = await createKey(db.pool, clock, { email, name: 'server' });
    await createKey(db.pool, clock, { email, expiresAt: new Date(NOW + 1_000) });
    await createKey(db.pool, clock, { email, kind: 'pk', origins: ['https://example.com'] });
    const count = async () => (await listAccounts(db.pool, clock, email)).map(({ keys }) => keys);
    assert.deepEqual(await count(), [3]);
    await revokeKey(db.pool, clock, first.keyId, OPERATOR);
    assert.deepEqual(await count(), [2]);
    now += 1_000;
    assert.deepEqual(await count(), [1]);
    const listed = await listKeys(db.pool, { email });
    assert.deepEqual(
      listed.map(({ kind, name, origins, revoked_at }) => [kind, name, origins, revoked_at]),
      [
        ['sk', 'server', null, new Date(NOW)],
        ['sk', null, null, null],
        ['pk', null, ['https://example.com'], null],
      ],
    );
    assert.equal(listed[0]!.hint, first.key.slice(-4));
    assert.ok(!JSON.stringify(listed).includes(first.key));
  });

  it('can have a key revoked by its id or by the key itself, but only once', async () => {
    const made = await createKey(db.pool, clock, { email: 'revoke@example.com' });
    const other = await createKey(db.pool, clock, { email: 'revoke@example.com' });
    assert.deepEqual(await revokeKey(db.pool, clock, made.key, OPERATOR), new Date(NOW));
    now += 60_000;
    assert.deepEqual(await revokeKey(db.pool, clock, made.keyId, OPERATOR), new Date(NOW), 'the first time stays');
    assert.equal((await findKey(db.pool, made.key))?.revokedAt, NOW);
    assert.equal((await findKey(db.pool, other.key))?.revokedAt, null);
    assert.equal(await revokeKey(db.pool, clock, 999_999, OPERATOR), null);
  });

  it('lose all their data when they are deleted, while the rest of the accounts stay untouched', async () => {
    const [gone, kept] = [
      await createKey(db.pool, clock, { email: 'gone@example.com' }),
      await createKey(db.pool, clock, { email: 'kept@example.com' }),
    ];
    for (const { accountId } of [gone, kept]) {
      const text = (sql: string) => db.pool.query(sql, [accountId]);
      await text(
        "INSERT INTO member (account_id, email, created_at) VALUES ($1::bigint, $1::bigint || '@example.com', now())",
      );
      await text("INSERT INTO account_usage VALUES ($1, '2026-03-01', 1, '/v1/events', 200, 1, 1)");
      await text("INSERT INTO account_window VALUES ($1, 'day', '2026-03-01', 1, 0)");
      await text("INSERT INTO publishable_window VALUES ($1, 'day', '2026-03-01', 1, 0)");
      await text("INSERT INTO idempotent_request VALUES ($1, 'key a', '', '{}', now())");
      await text(
        "INSERT INTO account_link VALUES (sha256($1::bigint::text::bytea), 'reset', $1::bigint, NULL, NULL, now(), now())",
      );
      const { rows } = await db.pool.query<{ id: number }>(
        "INSERT INTO webhook_subscription (account_id, url, secret, created_at, position) VALUES ($1, 'https://example.com', 's', now(), 0) RETURNING id",
        [accountId],
      );
      await db.pool.query(
        `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, created_at, updated_at)
         VALUES ('dlv_' || $1::bigint, $1::bigint, 'evt_1_1', 'match.goal', '{}', 'failed', 1, now(), now())`,
        [rows[0]!.id],
      );
    }
    const left = async (id: number) => {
      const tables = [
        'account',
        'api_key',
        'member',
        'audit_entry',
        'account_usage',
        'account_window',
        'publishable_window',
        'idempotent_request',
      ];
      const counts = [...tables, 'account_link', 'webhook_subscription'].map(
        (table) => `(SELECT count(*) FROM ${table} WHERE ${table === 'account' ? 'id' : 'account_id'} = $1)`,
      );
      const { rows } = await db.pool.query(`SELECT (${counts.join(' + ')})::int AS count`, [id]);
      return rows[0].count;
    };
    const before = await left(kept.accountId);
    await deleteAccount(db.pool, 'GONE@example.com');
    assert.equal(await left(gone.accountId), 0);
    assert.equal(await left(kept.accountId), before);
    assert.equal((await db.pool.query('SELECT FROM webhook_delivery')).rows.length, 1);
    assert.equal(await findKey(db.pool, gone.key), null);
    await assert.rejects(deleteAccount(db.pool, 'gone@example.com'), /there is no account/);
  });

  it('keep the same keys when the plan changes', async () => {
    const { key } = await createKey(db.pool, clock, { email: 'plan@example.com', plan: 'starter' });
    assert.equal(
      await changePlan({ pool: db.pool, clock, plans: BUILT_IN_PLANS }, 'PLAN@example.com', 'pro'),
      'starter',
    );
    assert.equal((await findKey(db.pool, key))?.plan, 'pro');
    await assert.rejects(
      changePlan({ pool: db.pool, clock, plans: BUILT_IN_PLANS }, 'plan@example.com', 'gold'),
      Problem,
    );
    await assert.rejects(
      changePlan({ pool: db.pool, clock, plans: BUILT_IN_PLANS }, 'nobody@example.com', 'pro'),
      /there is no account nobody@example.com/,
    );
  });
});
