/**
 * Measures what it costs if every connection has its own filter. Both runs have the same number of connections and deliveries. In the first,
 * each connection has its own filter. In the second, all connections with the same deliveries share a filter.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../child.ts';
import { clientNote, line, verdict } from '../report.ts';
import { type Clients, startClients } from './clients.ts';
import { envelopeOf } from './event.ts';
import type { ServiceApi } from './service.ts';
import { openStage, type Stage } from './stage.ts';

const CONNECTIONS = 10_000;
/** Each event belongs to one of these leagues and goes to all connections with that league. */
const LEAGUES = 50;
const EVENT_BYTES = 850;
const PER_SECOND = 50;
const WARM_UP_EVENTS = 100;
const EVENTS = 300;
const ROUNDS = 2;
const PATIENCE_MS = 20_000;
/** The goal from the project's issue. */
const GOAL_MORE = 0.2;

const commonLeague = (n: number) => 1 + (n % LEAGUES);
const paths = {
  /** Paths that name a league in addition to the common one. No two connections name the same additional league. */
  different: Array.from({ length: CONNECTIONS }, (_, n) => `/v1/stream/ws?league=${commonLeague(n)},${1_000 + n}`),
  same: Array.from({ length: LEAGUES }, (_, n) => `/v1/stream/ws?league=${commonLeague(n)}`),
};

async function publish(stage: Stage, count: number): Promise<void> {
  const begun = performance.now();
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, begun + (index * 1_000) / PER_SECOND - performance.now()));
    const tournament = commonLeague(index);
    await stage.publish([
      { match: tournament, tournament, envelope: envelopeOf(tournament, index + 1, tournament, EVENT_BYTES) },
    ]);
  }
}

async function delivered(clients: Clients, count: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let received = 0; received < count; received = await clients.received()) {
    if (performance.now() > deadline) throw new Error(`${received} of ${count} deliveries`);
    await sleep(20);
  }
}

interface Measured {
  cpuUs: number;
  busy: number;
}

async function measure(stage: Stage, service: Child<ServiceApi>, kind: keyof typeof paths): Promise<Measured> {
  const clients = startClients();
  try {
    const keys = await stage.keys(CONNECTIONS);
    const port = await service.call('port');
    await clients.open({ port, protocol: 'ws', count: CONNECTIONS, paths: paths[kind], keys });
    // The response's head arrives a moment before a stream without a cursor begins, so this loop waits until all streams have begun.
    while ((await service.call('connections')) < CONNECTIONS) await sleep(20);
    const each = CONNECTIONS / LEAGUES;
    await clients.reset();
    await publish(stage, WARM_UP_EVENTS);
    await delivered(clients, WARM_UP_EVENTS * each);
    await clients.reset();
    const before = await service.call('usage');
    await publish(stage, EVENTS);
    await delivered(clients, EVENTS * each);
    const after = await service.call('usage');
    const { received, busy } = await clients.results();
    if (received !== EVENTS * each) throw new Error(`${received} deliveries instead of ${EVENTS * each}`);
    return { cpuUs: after.cpuUs - before.cpuUs, busy };
  } finally {
    await clients.kill();
    while ((await service.call('connections')) > 0) await sleep(100);
  }
}

export async function filters(): Promise<void> {
  const stage = await openStage();
  try {
    const service = await stage.startStream();
    const sums = { different: 0, same: 0 };
    let last: Measured | null = null;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of ['same', 'different'] as const) {
        last = await measure(stage, service, kind);
        sums[kind] += last.cpuUs;
      }
    }
    const each = (kind: keyof typeof sums) => sums[kind] / ROUNDS / EVENTS / 1_000;
    const more = sums.different / sums.same - 1;
    line(
      'filters',
      `${CONNECTIONS} different filters ${each('different').toFixed(2)} ms of CPU an event, ${CONNECTIONS / LEAGUES} deliveries each`,
      `${LEAGUES} groups ${each('same').toFixed(2)} ms`,
      `${(more * 100).toFixed(0)} % more`,
      `goal ${GOAL_MORE * 100} % ${verdict(more <= GOAL_MORE)}`,
    );
    line('', clientNote(last!.busy));
  } finally {
    await stage.close();
  }
}
