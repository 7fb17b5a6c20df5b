/**
 * Measures what happens when all clients reconnect at once, each 500 events behind: how long it takes until all have the missed events, and
 * how much memory it needs.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../child.ts';
import { clientNote, line, verdict } from '../report.ts';
import { type Protocol, startClients } from './clients.ts';
import type { ServiceApi } from './service.ts';
import { openStage, type Stage } from './stage.ts';

const CONNECTIONS = 10_000;
const MISSED = 500;
const EVENT_BYTES = 850;
const BATCH = 100;
const SETTLE_MS = 2_000;
const PATIENCE_MS = 120_000;
/** Goals from the project's issue. */
const GOAL_S = 30;
const GOAL_MB = 100;

const PATHS: Record<Protocol, (cursor: number) => string> = {
  sse: (cursor) => `/v1/stream?last_event_id=${cursor}`,
  ws: (cursor) => `/v1/stream/ws?cursor=${cursor}`,
};

const rssOf = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

async function publish(stage: Stage, service: Child<ServiceApi>, count: number): Promise<void> {
  const head = await service.call('head');
  for (let first = 1; first <= count; first += BATCH) {
    await stage.publishSome(head + first - 1, BATCH, EVENT_BYTES);
  }
  while ((await service.call('head')) < head + count) await sleep(20);
}

async function everybodyGone(service: Child<ServiceApi>): Promise<void> {
  while ((await service.call('connections')) > 0) await sleep(100);
  await sleep(SETTLE_MS);
}

async function run(stage: Stage, protocol: Protocol): Promise<void> {
  const service = await stage.startStream();
  const port = await service.call('port');
  const keys = await stage.keys(CONNECTIONS);
  const opening = { port, protocol, count: CONNECTIONS, keys };
  await publish(stage, service, MISSED);

  const before = startClients();
  await before.open({ ...opening, paths: [PATHS[protocol](await service.call('head'))] });
  await sleep(SETTLE_MS);
  await service.call('memory');
  const idleMb = rssOf(service.pid);
  await before.kill();
  await everybodyGone(service);

  const position = await service.call('head');
  await publish(stage, service, MISSED);
  const clients = startClients();
  await clients.reset();
  let peakMb = 0;
  const looks = setInterval(() => {
    peakMb = Math.max(peakMb, rssOf(service.pid));
  }, 50);
  const used = await service.call('usage');
  const begun = performance.now();
  const wanted = CONNECTIONS * MISSED;
  let openedMs: number;
  try {
    openedMs = await clients.open({ ...opening, paths: [PATHS[protocol](position)] });
    while ((await clients.received()) < wanted && performance.now() < begun + PATIENCE_MS) await sleep(20);
  } finally {
    clearInterval(looks);
  }
  const seconds = (performance.now() - begun) / 1_000;
  const { received, ended, bytes, busy } = await clients.results();
  if (received !== wanted || ended > 0) throw new Error(`${received} of ${wanted} events, ${ended} connections ended`);
  const cpu = (await service.call('usage')).cpuUs - used.cpuUs;
  const more = peakMb - idleMb;
  line(
    `reconnect ${protocol}`,
    `${seconds.toFixed(1)} s (all connected after ${(openedMs / 1_000).toFixed(1)} s)`,
    `goal ${GOAL_S} s ${verdict(seconds <= GOAL_S)}`,
    `+${more.toFixed(0)} MB at most, over ${idleMb.toFixed(0)} MB with all of them idle`,
    `goal +${GOAL_MB} MB ${verdict(more <= GOAL_MB)}`,
  );
  line('', `${(bytes / 1e9).toFixed(1)} GB, server ${(cpu / 1e6).toFixed(1)} s of CPU`, clientNote(busy));
  await clients.kill();
  await service.kill();
}

export async function reconnect(): Promise<void> {
  const stage = await openStage();
  try {
    for (const protocol of ['ws', 'sse'] as const) await run(stage, protocol);
  } finally {
    await stage.close();
  }
}
