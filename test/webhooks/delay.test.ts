import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { createBuckets } from '../../src/http/index.ts';
import { sendTest } from '../../src/webhooks/delivery/requested-event.ts';
import { openSender } from '../../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../../src/webhooks/destinations/connections.ts';
import { changeSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;
const SECOND = 1_000;

describe('a delayed webhook', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  let got: (Received & { time: number })[];

  beforeEach(async () => {
    fixture = await createWebhookFixture();
    fixture.clock.run();
    got = [];
    receiver = await startReceiver((request, response) => {
      got.push({ ...request, time: Date.now() });
      response.end();
    });
  });
  afterEach(async () => {
    await fixture.close();
    await receiver.close();
  });

  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ match: 1 + (index % 5) }));
  const ids = () => got.filter(({ type }) => type.startsWith('match.')).map(({ id }) => id);
  const have = (count: number) => until(`${count} are there`, () => ids().length >= count, PATIENCE);
  /** Resolves when the dispatcher has saved that it waits for nothing but the delay. */
  const caughtUp = (id: number, pending = 0) =>
    until(
      'it has caught up',
      async () => {
        const one = await fixture.read(id);
        return one.lag === 0 && one.pending === pending && one.lastSuccessAt !== null;
      },
      PATIENCE,
    );
  const appended = async () =>
    new Map(
      (
        await fixture.db.pool.query<{ id: string; at: number }>(
          "SELECT envelope::json ->> 'id' AS id, (extract(epoch FROM appended_at) * 1000)::float8 AS at FROM event_log",
        )
      ).rows.map(({ id, at }) => [id, at]),
    );

  for (const ordering of ['none', 'match'] as const)
    it(`with the order "${ordering}" gets every event, none early, and soon after the delay has passed`, async () => {
      await fixture.create({ url: receiver.url, delay: 2, ordering });
      // Small, so that the events have to be read from the log by the time they are due.
      await fixture.dispatch({ ringEvents: 50 });
      const sent: string[] = [];
      for (let batch = 0; batch < 20; batch += 1) sent.push(...(await fixture.publish(...many(20))));
      await have(400);
      assert.deepEqual(new Set(ids()), new Set(sent));
      assert.equal(ids().length, 400);
      const at = await appended();
      const late = got.map(({ id, time }) => time - at.get(id)! - 2 * SECOND);
      assert.ok(Math.min(...late) >= 0, `${Math.min(...late)} ms`);
      if (ordering === 'none') return;
      for (let match = 1; match <= 5; match += 1) {
        const sequences = ids().filter((id) => id.startsWith(`evt_${match}_`));
        assert.deepEqual(
          sequences,
          sequences.map((_, index) => `evt_${match}_${index + 1}`),
        );
      }
    });

  it('is neither behind nor late while events wait for the delay', async () => {
    const registry = new Registry();
    const { id } = await fixture.create({ url: receiver.url, delay: 60 });
    await fixture.dispatch({ registry });
    await fixture.publish(...many(3));
    await until('they are read', async () => (await appended()).size === 3);
    fixture.clock.advance(61 * SECOND);
    await have(3);
    await fixture.publish(...many(5));
    fixture.clock.advance(-61 * SECOND);
    await caughtUp(id);
    const one = await fixture.read(id);
    assert.deepEqual([one.state, one.lag, one.position, one.failures], ['active', 0, 3, 0]);
    const value = async (name: string) =>
      Math.max(...(await registry.getSingleMetric(name)!.get()).values.map((found) => found.value));
    assert.equal(await value('touchline_webhook_lag_events'), 0);
    assert.equal(await value('touchline_webhook_oldest_undelivered_seconds'), 0);
    assert.equal(ids().length, 3);
    fixture.clock.advance(61 * SECOND);
    await have(8);
  });

  it('gets waiting events at once if the delay becomes shorter, and later if it becomes longer', async () => {
    const { id } = await fixture.create({ url: receiver.url, delay: 600 });
    const lastDue = async () =>
      (await fixture.db.pool.query('SELECT last_due FROM webhook_subscription')).rows[0].last_due;
    /** Resolves when the dispatcher has saved a value that follows from the delay. */
    const knows = (cursor: number | null) =>
      until('the dispatcher knows the delay', async () => (await lastDue()) === cursor, PATIENCE);
    const dispatcher = await fixture.dispatch();
    await fixture.publish(...many(3));
    await until('they are read', async () => (await appended()).size === 3);
    fixture.clock.advance(100 * SECOND);
    await changeSubscription(fixture.deps, id, { delay: 90 });
    await have(3);
    await changeSubscription(fixture.deps, id, { delay: 0 });
    await fixture.publish({});
    await have(4);
    // A delivery whose outcome is not saved when the clock jumps is sent again.
    await caughtUp(id);
    await knows(null);
    fixture.clock.advance(301 * SECOND);
    await changeSubscription(fixture.deps, id, { delay: 300 });
    await knows(4);
    // The dispatcher has to use no time from before the clock goes back, which clocks of machines do not.
    await dispatcher.settled();
    fixture.clock.advance(-401 * SECOND);
    await fixture.publish({});
    await until('it is read', async () => (await appended()).size === 5);
    fixture.clock.advance(100 * SECOND);
    await caughtUp(id);
    assert.deepEqual(ids().sort(), ['evt_1_1', 'evt_1_2', 'evt_2_1', 'evt_3_1']);
    fixture.clock.advance(200 * SECOND);
    await have(5);
  });

  it('gets a test event and the retry of a delivery without the delay', async () => {
    const { id } = await fixture.create({ url: receiver.url, delay: 600 });
    const sender = openSender({ guard: fixture.deps.guard });
    const hostBuckets = createBuckets(() => fixture.clock.now());
    const destinations = openDestinations({ guard: fixture.deps.guard, sender });
    const { failure } = await sendTest({ ...fixture.deps, sender, destinations, hostBuckets }, id);
    sender.close();
    assert.equal(failure, null);
    assert.equal(got.length, 1);
    let refuses = true;
    receiver.answer = (request, response) => {
      got.push({ ...request, time: Date.now() });
      response.writeHead(refuses ? 500 : 200).end();
    };
    await fixture.dispatch();
    await fixture.publish({});
    await until('it is read', async () => (await appended()).size === 1);
    fixture.clock.advance(601 * SECOND);
    await have(1);
    await until('it waits', async () => (await fixture.read(id)).pending === 1, PATIENCE);
    refuses = false;
    fixture.clock.advance(6 * SECOND);
    await have(2);
    assert.deepEqual(
      got.slice(1).map(({ attempt }) => attempt),
      [1, 2],
    );
  });
});
