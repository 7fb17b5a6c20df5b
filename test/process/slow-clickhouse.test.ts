/** Tests a process with the role `api` whose ClickHouse takes two seconds for each answer. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { liveMatches } from '../support/live-matches.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { temporaryFolder } from '../support/process.ts';
import { openSlowProxy, type SlowProxy } from '../support/slow-proxy.ts';
import { until } from '../support/until.ts';

const DELAY_MS = 2_000;
/** Number of tournaments. Each has a match. */
const TOURNAMENTS = 60;
const PATIENCE_MS = 60_000;
const PLANS = `default: small
plans:
  - { name: small, title: Small, windows: { burst: 100000 } }
  - { name: large, title: Large, windows: { burst: 100000 } }
`;

describe('a process whose ClickHouse is slow', function () {
  this.timeout(180_000);
  const folder = temporaryFolder();
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let proxy: SlowProxy;
  let pods: Pod[] = [];
  let matches: number[];
  let tournaments: number[];
  const keys: Record<string, string> = {};

  before(async () => {
    const file = join(folder.path, 'plans.yaml');
    writeFileSync(file, PLANS);
    const plans = new OfferedPlans(plansText.parse(PLANS));
    [db, clickhouse] = await Promise.all([createTestDatabase(), startClickHouseServer()]);
    proxy = await openSlowProxy(Number(new URL(clickhouse.url).port));
    const env = (port: string | number) =>
      podEnv(db.url, { PLANS_FILE: file, CLICKHOUSE_URL: `http://127.0.0.1:${port}` });
    const straight = env(new URL(clickhouse.url).port);
    pods = await Promise.all([
      startPod('api', env(proxy.port)),
      startPod('ingest', straight),
      startPod('loader', straight),
    ]);
    for (const plan of ['small', 'large'])
      ({ key: keys[plan] } = await createKey(db.pool, systemClock, { email: `${plan}@example.com`, plan }, plans));
    const reply = await fetch(`${pods[1]!.url}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(Array.from({ length: TOURNAMENTS }, (_, n) => liveMatches(`p${n}`, 1, 1)).flat()),
    });
    assert.equal(reply.status, 200);
    matches = (await db.pool.query<{ id: number }>('SELECT id FROM match ORDER BY id')).rows.map(({ id }) => id);
    const { rows } = await db.pool.query<{ id: number }>('SELECT DISTINCT tournament_id AS id FROM match ORDER BY 1');
    tournaments = rows.map(({ id }) => id);
    await until(
      'there are analytics',
      async () => (await profile('large', tournaments[0]!)).status === 200,
      PATIENCE_MS,
    );
  });
  after(async () => {
    await killAll(pods);
    await proxy?.close();
    await clickhouse?.stop();
    await db?.drop();
    folder.remove();
  });

  const get = (plan: string, path: string) => fetch(pods[0]!.url + path, { headers: { 'X-API-Key': keys[plan]! } });
  const profile = (plan: string, tournament: number) => get(plan, `/v1/tournament/${tournament}/profile`);

  it('refuses smaller plans’ analytics first, serves everything else, and recovers at once', async () => {
    const details = await (await fetch(`${pods[0]!.adminUrl}/readyz?verbose`)).json();
    const { analytics } = details as { analytics: Record<string, unknown> };
    assert.deepEqual([analytics.is_loaded, analytics.has_leader, analytics.matches], [true, true, TOURNAMENTS]);
    proxy.slow(DELAY_MS);
    let refused: Response | undefined;
    const asked: Promise<unknown>[] = [];
    await until(
      'one is refused',
      async () => {
        const tournament = tournaments[1 + (asked.length % 50)]!;
        asked.push(
          profile('small', tournament).then((reply) => {
            if (reply.status === 503) refused ??= reply;
          }),
        );
        await sleep(25);
        return refused !== undefined;
      },
      PATIENCE_MS,
    );
    assert.match(refused!.headers.get('content-type')!, /problem\+json/);
    assert.equal(((await refused!.json()) as { code: string }).code, 'unavailable');
    assert.match(refused!.headers.get('retry-after')!, /^([5-9]|10)$/);
    // These cards have not been read before, but Postgres is not slow, so they are returned at once.
    for (const id of matches.slice(0, 5)) assert.equal((await get('small', `/v1/event/${id}`)).status, 200);
    assert.equal((await profile('large', tournaments[55]!)).status, 200);
    assert.equal((await fetch(`${pods[0]!.adminUrl}/readyz`)).status, 200);
    await Promise.all(asked);

    proxy.slow(0);
    await until('all are answered again', async () => {
      const replies = await Promise.all(tournaments.slice(1, 51).map((id) => profile('small', id)));
      return replies.every(({ status }) => status === 200);
    });
    assert.doesNotMatch(pods[0]!.started.output(), /"level":[56]0/);
  });
});
