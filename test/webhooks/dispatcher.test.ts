import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { retryDelivery } from '../../src/webhooks/delivery/delivery-retry.ts';
import { resolveReplay } from '../../src/webhooks/subscriptions/replay-start.ts';
import {
  changeSubscription,
  enableSubscription,
  endSubscription,
  replaySubscription,
  rotateSecret,
} from '../../src/webhooks/subscriptions/subscription.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;

describe('a webhook dispatcher', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;

  beforeEach(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await fixture.close();
    await receiver.close();
  });

  const ids = () => receiver.events().map(({ id }) => id);
  const has = (count: number) => until(`${count} events have come`, () => ids().length >= count, PATIENCE);
  const goals = (count: number) => fixture.publish(...Array.from({ length: count }, () => ({})));

  it('signs an event with the machine’s real time even if the service’s clock is set, because receivers compare it with real time', async () => {
    await fixture.create({ url: receiver.url });
    Object.assign(fixture.clock, { isSet: true });
    await fixture.dispatch();
    await goals(1);
    await has(1);
    const signedAt = Number(receiver.received[0]!.headers['x-service-timestamp']);
    assert.ok(Math.abs(signedAt - Date.now() / 1_000) < 60, String(signedAt));
    assert.ok(Math.abs(fixture.clock.now() - Date.now()) > 3_600_000, 'the clock of the test is another one');
  });

  it('delivers an event with a signature and the same bytes as the stream', async () => {
    const { id, secret } = await fixture.create({ url: receiver.url });
    await fixture.dispatch();
    const [event] = await goals(1);
    await has(1);
    const [got] = receiver.received;
    assert.equal(got!.id, event);
    const { rows } = await fixture.db.pool.query('SELECT envelope FROM event_log');
    assert.equal(got!.body, rows[0].envelope);
    assert.equal(got!.headers['content-type'], 'application/json; charset=utf-8');
    assert.match(String(got!.headers['user-agent']), /^Touchline-Webhooks\/\d+\.\d+\.\d+$/);
    assert.equal(got!.headers['x-service-attempt'], '1');
    assert.equal(got!.headers['x-service-delivery-id'], `dlv_${id}_1_1`);
    assert.equal(Number(got!.headers['x-service-timestamp']), fixture.clock.now() / 1_000);
    assert.equal(verifyWebhook(got!.headers, got!.body, secret, { now: fixture.clock.now() }).id, event);
    await until('it is saved', async () => (await fixture.read(id)).lag === 0);
    const one = await fixture.read(id);
    assert.deepEqual([one.state, one.failures, one.lastSuccessAt?.getTime()], ['active', 0, fixture.clock.now()]);
    const [logged] = await fixture.attempts(id);
    assert.deepEqual([logged!.event_id, logged!.status, logged!.failure, logged!.attempt], [event, 200, null, 1]);
  });

  it('delivers each event once to the subscriptions whose filter it passes, in a burst or one by one', async () => {
    const other = await startReceiver();
    await fixture.create({ url: receiver.url });
    await fixture.create({ url: other.url, sports: ['tennis'] });
    await fixture.create({ url: other.url, leagues: [9], eventTypes: ['match.card'] });
    await fixture.dispatch();
    const sent = await goals(500);
    for (let i = 0; i < 5; i += 1) {
      sent.push(...(await goals(1)));
      await has(sent.length);
    }
    sent.push(
      ...(await fixture.publish({ sport: 'tennis' }, { tournament: 9 }, { tournament: 9, type: 'match.card' })),
    );
    await has(sent.length);
    assert.deepEqual(ids().sort(), [...sent].sort());
    await until('the other has its two', () => other.events().length === 2, PATIENCE);
    assert.deepEqual(
      other
        .events()
        .map(({ id }) => id)
        .sort(),
      [sent.at(-3), sent.at(-1)].sort(),
    );
    await other.close();
  });

  it('delivers the events that meet all conditions, with the headers of the subscription', async () => {
    await fixture.create({
      url: receiver.url,
      conditions: ['data.match.home.name = Reds', 'data.match.minute >= 10'],
      headers: [
        { name: 'X-Team', value: 'stadium', secret: false },
        { name: 'Authorization', value: 'Bearer x', secret: true },
      ],
    });
    await fixture.dispatch();
    const sent = await fixture.publish({ name: 'Reds' }, { name: 'Blues' }, { name: 'Reds' });
    await has(2);
    assert.deepEqual(ids().sort(), [sent[0], sent[2]].sort());
    const { headers } = receiver.events()[0]!;
    assert.deepEqual([headers['x-team'], headers.authorization], ['stadium', 'Bearer x']);
    assert.match(String(headers['x-service-signature']), /^v1=/);
  });

  it('continues from the previous dispatcher’s position, even if that is before the events in memory', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    const first = await fixture.dispatch();
    const sent = await goals(10);
    await has(10);
    await first.stop();
    assert.equal((await fixture.read(id)).holder, null);
    sent.push(...(await goals(700)));
    await until('they are in the log', async () => (await fixture.read(id)).lag === 700);
    await fixture.dispatch({ ringEvents: 50 });
    await has(710);
    assert.deepEqual(ids().sort(), [...sent].sort());
  });

  it('continues with the oldest stored event if a subscription’s next events were deleted, and reports the gap', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    const first = (await fixture.read(id)).position;
    await changeSubscription(fixture.deps, id, { paused: true });
    const sent = await goals(40);
    await until('they are in the log', async () => (await fixture.read(id)).lag === 40);
    const gone = first + 25;
    await fixture.db.pool.query('DELETE FROM event_log WHERE cursor <= $1', [gone]);
    await fixture.db.pool.query('UPDATE event_log_floor SET floor = $1', [gone]);
    assert.equal((await fixture.read(id)).gap, null);
    await changeSubscription(fixture.deps, id, { paused: false });
    const registry = new Registry();
    await fixture.dispatch({ registry });
    await has(15);
    assert.deepEqual(ids().sort(), sent.slice(25).sort());
    await until('it is saved', async () => (await fixture.read(id)).lag === 0);
    const one = await fixture.read(id);
    assert.deepEqual([one.state, one.gap], ['active', { at: '2026-03-01T12:00:00Z', from: first, to: gone }]);
    assert.match(fixture.logged(), /events were dropped from the log before they could be sent/);
    const metric = await registry.getSingleMetric('touchline_webhook_expired_positions_total')!.get();
    assert.equal(metric.values[0]!.value, 1);
    // The gap is shown until the owner enables the subscription, even if other dispatchers lease it meanwhile.
    await changeSubscription(fixture.deps, id, { sports: ['football'] });
    sent.push(...(await goals(1)));
    await until('the next is saved', async () => ids().length === 16 && (await fixture.read(id)).lag === 0, PATIENCE);
    assert.deepEqual((await fixture.read(id)).gap, one.gap);
    await enableSubscription(fixture.deps, id);
    sent.push(...(await goals(1)));
    // The dispatcher may send an event before it notices that the subscription was enabled. That event is sent again.
    const all = () => new Set(ids()).size === 17;
    await until('one more is saved', async () => all() && (await fixture.read(id)).lag === 0, PATIENCE);
    assert.equal((await fixture.read(id)).gap, null);
  });

  // ---- failures

  const SECOND = 1_000;
  const MINUTE = 60 * SECOND;
  const HOUR = 60 * MINUTE;

  const fails = (status: number, headers: Record<string, string> = {}) => {
    receiver.answer = (_request, response) => response.writeHead(status, headers).end();
  };
  const succeeds = () => {
    receiver.answer = (_request, response) => response.end();
  };
  const attempted = (count: number) =>
    until(`${count} attempts have been made`, () => receiver.received.length >= count, PATIENCE);
  const saved = (id: number, failures: number) =>
    until(`${failures} failures are saved`, async () => (await fixture.read(id)).failures === failures, PATIENCE);
  const deliveries = async () => (await fixture.db.pool.query('SELECT * FROM webhook_delivery ORDER BY id')).rows;

  it('retries a failed delivery 6 times with the same ids and new signatures, and then gives it up', async () => {
    fails(500);
    const { id, secret } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch();
    await goals(1);
    const waits = [5, 30, 120, 600, 1_800, 7_200];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await until(`attempt ${attempt}`, () => receiver.events().length === attempt, PATIENCE);
      await until('it is saved', async () => (await deliveries())[0]?.attempts === attempt, PATIENCE);
      const [row] = await deliveries();
      if (attempt === 7) break;
      const wait = (row.next_attempt_at.getTime() - fixture.clock.now()) / SECOND;
      assert.ok(
        wait >= waits[attempt - 1]! * 0.8 && wait <= waits[attempt - 1]! * 1.2,
        `${wait} s after attempt ${attempt}`,
      );
      fixture.clock.advance(wait * SECOND - 1);
      await dispatcher.settled();
      assert.equal(receiver.events().length, attempt, 'not a moment too early');
      fixture.clock.advance(1);
    }
    const [row] = await deliveries();
    assert.deepEqual([row.state, row.next_attempt_at, row.attempts], ['failed', null, 7]);
    const events = receiver.events();
    assert.deepEqual(new Set(events.map((one) => one.id)).size, 1);
    assert.deepEqual(new Set(events.map((one) => one.headers['x-service-delivery-id'])).size, 1);
    assert.deepEqual(
      events.map(({ attempt }) => attempt),
      [1, 2, 3, 4, 5, 6, 7],
    );
    assert.equal(new Set(events.map((one) => one.headers['x-service-timestamp'])).size, 7);
    verifyWebhook(events.at(-1)!.headers, events.at(-1)!.body, secret, { now: fixture.clock.now() });
    const one = await fixture.read(id);
    assert.equal(one.state, 'failing');
    const log = (await fixture.attempts(id)).filter(({ event_type }) => event_type === 'match.goal');
    assert.deepEqual(
      log.map(({ attempt, status }) => [attempt, status]),
      [7, 6, 5, 4, 3, 2, 1].map((n) => [n, 500]),
    );
    // Retries the delivery manually once more.
    succeeds();
    await retryDelivery(fixture.db.pool, fixture.clock, id, row.id);
    await until('it has been retried', async () => (await deliveries())[0]?.state === 'delivered', PATIENCE);
    assert.equal(receiver.events().at(-1)!.attempt, 8);
    await assert.rejects(retryDelivery(fixture.db.pool, fixture.clock, id, row.id), /was delivered/);
  });

  it('waits at most twice as long as planned if the reply has a Retry-After', async () => {
    fails(503, { 'Retry-After': '1000' });
    await fixture.create({ url: receiver.url });
    await fixture.dispatch();
    await goals(1);
    await until('it is saved', async () => (await deliveries()).length === 1, PATIENCE);
    const [row] = await deliveries();
    const wait = (row.next_attempt_at.getTime() - fixture.clock.now()) / SECOND;
    assert.ok(wait >= 8 && wait <= 12, `${wait}`);
  });

  it('sends a failing subscription one event at a time, loses none, and continues at full speed after a success', async () => {
    fails(503);
    const { id } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch();
    const sent = await goals(5);
    await saved(id, 5);
    assert.equal((await fixture.read(id)).state, 'failing');
    sent.push(...(await goals(300)));
    await until('they are in the log', async () => (await fixture.read(id)).lag >= 300, PATIENCE);
    await dispatcher.settled();
    assert.equal(receiver.received.length, 5, 'no new event is sent at once');
    fixture.clock.advance(MINUTE);
    await attempted(6);
    succeeds();
    fixture.clock.advance(3 * MINUTE);
    await until('all have been delivered', () => new Set(ids()).size === sent.length, PATIENCE);
    for (let hour = 0; hour < 4; hour += 1) {
      fixture.clock.advance(HOUR);
      await dispatcher.settled();
    }
    const caughtUp = async () => {
      const { pending, lag } = await fixture.read(id);
      return pending === 0 && lag === 0;
    };
    await until('nothing waits and the position is saved', caughtUp, PATIENCE);
    const one = await fixture.read(id);
    assert.deepEqual([one.state, one.failures], ['active', 0]);
    assert.deepEqual([...new Set(ids())].sort(), [...sent].sort());
  });

  it('prepares a ping again after a second if that failed, and sends events meanwhile', async () => {
    await fixture.create({ url: receiver.url });
    let refused = 0;
    const pool = new Proxy(fixture.db.pool, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name, target);
        return (text: unknown, ...rest: unknown[]) => {
          const isNumber = typeof text === 'string' && text.includes("nextval('webhook_event_number')");
          if (!isNumber || refused >= 3) return (target.query as (...all: unknown[]) => unknown)(text, ...rest);
          refused += 1;
          return Promise.reject(new Error('no number'));
        };
      },
    });
    const dispatcher = await fixture.dispatch({ pool });
    await until('it is leased', () => dispatcher.held() === 1, PATIENCE);
    fixture.clock.advance(15 * 60_000);
    await dispatcher.settled();
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(refused, 1, 'it is not tried again and again');
    await goals(1);
    await has(1);
    fixture.clock.advance(15 * 60_000);
    await dispatcher.settled();
    for (let second = 0; second < 3; second += 1) {
      fixture.clock.advance(1_000);
      await dispatcher.settled();
    }
    assert.deepEqual(
      receiver.received.map(({ type }) => type),
      ['match.goal', 'webhook.ping'],
    );
  });

  it('disables a subscription after a 410 reply, and sends later events once it is enabled again', async () => {
    fails(410);
    const { id } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch();
    const before = (await fixture.read(id)).position;
    const sent = await goals(1);
    await until('it is disabled', async () => (await fixture.read(id)).state === 'disabled', PATIENCE);
    const one = await fixture.read(id);
    assert.deepEqual([one.disabledReason, one.lastFailure], ['gone', 'status 410']);
    await until('it is released', async () => (await fixture.read(id)).holder === null, PATIENCE);
    sent.push(...(await goals(20)));
    await until('they are in the log', async () => (await fixture.read(id)).lag >= 20, PATIENCE);
    succeeds();
    await dispatcher.settled();
    assert.equal(receiver.received.length, 1);
    await enableSubscription(fixture.deps, id, before);
    await until('all have been delivered', () => new Set(ids()).size === sent.length, PATIENCE);
    assert.equal((await fixture.read(id)).state, 'active');
  });

  it('disables a subscription after 72 hours without a success, not counting pauses', async () => {
    fails(500);
    const { id } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch();
    await goals(1);
    await saved(id, 1);
    fixture.clock.advance(50 * HOUR);
    await attempted(2);
    await changeSubscription(fixture.deps, id, { paused: true });
    await until('it is released', async () => (await fixture.read(id)).holder === null, PATIENCE);
    const before = receiver.received.length;
    fixture.clock.advance(100 * HOUR);
    await goals(1);
    await until('it is in the log', async () => (await fixture.read(id)).lag > 0, PATIENCE);
    await dispatcher.settled();
    assert.equal(receiver.received.length, before, 'a paused subscription gets nothing, not even a ping');
    assert.equal((await fixture.read(id)).state, 'paused');
    await enableSubscription(fixture.deps, id);
    await attempted(before + 1);
    await until('its failure is saved', async () => (await fixture.read(id)).failures > 0, PATIENCE);
    assert.notEqual((await fixture.read(id)).state, 'disabled');
    fixture.clock.advance(72 * HOUR);
    await until('it is disabled', async () => (await fixture.read(id)).state === 'disabled', PATIENCE);
    assert.equal((await fixture.read(id)).disabledReason, 'no_success');
  });

  it('sends a signed ping after 15 quiet minutes, which is never retried and counts for the subscription’s health', async () => {
    const { id, secret } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch();
    await goals(1);
    await has(1);
    fixture.clock.advance(15 * MINUTE - 1);
    await dispatcher.settled();
    assert.equal(receiver.received.length, 1);
    fixture.clock.advance(1);
    await attempted(2);
    const ping = receiver.received[1]!;
    assert.match(ping.id, /^evt_0_\d+$/);
    assert.deepEqual(verifyWebhook(ping.headers, ping.body, secret, { now: fixture.clock.now() }), {
      id: ping.id,
      type: 'webhook.ping',
      data: { subscription_id: id, sent_at: new Date(fixture.clock.now()).toISOString().replace('.000', '') },
    });
    fails(500);
    fixture.clock.advance(15 * MINUTE);
    await attempted(3);
    await saved(id, 1);
    fixture.clock.advance(10 * MINUTE);
    await dispatcher.settled();
    assert.equal(receiver.received.length, 3);
    assert.deepEqual(await deliveries(), []);
  });

  it('also signs with the old secret until 24 hours after the rotation', async () => {
    const { id, secret: old } = await fixture.create({ url: receiver.url });
    await fixture.dispatch();
    const secret = await rotateSecret(fixture.deps, id);
    const signatures = async () => {
      const count = receiver.events().length;
      await goals(1);
      await has(count + 1);
      const { headers, body } = receiver.events().at(-1)!;
      const good = (one: string) => {
        try {
          return verifyWebhook(headers, body, one, { now: fixture.clock.now() }).id !== '';
        } catch {
          return false;
        }
      };
      return { new: good(secret), old: good(old), count: String(headers['webhook-signature']).split(' ').length };
    };
    await until('the dispatcher has seen it', async () => (await signatures()).new, PATIENCE);
    fixture.clock.advance(24 * HOUR - SECOND);
    assert.deepEqual(await signatures(), { new: true, old: true, count: 2 }, '23:59:59');
    fixture.clock.advance(2 * SECOND);
    assert.deepEqual(await signatures(), { new: true, old: false, count: 1 }, '24:00:01');
  });

  it('suspends a subscription while the plan does not include webhooks, and resumes it when the plan includes them again', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch();
    const sent = await goals(1);
    await has(1);
    await fixture.db.pool.query("UPDATE account SET plan = 'starter'");
    await until('it is released', async () => (await fixture.read(id)).holder === null, PATIENCE);
    assert.equal((await fixture.read(id)).state, 'suspended');
    sent.push(...(await goals(3)));
    await until('they are in the log', async () => (await fixture.read(id)).lag === 3, PATIENCE);
    await dispatcher.settled();
    assert.equal(ids().length, 1);
    await fixture.db.pool.query("UPDATE account SET plan = 'business'");
    await has(4);
    assert.deepEqual(ids().sort(), [...sent].sort());
  });

  it('sends no event for a suspended account until its suspension is lifted', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch();
    const sent = await goals(1);
    await has(1);
    await fixture.db.pool.query('UPDATE account SET suspended_at = now()');
    await until('it is released', async () => (await fixture.read(id)).holder === null, PATIENCE);
    assert.equal((await fixture.read(id)).state, 'suspended');
    sent.push(...(await goals(3)));
    await until('they are in the log', async () => (await fixture.read(id)).lag === 3, PATIENCE);
    await dispatcher.settled();
    assert.equal(ids().length, 1);
    await fixture.db.pool.query('UPDATE account SET suspended_at = NULL');
    await has(4);
    assert.deepEqual(ids().sort(), [...sent].sort());
  });

  it('delivers only events for the chosen matches and participants, and applies a changed choice', async () => {
    const { id } = await fixture.create({ url: receiver.url, matchIds: [5, 6], participantIds: [30] });
    await fixture.dispatch();
    const [wanted] = await fixture.publish(
      { match: 5, sides: [30, 31] },
      { match: 5, sides: [1, 2] },
      { match: 7, sides: [30, 31] },
    );
    await until('all are examined', async () => (await fixture.read(id)).lag === 0 || ids().length > 0, PATIENCE);
    await has(1);
    await changeSubscription(fixture.deps, id, { matchIds: [], participantIds: [31] });
    await until(
      'the other side comes too',
      async () => {
        await fixture.publish({ match: 8, sides: [40, 31] });
        return ids().length > 1;
      },
      PATIENCE,
    );
    assert.equal(ids()[0], wanted);
    assert.ok(
      ids()
        .slice(1)
        .every((one) => one.startsWith('evt_8_')),
    );
  });

  it('sends events again for a replay from a cursor or a time, with the same ids and without omissions', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    await fixture.dispatch();
    const sent = await goals(6);
    await has(6);
    await until('it is saved', async () => (await fixture.read(id)).lag === 0);
    const { position } = await fixture.read(id);
    await replaySubscription(fixture.deps, id, position - 4);
    await has(10);
    assert.deepEqual(ids().slice(6).sort(), sent.slice(2).sort());
    // The log's records have times from the database's clock.
    const at = (seconds: number) => new Date(fixture.clock.now() - seconds * SECOND);
    for (const [index, seconds] of [60, 50, 40, 30, 20, 10].entries())
      await fixture.db.pool.query('UPDATE event_log SET appended_at = $2 WHERE cursor = $1', [
        position - 5 + index,
        at(seconds),
      ]);
    const log = openPostgresLog(fixture.db.pool);
    const since = await resolveReplay(log, fixture.clock, { since: at(20).getTime() });
    await until('it is saved', async () => (await fixture.read(id)).lag === 0);
    await replaySubscription(fixture.deps, id, since!);
    await has(12);
    assert.deepEqual(ids().slice(10).sort(), sent.slice(4).sort());
    await until('it is saved', async () => (await fixture.read(id)).lag === 0);
    await replaySubscription(fixture.deps, id, position + 1_000);
    assert.equal((await fixture.read(id)).position, position, 'a cursor behind the position leaves out nothing');
    await log.close();
  });

  it('applies a new URL, a new filter or a subscription’s end within seconds', async () => {
    const other = await startReceiver();
    const { id } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch();
    await goals(1);
    await has(1);
    await changeSubscription(fixture.deps, id, { url: other.url, sports: ['tennis'] });
    await until(
      'tennis comes to the other address',
      async () => {
        await fixture.publish({ sport: 'tennis' });
        return other.events().length > 0;
      },
      PATIENCE,
    );
    await endSubscription(fixture.deps, id);
    await until('it is released', () => dispatcher.held() === 0, PATIENCE);
    const count = other.received.length;
    await fixture.publish({ sport: 'tennis' });
    await until(
      'it is in the log',
      async () => (await fixture.db.pool.query('SELECT FROM outbox')).rowCount === 0,
      PATIENCE,
    );
    await dispatcher.settled();
    assert.equal(other.received.length, count);
    await other.close();
  });

  it('writes no secret and no URL query to the log', async () => {
    fails(500);
    const { secret } = await fixture.create({ url: `${receiver.url}?token=of-the-receiver` });
    const bad = await fixture.create({ url: 'http://127.0.0.1:1/?token=of-the-receiver' });
    await fixture.dispatch();
    await fixture.db.pool.query('UPDATE webhook_subscription SET secret = $2, version = version + 1 WHERE id = $1', [
      bad.id,
      'v1.00000000.AAAA',
    ]);
    await goals(3);
    await attempted(3);
    await until('the corrupted secret is logged', () => fixture.logged().includes('cannot be read'), PATIENCE);
    const text = fixture.logged() + JSON.stringify((await fixture.db.pool.query('SELECT * FROM webhook_attempt')).rows);
    for (const one of [secret.slice(6), bad.secret.slice(6), 'of-the-receiver']) assert.ok(!text.includes(one));
    assert.ok(!JSON.stringify(await fixture.read(bad.id)).includes(bad.secret.slice(6)));
  });

  it('does not let a dead endpoint delay deliveries to working endpoints', async () => {
    const dead = await startReceiver(() => {});
    await fixture.create({ url: dead.url });
    await fixture.create({ url: receiver.url });
    await fixture.dispatch();
    const sent = await goals(400);
    await has(400);
    assert.deepEqual(ids().sort(), [...sent].sort());
    assert.ok(dead.received.length <= 32, `${dead.received.length} are in flight to the dead one`);
    await dead.close();
  });
});
