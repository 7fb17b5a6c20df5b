import assert from 'node:assert/strict';
import fc from 'fast-check';
import type pg from 'pg';
import { LeaseLost } from '../../src/db/lease.ts';
import { openPool, transaction } from '../../src/db/postgres.ts';
import { addPendingChanges, type PendingChange } from '../../src/events/pending-changes.ts';
import { relayLease } from '../../src/events/relay-lease.ts';
import { assignChangeCursors } from '../../src/relay/change-cursors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('change cursors', () => {
  let db: TestDatabase;
  let lease: number;
  let assign: (generation: number) => Promise<number>;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  beforeEach(async () => {
    await db.pool.query('TRUNCATE match_touch, match_change, match_tombstone');
    await db.pool.query("UPDATE relay SET change_seq = 0, expires_at = '-infinity'");
    lease = (await relayLease.take(db.pool, 'test'))!;
    assign = (generation) => assignChangeCursors(db.pool, generation);
  });

  /** Adds rows with little data, since only a match's existence matters. */
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
  const addChange = (...ids: number[]) =>
    addPendingChanges(
      db.pool,
      ids.map((match_id) => ({ match_id, tombstone: null })),
    );
  const bury = (match_id: number, reason: 'deleted' | 'moved' | 'merged', more: object = {}) =>
    addPendingChanges(db.pool, [{ match_id, tombstone: { reason, sport: 'football', tournament_id: 7, ...more } }]);
  const remove = (id: number, client: Pick<pg.Pool, 'query'> = db.pool) =>
    client.query('DELETE FROM match WHERE id = $1', [id]);
  async function drain(): Promise<number[]> {
    const batches: number[] = [];
    for (let taken = await assign(lease); taken > 0; taken = await assign(lease)) batches.push(taken);
    return batches;
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

  it('are assigned at the cost of the batch’s rows only, even if Postgres plans the query for an empty queue', async () => {
    const ids = await addMatches(10_000);
    await addChange(...ids.slice(0, 1_000));
    await drain();
    await db.pool.query('VACUUM (ANALYZE, TRUNCATE off) match_touch');
    await addChange(...ids);
    const rowsRead = async () => {
      const { rows } = await db.pool.query<{ read: number }>(
        "SELECT sum(idx_tup_fetch + seq_tup_read)::int AS read FROM pg_stat_user_tables WHERE relname = 'match_touch'",
      );
      return rows[0]!.read;
    };
    // Uses one connection, which reports its statistics only when it has been idle for a second, or on demand.
    const own = openPool(db.url, { warn: () => {} }, 1);
    try {
      const before = await rowsRead();
      assert.equal(await assignChangeCursors(own, lease), 500);
      await own.query('SELECT pg_stat_force_next_flush()');
      const cost = (await rowsRead()) - before;
      assert.ok(cost >= 500 && cost <= 2_000, `${cost} rows were read`);
    } finally {
      await own.end();
    }
  });

  it('are new for every changed match, larger than all before, and never shared by two matches', async () => {
    const [a, b, c] = (await addMatches(3)) as [number, number, number];
    await addChange(a, b, a);
    await drain();
    const first = await changes();
    assert.deepEqual([...first.keys()].sort(), [a, b].sort());
    assert.equal(new Set(first.values()).size, 2);
    const before = await counter();
    assert.ok(Math.max(...first.values()) <= before);
    await addChange(c, a);
    await drain();
    const second = await changes();
    assert.ok(second.get(a)! > before && second.get(c)! > before);
    assert.equal(second.get(b), first.get(b));
    assert.equal(await assign(lease), 0);
  });

  it('are assigned to at most 500 pending changes at once', async () => {
    const ids = await addMatches(1_100);
    await addChange(...ids);
    assert.deepEqual(await drain(), [500, 500, 100]);
    const assigned = await changes();
    assert.equal(assigned.size, 1_100);
    assert.equal(new Set(assigned.values()).size, 1_100);
  });

  it('are assigned with a tombstone to a deleted match', async () => {
    const [gone, stays] = (await addMatches(2)) as [number, number];
    await addChange(gone, stays);
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

  it('are assigned with a tombstone to a merged match, which names the match that replaced it', async () => {
    const [gone, stays] = (await addMatches(2)) as [number, number];
    await addChange(gone);
    await drain();
    await remove(gone);
    await bury(gone, 'merged', { merged_into: stays });
    await drain();
    const [stone] = await tombstones();
    assert.deepEqual([stone.reason, stone.merged_into], ['merged', stays]);
    assert.equal((await changes()).size, 0);
  });

  it('are assigned to a moved match separately from the tombstone in its former league', async () => {
    const [id] = (await addMatches(1)) as [number];
    await addChange(id);
    await drain();
    const before = await counter();
    await bury(id, 'moved');
    await addChange(id);
    await drain();
    const [stone] = await tombstones();
    assert.equal(stone.reason, 'moved');
    const cursor = (await changes()).get(id)!;
    assert.ok(stone.change_cursor > before && cursor > before && cursor !== stone.change_cursor);
    await bury(id, 'moved');
    await addChange(id);
    await drain();
    assert.equal((await tombstones()).length, 2);
    assert.ok((await changes()).get(id)! > cursor);
  });

  it('skip a match that was deleted before its pending change was processed', async () => {
    const [gone, stays] = (await addMatches(2)) as [number, number];
    await addChange(gone, stays);
    await remove(gone);
    assert.deepEqual(await drain(), [2]);
    assert.deepEqual([...(await changes()).keys()], [stays]);
    await bury(gone, 'deleted');
    await addChange(gone);
    await drain();
    assert.deepEqual([...(await changes()).keys()], [stays]);
    assert.equal((await tombstones()).length, 1);
  });

  it('reflect a deletion only in the next batch if the deletion commits while they are being assigned', async () => {
    const [id] = (await addMatches(1)) as [number];
    await addChange(id);
    await transaction(db.pool, async (client) => {
      await remove(id, client);
      await addPendingChanges(client, [
        { match_id: id, tombstone: { reason: 'deleted', sport: 'football', tournament_id: 7 } },
      ]);
      assert.equal(await assign(lease), 1);
      assert.deepEqual([...(await changes()).keys()], [id]);
    });
    await drain();
    assert.equal((await changes()).size, 0);
    assert.equal((await tombstones()).length, 1);
  });

  it('are larger than all earlier ones even for a change that commits late', async () => {
    const [late, early] = (await addMatches(2)) as [number, number];
    await transaction(db.pool, async (client) => {
      await addPendingChanges(client, [{ match_id: late, tombstone: null }]);
      await addChange(early);
      await drain();
      assert.deepEqual([...(await changes()).keys()], [early]);
    });
    const seen = await counter();
    await drain();
    assert.ok((await changes()).get(late)! > seen);
  });

  it('are not assigned by a process without the lease', async () => {
    const [id] = (await addMatches(1)) as [number];
    await addChange(id);
    await db.pool.query("UPDATE relay SET expires_at = '-infinity'");
    const next = await relayLease.take(db.pool, 'next');
    await assert.rejects(assign(lease), LeaseLost);
    assert.equal((await changes()).size, 0);
    lease = next!;
    assert.deepEqual(await drain(), [1]);
  });

  it('let a client that pages by them end with the same matches as the catalogue, whatever happens in between', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('change' as const), match: fc.nat(5) }),
      fc.record({ kind: fc.constant('move' as const), match: fc.nat(5) }),
      fc.record({ kind: fc.constant('delete' as const), match: fc.nat(5) }),
      fc.record({ kind: fc.constant('assign' as const) }),
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
          const changes: PendingChange[] = ids.map((match_id) => ({ match_id, tombstone: null }));
          await addPendingChanges(pool, changes);
          for (const one of steps) {
            const id = 'match' in one ? ids[one.match]! : 0;
            if (one.kind === 'page') await page();
            else if (one.kind === 'assign') await assign(lease);
            else if (versions.has(id)) {
              const where = { sport: 'football', tournament_id: 7 };
              if (one.kind === 'delete') {
                versions.delete(id);
                await remove(id, pool);
                await addPendingChanges(pool, [{ match_id: id, tombstone: { reason: 'deleted', ...where } }]);
              } else {
                versions.set(id, versions.get(id)! + 1);
                const moved: PendingChange = { match_id: id, tombstone: { reason: 'moved', ...where } };
                await addPendingChanges(pool, [
                  ...(one.kind === 'move' ? [moved] : []),
                  { match_id: id, tombstone: null },
                ]);
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
