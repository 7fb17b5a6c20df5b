import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { LogRecord } from '../../src/events/event-log.ts';
import { type EventFilter, passes } from '../../src/events/filter.ts';
import { startHub } from '../../src/stream/hub.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { record } from '../support/events.ts';
import { memoryLog } from '../support/memory-log.ts';
import { Reader } from '../support/reader.ts';
import { lastId } from '../support/sse.ts';

const FILTERS: EventFilter[] = [
  { sports: [], leagues: [], types: [] },
  { sports: ['tennis'], leagues: [], types: [] },
  { sports: [], leagues: [1, 3], types: [] },
  { sports: ['football'], leagues: [2], types: ['match.goal'] },
];
const SPORTS = ['football', 'tennis'];
/** Small, so that stalled readers fall behind the ring. */
const RING_EVENTS = 40;
const links = { sync: '', replay: () => '' };
const quiet = { error: () => {}, warn: () => {}, info: () => {} };

type Action =
  | { kind: 'append'; count: number; large: boolean }
  | { kind: 'join'; back: number | null; filter: number }
  | { kind: 'stop' | 'go' | 'leave'; reader: number }
  | { kind: 'turns'; count: number };

const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('append' as const),
        count: fc.integer({ min: 1, max: 6 }),
        large: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('join' as const),
        back: fc.constantFrom(null, null, 0, 1, 3, 30, 60),
        filter: fc.nat(3),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('stop' as const, 'go' as const, 'leave' as const),
        reader: fc.nat(9),
      }),
    },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  ),
  { minLength: 5, maxLength: 60 },
);

interface Client {
  reader: Reader;
  filter: EventFilter;
  presented: number | null;
  left: boolean;
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
  const owed = all
    .filter((one) => one.cursor > begin && one.cursor <= end && passes(filter, one))
    .map(({ cursor }) => cursor);
  assert.deepEqual(got, owed, `from ${begin} to ${end}`);
  let position = 0;
  for (const { id } of frames) {
    if (id === undefined) continue;
    assert.ok(Number(id) >= position, `${id} after ${position}`);
    position = Number(id);
  }
}

describe('the hub, however clients join, read and stall while events are published,', () => {
  it('sends each wanted event once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        actions,
        fc.integer({ min: 0, max: 50 }),
        fc.nat(3),
        fc.boolean(),
        async (list, missed, delays, cutShort) => {
          const log = memoryLog();
          const all: LogRecord[] = [];
          const write = (count: number, large: boolean) => {
            const cursor = all.at(-1)?.cursor ?? 0;
            const more = Array.from({ length: count }, (_, index) => {
              const next = cursor + 1 + index;
              return record(next, { sport: SPORTS[next % 2]!, tournamentId: 1 + (next % 4) }, large ? 20_000 : 60);
            });
            all.push(...more);
            log.append(...more);
          };
          write(missed, false);
          const hub = await startHub({
            log,
            clock: { now: () => 0 },
            logger: quiet,
            ringEvents: RING_EVENTS,
            socketsPerTurn: 1,
            flushEveryMs: 0,
          });
          log.delay = async () => {
            for (let i = 0; i < delays; i += 1) await turn();
          };
          const clients: Client[] = [];
          const joining: Promise<void>[] = [];
          for (const action of list) {
            if (action.kind === 'append') write(action.count, action.large);
            else if (action.kind === 'turns') for (let i = 0; i < action.count; i += 1) await turn();
            else if (action.kind === 'join') {
              const presented = action.back === null ? null : Math.max(0, (all.at(-1)?.cursor ?? 0) - action.back);
              const client = { reader: new Reader(), filter: FILTERS[action.filter]!, presented, left: false };
              clients.push(client);
              joining.push(
                hub.connect({
                  socket: client.reader,
                  encoder: sseEncoder,
                  filter: client.filter,
                  cursor: presented,
                  links,
                }),
              );
            } else {
              const client = clients[action.reader];
              if (client === undefined) continue;
              if (action.kind === 'stop') client.reader.stop();
              else if (action.kind === 'go') client.reader.go();
              else {
                client.left = true;
                client.reader.destroy();
              }
            }
          }
          for (const { reader } of clients) reader.go();
          await Promise.all(joining);
          // Closes the hub now, in the middle of work, or below, when nothing happens any more.
          if (cutShort) await hub.close();
          while (!cutShort && hub.head() < (all.at(-1)?.cursor ?? 0)) await turn();
          const lengths = () => clients.reduce((sum, { reader }) => sum + reader.text.length, 0);
          for (let before = -1, still = 0; still < 5; before = lengths()) {
            await turn();
            still = lengths() === before ? still + 1 : 0;
          }
          assert.ok(missed <= 500);
          for (const client of clients) assertOwed(client, all);
          await hub.close();
          for (const { reader } of clients) reader.destroy();
          await turn();
          assert.equal(hub.held(), 0);
        },
      ),
      { numRuns: 300 },
    );
  });
});
