import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { decryptSecret, encryptSecret } from '../../src/accounts/stored-secret.ts';
import { verifyWebhook } from '../../src/client/webhook.ts';
import type { Queryable } from '../../src/db/postgres.ts';
import { reencryptSecrets } from '../../src/webhooks/subscriptions/secret-reencryption.ts';
import { endSubscription, rotateSecret } from '../../src/webhooks/subscriptions/subscription.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, SECRET_KEYS, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const NEW = ['a-new-secret-key-of-the-tests'];
const BOTH = [...NEW, ...SECRET_KEYS];

describe('webhook secrets under an older key', () => {
  let fixture: WebhookFixture;
  let receiver: Receiver;
  beforeEach(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await fixture.close();
    await receiver.close();
  });

  const create = () => fixture.create({ url: receiver.url });
  const stored = async (id: number): Promise<{ secret: string; previous_secret: string | null; version: number }> =>
    (await fixture.db.pool.query('SELECT * FROM webhook_subscription WHERE id = $1', [id])).rows[0];
  const decrypted = async (id: number) => {
    const { secret, previous_secret: previous } = await stored(id);
    return [decryptSecret(secret, NEW), previous && decryptSecret(previous, NEW)];
  };

  it('are re-encrypted once by any number of processes, both secrets of a row together, and nothing else changes', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, create));
    const [first, second] = made;
    const next = await rotateSecret(fixture.deps, first!.id);
    await endSubscription(fixture.deps, second!.id);
    const { version } = await stored(first!.id);
    const done = await Promise.all(Array.from({ length: 4 }, () => reencryptSecrets(fixture.db.pool, BOTH)));
    assert.equal(
      done.reduce((sum, { count }) => sum + count, 0),
      20,
    );
    assert.deepEqual(await decrypted(first!.id), [next, first!.secret]);
    for (const { id, secret } of made.slice(2)) assert.deepEqual(await decrypted(id), [secret, null]);
    assert.equal((await stored(second!.id)).secret, '', 'a deleted subscription has no secret');
    assert.equal((await stored(first!.id)).version, version, 'dispatchers need not read the row again');
    assert.deepEqual(await reencryptSecrets(fixture.db.pool, BOTH), { count: 0, undecryptable: [] });
  });

  it('stay rotated if a rotation happens between the read and the write', async () => {
    const { id, secret } = await create();
    let next = '';
    const slow = {
      query: async (text: string, values: unknown[]) => {
        const result = await fixture.db.pool.query(text, values);
        if (next === '') next = await rotateSecret(fixture.deps, id);
        return result;
      },
    } as Queryable;
    await reencryptSecrets(slow, BOTH);
    const row = await stored(id);
    assert.equal(decryptSecret(row.secret, BOTH), next);
    assert.equal(decryptSecret(row.previous_secret!, NEW), secret);
    assert.equal((await reencryptSecrets(fixture.db.pool, BOTH)).count, 1);
    assert.deepEqual(await decrypted(id), [next, secret]);
  });

  it('stay unchanged if no key decrypts them, and their subscriptions are reported', async () => {
    const { id } = await create();
    const before = await stored(id);
    assert.deepEqual(await reencryptSecrets(fixture.db.pool, NEW), { count: 0, undecryptable: [`webhook ${id}`] });
    assert.deepEqual(await stored(id), before);
  });

  it('are re-encrypted together with second factors’ secrets', async () => {
    const { pool } = fixture.db;
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO member (account_id, email, totp_secret, created_at)
       SELECT id, 'two@example.com', $1, now() FROM account LIMIT 1 RETURNING id`,
      [encryptSecret('JBSWY3DPEHPK3PXP', SECRET_KEYS)],
    );
    assert.deepEqual(await reencryptSecrets(pool, BOTH), { count: 1, undecryptable: [] });
    const { rows: members } = await pool.query('SELECT totp_secret FROM member WHERE id = $1', [rows[0]!.id]);
    assert.equal(decryptSecret(members[0].totp_secret, NEW), 'JBSWY3DPEHPK3PXP');
  });

  it('are re-encrypted when a dispatcher starts, the number is logged, and the older key can then be dropped', async () => {
    const { id, secret } = await create();
    await rotateSecret(fixture.deps, id, secret.replace(/.{5}$/, 'AAAA='));
    const registry = new Registry();
    const left = async () =>
      (await registry.getSingleMetric('touchline_webhook_older_key_subscriptions')!.get()).values;
    const one = await fixture.dispatch({ secretKeys: BOTH, registry });
    await until('no secret with an older key is left', async () => (await left())[0]!.value === 0);
    await until('it is logged', () => /"count":2,"msg":"stored secrets were re-encrypted/.test(fixture.logged()));
    await one.stop();
    await fixture.dispatch({ secretKeys: NEW });
    await fixture.publish({});
    await until('it is delivered', () => receiver.events().length === 1);
    const { headers, body } = receiver.events()[0]!;
    assert.ok(verifyWebhook(headers, body, secret, { now: fixture.clock.now() }));
    assert.doesNotMatch(fixture.logged(), /cannot be read/);
  });

  it('are counted in a metric', async () => {
    await create();
    const registry = new Registry();
    await fixture.dispatch({ secretKeys: NEW, registry });
    const metric = registry.getSingleMetric('touchline_webhook_older_key_subscriptions')!;
    assert.equal((await metric.get()).values[0]!.value, 1);
    await until('they are logged', () => /"of":\["webhook 1"\],"msg":"no key of SECRET_KEY/.test(fixture.logged()));
  });
});
