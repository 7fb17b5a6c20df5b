/** What delayed streams guarantee on every adapter of the event log, in real time and with reconnecting clients. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVERYTHING, type EventFilter } from '../../src/events/filter.ts';
import { relayLease } from '../../src/events/relay-lease.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type Hub, startHub } from '../../src/stream/hub.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { eventWriter } from '../support/events.ts';
import { Reader } from '../support/reader.ts';
import { cursorsOf, lastId, parseSse } from '../support/sse.ts';
import { until } from '../support/until.ts';
import type { LogBench } from './event-log.ts';

const EVENTS = 10_000;
const BATCH = 25;
/** Smaller than the number of events in a second, so that delayed clients have to read the log. */
const RING_EVENTS = 2_000;
const RECONNECT_EVERY_MS = 700;
const GOALS: EventFilter = { sports: [], leagues: [], types: ['match.goal'] };
const links = { sync: '', replay: () => '' };
const logger = { error() {}, warn() {}, info() {} };

/** A client that reconnects again and again with the position that it was last shown. */
class Follower {
  readonly got: { cursor: number; at: number }[] = [];
  readonly delay: number;
  readonly filter: EventFilter;
  readonly #hub: Hub;
  #position: number | null = null;
  #reader: Reader | null = null;

  constructor(hub: Hub, delay: number, filter: EventFilter) {
    this.#hub = hub;
    this.delay = delay;
    this.filter = filter;
  }

  async reconnect(): Promise<void> {
    this.#reader?.destroy();
    const reader = new Reader();
    this.#reader = reader;
    reader.onWrite = (chunk) => {
      if (this.#reader !== reader) return;
      const frames = parseSse(chunk.toString());
      const at = Date.now();
      for (const cursor of cursorsOf(frames)) this.got.push({ cursor, at });
      this.#position = lastId(frames) ?? this.#position;
    };
    const cursor = this.#position;
    const { delay } = this;
    await this.#hub.connect({ socket: reader, encoder: sseEncoder, filter: this.filter, cursor, links, delay });
  }
}

export function delayedStreamsContract(name: string, open: () => Promise<LogBench>): void {
  it(`delayed streams on ${name} get none of 10,000 events early, each once and in order`, async () => {
    const { pool, log, close } = await open();
    const events = eventWriter();
    const lease = (await relayLease.take(pool, 'test'))!;
    const hub = await startHub({ log, clock: systemClock, logger, ringEvents: RING_EVENTS });
    const followers = [
      new Follower(hub, 0, EVERYTHING),
      new Follower(hub, 1, EVERYTHING),
      new Follower(hub, 3, EVERYTHING),
      new Follower(hub, 3, GOALS),
    ];
    await Promise.all(followers.map((one) => one.reconnect()));
    let written = false;
    const write = async () => {
      for (let count = 0; count < EVENTS; count += BATCH) {
        const type = (index: number) => (index % 3 === 0 ? 'match.goal' : 'match.card');
        await events.write(
          pool,
          Array.from({ length: BATCH }, (_, index) => ({ match: 1 + (index % 7), type: type(index) })),
        );
        if (count % 100 === 0) await sleep(10);
      }
      written = true;
    };
    const move = async () => {
      for (let more = true; more; ) {
        const all = written;
        const moved = await log.move(lease);
        more = moved > 0 || !all;
        if (moved === 0) await sleep(1);
      }
    };
    const reconnecting = setInterval(() => void followers[2]!.reconnect(), RECONNECT_EVERY_MS);
    await Promise.all([write(), move()]);
    const stored = await log.read(0, { records: 100_000, bytes: 1e9 });
    const appended = new Map(stored.map((record) => [record.cursor, record.appendedAt]));
    assert.equal(stored.length, EVENTS);
    const owedTo = ({ filter }: Follower) => stored.filter(({ type }) => filter !== GOALS || type === 'match.goal');
    for (const follower of followers) {
      const last = owedTo(follower).at(-1)!.cursor;
      await until('all that are due have arrived', () => follower.got.at(-1)?.cursor === last, 20_000);
    }
    // A client that reconnects once more gets nothing twice.
    await sleep(2 * RECONNECT_EVERY_MS);
    clearInterval(reconnecting);
    for (const follower of followers) {
      const { got, delay } = follower;
      const owed = owedTo(follower);
      assert.deepEqual(
        got.map(({ cursor }) => cursor),
        owed.map(({ cursor }) => cursor),
      );
      const earliest = Math.min(...got.map(({ cursor, at }) => at - appended.get(cursor)! - delay * 1_000));
      assert.ok(delay === 0 || earliest >= 0, `${earliest} ms with a delay of ${delay} s`);
    }
    await hub.close();
    await close();
  }).timeout(60_000);
}
