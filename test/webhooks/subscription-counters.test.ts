import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import {
  NAMED_SUBSCRIPTIONS,
  RANK_EVERY_MS,
  SubscriptionCounters,
} from '../../src/webhooks/dispatcher/subscription-counters.ts';

describe('attempt counters by subscription', () => {
  let now = 0;
  let leased: Set<number>;
  let registry: Registry;
  let counters: SubscriptionCounters;

  beforeEach(() => {
    leased = new Set(Array.from({ length: NAMED_SUBSCRIPTIONS + 50 }, (_, index) => index + 1));
    registry = new Registry();
    counters = new SubscriptionCounters({ registry, isLeased: (id) => leased.has(id), now: () => now });
  });

  /** Returns counts by label, for delivered and failed events together. */
  async function series(): Promise<Map<string, number>> {
    const [metric] = await registry.getMetricsAsJSON();
    const sums = new Map<string, number>();
    for (const { labels, value } of metric!.values) {
      const name = String(labels.subscription);
      sums.set(name, (sums.get(name) ?? 0) + value);
    }
    return sums;
  }
  const count = (id: number, times = 1) => {
    for (let i = 0; i < times; i += 1) counters.count(id, 'delivered');
  };

  it('have a limited number of series, and lose no attempt', async () => {
    for (const id of leased) count(id);
    const found = await series();
    assert.equal(NAMED_SUBSCRIPTIONS, 200);
    assert.equal(found.size, NAMED_SUBSCRIPTIONS + 1);
    assert.equal(found.get('other'), 50);
    assert.equal(
      [...found.values()].reduce((sum, value) => sum + value, 0),
      leased.size,
    );
    counters.count(7, 'failed');
    assert.match(await registry.metrics(), /\{subscription="7",outcome="failed"\} 1\n/);
  });

  it('name the subscriptions with the most attempts, and change only if a subscription clearly has more', async () => {
    for (const id of leased) count(id, 10);
    const [twice, clearly] = [NAMED_SUBSCRIPTIONS + 1, NAMED_SUBSCRIPTIONS + 2];
    count(twice, 10);
    count(clearly, 11);
    const other = (await series()).get('other')!;
    now += RANK_EVERY_MS;
    count(clearly);
    count(twice);
    const found = await series();
    assert.equal(found.get(String(clearly)), 1);
    assert.equal(found.has(String(twice)), false);
    assert.equal(found.size, NAMED_SUBSCRIPTIONS + 1);
    assert.equal(found.get('other'), other + 1, 'it never falls');
  });

  it('drop subscriptions that ended or moved to another dispatcher, and give their places to the next ones', async () => {
    for (const id of leased) count(id);
    leased.delete(1);
    assert.equal((await series()).has('1'), false);
    count(NAMED_SUBSCRIPTIONS + 1);
    const found = await series();
    assert.equal(found.get(String(NAMED_SUBSCRIPTIONS + 1)), 1);
    assert.equal(found.size, NAMED_SUBSCRIPTIONS + 1);
  });
});
