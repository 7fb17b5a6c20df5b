import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { EventLog, LogRecord } from '../../src/events/event-log.ts';
import { type EventFilter, passes } from '../../src/events/filter.ts';
import type { LiveConnection } from '../../src/stream/connection-owner.ts';
import { type Hub, startHub } from '../../src/stream/hub.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { record } from '../support/events.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { type MemoryLog, memoryLog } from '../support/memory-log.ts';
import { Reader } from '../support/reader.ts';
import { lastId, type SseFrame } from '../support/sse.ts';

const FILTERS: EventFilter[] = [
  { sports: [], leagues: [], types: [] },
  { sports: ['tennis'], leagues: [], types: [] },
  { sports: [], leagues: [1, 3], types: [] },
];
const SPORTS = ['football', 'tennis'];
/** Small, so that a missed event is often no longer in the ring. */
const RING_EVENTS = 8;
/** The most events that a client gets after it has reconnected (spec: 500). */
const REPLAYED_EVENTS = 500;
/** Large enough for a page of missed events to end after two events, and for two unread events to stall a client. */
const LARGE_BYTES = 35_000;
const links = { sync: '', replay: () => '' };
const quiet = { error: () => {}, warn: () => {}, info: () => {} };

type Action =
  | { kind: 'append'; count: number; large: boolean }
  /** Drops old events from the log, up to the one `left` before the newest. */
  | { kind: 'drop'; left: number }
  | { kind: 'join'; back: number; filter: number }
  /** `resume` makes a client reconnect that has left, or was asked to reconnect. */
  | { kind: 'resume' | 'subscribe'; client: number; filter: number }
  | { kind: 'leave'; client: number }
  | { kind: 'stop' | 'go'; client: number }
  | { kind: 'turn' };

const client = fc.nat(3);
const filter = fc.nat(FILTERS.length - 1);
const kinds = <K extends Action['kind']>(...all: K[]) => fc.constantFrom(...all);
const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ kind: kinds('append'), count: fc.integer({ min: 1, max: 6 }), large: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ kind: kinds('drop'), left: fc.nat(12) }) },
    { weight: 5, arbitrary: fc.record({ kind: kinds('join'), back: fc.nat(40), filter }) },
    { weight: 8, arbitrary: fc.record({ kind: kinds('resume', 'subscribe', 'subscribe'), client, filter }) },
    { weight: 8, arbitrary: fc.record({ kind: kinds('stop', 'stop', 'go'), client }) },
    { weight: 2, arbitrary: fc.record({ kind: kinds('leave'), client }) },
    { weight: 6, arbitrary: fc.record({ kind: kinds('turn') }) },
  ),
  { minLength: 5, maxLength: 30 },
);

/** One connection of a client. */
class Session {
  readonly reader = new Reader();
  readonly presented: number;
  readonly filters: EventFilter[];
  connection: LiveConnection | null = null;

  constructor(presented: number, filter: EventFilter) {
    this.presented = presented;
    this.filters = [filter];
  }

  opened(connection: LiveConnection): void {
    this.connection = connection;
  }

  left(): void {
    this.connection = null;
  }

  /** Changes the filter, and writes the position at which it changes into the stream, as the WebSocket protocol does. */
  subscribe(filter: EventFilter): void {
    if (this.connection === null) return;
    this.connection.subscribe(filter);
    this.connection.send(Buffer.from(`: subscribed\nid: ${this.connection.cursor()}\n\n`));
    this.filters.push(filter);
  }

  /** Asserts that the client got each event that it wanted once and in order, or a gap frame for exactly the missing ones. */
  check(all: readonly LogRecord[], dropped: number): void {
    const frames = this.reader.frames();
    if (frames.length === 0) return;
    assert.equal(Number(frames[0]!.id), this.presented);
    let position = this.presented;
    let replayed = 0;
    let filterIndex = 0;
    /** Asserts that no wanted event lies between the position and `cursor`, and goes there. */
    const goTo = (cursor: number, what: string) => {
      assert.ok(cursor >= position, `${what}: ${cursor} after ${position}`);
      const skipped = all.slice(position, cursor).filter((one) => passes(this.filters[filterIndex]!, one));
      assert.deepEqual(
        skipped.map((one) => one.cursor),
        [],
        `lost before ${what}`,
      );
      position = cursor;
    };
    for (const frame of frames.slice(1)) {
      if (frame.event === 'stream.gap') {
        const { from, to, reason } = JSON.parse(frame.data!);
        goTo(from, 'a gap');
        assert.ok(to > from, `the gap from ${from} to ${to} is empty`);
        if (reason === 'expired') assert.ok(from < dropped, `the events after ${from} were never dropped`);
        else assert.deepEqual([reason, replayed], ['limit', REPLAYED_EVENTS]);
        position = to;
      } else if (frame.event !== undefined) {
        const cursor = Number(frame.id);
        assert.ok(cursor > position, `event ${cursor} at position ${position}`);
        goTo(cursor - 1, `event ${cursor}`);
        assert.ok(passes(this.filters[filterIndex]!, all[cursor - 1]!), `event ${cursor} was not asked for`);
        position = cursor;
        replayed += 1;
      } else {
        goTo(Number(frame.id), frame.comments[0]!);
        if (isSubscribed(frame)) filterIndex += 1;
      }
    }
    if (!this.hasEnded()) goTo(all.length, 'the end');
  }

  hasEnded(): boolean {
    return this.connection === null;
  }

  position(): number {
    return lastId(this.reader.frames()) ?? this.presented;
  }
}

const isSubscribed = ({ comments }: SseFrame) => comments[0] === 'subscribed';

/** A hub, its log and its clients. The scheduler decides when each read of the log is answered. */
class Course {
  readonly log: MemoryLog = memoryLog();
  readonly all: LogRecord[] = [];
  readonly sessions: Session[] = [];
  readonly joining: Promise<void>[] = [];
  readonly #scheduler: fc.Scheduler;
  #dropped = 0;
  #hub: Hub | null = null;

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler;
  }

  async start(): Promise<void> {
    // Both the moment when a read looks at the log, and the moment when its answer arrives, are the scheduler's.
    const later = () => this.#scheduler.schedule(Promise.resolve());
    const log: EventLog = {
      ...this.log,
      range: () => this.log.range().finally(later),
      read: (cursor, limit) => this.log.read(cursor, limit).finally(later),
    };
    const options = { clock: { now: () => 0 }, logger: quiet, flushEveryMs: 0, socketsPerTurn: 1 };
    const starting = startHub({ log, ringEvents: RING_EVENTS, ...options });
    this.#hub = await this.#scheduler.waitFor(starting);
    this.log.delay = later;
  }

  append(count: number, bytes: number): void {
    const more = Array.from({ length: count }, (_, index) => {
      const cursor = this.all.length + 1 + index;
      return record(cursor, { sport: SPORTS[cursor % 2]!, tournamentId: 1 + (cursor % 4) }, bytes);
    });
    this.all.push(...more);
    this.log.append(...more);
  }

  join(presented: number, filter: number): void {
    const session = new Session(presented, FILTERS[filter]!);
    this.sessions.push(session);
    const { reader: socket } = session;
    const given = { encoder: sseEncoder, filter: FILTERS[filter]!, cursor: presented, links, owner: session };
    this.joining.push(this.#hub!.connect({ socket, ...given }));
  }

  async take(action: Action): Promise<void> {
    if (action.kind === 'append') return this.append(action.count, action.large ? LARGE_BYTES : 60);
    if (action.kind === 'turn') return turn();
    if (action.kind === 'join') return this.join(Math.max(0, this.all.length - action.back), action.filter);
    if (action.kind === 'drop') {
      this.#dropped = Math.max(this.#dropped, this.all.length - action.left);
      return this.log.drop(this.#dropped);
    }
    const session = this.sessions[action.client];
    if (session === undefined) return;
    if (action.kind === 'subscribe') session.subscribe(FILTERS[action.filter]!);
    else if (action.kind === 'resume') {
      if (session.hasEnded() && session.reader.text !== '') this.join(session.position(), action.filter);
    } else if (action.kind === 'leave') session.reader.destroy();
    else session.reader[action.kind]();
  }

  /** Lets everything happen that is still to happen. */
  async settle(): Promise<void> {
    for (const { reader } of this.sessions) reader.go();
    // The hub writes to one socket in each turn of the event loop.
    for (let still = 0; still < this.sessions.length + 3; still += 1) {
      if (this.#scheduler.count() > 0) still = 0;
      while (this.#scheduler.count() > 0) await this.#scheduler.waitOne();
      await turn();
    }
    await Promise.all(this.joining);
    assert.equal(this.#hub!.head(), this.all.length);
  }

  check(): void {
    for (const session of this.sessions) session.check(this.all, this.#dropped);
  }

  async close(): Promise<void> {
    this.log.delay = null;
    await this.#scheduler.waitFor(this.#hub!.close());
    for (const { reader } of this.sessions) reader.destroy();
    await turn();
    assert.equal(this.#hub!.held(), 0);
  }
}

describe('a stream that resumes, however log reads and live events interleave,', () => {
  it('gets each event once and in order, or a gap frame that names exactly the events that are missing', async function () {
    this.timeout(600_000);
    // Most courses begin with few events, and some with more than a client may miss.
    const missed = fc.oneof(
      { weight: 30, arbitrary: fc.nat(40) },
      { weight: 1, arbitrary: fc.integer({ min: 499, max: 502 }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, missed, async (scheduler, list, count) => {
        const course = new Course(scheduler);
        course.append(count, 60);
        await course.start();
        course.join(Math.max(0, count - 30), 0);
        if (count > REPLAYED_EVENTS - 10) course.join(0, 0);
        const steps = scheduler.scheduleSequence(list.map((action) => () => course.take(action)));
        await scheduler.waitFor(steps.task);
        await course.settle();
        course.check();
        await course.close();
      }),
      { numRuns: LONG_FORMS ? 20_000 : 2_000 },
    );
  });
});
