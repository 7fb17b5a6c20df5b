import assert from 'node:assert/strict';
import { decryptSecret, encryptSecret, secretKeyId } from '../../src/accounts/stored-secret.ts';
import { Problem } from '../../src/http/errors.ts';
import { createGuard } from '../../src/outbound/address-guard.ts';
import { disabledText } from '../../src/webhooks/api/subscription-texts.ts';
import { resolveReplay } from '../../src/webhooks/subscriptions/replay-start.ts';
import {
  changeSubscription,
  createSubscription,
  enableSubscription,
  endSubscription,
  replaySubscription,
  rotateSecret,
  type SubscriptionDeps,
  subscriptionState,
  subscriptions,
  toFilter,
} from '../../src/webhooks/subscriptions/subscription.ts';
import { BUILT_IN_PLANS, createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { resourceOf } from '../support/webhook-fixture.ts';
import { DEFAULT_POLICY } from '../support/webhook-policy.ts';

const KEYS = ['a-secret-key-of-the-tests', 'an-older-key-of-the-tests'];
const URL_OF_TESTS = 'http://127.0.0.1:9/hook';

describe('webhook subscriptions', () => {
  let db: TestDatabase;
  let deps: SubscriptionDeps;
  let now = Date.parse('2026-03-01T12:00:00Z');

  before(async () => {
    db = await createTestDatabase();
    const clock = { now: () => now };
    const guard = createGuard({ allow: ['http://127.0.0.1:*'] });
    deps = { pool: db.pool, clock, guard, secretKeys: KEYS, policy: DEFAULT_POLICY, plans: BUILT_IN_PLANS };
    await createKey(db.pool, clock, { email: 'pro@example.com', plan: 'pro' });
    await createKey(db.pool, clock, { email: 'trial@example.com', plan: 'trial' });
  });
  after(() => db.drop());

  const create = (over = {}) => createSubscription(deps, { account: 'Pro@example.com', url: URL_OF_TESTS, ...over });
  const read = async (id: number) => (await subscriptions(db.pool, { id, ended: true }))[0]!;
  const stored = async (id: number) =>
    (await db.pool.query('SELECT * FROM webhook_subscription WHERE id = $1', [id])).rows[0];

  const fault = (code: string, parameter?: string) => (error: unknown) => {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.code, code);
    if (parameter) assert.equal(error.options.errors?.[0]?.parameter, parameter);
    return true;
  };

  it('start active, at the log’s end, with an encrypted secret', async () => {
    await db.pool.query('UPDATE relay SET base = 40, last_offset = 2');
    const { id, secret, created } = await create({ eventTypes: ['match.*'], sports: ['football'], leagues: [7] });
    assert.ok(created);
    assert.match(secret!, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const one = await read(id);
    assert.equal(subscriptionState(one, BUILT_IN_PLANS), 'active');
    assert.deepEqual([one.position, one.lag, one.dispatcherGroup, one.holder], [42, 0, 'shared', null]);
    assert.deepEqual(toFilter(one, BUILT_IN_PLANS.named(one.plan)), {
      sports: ['football'],
      leagues: [7],
      types: ['match.'],
      matches: new Set(),
      participants: new Set(),
    });
    const row = await stored(id);
    assert.ok(!JSON.stringify(row).includes(secret!.slice(6)));
    assert.equal(decryptSecret(row.secret, KEYS), secret);
  });

  it('refuse an invalid parameter by name', async () => {
    await assert.rejects(create({ eventTypes: ['match.gaol'] }), fault('invalid_parameter', 'event_types'));
    await assert.rejects(create({ sports: ['chess'] }), fault('invalid_parameter', 'sports'));
    await assert.rejects(create({ leagues: [0] }), fault('invalid_parameter', 'leagues'));
    await assert.rejects(create({ url: 'https://10.0.0.1/' }), fault('invalid_parameter', 'url'));
    await assert.rejects(create({ url: 'nonsense' }), fault('invalid_parameter', 'url'));
    await assert.rejects(create({ account: 'nobody@example.com' }), fault('invalid_parameter', 'account'));
    await assert.rejects(create({ account: 'trial@example.com' }), fault('plan_required'));
    await assert.rejects(create({ secret: 'whsec_c2hvcnQ=' }), (error: Error) => {
      assert.ok(!error.message.includes('c2hvcnQ'), 'no secret in an error');
      return fault('invalid_parameter', 'secret')(error);
    });
    await assert.rejects(changeSubscription(deps, 999_999, { paused: true }), fault('not_found'));
    await assert.rejects(endSubscription(deps, 999_999), fault('not_found'));
    await assert.rejects(rotateSecret(deps, 999_999), fault('not_found'));
    await assert.rejects(enableSubscription(deps, 999_999), fault('not_found'));
  });

  it('change only in the given fields', async () => {
    const { id } = await create({ sports: ['football'], leagues: [7] });
    const { version } = await stored(id);
    await changeSubscription(deps, id, { leagues: [], paused: true });
    const one = await read(id);
    assert.deepEqual(
      [one.sports, one.leagues, one.url, subscriptionState(one, BUILT_IN_PLANS)],
      [['football'], [], URL_OF_TESTS, 'paused'],
    );
    assert.equal((await stored(id)).version, version + 1);
    await assert.rejects(
      changeSubscription(deps, id, { url: 'https://localhost/' }),
      fault('invalid_parameter', 'url'),
    );
  });

  it('are created once for each custom resource', async () => {
    const managedBy = resourceOf('apps', 'goals');
    const [one, other] = await Promise.all([create({ managedBy }), create({ managedBy })]);
    assert.equal(one.id, other.id);
    assert.deepEqual([one.created, other.created].sort(), [false, true]);
    const [found] = await subscriptions(db.pool, { managedUid: managedBy.uid });
    assert.deepEqual(found?.managedBy, managedBy);
    await endSubscription(deps, one.id);
    assert.deepEqual(await subscriptions(db.pool, { managed: true }), []);
    assert.notEqual((await create({ managedBy })).id, one.id, 'a new one after the old one was deleted');
  });

  it('store the old secret as the previous secret in a rotation', async () => {
    const { id, secret } = await create();
    assert.equal(await rotateSecret(deps, id, secret!), secret, 'the current secret changes nothing');
    assert.equal((await stored(id)).rotated_at, null);
    now += 1_000;
    const next = await rotateSecret(deps, id);
    assert.notEqual(next, secret);
    const row = await stored(id);
    assert.deepEqual([decryptSecret(row.secret, KEYS), decryptSecret(row.previous_secret, KEYS)], [next, secret]);
    assert.equal(row.rotated_at.getTime(), now);
  });

  it('keep their row and delivery log, but no secret, when they are deleted', async () => {
    const { id } = await create();
    await db.pool.query(
      `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, next_attempt_at, created_at, updated_at)
       VALUES ('d1', $1, 'evt_1_1', 'match.goal', '{}', 'pending', 1, now(), now(), now())`,
      [id],
    );
    await endSubscription(deps, id);
    await assert.rejects(endSubscription(deps, id), fault('not_found'));
    assert.equal(subscriptionState(await read(id), BUILT_IN_PLANS), 'ended');
    assert.deepEqual(await subscriptions(db.pool, { id }), []);
    assert.equal((await stored(id)).secret, '');
    assert.equal((await db.pool.query("SELECT state FROM webhook_delivery WHERE id = 'd1'")).rows[0].state, 'failed');
  });

  it('continue at the log’s end, or after a given cursor, when they are enabled', async () => {
    const { id } = await create();
    await db.pool.query(
      "UPDATE webhook_subscription SET disabled_at = now(), disabled_reason = 'gone', failures = 9, position = 3 WHERE id = $1",
      [id],
    );
    assert.equal(subscriptionState(await read(id), BUILT_IN_PLANS), 'disabled');
    await enableSubscription(deps, id);
    let one = await read(id);
    assert.deepEqual([subscriptionState(one, BUILT_IN_PLANS), one.position, one.failures], ['active', 42, 0]);
    await enableSubscription(deps, id, 17);
    one = await read(id);
    assert.deepEqual([one.position, one.lag], [17, 25]);
    await enableSubscription(deps, id, 43);
    one = await read(id);
    assert.deepEqual([one.position, one.lag], [42, 0], 'a cursor beyond the head of the log stands for the head');
    await enableSubscription(deps, id, 17);
    await changeSubscription(deps, id, { paused: true });
    await enableSubscription(deps, id);
    assert.equal((await read(id)).position, 17, 'a paused one continues where it stopped');
  });

  it('are suspended while the plan has no webhooks, and count as failing after 5 failures in a row', async () => {
    const { id } = await create();
    const one = await read(id);
    assert.equal(subscriptionState({ ...one, plan: 'starter' }, BUILT_IN_PLANS), 'suspended');
    assert.equal(subscriptionState({ ...one, failures: 4 }, BUILT_IN_PLANS), 'active');
    assert.equal(subscriptionState({ ...one, failures: 5 }, BUILT_IN_PLANS), 'failing');
  });

  it('are suspended together with the account', async () => {
    const { id } = await create();
    assert.equal(subscriptionState({ ...(await read(id)), suspendedAt: new Date(now) }, BUILT_IN_PLANS), 'suspended');
  });

  it('store the owner’s description and metadata unchanged, within size limits', async () => {
    const metadata = { team: 'Ünï 🎾', __proto__x: '', 'a.b': "'; DROP" };
    const { id } = await create({ description: '<b>goals</b>', metadata });
    let one = await read(id);
    assert.deepEqual([one.description, one.metadata], ['<b>goals</b>', metadata]);
    await changeSubscription(deps, id, { metadata: {} });
    one = await read(id);
    assert.deepEqual([one.description, one.metadata], ['<b>goals</b>', {}]);
    const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));
    await create({ description: '🎾'.repeat(500), metadata: { ['k'.repeat(40)]: 'v'.repeat(500), ...pairs(49) } });
    await assert.rejects(create({ description: 'x'.repeat(501) }), fault('invalid_parameter', 'description'));
    await assert.rejects(create({ description: 'a\0b' }), fault('invalid_parameter', 'description'));
    for (const wrong of [
      pairs(51),
      { '': 'x' },
      { ['k'.repeat(41)]: '' },
      { k: 'v'.repeat(501) },
      { k: '\0' },
      { 'k\0': '' },
    ]) {
      await assert.rejects(create({ metadata: wrong }), fault('invalid_parameter', 'metadata'));
      await assert.rejects(changeSubscription(deps, id, { metadata: wrong }), fault('invalid_parameter', 'metadata'));
    }
  });

  it('begin a replay after a cursor or at a time that the log still has, but not while they are disabled', async () => {
    const { id } = await create();
    const log = {
      range: async () => ({ head: 42, oldest: 10 }),
      cursorBefore: async (time: number) => (now - time) / 1_000,
    };
    const clock = { now: () => now };
    assert.equal(await resolveReplay(log, clock, {}), undefined);
    assert.equal(await resolveReplay(log, clock, { cursor: 10 }), 10);
    assert.equal(await resolveReplay(log, clock, { since: now - 30_000 }), 30);
    const DAYS = 24 * 3_600_000;
    assert.equal(await resolveReplay(log, clock, { since: now - 7 * DAYS }), 604_800);
    for (const from of [{ cursor: 9 }, { since: now - 7 * DAYS - 1 }]) {
      await assert.rejects(resolveReplay(log, clock, from), (error) => {
        assert.ok(error instanceof Problem);
        assert.deepEqual(
          [error.status, error.code, error.options.members],
          [410, 'cursor_expired', { oldest_cursor: 10 }],
        );
        return true;
      });
    }
    await assert.rejects(resolveReplay(log, clock, { since: now + 1 }), fault('invalid_parameter', 'since'));
    await assert.rejects(resolveReplay(log, clock, { cursor: 11, since: now }), fault('invalid_parameter', 'since'));
    await replaySubscription(deps, id, 17);
    assert.equal((await read(id)).position, 17);
    await db.pool.query(
      "UPDATE webhook_subscription SET disabled_at = now(), disabled_reason = 'no_success', last_failure = 'status 500' WHERE id = $1",
      [id],
    );
    await assert.rejects(replaySubscription(deps, id, 12), fault('conflict'));
    const one = await read(id);
    assert.equal(disabledText(one), 'No delivery has succeeded for 72 hours. Last failure: status 500.');
    assert.equal(one.position, 17, 'where it was disabled: it can be enabled from there');
    await assert.rejects(replaySubscription(deps, 999_999, 12), fault('not_found'));
  });

  it('decrypt secrets with the older key that encrypted them, and name a missing key', () => {
    const encrypted = encryptSecret('whsec_x', [KEYS[1]!]);
    assert.equal(decryptSecret(encrypted, KEYS), 'whsec_x');
    assert.throws(
      () => decryptSecret(encrypted, [KEYS[0]!]),
      new RegExp(`the key ${secretKeyId(KEYS[1]!)}, which SECRET_KEY does not have`),
    );
    assert.throws(() => decryptSecret(encrypted.slice(0, -3), KEYS), /corrupted/);
  });
});
