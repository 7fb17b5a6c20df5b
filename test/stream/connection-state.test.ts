import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogRecord } from '../../src/events/event-log.ts';
import {
  type ConnectionState,
  cycled,
  type Frame,
  followed,
  keptAlive,
  lostPosition,
  open,
  replayed,
  type Step,
} from '../../src/stream/connection-state.ts';
import { record } from '../support/events.ts';

const all = () => true;
const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => record(from + 1 + index));
const shown = (frames: readonly Frame[]) =>
  frames.map((frame) => (frame.kind === 'event' ? frame.record.cursor : frame));
const connected = (cursor: number): Frame => ({ kind: 'connected', cursor });
const replaying = (cursor: number, bound: number, over: object = {}): ConnectionState => ({
  phase: 'replaying',
  cursor,
  bound,
  sent: 0,
  examined: 0,
  bytes: 0,
  ...over,
});
const following = (cursor: number): ConnectionState => ({ phase: 'following', cursor });
const ended = (cursor: number): ConnectionState => ({ phase: 'ended', cursor });

describe('a connection', () => {
  describe('opening', () => {
    const opened = (presented: number | null, { head = 100, logHead = 100, oldest = 20 } = {}) =>
      open({ presented, head, logHead, oldest });

    it('a connection without a cursor opens at the log’s end', () => {
      assert.deepEqual(opened(null), { state: following(100), frames: [connected(100)] });
      assert.deepEqual(opened(null, { logHead: 110 }), { state: following(100), frames: [connected(100)] });
    });
    it('a connection opens at the requested cursor and reads from there', () => {
      for (const presented of [20, 21, 99]) {
        assert.deepEqual(opened(presented), { state: replaying(presented, 100), frames: [connected(presented)] });
      }
      assert.deepEqual(opened(0, { oldest: 0 }), { state: replaying(0, 100), frames: [connected(0)] });
    });
    it('a connection that opens at the log’s end has missed no event', () => {
      assert.deepEqual(opened(100), { state: following(100), frames: [connected(100)] });
      assert.deepEqual(opened(0, { head: 0, logHead: 0, oldest: 0 }), {
        state: following(0),
        frames: [connected(0)],
      });
    });
    it('a connection whose cursor is ahead of this process but within the log waits at that cursor', () => {
      assert.deepEqual(opened(105, { logHead: 110 }), { state: following(105), frames: [connected(105)] });
      assert.deepEqual(opened(110, { logHead: 110 }), { state: following(110), frames: [connected(110)] });
    });
    it('a connection whose cursor is beyond the log’s end opens at the end with a gap frame', () => {
      const gap: Frame = { kind: 'gap', from: 101, to: 100, reason: 'ahead' };
      assert.deepEqual(opened(101), { state: following(100), frames: [connected(100), gap] });
      assert.equal(opened(111, { logHead: 110 }).frames.length, 2);
      assert.deepEqual(opened(Number.MAX_SAFE_INTEGER).state, following(100));
    });
    it('a connection whose cursor is before the oldest stored event opens with a gap frame and then follows', () => {
      const gap = (from: number): Frame => ({ kind: 'gap', from, to: 100, reason: 'expired' });
      assert.deepEqual(opened(19), { state: following(100), frames: [connected(19), gap(19)] });
      assert.deepEqual(opened(0), { state: following(100), frames: [connected(0), gap(0)] });
    });
    it('a connection never opens before the requested cursor, even if this process is far behind', () => {
      const { state, frames } = opened(50, { head: 10, logHead: 100, oldest: 60 });
      assert.deepEqual(state, following(60));
      assert.deepEqual(frames[1], { kind: 'gap', from: 50, to: 60, reason: 'expired' });
    });
  });

  describe('replaying', () => {
    it('a connection replays missed events in order up to the replay’s bound, and then follows', () => {
      const step = replayed(replaying(90, 100), range(90, 100), all);
      assert.deepEqual(shown(step.frames), [91, 92, 93, 94, 95, 96, 97, 98, 99, 100]);
      assert.deepEqual(step.state, following(100));
    });
    it('a connection leaves events after the replay’s bound to the ring', () => {
      const step = replayed(replaying(97, 100), range(97, 105), all);
      assert.deepEqual(shown(step.frames), [98, 99, 100]);
      assert.deepEqual(step.state, following(100));
    });
    it('the position is the last examined event, whether or not it passed the filter', () => {
      const { state, frames } = replayed(replaying(0, 100), range(0, 10), ({ cursor }) => cursor === 3);
      assert.deepEqual(shown(frames), [3]);
      assert.equal(state.cursor, 10);
      assert.equal(state.phase, 'replaying');
    });
    it('a replay ends at the log’s end, whatever holes the cursors have', () => {
      assert.deepEqual(replayed(replaying(90, 100), [], all), { state: following(100), frames: [] });
      const { state } = replayed(replaying(90, 100), [record(95)], all);
      assert.deepEqual(replayed(state, [], all), { state: following(100), frames: [] });
      assert.deepEqual(replayed(state, [record(120)], all), { state: following(100), frames: [] });
    });
    for (const missed of [0, 1, 499, 500]) {
      it(`a connection replays all of ${missed} missed events`, () => {
        const { state, frames } = replay(replaying(10, 10 + missed), range(10, 10 + missed), all);
        assert.equal(frames.length, missed);
        assert.ok(frames.every(({ kind }) => kind === 'event'));
        assert.deepEqual(state, following(10 + missed));
      });
    }
    it('a connection replays 500 of 501 missed events, sends a gap frame, then follows', () => {
      const { state, frames } = replay(replaying(10, 511), range(10, 511), all);
      assert.deepEqual(
        shown(frames.slice(0, 500)),
        range(10, 510).map(({ cursor }) => cursor),
      );
      assert.deepEqual(frames.slice(500), [{ kind: 'gap', from: 510, to: 511, reason: 'limit' }]);
      assert.deepEqual(state, following(511));
    });
    it('the limit of 500 counts only events that pass the filter', () => {
      const even = ({ cursor }: LogRecord) => cursor % 2 === 0;
      const whole = replay(replaying(0, 1_001), range(0, 1_001), even);
      assert.equal(whole.frames.length, 500);
      assert.deepEqual(whole.state, following(1_001));
      const cut = replay(replaying(0, 1_002), range(0, 1_002), even);
      assert.equal(cut.frames.length, 501);
      // The gap ends just before the event that exceeds the limit.
      assert.deepEqual(cut.frames.at(-1), { kind: 'gap', from: 1_001, to: 1_002, reason: 'limit' });
    });
    it('a connection examines at most 20,000 events', () => {
      const none = () => false;
      const whole = replay(replaying(0, 20_000), range(0, 20_000), none);
      assert.deepEqual([whole.frames, whole.state], [[], following(20_000)]);
      const cut = replay(replaying(0, 20_001), range(0, 20_001), none);
      assert.deepEqual(cut.frames, [{ kind: 'gap', from: 20_000, to: 20_001, reason: 'limit' }]);
      assert.deepEqual(cut.state, following(20_001));
    });
    it('a connection examines at most 8 MiB of envelopes, counted in UTF-8', () => {
      const envelope = 'Ж'.repeat(256 * 1024);
      const large = (to: number) => range(0, to).map((one) => ({ ...one, envelope }));
      const whole = replay(replaying(0, 16), large(16), all);
      assert.equal(whole.frames.length, 16);
      const cut = replay(replaying(0, 17), large(17), all);
      assert.deepEqual(cut.frames.at(-1), { kind: 'gap', from: 16, to: 17, reason: 'limit' });
      assert.equal(cut.frames.length, 17);
    });
    it('a connection sends a gap frame if the log has meanwhile dropped events after its position', () => {
      const step = lostPosition(replaying(30, 100, { sent: 3 }));
      assert.deepEqual(step, {
        state: following(100),
        frames: [{ kind: 'gap', from: 30, to: 100, reason: 'expired' }],
      });
    });
  });

  describe('in each phase', () => {
    const phases = { replaying: replaying(5, 9), following: following(5), ended: ended(5) };
    const unchanged = (state: ConnectionState): Step => ({ state, frames: [] });
    const table: Record<keyof typeof phases, Record<string, [Step, Step]>> = {
      replaying: {
        page: [
          replayed(phases.replaying, [record(6)], all),
          {
            state: replaying(6, 9, { sent: 1, examined: 1, bytes: Buffer.byteLength(record(6).envelope) }),
            frames: [{ kind: 'event', record: record(6) }],
          },
        ],
        'last page': [
          replayed(phases.replaying, [record(9)], all),
          { state: following(9), frames: [{ kind: 'event', record: record(9) }] },
        ],
        'position lost': [
          lostPosition(phases.replaying),
          { state: following(9), frames: [{ kind: 'gap', from: 5, to: 9, reason: 'expired' }] },
        ],
        'ring examined': [unchanged(followed(phases.replaying, 8)), unchanged(phases.replaying)],
        cycle: [cycled(phases.replaying), { state: ended(5), frames: [{ kind: 'cycle', cursor: 5 }] }],
      },
      following: {
        page: [replayed(phases.following, [record(6)], all), unchanged(phases.following)],
        'last page': [replayed(phases.following, [], all), unchanged(phases.following)],
        'position lost': [lostPosition(phases.following), unchanged(phases.following)],
        'ring examined': [unchanged(followed(phases.following, 8)), unchanged(following(8))],
        'ring behind': [unchanged(followed(phases.following, 3)), unchanged(following(5))],
        cycle: [cycled(phases.following), { state: ended(5), frames: [{ kind: 'cycle', cursor: 5 }] }],
      },
      ended: {
        page: [replayed(phases.ended, [record(6)], all), unchanged(phases.ended)],
        'last page': [replayed(phases.ended, [], all), unchanged(phases.ended)],
        'position lost': [lostPosition(phases.ended), unchanged(phases.ended)],
        'ring examined': [unchanged(followed(phases.ended, 8)), unchanged(phases.ended)],
        cycle: [cycled(phases.ended), unchanged(phases.ended)],
      },
    };
    for (const [phase, events] of Object.entries(table)) {
      for (const [event, [given, expected]] of Object.entries(events)) {
        it(`a connection that is ${phase} takes the step: ${event}`, () => assert.deepEqual(given, expected));
      }
    }
    it('a keep-alive carries the position', () => {
      for (const state of Object.values(phases)) assert.deepEqual(keptAlive(state), { kind: 'keep-alive', cursor: 5 });
    });
  });

  it('a connection gets each wanted event once and in order, with the right position, however publishing and reading alternate', () => {
    const action = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('publish' as const),
          count: fc.integer({ min: 1, max: 5 }),
          hole: fc.nat(3),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('see' as const), share: fc.nat(4) }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('page' as const), size: fc.integer({ min: 1, max: 6 }) }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('examine' as const), size: fc.integer({ min: 1, max: 6 }) }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('idle' as const) }) },
    );
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 3, 10, 499, 500, 501, 520),
        fc.nat(4),
        fc.constantFrom(1, 1, 2, 3),
        fc.nat(6),
        fc.array(action, { maxLength: 60 }),
        (missed, unseen, every, ahead, actions) => {
          const wanted = ({ cursor }: LogRecord) => cursor % every === 0;
          const log: LogRecord[] = range(0, missed + unseen);
          let seen = log[missed - 1]?.cursor ?? 0;
          const logHead = () => log.at(-1)?.cursor ?? 0;
          const presented = Math.min(missed === 0 ? ahead : 0, logHead());
          const got: Frame[] = [];
          let { state, frames } = open({ presented, head: seen, logHead: logHead(), oldest: 0 });
          let position = presented;
          const take = (step: Step) => {
            for (const frame of step.frames) {
              if (frame.kind === 'event') {
                assert.ok(frame.record.cursor > position);
                position = frame.record.cursor;
              } else if (frame.kind === 'gap') {
                assert.ok(frame.from >= position && frame.to > frame.from);
                position = frame.to;
              } else {
                assert.ok(frame.cursor >= position, `${frame.kind} at ${frame.cursor} after ${position}`);
                position = frame.cursor;
              }
            }
            assert.ok(step.state.cursor >= state.cursor);
            ({ state, frames } = step);
            got.push(...frames);
          };
          const page = (size: number) =>
            take(replayed(state, log.filter(({ cursor }) => cursor > state.cursor).slice(0, size), wanted));
          const examine = (size: number) => {
            if (state.phase !== 'following') return;
            for (const one of log.filter(({ cursor }) => cursor > state.cursor && cursor <= seen).slice(0, size)) {
              take({
                state: followed(state, one.cursor),
                frames: wanted(one) ? [{ kind: 'event', record: one }] : [],
              });
            }
          };
          take({ state, frames });
          for (const one of actions) {
            if (one.kind === 'publish') {
              for (let i = 0; i < one.count; i += 1) log.push(record(logHead() + 1 + one.hole));
            } else if (one.kind === 'see') {
              const next = log.filter(({ cursor }) => cursor > seen);
              seen = next[Math.floor((next.length * one.share) / 4) - 1]?.cursor ?? seen;
            } else if (one.kind === 'page') page(one.size);
            else if (one.kind === 'examine') examine(one.size);
            else take({ state, frames: [keptAlive(state)] });
          }
          while (state.phase === 'replaying') page(100);
          seen = logHead();
          examine(log.length);
          const gaps = got.filter((frame) => frame.kind === 'gap');
          const skipped = (cursor: number) => gaps.some(({ from, to }) => cursor > from && cursor <= to);
          const received = got.flatMap((frame) => (frame.kind === 'event' ? [frame.record.cursor] : []));
          const owed = log
            .filter((one) => one.cursor > presented && wanted(one) && !skipped(one.cursor))
            .map(({ cursor }) => cursor);
          assert.deepEqual(received, owed);
          const missedWanted = log.slice(0, missed).filter((one) => one.cursor > presented && wanted(one)).length;
          assert.equal(gaps.length, missedWanted > 500 ? 1 : 0);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  /** Feeds pages of different sizes, as a log does. */
  function replay(state: ConnectionState, records: readonly LogRecord[], wanted: (one: LogRecord) => boolean): Step {
    const frames: Frame[] = [];
    for (let size = 1; state.phase === 'replaying'; size = (size % 700) + 13) {
      const { cursor } = state;
      const from = records.findIndex((one) => one.cursor > cursor);
      const step = replayed(state, from === -1 ? [] : records.slice(from, from + size), wanted);
      frames.push(...step.frames);
      state = step.state;
    }
    return { state, frames };
  }
});
