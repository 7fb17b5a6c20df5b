import assert from 'node:assert/strict';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { createLink } from '../../src/accounts/members/links.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { liveMatches } from '../support/live-matches.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { openStream } from '../support/stream-client.ts';

const CONNECTIONS_EACH = 250;
const PASSWORD = 'correct horse battery';

/** The first requests that a fresh process gets are a flood of what hashes passwords, from many networks. */
describe('a flood of sign-ins on a fresh process', function () {
  this.timeout(120_000);
  let db: TestDatabase;
  let pod: Pod;
  before(async () => {
    db = await createTestDatabase();
    const env = podEnv(db.url, { SIGNUP: 'open', TRUSTED_PROXIES: '127.0.0.1' });
    pod = await startPod('all', env);
  });
  after(async () => {
    await killAll([pod]);
    await db.drop();
  });

  async function post(i: number, path: string, form: Record<string, string>): Promise<number> {
    const reply = await fetch(pod.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        Origin: pod.url,
        'X-Forwarded-For': `10.${i}.0.1`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
    });
    await reply.arrayBuffer();
    return reply.status;
  }
  /** The number of each status. */
  async function flood(one: (i: number) => Promise<number>): Promise<Map<number, number>> {
    const seen = new Map<number, number>();
    const statuses = await Promise.all(Array.from({ length: CONNECTIONS_EACH }, (_, i) => one(i)));
    for (const status of statuses) seen.set(status, (seen.get(status) ?? 0) + 1);
    return seen;
  }
  const only = (seen: Map<number, number>, allowed: readonly number[]) =>
    assert.deepEqual(
      [...seen.keys()].filter((status) => !allowed.includes(status)),
      [],
    );

  it('1,000 connections sign in, sign up, reset and use invitations: the process goes on, and streams too', async () => {
    const { key } = await createKey(db.pool, systemClock, { email: 'stream@example.com', plan: 'pro' });
    const stream = await openStream(`${pod.url}/v1/stream`, { 'x-api-key': key });
    await stream.until('retry:');
    const link = { accountId: null, email: null, plan: null };
    const invitation = await createLink(db.pool, systemClock, 'invitation', link);
    const floods = Promise.all([
      flood((i) => post(i, '/account/sign-up', { email: `f${i}@example.com`, password: PASSWORD })),
      flood((i) => post(i, '/account/sign-in', { email: `f${i}@example.com`, password: PASSWORD })),
      flood((i) => post(i, '/account/reset', { token: 'A'.repeat(43), password: PASSWORD })),
      flood((i) => post(i, '/account/sign-up', { email: `g${i}@example.com`, password: PASSWORD, invitation })),
    ]);
    const [live] = liveMatches('flood', 1, 1);
    const fed = await fetch(`${pod.url}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(live),
    });
    assert.equal(fed.status, 200);
    await stream.until('event: match.created');
    const [signUps, signIns, resets, invitations] = await floods;
    only(signUps!, [200, 429, 503]);
    only(signIns!, [303, 401, 429, 503]);
    only(resets!, [422, 429, 503]);
    only(invitations!, [200, 409, 422, 429, 503]);
    assert.equal(invitations!.get(200), 1, 'the invitation works once');
    assert.ok((signUps!.get(503) ?? 0) + (invitations!.get(503) ?? 0) > 0, 'the queue was full');
    const reply = await fetch(`${pod.url}/v1/sports`, { headers: { 'X-API-Key': key } });
    assert.equal(reply.status, 200);
    assert.equal(pod.started.child.exitCode, null);
    assert.doesNotMatch(pod.started.errors(), /nobody waits for|unhandled/i);
    stream.close();
  });
});
