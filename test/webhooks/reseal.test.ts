import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { verifyWebhook } from '../../src/client/webhook.ts';
import type { Queryable } from '../../src/db/postgres.ts';
import { resealSecrets } from '../../src/webhooks/reseal.ts';
import { openSecret } from '../../src/webhooks/secret.ts';
import { endSubscription, rotateSecret } from '../../src/webhooks/subscription.ts';
import { until } from '../support/until.ts';
import { SECRET_KEYS, type WebhookGround, webhookGround } from '../support/webhook-ground.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const NEW = ['a-new-secret-key-of-the-tests'];
const BOTH = [...NEW, ...SECRET_KEYS];

describe('Webhook secrets of an older key', () => {
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

  const create = () => ground.create({ url: receiver.url });
  const stored = async (id: number): Promise<{ secret: string; previous_secret: string | null; version: number }> =>
    (await ground.db.pool.query('SELECT * FROM webhook_subscription WHERE id = $1', [id])).rows[0];
  const opened = async (id: number) => {
    const { secret, previous_secret: previous } = await stored(id);
    return [openSecret(secret, NEW), previous && openSecret(previous, NEW)];
  };

  it('are sealed anew once, by however many processes: both secrets, and nothing else of the row', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, create));
    const [first, second] = made;
    const next = await rotateSecret(ground.deps, first!.id);
    await endSubscription(ground.deps, second!.id);
    const { version } = await stored(first!.id);
    const done = await Promise.all(Array.from({ length: 4 }, () => resealSecrets(ground.db.pool, BOTH)));
    assert.equal(
      done.reduce((sum, { count }) => sum + count, 0),
      20,
    );
    assert.deepEqual(await opened(first!.id), [next, first!.secret]);
    for (const { id, secret } of made.slice(2)) assert.deepEqual(await opened(id), [secret, null]);
    assert.equal((await stored(second!.id)).secret, '', 'of one that has ended nothing is kept');
    assert.equal((await stored(first!.id)).version, version, 'dispatchers need not read it again');
    assert.deepEqual(await resealSecrets(ground.db.pool, BOTH), { count: 0, closed: [] });
  });

  it('do not come back over a rotation that falls between reading and writing', async () => {
    const { id, secret } = await create();
    let next = '';
    const slow = {
      query: async (text: string, values: unknown[]) => {
        const result = await ground.db.pool.query(text, values);
        if (next === '') next = await rotateSecret(ground.deps, id);
        return result;
      },
    } as Queryable;
    await resealSecrets(slow, BOTH);
    const row = await stored(id);
    assert.equal(openSecret(row.secret, BOTH), next);
    assert.equal(openSecret(row.previous_secret!, NEW), secret);
    assert.equal((await resealSecrets(ground.db.pool, BOTH)).count, 1);
    assert.deepEqual(await opened(id), [next, secret]);
  });

  it('that no key opens stay as they are, and are named', async () => {
    const { id } = await create();
    const before = await stored(id);
    assert.deepEqual(await resealSecrets(ground.db.pool, NEW), { count: 0, closed: [id] });
    assert.deepEqual(await stored(id), before);
  });

  it('are sealed anew when a dispatcher starts, which says how many; then the older key may go', async () => {
    const { id, secret } = await create();
    await rotateSecret(ground.deps, id, secret.replace(/.{5}$/, 'AAAA='));
    const registry = new Registry();
    const left = async () =>
      (await registry.getSingleMetric('touchline_webhook_older_key_subscriptions')!.get()).values;
    const one = await ground.dispatch({ secretKeys: BOTH, registry });
    await until('nothing is left', async () => (await left())[0]!.value === 0);
    await until('it is told', () => /"count":2,"msg":"webhook secrets were sealed anew/.test(ground.logged()));
    await one.stop();
    await ground.dispatch({ secretKeys: NEW });
    await ground.publish({});
    await until('it is delivered', () => receiver.events().length === 1);
    const { headers, body } = receiver.events()[0]!;
    assert.ok(verifyWebhook(headers, body, secret, { now: ground.clock.now() }));
    assert.doesNotMatch(ground.logged(), /cannot be read/);
  });

  it('that are left are counted', async () => {
    await create();
    const registry = new Registry();
    await ground.dispatch({ secretKeys: NEW, registry });
    const metric = registry.getSingleMetric('touchline_webhook_older_key_subscriptions')!;
    assert.equal((await metric.get()).values[0]!.value, 1);
    await until('they are told of', () => /"subscriptions":\[1\],"msg":"no key of SECRET_KEY/.test(ground.logged()));
  });
});
