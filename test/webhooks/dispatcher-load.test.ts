import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

const PATIENCE = 30_000;
/** How a tenth of a second is divided into busy and idle time. */
const BUSY_MS = 90;
const IDLE_MS = 10;

describe('a dispatcher’s load', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  const registry = new Registry();

  before(async () => {
    fixture = await createWebhookFixture();
    await fixture.dispatch({ registry });
  });
  after(() => fixture.close());

  const load = async () => (await registry.getSingleMetric('touchline_webhook_load')!.get()).values[0]!.value;
  /** Keeps the event loop busy most of the time. */
  async function occupy(seconds: number, work: () => void): Promise<void> {
    for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
      work();
      await sleep(IDLE_MS);
    }
  }
  /** Blocks the thread, as if the machine had no processor for it. */
  const wait = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
  const compute = () => {
    for (const end = performance.now() + BUSY_MS; performance.now() < end; );
  };

  it('grows with the processor time it uses, not with the time it waits for a processor', async () => {
    await occupy(4, wait);
    const waited = await load();
    assert.ok(waited < 0.06, `${waited}`);
    await until(
      'the load has grown',
      async () => {
        await occupy(1, compute);
        return (await load()) > waited + 0.06;
      },
      PATIENCE,
    );
  });
});
