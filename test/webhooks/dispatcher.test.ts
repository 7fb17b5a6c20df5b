import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { attemptsOf, retryDelivery } from '../../src/webhooks/deliveries.ts';
import { PROBE_MS, WINDOW } from '../../src/webhooks/holding.ts';
import {
  changeSubscription,
  enableSubscription,
  endSubscription,
  rotateSecret,
} from '../../src/webhooks/subscription.ts';
import { until } from '../support/until.ts';
import { type WebhookGround, webhookGround } from '../support/webhook-ground.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;

describe('A dispatcher of webhooks', function () {
  this.timeout(60_000);
  let ground: WebhookGround;
  let receiver: Receiver;

  beforeEach(async () => {
    ground = await webhookGround();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await ground.close();
    await receiver.close();
  });

  const ids = () => receiver.events().map(({ id }) => id);
  const has = (count: number) => until(`${count} events have come`, () => ids().length >= count, PATIENCE);
  const goals = (count: number) => ground.publish(...Array.from({ length: count }, () => ({})));

  it('delivers an event, signed, as the bytes of the stream', async () => {
    const { id, secret } = await ground.create({ url: receiver.url });
    await ground.dispatch();
    const [event] = await goals(1);
    await has(1);
    const [got] = receiver.received;
    assert.equal(got!.id, event);
    const { rows } = await ground.db.pool.query('SELECT envelope FROM event_log');
    assert.equal(got!.body, rows[0].envelope);
    assert.equal(got!.headers['content-type'], 'application/json; charset=utf-8');
    assert.match(String(got!.headers['user-agent']), /^Touchline-Webhooks\/\d+\.\d+\.\d+$/);
    assert.equal(got!.headers['x-service-attempt'], '1');
    assert.equal(got!.headers['x-service-delivery-id'], `dlv_${id}_1_1`);
    assert.equal(Number(got!.headers['x-service-timestamp']), ground.clock.now() / 1_000);
    assert.equal(verifyWebhook(got!.headers, got!.body, secret, { now: ground.clock.now() }).id, event);
    await until('it is saved', async () => (await ground.read(id)).lag === 0);
    const one = await ground.read(id);
    assert.deepEqual([one.state, one.failures, one.lastSuccessAt?.getTime()], ['active', 0, ground.clock.now()]);
    const [logged] = await attemptsOf(ground.db.pool, id, 10);
    assert.deepEqual([logged!.eventId, logged!.status, logged!.failure, logged!.attempt], [event, 200, null, 1]);
  });

  it('delivers each event once, in a burst and one by one, to those whose filter lets it through', async () => {
    const other = await startReceiver();
    await ground.create({ url: receiver.url });
    await ground.create({ url: other.url, sports: ['tennis'] });
    await ground.create({ url: other.url, leagues: [9], eventTypes: ['match.card'] });
    await ground.dispatch();
    const sent = await goals(500);
    for (let i = 0; i < 5; i += 1) {
      sent.push(...(await goals(1)));
      await has(sent.length);
    }
    sent.push(...(await ground.publish({ sport: 'tennis' }, { tournament: 9 }, { tournament: 9, type: 'match.card' })));
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

  it('goes on where the last one stopped, from before what is in memory too', async () => {
    const { id } = await ground.create({ url: receiver.url });
    const first = await ground.dispatch();
    const sent = await goals(10);
    await has(10);
    await first.stop();
    assert.equal((await ground.read(id)).holder, null);
    sent.push(...(await goals(700)));
    await until('they are in the log', async () => (await ground.read(id)).lag === 700);
    await ground.dispatch({ ringEvents: 50 });
    await has(710);
    assert.deepEqual(ids().sort(), [...sent].sort());
  });

  it('goes on with the oldest event there is where the log was pruned before it, and tells of the gap', async () => {
    const { id } = await ground.create({ url: receiver.url });
    const first = (await ground.read(id)).position;
    await changeSubscription(ground.deps, id, { paused: true });
    const sent = await goals(40);
    await until('they are in the log', async () => (await ground.read(id)).lag === 40);
    const gone = first + 25;
    await ground.db.pool.query('DELETE FROM event_log WHERE cursor <= $1', [gone]);
    await ground.db.pool.query('UPDATE event_log_floor SET floor = $1', [gone]);
    assert.equal((await ground.read(id)).gap, null);
    await changeSubscription(ground.deps, id, { paused: false });
    const registry = new Registry();
    await ground.dispatch({ registry });
    await has(15);
    assert.deepEqual(ids().sort(), sent.slice(25).sort());
    await until('it is saved', async () => (await ground.read(id)).lag === 0);
    const one = await ground.read(id);
    assert.deepEqual([one.state, one.gap], ['active', { at: '2026-03-01T12:00:00Z', from: first, to: gone }]);
    assert.match(ground.logged(), /events were dropped before they could be sent/);
    const metric = await registry.getSingleMetric('touchline_webhook_expired_positions_total')!.get();
    assert.equal(metric.values[0]!.value, 1);
    // Until its owner has seen it, whoever holds it.
    await changeSubscription(ground.deps, id, { sports: ['football'] });
    sent.push(...(await goals(1)));
    await until('the next is saved', async () => ids().length === 16 && (await ground.read(id)).lag === 0, PATIENCE);
    assert.deepEqual((await ground.read(id)).gap, one.gap);
    await enableSubscription(ground.deps, id);
    sent.push(...(await goals(1)));
    // Sent before the dispatcher sees that it was enabled anew, it is sent again.
    const all = () => new Set(ids()).size === 17;
    await until('one more is saved', async () => all() && (await ground.read(id)).lag === 0, PATIENCE);
    assert.equal((await ground.read(id)).gap, null);
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
    until(`${failures} failures are saved`, async () => (await ground.read(id)).failures === failures, PATIENCE);
  const deliveries = async () => (await ground.db.pool.query('SELECT * FROM webhook_delivery ORDER BY id')).rows;
  /** For what must not happen: several turns of the dispatcher's timers. */
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 700));

  it('repeats a failed delivery 6 times, with the same ids, each signed anew, then gives it up', async () => {
    fails(500);
    const { id, secret } = await ground.create({ url: receiver.url });
    await ground.dispatch();
    await goals(1);
    const waits = [5, 30, 120, 600, 1_800, 7_200];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await until(`attempt ${attempt}`, () => receiver.events().length === attempt, PATIENCE);
      await until('it is saved', async () => (await deliveries())[0]?.attempts === attempt, PATIENCE);
      const [row] = await deliveries();
      if (attempt === 7) break;
      const wait = (row.next_attempt_at.getTime() - ground.clock.now()) / SECOND;
      assert.ok(
        wait >= waits[attempt - 1]! * 0.8 && wait <= waits[attempt - 1]! * 1.2,
        `${wait} s after attempt ${attempt}`,
      );
      ground.clock.advance(wait * SECOND - 1);
      if (attempt < 3) await quiet();
      assert.equal(receiver.events().length, attempt, 'not a moment too early');
      ground.clock.advance(1);
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
    verifyWebhook(events.at(-1)!.headers, events.at(-1)!.body, secret, { now: ground.clock.now() });
    const one = await ground.read(id);
    assert.equal(one.state, 'failing');
    const log = (await attemptsOf(ground.db.pool, id, 20)).filter(({ eventType }) => eventType === 'match.goal');
    assert.deepEqual(
      log.map(({ attempt, status }) => [attempt, status]),
      [7, 6, 5, 4, 3, 2, 1].map((n) => [n, 500]),
    );
    // By hand, once more.
    succeeds();
    await retryDelivery(ground.db.pool, ground.clock, id, row.id);
    await until('it has been repeated', async () => (await deliveries())[0]?.state === 'delivered', PATIENCE);
    assert.equal(receiver.events().at(-1)!.attempt, 8);
    await assert.rejects(retryDelivery(ground.db.pool, ground.clock, id, row.id), /no failed delivery/);
  });

  it('honours Retry-After up to twice the wait', async () => {
    fails(429, { 'Retry-After': '1000' });
    await ground.create({ url: receiver.url });
    await ground.dispatch();
    await goals(1);
    await until('it is saved', async () => (await deliveries()).length === 1, PATIENCE);
    const [row] = await deliveries();
    const wait = (row.next_attempt_at.getTime() - ground.clock.now()) / SECOND;
    assert.ok(wait >= 8 && wait <= 12, `${wait}`);
  });

  it('sends one at a time while failing, loses nothing of it, and goes on at full speed after a success', async () => {
    fails(503);
    const { id } = await ground.create({ url: receiver.url });
    await ground.dispatch();
    const sent = await goals(5);
    await saved(id, 5);
    assert.equal((await ground.read(id)).state, 'failing');
    sent.push(...(await goals(300)));
    await until('they are in the log', async () => (await ground.read(id)).lag >= 300, PATIENCE);
    await quiet();
    assert.equal(receiver.received.length, 5, 'nothing new is begun at once');
    ground.clock.advance(PROBE_MS);
    await attempted(6);
    succeeds();
    ground.clock.advance(PROBE_MS * 3);
    await until('all have been delivered', () => new Set(ids()).size === sent.length, PATIENCE);
    for (let hour = 0; hour < 4; hour += 1) {
      ground.clock.advance(HOUR);
      await quiet();
    }
    await until('nothing waits', async () => (await ground.read(id)).pending === 0, PATIENCE);
    const one = await ground.read(id);
    assert.deepEqual([one.state, one.lag, one.failures], ['active', 0, 0]);
    assert.deepEqual([...new Set(ids())].sort(), [...sent].sort());
  });

  it('disables a subscription at 410, keeps what came meanwhile, and replays it when it is enabled', async () => {
    fails(410);
    const { id } = await ground.create({ url: receiver.url });
    await ground.dispatch();
    const before = (await ground.read(id)).position;
    const sent = await goals(1);
    await until('it is disabled', async () => (await ground.read(id)).state === 'disabled', PATIENCE);
    const one = await ground.read(id);
    assert.deepEqual([one.disabledReason, one.lastFailure], ['gone', 'status 410']);
    await until('it is let go', async () => (await ground.read(id)).holder === null, PATIENCE);
    sent.push(...(await goals(20)));
    await until('they are in the log', async () => (await ground.read(id)).lag >= 20, PATIENCE);
    succeeds();
    await quiet();
    assert.equal(receiver.received.length, 1);
    await enableSubscription(ground.deps, id, before);
    await until('all have been delivered', () => new Set(ids()).size === sent.length, PATIENCE);
    assert.equal((await ground.read(id)).state, 'active');
  });

  it('disables a subscription after 72 hours without a success, not counting the time it was paused', async () => {
    fails(500);
    const { id } = await ground.create({ url: receiver.url });
    await ground.dispatch();
    await goals(1);
    await saved(id, 1);
    ground.clock.advance(50 * HOUR);
    await attempted(2);
    await changeSubscription(ground.deps, id, { paused: true });
    await until('it is let go', async () => (await ground.read(id)).holder === null, PATIENCE);
    const before = receiver.received.length;
    ground.clock.advance(100 * HOUR);
    await goals(1);
    await quiet();
    assert.equal(receiver.received.length, before, 'a paused one gets nothing, not even a ping');
    assert.equal((await ground.read(id)).state, 'paused');
    await enableSubscription(ground.deps, id);
    await attempted(before + 1);
    await until('its failure is saved', async () => (await ground.read(id)).failures > 0, PATIENCE);
    assert.notEqual((await ground.read(id)).state, 'disabled');
    ground.clock.advance(72 * HOUR);
    await until('it is disabled', async () => (await ground.read(id)).state === 'disabled', PATIENCE);
    assert.equal((await ground.read(id)).disabledReason, 'no_success');
  });

  it('sends a signed ping after 15 quiet minutes, without repeats, and it counts for health', async () => {
    const { id, secret } = await ground.create({ url: receiver.url });
    await ground.dispatch();
    await goals(1);
    await has(1);
    ground.clock.advance(15 * MINUTE - 1);
    await quiet();
    assert.equal(receiver.received.length, 1);
    ground.clock.advance(1);
    await attempted(2);
    const ping = receiver.received[1]!;
    assert.match(ping.id, /^evt_0_\d+$/);
    assert.deepEqual(verifyWebhook(ping.headers, ping.body, secret, { now: ground.clock.now() }), {
      id: ping.id,
      type: 'webhook.ping',
      data: { subscription_id: id, sent_at: new Date(ground.clock.now()).toISOString().replace('.000', '') },
    });
    fails(500);
    ground.clock.advance(15 * MINUTE);
    await attempted(3);
    await saved(id, 1);
    ground.clock.advance(10 * MINUTE);
    await quiet();
    assert.equal(receiver.received.length, 3);
    assert.deepEqual(await deliveries(), []);
  });

  it('signs with the old secret too until 24 hours after the rotation', async () => {
    const { id, secret: old } = await ground.create({ url: receiver.url });
    await ground.dispatch();
    const secret = await rotateSecret(ground.deps, id);
    const signatures = async () => {
      const count = receiver.events().length;
      await goals(1);
      await has(count + 1);
      const { headers, body } = receiver.events().at(-1)!;
      const good = (one: string) => {
        try {
          return verifyWebhook(headers, body, one, { now: ground.clock.now() }).id !== '';
        } catch {
          return false;
        }
      };
      return { new: good(secret), old: good(old), count: String(headers['webhook-signature']).split(' ').length };
    };
    await until('the dispatcher has seen it', async () => (await signatures()).new, PATIENCE);
    ground.clock.advance(24 * HOUR - SECOND);
    assert.deepEqual(await signatures(), { new: true, old: true, count: 2 }, '23:59:59');
    ground.clock.advance(2 * SECOND);
    assert.deepEqual(await signatures(), { new: true, old: false, count: 1 }, '24:00:01');
  });

  it('stops when the plan no longer includes webhooks, and goes on when it does again', async () => {
    const { id } = await ground.create({ url: receiver.url });
    await ground.dispatch();
    const sent = await goals(1);
    await has(1);
    await ground.db.pool.query("UPDATE account SET plan = 'starter'");
    await until('it is let go', async () => (await ground.read(id)).holder === null, PATIENCE);
    assert.equal((await ground.read(id)).state, 'suspended');
    sent.push(...(await goals(3)));
    await quiet();
    assert.equal(ids().length, 1);
    await ground.db.pool.query("UPDATE account SET plan = 'business'");
    await has(4);
    assert.deepEqual(ids().sort(), [...sent].sort());
  });

  it('sees another address, another filter and the end within seconds', async () => {
    const other = await startReceiver();
    const { id } = await ground.create({ url: receiver.url });
    const dispatcher = await ground.dispatch();
    await goals(1);
    await has(1);
    await changeSubscription(ground.deps, id, { url: other.url, sports: ['tennis'] });
    await until(
      'tennis comes to the other address',
      async () => {
        await ground.publish({ sport: 'tennis' });
        return other.events().length > 0;
      },
      PATIENCE,
    );
    await endSubscription(ground.deps, id);
    await until('it is let go', () => dispatcher.held() === 0, PATIENCE);
    const count = other.received.length;
    await ground.publish({ sport: 'tennis' });
    await quiet();
    assert.equal(other.received.length, count);
    await other.close();
  });

  it('never writes a secret or the query of an address to the log', async () => {
    fails(500);
    const { secret } = await ground.create({ url: `${receiver.url}?token=of-the-receiver` });
    const bad = await ground.create({ url: 'http://127.0.0.1:1/?token=of-the-receiver' });
    await ground.dispatch();
    await ground.db.pool.query('UPDATE webhook_subscription SET secret = $2, version = version + 1 WHERE id = $1', [
      bad.id,
      'v1.00000000.AAAA',
    ]);
    await goals(3);
    await attempted(3);
    await until('the damaged secret is told of', () => ground.logged().includes('cannot be read'), PATIENCE);
    const text = ground.logged() + JSON.stringify((await ground.db.pool.query('SELECT * FROM webhook_attempt')).rows);
    for (const one of [secret.slice(6), bad.secret.slice(6), 'of-the-receiver']) assert.ok(!text.includes(one));
    assert.ok(!JSON.stringify(await ground.read(bad.id)).includes(bad.secret.slice(6)));
  });

  it('lets no dead endpoint keep others waiting', async () => {
    const dead = await startReceiver(() => {});
    await ground.create({ url: dead.url });
    await ground.create({ url: receiver.url });
    await ground.dispatch();
    const sent = await goals(400);
    await has(400);
    assert.deepEqual(ids().sort(), [...sent].sort());
    assert.ok(dead.received.length <= WINDOW, `${dead.received.length} are under way to the dead one`);
    await dead.close();
  });
});
