import assert from 'node:assert/strict';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { pruneStep } from '../../src/webhooks/delivery/delivery-pruning.ts';
import { type NoticeRow, queueNotices, saveNotices } from '../../src/webhooks/delivery/notice-queries.ts';
import {
  changeSubscription,
  enableSubscription,
  endSubscription,
} from '../../src/webhooks/subscriptions/subscription.ts';
import { createKey } from '../support/accounts.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Answer, type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const reply =
  (status: number): Answer =>
  (_request, response) =>
    response.writeHead(status).end();

describe('notices about webhooks', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let failing: Receiver;
  let watching: Receiver;

  beforeEach(async () => {
    fixture = await createWebhookFixture();
    failing = await startReceiver(reply(500));
    watching = await startReceiver();
  });
  afterEach(async () => {
    await fixture.close();
    await failing.close();
    await watching.close();
  });

  const notices = (receiver = watching) =>
    receiver.received.filter(({ type }) => /^webhook\.(failing|disabled|recovered)$/.test(type));
  const types = (receiver = watching) => notices(receiver).map(({ type }) => type);
  const has = (count: number) => until(`${count} notices have come`, () => notices().length >= count, PATIENCE);
  const goals = (count: number) => fixture.publish(...Array.from({ length: count }, () => ({})));
  const stored = async () =>
    (await fixture.db.pool.query('SELECT subscription_id, type, queued_at FROM webhook_notice ORDER BY id')).rows;
  const plans = () => fixture.deps.plans.webhookPlans();
  /** Lets the stored notices become deliveries and be sent. */
  const flush = async (dispatcher: Awaited<ReturnType<WebhookFixture['dispatch']>>) => {
    const isQueued = async () => (await stored()).every(({ queued_at }) => queued_at !== null);
    // Outcomes are saved every half second, and notices become deliveries every second.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await until('notices are queued', isQueued, PATIENCE);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await dispatcher.settled();
  };

  it('come, signed and logged, after five minutes of failures and with the next success, but not to the subscription itself', async () => {
    const about = await fixture.create({
      url: `${failing.url}?token=hidden`,
      eventTypes: ['match.*', 'webhook.*'],
      description: 'goals',
    });
    const reader = await fixture.create({ url: watching.url, eventTypes: ['webhook.failing', 'webhook.recovered'] });
    const dispatcher = await fixture.dispatch();
    await until('both are leased', () => dispatcher.held() === 2, PATIENCE);
    const begun = fixture.clock.now();
    await goals(8);
    await until('they have failed', async () => (await fixture.read(about.id)).pending === 8, PATIENCE);
    await dispatcher.settled();
    fixture.clock.advance(5 * MINUTE - 1);
    await dispatcher.settled();
    await flush(dispatcher);
    assert.equal((await fixture.read(about.id)).state, 'failing');
    assert.deepEqual(await stored(), []);
    fixture.clock.advance(MINUTE);
    await dispatcher.settled();
    await has(1);
    const at = fixture.clock.now();
    const [got] = notices();
    const event = verifyWebhook(got!.headers, got!.body, reader.secret, { now: at });
    assert.match(event.id, /^evt_0_\d+$/);
    assert.deepEqual(event, {
      id: event.id,
      type: 'webhook.failing',
      data: {
        subscription_id: about.id,
        sent_at: new Date(at).toISOString().replace('.999Z', 'Z'),
        host: '127.0.0.1',
        description: 'goals',
        since: new Date(begun).toISOString().replace('.000Z', 'Z'),
        failure: 'status 500',
      },
    });
    assert.doesNotMatch(got!.body, /hidden/);
    await until('it is logged', async () => (await fixture.attempts(reader.id)).length === 1, PATIENCE);
    const [logged] = await fixture.attempts(reader.id);
    assert.deepEqual([logged!.event_type, logged!.status, logged!.attempt], ['webhook.failing', 200, 1]);

    fixture.clock.advance(30 * MINUTE);
    await dispatcher.settled();
    await flush(dispatcher);
    assert.deepEqual(types(), ['webhook.failing'], 'it is still failing, which is no news');
    failing.answer = reply(200);
    fixture.clock.advance(2 * HOUR + 30 * MINUTE);
    await dispatcher.settled();
    await has(2);
    const recovered = JSON.parse(notices()[1]!.body);
    assert.deepEqual([recovered.type, recovered.data.failure], ['webhook.recovered', null]);
    assert.equal(recovered.data.since, JSON.parse(got!.body).data.since);
    assert.deepEqual(types(failing), []);
  });

  it('are retried like any delivery', async () => {
    await fixture.create({ url: failing.url });
    await fixture.create({ url: watching.url, eventTypes: ['webhook.*'] });
    watching.answer = reply(503);
    failing.answer = reply(410);
    const dispatcher = await fixture.dispatch();
    await until('both are leased', () => dispatcher.held() === 2, PATIENCE);
    await goals(1);
    await has(1);
    watching.answer = reply(200);
    await until(
      'it waits',
      async () => {
        fixture.clock.advance(10_000);
        await dispatcher.settled();
        return notices().length === 2;
      },
      PATIENCE,
    );
    assert.deepEqual(
      notices().map(({ id, attempt }) => [id, attempt]),
      [
        [notices()[0]!.id, 1],
        [notices()[0]!.id, 2],
      ],
    );
  });

  it('say that a subscription is disabled, with the cursor, and that it has recovered once it is enabled and succeeds', async () => {
    const about = await fixture.create({ url: failing.url });
    await fixture.create({ url: watching.url, eventTypes: ['webhook.*'] });
    failing.answer = reply(410);
    const dispatcher = await fixture.dispatch();
    await until('both are leased', () => dispatcher.held() === 2, PATIENCE);
    await goals(3);
    await has(1);
    const { type, data } = JSON.parse(notices()[0]!.body);
    assert.deepEqual([type, data.reason, data.failure], ['webhook.disabled', 'gone', 'status 410']);
    assert.equal(data.cursor, (await fixture.read(about.id)).position);

    await enableSubscription(fixture.deps, about.id, data.cursor);
    await until('it is leased again', () => dispatcher.held() === 2, PATIENCE);
    await flush(dispatcher);
    assert.deepEqual(types(), ['webhook.disabled'], 'it has not succeeded yet');
    failing.answer = reply(410);
    await goals(1);
    await has(2);
    failing.answer = reply(200);
    await enableSubscription(fixture.deps, about.id);
    await until('it is leased again', () => dispatcher.held() === 2, PATIENCE);
    await goals(1);
    await has(3);
    await flush(dispatcher);
    assert.deepEqual(types(), ['webhook.disabled', 'webhook.disabled', 'webhook.recovered']);
  });

  it('about two subscriptions that fail together are one each, however often they are delivered to each other', async () => {
    const eventTypes = ['match.*', 'webhook.*'];
    const other = await startReceiver(reply(500));
    const both = [
      await fixture.create({ url: failing.url, eventTypes }),
      await fixture.create({ url: other.url, eventTypes }),
    ];
    const two = [await fixture.dispatch(), await fixture.dispatch()];
    await until('both are leased', () => two[0]!.held() + two[1]!.held() === 2, PATIENCE);
    await goals(6);
    const isFailing = async ({ id }: { id: number }) => (await fixture.read(id)).state === 'failing';
    await until('they fail', async () => (await isFailing(both[0]!)) && (await isFailing(both[1]!)), PATIENCE);
    for (let minute = 0; minute < 60; minute += 6) {
      fixture.clock.advance(6 * MINUTE);
      for (const one of two) await one.settled();
    }
    for (let time = 0; time < 2; time += 1) {
      await flush(two[0]!);
      fixture.clock.advance(HOUR);
      for (const one of two) await one.settled();
    }
    const all = await stored();
    assert.deepEqual(
      all.map(({ type }) => type),
      ['webhook.failing', 'webhook.failing'],
    );
    assert.equal(new Set(all.map(({ subscription_id }) => subscription_id)).size, 2);
    for (const one of [failing, other]) assert.equal(new Set(notices(one).map(({ id }) => id)).size, 1);
    await other.close();
  });

  it('come at most once an hour about a subscription that fails again and again', async () => {
    const { id } = await fixture.create({ url: failing.url });
    await fixture.create({ url: watching.url, eventTypes: ['webhook.*'] });
    const dispatcher = await fixture.dispatch();
    await until('both are leased', () => dispatcher.held() === 2, PATIENCE);
    const areSaved = async () => (await fixture.read(id)).failures >= 5;
    for (let round = 0; round < 4; round += 1) {
      failing.answer = reply(500);
      await goals(6);
      await until('they have failed', areSaved, PATIENCE);
      await dispatcher.settled();
      fixture.clock.advance(6 * MINUTE);
      await dispatcher.settled();
      await flush(dispatcher);
      failing.answer = reply(200);
      fixture.clock.advance(6 * MINUTE);
      await dispatcher.settled();
    }
    await flush(dispatcher);
    assert.deepEqual(types(), ['webhook.failing', 'webhook.recovered']);
  });

  // ---- who gets them, and what a process that ends in between leaves

  const notice = (subscription_id: number, over: Partial<NoticeRow> = {}): NoticeRow => ({
    subscription_id,
    generation: 0,
    number: 1,
    type: 'webhook.failing',
    at: fixture.clock.now(),
    since: fixture.clock.now() - HOUR,
    failure: 'status 500',
    reason: null,
    notified: 'failing',
    ...over,
  });
  const deliveries = async () =>
    (await fixture.db.pool.query('SELECT subscription_id, event_type FROM webhook_delivery ORDER BY id')).rows;

  it('go to other subscriptions of the account that name them and can get events', async () => {
    await createKey(fixture.db.pool, fixture.clock, { email: 'stranger@example.com', plan: 'pro' });
    const about = await fixture.create({ url: failing.url, eventTypes: ['webhook.*'] });
    const named = await fixture.create({
      url: watching.url,
      eventTypes: ['match.goal', 'webhook.failing'],
      leagues: [7],
    });
    const all = await fixture.create({ url: watching.url, eventTypes: ['webhook.*'] });
    await fixture.create({ url: watching.url });
    await fixture.create({ url: watching.url, eventTypes: ['match.*', 'webhook.recovered', 'webhook.ping'] });
    await fixture.create({ url: watching.url, eventTypes: ['webhook.*'], account: 'stranger@example.com' });
    const paused = await fixture.create({ url: watching.url, eventTypes: ['webhook.*'] });
    await changeSubscription(fixture.deps, paused.id, { paused: true });
    const ended = await fixture.create({ url: watching.url, eventTypes: ['webhook.*'] });
    await endSubscription(fixture.deps, ended.id);
    const unconfirmed = await fixture.create({ url: watching.url, eventTypes: ['webhook.*'] });
    const disabled = await fixture.create({ url: watching.url, eventTypes: ['webhook.*'] });
    const { pool } = fixture.db;
    await pool.query('UPDATE webhook_subscription SET unconfirmed_since = now() WHERE id = $1', [unconfirmed.id]);
    await pool.query('UPDATE webhook_subscription SET disabled_at = now() WHERE id = $1', [disabled.id]);
    await saveNotices(pool, [notice(about.id)]);
    await queueNotices(fixture.db.pool, fixture.clock, plans());
    assert.deepEqual(
      (await deliveries()).map((row) => row.subscription_id),
      [named.id, all.id],
    );
  });

  it('are not stored about a paused subscription, or under a lease that was lost', async () => {
    const about = await fixture.create({ url: failing.url });
    await saveNotices(fixture.db.pool, [notice(about.id, { generation: 3 })]);
    await changeSubscription(fixture.deps, about.id, { paused: true });
    await saveNotices(fixture.db.pool, [notice(about.id)]);
    assert.deepEqual(await stored(), []);
  });

  it('are stored once if they are saved again because the first answer was lost', async () => {
    const about = await fixture.create({ url: failing.url });
    const all = [notice(about.id), notice(about.id, { number: 2, type: 'webhook.recovered', notified: null })];
    for (let time = 0; time < 2; time += 1) await saveNotices(fixture.db.pool, all);
    assert.deepEqual(
      (await stored()).map(({ type }) => type),
      ['webhook.failing', 'webhook.recovered'],
    );
    const { rows } = await fixture.db.pool.query('SELECT notified FROM webhook_subscription WHERE id = $1', [about.id]);
    assert.deepEqual(rows, [{ notified: null }]);
  });

  it('are sent once by the next dispatcher if the one that stored them was killed, and by several at the same time', async () => {
    const about = await fixture.create({ url: failing.url });
    await fixture.create({ url: watching.url, eventTypes: ['webhook.*'] });
    const all = Array.from({ length: 12 }, (_, index) => notice(about.id, { number: index + 1 }));
    await saveNotices(fixture.db.pool, all);
    await Promise.all([1, 2, 3].map(() => queueNotices(fixture.db.pool, fixture.clock, plans())));
    const dispatcher = await fixture.dispatch();
    await flush(dispatcher);
    assert.equal(new Set(notices().map(({ id }) => id)).size, 12);
    assert.equal(notices().length, 12);
  });

  it('are forgotten after 30 days', async () => {
    const about = await fixture.create({ url: failing.url });
    await saveNotices(fixture.db.pool, [
      notice(about.id),
      notice(about.id, { number: 2, at: fixture.clock.now() + HOUR }),
    ]);
    fixture.clock.advance(30 * 24 * HOUR + 1);
    await pruneStep(fixture.db.pool, fixture.clock);
    assert.equal((await stored()).length, 1);
  });
});
