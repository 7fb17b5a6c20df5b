import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { LogRecord } from '../../src/events/event-log.ts';
import { type EventFilter, passes } from '../../src/events/filter.ts';
import type { LiveConnection } from '../../src/stream/connection-owner.ts';
import { startHub } from '../../src/stream/hub.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { record } from '../support/events.ts';
import { memoryLog } from '../support/memory-log.ts';
import { Reader } from '../support/reader.ts';

const FILTERS: EventFilter[] = [
  { sports: [], leagues: [], types: [] },
  { sports: ['tennis'], leagues: [], types: [] },
  { sports: [], leagues: [1, 3], types: [] },
  { sports: [], leagues: [], types: [], access: { sports: ['football'], tournaments: [2] } },
];
const SPORTS = ['football', 'tennis'];
const MAX_TURNS = 2_000;

type Action =
  | { kind: 'append'; count: number; large: boolean }
  | { kind: 'subscribe'; reader: number; filter: number }
  | { kind: 'stop' | 'go'; reader: number }
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
      arbitrary: fc.record({ kind: fc.constant('subscribe' as const), reader: fc.nat(3), filter: fc.nat(3) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('stop' as const, 'go' as const), reader: fc.nat(3) }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  ),
  { minLength: 5, maxLength: 50 },
);

interface Client {
  reader: Reader;
  live: LiveConnection | null;
  /** The client's filters. Each applies to events after its cursor. */
  filters: { after: number; filter: EventFilter }[];
}

describe('a replaced filter, however it coincides with publishing,', () => {
  it('applies from the current position on, so that no earlier event is lost and no later event is repeated', async () => {
    await fc.assert(
      fc.asyncProperty(actions, fc.integer({ min: 0, max: 30 }), fc.nat(3), async (list, missed, delays) => {
        const log = memoryLog();
        const all: LogRecord[] = [];
        const write = (count: number, large: boolean) => {
          const cursor = all.length;
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
          logger: { error: () => {}, warn: () => {}, info: () => {} },
          socketsPerTurn: 1,
          flushEveryMs: 0,
        });
        log.delay = async () => {
          for (let i = 0; i < delays; i += 1) await turn();
        };
        // Two clients start at the beginning, and two at the head of the log.
        const clients: Client[] = [0, 0, missed, missed].map((cursor, index) => {
          const filter = FILTERS[index]!;
          const client: Client = { reader: new Reader(), live: null, filters: [{ after: cursor, filter }] };
          void hub.connect({
            socket: client.reader,
            encoder: sseEncoder,
            filter,
            cursor,
            links: { sync: '', replay: () => '' },
            owner: {
              opened(live) {
                client.live = live;
              },
              left() {},
            },
          });
          return client;
        });
        for (const action of list) {
          if (action.kind === 'append') write(action.count, action.large);
          else if (action.kind === 'turns') for (let i = 0; i < action.count; i += 1) await turn();
          else if (action.kind === 'subscribe') {
            const { live, filters } = clients[action.reader]!;
            if (live === null) continue;
            const before = live.cursor();
            const filter = FILTERS[action.filter]!;
            live.subscribe(filter);
            assert.equal(live.cursor(), before);
            filters.push({ after: before, filter });
          } else if (action.kind === 'stop') clients[action.reader]!.reader.stop();
          else clients[action.reader]!.reader.go();
        }
        for (const { reader } of clients) reader.go();
        for (let i = 0; clients.some(({ live }) => (live?.cursor() ?? -1) < all.length) && i < MAX_TURNS; i += 1) {
          await turn();
        }
        for (const { reader, filters } of clients) {
          const owed = all.filter((one) => {
            const decides = filters.findLast(({ after }) => one.cursor > after);
            return decides !== undefined && passes(decides.filter, one);
          });
          assert.deepEqual(
            reader.cursors(),
            owed.map(({ cursor }) => cursor),
          );
        }
        await hub.close();
        for (const { reader } of clients) reader.destroy();
        await turn();
        assert.equal(hub.held(), 0);
      }),
      { numRuns: 300 },
    );
  });
});
