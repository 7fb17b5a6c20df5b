import assert from 'node:assert/strict';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { LogRecord } from '../../src/events/event-log.ts';
import { type EventFilter, passes } from '../../src/events/filter.ts';
import type { LiveConnection } from '../../src/stream/connection-owner.ts';
import { type Hub, startHub } from '../../src/stream/hub.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { record } from '../support/events.ts';
import { memoryLog } from '../support/memory-log.ts';
import { Reader } from '../support/reader.ts';
import { cursorsOf, lastId, parseSse } from '../support/sse.ts';

const FILTERS: EventFilter[] = [
  { sports: [], leagues: [], types: [] },
  { sports: ['tennis'], leagues: [], types: [] },
  { sports: [], leagues: [1, 3], types: [] },
];
const SPORTS = ['football', 'tennis'];
const DELAYS = [0, 1, 5, 60];
/** Small, so that delayed readers have to read the log. */
const RING_EVENTS = 30;
const links = { sync: '', replay: () => '' };
const quiet = { error: () => {}, warn: () => {}, info: () => {} };

type Action =
  | { kind: 'append'; count: number; skew: number }
  | { kind: 'join'; back: number | null; filter: number; delay: number }
  | { kind: 'delay'; reader: number; delay: number }
  | { kind: 'clock'; seconds: number }
  | { kind: 'stop' | 'go' | 'leave'; reader: number }
  | { kind: 'turns'; count: number };

const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('append' as const),
        count: fc.integer({ min: 1, max: 9 }),
        skew: fc.constantFrom(0, 0, 0, -700, 900),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('join' as const),
        back: fc.constantFrom(null, null, 0, 3, 30, -5),
        filter: fc.nat(2),
        delay: fc.nat(3),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('delay' as const), reader: fc.nat(9), delay: fc.nat(3) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('clock' as const), seconds: fc.constantFrom(0.5, 1, 4, 30, 59, -10) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('stop' as const, 'go' as const, 'leave' as const),
        reader: fc.nat(9),
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  ),
  { minLength: 5, maxLength: 50 },
);

interface Client {
  reader: Reader;
  filter: EventFilter;
  presented: number | null;
  delay: number;
  /** Last position that the client could see before its delay changed. */
  seen: number;
  live: LiveConnection | null;
  left: boolean;
}

class World {
  readonly log = memoryLog();
  readonly all: LogRecord[] = [];
  readonly clients: Client[] = [];
  readonly early: string[] = [];
  now = 1_000_000;

  append(count: number, skew: number): void {
    const cursor = this.all.at(-1)?.cursor ?? 0;
    const more = Array.from({ length: count }, (_, index) => {
      const next = cursor + 1 + index;
      return record(next, { sport: SPORTS[next % 2]!, tournamentId: 1 + (next % 4), appendedAt: this.now + skew });
    });
    this.all.push(...more);
    this.log.append(...more);
  }

  /** Notes every position that a client is shown although an event up to it is not due. */
  private check({ delay, presented, seen }: Client, chunk: Buffer): void {
    const known = Math.max(presented ?? 0, seen);
    const frames = parseSse(chunk.toString());
    const shown = Math.max(0, ...cursorsOf(frames), lastId(frames) ?? 0);
    for (const [, to] of chunk.toString().matchAll(/"to":(\d+)/g)) this.checkPosition(Number(to), delay, known);
    this.checkPosition(shown, delay, known);
    if (delay === 0) return;
    for (const cursor of cursorsOf(frames)) {
      const { appendedAt } = this.all.find((one) => one.cursor === cursor)!;
      if (appendedAt + delay * 1_000 > this.now) this.early.push(`${cursor} with delay ${delay}`);
    }
  }

  private checkPosition(cursor: number, delay: number, known: number): void {
    if (delay === 0 || cursor <= known) return;
    const last = this.all.find((one) => one.cursor === cursor)?.appendedAt ?? 0;
    if (last + delay * 1_000 > this.now) this.early.push(`position ${cursor} with delay ${delay}`);
  }

  async join(hub: Hub, { back, filter, delay }: Extract<Action, { kind: 'join' }>): Promise<void> {
    const end = this.all.at(-1)?.cursor ?? 0;
    const reader = new Reader();
    const client: Client = {
      reader,
      filter: FILTERS[filter]!,
      presented: back === null ? null : Math.min(end, Math.max(0, end - back)),
      delay: DELAYS[delay]!,
      seen: 0,
      live: null,
      left: false,
    };
    reader.onWrite = (chunk) => this.check(client, chunk);
    this.clients.push(client);
    const { presented: cursor } = client;
    const owner = {
      opened(live: LiveConnection) {
        client.live = live;
      },
      left() {},
    };
    await hub.connect({
      socket: reader,
      encoder: sseEncoder,
      filter: client.filter,
      cursor,
      links,
      delay: client.delay,
      owner,
    });
  }

  async setDelay(client: Client, delay: number): Promise<void> {
    const { live } = client;
    if (live === null || live.delay === delay) return;
    await live.subscribeWithDelay(client.filter, delay);
    client.seen = live.cursor();
    client.delay = live.delay;
  }
}

/** Asserts that a client has received each wanted event between its first and last position exactly once, in order. */
function assertOwed({ reader, filter, presented, left }: Client, all: readonly LogRecord[]): void {
  if (reader.text === '') return;
  const frames = reader.frames();
  const begin = Number(/cursor=(\d+)/.exec(frames[0]!.comments[0]!)![1]);
  if (presented !== null) assert.equal(begin, presented);
  const got = reader.cursors();
  const ended = frames.at(-1)!.comments.some((text) => text.startsWith('server-cycle'));
  const end = left ? (got.at(-1) ?? begin) : ended ? lastId(frames)! : Number.POSITIVE_INFINITY;
  const owed = all.filter((one) => one.cursor > begin && one.cursor <= end && passes(filter, one));
  assert.deepEqual(
    got,
    owed.map(({ cursor }) => cursor),
    `from ${begin} to ${end}`,
  );
}

describe('delayed streams, however events, clients and the clock move,', () => {
  it('show nothing early, and send each wanted event once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(actions, fc.nat(40), async (list, missed) => {
        const world = new World();
        world.append(missed, 0);
        const hub = await startHub({
          log: world.log,
          clock: { now: () => world.now },
          logger: quiet,
          ringEvents: RING_EVENTS,
          flushEveryMs: 0,
          lookEveryMs: 1,
        });
        const joining: Promise<void>[] = [];
        for (const action of list) {
          const client = 'reader' in action ? world.clients[action.reader] : undefined;
          if (action.kind === 'append') world.append(action.count, action.skew);
          else if (action.kind === 'join') joining.push(world.join(hub, action));
          else if (action.kind === 'delay' && client !== undefined)
            joining.push(world.setDelay(client, DELAYS[action.delay]!));
          else if (action.kind === 'clock') {
            world.now += action.seconds * 1_000;
            await sleep(2);
          } else if (action.kind === 'turns') for (let i = 0; i < action.count; i += 1) await turn();
          else if (action.kind === 'leave' && client !== undefined) {
            client.left = true;
            client.reader.destroy();
          } else if (action.kind === 'stop') client?.reader.stop();
          else if (action.kind === 'go') client?.reader.go();
        }
        for (const { reader } of world.clients) reader.go();
        await Promise.all(joining);
        const end = world.all.length;
        // Whatever is owed arrives once everything is due.
        world.now += 100_000;
        for (let tries = 0; tries < 500; tries += 1) {
          const done = await Promise.all(DELAYS.slice(1).map((delay) => hub.lastDue(delay)));
          if (hub.head() === end && done.every((cursor) => cursor === end)) break;
          await sleep(1);
        }
        await sleep(5);
        assert.deepEqual(world.early, []);
        for (const client of world.clients) assertOwed(client, world.all);
        await hub.close();
      }),
      { numRuns: 150 },
    );
  }).timeout(60_000);
});
