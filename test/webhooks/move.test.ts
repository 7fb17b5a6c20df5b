import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSender, type Sender } from '../../src/webhooks/destinations/attempt.ts';
import { changeSubscription, SHARED } from '../../src/webhooks/subscriptions/subscription.ts';
import { randomNumbers } from '../support/random.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const SEED = Number(process.env.SEED ?? 20_260_302);
const OWN = 'whs-of-its-own';
const MOVES = 3;
const PATIENCE = 20_000;
const SECOND = 1_000;
const HOUR = 3_600_000;

describe('a subscription that moves between shared and dedicated dispatchers', function () {
  this.timeout(120_000);
  let fixture: WebhookFixture;
  beforeEach(async () => {
    fixture = await createWebhookFixture();
  });
  afterEach(() => fixture.close());

  /** Starts a dispatcher that puts the name of its group into a header of its requests. */
  function dispatch(group: string) {
    const real = openSender({ guard: fixture.deps.guard });
    const sender: Sender = {
      ...real,
      send: (url, headers, ...rest) => real.send(url, { ...headers, 'X-Group': group }, ...rest),
    };
    return fixture.dispatch({ group, sender });
  }

  it(`moves ${MOVES} times while events flow and some deliveries fail, gets each event once, and has only one group sending at a time`, async () => {
    const chance = randomNumbers(SEED);
    const inFlight = new Map<string, number>([
      [SHARED, 0],
      [OWN, 0],
    ]);
    let together = 0;
    const attempts = new Map<string, { attempt: number; failed: boolean }[]>();
    const receiver = await startReceiver(({ id, attempt, headers }, response) => {
      const group = String(headers['x-group']);
      const other = group === OWN ? SHARED : OWN;
      if (inFlight.get(other)! > 0) together += 1;
      inFlight.set(group, inFlight.get(group)! + 1);
      const failed = chance() < 0.1;
      attempts.set(id, [...(attempts.get(id) ?? []), { attempt, failed }]);
      setTimeout(
        () => {
          inFlight.set(group, inFlight.get(group)! - 1);
          response.writeHead(failed ? 500 : 200).end();
        },
        // Now and then the receiver takes so long that the move is delayed.
        chance() < 0.01 ? SECOND : chance() * 100,
      );
    });
    const { id } = await fixture.create({ url: receiver.url, eventTypes: ['match.*'] });
    await Promise.all([dispatch(SHARED), dispatch(OWN)]);
    const sent: string[] = [];
    let moving = true;
    const flow = (async () => {
      while (moving) {
        sent.push(...(await fixture.publish(...Array.from({ length: 1 + Math.floor(chance() * 10) }, () => ({})))));
        const pause = Math.round(chance() * 60);
        await sleep(pause);
        // Retries become due during the move, but not before the failure has been saved.
        fixture.clock.advance(2 * pause);
      }
    })();
    try {
      for (let move = 0; move < MOVES; move += 1) {
        const [from, to] = move % 2 === 0 ? [SHARED, OWN] : [OWN, SHARED];
        await until(`${from} sends`, () => inFlight.get(from)! > 0, PATIENCE);
        await sleep(chance() * 300);
        await changeSubscription(fixture.deps, id, { dispatcherGroup: to });
        await until(`${to} sends`, () => inFlight.get(to)! > 0, PATIENCE);
      }
    } finally {
      moving = false;
      await flow;
    }
    await until('everything was examined', async () => (await fixture.read(id)).lag === 0, PATIENCE);
    for (let turn = 0; turn < 12 && (await fixture.read(id)).pending > 0; turn += 1) {
      fixture.clock.advance(HOUR);
      await until('what is due has been repeated', async () => (await fixture.due()) === 0, PATIENCE);
    }
    await receiver.close();
    assert.equal(together, 0, `both groups sent at a time, seed ${SEED}`);
    const events = [...attempts].filter(([one]) => !one.startsWith('evt_0_'));
    assert.deepEqual(events.map(([one]) => one).sort(), [...sent].sort(), `seed ${SEED}`);
    for (const [one, made] of events) {
      const inOrder = made.map((_, index) => ({ attempt: index + 1, failed: index < made.length - 1 }));
      assert.deepEqual(made, inOrder, `${one}, seed ${SEED}`);
    }
    assert.ok(
      events.some(([, made]) => made.length > 1),
      'some were retried',
    );
    const logged = await fixture.attempts(id);
    assert.equal(logged.length, receiver.received.length);
  });
});
