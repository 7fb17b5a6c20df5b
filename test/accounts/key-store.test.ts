import assert from 'node:assert/strict';
import { findKey, generateKey, isWellFormedKey } from '../../src/accounts/keys/key-store.ts';
import { Problem } from '../../src/http/errors.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const clock = { now: () => Date.parse('2026-03-01T12:00:00Z') };

describe('the key format', () => {
  it('a key contains its kind and a checksum', () => {
    const key = generateKey('sk');
    assert.match(key, /^sk_live_[0-9A-Za-z]{38}$/);
    assert.match(generateKey('pk'), /^pk_live_/);
    assert.notEqual(generateKey('sk'), key);
    assert.ok(isWellFormedKey(key));
  });

  it('a key with any single character changed is not well-formed', () => {
    const key = generateKey('sk');
    for (let i = 0; i < key.length; i += 1) {
      const other = key[i] === 'a' ? 'b' : 'a';
      assert.ok(!isWellFormedKey(key.slice(0, i) + other + key.slice(i + 1)), `position ${i}`);
    }
    assert.ok(!isWellFormedKey(key.replace('sk_', 'pk_')));
  });

  it('text that is not a key is not well-formed', () => {
    const key = generateKey('sk');
    for (const text of [
      '',
      'sk_live_',
      key.slice(0, -1),
      `${key}x`,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      'ключ',
      'x'.repeat(10_000),
    ]) {
      assert.ok(!isWellFormedKey(text), text.slice(0, 60));
    }
  });
});

describe('stored keys', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  it('a stored key is found only by the key itself, which is not stored', async () => {
    const made = await createKey(db.pool, clock, { email: 'a@example.com', plan: 'pro', name: 'server' });
    assert.deepEqual(await findKey(db.pool, made.key), {
      keyId: made.keyId,
      accountId: made.accountId,
      kind: 'sk',
      plan: 'pro',
      awaitsVerification: false,
      origins: null,
      addresses: null,
      scopes: null,
      permissions: null,
      suspended: false,
      awaitsApproval: false,
      expiresAt: null,
      revokedAt: null,
    });
    const { rows } = await db.pool.query('SELECT api_key::text AS text FROM api_key');
    for (const { text } of rows) assert.ok(!text.includes(made.key.slice(8, -6)));
    assert.equal(await findKey(db.pool, generateKey('sk')), null);
    assert.equal(await findKey(db.pool, 'nonsense'), null);
  });

  it('a stored key has origins and an expiry', async () => {
    const expiresAt = new Date('2026-04-01T00:00:00.250Z');
    const origins = ['https://a.example', 'http://localhost:3000'];
    const { key } = await createKey(db.pool, clock, { email: 'b@example.com', kind: 'pk', origins, expiresAt });
    const found = await findKey(db.pool, key);
    assert.equal(found?.kind, 'pk');
    assert.deepEqual(found?.origins, origins);
    assert.equal(found?.expiresAt, expiresAt.getTime());
    await db.pool.query('UPDATE api_key SET revoked_at = $1 WHERE id = $2', [new Date(5_000), found?.keyId]);
    assert.equal((await findKey(db.pool, key))?.revokedAt, 5_000);
  });

  it('keys for one email address belong to one account, in any letter case', async () => {
    const first = await createKey(db.pool, clock, { email: 'Same@Example.com' });
    assert.equal(first.plan, 'trial');
    const second = await createKey(db.pool, clock, { email: 'same@example.com', plan: 'business' });
    const third = await createKey(db.pool, clock, { email: 'same@example.com' });
    assert.deepEqual([second.accountId, third.accountId], [first.accountId, first.accountId]);
    assert.equal(third.plan, 'business');
    assert.equal((await findKey(db.pool, first.key))?.plan, 'business');
  });

  it('keys created concurrently for one email address belong to one account', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => createKey(db.pool, clock, { email: 'race@example.com' })),
    );
    assert.equal(new Set(made.map(({ accountId }) => accountId)).size, 1);
    assert.equal(new Set(made.map(({ key }) => key)).size, 8);
  });

  it('invalid input creates no key and no account', async () => {
    const bad: [Parameters<typeof createKey>[2], string][] = [
      [{ email: 'nobody' }, 'email'],
      [{ email: '' }, 'email'],
      [{ email: 'a\0@example.com' }, 'email'],
      [{ email: `${'x'.repeat(250)}@example.com` }, 'email'],
      [{ email: 'new@example.com', plan: 'gold' }, 'plan'],
      [{ email: 'new@example.com', plan: 'PRO' }, 'plan'],
      [{ email: 'new@example.com', name: ' ' }, 'name'],
      [{ email: 'new@example.com', name: 'a\0' }, 'name'],
      [{ email: 'new@example.com', name: 'x'.repeat(101) }, 'name'],
      [{ email: 'new@example.com', kind: 'pk', origins: ['example.com'] }, 'origins'],
      [{ email: 'new@example.com', kind: 'pk', origins: ['https://example.com/'] }, 'origins'],
      [{ email: 'new@example.com', kind: 'pk', origins: ['ftp://example.com'] }, 'origins'],
      [{ email: 'new@example.com', kind: 'sk', origins: ['https://example.com'] }, 'origins'],
      [{ email: 'new@example.com', expiresAt: new Date(clock.now()) }, 'expires_at'],
      [{ email: 'new@example.com', expiresAt: new Date(Number.NaN) }, 'expires_at'],
    ];
    for (const [input, parameter] of bad) {
      await assert.rejects(createKey(db.pool, clock, input), (error) => {
        assert.ok(error instanceof Problem);
        assert.equal(error.code, 'invalid_parameter');
        assert.equal(error.options.errors?.[0]?.parameter, parameter);
        return true;
      });
    }
    const { rows } = await db.pool.query("SELECT 1 FROM account WHERE email LIKE 'new@%'");
    assert.equal(rows.length, 0);
  });
});
