import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { countSenders } from '../../src/webhooks/dispatcher/lease-queries.ts';
import { RateWindow, ReceiptWindow } from '../../src/webhooks/dispatcher/rate-window.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { DEFAULT_POLICY, UNBOUNDED } from '../support/webhook-policy.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;
const SECOND = 1_000;

describe('webhook rates', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  /** A receiver on a different host. */
  let other: Receiver;

  beforeEach(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
    other = await startReceiver(undefined, { host: '127.0.0.2' });
  });
  afterEach(async () => {
    await fixture.close();
    await receiver.close();
    await other.close();
  });

  const publish = async (count: number) => {
    const ids = await fixture.publish(...Array.from({ length: count }, () => ({})));
    const isIn = async () =>
      (await fixture.db.pool.query('SELECT count(*)::int FROM event_log')).rows[0].count === count;
    await until('they are in the log', isIn, PATIENCE);
    return ids;
  };
  const paths = (number: number) => Array.from({ length: number }, (_, index) => `/${index}`);
  const received = (path: string) => receiver.events().filter((got) => got.path === path);
  const sorted = (got: readonly { id: string }[]) => got.map(({ id }) => id).sort();
  const numbers = (all: string[]) => all.map((path) => received(path).length);

  it('are 100 a second for a subscription and 200 to a host by default', () => {
    assert.deepEqual([DEFAULT_POLICY.subscriptionRate, DEFAULT_POLICY.hostRate], [100, 200]);
  });

  it('limit deliveries to a host in any second, give all its subscriptions a turn, and still let every event be delivered once', async () => {
    const all = paths(10);
    for (const path of all) await fixture.create({ url: new URL(path, receiver.url).href });
    await fixture.create({ url: other.url });
    const registry = new Registry();
    const dispatcher = await fixture.dispatch({ registry, policy: { ...UNBOUNDED, hostRate: 50 } });
    await until('all are leased', () => dispatcher.held() === 11, PATIENCE);
    const ids = await publish(20);
    await dispatcher.settled();
    assert.equal(receiver.events().length, 50);
    assert.equal(other.events().length, 20, 'one throttled host does not delay another');
    const throttled = async () =>
      (await registry.getSingleMetric('touchline_webhook_throttled_subscriptions')!.get()).values[0]!.value;
    assert.ok((await throttled()) > 0);
    fixture.clock.advance(SECOND - 1);
    await dispatcher.settled();
    assert.equal(receiver.events().length, 50);
    fixture.clock.advance(1);
    await dispatcher.settled();
    assert.equal(receiver.events().length, 100);
    // A subscription that had no turn in the first second had one in the second.
    for (const number of numbers(all)) assert.ok(number >= 5, `${numbers(all)}`);
    for (const seconds of [3, 4]) {
      fixture.clock.advance(SECOND);
      await dispatcher.settled();
      assert.equal(receiver.events().length, 50 * seconds);
    }
    for (const path of all) assert.deepEqual(sorted(received(path)), [...ids].sort());
    assert.equal(await throttled(), 0);
  });

  it('also limit deliveries to a subscription, and allow a multiple of the limit to a host that the settings name', async () => {
    const all = paths(2);
    for (const path of all) await fixture.create({ url: new URL(path, receiver.url).href });
    const policy = { ...UNBOUNDED, subscriptionRate: 30, hostRate: 10, hostFactors: new Map([['127.0.0.1', 4]]) };
    const dispatcher = await fixture.dispatch({ policy });
    await until('both are leased', () => dispatcher.held() === 2, PATIENCE);
    await publish(100);
    await dispatcher.settled();
    assert.equal(receiver.events().length, 40);
    await dispatcher.stop();
    receiver.received.length = 0;
    const second = await fixture.dispatch({ policy: { ...policy, hostRate: 1_000 } });
    await until('both are leased', () => second.held() === 2, PATIENCE);
    await second.settled();
    assert.deepEqual(numbers(all), [30, 30]);
  });

  it('limit all dispatchers that send to the same host together', async () => {
    for (const path of paths(4)) await fixture.create({ url: new URL(path, receiver.url).href });
    const policy = { ...UNBOUNDED, hostRate: 9 };
    const two = [await fixture.dispatch({ policy }), await fixture.dispatch({ policy })];
    const settle = async () => {
      for (const one of two) await one.settled();
    };
    const areLeased = () => two.every((one) => one.held() > 0) && two[0]!.held() + two[1]!.held() === 4;
    await until('each has some of them', areLeased, PATIENCE);
    await until('each knows of the other', () => two.every((one) => one.sendersTo('127.0.0.1') === 2), PATIENCE);
    assert.deepEqual(await countSenders(fixture.db.pool, ['127.0.0.1', '127.0.0.2']), new Map([['127.0.0.1', 2]]));
    // Each dispatcher sends several events in that time, even to a single subscription.
    await publish(13);
    for (const seconds of [1, 2, 3]) {
      await settle();
      // Each of the two dispatchers may use half of the limit, rounded down.
      assert.equal(receiver.events().length, 8 * seconds);
      fixture.clock.advance(SECOND);
    }
  });

  it('hold for every window, whenever it starts, and a clock that is set back blocks no delivery', () => {
    const window = new RateWindow();
    for (const at of [0, 0, 400]) {
      assert.equal(window.waitMs(3, at), 0);
      window.count(at);
    }
    assert.equal(window.waitMs(3, 999), 1);
    assert.equal(window.waitMs(3, 1_000), 0);
    window.count(1_000);
    window.count(1_000);
    assert.equal(window.waitMs(3, 1_001), 399);
    // With a lower limit, more of the earlier deliveries have to leave the window first.
    assert.equal(window.waitMs(1, 1_001), 999);
    assert.equal(window.waitMs(3, 500), 0);
  });

  it('of an owner count an attempt until one second after its end, but never later than two after its start', () => {
    const window = new ReceiptWindow();
    const ends = [window.started(0), window.started(0)];
    assert.equal(window.waitMs(2, 0), 1_000);
    ends[0]!(300);
    assert.equal(window.waitMs(2, 999), 301);
    assert.equal(window.waitMs(2, 1_299), 1);
    assert.equal(window.waitMs(2, 1_300), 0);
    assert.equal(window.waitMs(1, 1_300), 700, 'the other one is still in flight');
    assert.equal(window.waitMs(1, 2_000), 0);
    ends[1]!(5_000);
    assert.equal(window.waitMs(1, 5_000), 0, 'it has left the window before');
    window.started(9_000);
    assert.equal(window.waitMs(1, 5_000), 1_000, 'the clock was set back');
    assert.equal(window.waitMs(1, 6_000), 0);
  });

  it('of an owner hold where the requests are received, whenever that is, and are used by at least half', () => {
    const attempt = fc.record({ takes: fc.oneof(fc.nat(50), fc.nat(1_500), fc.nat(8_000)), received: fc.nat(1_000) });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(attempt, { minLength: 30, maxLength: 120 }),
        (limit, all) => {
          const window = new ReceiptWindow();
          const receipts: number[] = [];
          const ends: { at: number; end(now: number): void }[] = [];
          let now = 0;
          for (const { takes, received } of all) {
            for (let wait = window.waitMs(limit, now); wait > 0; wait = window.waitMs(limit, now)) {
              const ended = ends.filter(({ at }) => at > now).map(({ at }) => at);
              now = Math.min(now + wait, ...ended);
              for (const one of ends) if (one.at === now) one.end(now);
            }
            // The receipt lies between start and end, and within a second of the start.
            receipts.push(now + Math.floor((Math.min(takes, 1_000) * received) / 1_000));
            ends.push({ at: now + takes, end: window.started(now) });
            if (takes === 0) ends.at(-1)!.end(now);
          }
          for (const at of receipts) {
            const count = receipts.filter((other) => other >= at && other < at + SECOND).length;
            assert.ok(count <= limit, `${count} of ${limit}`);
          }
          assert.ok(now <= Math.ceil(all.length / limit) * 2 * SECOND, `${all.length} attempts took ${now} ms`);
        },
      ),
    );
  });
});
