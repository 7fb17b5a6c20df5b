import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { encryptSecret } from '../../src/accounts/stored-secret.ts';
import { createBuckets } from '../../src/http/token-buckets.ts';
import { retryFailedAccountDeliveries } from '../../src/webhooks/api/account-subscriptions.ts';
import * as schema from '../../src/webhooks/api/schema.ts';
import { subscriptionItem } from '../../src/webhooks/api/subscription-item.ts';
import { sendTest } from '../../src/webhooks/delivery/requested-event.ts';
import { changeSubscription, rotateSecret, subscriptions } from '../../src/webhooks/subscriptions/subscription.ts';
import { BUILT_IN_PLANS } from '../support/accounts.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;

/** How manual SQL may damage a row, and the reason that the owner is told. */
const UNREADABLE: [assignment: string, reason: RegExp][] = [
  [`url = 'https://user:token@'`, /^url cannot be parsed$/],
  [`event_types = '{match.nonsense}'`, /^event_types: unknown event type match.nonsense$/],
  [`sports = '{NULL}'`, /^sports: has an empty value$/],
  [`leagues = '{{1,2},{3,4}}'`, /^leagues: NaN is not a tournament id$/],
  [`match_ids = '{5,NULL}'`, /^match_ids: 0 is not an id$/],
  [`participant_ids = '{9007199254740993}'`, /^participant_ids: 9007199254740992 is not an id$/],
  [`secret = 'whsec_stored.as.text'`, /^secret cannot be read: a secret is stored in an unknown format$/],
  [
    `secret = '${encryptSecret('whsec_x', ['another-key'])}'`,
    /^secret cannot be read: a stored secret is encrypted with the key [0-9a-f]{8}, which SECRET_KEY does not have/,
  ],
  [
    `previous_secret = 'v1.x.y', rotated_at = '2026-03-01T11:00:00Z'`,
    /^secret cannot be read: a stored secret is encrypted with the key x, which/,
  ],
  [`position = 9223372036854775807`, /^position is out of range$/],
  [`position = -9223372036854775808`, /^position is out of range$/],
  [`generation = 9223372036854775807`, /^generation is out of range$/],
];

/** Wrong values that do not keep events from being sent. */
const USABLE = [
  `last_sent_at = 'infinity', created_at = '-infinity', failing_since = 'infinity', last_success_at = '-infinity'`,
  `created_at = '294276-01-01', rotated_at = '0044-03-15 BC', last_failure_at = '294276-01-01'`,
  `lease_expires_at = 'infinity'`,
  `holder = 'nobody', lease_expires_at = '2100-01-01'`,
  `fault = 'by hand', fault_version = version, fault_at = NULL`,
  `fault = 'by hand', fault_version = version, fault_at = 'infinity'`,
  `gap = '"text"', metadata = '[1]'`,
  `previous_secret = 'v1.x.y', rotated_at = '2026-01-01T00:00:00Z'`,
];

describe('a subscription whose row is broken', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;

  before(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
  });
  after(async () => {
    await fixture.close();
    await receiver.close();
  });

  const damage = (id: number, assignment: string) =>
    fixture.db.pool.query(`UPDATE webhook_subscription SET ${assignment} WHERE id = $1`, [id]);
  const create = async (path: string) => (await fixture.create({ url: `${receiver.url}/${path}` })).id;
  const sentTo = (path: string) => receiver.events().filter((one) => one.path === `/hook/${path}`).length;
  const faultLines = () =>
    fixture
      .logged()
      .split('\n')
      .filter((line) => line.includes('subscriptions cannot be read'));
  const faultOf = async (id: number) => (await fixture.read(id)).fault;

  /** Returns the generations of marked rows by id. Rows whose generation itself is damaged are left out. */
  async function generations(): Promise<Map<number, number>> {
    const { rows } = await fixture.db.pool.query<{ id: number; generation: number }>(
      'SELECT id, generation FROM webhook_subscription WHERE fault IS NOT NULL AND generation < $1',
      [Number.MAX_SAFE_INTEGER],
    );
    return new Map(rows.map(({ id, generation }) => [id, generation]));
  }

  it('is marked and skipped, however it was broken, while the rest of the subscriptions are served', async () => {
    const broken: number[] = [];
    for (const [index, [assignment]] of UNREADABLE.entries()) {
      const id = await create(`broken${index}`);
      await damage(id, assignment);
      broken.push(id);
    }
    for (const [index, assignment] of USABLE.entries()) await damage(await create(`usable${index}`), assignment);
    await create('good');
    const registry = new Registry();
    const dispatcher = await fixture.dispatch({ registry });
    await until('they are leased', () => dispatcher.held() === USABLE.length + 1, PATIENCE);
    await fixture.publish({}, {});
    for (const path of ['good', ...USABLE.map((_, index) => `usable${index}`)])
      await until(`${path} gets both`, () => sentTo(path) === 2, PATIENCE);
    for (const [index, [assignment, reason]] of UNREADABLE.entries()) {
      await until(`${assignment} is marked`, async () => (await faultOf(broken[index]!)) !== null, PATIENCE);
      assert.match((await faultOf(broken[index]!))!, reason, assignment);
      assert.equal(sentTo(`broken${index}`), 0);
    }
    const listed = await subscriptions(fixture.db.pool, {});
    assert.equal(listed.length, UNREADABLE.length + USABLE.length + 1);
    // REST replies can still be parsed in spite of the damaged rows.
    for (const one of listed)
      if (Math.abs(one.position) < Number.MAX_SAFE_INTEGER)
        schema.subscription.parse(subscriptionItem(one, BUILT_IN_PLANS));
    assert.match(await registry.metrics(), new RegExp(`unreadable_subscriptions ${UNREADABLE.length}\\n`));
    const reasons = new Set(listed.map(({ fault }) => fault).filter((fault) => fault !== null));
    assert.equal(faultLines().length, reasons.size, 'one line for each reason');
    assert.doesNotMatch(fixture.logged(), /token@|stored\.as\.text/);
    const tried = await generations();
    await fixture.db.pool.query(
      "UPDATE webhook_subscription SET lease_expires_at = '-infinity' WHERE fault IS NOT NULL",
    );
    const areTriedAgain = async () => {
      const now = await generations();
      return [...tried].every(([id, generation]) => now.get(id)! > generation);
    };
    await until('they have been tried again', areTriedAgain, PATIENCE);
    assert.equal(faultLines().length, reasons.size, 'not one at each try');
    assert.match(await registry.metrics(), /unleased_subscriptions 0\n/);
    await dispatcher.stop();
  });

  it('gets the events that it missed after a repair by SQL, by the owner, or with the missing key', async () => {
    const [bySql, byOwner, byKey] = [await create('sql'), await create('owner'), await create('key')];
    await damage(bySql, `url = 'nonsense'`);
    await damage(byOwner, `url = 'nonsense'`);
    await damage(byKey, `secret = '${encryptSecret('whsec_eA==', ['another-key'])}'`);
    const ids = [bySql, byOwner, byKey];
    const dispatcher = await fixture.dispatch();
    await fixture.publish({});
    for (const id of ids) await until('it is marked', async () => (await faultOf(id)) !== null, PATIENCE);
    const one = await fixture.read(bySql);
    assert.deepEqual([one.state, one.faultAt?.getTime()], ['failing', fixture.clock.now()]);
    const hostBuckets = createBuckets(() => fixture.clock.now());
    const unused = { send: () => assert.fail('sent'), close() {} };
    await assert.rejects(
      sendTest({ ...fixture.deps, sender: unused, destinations: unused, hostBuckets }, byOwner),
      /cannot be used: url/,
    );
    const owner = { accountId: one.accountId, actor: { name: 'test', address: null }, readsAudit: true };
    await assert.rejects(
      retryFailedAccountDeliveries({ ...fixture.deps, pool: fixture.db.pool, owner }, byOwner, 0),
      /No event is sent, because the stored settings cannot be used: url cannot be parsed/,
    );
    await changeSubscription(fixture.deps, byOwner, { url: `${receiver.url}/owner` });
    await rotateSecret(fixture.deps, byKey);
    for (const path of ['owner', 'key']) await until(`${path} is served`, () => sentTo(path) === 1, PATIENCE);
    assert.equal((await fixture.read(byKey)).rotatedAt !== null, true);
    // If the row's version does not change, the dispatcher notices the damage at its next attempt.
    await damage(bySql, `url = '${receiver.url}/sql', lease_expires_at = '-infinity'`);
    await until('sql is served', () => sentTo('sql') === 1, PATIENCE);
    for (const id of ids) await until('the mark is gone', async () => (await faultOf(id)) === null, PATIENCE);
    assert.equal((await fixture.read(bySql)).state, 'active');
    await dispatcher.stop();
  });

  it('gets no events at its former address if it broke while a dispatcher held its lease', async () => {
    const id = await create('leased');
    const dispatcher = await fixture.dispatch();
    await fixture.publish({});
    await until('it is served', () => sentTo('leased') === 1, PATIENCE);
    // The subscription cannot be released at once while an attempt is in progress.
    let answer = () => {};
    receiver.answer = ({ path }, response) => {
      if (path.endsWith('leased')) answer = () => response.end();
      else response.end();
    };
    await fixture.publish({});
    await until('one is in flight', () => sentTo('leased') === 2, PATIENCE);
    await damage(id, `url = 'nonsense', version = version + 1`);
    await fixture.create({ url: `${receiver.url}/after` });
    const held = dispatcher.held();
    await until('the change has been polled', () => dispatcher.held() > held, PATIENCE);
    await fixture.publish({}, {});
    await until('the other is served', () => sentTo('after') === 2, PATIENCE);
    answer();
    await until('it is marked', async () => (await faultOf(id)) !== null, PATIENCE);
    assert.equal(sentTo('leased'), 2);
    await damage(id, `url = '${receiver.url}/leased', version = version + 1`);
    receiver.answer = (_request, response) => response.end();
    await until('the rest is sent', () => sentTo('leased') === 4, PATIENCE);
  });

  it('gets retries even if the stored retry times are meaningless', async () => {
    const id = await create('retries');
    await fixture.db.pool.query(
      `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, next_attempt_at, created_at, updated_at)
       SELECT 'dlv_' || $1::bigint || '_1_' || n, $1, 'evt_1_' || n, 'match.goal', '{"id":"evt_1_' || n || '","type":"match.goal","data":{}}', 'pending', 1, due, now(), now()
       FROM (VALUES (901, 'infinity'::timestamptz), (902, NULL), (903, '-infinity')) AS v (n, due)`,
      [id],
    );
    await fixture.dispatch();
    await until('they are sent', () => sentTo('retries') === 3, PATIENCE);
  });

  it('does not delay other subscriptions or their stored failures if its counts cannot grow and its deliveries cannot be sent', async () => {
    receiver.answer = ({ path }, response) => response.writeHead(path.endsWith('counted') ? 500 : 200).end();
    const id = await create('counted');
    await create('beside');
    await damage(id, 'failures = 2147483647');
    await fixture.db.pool.query(
      `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, next_attempt_at, created_at, updated_at)
       SELECT delivery, $1::bigint, event, 'match.goal', '{"id":"evt_1_9","type":"match.goal","data":{}}', 'pending', attempts, '2026-01-01', now(), now()
       FROM (VALUES ('dlv_1_1_911', 'evt_1_911', 2147483647), ('dlv_1_1_912', 'evt_1_912', -2147483648), (E'dlv\n', 'evt_1_913', 1),
         ('dlv_1_1_914', E'\u00e9\n', 1), (E'\u20ac', E'\u20ac', 1)) AS v (delivery, event, attempts)`,
      [id],
    );
    await fixture.dispatch();
    await fixture.publish({}, {});
    await until('the other is served', () => sentTo('beside') === 2, PATIENCE);
    await until('its failures are saved', async () => (await fixture.read(id)).failures > 1_000_000_000, PATIENCE);
  });
});
