import assert from 'node:assert/strict';
import fc from 'fast-check';
import type pg from 'pg';
import { type PendingChange as Touch, addPendingChanges as touchMatches } from '../../src/apply/store.ts';
import { openPool, transaction } from '../../src/db/postgres.ts';
import { SLICE, stampChanges } from '../../src/events/change-stamps.ts';
import { LeaseLost } from '../../src/events/event-log.ts';
import { takeLease } from '../../src/events/lease.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('change stamps', () => {
  let db: TestDatabase;
  let lease: number;
  let stamp: (generation: number) => Promise<number>;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  beforeEach(async () => {
    await db.pool.query('TRUNCATE match_touch, match_change, match_tombstone');
    await db.pool.query("UPDATE relay SET change_seq = 0, expires_at = '-infinity'");
    lease = (await takeLease(db.pool, 'test'))!;
    stamp = (generation) => stampChanges(db.pool, generation);
  });

  /** Bare rows: what stamps look at is whether a match is there. */
  async function addMatches(count: number): Promise<number[]> {
    return transaction(db.pool, async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      const { rows } = await client.query<{ id: number }>(
        `INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, updated_at)
         SELECT 'football', 7, 1, 2 * n, 2 * n + 1, now(), now() FROM generate_series(1, $1::int) n RETURNING id`,
        [count],
      );
      return rows.map(({ id }) => id);
    });
  }
  const touch = (...ids: number[]) =>
    touchMatches(
      db.pool,
      ids.map((match_id) => ({ match_id, tombstone: null })),
    );
  const bury = (match_id: number, reason: 'deleted' | 'moved' | 'merged', more: object = {}) =>
    touchMatches(db.pool, [{ match_id, tombstone: { reason, sport: 'football', tournament_id: 7, ...more } }]);
  const remove = (id: number, client: Pick<pg.Pool, 'query'> = db.pool) =>
    client.query('DELETE FROM match WHERE id = $1', [id]);
  async function drain(): Promise<number[]> {
    const slices: number[] = [];
    for (let taken = await stamp(lease); taken > 0; taken = await stamp(lease)) slices.push(taken);
    return slices;
  }
  async function changes(): Promise<Map<number, number>> {
    const { rows } = await db.pool.query<{ match_id: number; change_cursor: number }>('SELECT * FROM match_change');
    return new Map(rows.map((row) => [row.match_id, row.change_cursor]));
  }
  const tombstones = async () =>
    (
      await db.pool.query(
        'SELECT match_id, sport, tournament_id, reason, merged_into, change_cursor FROM match_tombstone ORDER BY change_cursor',
      )
    ).rows;
  const counter = async () =>
    (await db.pool.query<{ change_seq: number }>('SELECT change_seq FROM relay')).rows[0]!.change_seq;

  it('takes a slice of many at the cost of the slice, though the planner takes the queue for empty', async () => {
    const ids = await addMatches(10_000);
    await touch(...ids.slice(0, 1_000));
    await drain();
    await db.pool.query('VACUUM (ANALYZE, TRUNCATE off) match_touch');
    await touch(...ids);
    const looked = async () => {
      const { rows } = await db.pool.query<{ looked: number }>(
        "SELECT sum(idx_tup_fetch + seq_tup_read)::int AS looked FROM pg_stat_user_tables WHERE relname = 'match_touch'",
      );
      return rows[0]!.looked;
    };
    // Each connection tells what it has done when it is idle for a second, or asked.
    const own = openPool(db.url, { warn: () => {} }, 1);
    try {
      const before = await looked();
      assert.equal(await stampChanges(own, lease), SLICE);
      await own.query('SELECT pg_stat_force_next_flush()');
      const cost = (await looked()) - before;
      assert.ok(cost >= SLICE && cost <= 4 * SLICE, `${cost} rows were looked at`);
    } finally {
      await own.end();
    }
  });

  it('give every touched match a new, larger cursor of its own', async () => {
    const [a, b, c] = (await addMatches(3)) as [number, number, number];
    await touch(a, b, a);
    await drain();
    const first = await changes();
    assert.deepEqual([...first.keys()].sort(), [a, b].sort());
    assert.equal(new Set(first.values()).size, 2);
    const before = await counter();
    assert.ok(Math.max(...first.values()) <= before);
    await touch(c, a);
    await drain();
    const second = await changes();
    assert.ok(second.get(a)! > before && second.get(c)! > before);
    assert.equal(second.get(b), first.get(b));
    assert.equal(await stamp(lease), 0);
  });

  it('take at most 500 touches at once', async () => {
    const ids = await addMatches(1_100);
    await touch(...ids);
    assert.deepEqual(await drain(), [500, 500, 100]);
    const stamped = await changes();
    assert.equal(stamped.size, 1_100);
    assert.equal(new Set(stamped.values()).size, 1_100);
  });

  it('put a tombstone where a deleted match was', async () => {
    const [gone, stays] = (await addMatches(2)) as [number, number];
    await touch(gone, stays);
    await drain();
    const before = await counter();
    await remove(gone);
    await bury(gone, 'deleted');
    await drain();
    const [stone, ...none] = await tombstones();
    assert.deepEqual(none, []);
    assert.deepEqual(
      { ...stone, change_cursor: 0 },
      {
        match_id: gone,
        sport: 'football',
        tournament_id: 7,
        reason: 'deleted',
        merged_into: null,
        change_cursor: 0,
      },
    );
    assert.ok(stone.change_cursor > before);
    assert.deepEqual([...(await changes()).keys()], [stays]);
  });

  it('say where a merged match went', async () => {
    const [gone, stays] = (await addMatches(2)) as [number, number];
    await touch(gone);
    await drain();
    await remove(gone);
    await bury(gone, 'merged', { merged_into: stays });
    await drain();
    const [stone] = await tombstones();
    assert.deepEqual([stone.reason, stone.merged_into], ['merged', stays]);
    assert.equal((await changes()).size, 0);
  });

  it('leave a moved match its own stamp beside the tombstone of where it was', async () => {
    const [id] = (await addMatches(1)) as [number];
    await touch(id);
    await drain();
    const before = await counter();
    await bury(id, 'moved');
    await touch(id);
    await drain();
    const [stone] = await tombstones();
    assert.equal(stone.reason, 'moved');
    const cursor = (await changes()).get(id)!;
    assert.ok(stone.change_cursor > before && cursor > before && cursor !== stone.change_cursor);
    await bury(id, 'moved');
    await touch(id);
    await drain();
    assert.equal((await tombstones()).length, 2);
    assert.ok((await changes()).get(id)! > cursor);
  });

  it('pass over a match that was deleted between its touch and its stamp', async () => {
    const [gone, stays] = (await addMatches(2)) as [number, number];
    await touch(gone, stays);
    await remove(gone);
    assert.deepEqual(await drain(), [2]);
    assert.deepEqual([...(await changes()).keys()], [stays]);
    await bury(gone, 'deleted');
    await touch(gone);
    await drain();
    assert.deepEqual([...(await changes()).keys()], [stays]);
    assert.equal((await tombstones()).length, 1);
  });

  it('outlive a deletion that commits while they are being written', async () => {
    const [id] = (await addMatches(1)) as [number];
    await touch(id);
    await transaction(db.pool, async (client) => {
      await remove(id, client);
      await touchMatches(client, [
        { match_id: id, tombstone: { reason: 'deleted', sport: 'football', tournament_id: 7 } },
      ]);
      assert.equal(await stamp(lease), 1);
      assert.deepEqual([...(await changes()).keys()], [id]);
    });
    await drain();
    assert.equal((await changes()).size, 0);
    assert.equal((await tombstones()).length, 1);
  });

  it('come after all that were given before, however late a transaction commits', async () => {
    const [late, early] = (await addMatches(2)) as [number, number];
    await transaction(db.pool, async (client) => {
      await touchMatches(client, [{ match_id: late, tombstone: null }]);
      await touch(early);
      await drain();
      assert.deepEqual([...(await changes()).keys()], [early]);
    });
    const seen = await counter();
    await drain();
    assert.ok((await changes()).get(late)! > seen);
  });

  it('are not given by one without the lease', async () => {
    const [id] = (await addMatches(1)) as [number];
    await touch(id);
    await db.pool.query("UPDATE relay SET expires_at = '-infinity'");
    const next = await takeLease(db.pool, 'next');
    await assert.rejects(stamp(lease), LeaseLost);
    assert.equal((await changes()).size, 0);
    lease = next!;
    assert.deepEqual(await drain(), [1]);
  });

  it('let a client that pages by cursor hold what the catalogue holds, whatever happens in between', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('touch' as const), match: fc.nat(5) }),
      fc.record({ kind: fc.constant('move' as const), match: fc.nat(5) }),
      fc.record({ kind: fc.constant('delete' as const), match: fc.nat(5) }),
      fc.record({ kind: fc.constant('stamp' as const) }),
      fc.record({ kind: fc.constant('page' as const) }),
    );
    const pool = openPool(db.url, { warn: () => {} }, 1);
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const ids = await addMatches(6);
          const versions = new Map(ids.map((id) => [id, 0]));
          const held = new Map<number, number>();
          let cursor = await counter();
          const page = async () => {
            const { rows } = await pool.query<{ match_id: number; change_cursor: number; gone: boolean }>(
              `SELECT match_id, change_cursor, false AS gone FROM match_change WHERE change_cursor > $1
               UNION ALL SELECT match_id, change_cursor, reason <> 'moved' FROM match_tombstone WHERE change_cursor > $1 ORDER BY 2`,
              [cursor],
            );
            for (const { match_id, change_cursor, gone } of rows) {
              cursor = change_cursor;
              if (gone) held.delete(match_id);
              else if (versions.has(match_id)) held.set(match_id, versions.get(match_id)!);
            }
          };
          const touches: Touch[] = ids.map((match_id) => ({ match_id, tombstone: null }));
          await touchMatches(pool, touches);
          for (const one of steps) {
            const id = 'match' in one ? ids[one.match]! : 0;
            if (one.kind === 'page') await page();
            else if (one.kind === 'stamp') await stamp(lease);
            else if (versions.has(id)) {
              const where = { sport: 'football', tournament_id: 7 };
              if (one.kind === 'delete') {
                versions.delete(id);
                await remove(id, pool);
                await touchMatches(pool, [{ match_id: id, tombstone: { reason: 'deleted', ...where } }]);
              } else {
                versions.set(id, versions.get(id)! + 1);
                const moved: Touch = { match_id: id, tombstone: { reason: 'moved', ...where } };
                await touchMatches(pool, [...(one.kind === 'move' ? [moved] : []), { match_id: id, tombstone: null }]);
              }
            }
          }
          await drain();
          await page();
          assert.deepEqual(held, versions);
        }),
        { numRuns: 30 },
      );
    } finally {
      await pool.end();
    }
  });
});
