import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { signatureHeaders } from '../../src/webhooks/delivery/signature.ts';
import { generateSecret } from '../../src/webhooks/subscriptions/secret.ts';
import { signingKey } from '../../src/webhooks/subscriptions/signing-keys.ts';

const id = 'evt_4711_5';
const body = Buffer.from(`{"id":"${id}","type":"match.goal","data":{"home":"Зенит"}}`);

describe('webhook signatures', () => {
  const secret = generateSecret();
  const other = generateSecret();
  const timestamp = 1_767_225_600;
  const now = timestamp * 1_000;
  const signed = (...secrets: string[]) => signatureHeaders({ id, timestamp, body }, secrets.map(signingKey));
  const lower = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

  it('a signature is the HMAC-SHA256 over timestamp, dot and body, in hex, with the secret’s text as key', () => {
    const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    assert.equal(signed(secret)['X-Service-Signature'], `v1=${expected}`);
    assert.match(signed(secret, other)['X-Service-Signature']!, /^v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  });

  it('the public Standard Webhooks library accepts a signature with either secret', () => {
    // Signed now, since the library uses the machine's clock.
    const current = { id, timestamp: Math.floor(Date.now() / 1_000), body };
    const headers = signatureHeaders(current, [secret, other].map(signingKey));
    for (const one of [secret, other]) {
      assert.equal((new Webhook(one).verify(body.toString(), headers) as { id: string }).id, id);
    }
    assert.throws(() => new Webhook(generateSecret()).verify(body.toString(), headers));
  });

  it('verifyWebhook accepts both header kinds, with either secret', () => {
    const headers = signed(secret, other);
    for (const one of [secret, other, [generateSecret(), other]]) {
      assert.equal(verifyWebhook(lower(headers), body, one, { now }).type, 'match.goal');
      assert.equal(verifyWebhook(new Headers(headers), body.toString(), one, { now }).id, id);
    }
  });

  it('verifyWebhook refuses a request with any error', () => {
    const good = lower(signed(secret));
    const refuses = (headers: Record<string, string>, over: { body?: Buffer; now?: number } = {}) =>
      assert.throws(() => verifyWebhook(headers, over.body ?? body, secret, { now: over.now ?? now }));
    refuses(lower(signed(other)));
    refuses(good, { body: Buffer.from(body.toString().replace('goal', 'card')) });
    refuses({ ...good, 'x-service-timestamp': String(timestamp + 1) });
    refuses({});
    for (const text of ['', 'v1=', 'v1=00', `v2=${'0'.repeat(64)}`, good['x-service-signature']!.toUpperCase()]) {
      refuses({ ...good, 'x-service-signature': text });
    }
    for (const text of ['', 'NaN', '-1', `${timestamp}.5`, '1e9']) refuses({ ...good, 'x-service-timestamp': text });
  });

  it('verifyWebhook refuses an empty secret, because anybody can sign with it', () => {
    const key = createHmac('sha256', '').update(`${timestamp}.`).update(body).digest('hex');
    const forged = { ...lower(signed(secret)), 'x-service-signature': `v1=${key}` };
    const unset = undefined as unknown as string;
    for (const none of ['', [], [''], [secret, ''], unset, [unset]]) {
      assert.throws(
        () => verifyWebhook(forged, body, none, { now }),
        (error) => error instanceof TypeError && /secret of the webhook is missing/.test(error.message),
      );
    }
  });

  it('verifyWebhook accepts a timestamp only within 5 minutes of the receiver’s clock', () => {
    const headers = lower(signed(secret));
    for (const seconds of [-300, 300]) verifyWebhook(headers, body, secret, { now: now + seconds * 1_000 });
    for (const seconds of [-301, 301]) {
      assert.throws(() => verifyWebhook(headers, body, secret, { now: now + seconds * 1_000 }), /too old or too new/);
    }
    verifyWebhook(headers, body, secret, { now: now + 3_600_000, toleranceSeconds: 3_600 });
  });
});
