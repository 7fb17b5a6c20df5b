/**
 * Checks that memory does not grow over time. Each role runs in its own process, with 100 events a second, 1,000 streams that open and
 * close, webhooks and readers. Prints a line a minute with each process's memory after garbage collection. Exits with 1 if a process is
 * still growing. Measures for MINUTES=30.
 */
import type { RoleName } from '../src/config/config.ts';
import { startClickHouseServer } from '../test/support/clickhouse-server.ts';
import type { Child } from './child.ts';
import { line } from './report.ts';
import { BOUNDS, type Grown, grown, MEASURES } from './soak/growth.ts';
import { HOOKS, startEndpoint, startLoad, subscribe, watchAll } from './soak/load.ts';
import type { ServiceApi } from './stream/service.ts';
import { openStage, type Stage } from './stream/stage.ts';
import type { Held } from './usage.ts';

const MINUTES = Number(process.env.MINUTES ?? 30);
/** Number of events that fills the rings in streams (64 MiB) and in dispatchers (10,000 events). */
const FILLING_EVENTS = 66_000;
const FILLING_BATCH = 200;
const EVENT_BYTES = 850;
/** How long new processes need to compile their code, and connections to prepare their statements. */
const WARM_UP_MINUTES = 2;
const MINUTE_MS = 60_000;
const ROLES = [
  'relay',
  'ingest',
  'api',
  'stream',
  'dispatcher',
  'loader',
  'jobs',
] as const satisfies readonly RoleName[];
const LEASES_EVERY_MS = 1_000;

type Role = (typeof ROLES)[number];
let fed = 0;

type Looks = Record<string, Partial<Record<string, number>>[]>;

const mb = (bytes: number) => (bytes / 1_048_576).toFixed(1).padStart(6);

async function fill(stage: Stage, service: Child<ServiceApi>): Promise<void> {
  const head = await service.call('head');
  for (let sent = 0; sent < FILLING_EVENTS; sent += FILLING_BATCH) {
    await stage.publishSome(sent, FILLING_BATCH, EVENT_BYTES);
    while ((await service.call('head')) < head + sent) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Counts the rows that exist only while a process holds something, such as slots and leases. */
async function leasesOf({ stores: { pool } }: Stage): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT ((SELECT count(*) FROM stream_lease) + (SELECT count(*) FROM webhook_subscription WHERE holder IS NOT NULL)
       + (SELECT count(*) FROM webhook_dispatcher) + (SELECT count(*) FROM relay))::int AS count`,
  );
  return rows[0]!.count;
}

/** @returns the smallest count until the time `until`, because streams open and close */
async function leastLeases(stage: Stage, until: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  while (performance.now() < until) {
    least = Math.min(least, await leasesOf(stage));
    await new Promise((resolve) =>
      setTimeout(resolve, Math.min(LEASES_EVERY_MS, Math.max(0, until - performance.now()))),
    );
  }
  return least;
}

async function look(minute: number, leases: number, services: ReadonlyMap<Role, Child<ServiceApi>>, looks: Looks) {
  const held = await Promise.all([...services].map(async ([role, one]) => [role, await one.call('held')] as const));
  for (const [role, { rss, heap, external, handles, prepared }] of held) {
    line(
      `minute ${String(minute).padStart(2)} ${role}`,
      `rss ${mb(rss)} MB`,
      `heap ${mb(heap)} MB`,
      `external ${mb(external)} MB`,
      `${String(handles).padStart(5)} handles`,
      `${String(prepared).padStart(3)} prepared statements`,
    );
  }
  line(`minute ${String(minute).padStart(2)}`, `${leases} leases`);
  if (minute < 1) return;
  for (const [role, values] of held) looks[role]!.push(pick(values));
  looks.tables!.push({ leases });
}

const pick = (held: Held) => Object.fromEntries(MEASURES.map((measure) => [measure, held[measure]]));

function report(grown: readonly Grown[]): void {
  const bound = (name: keyof typeof BOUNDS) =>
    name in { handles: 0, prepared: 0, leases: 0 } ? BOUNDS[name] : mb(BOUNDS[name]).trim();
  line('bounds of a minute', ...Object.keys(BOUNDS).map((name) => `${name} ${bound(name as keyof typeof BOUNDS)}`));
  for (const { what, perMinute, bound } of grown)
    line('STILL GROWS', `${what}: ${perMinute.toFixed(0)} a minute, bound ${bound}`);
  if (grown.length === 0) line('nothing grows', `${MINUTES} minutes`);
}

const stage = await openStage();
const endpoint = await startEndpoint();
const clickhouse = await startClickHouseServer();
let failed = false;
try {
  await subscribe(stage, endpoint.url);
  const services = new Map<Role, Child<ServiceApi>>();
  for (const role of ROLES)
    services.set(role, await stage.startRole(role, { WEBHOOK_ALLOW: HOOKS, CLICKHOUSE_URL: clickhouse.url }));
  const looks: Looks = Object.fromEntries([...ROLES, 'tables'].map((name) => [name, []]));
  const streams = services.get('stream')!;
  const watching = await watchAll(stage, await streams.call('port'));
  await fill(stage, streams);
  const load = await startLoad(
    stage,
    async (role) => `http://127.0.0.1:${await services.get(role)!.call('port')}`,
    (accepted) => {
      fed += accepted;
    },
  );
  const begun = performance.now();
  const fedBefore = fed;
  for (let minute = 1 - WARM_UP_MINUTES; minute <= MINUTES; minute += 1) {
    const leases = await leastLeases(stage, begun + (minute + WARM_UP_MINUTES) * MINUTE_MS);
    await look(minute, leases, services, looks);
  }
  const before = endpoint.received();
  await load.stop();
  await watching.stop();
  const seconds = (performance.now() - begun) / 1_000;
  line('load', `${((fed - fedBefore) / seconds).toFixed(0)} updates/s`, `${before} deliveries of webhooks`);
  const found = grown(looks);
  report(found);
  failed = found.length > 0;
} finally {
  endpoint.close();
  await stage.close();
  await clickhouse.stop();
}
process.exit(failed ? 1 : 0);
