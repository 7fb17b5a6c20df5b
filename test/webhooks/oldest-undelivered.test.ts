import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { changeSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;
const MINUTE = 60_000;

describe('the oldest undelivered webhook’s age', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  const registry = new Registry();

  before(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
  });
  after(async () => {
    await fixture.close();
    await receiver.close();
  });

  async function ages(): Promise<Record<string, number>> {
    const { values } = await registry.getSingleMetric('touchline_webhook_oldest_undelivered_seconds')!.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.wait, Math.round(value)]));
  }
  const areAges = (expected: Record<string, number>) =>
    until(
      `the ages are ${JSON.stringify(expected)}`,
      async () => JSON.stringify(await ages()) === JSON.stringify(expected),
      PATIENCE,
    );
  const NONE = { sending: 0, throttled: 0, unconfirmed: 0, failing: 0, retrying: 0 };
  /** Publishes events with the fixture clock's time. */
  const publish = () => fixture.publish({ occurredAt: fixture.clock.now() });

  it('is 0 while no delivery waits, and is reported separately for sending, retrying and failing', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch({ registry });
    await until('it is leased', () => dispatcher.held() === 1, PATIENCE);
    assert.deepEqual(await ages(), NONE);

    let response: ServerResponse | null = null;
    receiver.answer = (_request, given) => {
      response = given;
    };
    await publish();
    await until('an attempt is in flight', () => response !== null, PATIENCE);
    fixture.clock.advance(3 * MINUTE);
    assert.deepEqual(await ages(), { ...NONE, sending: 180 });

    // The event fails, and from its first attempt on counts as waiting for a retry.
    receiver.answer = (_request, given) => given.writeHead(500).end();
    response!.writeHead(500).end();
    await areAges(NONE);
    fixture.clock.advance(3_000);
    assert.deepEqual(await ages(), { ...NONE, retrying: 3 });

    // After five failures in a row, the subscription's waiting events count as failing.
    for (let n = 0; n < 4; n += 1) await publish();
    await until('it is failing', async () => (await fixture.read(id)).state === 'failing', PATIENCE);
    await publish();
    fixture.clock.advance(30_000);
    await until('events wait', async () => (await ages()).failing === 30, PATIENCE);
    assert.ok((await ages()).retrying! >= 30);
    assert.equal((await ages()).sending, 0);

    // While the subscription is paused, its events count as waiting for the owner.
    await changeSubscription(fixture.deps, id, { paused: true });
    await areAges(NONE);
  });
});
