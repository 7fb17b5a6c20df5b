import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;
const MINUTE = 60_000;

describe('an event’s age at its first attempt', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  const registry = new Registry();

  before(async () => {
    fixture = await createWebhookFixture();
    // Sets the fixture's clock to this machine's time, by which Postgres commits.
    fixture.clock.advance(Date.now() - fixture.clock.now());
    receiver = await startReceiver();
  });
  after(async () => {
    await fixture.close();
    await receiver.close();
  });

  /**
   * Returns the number of events by what they had to wait for. With `le`, returns the counts in that histogram bucket.
   */
  async function counts(le?: number): Promise<Record<string, number>> {
    const { values } = await registry.getSingleMetric('touchline_webhook_first_attempt_age_seconds')!.get();
    const wanted = values.filter((one) =>
      le === undefined
        ? (one as { metricName?: string }).metricName?.endsWith('_count')
        : (one.labels as { le?: number }).le === le,
    );
    return Object.fromEntries(wanted.map(({ labels, value }) => [(labels as { wait: string }).wait, value]));
  }
  const become = (wait: string, count: number) =>
    until(`${count} of ${wait}`, async () => (await counts())[wait] === count, PATIENCE);

  it('counts as the service’s delay, unless the receiver delays events or the events are old', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch({ registry });
    await until('it is leased', () => dispatcher.held() === 1, PATIENCE);
    await fixture.publish({}, {});
    await become('none', 2);
    assert.deepEqual(await counts(8), { none: 2 });

    // A first attempt that fails still counts as on time.
    receiver.answer = (_request, given) => given.writeHead(500).end();
    await fixture.publish({}, {}, {}, {}, {});
    await become('none', 7);
    await until('it is failing', async () => (await fixture.read(id)).state === 'failing', PATIENCE);
    // From now on the subscription gets one attempt a minute, and retries take some of them.
    await fixture.publish({});
    for (let minutes = 0; minutes < 12 && (await counts()).receiver === undefined; minutes += 1) {
      fixture.clock.advance(MINUTE + 1_000);
      await sleep(500);
    }
    assert.deepEqual(await counts(), { none: 7, receiver: 1 });
    // The clock is ahead, so an event that is committed now is already old.
    fixture.clock.advance(16 * MINUTE);
    await fixture.publish({});
    for (let minutes = 0; minutes < 12 && (await counts()).old === undefined; minutes += 1) {
      fixture.clock.advance(MINUTE + 1_000);
      await sleep(500);
    }
    assert.deepEqual(await counts(), { none: 7, receiver: 1, old: 1 });
  });
});
