/** Prometheus metrics for the streams in this process. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { lastingStoreGauge } from '../runtime/store-gauge.ts';
import type { EndReason } from './end-reason.ts';

/** `page` stands for streams to this service's pages. */
export type Protocol = 'sse' | 'websocket' | 'page';
export const PROTOCOLS: readonly Protocol[] = ['sse', 'websocket', 'page'];

interface Watched {
  connections(protocol: Protocol): number;
  /** Number of cursors between this process's position and the log's end. */
  lag(): Promise<number>;
}

interface WatchedSlots {
  /** True if connection slots are counted by this process alone. */
  countsAlone(): boolean;
}

export interface StreamMetrics {
  /** Sets the hub that the hub gauges report on. */
  watch(hub: Watched): void;
  /** Sets the connection slots that the slot gauge reports on. */
  watchSlots(slots: WatchedSlots): void;
  delivered(protocol: Protocol, events: number): void;
  /** @param ageSeconds how old the event was when every stream in this process that wants it had got it */
  written(ageSeconds: number): void;
  /** @param cause why the stream ended; `gone` means that the client disconnected */
  ended(protocol: Protocol, cause: EndReason | 'gone'): void;
  /** @param events number of events examined for one resume or one replay page */
  examined(channel: 'resume' | 'replay', events: number): void;
  /** @param code the problem's code */
  refused(code: string): void;
}

/** Includes all bounds that docs/monitoring.md allows for the objective. */
export const AGE_BUCKETS_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];
const EXAMINED_BUCKETS = [0, 1, 10, 100, 500, 1_000, 5_000, 20_000];

export function createStreamMetrics(registry = new Registry()): StreamMetrics {
  const registers = [registry];
  let hub: Watched | null = null;
  let slots: WatchedSlots | null = null;
  new Gauge({
    name: 'touchline_stream_connections',
    help: 'Open streams.',
    labelNames: ['protocol'],
    registers,
    collect() {
      for (const protocol of PROTOCOLS) this.set({ protocol }, hub?.connections(protocol) ?? 0);
    },
  });
  lastingStoreGauge({
    registry,
    name: 'touchline_stream_ring_lag_events',
    help: "Cursors between the end of the event log and this process's position; the last known value while the log does not answer.",
    read: async () => (await hub?.lag()) ?? 0,
    up: { name: 'touchline_stream_log_up', help: '1 if the event log answered at the last scrape, otherwise 0.' },
  });
  new Gauge({
    name: 'touchline_stream_slots_local',
    help: '1 while Postgres is unavailable or slow, so that this process counts only local connection slots; 0 while slots are counted over all processes.',
    registers,
    collect() {
      this.set(slots?.countsAlone() ? 1 : 0);
    },
  });
  const deliveries = new Counter({
    name: 'touchline_stream_deliveries_total',
    help: 'Events written to streams.',
    labelNames: ['protocol'],
    registers,
  });
  const ended = new Counter({
    name: 'touchline_stream_ended_total',
    help: 'Streams that have ended: gone (the client disconnected), cycle (60 minutes), drain, balance (this process had more streams than the rest), slow readers (stalled, behind), log (it could not be read, or dropped events too early), or the connection slot was lost (revoked, plan, replaced, full).',
    labelNames: ['protocol', 'cause'],
    registers,
  });
  const examined = new Histogram({
    name: 'touchline_stream_examined_events',
    help: 'Events examined for one stream resume, or one replay page.',
    labelNames: ['channel'],
    buckets: EXAMINED_BUCKETS,
    registers,
  });
  const age = new Histogram({
    name: 'touchline_stream_event_age_seconds',
    help: "Time from the start of an event's transaction in Postgres until this process had written it to all local streams that want it, if there are any.",
    buckets: AGE_BUCKETS_SECONDS,
    registers,
  });
  const refused = new Counter({
    name: 'touchline_stream_refused_total',
    help: 'Refused streams, by problem code.',
    labelNames: ['code'],
    registers,
  });
  // Looked up once, because looking up a counter by labels costs more than counting.
  const delivered = {
    sse: deliveries.labels('sse'),
    websocket: deliveries.labels('websocket'),
    page: deliveries.labels('page'),
  };
  return {
    watch(one) {
      hub = one;
    },
    watchSlots(one) {
      slots = one;
    },
    delivered: (protocol, events) => delivered[protocol].inc(events),
    written: (ageSeconds) => age.observe(ageSeconds),
    ended: (protocol, cause) => ended.inc({ protocol, cause }),
    examined: (channel, events) => examined.observe({ channel }, events),
    refused: (code) => refused.inc({ code }),
  };
}
