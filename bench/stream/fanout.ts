/**
 * Measures fan-out: the server's CPU time per delivery in microseconds, and the time from publication to receipt. Events pass through the
 * outbox, the relay, the log, the hub and the sockets of a `serve` process. For comparison, plain Node sockets and Nchan receive the same
 * bytes, and for dense events so do plain sockets behind an ordered log, which shows how fast ordered events can be.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, SERVER_CORE, startChild } from '../child.ts';
import { clientNote, line, median, printRow } from '../report.ts';
import type { BoundApi } from './bound.ts';
import { type Clients, type Protocol, startClients } from './clients.ts';
import { envelopeOf } from './event.ts';
import { percentile, sum } from './histogram.ts';
import { type Nchan, startNchan } from './nchan.ts';
import { type OrderedSender, startOrderedSender } from './ordered.ts';
import type { ServiceApi } from './service.ts';
import { openStage, type Stage, TOURNAMENT } from './stage.ts';

const EVENT_BYTES = 850;
/** Warm-up before the first round, while new processes are still compiling code. */
const FIRST_WARM_UP_MS = 8_000;
const WARM_UP_MS = 1_500;
const MEASURED_MS = 4_000;
/** Number of rounds. The servers take turns, so that background load on the machine affects all of them. */
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const DELIVERED_WITHIN_MS = 30_000;
interface Load {
  name: string;
  clients: number;
  eventsPerSecond: number;
  /** True if a plain sender whose events pass through an ordered log is measured, too. */
  hasFloor: boolean;
}
const LOADS = [
  { name: 'sparse', clients: 2_000, eventsPerSecond: 25, hasFloor: false },
  { name: 'dense', clients: 1_000, eventsPerSecond: 200, hasFloor: true },
] as const satisfies readonly Load[];
/**
 * Goals from the project's issue, for the median over all rounds relative to plain sockets. Null if the figure is only
 * printed.
 */
const GOALS = {
  sparse: { cpu: 1.1, p99: 1.2 },
  dense: { cpu: null, p99: 1.25 },
};

interface Subject {
  name: string;
  clients: Clients;
  opening: { port: number; path: string; keys: string[] };
  /** Returns how many streams receive published events. By default, all open streams do. */
  joined?(): Promise<number>;
  publish(envelope: string, sequence: number): Promise<unknown>;
  cpuUs(): Promise<number>;
}

interface Measured {
  cpuUs: number;
  deliveries: number;
  histogram: number[];
  busy: number;
}

let sequence = 0;

/**
 * Publishes at a fixed rate, even if earlier events have not gone out yet.
 * @returns the number of published events
 */
async function publishFor(ms: number, perSecond: number, publish: Subject['publish']): Promise<number> {
  const count = Math.round((ms / 1_000) * perSecond);
  const begun = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let index = 0; index < count; index += 1) {
    const wait = begun + (index * 1_000) / perSecond - performance.now();
    if (wait > 0) await sleep(wait);
    sequence += 1;
    sent.push(publish(envelopeOf(1, sequence, TOURNAMENT, EVENT_BYTES), sequence));
  }
  await Promise.all(sent);
  return count;
}

async function delivered(clients: Clients, count: number): Promise<void> {
  const deadline = performance.now() + DELIVERED_WITHIN_MS;
  for (;;) {
    const received = await clients.received();
    if (received === count) return;
    if (received > count) throw new Error(`${received} deliveries instead of ${count}`);
    if (performance.now() > deadline) throw new Error(`${received} of ${count} deliveries came`);
    await sleep(50);
  }
}

async function measure(
  { clients, publish, cpuUs }: Subject,
  { clients: count, eventsPerSecond }: Load,
  warmUpMs: number,
): Promise<Measured> {
  await clients.reset();
  await delivered(clients, count * (await publishFor(warmUpMs, eventsPerSecond, publish)));
  await clients.reset();
  const before = await cpuUs();
  const events = await publishFor(MEASURED_MS, eventsPerSecond, publish);
  await delivered(clients, count * events);
  const after = await cpuUs();
  const { received, histogram, busy } = await clients.results();
  return { cpuUs: after - before, deliveries: received, histogram, busy };
}

const added = (one: Measured, other: Measured): Measured => ({
  cpuUs: one.cpuUs + other.cpuUs,
  deliveries: one.deliveries + other.deliveries,
  histogram: sum(one.histogram, other.histogram),
  busy: Math.max(one.busy, other.busy),
});

const perDelivery = ({ cpuUs, deliveries }: Measured) => cpuUs / deliveries;
const p99 = ({ histogram }: Measured) => percentile(histogram, 0.99);

async function run(load: (typeof LOADS)[number], protocol: Protocol, subjects: readonly Subject[]): Promise<void> {
  for (const { clients, opening, joined } of subjects) {
    const { port, path, keys } = opening;
    await clients.open({ port, protocol, count: load.clients, paths: [path], keys });
    while (joined !== undefined && (await joined()) < load.clients) await sleep(20);
  }
  const results = new Map<string, Measured[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const subject of subjects) {
      const measured = await measure(subject, load, round === 0 ? FIRST_WARM_UP_MS : WARM_UP_MS);
      results.get(subject.name)!.push(measured);
    }
  }
  for (const { clients } of subjects) await clients.close();
  report(load, protocol, results);
}

function report({ name }: (typeof LOADS)[number], protocol: Protocol, results: ReadonlyMap<string, Measured[]>): void {
  const [ours, bound, nchan = [], ordered] = ['service', 'bound', 'nchan', 'ordered'].map((one) => results.get(one)!);
  for (const [what, figure, unit] of [
    ['cpu', perDelivery, 'µs'],
    ['p99', p99, 'ms'],
  ] as const) {
    const ratiosTo = (rounds: readonly Measured[], bounds: readonly Measured[]) =>
      rounds.map((one, round) => figure(one) / figure(bounds[round]!));
    const range = (ratios: readonly number[]) =>
      `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
    const ratios = ratiosTo(ours!, bound!);
    const shown = (rounds: readonly Measured[]) => `${figure(rounds.reduce(added)).toFixed(2)} ${unit}`;
    const others = nchan.length === 0 ? 'Nchan not measured' : `Nchan ${shown(nchan)}`;
    const note = `${range(ratios)}  ${others}`;
    const row = { path: `${protocol} ${name}, ${what}`, ours: shown(ours!), bound: `plain sockets ${shown(bound!)}` };
    const goal = GOALS[name][what];
    if (goal === null) line(row.path, row.ours, row.bound, `ratio ${median(ratios).toFixed(2)}`, note);
    else printRow({ ...row, ratio: median(ratios), goal }, note);
    if (goal === null || ordered === undefined) continue;
    // The floor beside the same bound, and ours beside the floor.
    const floors = ratiosTo(ordered, bound!);
    const floor = { ...row, path: `${row.path}, ordered log`, ours: shown(ordered), ratio: median(floors), goal };
    const beside = ratiosTo(ours!, ordered);
    printRow(floor, `${range(floors)}  ours ${median(beside).toFixed(2)} of it ${range(beside)}`);
  }
  line('', clientNote(Math.max(...ours!.map(({ busy }) => busy))));
}

async function subjectsOf(
  stage: Stage,
  service: Child<ServiceApi>,
  bound: Child<BoundApi>,
  ordered: OrderedSender | null,
  nchan: Nchan | null,
  protocol: Protocol,
  clients: readonly Clients[],
  count: number,
): Promise<Subject[]> {
  const subjects: Subject[] = [
    {
      name: 'service',
      clients: clients[0]!,
      opening: {
        port: await service.call('port'),
        path: protocol === 'sse' ? '/v1/stream' : '/v1/stream/ws',
        keys: await stage.keys(count),
      },
      joined: () => service.call('connections'),
      publish: (envelope) => stage.publish([{ match: 1, tournament: TOURNAMENT, envelope }]),
      cpuUs: async () => (await service.call('usage')).cpuUs,
    },
    {
      name: 'bound',
      clients: clients[1]!,
      opening: { port: await bound.call('port'), path: '/', keys: [] },
      publish: (envelope) => bound.call('publish', envelope),
      cpuUs: async () => (await bound.call('usage')).cpuUs,
    },
  ];
  if (nchan !== null) {
    subjects.push({
      name: 'nchan',
      clients: clients[2]!,
      opening: { port: nchan.port, path: nchan.paths[protocol], keys: [] },
      publish: (envelope) => nchan.publish(envelope),
      cpuUs: async () => nchan.cpuUs(),
    });
  }
  if (ordered !== null) {
    subjects.push({
      name: 'ordered',
      clients: clients[3]!,
      opening: { port: await ordered.call('port'), path: '/', keys: [] },
      publish: (envelope) => ordered.publish(envelope),
      cpuUs: async () => (await ordered.call('usage')).cpuUs,
    });
  }
  return subjects;
}

export async function fanout(name: (typeof LOADS)[number]['name']): Promise<void> {
  const load = LOADS.find((one) => one.name === name)!;
  const stage = await openStage();
  const nchan = process.env.NCHAN === '0' ? null : await startNchan();
  if (nchan === null && process.env.NCHAN !== '0')
    console.log('NCHAN IS MISSING (apt-get install nginx libnginx-mod-nchan): its figures are skipped');
  const bound = startChild<BoundApi>('stream/bound.ts', SERVER_CORE);
  const { pool, config } = stage.stores;
  const ordered = load.hasFloor ? await startOrderedSender(pool, config.databaseUrl) : null;
  const clients = [0, 1, 2, 3].map(() => startClients());
  try {
    for (const protocol of ['sse', 'ws'] as const) {
      // Each protocol gets a new process. In a shared process, V8 would look up methods for two kinds of sockets, which costs 1 µs.
      const service = await stage.startStream();
      await run(
        load,
        protocol,
        await subjectsOf(stage, service, bound, ordered, nchan, protocol, clients, load.clients),
      );
      await service.kill();
    }
  } finally {
    for (const child of [...clients, bound]) await child.kill();
    await ordered?.kill();
    await nchan?.stop();
    await stage.close();
  }
}
