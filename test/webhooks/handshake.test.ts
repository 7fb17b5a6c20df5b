import assert from 'node:assert/strict';
import { verifyWebhook, webhookReply } from '../../src/client/webhook.ts';
import { repeats } from '../../src/webhooks/delivery/handshake.ts';
import { requiresHandshake } from '../../src/webhooks/subscriptions/operator-limits.ts';
import { changeSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { BUILT_IN_PLANS, createKey } from '../support/accounts.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { DEFAULT_POLICY, UNBOUNDED } from '../support/webhook-policy.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;
const OTHER = 'other@example.com';

describe('the handshake with a new URL', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;

  beforeEach(async () => {
    fixture = await createWebhookFixture({ ...UNBOUNDED, handshake: 'always' });
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await fixture.close();
    await receiver.close();
  });

  const types = () => receiver.received.map(({ type }) => type);
  /** A receiver as in the guide. */
  const confirming = (secret: string) => {
    receiver.answer = ({ headers, body }, response) => {
      const event = verifyWebhook(headers, body, secret, { now: fixture.clock.now() });
      response.end(webhookReply(event));
    };
  };
  const isIn = (id: number, state: string) =>
    until(`it is ${state}`, async () => (await fixture.read(id)).state === state, PATIENCE);

  it('sends only challenges until a reply repeats a signed challenge, and then sends all events since the creation', async () => {
    const { id, secret } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch();
    const events = await fixture.publish({}, {}, {});
    const wasAsked = (times: number) =>
      until(`it was asked ${times} times`, async () => (await fixture.read(id)).challenges === times, PATIENCE);
    await wasAsked(1);
    fixture.clock.advance(16 * 60_000);
    await wasAsked(2);
    await dispatcher.settled();
    assert.deepEqual(types(), ['webhook.challenge', 'webhook.challenge'], 'neither events nor pings');
    const waiting = await fixture.read(id);
    assert.deepEqual(
      [waiting.state, waiting.challengeFailure, waiting.failures, waiting.disabledAt],
      ['unconfirmed', 'the reply does not repeat the challenge', 0, null],
    );
    const [logged] = await fixture.attempts(id);
    assert.deepEqual([logged!.event_type, logged!.status, logged!.cause], ['webhook.challenge', 200, 'challenge']);
    const [first, second] = receiver.received.map(({ body }) => JSON.parse(body).data.challenge as string);
    assert.match(first!, /^[\w-]{43}$/);
    assert.notEqual(first, second);

    confirming(secret);
    fixture.clock.advance(60_000);
    await until('events come', () => receiver.events().length === 3, PATIENCE);
    assert.deepEqual(
      receiver
        .events()
        .map((got) => got.id)
        .sort(),
      events.sort(),
    );
    await isIn(id, 'active');
    const confirmed = await fixture.read(id);
    assert.deepEqual([confirmed.unconfirmedSince, confirmed.challengeFailure], [null, null]);
  });

  it('sends seven challenges on the retry schedule, and a wrong reply does not confirm the URL', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch();
    const answers: [status: number, text: (challenge: string, body: string) => string][] = [
      [200, () => ''],
      [200, (_challenge, body) => body], // an echo server
      [500, (challenge) => challenge],
      [200, (challenge) => `${challenge}x`],
      [200, (challenge) => JSON.stringify([challenge])],
      [302, (challenge) => challenge],
      [200, (challenge) => JSON.stringify({ data: { challenge } })],
    ];
    receiver.answer = ({ body }, response) => {
      const [status, text] = answers[receiver.received.length - 1]!;
      response.writeHead(status).end(text(JSON.parse(body).data.challenge, body));
    };
    for (const [index, wait] of [0, 5, 30, 120, 600, 1_800, 7_200].entries()) {
      // Advances by the longest possible wait, which is 20 % more.
      fixture.clock.advance(wait * 1_200);
      await until('it was asked', () => receiver.received.length === index + 1, PATIENCE);
      await until('it is saved', async () => (await fixture.read(id)).challenges === index + 1, PATIENCE);
    }
    fixture.clock.advance(7 * 24 * 3_600_000);
    await dispatcher.settled();
    assert.equal(receiver.received.length, 7);
    assert.equal((await fixture.read(id)).state, 'unconfirmed');
    // A different dispatcher continues where the first one has stopped.
    await dispatcher.stop();
    await (await fixture.dispatch()).settled();
    await until('it is leased', async () => (await fixture.read(id)).holder !== null, PATIENCE);
    assert.equal(receiver.received.length, 7);
  });

  it('challenges a new URL, but not a new query or a second subscription in the same account', async () => {
    const { id, secret } = await fixture.create({ url: receiver.url });
    confirming(secret);
    await fixture.dispatch();
    await isIn(id, 'active');
    await changeSubscription(fixture.deps, id, { url: `${receiver.url}?token=2` });
    assert.equal((await fixture.read(id)).state, 'active');
    assert.equal((await fixture.read((await fixture.create({ url: receiver.url })).id)).state, 'active');

    await changeSubscription(fixture.deps, id, { url: `${receiver.url}/other` });
    assert.equal((await fixture.read(id)).state, 'unconfirmed');
    receiver.answer = (_request, response) => response.end();
    await until('it is asked', () => receiver.received.at(-1)!.path === '/hook/other', PATIENCE);
    await fixture.publish({});
    await until('the second has it', () => receiver.events().length === 1, PATIENCE);
    assert.deepEqual([...new Set(receiver.events().map(({ path }) => path))], ['/hook']);
    await createKey(fixture.db.pool, fixture.clock, { email: OTHER, plan: 'pro' });
    const stranger = await fixture.create({ account: OTHER, url: receiver.url });
    assert.equal((await fixture.read(stranger.id)).state, 'unconfirmed');
  });

  it('is skipped under a policy without challenges, and for subscriptions from before handshakes existed', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    assert.equal((await fixture.read(id)).state, 'unconfirmed');
    const { rows } = await fixture.db.pool.query(
      `INSERT INTO webhook_subscription (account_id, url, secret, created_at, position)
       SELECT account_id, url || '/old', secret, created_at, position FROM webhook_subscription WHERE id = $1 RETURNING id`,
      [id],
    );
    const first = await fixture.dispatch();
    await fixture.publish({});
    await until('the old one has it', () => receiver.events().some(({ path }) => path === '/hook/old'), PATIENCE);
    await first.stop();
    assert.equal((await fixture.read(rows[0].id)).state, 'active');
    assert.equal((await fixture.read(id)).state, 'unconfirmed');
    await fixture.dispatch({ policy: { ...UNBOUNDED, handshake: 'never' } });
    await until('the new one has it', () => receiver.events().some(({ path }) => path === '/hook'), PATIENCE);
    await isIn(id, 'active');
  });

  it('applies by default to free plans, but not to pro and business', () => {
    assert.equal(DEFAULT_POLICY.handshake, 'auto');
    assert.deepEqual(
      ['pro', 'business'].map((plan) => requiresHandshake(DEFAULT_POLICY, BUILT_IN_PLANS.named(plan))),
      [false, false],
    );
    const pro = BUILT_IN_PLANS.named('pro');
    const hobby = { ...pro, name: 'hobby', price: { amount: 0, currency: 'EUR' } };
    assert.deepEqual(
      [hobby, pro].map((plan) => requiresHandshake(DEFAULT_POLICY, plan)),
      [true, false],
    );
    assert.equal(requiresHandshake({ handshake: 'never' }, hobby), false);
    assert.equal(requiresHandshake({ handshake: 'always' }, pro), true);
  });

  it('accepts a reply that is the challenge alone, or an object with the challenge', () => {
    for (const body of ['c', ' c\n', '{"challenge":"c"}', '{"challenge": "c", "more": 1}'])
      assert.equal(repeats(body, 'c'), true, body);
    for (const body of [
      null,
      '',
      'null',
      '"c"',
      '["c"]',
      '{"data":{"challenge":"c"}}',
      '{"challenge":["c"]}',
      'cc',
      '{',
    ])
      assert.equal(repeats(body, 'c'), false, String(body));
  });
});
