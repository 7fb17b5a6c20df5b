/**
 * Measures how many cards and lists an API process returns for each second of its processor time, against a bare Koa
 * server that returns the same bytes. Both run on one core in turns.
 * - Hot requests ask for the same card repeatedly. The key is checked, use is counted, and the plan has three windows.
 * - Cold requests all read Postgres: either only the version, to validate a cached reply, or the whole reply, if it was
 *   never made before. Items of a list that was never read may be known from other lists.
 * - Without limits, the same process answers the same request for a key whose plan has no windows.
 * - The plain listener has no Koa. It only compares a key, charges three windows, counts, measures, and writes.
 * - For the request log, a process logs requests, which is the chart's default. The other processes do not.
 *
 * The floor below a result shows what a part of the work costs the bare server. For hot requests it sends the same
 * headers, and for cold requests it reads as much with one statement.
 *
 * ONLY=… is a part of the names of the rows to measure, such as `list`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createKey } from '../src/accounts/keys/key-store.ts';
import { plansText } from '../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../src/accounts/plans/plans.ts';
import { applyUpdates } from '../src/apply/apply.ts';
import { sampleUpdates } from '../src/demo/invented-league.ts';
import { EntityCache } from '../src/identity/entities.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { type Child, CLIENT_CORE, pinSelf, SERVER_CORE, startChild } from './child.ts';
import { load, type Target } from './load.ts';
import { line, median, printRow } from './report.ts';
import type { BareApi } from './rest/bare.ts';
import { openStage } from './stream/stage.ts';
import type { Usage } from './usage.ts';

/** Bounds from the project's issue. The log's bound is ours, so that a loss shows. */
const GOALS = { card: 0.75, list: 0.75, plain: 0.9, limits: 0.9, log: 0.6, version: 0.25, unread: 0.4 };
const ONLY = process.env.ONLY ?? '';
/** Number of rounds. All servers take turns, so that background load on the machine affects all of them. */
const ROUNDS = 5;
const WARM_UP_MS = 2_000;
/** Warm-up before the first measurement of a process, while it still compiles code. */
const FIRST_WARM_UP_MS = 8_000;
const MEASURED_MS = 1_000;
const COLD_PATHS = 300;
/** Page sizes of the lists that share items. With `COLD_PATHS`, they make more lists than the reply cache holds. */
const PAGE_SIZES = Array.from({ length: 20 }, (_, index) => 11 + index);
/**
 * Interval between notices. It is shorter than the time until a cold path is requested again. Each notice empties all caches, which costs
 * time too.
 */
const NOTIFY_EVERY_MS = 20;

/** Headers that Node adds by itself. */
const BY_NODE = ['connection', 'date', 'keep-alive'];

const PLANS = JSON.stringify({
  default: 'limited',
  plans: [
    { name: 'limited', title: 'Limited', windows: { burst: 1_000_000, day: 1_000_000_000, month: 1_000_000_000 } },
    { name: 'open', title: 'Open' },
  ],
});

/** Tells the service that matches have changed, as another process would. */
async function notify(database: string, matches: string) {
  const client = new pg.Client(database);
  await client.connect();
  let isStopped = false;
  const notifying = (async () => {
    while (!isStopped) {
      await client.query(`NOTIFY touchline_changes, 'bench:${matches}'`);
      await sleep(NOTIFY_EVERY_MS);
    }
  })();
  return async () => {
    isStopped = true;
    await notifying;
    await client.end();
  };
}

interface Subject extends Target {
  name: string;
  usage(): Promise<Usage>;
}

/** @returns the number of requests for each second of the server's processor time, in all threads */
async function rate(subject: Subject, ms: number, isAwake: boolean): Promise<number> {
  const before = await subject.usage();
  const answers = await load(subject, ms, isAwake);
  const after = await subject.usage();
  return answers / ((after.cpuUs - before.cpuUs) / 1_000_000);
}

/**
 * Compares two servers in turns. Prints both medians, and the median of the ratios in all rounds.
 * @param isAwake false if Postgres needs the client's core
 */
async function compare(path: string, ours: Subject, bound: Subject, goal: number, isAwake: boolean): Promise<void> {
  if (!path.includes(ONLY)) return;
  const { ratio, ratios, figures } = await measure(ours, bound, isAwake);
  printRow(
    { path, ours: figures.ours, bound: `${bound.name} ${figures.bound}`, ratio, goal, isRate: true },
    `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
  );
}

/** Ports of processes that have already been measured. */
const warm = new Set<number>();

async function measure(ours: Subject, bound: Subject, isAwake: boolean) {
  for (const subject of [bound, ours]) {
    await load(subject, warm.has(subject.port) ? WARM_UP_MS : FIRST_WARM_UP_MS, isAwake);
    warm.add(subject.port);
  }
  const rates: { ours: number; bound: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rates.push({ bound: await rate(bound, MEASURED_MS, isAwake), ours: await rate(ours, MEASURED_MS, isAwake) });
  const ratios = rates.map((one) => one.ours / one.bound);
  const figure = (name: 'ours' | 'bound') => `${median(rates.map((one) => one[name])).toFixed(0)}/s`;
  return { ratio: median(ratios), ratios, figures: { ours: figure('ours'), bound: figure('bound') } };
}

const stage = await openStage({ PLANS });
const startBare = (reads: Record<string, string>) => startChild<BareApi>('rest/bare.ts', SERVER_CORE, reads);
const bare = startBare({});
const DATABASE_URL = stage.stores.config.databaseUrl;
const readingVersion = startBare({ DATABASE_URL, READS: 'version' });
const readingBody = startBare({ DATABASE_URL, READS: 'body' });
const withHeaders = startBare({ HEADERS: '1' });
const plain = startBare({ PLAIN: '1' });
const servers = [bare, withHeaders, plain, readingVersion, readingBody];
try {
  const { pool } = stage.stores;
  await applyUpdates(
    { pool, clock: systemClock, changes: { publish: () => {} }, entities: new EntityCache() },
    await sampleUpdates(Date.now()),
    { events: false },
  );
  // Creates statistics, as a database in use has, so that Postgres plans the card statement only once.
  await pool.query('ANALYZE');
  const plans = new OfferedPlans(plansText.parse(PLANS));
  const newKey = async (plan: string) =>
    (await createKey(pool, systemClock, plans, { email: `${plan}@touchline.invalid`, plan })).key;
  const [limited, open] = [await newKey('limited'), await newKey('open')];
  const { rows } = await pool.query<{ id: number }>(
    'SELECT match_id AS id FROM match_block GROUP BY 1 ORDER BY sum(length(json)) DESC, 1 LIMIT $1',
    [COLD_PATHS],
  );
  const cards = rows.map(({ id }) => `/v1/event/${id}`);
  const lists = rows.map((_, index) => `/v1/events?limit=20&offset=${index}`);
  const overlapping = rows.flatMap((_, index) =>
    PAGE_SIZES.map((limit) => `/v1/events?limit=${limit}&offset=${index}`),
  );
  const hot = { card: cards.slice(0, 1), list: lists.slice(0, 1) };

  const service = await stage.startApi();
  const logging = await stage.startApi({ LOG_LEVEL: 'info' });
  const port = await service.call('port');
  const loggingPort = await logging.call('port');
  const read = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-Key': limited } });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status}`);
    const headers = Object.fromEntries([...reply.headers].filter(([name]) => !BY_NODE.includes(name)));
    return [await reply.text(), headers] as const;
  };
  for (const path of [...cards, ...lists]) {
    const stored = await read(path);
    for (const server of servers) await server.call('store', path, ...stored);
  }
  for (const path of overlapping) await bare.call('store', path, ...(await read(path)));
  pinSelf(CLIENT_CORE);
  const ours = (paths: readonly string[], key = limited): Subject => ({
    name: key === limited ? 'touchline' : 'without limits',
    port,
    paths,
    key,
    usage: () => service.call('usage'),
  });
  const withoutLog = { ...ours(hot.card), name: 'without log' };
  const withLog = { ...withoutLog, port: loggingPort, usage: () => logging.call('usage') };
  const ports = new Map<Child<BareApi>, number>();
  for (const server of servers) ports.set(server, await server.call('port'));
  const koa = (paths: readonly string[], server = bare): Subject => ({
    name: server === plain ? 'plain listener' : 'bare Koa',
    port: ports.get(server)!,
    paths,
    key: 'none',
    usage: () => server.call('usage'),
  });

  const floor = async (path: string, what: string, server: typeof bare, paths: readonly string[], isAwake: boolean) => {
    if (!path.includes(ONLY)) return;
    const { ratio, figures } = await measure(koa(paths, server), koa(paths), isAwake);
    line(`${path}, floor`, `bare Koa with ${what} ${figures.ours}, ${ratio.toFixed(2)} of one without`);
  };
  await compare('card, hot', ours(hot.card), koa(hot.card), GOALS.card, true);
  await compare('card, hot, plain', ours(hot.card), koa(hot.card, plain), GOALS.plain, true);
  await floor('card, hot', 'the headers', withHeaders, hot.card, true);
  await compare('list of 20, hot', ours(hot.list), koa(hot.list), GOALS.list, true);
  await compare('list of 20, hot, plain', ours(hot.list), koa(hot.list, plain), GOALS.plain, true);
  await floor('list of 20, hot', 'the headers', withHeaders, hot.list, true);
  await compare('card, hot, limits', ours(hot.card), ours(hot.card, open), GOALS.limits, true);
  await compare('list of 20, hot, limits', ours(hot.list), ours(hot.list, open), GOALS.limits, true);
  await compare('card, hot, request log', withLog, withoutLog, GOALS.log, true);
  await compare('list of 20, items known', ours(overlapping), koa(overlapping), GOALS.unread, false);
  for (const [state, matches, goal, reading] of [
    ['version read', rows.map(({ id }) => id).join(), GOALS.version, readingVersion],
    ['never read before', 'all', GOALS.unread, readingBody],
  ] as const) {
    const stop = await notify(DATABASE_URL, matches);
    await compare(`card, ${state}`, ours(cards), koa(cards), goal, false);
    await compare(`list of 20, ${state}`, ours(lists), koa(lists), goal, false);
    await stop();
    await floor(`card, ${state}`, 'one statement', reading, cards, false);
    await floor(`list of 20, ${state}`, 'one statement', reading, lists, false);
  }
} finally {
  for (const server of servers) await server.kill();
  await stage.close();
}
