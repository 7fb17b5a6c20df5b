import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { openPostgresLog, type PostgresLog } from '../../src/events/postgres-log.ts';
import { Problem } from '../../src/http/errors.ts';
import { createBuckets } from '../../src/http/token-buckets.ts';
import {
  type Delivery,
  type DeliveryFilter,
  findDeliveries,
  findDelivery,
} from '../../src/webhooks/delivery/delivery-log.ts';
import { pruneStep } from '../../src/webhooks/delivery/delivery-pruning.ts';
import { retryDelivery, retryFailed } from '../../src/webhooks/delivery/delivery-retry.ts';
import { sendTest } from '../../src/webhooks/delivery/requested-event.ts';
import { openSender } from '../../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../../src/webhooks/destinations/connections.ts';
import { replaySubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const SECOND = 1_000;
const DAY = 24 * 3_600_000;
const PATIENCE = 20_000;
const NOWHERE = 'http://127.0.0.1:9/';

const fault = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

describe('a subscription’s delivery log', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let log: PostgresLog;
  before(async () => {
    fixture = await createWebhookFixture();
    log = openPostgresLog(fixture.db.pool);
  });
  after(async () => {
    await log.close();
    await fixture.close();
  });

  const before_ = (ms: number) => new Date(fixture.clock.now() - ms);
  const attempt = (subscription: number, id: string, at: Date, over: { type?: string; failure?: string } = {}) =>
    fixture.db.pool.query(
      `INSERT INTO webhook_attempt (subscription_id, delivery_id, event_id, event_type, attempt, at, duration_ms, status, failure, single)
       VALUES ($1, $2, 'evt_' || coalesce(substring($2 FROM '[0-9]+_[0-9]+$'), '1_1'), $4, 1, $3, 5, 200, $5, true)`,
      [subscription, id, at, over.type ?? 'match.goal', over.failure],
    );
  const delivery = (subscription: number, id: string, state: string, at: Date) =>
    fixture.db.pool.query(
      `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, next_attempt_at, created_at, updated_at)
       VALUES ($1, $2, 'evt_' || coalesce(substring($1 FROM '[0-9]+_[0-9]+$'), '1_1'), 'match.goal', '{"id":1}', $3::text, 7,
         CASE WHEN $3 = 'pending' THEN $4::timestamptz END, $4, $4)`,
      [id, subscription, state, at],
    );
  const all = async (id: number, filter: DeliveryFilter = {}, limit = 100): Promise<Delivery[]> => {
    const found: Delivery[] = [];
    let cursor: string | undefined;
    do {
      const page = await findDeliveries(fixture.db.pool, id, filter, { limit, cursor });
      assert.ok(page.deliveries.length <= limit);
      found.push(...page.deliveries);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  };
  const idsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id);

  it('stores attempts for 7 days, failed deliveries for 30 days, and waiting deliveries until their retry', async () => {
    const { pool } = fixture.db;
    const { id } = await fixture.create({ url: NOWHERE });
    await attempt(id, 'stored', before_(7 * DAY));
    await attempt(id, 'old', before_(7 * DAY + 1));
    for (const state of ['failed', 'delivered', 'pending']) {
      await delivery(id, `stored ${state}`, state, before_(30 * DAY));
      await delivery(id, `old ${state}`, state, before_(30 * DAY + 1));
    }
    assert.equal(await pruneStep(pool, fixture.clock), false);
    const attempts = await pool.query('SELECT delivery_id FROM webhook_attempt');
    assert.deepEqual(
      attempts.rows.map(({ delivery_id }) => delivery_id),
      ['stored'],
    );
    const deliveries = await pool.query('SELECT id FROM webhook_delivery ORDER BY id');
    assert.deepEqual(
      deliveries.rows.map((row) => row.id),
      ['old pending', 'stored delivered', 'stored failed', 'stored pending'],
    );
    await pool.query('TRUNCATE webhook_attempt, webhook_delivery');
  });

  it('loses at most 1,000 attempts in one clean-up step, the oldest first', async () => {
    const { pool } = fixture.db;
    const { id } = await fixture.create({ url: NOWHERE });
    await pool.query(
      `INSERT INTO webhook_attempt (subscription_id, delivery_id, event_id, event_type, attempt, at, duration_ms)
       SELECT $1, 'dlv', 'evt_1_1', 'match.goal', n, $2, 5 FROM generate_series(1, 1700) n`,
      [id, before_(8 * DAY)],
    );
    const numbers = async () => (await pool.query('SELECT min(attempt), count(*) FROM webhook_attempt')).rows[0];
    assert.equal(await pruneStep(pool, fixture.clock), true);
    assert.deepEqual(await numbers(), { min: 1_001, count: 700 });
    assert.equal(await pruneStep(pool, fixture.clock), false);
    assert.deepEqual(await numbers(), { min: null, count: 0 });
  });

  it('lists each delivery once on pages of any size, newest first, even if times are equal', async () => {
    const { id } = await fixture.create({ url: NOWHERE });
    const other = await fixture.create({ url: NOWHERE });
    const expected: string[] = [];
    for (let moment = 0; moment < 4; moment += 1) {
      const at = before_((10 - moment) * SECOND);
      for (const n of [1, 2, 3]) {
        await attempt(id, `dlv_${id}_${moment + 1}_${n}`, at);
        await delivery(id, `dlv_${id}_${moment + 1}_${n + 5}`, 'failed', at);
        await attempt(other.id, `dlv_${other.id}_${moment + 1}_${n}`, at);
      }
      expected.unshift(...[8, 7, 6, 3, 2, 1].map((n) => `dlv_${id}_${moment + 1}_${n}`));
    }
    for (const limit of [1, 2, 5, 7, 24, 100])
      assert.deepEqual(idsOf(await all(id, {}, limit)), expected, `by ${limit}`);
    assert.deepEqual(
      idsOf(await all(id, { state: 'failed' }, 5)),
      expected.filter((one) => /_[678]$/.test(one)),
    );
    assert.deepEqual(
      idsOf(await all(id, { state: 'delivered' }, 5)),
      expected.filter((one) => /_[123]$/.test(one)),
    );
    assert.deepEqual(await all(id, { state: 'pending' }), []);
    for (const cursor of ['x', '', Buffer.from('1 dlv_1_1_1; x').toString('base64url'), 'a'.repeat(10_000)])
      await assert.rejects(findDeliveries(fixture.db.pool, id, {}, { limit: 1, cursor }), fault('invalid_cursor'));
  });

  it('leaves out an entry whose time cannot be a page cursor, and lists the rest', async () => {
    const { id } = await fixture.create({ url: NOWHERE });
    const { pool } = fixture.db;
    for (const [n, time] of ['infinity', '-infinity', '294276-01-01', '0044-03-15 BC'].entries()) {
      const [single, failed] = [`dlv_${id}_1_${n + 10}`, `dlv_${id}_2_${n + 10}`];
      await attempt(id, single, before_(SECOND));
      await delivery(id, failed, 'failed', before_(SECOND));
      await pool.query('UPDATE webhook_attempt SET at = $2, next_attempt_at = $2 WHERE delivery_id = $1', [
        single,
        time,
      ]);
      await pool.query('UPDATE webhook_delivery SET created_at = $2 WHERE id = $1', [failed, time]);
      assert.equal(await findDelivery(pool, log, id, single), null);
    }
    const [good, odd] = [`dlv_${id}_1_1`, `dlv_${id}_2_1`];
    await attempt(id, good, before_(SECOND));
    await delivery(id, odd, 'pending', before_(2 * SECOND));
    await pool.query("UPDATE webhook_delivery SET next_attempt_at = 'infinity' WHERE id = $1", [odd]);
    await attempt(id, odd, before_(SECOND), { failure: 'status 500' });
    await pool.query("UPDATE webhook_attempt SET at = 'infinity', single = false WHERE delivery_id = $1", [odd]);
    assert.deepEqual(idsOf(await all(id, {}, 1)), [good, odd]);
    assert.deepEqual(idsOf(await all(id, { eventType: 'match.goal' }, 1)), [good, odd]);
    const found = await findDelivery(pool, log, id, odd);
    assert.deepEqual([found?.next_attempt_at, found?.last_attempt_at, found?.log], [null, null, []]);
  });

  it('can be filtered by match, event type and time', async () => {
    const { id } = await fixture.create({ url: NOWHERE });
    await attempt(id, `dlv_${id}_1_1`, before_(40 * SECOND));
    await attempt(id, `dlv_${id}_12_1`, before_(30 * SECOND), { type: 'match.card' });
    await delivery(id, `dlv_${id}_1_2`, 'failed', before_(20 * SECOND));
    await attempt(id, `dlv_${id}_0_77`, before_(10 * SECOND), { type: 'webhook.ping', failure: 'status 500' });
    const found = async (filter: DeliveryFilter) => idsOf(await all(id, filter, 1));
    assert.deepEqual(await found({ matchId: 1 }), [`dlv_${id}_1_2`, `dlv_${id}_1_1`], 'and not of match 12');
    assert.deepEqual(await found({ eventType: 'match.card' }), [`dlv_${id}_12_1`]);
    assert.deepEqual(await found({ eventType: 'match.goal', state: 'failed' }), [`dlv_${id}_1_2`]);
    assert.deepEqual(await found({ state: 'failed' }), [`dlv_${id}_0_77`, `dlv_${id}_1_2`]);
    const [since, until_] = [before_(30 * SECOND).getTime(), before_(20 * SECOND).getTime()];
    assert.deepEqual(await found({ since, until: until_ }), [`dlv_${id}_12_1`], 'from the first to before the second');
  });

  it('ends a page for a rare event type after 20,000 attempts, with a cursor to continue', async () => {
    const { pool } = fixture.db;
    const { id } = await fixture.create({ url: NOWHERE });
    await attempt(id, `dlv_${id}_9_1`, before_(3 * DAY), { type: 'match.card' });
    await delivery(id, `dlv_${id}_9_2`, 'failed', before_(2 * DAY));
    await pool.query(
      `INSERT INTO webhook_attempt (subscription_id, delivery_id, event_id, event_type, attempt, at, duration_ms, single)
       SELECT $1::bigint, 'dlv_' || $1::bigint || '_1_' || n, 'evt_1_' || n, 'match.goal', 1, $2::timestamptz - make_interval(secs => n), 5, true
       FROM generate_series(1, 20000) n`,
      [id, before_(0)],
    );
    const first = await findDeliveries(pool, id, { eventType: 'match.card' }, { limit: 5 });
    assert.deepEqual(first.deliveries, []);
    const second = await findDeliveries(pool, id, { eventType: 'match.card' }, { limit: 5, cursor: first.nextCursor! });
    assert.deepEqual([idsOf(second.deliveries), second.nextCursor], [[`dlv_${id}_9_1`], null]);
    assert.equal((await all(id, { eventType: 'match.goal' }, 5_000)).length, 20_001);
  });

  describe('real deliveries', () => {
    let receiver: Receiver;
    beforeEach(async () => {
      receiver = await startReceiver();
    });
    afterEach(() => receiver.close());

    const failsWith = (status: number, body: string) => {
      receiver.answer = (_request, response) => response.writeHead(status).end(body);
    };
    const detail = async (id: number, event: string) => {
      const found = await findDelivery(fixture.db.pool, log, id, `dlv_${id}_${event.slice('evt_'.length)}`);
      assert.ok(found, `${event} of ${id}`);
      return found;
    };

    it('shows a delivery with the request, the attempts and the reply to each attempt', async () => {
      const { pool } = fixture.db;
      const registry = new Registry();
      const { id } = await fixture.create({ url: receiver.url });
      const dispatcher = await fixture.dispatch({ registry });
      failsWith(500, 'oops');
      const [failed] = (await fixture.publish({ match: 21 })) as [string];
      await until('its failure is saved', async () => (await fixture.read(id)).pending === 1, PATIENCE);
      let one = await detail(id, failed);
      assert.deepEqual([one.state, one.attempts, one.status, one.cause], ['pending', 1, 500, 'server_error']);
      assert.notEqual(one.next_attempt_at, null);
      failsWith(200, 'thanks');
      fixture.clock.advance(10 * SECOND);
      const [fine] = (await fixture.publish({ match: 22 })) as [string];
      await until('it is saved', async () => (await fixture.read(id)).pending === 0, PATIENCE);
      one = await detail(id, failed);
      assert.deepEqual([one.state, one.attempts, one.status, one.failure], ['delivered', 2, 200, null]);
      assert.deepEqual(
        one.log.map(({ attempt: number, status, reply, failure }) => [number, status, reply, failure]),
        [
          [2, 200, 'thanks', null],
          [1, 500, 'oops', 'status 500'],
        ],
      );
      assert.equal(one.body, receiver.received[0]!.body);
      await until('the other is saved', async () => (await fixture.read(id)).lag === 0, PATIENCE);
      const other = await detail(id, fine);
      assert.deepEqual([other.state, other.attempts, other.log.length], ['delivered', 1, 1]);
      assert.equal(other.body, receiver.events().find((got) => got.id === fine)!.body, 'the bytes that were sent');
      const values = (await registry.getSingleMetric('touchline_webhook_failures_total')!.get()).values;
      const counts = Object.fromEntries(values.map(({ labels, value }) => [labels.cause, value]));
      assert.deepEqual([counts.server_error, counts.dns], [1, 0]);
      // Pings and test events have different bodies.
      fixture.clock.advance(15 * 60 * SECOND);
      await until('a ping has come', () => receiver.received.some(({ type }) => type === 'webhook.ping'), PATIENCE);
      await until('it is saved', async () => (await all(id, { eventType: 'webhook.ping' })).length === 1, PATIENCE);
      const sender = openSender({ guard: fixture.deps.guard });
      const tested = await sendTest(
        {
          ...fixture.deps,
          sender,
          destinations: openDestinations({ guard: fixture.deps.guard, sender }),
          hostBuckets: createBuckets(() => fixture.clock.now()),
        },
        id,
      );
      sender.close();
      assert.equal(tested.reply, 'thanks');
      for (const type of ['webhook.ping', 'webhook.test']) {
        const [listed] = await all(id, { eventType: type });
        const sent = receiver.received.find((got) => got.type === type)!;
        assert.equal((await detail(id, listed!.event_id)).body, sent.body, type);
      }
      // The body is no longer available for events that the log has dropped.
      await pool.query('UPDATE event_log_floor SET floor = (SELECT max(cursor) FROM event_log)');
      await pool.query('DELETE FROM event_log');
      assert.equal((await detail(id, fine)).body, null);
      assert.notEqual((await detail(id, failed)).body, null);
      assert.equal(await findDelivery(pool, log, id + 1, `dlv_${id}_22_1`), null, 'of another subscription');
      assert.equal(await findDelivery(pool, log, id, `dlv_${id}_22_2`), null);
      await dispatcher.stop();
    });

    it('lets many failed deliveries be retried together, a limited number at a time, with live events in between', async () => {
      const { pool } = fixture.db;
      const { id } = await fixture.create({ url: receiver.url });
      const at = before_(60 * SECOND);
      await pool.query(
        `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, created_at, updated_at)
         SELECT 'dlv_' || $1::bigint || '_31_' || n, $1::bigint, 'evt_31_' || n, 'match.goal', '{"id":"evt_31_' || n || '","type":"match.goal"}', 'failed', 7,
           $2::timestamptz + make_interval(secs => n / 1000.0), $2 FROM generate_series(1, 700) n`,
        [id, at],
      );
      assert.deepEqual(await retryFailed(pool, fixture.clock, id, at.getTime() + 10_000), { count: 0, hasMore: false });
      assert.deepEqual(await retryFailed(pool, fixture.clock, id, at.getTime() + 101), { count: 500, hasMore: true });
      assert.deepEqual(
        await retryFailed(pool, fixture.clock, id, at.getTime()),
        { count: 0, hasMore: true },
        'they wait',
      );
      receiver.answer = (_request, response) => setTimeout(() => response.end(), 5);
      const dispatcher = await fixture.dispatch();
      await until('some have come', () => receiver.events().length >= 50, PATIENCE);
      const live = await fixture.publish(...Array.from({ length: 20 }, () => ({ match: 32 })));
      await until('all have come', () => receiver.events().length === 520, PATIENCE);
      const order = receiver.events().map((got) => got.id);
      const positions = live.map((event) => order.indexOf(event));
      assert.ok(Math.max(...positions) < 500, `live events came at ${Math.max(...positions)} of ${order.length}`);
      await until('they are saved', async () => (await fixture.read(id)).pending === 0, PATIENCE);
      assert.deepEqual(await retryFailed(pool, fixture.clock, id, at.getTime()), { count: 200, hasMore: false });
      await until('all have come', () => receiver.events().length === 720, PATIENCE);
      assert.ok(
        receiver.events().every(({ attempt: number, id: event }) => number === (event.startsWith('evt_31_') ? 8 : 1)),
      );
      await until('they are saved', async () => (await fixture.read(id)).pending === 0, PATIENCE);
      assert.deepEqual(await all(id, { state: 'failed' }), []);
      const { pool: db } = fixture.db;
      await assert.rejects(retryDelivery(db, fixture.clock, id, `dlv_${id}_31_1`), fault('conflict'));
      await assert.rejects(
        retryDelivery(db, fixture.clock, id, live[0]!.replace('evt', `dlv_${id}`)),
        fault('conflict'),
      );
      await assert.rejects(retryDelivery(db, fixture.clock, id, `dlv_${id}_99_1`), fault('not_found'));
      await assert.rejects(retryDelivery(db, fixture.clock, id + 1, `dlv_${id}_31_1`), fault('not_found'));
      await dispatcher.stop();
    });

    it('shows a failed delivery as delivered if a replay delivers its event', async () => {
      const { pool } = fixture.db;
      const { id } = await fixture.create({ url: receiver.url });
      const dispatcher = await fixture.dispatch();
      const [event] = (await fixture.publish({ match: 41 })) as [string];
      await until('it is saved', async () => (await all(id)).length === 1, PATIENCE);
      const { position } = await fixture.read(id);
      await pool.query('DELETE FROM webhook_attempt WHERE subscription_id = $1', [id]);
      await delivery(id, event.replace('evt', `dlv_${id}`), 'failed', before_(0));
      await replaySubscription(fixture.deps, id, position - 1);
      await until('it is delivered', async () => (await all(id))[0]?.state === 'delivered', PATIENCE);
      assert.deepEqual((await all(id)).length, 1, 'listed once');
      assert.deepEqual(await retryFailed(pool, fixture.clock, id, 0), { count: 0, hasMore: false });
      await dispatcher.stop();
    });
  });
});
