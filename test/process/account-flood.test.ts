import assert from 'node:assert/strict';
import { createLink } from '../../src/accounts/credentials/one-time-links.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { liveMatches } from '../support/live-matches.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { openStream } from '../support/stream-client.ts';

const CONNECTIONS = 1_000;
const FIRST_SIGN_UPS = 103;
const PASSWORD = 'correct horse battery';

/** Floods a process with its very first requests. They come from hundreds of networks, and each hashes a password. */
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
        'X-Forwarded-For': `10.${i % 250}.${Math.floor(i / 250)}.1`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
    });
    await reply.arrayBuffer();
    return reply.status;
  }
  const kinds = (invitation: string): Record<string, (i: number) => Promise<number>> => ({
    signUp: (i) => post(i, '/account/sign-up', { email: `f${i}@example.com`, password: PASSWORD }),
    // Most requests use a known address, for which none waits for the dummy hash. That hash once failed while the queue was full.
    signIn: (i) =>
      post(i, '/account/sign-in', {
        email: i % 60 !== 33 ? 'known@example.com' : `f${i}@example.com`,
        password: 'a guess',
      }),
    reset: (i) => post(i, '/account/reset', { token: 'A'.repeat(43), password: PASSWORD }),
    invitation: (i) => post(i, '/account/sign-up', { email: `g${i}@example.com`, password: PASSWORD, invitation }),
  });
  /**
   * First sends only sign-ups, which fill the queue. Then sends requests of all kinds in turn, between more sign-ups.
   * @returns the number of replies with each status, by kind
   */
  async function flood(invitation: string): Promise<Record<string, Map<number, number>>> {
    const ask = kinds(invitation);
    const names = Object.keys(ask);
    const jobs = Array.from({ length: CONNECTIONS }, (_, i) => ({
      name: i < FIRST_SIGN_UPS || i % 3 !== 0 ? 'signUp' : names[(i / 3) % names.length]!,
      i,
    }));
    const seen = Object.fromEntries(names.map((name) => [name, new Map<number, number>()]));
    await Promise.all(
      jobs.map(async ({ name, i }) => {
        const status = await ask[name]!(i);
        seen[name]!.set(status, (seen[name]!.get(status) ?? 0) + 1);
      }),
    );
    return seen;
  }
  const only = (seen: Map<number, number>, allowed: readonly number[]) =>
    assert.deepEqual(
      [...seen.keys()].filter((status) => !allowed.includes(status)),
      [],
    );

  it('does not stop the process or its streams while 1,000 connections sign in, sign up, reset passwords and use invitations', async () => {
    const { key } = await createKey(db.pool, systemClock, { email: 'stream@example.com', plan: 'pro' });
    const stream = await openStream(`${pod.url}/v1/stream`, { 'x-api-key': key });
    await stream.until('retry:');
    const link = { accountId: null, email: null, plan: null };
    const invitation = await createLink(db.pool, systemClock, 'invitation', link);
    assert.equal(await post(CONNECTIONS, '/account/sign-up', { email: 'known@example.com', password: PASSWORD }), 200);
    const flooded = flood(invitation);
    const [live] = liveMatches('flood', 1, 1);
    const fed = await fetch(`${pod.url}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(live),
    });
    assert.equal(fed.status, 200);
    await stream.until('event: match.created');
    const { signUp, signIn, reset, invitation: invited } = await flooded;
    only(signUp!, [200, 429, 503]);
    only(signIn!, [401, 429, 503]);
    only(reset!, [422, 429, 503]);
    only(invited!, [200, 422, 429, 503]);
    assert.ok((invited!.get(200) ?? 0) <= 1, 'the invitation works once');
    assert.ok(signUp!.get(503)! > 0, 'the queue was full');
    const reply = await fetch(`${pod.url}/v1/sports`, { headers: { 'X-API-Key': key } });
    assert.equal(reply.status, 200);
    assert.equal(pod.started.child.exitCode, null);
    assert.doesNotMatch(pod.started.errors(), /rejection was not handled|unhandled/i);
    stream.close();
  });
});
