/**
 * Measures an `api` process while Postgres, and then ClickHouse, takes a second and a half for each answer. It measures replies from
 * memory, which accounts' requests are refused, how long the rest wait, and how long the process takes to recover afterwards. For
 * comparison, the same requests are measured before the store is slow. Each figure is printed next to its bound. The store is slow for
 * SECONDS=30.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { plansText } from '../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../src/accounts/plans/plans.ts';
import { startPostgres } from '../src/db/embedded-postgres.ts';
import { migratePostgres } from '../src/db/migrate.ts';
import { openPool } from '../src/db/postgres.ts';
import { seedCatalogue } from '../src/db/seed.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { createKey } from '../test/support/accounts.ts';
import { startClickHouseServer } from '../test/support/clickhouse-server.ts';
import { FEED_TOKEN } from '../test/support/http.ts';
import { liveMatches } from '../test/support/live-matches.ts';
import { killAll, podEnv, startPod } from '../test/support/pods.ts';
import { openPostgresProxy } from '../test/support/postgres-proxy.ts';
import { openSlowProxy } from '../test/support/slow-proxy.ts';

const SECONDS = Number(process.env.SECONDS ?? 30);
const DELAY_MS = 1_500;
const TOURNAMENTS = 400;
/** Number of requests in progress for each account: for replies that are not in memory, and for replies that are. */
const COLD_CLIENTS = { small: 40, modest: 2, large: 5 };
const HOT_CLIENTS = 8;
const HOT_PAUSE_MS = 50;
const PLANS = `default: small
plans:
  - { name: small, title: Small, windows: { burst: 100000 } }
  - { name: large, title: Large, windows: { burst: 100000 } }
`;
/** Plan of each account. Two accounts have the same plan. */
const PLAN_OF = { small: 'small', modest: 'small', large: 'large' } as const;
type Account = keyof typeof PLAN_OF;
const ACCOUNTS = Object.keys(PLAN_OF) as Account[];

interface Answer {
  status: number;
  ms: number;
}

const percentile = (answers: readonly Answer[], share: number): number => {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
const part = (answers: readonly Answer[], status: number) =>
  answers.filter((one) => one.status === status).length / Math.max(1, answers.length);
const answered = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200);
const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED');

const folder = mkdtempSync(join(tmpdir(), 'touchline-slow-'));
const file = join(folder, 'plans.yaml');
writeFileSync(file, PLANS);
// Lets the embedded server's user enter the folder.
chmodSync(folder, 0o755);
const [server, clickhouse] = await Promise.all([startPostgres(folder), startClickHouseServer()]);
const pool = openPool(server.url, pino({ level: 'silent' }));
await migratePostgres(pool);
await seedCatalogue(pool);
const postgres = await openPostgresProxy(server.url);
const clickhousePort = Number(new URL(clickhouse.url).port);
const proxy = await openSlowProxy(clickhousePort);
const straight = podEnv(server.url, { PLANS_FILE: file, CLICKHOUSE_URL: clickhouse.url });
const slowed = podEnv(postgres.url, { PLANS_FILE: file, CLICKHOUSE_URL: `http://127.0.0.1:${proxy.port}` });
const pods = await Promise.all([startPod('api', slowed), startPod('ingest', straight), startPod('loader', straight)]);
const [api, ingest] = pods;
const plans = new OfferedPlans(plansText.parse(PLANS));
const keys = {} as Record<Account, string>;
for (const name of ACCOUNTS)
  ({ key: keys[name] } = await createKey(
    pool,
    systemClock,
    { email: `${name}@example.com`, plan: PLAN_OF[name] },
    plans,
  ));

const ids = async (sql: string) => (await pool.query<{ id: number }>(sql)).rows.map(({ id }) => id);
for (let from = 0; from < TOURNAMENTS; from += 50) {
  const updates = Array.from({ length: 50 }, (_, n) => liveMatches(`p${from + n}`, 1, 1)).flat();
  await fetch(`${ingest.url}/feed/v1/updates`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(updates),
  });
}
const matches = await ids('SELECT id FROM match ORDER BY id');
const tournaments = await ids('SELECT DISTINCT tournament_id AS id FROM match ORDER BY 1');

async function get(account: Account, path: string): Promise<Answer> {
  const begun = performance.now();
  const reply = await fetch(api.url + path, { headers: { 'X-API-Key': keys[account] } });
  await reply.arrayBuffer();
  return { status: reply.status, ms: performance.now() - begun };
}

/** Repeats requests from this many clients until the signal aborts. */
function load(clients: number, request: () => Promise<Answer>, pauseMs: number, signal: AbortSignal) {
  const answers: Answer[] = [];
  const running = Array.from({ length: clients }, async () => {
    while (!signal.aborted) {
      answers.push(await request());
      await sleep(pauseMs);
    }
  });
  return { answers, ended: Promise.all(running) };
}

const HOT = ['/v1/events?limit=20', ...matches.slice(0, 5).map((id) => `/v1/event/${id}`)];
let hot = 0;
const askHot = () => get('small', HOT[hot++ % HOT.length]!);

/**
 * Measures one slow store.
 * @param cold returns the path of the nth request that has to read the store
 */
async function measure(
  store: string,
  slow: (ms: number) => void,
  cold: (n: number) => string,
  hotGoal: (beforeMs: number) => number,
): Promise<void> {
  for (const path of HOT) await get('small', path);
  const quiet = new AbortController();
  const before = load(HOT_CLIENTS, askHot, HOT_PAUSE_MS, quiet.signal);
  await sleep(3_000);
  quiet.abort();
  await before.ended;

  slow(DELAY_MS);
  const until = new AbortController();
  let n = 0;
  const hotLoad = load(HOT_CLIENTS, askHot, HOT_PAUSE_MS, until.signal);
  const coldLoads = ACCOUNTS.map((name) => load(COLD_CLIENTS[name], () => get(name, cold(n++)), 20, until.signal));
  await sleep(SECONDS * 1_000);
  slow(0);
  const ended = performance.now();
  let recovered = 0;
  while (recovered === 0) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => get('small', cold(n++))));
    if (answers.every(({ status, ms }) => status === 200 && ms < 500)) recovered = performance.now() - ended;
    if (performance.now() - ended > 60_000) break;
  }
  until.abort();
  await Promise.all([hotLoad.ended, ...coldLoads.map((one) => one.ended)]);

  const [small, modest, large] = coldLoads.map(({ answers }) => answers) as [Answer[], Answer[], Answer[]];
  const fromMemory = part(hotLoad.answers, 200);
  const hotP99 = percentile(hotLoad.answers, 0.99);
  const beforeP99 = percentile(before.answers, 0.99);
  const bound = hotGoal(beforeP99);
  const coldP99 = percentile(answered([...small, ...modest, ...large]), 0.99);
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const seconds = recovered === 0 ? 'not within 60 s' : `${(recovered / 1_000).toFixed(1)} s`;
  console.log(`${store}, each answer ${DELAY_MS / 1_000} s later for ${SECONDS} s`);
  console.log(
    `  in memory              ${percent(fromMemory)} answered, p99 ${hotP99.toFixed(0)} ms (before: ${beforeP99.toFixed(0)} ms)  bound 100 %, ${bound.toFixed(0)} ms  ${verdict(fromMemory === 1 && hotP99 <= bound)}`,
  );
  console.log(
    `  not in memory, refused ${percent(part(small, 503))} of the small plan's large account, ${percent(part(modest, 503))} of its small one, ${percent(part(large, 503))} of the large plan  bound: above 0, 0, 0  ${verdict(part(small, 503) > 0 && part(modest, 503) + part(large, 503) === 0)}`,
  );
  console.log(
    `  not in memory, answered ${answered(small).length}, ${answered(modest).length} and ${answered(large).length}, p99 ${(coldP99 / 1_000).toFixed(1)} s  bound 15 s  ${verdict(coldP99 <= 15_000)}`,
  );
  console.log(
    `  as before              after ${seconds}  bound 15 s  ${verdict(recovered > 0 && recovered <= 15_000)}`,
  );
}

try {
  for (let ready = false; !ready; await sleep(200))
    ready = (await get('large', `/v1/tournament/${tournaments[0]}/profile`)).status === 200;
  await measure(
    'Postgres',
    (ms) => postgres.slow(ms),
    (n) => `/v1/event/${matches[5 + (n % 390)]}`,
    // A request waits a second for a new reply, and then gets the cached one.
    () => 1_500,
  );
  await measure(
    'ClickHouse',
    (ms) => proxy.slow(ms),
    (n) => `/v1/tournament/${tournaments[5 + (n % 390)]}/profile`,
    (beforeMs) => Math.max(50, 2 * beforeMs),
  );
} finally {
  await killAll(pods);
  await Promise.all([proxy.close(), postgres.close(), clickhouse.stop()]);
  await pool.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}
