import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createQueueFloor, lastId } from '../../src/relay/queue-floor.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** All rows below an id are committed or gone 2 minutes after the id was assigned. */
const SETTLED_MS = 2 * 60_000;
/** How often a search starts at 0. */
const FULL_SEARCH_EVERY_MS = 60_000;
/** Equals the writers' TRANSACTION_TIMEOUT_S. */
const LONGEST_WRITER_MS = 60_000;

describe('the queue’s floor', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
  });
  /**
   * Runs a search that finds no row.
   * @returns where the search started
   */
  async function search(floor: ReturnType<typeof createQueueFloor>, last: number): Promise<number> {
    const from = floor.begin();
    await floor.drained(async () => last);
    return from;
  }

  it('rises to the sequence value from 2 minutes ago', async () => {
    const floor = createQueueFloor(() => now);
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

  it('is ignored once a minute, when a search starts at 0', async () => {
    const floor = createQueueFloor(() => now);
    await search(floor, 100);
    now = SETTLED_MS;
    await search(floor, 200);
    assert.equal(await search(floor, 200), 100);
    now += FULL_SEARCH_EVERY_MS - 1;
    assert.equal(await search(floor, 200), 100);
    now += 1;
    assert.equal(await search(floor, 200), 0);
    assert.equal(await search(floor, 200), 100);
  });

  it('falls after the sequence has gone back or was reset', async () => {
    const floor = createQueueFloor(() => now);
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

  it('is not raised by a search that started before the ids were settled, however late its answer is', async () => {
    const floor = createQueueFloor(() => now, Number.POSITIVE_INFINITY);
    await search(floor, 100);
    now = 1_000;
    floor.begin();
    // The process is paused after the search, before it uses the answer. Earlier writers may have committed in the meantime.
    now = 10 * SETTLED_MS;
    await floor.drained(async () => 500);
    assert.equal(floor.begin(), 0);
  });

  it('never passes a row that is still to be published', async () => {
    const pause = fc.constantFrom(0, 0, 0, 1_000, 30_000, 61_000, SETTLED_MS);
    const writer = fc.record({
      startsAfter: fc.constantFrom(0, 1_000, 20_000),
      lives: fc.constantFrom(0, 1_000, LONGEST_WRITER_MS),
    });
    // Pauses before the search sees the queue, its answer is used, the sequence is read, it is used, and the next search starts.
    const search = fc.tuple(pause, pause, pause, pause, fc.constantFrom(0, 1_000, 10_000, 60_000, SETTLED_MS));
    const wholeEvery = fc.constantFrom(FULL_SEARCH_EVERY_MS, Number.POSITIVE_INFINITY);
    await fc.assert(
      fc.asyncProperty(
        fc.array(writer, { minLength: 20, maxLength: 80 }),
        fc.array(search, { minLength: 5, maxLength: 40 }),
        wholeEvery,
        async (writers, searches, every) => {
          let started = 0;
          const rows = writers.map(({ startsAfter, lives }, index) => {
            started += startsAfter;
            return { id: index + 1, startedAt: started, visibleAt: started + lives, published: false };
          });
          let time = 0;
          const floor = createQueueFloor(() => time, every);
          for (const [seen, used, read, told, rest] of searches) {
            const from = floor.begin();
            time += seen;
            const visible = rows.filter((row) => row.visibleAt <= time && !row.published);
            const missed = visible.filter(({ id }) => id <= from);
            assert.deepEqual(missed, [], `rows below ${from}`);
            for (const row of visible) row.published = true;
            time += used;
            if (visible.length === 0) {
              await floor.drained(async () => {
                time += read;
                const last = rows.filter(({ startedAt }) => startedAt <= time).length;
                time += told;
                return last;
              });
            }
            time += rest;
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  describe('with a real sequence', () => {
    let db: TestDatabase;
    before(async () => {
      db = await createTestDatabase();
    });
    after(() => db.drop());

    it('begins at 0 before the first use, so that the first row in a fresh database is found', async () => {
      const addChange = () => db.pool.query('INSERT INTO match_touch (match_id) VALUES (1)');
      assert.equal(await lastId(db.pool, 'match_touch'), 0);
      await addChange();
      assert.equal(await lastId(db.pool, 'match_touch'), 1);
      await addChange();
      assert.equal(await lastId(db.pool, 'match_touch'), 2);
      assert.equal(await lastId(db.pool, 'outbox'), 0);
    });
  });
});
