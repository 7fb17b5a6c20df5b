/**
 * Measures reads with a streaming standby (docs/replicas.md), while a feed sends 25 goals a second.
 * - The same mix of requests goes to an API process with the standby and to one without it, in turns: the share of reads on
 *   the standby, and the latency of hot cards.
 * - Then the standby replays 0 to 3 seconds late. Clients write a goal and read it in two API processes. No reply may be
 *   older than what the client has written or seen.
 *
 * CHECKS=… is the number of reads after writes, ROUNDS=… the number of turns.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createKey } from '../src/accounts/keys/key-store.ts';
import { plansText } from '../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../src/accounts/plans/plans.ts';
import { openPool } from '../src/db/postgres.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { startReplicatedPostgres } from '../test/support/replicated-postgres.ts';
import { scoreUpdate } from '../test/support/replicated-service.ts';
import { type Child, CLIENT_CORE, pinSelf, SERVER_CORE, startChild } from './child.ts';
import { line, median, printRow, verdict } from './report.ts';
import type { ServiceApi } from './stream/service.ts';

const CHECKS = Number(process.env.CHECKS ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Goals from the project's issue. */
const GOALS = { share: 0.95, hot: 1.1, stale: 0 };
const MATCHES = 200;
/** Matches that the feed changes. */
const LIVE = 20;
const GOALS_A_SECOND = 25;
const CLIENTS = 16;
const ROUND_MS = 3_000;
/** Pause of a client between two requests, so that the process is not saturated. */
const PAUSE_MS = 10;
const READS_AFTER_WRITE = 10;
const LONGEST_LAG_MS = 3_000;
const FEED_TOKEN = 'feed-token-of-the-benchmark';
const PLANS = JSON.stringify({ default: 'open', plans: [{ name: 'open', title: 'Open' }] });

/** The slowest hundredth of the requests for a card, in ms. */
interface Latencies {
  hot: number;
  live: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 });
interface Answer {
  text: string;
  position: string | undefined;
  ms: number;
}

function ask(port: number, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request({ agent, host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode} ${text}`));
        const position = response.headers['touchline-position'] as string | undefined;
        resolve({ text, position, ms: performance.now() - begun });
      });
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

const servers = await startReplicatedPostgres();
const env = {
  HOST: '127.0.0.1',
  PORT: '0',
  ADMIN_PORT: '0',
  DATABASE_URL: servers.url,
  CLICKHOUSE_URL: 'http://127.0.0.1:1',
  SECRET_KEY: 'secret-of-the-benchmark',
  LOG_LEVEL: 'fatal',
  FEED_TOKEN,
  PLANS,
};
const children: Child<ServiceApi>[] = [];
async function start(role: string, core: number | null, more: Record<string, string> = {}) {
  const child = startChild<ServiceApi>('stream/service.ts', core, { ...env, ...more, BENCH_ROLE: role });
  children.push(child);
  return { child, port: await child.call('port') };
}

/** Numbers of goals by match, as the feed has sent them. */
const written = new Map<number, number>();
let observed = Date.now();

/** Sends one more goal of a match. @returns the position in the answer */
async function score(port: number, match: number): Promise<{ goals: number; position: string }> {
  const goals = (written.get(match) ?? -1) + 1;
  written.set(match, goals);
  observed += 1;
  const start = new Date(observed - 60_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const body = scoreUpdate({ match, goals, observed, start });
  const headers = { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' };
  const { text, position } = await ask(port, '/feed/v1/updates', headers, body);
  if (JSON.parse(text).accepted !== 1) throw new Error(text);
  return { goals, position: position! };
}

/** Returns the share of reads on the standby since the process started. */
async function reads({ child }: { child: Child<ServiceApi> }): Promise<{ replica: number; all: number }> {
  const lines = (await child.call('metrics')).matchAll(/^touchline_replica_reads_total\{target="(\w+)".*\} (\d+)$/gm);
  let [replica, all] = [0, 0];
  for (const [, target, count] of lines) {
    all += Number(count);
    if (target === 'replica') replica += Number(count);
  }
  return { replica, all };
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;

try {
  const ingest = await start('ingest', null, { DATABASE_READ_URL: servers.readUrl });
  await start('relay', null);
  for (let match = 0; match < MATCHES; match += 1) await score(ingest.port, match);
  const pool = openPool(servers.url, pino({ level: 'silent' }));
  const plans = new OfferedPlans(plansText.parse(PLANS));
  const { key } = await createKey(pool, systemClock, plans, { email: 'bench@touchline.invalid', plan: 'open' });
  await pool.query('ANALYZE');
  const { rows } = await pool.query<{ id: number; match: number }>(
    "SELECT entity_id AS id, substr(external_id, 2)::int AS match FROM external_ref WHERE entity = 'match' AND provider = 'live' ORDER BY 2",
  );
  await pool.end();
  const ids = rows.map(({ id }) => id);
  await servers.caughtUp();
  const plain = await start('api', SERVER_CORE);
  const replicated = await start('api', SERVER_CORE, { DATABASE_READ_URL: servers.readUrl });
  pinSelf(CLIENT_CORE);

  let isFeeding = true;
  const feeding = (async () => {
    for (let n = 0; isFeeding; n += 1) {
      await score(ingest.port, n % LIVE);
      await sleep(1_000 / GOALS_A_SECOND);
    }
  })();
  // As in `make bench`, a hot card does not change. The feed changes the other one every 0.8 s.
  const hotPath = `/v1/event/${ids.at(-1)}`;
  const livePath = `/v1/event/${ids[0]}`;
  /** Of ten requests, five ask for the two cards, three for any card, one for a list, and one for the live matches or a sync page. */
  const pathFor = (n: number) => {
    if (n % 10 < 5) return n % 2 === 0 ? hotPath : livePath;
    if (n % 10 < 8) return `/v1/event/${ids[(n * 7) % ids.length]}`;
    if (n % 10 === 8) return `/v1/events?limit=20&offset=${(n * 3) % 150}`;
    return n % 20 === 9 ? '/v1/events/live' : '/v1/sync?limit=20';
  };
  async function mix(port: number, ms: number): Promise<Latencies> {
    const [hot, live]: number[][] = [[], []];
    const until = performance.now() + ms;
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = client; performance.now() < until; n += 1) {
          const path = pathFor(n);
          const { ms } = await ask(port, path, { 'X-API-Key': key });
          if (path === hotPath) hot!.push(ms);
          if (path === livePath) live!.push(ms);
          await sleep(PAUSE_MS);
        }
      }),
    );
    return { hot: percentile(hot!, 0.99), live: percentile(live!, 0.99) };
  }
  for (const { port } of [plain, replicated]) await mix(port, ROUND_MS);
  const before = await reads(replicated);
  const rounds: { plain: Latencies; replicated: Latencies }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const own = await mix(plain.port, ROUND_MS);
    rounds.push({ plain: own, replicated: await mix(replicated.port, ROUND_MS) });
  }
  const after = await reads(replicated);
  isFeeding = false;
  await feeding;
  const share = (after.replica - before.replica) / (after.all - before.all);
  printRow({
    path: 'reads on the standby',
    ours: `${(share * 100).toFixed(1)} %`,
    bound: `of ${after.all - before.all} reads`,
    ratio: share,
    goal: GOALS.share,
    isRate: true,
  });
  for (const [which, name, goal] of [
    ['hot', 'hot card with a standby, p99', GOALS.hot],
    ['live', 'card that changes, p99', Number.POSITIVE_INFINITY],
  ] as const) {
    const ratios = rounds.map((one) => one.replicated[which] / one.plain[which]);
    const figure = (kind: 'plain' | 'replicated') => median(rounds.map((one) => one[kind][which])).toFixed(2);
    const range = `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
    const [ours, bound] = [`${figure('replicated')} ms`, `without ${figure('plain')} ms`];
    if (goal === Number.POSITIVE_INFINITY) line(name, ours, bound, `ratio ${median(ratios).toFixed(2)}`, range);
    else printRow({ path: name, ours, bound, ratio: median(ratios), goal }, range);
  }

  const second = await start('api', null, { DATABASE_READ_URL: servers.readUrl });
  let isLagging = true;
  const lagging = (async () => {
    while (isLagging) {
      await servers.delay(Math.floor(Math.random() * LONGEST_LAG_MS));
      await sleep(1_000);
    }
    await servers.delay(0);
  })();
  let [checks, stale] = [0, 0];
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      let position: string | undefined;
      while (checks < CHECKS) {
        const { goals, position: committed } = await score(ingest.port, client);
        position = committed;
        for (let n = 0; n < READS_AFTER_WRITE && checks < CHECKS; n += 1) {
          checks += 1;
          const isList = n === READS_AFTER_WRITE - 1;
          const headers = { 'X-API-Key': key, 'Touchline-Position': position };
          const path = isList ? '/v1/events/live' : `/v1/event/${ids[client]}`;
          const reply = await ask([replicated, second][n % 2]!.port, path, headers);
          const found = isList
            ? JSON.parse(reply.text).events.find(({ id }: { id: number }) => id === ids[client])
            : JSON.parse(reply.text);
          if (found === undefined || found.participants[0].score < goals) stale += 1;
          position = reply.position!;
        }
      }
    }),
  );
  isLagging = false;
  await lagging;
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  line(
    'stale replies, 0 to 3 s of lag',
    `${stale} of ${checks} in ${seconds} s`,
    `goal ${GOALS.stale}`,
    verdict(stale === GOALS.stale),
  );
} finally {
  for (const child of children) await child.kill();
  await servers.close();
  agent.destroy();
}
