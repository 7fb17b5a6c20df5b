/** Measures how much memory the service needs for readers that have stalled while megabytes are waiting for each. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../child.ts';
import { line, verdict } from '../report.ts';
import { type Protocol, startClients } from './clients.ts';
import type { ServiceApi } from './service.ts';
import { openStage, type Stage } from './stage.ts';

const READERS = 200;
const EVENT_BYTES = 16_000;
/** Number of events that fills the ring (64 MiB), so that it does not grow while the readers stall. */
const FILLING_EVENTS = 4_200;
/** Number of events after which 4 MB are waiting for each reader, in addition to the data in the sockets' buffers. */
const PENDING_EVENTS = 500;
const PENDING_GOAL_MB = 4;
const BATCH = 25;
/** The goal from the project's issue. */
const GOAL_MB = 20;
const PATHS: Record<Protocol, string> = { sse: '/v1/stream', ws: '/v1/stream/ws' };

/** Returns how many bytes wait in the kernel on a port's connections. */
function inKernel(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  let bytes = 0;
  for (const row of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local, remote, , queues] = row.trim().split(/\s+/);
    if (!local?.endsWith(`:${hex}`) && !remote?.endsWith(`:${hex}`)) continue;
    for (const queue of queues!.split(':')) bytes += Number.parseInt(queue, 16);
  }
  return bytes;
}

async function publish(stage: Stage, service: Child<ServiceApi>, count: number): Promise<void> {
  const head = await service.call('head');
  for (let sent = 0; sent < count; sent += BATCH) {
    await stage.publishSome(head + sent, BATCH, EVENT_BYTES);
    while ((await service.call('head')) < head + sent + BATCH) await sleep(5);
  }
}

async function run(stage: Stage, protocol: Protocol): Promise<void> {
  const service = await stage.startStream();
  const port = await service.call('port');
  const opening = { port, protocol, paths: [PATHS[protocol]] };
  const keys = await stage.keys(READERS + 1);
  const clients = startClients();
  await clients.open({ ...opening, count: 1, keys: keys.slice(-1) });
  await publish(stage, service, FILLING_EVENTS);
  await clients.open({ ...opening, count: READERS, keys: keys.slice(0, -1), stalled: true });
  const before = await service.call('memory');
  await clients.reset();
  await publish(stage, service, PENDING_EVENTS);
  const after = await service.call('memory');
  const received = await clients.received();
  const waiting = (READERS * PENDING_EVENTS * EVENT_BYTES - inKernel(port)) / READERS / 1e6;
  const connected = await service.call('connections');
  if (received !== PENDING_EVENTS) throw new Error(`who reads has got ${received} of ${PENDING_EVENTS} events`);
  if (connected !== READERS + 1) throw new Error(`${connected} of ${READERS + 1} are connected`);
  const more = (after.rss - before.rss) / 1e6;
  line(
    `stalled ${protocol}`,
    `+${more.toFixed(1)} MB for ${READERS} readers (heap ${((after.heap - before.heap) / 1e6).toFixed(1)} MB)`,
    `goal +${GOAL_MB} MB ${verdict(more <= GOAL_MB)}`,
    `${waiting.toFixed(1)} MB waiting for each outside the kernel (${verdict(waiting >= PENDING_GOAL_MB)})`,
  );
  await clients.kill();
  await service.kill();
}

export async function stalled(): Promise<void> {
  const stage = await openStage();
  try {
    for (const protocol of ['ws', 'sse'] as const) await run(stage, protocol);
  } finally {
    await stage.close();
  }
}
