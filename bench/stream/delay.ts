/**
 * Measures delayed streams: the server's CPU time per delivery beside that of streams without a delay, and how late events are. Both
 * kinds take turns in one process, with the same clients and events.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../child.ts';
import { clientNote, line, median, printRow } from '../report.ts';
import { type Clients, type Protocol, startClients } from './clients.ts';
import { envelopeOf } from './event.ts';
import { BIN_US, percentile, sum } from './histogram.ts';
import type { ServiceApi } from './service.ts';
import { openStage, type Stage, TOURNAMENT } from './stage.ts';

const CLIENTS = 2_000;
const EVENT_BYTES = 850;
const PER_SECOND = 25;
const DELAY_S = 2;
const FIRST_WARM_UP_EVENTS = 150;
const WARM_UP_EVENTS = 25;
const EVENTS = 100;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const PATIENCE_MS = 30_000;
/** Goals from the project's issue. */
const GOAL_CPU = 1.1;
const GOAL_LATE_MS = 250;

interface Measured {
  /** CPU time in µs per delivery. */
  cpu: number;
  histogram: number[];
  busy: number;
}

let sequence = 0;

async function publish(stage: Stage, count: number): Promise<void> {
  const begun = performance.now();
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, begun + (index * 1_000) / PER_SECOND - performance.now()));
    sequence += 1;
    const envelope = envelopeOf(1, sequence, TOURNAMENT, EVENT_BYTES);
    await stage.publish([{ match: 1, tournament: TOURNAMENT, envelope }]);
  }
}

async function delivered(clients: Clients, count: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let received = 0; received < count; received = await clients.received()) {
    if (performance.now() > deadline) throw new Error(`${received} of ${count} deliveries`);
    await sleep(50);
  }
}

async function measure(
  stage: Stage,
  service: Child<ServiceApi>,
  protocol: Protocol,
  { delay, warmUp }: { delay: number; warmUp: number },
): Promise<Measured> {
  const clients = startClients();
  try {
    const path = `${protocol === 'sse' ? '/v1/stream' : '/v1/stream/ws'}?delay=${delay}`;
    const keys = await stage.keys(CLIENTS);
    await clients.open({ port: await service.call('port'), protocol, count: CLIENTS, paths: [path], keys });
    while ((await service.call('connections')) < CLIENTS) await sleep(20);
    await clients.reset();
    await publish(stage, warmUp);
    await delivered(clients, warmUp * CLIENTS);
    await clients.reset();
    const before = await service.call('usage');
    await publish(stage, EVENTS);
    await delivered(clients, EVENTS * CLIENTS);
    // Both kinds are measured for the same time.
    await sleep((DELAY_S - delay) * 1_000);
    const after = await service.call('usage');
    const { received, histogram, busy } = await clients.results();
    if (received !== EVENTS * CLIENTS) throw new Error(`${received} deliveries instead of ${EVENTS * CLIENTS}`);
    return { cpu: (after.cpuUs - before.cpuUs) / received, histogram, busy };
  } finally {
    await clients.kill();
    while ((await service.call('connections')) > 0) await sleep(100);
  }
}

/** Returns the times after the delay. @throws {Error} if a delivery was early */
function lateness({ histogram }: Measured): number[] {
  const bins = (DELAY_S * 1_000_000) / BIN_US;
  const early = histogram.slice(0, bins).reduce((count, one) => count + one, 0);
  if (early > 0) throw new Error(`${early} deliveries were early`);
  return histogram.slice(bins);
}

async function run(stage: Stage, protocol: Protocol): Promise<void> {
  const service = await stage.startStream();
  const rounds: { none: Measured; delayed: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const warmUp = round === 0 ? FIRST_WARM_UP_EVENTS : WARM_UP_EVENTS;
    const none = await measure(stage, service, protocol, { delay: 0, warmUp });
    rounds.push({ none, delayed: await measure(stage, service, protocol, { delay: DELAY_S, warmUp }) });
  }
  await service.kill();
  const ratios = rounds.map(({ none, delayed }) => delayed.cpu / none.cpu);
  const cpu = (kind: 'none' | 'delayed') => median(rounds.map((one) => one[kind].cpu));
  printRow(
    {
      path: `${protocol} delayed, cpu`,
      ours: `${cpu('delayed').toFixed(2)} µs`,
      bound: `without a delay ${cpu('none').toFixed(2)} µs`,
      // One run may be disturbed, so the medians are compared.
      ratio: cpu('delayed') / cpu('none'),
      goal: GOAL_CPU,
    },
    `(rounds: ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
  );
  const late = rounds.map(({ delayed }) => lateness(delayed)).reduce(sum);
  const p99 = percentile(late, 0.99);
  const none = rounds.map((one) => one.none.histogram).reduce(sum);
  const shown = (times: readonly number[]) =>
    `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
  printRow(
    {
      path: `${protocol} delayed, p99 of lateness`,
      ours: `${p99.toFixed(1)} ms`,
      bound: `${GOAL_LATE_MS} ms`,
      ratio: p99 / GOAL_LATE_MS,
      goal: 1,
    },
    `${shown(late)}; without a delay ${shown(none)}`,
  );
  line('', clientNote(Math.max(...rounds.map(({ delayed }) => delayed.busy))));
}

export async function delay(): Promise<void> {
  const stage = await openStage();
  try {
    // Each protocol gets a process of its own, as in the fan-out.
    for (const protocol of ['sse', 'ws'] as const) await run(stage, protocol);
  } finally {
    await stage.close();
  }
}
