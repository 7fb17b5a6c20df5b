import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lastId, queueFloor, SETTLED_MS, WHOLE_EVERY_MS } from '../../src/events/queue-floor.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Writers live at most this long (TRANSACTION_TIMEOUT). */
const LONGEST_WRITER_MS = 60_000;

describe('the floor of a drained queue', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
  });
  /** Searches and finds nothing; the whole search of each minute aside. @returns where the search began */
  async function search(floor: ReturnType<typeof queueFloor>, last: number): Promise<number> {
    const from = floor.begin();
    await floor.drained(async () => last);
    return from;
  }

  it('rises to what the sequence was two minutes ago', async () => {
    const floor = queueFloor(() => now);
    assert.equal(await search(floor, 100), 0);
    now = SETTLED_MS - 1;
    await search(floor, 200);
    assert.equal(await search(floor, 200), 0);
    now = SETTLED_MS;
    await search(floor, 200);
    assert.equal(await search(floor, 200), 100);
    now = 2 * SETTLED_MS;
    await search(floor, 300);
    assert.equal(await search(floor, 300), 200);
  });

  it('looks from the start once a minute all the same', async () => {
    const floor = queueFloor(() => now);
    await search(floor, 100);
    now = SETTLED_MS;
    await search(floor, 200);
    assert.equal(await search(floor, 200), 100);
    now += WHOLE_EVERY_MS - 1;
    assert.equal(await search(floor, 200), 100);
    now += 1;
    assert.equal(await search(floor, 200), 0);
    assert.equal(await search(floor, 200), 100);
  });

  it('falls when the sequence has gone back, and when it is told to', async () => {
    const floor = queueFloor(() => now);
    await search(floor, 100);
    now = SETTLED_MS;
    await search(floor, 90);
    assert.equal(await search(floor, 90), 0);
    now = 2 * SETTLED_MS;
    await search(floor, 95);
    assert.equal(await search(floor, 95), 90);
    floor.reset();
    assert.equal(await search(floor, 95), 0);
  });

  it('does not count a search that began before the ids were settled, however late its answer came', async () => {
    const floor = queueFloor(() => now);
    await search(floor, 100);
    now = 1_000;
    floor.begin();
    // The process sleeps between the search and what it makes of it: writers of before may have committed since.
    now = 10 * SETTLED_MS;
    await floor.drained(async () => 500);
    assert.equal(floor.begin(), 0);
  });

  it('never passes a row that is still to be published', async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('write' as const),
          lives: fc.integer({ min: 0, max: LONGEST_WRITER_MS }),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 3 * SETTLED_MS }) }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('search' as const),
          // Pauses: until the search sees the queue, until its answer is used, until the sequence is read, until that is used.
          pauses: fc.array(fc.integer({ min: 0, max: SETTLED_MS }), { minLength: 4, maxLength: 4 }),
        }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        let time = 0;
        const floor = queueFloor(() => time);
        let sequence = 0;
        const writers: { id: number; commitsAt: number }[] = [];
        const published = new Set<number>();
        for (const one of steps) {
          if (one.kind === 'pass') time += one.ms;
          else if (one.kind === 'write') {
            sequence += 1;
            writers.push({ id: sequence, commitsAt: time + one.lives });
          } else {
            const [seen, used, read, told] = one.pauses as [number, number, number, number];
            const from = floor.begin();
            for (const { id } of writers) assert.ok(id > from || published.has(id), `row ${id} is below ${from}`);
            time += seen;
            const found = writers.filter(({ id, commitsAt }) => id > from && commitsAt <= time && !published.has(id));
            time += used;
            for (const { id } of found) published.add(id);
            if (found.length > 0) continue;
            await floor.drained(async () => {
              time += read;
              const last = sequence;
              time += told;
              return last;
            });
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  describe('of a real sequence', () => {
    let db: TestDatabase;
    before(async () => {
      db = await createTestDatabase();
    });
    after(() => db.drop());

    it('is 0 before the first row, which would else be passed over in a fresh database', async () => {
      const touch = () => db.pool.query('INSERT INTO match_touch (match_id) VALUES (1)');
      assert.equal(await lastId(db.pool, 'match_touch'), 0);
      await touch();
      assert.equal(await lastId(db.pool, 'match_touch'), 1);
      await touch();
      assert.equal(await lastId(db.pool, 'match_touch'), 2);
      assert.equal(await lastId(db.pool, 'outbox'), 0);
    });
  });
});
