import assert from 'node:assert/strict';
import { audit } from '../../src/accounts/audit.ts';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { queueAccountEvents } from '../../src/webhooks/delivery/account-events.ts';
import { channel } from '../../src/webhooks/delivery/asyncapi-channel.ts';
import { changeSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { createKey } from '../support/accounts.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;

describe('changes of an account as webhook events', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  let accountId: number;
  beforeEach(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await fixture.close();
    await receiver.close();
  });

  const create = async (eventTypes: string[], url = receiver.url) => {
    const made = await fixture.create({ url, eventTypes });
    ({ accountId } = await fixture.read(made.id));
    return made;
  };
  const write = (target: string, of = accountId) =>
    audit(fixture.db.pool, fixture.clock, {
      accountId: of,
      actor: { name: 'ann@example.com', address: '192.0.2.7' },
      action: 'key.revoked',
      target,
      details: { name: 'Scoreboard' },
    });
  const changes = () =>
    receiver.received.filter(({ type }) => type === 'account.changed').map(({ body }) => JSON.parse(body).data);
  const targets = () => changes().map(({ target }) => target);
  const queue = () =>
    queueAccountEvents({ pool: fixture.db.pool, clock: fixture.clock }, fixture.deps.plans.webhookPlans());
  const pending = async (id: number) =>
    (await fixture.db.pool.query('SELECT envelope FROM webhook_delivery WHERE subscription_id = $1', [id])).rows.length;

  it('come signed, once each, only for this account, and not for what was before the subscription', async () => {
    const other = await createKey(fixture.db.pool, fixture.clock, { email: 'other@example.com', plan: 'pro' });
    const before = await create(['match.*']);
    await write('key 1');
    const { secret } = await create(['account.changed', 'match.goal']);
    const dispatcher = await fixture.dispatch();
    await until('both are leased', () => dispatcher.held() === 2, PATIENCE);
    await until('it has a cursor', async () => {
      const { rows } = await fixture.db.pool.query('SELECT count(audit_cursor)::int AS n FROM webhook_subscription');
      return rows[0].n === 1;
    });
    for (const target of ['key 2', 'key 3']) await write(target);
    await write('key 9', other.accountId);
    await until('both have come', () => targets().includes('key 3'), PATIENCE);
    await dispatcher.settled();
    assert.deepEqual(
      targets()
        .filter((target) => target.startsWith('key'))
        .sort(),
      ['key 2', 'key 3'],
    );
    const got = receiver.received.find(({ body }) => body.includes('key 2'))!;
    const event = verifyWebhook(got.headers, got.body, secret, { now: fixture.clock.now() });
    assert.ok(event.type === 'account.changed');
    const { payload } = channel.sends.find(({ name }) => name === 'accountChanged')!;
    assert.deepEqual(payload.parse(event), event);
    const { cursor, id, at, ...entry } = event.data;
    assert.ok(cursor > 0 && id > 0 && at.endsWith('Z'));
    assert.deepEqual(entry, {
      actor: 'ann@example.com',
      address: '192.0.2.7',
      by_operator: false,
      action: 'key.revoked',
      target: 'key 2',
      details: { name: 'Scoreboard' },
    });
    assert.equal(await pending(before.id), 0);
  });

  it('wait while the subscription is paused, and begin anew if it asks again', async () => {
    const { id } = await create(['account.*']);
    await queue();
    await changeSubscription(fixture.deps, id, { paused: true });
    await write('key 1');
    await queue();
    assert.equal(await pending(id), 0);
    await changeSubscription(fixture.deps, id, { paused: false });
    await queue();
    assert.equal(await pending(id), 1);
    await changeSubscription(fixture.deps, id, { eventTypes: ['match.*'] });
    await queue();
    await write('key 2');
    await changeSubscription(fixture.deps, id, { eventTypes: ['account.*'] });
    await queue();
    await write('key 3');
    await queue();
    const { rows } = await fixture.db.pool.query<{ envelope: string }>(
      'SELECT envelope FROM webhook_delivery WHERE subscription_id = $1 ORDER BY created_at, event_id',
      [id],
    );
    assert.deepEqual(
      rows.map(({ envelope }) => JSON.parse(envelope).data.target),
      ['key 1', 'key 3'],
    );
  });

  it('are stored once each, however many dispatchers look, and in steps of 100', async () => {
    const { id } = await create(['account.changed']);
    await queue();
    for (let number = 0; number < 250; number += 1) await write(`key ${number}`);
    await Promise.all(Array.from({ length: 5 }, queue));
    assert.equal((await pending(id)) % 100, 0);
    for (let step = 0; step < 3; step += 1) await queue();
    const { rows } = await fixture.db.pool.query<{ envelope: string }>('SELECT envelope FROM webhook_delivery');
    const cursors = rows.map(({ envelope }) => JSON.parse(envelope).data.cursor).sort((a, b) => a - b);
    assert.equal(cursors.length, 250);
    assert.deepEqual(
      cursors,
      Array.from({ length: 250 }, (_, i) => cursors[0] + i),
    );
  });
});
