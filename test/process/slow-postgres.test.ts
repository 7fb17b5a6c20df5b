/** Tests a process with the role `api` whose Postgres takes a second and a half for each answer. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { liveMatches } from '../support/live-matches.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';
import { temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';

const DELAY_MS = 1_500;
const MATCHES = 60;
const PLANS = `default: small
plans:
  - { name: small, title: Small, windows: { burst: 100000 } }
  - { name: large, title: Large, windows: { burst: 100000 } }
`;

describe('a process whose Postgres is slow', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let db: TestDatabase;
  let postgres: PostgresProxy;
  let api: Pod;
  let ingest: Pod;
  let ids: number[];
  const keys: Record<string, string> = {};

  before(async () => {
    const file = join(folder.path, 'plans.yaml');
    writeFileSync(file, PLANS);
    const plans = new OfferedPlans(plansText.parse(PLANS));
    db = await createTestDatabase();
    postgres = await openPostgresProxy(db.url);
    const env = podEnv(postgres.url, { PLANS_FILE: file });
    [api, ingest] = await Promise.all([startPod('api', env), startPod('ingest', env)]);
    for (const plan of ['small', 'large'])
      ({ key: keys[plan] } = await createKey(db.pool, systemClock, { email: `${plan}@example.com`, plan }, plans));
    await feed(MATCHES, 1);
    ids = (await db.pool.query<{ id: number }>('SELECT id FROM match ORDER BY id')).rows.map(({ id }) => id);
    for (const plan of ['small', 'large']) assert.equal((await get(plan, '/v1/sports')).status, 200);
  });
  after(async () => {
    await killAll([api, ingest]);
    await postgres.close();
    await db.drop();
    folder.remove();
  });

  async function get(plan: string, path: string) {
    const begun = performance.now();
    const reply = await fetch(api.url + path, { headers: { 'X-API-Key': keys[plan]! } });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, ms: performance.now() - begun };
  }
  async function feed(count: number, goals: number) {
    const reply = await fetch(`${ingest.url}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(liveMatches('p', count, goals)),
    });
    assert.equal(reply.status, 200);
    return (await reply.json()) as { accepted: number };
  }

  it('answers from memory with the reply’s age, refuses smaller plans first, accepts the feed, and is current again at once', async () => {
    const hot = ['/v1/events?limit=5', `/v1/event/${ids[0]}`];
    const before = await Promise.all(hot.map((path) => get('large', path)));
    for (const { status, headers } of before) assert.deepEqual([status, headers.get('age')], [200, null]);

    postgres.slow(DELAY_MS);
    // Cached replies are fresh for a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const stale = await Promise.all(hot.map((path) => get('large', path)));
    for (const [n, { status, headers, text }] of stale.entries()) {
      assert.deepEqual([status, text], [200, before[n]!.text]);
      assert.match(headers.get('age')!, /^[1-9]\d*$/);
    }

    // Cards that have not been read before. There are more of them than requests that may wait.
    const cold = ids.slice(1, 1 + 30).map((id) => get('small', `/v1/event/${id}`));
    let refused: Awaited<ReturnType<typeof get>> | undefined;
    const probes: Promise<unknown>[] = [];
    await until('one is refused', async () => {
      const id = ids[31 + (probes.length % 20)];
      const probe = get('small', `/v1/event/${id}`).then((reply) => {
        if (reply.status === 503) refused ??= reply;
      });
      probes.push(probe);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return refused !== undefined;
    });
    assert.match(refused!.headers.get('content-type')!, /problem\+json/);
    assert.equal(JSON.parse(refused!.text).code, 'unavailable');
    assert.match(refused!.headers.get('retry-after')!, /^([5-9]|10)$/);
    for (const { status } of await Promise.all(hot.map((path) => get('small', path)))) assert.equal(status, 200);
    const large = await get('large', `/v1/event/${ids[55]}`);
    assert.equal(large.status, 200);
    assert.ok((await Promise.all(cold)).some(({ status }) => status === 200));
    await Promise.all(probes);

    assert.equal((await feed(1, 2)).accepted, 1);
    assert.equal((await fetch(`${api.adminUrl}/livez`)).status, 200);
    assert.equal((await fetch(`${api.adminUrl}/readyz`)).status, 200);

    postgres.slow(0);
    await until('replies are current', async () => {
      const replies = await Promise.all(hot.map((path) => get('large', path)));
      return replies.every(
        ({ status, headers, text }) => status === 200 && headers.get('age') === null && /"score":2/.test(text),
      );
    });
    assert.doesNotMatch(api.started.output(), /"level":[56]0/);
  });

  it('lets a visitor wait for four uncached pages with all their pictures, and offers to load a refused page again', async () => {
    const { rows } = await db.pool.query<{ id: number }>('SELECT home_id AS id FROM match ORDER BY id LIMIT 30');
    const view = async (path: string) => {
      const reply = await fetch(`${api.url}/${path}`, { headers: { 'Accept-Language': 'ru' } });
      return { status: reply.status, headers: reply.headers, text: await reply.text() };
    };
    const [first, ...others] = rows.map(({ id }) => `team/${id}`);
    assert.equal((await view(first!)).status, 200);
    postgres.slow(DELAY_MS);
    const pages = others.splice(0, 4).map(view);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const refused: Awaited<ReturnType<typeof view>>[] = [];
    const flood = others.map(async (path) => {
      const reply = await view(path);
      if (reply.status === 503) refused.push(reply);
    });
    await until('one is refused', async () => refused.length > 0);
    for (const { text, headers } of refused) {
      assert.match(text, /Попробовать снова/);
      const [, seconds] = /^(\d+); url=\/team\/\d+\?retry=1$/.exec(headers.get('refresh')!)!;
      assert.ok(Number(seconds) >= Number(headers.get('retry-after')));
    }
    for (const { status, text } of await Promise.all(pages)) {
      assert.equal(status, 200);
      const pictures = [...text.matchAll(/src="\.\.\/(sides\/\d+\/image\?v=\w+)"/g)].map(([, path]) => path!);
      assert.ok(pictures.length > 0);
      for (const picture of await Promise.all(pictures.map(view))) assert.equal(picture.status, 200);
    }
    postgres.slow(0);
    await Promise.all(flood);
    assert.doesNotMatch(api.started.errors(), /"level":[56]0|\\n {4}at /);
    assert.match(api.started.errors(), /"level":40[^\n]*"type":"StoreBusy"/);
  });
});
