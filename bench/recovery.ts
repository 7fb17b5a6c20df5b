/**
 * Measures the gap in delivery after a process is killed (-9) or a node vanishes, at 100 events a second. The gap ends when the first event
 * that was written after that arrives. Measures the relay on Postgres and on Kafka, dispatchers, and connection slots. Every event has to
 * arrive on the stream once and in order. KILLS=20 for each, ONLY=relay,dispatcher,slots, LOGS=postgres,kafka. A vanished node is a network
 * namespace whose link is cut, which only root can do.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { startPostgres } from '../src/db/embedded-postgres.ts';
import { migratePostgres } from '../src/db/migrate.ts';
import { openMatchChanges } from '../src/db/notices.ts';
import { openPool } from '../src/db/postgres.ts';
import { seedCatalogue } from '../src/db/seed.ts';
import { createGuard } from '../src/outbound/address-guard.ts';
import { systemClock as clock } from '../src/runtime/clock.ts';
import { createSubscription } from '../src/webhooks/subscriptions/subscription.ts';
import { BUILT_IN_PLANS, createKey } from '../test/support/accounts.ts';
import { eventWriter } from '../test/support/events.ts';
import { canRunKafka, startKafka } from '../test/support/kafka.ts';
import { openPodNetwork, type PodAddress, whyNoPodNetwork } from '../test/support/pod-network.ts';
import { UNBOUNDED } from '../test/support/webhook-policy.ts';
import { startReceiver } from '../test/support/webhook-receiver.ts';

const KILLS = Number(process.env.KILLS ?? 20);
const ONLY = (process.env.ONLY ?? 'relay,dispatcher,slots').split(',');
const LOGS = (process.env.LOGS ?? 'postgres,kafka').split(',');
/** Goals from the project's issue, p95 in seconds. */
const GOALS = {
  relay: { killed: 1, vanished: 5 },
  dispatcher: { killed: 2, vanished: 20 },
  slots: { killed: 2, vanished: 20 },
};
type Role = keyof typeof GOALS;
type End = 'killed' | 'vanished';
const VANISHED = Math.min(KILLS, 5);
const EVENT_EVERY_MS = 10;
const MATCHES = 50;
const SUBSCRIPTIONS = 4;
const SLOTS = 5;
/**
 * Pause before a process is ended. In the first 2 s of its database session, a process does not judge which processes are running.
 */
const SETTLED_MS = 3_000;
const PATIENCE_MS = 60_000;
const SECRET_KEY = 'a-secret-key-of-the-bench';
const LAUNCHER = new URL('../bin/touchline.js', import.meta.url).pathname;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; !(await holds()); await sleep(10))
    if (performance.now() > deadline) throw new Error(`still waiting until ${what}`);
}

// ---- processes

interface Node {
  /** Id of the forked process. */
  pid: number;
  address: string;
  end(how: End): Promise<void>;
}

/** The pod network, if the user is root and can create one. Nodes that are to vanish run in a namespace of this network. */
const network = whyNoPodNetwork() === null ? await openPodNetwork() : null;
const host = network?.host ?? '127.0.0.1';
const folder = mkdtempSync(join(tmpdir(), 'touchline-bench-'));
chmodSync(folder, 0o755);
const nodes = new Set<Node>();
/** Functions that end nodes that have vanished but are still running. */
const vanished: (() => void)[] = [];

async function startNode(role: string, env: Record<string, string>): Promise<Node> {
  const at: PodAddress | null = (await network?.add()) ?? null;
  const command = [process.execPath, LAUNCHER, 'serve', '--role', role];
  const [program, ...args] = at === null ? command : ['ip', 'netns', 'exec', at.namespace, ...command];
  const child = spawn(program!, args, {
    env: {
      PATH: process.env.PATH,
      HOME: '/tmp',
      LOG_LEVEL: 'fatal',
      PORT: '0',
      ADMIN_PORT: '0',
      HOST: at?.ip ?? '127.0.0.1',
      ALLOWED_HOSTS: at?.ip ?? '127.0.0.1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await until(`${role} is ready`, () => /is ready/.test(out));
  const node: Node = {
    pid: child.pid!,
    address: /https?:\/\/\S+/.exec(out)![0],
    async end(how) {
      nodes.delete(node);
      if (how === 'vanished') {
        // The kernel now drops all packets, while the process keeps running and notices nothing.
        execFileSync('ip', ['-netns', at!.namespace, 'link', 'set', 'eth0', 'down']);
        vanished.push(() => child.kill('SIGKILL'));
        return;
      }
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      if (at !== null) await network!.remove(at);
    },
  };
  nodes.add(node);
  return node;
}

// ---- stores and writes

const postgres = await startPostgres(folder);
const logger = pino({ level: 'error' }, pino.destination(2));
const pool = openPool(postgres.url, logger, 20);
await migratePostgres(pool);
await seedCatalogue(pool);
const socket = join(new URL(postgres.url).searchParams.get('host')!, '.s.PGSQL.5432');
/** A proxy, so that Postgres is reached over the network. */
const proxy = net.createServer((client) => {
  const server = net.connect(socket);
  client.pipe(server).on('error', () => client.destroy());
  server.pipe(client).on('error', () => server.destroy());
});
await new Promise<void>((resolve) => proxy.listen(0, host, resolve));
const databaseUrl = `postgres://postgres@${host}:${(proxy.address() as net.AddressInfo).port}/touchline`;
const { key } = await createKey(pool, clock, { email: 'bench@example.com', plan: 'business' });
const changes = await openMatchChanges(postgres.url, logger);

/** Commit time by event id. */
const committed = new Map<string, number>();
const writer = eventWriter();
let writing = true;
const written = (async () => {
  for (let number = 0; writing; number += 1) {
    const match = 1 + (number % MATCHES);
    const [envelope] = await writer.write(pool, [{ match }]);
    committed.set((JSON.parse(envelope!) as { id: string }).id, performance.now());
    changes.publish([match], { events: true });
    await sleep(EVENT_EVERY_MS - 1);
  }
})();

// ---- clients

interface Arrival {
  id: string;
  at: number;
}

/** Follows a stream, and records when each event arrives. */
function follow(address: string): { arrivals: Arrival[]; close(): void } {
  const arrivals: Arrival[] = [];
  const request = get(
    `${address}/v1/stream`,
    { headers: { 'X-API-Key': key, Accept: 'text/event-stream' } },
    (response) => {
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const at = performance.now();
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          const id = /^data: \{"id":"(evt_\d+_\d+)"/.exec(line)?.[1];
          if (id !== undefined) arrivals.push({ id, at });
        }
      });
      response.on('error', () => {});
    },
  );
  request.on('error', () => {});
  return { arrivals, close: () => request.destroy() };
}

/** @returns milliseconds from `since` until the first event that was committed after `since` arrives */
async function firstAfter(since: number, arrivals: readonly Arrival[]): Promise<number> {
  let found: Arrival | undefined;
  let seen = 0;
  await until('an event arrives', () => {
    for (; seen < arrivals.length && found === undefined; seen += 1)
      if ((committed.get(arrivals[seen]!.id) ?? 0) > since) found = arrivals[seen];
    return found !== undefined;
  });
  return found!.at - since;
}

const status = (address: string): Promise<number> =>
  new Promise((resolve) => {
    const request = get(`${address}/v1/stream`, { headers: { 'X-API-Key': key } }, (response) => {
      resolve(response.statusCode!);
      if (response.statusCode !== 200) response.resume();
      else held.push(() => request.destroy());
    });
    request.on('error', () => resolve(0));
  });
const held: (() => void)[] = [];

// ---- the three measurements

async function relays(end: End, times: number, env: Record<string, string>): Promise<number[]> {
  const figures: number[] = [];
  const stream = await startNode('stream', env);
  const running = [await startNode('relay', env), await startNode('relay', env)];
  const leader = async () => (await pool.query<{ holder: string | null }>('SELECT holder FROM relay')).rows[0]!.holder;
  await until('one leads', async () => (await leader()) !== null);
  const { arrivals, close } = follow(stream.address);
  await until('events arrive', () => arrivals.length > 10);
  const from = committed.size;
  for (let time = 0; time < times; time += 1) {
    await sleep(SETTLED_MS);
    const pid = Number((await leader())!.split(' ')[1]);
    const index = running.findIndex((one) => one.pid === pid);
    const since = performance.now();
    await running[index]!.end(end);
    figures.push(await firstAfter(since, arrivals));
    running[index] = await startNode('relay', env);
  }
  // All events that were written meanwhile have to arrive once and in order.
  const expected = [...committed.keys()].slice(from);
  await until('everything has arrived', () => arrivals.some(({ id }) => id === expected.at(-1)));
  const counts = new Map<string, number>();
  const last = new Map<string, number>();
  let disorder = 0;
  for (const { id } of arrivals) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    const [, match, sequence] = id.split('_');
    if (Number(sequence) <= (last.get(match!) ?? 0)) disorder += 1;
    last.set(match!, Number(sequence));
  }
  const lost = expected.filter((id) => !counts.has(id)).length;
  const repeated = [...counts.values()].filter((count) => count > 1).length;
  say(`  ${expected.length} events: ${lost} lost, ${repeated} repeated, ${disorder} out of order`);
  if (lost + repeated + disorder > 0) process.exitCode = 1;
  close();
  for (const one of [...running, stream]) await one.end('killed');
  return figures;
}

async function dispatchers(end: End, times: number, env: Record<string, string>): Promise<number[]> {
  const figures: number[] = [];
  const receiver = await startReceiver(undefined, { host });
  // All subscriptions have URLs on this host.
  const allow = { WEBHOOK_ALLOW: `http://${host}:*`, WEBHOOK_HOST_FACTORS: `${host}=1000` };
  const guard = createGuard({ allow: [allow.WEBHOOK_ALLOW] });
  for (let number = 0; number < SUBSCRIPTIONS; number += 1)
    await createSubscription(
      { pool, clock, guard, secretKeys: [SECRET_KEY], policy: UNBOUNDED, plans: BUILT_IN_PLANS },
      { account: 'bench@example.com', url: `${receiver.url}/${number}` },
    );
  const relay = await startNode('relay', env);
  const names = async () =>
    (await pool.query<{ name: string }>('SELECT name FROM webhook_dispatcher')).rows.map(({ name }) => name);
  const known = new Map<string, Node>();
  const startOne = async () => {
    const before = await names();
    const node = await startNode('dispatcher', { ...env, ...allow });
    await until('it has announced itself', async () => (await names()).some((name) => !before.includes(name)));
    known.set((await names()).find((name) => !before.includes(name))!, node);
  };
  await startOne();
  await startOne();
  const holders = async () =>
    (
      await pool.query<{ url: string; holder: string | null }>(
        'SELECT url, holder FROM webhook_subscription WHERE ended_at IS NULL',
      )
    ).rows;
  for (let time = 0; time < times; time += 1) {
    // The newer dispatcher must hold at least one subscription. The older one may keep more than half.
    const heldBy = async (name: string) => (await holders()).filter(({ holder }) => holder === name);
    await until('they have shared them out', async () => {
      const counts = await Promise.all([...known.keys()].map(async (name) => (await heldBy(name)).length));
      return counts.every((count) => count > 0) && counts[0]! + counts[1]! === SUBSCRIPTIONS;
    });
    await sleep(SETTLED_MS);
    const [name, node] = [...known].at(0)!;
    const paths = (await heldBy(name)).map(({ url }) => new URL(url).pathname);
    receiver.received.length = 0;
    const since = performance.now();
    await node.end(end);
    known.delete(name);
    const firsts = paths.map(async (path) => {
      let at = 0;
      await until('it is delivered', () => {
        const first = receiver.received.find(
          (one) => one.path === path && (committed.get(JSON.parse(one.body).id) ?? 0) > since,
        );
        at = first?.at ?? 0;
        return first !== undefined;
      });
      return at - since;
    });
    figures.push(Math.max(...(await Promise.all(firsts))));
    await startOne();
  }
  for (const node of known.values()) await node.end('killed');
  await relay.end('killed');
  await pool.query("UPDATE webhook_subscription SET ended_at = now(), secret = ''");
  await receiver.close();
  return figures;
}

async function slots(end: End, times: number, env: Record<string, string>): Promise<number[]> {
  const figures: number[] = [];
  let [one, other] = [await startNode('stream', env), await startNode('stream', env)];
  for (let time = 0; time < times; time += 1) {
    await sleep(SETTLED_MS);
    for (let slot = 0; slot < SLOTS; slot += 1)
      await until('it has a slot', async () => (await status(one.address)) === 200);
    const since = performance.now();
    await one.end(end);
    await until('another has it', async () => (await status(other.address)) === 200);
    figures.push(performance.now() - since);
    for (const close of held.splice(0)) close();
    await until(
      'all are free',
      async () => (await pool.query('SELECT FROM stream_lease WHERE expires_at > now()')).rowCount === 0,
    );
    [one, other] = [other, await startNode('stream', env)];
  }
  for (const node of [one, other]) await node.end('killed');
  return figures;
}

// ---- the table

const RUNS = { relay: relays, dispatcher: dispatchers, slots };

function row(role: Role, end: End, log: string, figures: readonly number[]): void {
  const sorted = figures.map((ms) => ms / 1_000).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
  const goal = GOALS[role][end];
  const isMet = at(0.95) <= goal;
  if (!isMet) process.exitCode = 1;
  const seconds = (value: number) => `${value.toFixed(2)} s`;
  say(
    `${role.padEnd(10)} ${end.padEnd(8)} ${log.padEnd(8)} ${String(sorted.length).padStart(2)} times  p50 ${seconds(at(0.5))}  p95 ${seconds(at(0.95))}  worst ${seconds(at(1))}  goal ${goal} s  ${isMet ? 'met' : 'MISSED'}`,
  );
}

try {
  for (const log of LOGS) {
    if (log === 'kafka' && !canRunKafka()) {
      say('Kafka cannot be run here: skipped');
      continue;
    }
    const kafka = log === 'kafka' ? await startKafka({ host }) : null;
    const env = {
      DATABASE_URL: databaseUrl,
      SECRET_KEY,
      DATA_DIR: join(folder, 'service'),
      ...(kafka !== null && { KAFKA_BROKERS: kafka.broker }),
    };
    for (const role of Object.keys(RUNS) as Role[]) {
      // Slots do not use the event log, so they are measured only once.
      if (!ONLY.includes(role) || (role === 'slots' && log !== LOGS[0])) continue;
      row(role, 'killed', log, await RUNS[role]('killed', KILLS, env));
      if (network !== null) row(role, 'vanished', log, await RUNS[role]('vanished', VANISHED, env));
    }
    await kafka?.stop();
  }
} finally {
  writing = false;
  await written;
  for (const node of nodes) await node.end('killed');
  for (const end of vanished) end();
  await changes.close();
  await pool.end();
  proxy.close();
  await postgres.stop();
  await network?.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
