/** Requests that every receiver in the webhooks guide, in any language, has to accept or refuse. */
import assert from 'node:assert/strict';
import { signatureHeaders } from '../../src/webhooks/delivery/signature.ts';
import { generateSecret } from '../../src/webhooks/subscriptions/secret.ts';
import { signingKey } from '../../src/webhooks/subscriptions/signing-keys.ts';
import type { Started } from './guide-code.ts';

export const SECRET = generateSecret();
const TOO_OLD_SECONDS = 5 * 60 + 5;
const EVENT = { type: 'match.goal', data: { text: 'Гол! "1:0" <b>' } };

interface Sent {
  body: Buffer;
  headers: Record<string, string>;
}

/**
 * Signs a request as the dispatcher does.
 * @param age seconds since it was signed
 */
function signed(id: string, { secrets = [SECRET], age = 0, event = EVENT as object } = {}): Sent {
  const body = Buffer.from(JSON.stringify({ id, ...event }));
  const timestamp = Math.floor(Date.now() / 1_000) - age;
  return { body, headers: signatureHeaders({ id, timestamp, body }, secrets.map(signingKey)) };
}

/** Returns the requests, each with a name and whether it may be accepted. */
export function requests(): [string, boolean, Sent][] {
  const good = signed('evt_1_1');
  const other = generateSecret();
  const changed = { ...good, body: Buffer.from(good.body.toString().replace('1:0', '9:0')) };
  const later = signed('evt_1_2').headers;
  const now = Math.floor(Date.now() / 1_000);
  const moved = { 'X-Service-Timestamp': String(now + 1), 'webhook-timestamp': String(now + 1) };
  return [
    ['signed', true, good],
    ['the same once more', true, good],
    ['just before the bound', true, signed('evt_1_3', { age: 4 * 60 + 50 })],
    ['during a rotation, by the new secret first', true, signed('evt_1_4', { secrets: [other, SECRET] })],
    ['during a rotation, by the old secret second', true, signed('evt_1_5', { secrets: [SECRET, other] })],
    ['a changed body', false, changed],
    ['another secret', false, signed('evt_1_6', { secrets: [other] })],
    ['too old', false, signed('evt_1_7', { age: TOO_OLD_SECONDS })],
    ['from the future', false, signed('evt_1_8', { age: -TOO_OLD_SECONDS })],
    ['the signature of another event', false, { ...signed('evt_2_1'), headers: later }],
    ['another time than was signed', false, { ...good, headers: { ...good.headers, ...moved } }],
    ['without headers', false, { ...good, headers: {} }],
    [
      'a malformed signature',
      false,
      {
        ...good,
        headers: { ...good.headers, 'X-Service-Signature': 'v1=zz,,v1=', 'webhook-signature': 'v1,zz v1, x' },
      },
    ],
    [
      'a malformed timestamp',
      false,
      { ...good, headers: { ...good.headers, 'X-Service-Timestamp': '١٢٣', 'webhook-timestamp': 'soon' } },
    ],
  ];
}

/** Checks that the receiver repeats a challenge, but only if the right party has signed it. */
async function checkChallenges(port: number): Promise<void> {
  const challenge = 'Ab-1_9';
  const event = { type: 'webhook.challenge', data: { subscription_id: 1, challenge } };
  const answer = async (secret: string) => {
    const { body, headers } = signed('evt_0_1', { secrets: [secret], event });
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: new Uint8Array(body), headers });
    return { status: reply.status, text: await reply.text() };
  };
  assert.deepEqual(await answer(SECRET), { status: 200, text: challenge });
  const refused = await answer(generateSecret());
  assert.equal(refused.status, 400);
  assert.ok(!refused.text.includes(challenge));
}

/** @param receiver a program that prints `listening on <port>` and then each event */
export async function checkReceiver(receiver: Started): Promise<void> {
  const port = (await receiver.until(/listening on (\d+)/))[1]!;
  for (const [name, isGood, { body, headers }] of requests()) {
    // Converts the headers, because fetch accepts only Latin-1.
    const latin = Object.entries(headers).map(([header, text]) => [header, Buffer.from(text).toString('latin1')]);
    const reply = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: Object.fromEntries(latin),
    });
    assert.equal(reply.status, isGood ? 204 : 400, `${name}: ${receiver.output()}`);
  }
  await receiver.until(/match\.goal evt_1_5/);
  await checkChallenges(Number(port));
  assert.equal(receiver.output().split('evt_1_1').length, 2, 'an event that came twice is handled once');
  assert.doesNotMatch(receiver.output(), /"9:0|evt_1_[678]|evt_2/);
}
