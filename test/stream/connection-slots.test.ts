import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { type LivenessLock, NO_LIVENESS_LOCK, openLivenessLock } from '../../src/db/liveness-lock.ts';
import type { Queryable } from '../../src/db/postgres.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Slot } from '../../src/stream/connection-slot.ts';
import { dropExpiredSlots, restoreSlots } from '../../src/stream/connection-slot-queries.ts';
import { ConnectionSlots } from '../../src/stream/connection-slots.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { earlierProcess } from '../support/earlier-slots.ts';
import { until } from '../support/until.ts';

const TTL_MS = 400;
const RENEWAL_MS = 100;
/** Tolerance for a busy machine. */
const A_BUSY_MACHINE_MS = 1_500;
const quiet = { error: () => {}, warn: () => {}, info: () => {} };

/** A pool that can become unavailable, as when the network fails. */
interface Line extends Queryable {
  state: 'up' | 'down' | 'silent';
  statements: number;
}

describe('connection slots', () => {
  let db: TestDatabase;
  const open = new Set<ConnectionSlots>();
  before(async () => {
    db = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all([...open].map((slots) => slots.close()));
    open.clear();
    await db.pool.query('DELETE FROM stream_lease');
    await db.pool.query('DELETE FROM stream_process');
  });
  after(() => db.drop());

  function line(): Line {
    const query = async (...args: Parameters<pg.Pool['query']>) => {
      one.statements += 1;
      if (one.state === 'silent') return new Promise(() => {});
      if (one.state === 'down') throw new Error('no connection');
      return db.pool.query(...args);
    };
    const one = { state: 'up' as Line['state'], statements: 0, query: query as unknown as Queryable['query'] };
    return one;
  }

  /** Starts one process. */
  function process(
    pool: Queryable = db.pool,
    { answerWithinMs = 2_000, livenessLock = NO_LIVENESS_LOCK, ttlMs = TTL_MS } = {},
  ) {
    const options = { pool, logger: quiet, livenessLock, ttlMs, renewalMs: RENEWAL_MS, answerWithinMs };
    const counted = new ConnectionSlots(options);
    open.add(counted);
    const lost: string[] = [];
    return {
      counted,
      lost,
      acquire: ({
        subject = 'account:1',
        slots = 5,
        client = null as string | null,
        keyId = null as number | null,
      } = {}) => counted.acquire({ subject, slots, client, keyId }, { lost: (why) => lost.push(why) }),
    };
  }
  const granted = (slot: Slot | 'full' | 'revoked'): Slot => {
    assert.ok(typeof slot === 'object', String(slot));
    return slot;
  };
  /** Waits until each process that holds slots has renewed them `times` times. */
  async function renewed(times: number): Promise<void> {
    const next = async () => {
      const { rows: processes } = await db.pool.query(
        `SELECT extract(epoch FROM min(expires_at)) * 1000 AS ms FROM stream_process
         WHERE process IN (SELECT left(holder, 12) FROM stream_lease)`,
      );
      return Number(processes[0].ms);
    };
    for (let seen = await next(), renewals = 0; renewals < times; renewals += 1) {
      await until('the processes are renewed', async () => (await next()) > seen);
      seen = await next();
    }
  }
  const rows = async () => (await db.pool.query('SELECT * FROM stream_lease ORDER BY subject, slot')).rows;
  /** Returns the rows of processes that still renew. */
  const live = async () =>
    (
      await db.pool.query(
        'SELECT FROM stream_lease JOIN stream_process ON process = left(holder, 12) WHERE stream_process.expires_at >= now()',
      )
    ).rows.length;

  it('a slot expires 18 s after its last renewal, and the process renews it every 5 s', async () => {
    const ttls: unknown[] = [];
    const pool = {
      query: async (text: string, values: unknown[]) => {
        if (!text.includes('INTO stream_process')) return { rows: [] };
        ttls.push(values[2]);
        return { rows: [{ rows: 0, most: 0, hasExpired: false }] };
      },
    } as unknown as Queryable;
    mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    try {
      open.add(new ConnectionSlots({ pool, logger: quiet }));
      await turn();
      assert.deepEqual(ttls, [18]);
      mock.timers.tick(4_999);
      await turn();
      assert.deepEqual(ttls, [18]);
      mock.timers.tick(1);
      await turn();
      assert.deepEqual(ttls, [18, 18]);
    } finally {
      mock.timers.reset();
    }
  });

  it('an account has five slots for all processes together, and accounts do not share slots', async () => {
    const [one, two] = [process(), process()];
    const first = [
      await one.acquire(),
      await one.acquire(),
      await two.acquire(),
      await two.acquire(),
      await one.acquire(),
    ];
    assert.deepEqual(
      (await rows()).map(({ slot }) => slot),
      [1, 2, 3, 4, 5],
    );
    assert.equal(await one.acquire(), 'full');
    assert.equal(await two.acquire(), 'full');
    granted(await two.acquire({ subject: 'account:2' }));
    granted(first[2]!).release();
    granted(first[2]!).release();
    await until('its row is gone', async () => (await rows()).length === 5);
    granted(await one.acquire());
    assert.equal(await two.acquire(), 'full');
  });

  it('the slot limit is never exceeded, however many clients connect at once', async () => {
    const [one, two] = [process(), process()];
    for (let round = 0; round < 10; round += 1) {
      const asked = await Promise.all(Array.from({ length: 20 }, (_, i) => [one, two][i % 2]!.acquire()));
      const got = asked.filter((slot) => typeof slot === 'object');
      assert.equal(got.length, 5);
      assert.equal((await rows()).length, 5);
      for (const slot of got) slot.release();
      await until('all rows are gone', async () => (await rows()).length === 0);
    }
  });

  it('concurrent requests share statements, so that 3,000 requests need only a few', async () => {
    const pool = line();
    const one = process(pool);
    const asked = await Promise.all(
      Array.from({ length: 3_000 }, (_, i) => one.acquire({ subject: `account:${i % 600}` })),
    );
    assert.equal(asked.filter((slot) => slot === 'full').length, 0);
    assert.equal(await one.acquire({ subject: 'account:599' }), 'full');
    for (const slot of asked) granted(slot).release();
    await until('all rows are gone', async () => (await rows()).length === 0);
    assert.ok(pool.statements < 60, `${pool.statements} statements`);
    assert.equal(one.counted.held(), 0);
  });

  it('a slot that is renewed stays occupied beyond the time to live', async () => {
    const [one, two] = [process(), process()];
    for (let i = 0; i < 5; i += 1) granted(await one.acquire());
    await renewed((2 * TTL_MS) / RENEWAL_MS);
    assert.equal(await two.acquire(), 'full');
    assert.deepEqual(one.lost, []);
  });

  it('a renewal restores a slot row that was deleted', async () => {
    const one = process();
    granted(await one.acquire());
    await db.pool.query('DELETE FROM stream_lease');
    await until('the row is there again', async () => (await rows()).length === 1);
    assert.deepEqual(one.lost, []);
  });

  it('a dead process’s slots become free after the time to live, not earlier', async () => {
    const pool = line();
    const [dead, other] = [process(pool, { answerWithinMs: 50 }), process()];
    for (let i = 0; i < 5; i += 1) granted(await dead.acquire());
    const begun = performance.now();
    pool.state = 'silent';
    assert.equal(await other.acquire(), 'full');
    await until('a slot is free', async () => typeof (await other.acquire()) === 'object');
    const took = performance.now() - begun;
    assert.ok(took > TTL_MS - RENEWAL_MS - 50 && took < TTL_MS + A_BUSY_MACHINE_MS, `${took} ms`);
  });

  it('a slot that a second process has taken over is not renewed by the first process, whose connection ends', async () => {
    const one = process();
    const slot = granted(await one.acquire());
    await db.pool.query("UPDATE stream_lease SET holder = 'another'");
    const taken = await rows();
    await until('the former holder has lost it', () => one.lost.length > 0);
    assert.deepEqual(one.lost, ['replaced']);
    assert.equal(one.counted.held(), 0);
    slot.release();
    await one.counted.close();
    assert.deepEqual(await rows(), taken);
  });

  it('restoreSlots stores only slots that no process has taken meanwhile', async () => {
    const held = [1, 2, 3].map((slot) => ({ subject: 'account:1', slot, holder: `mine-${slot}`, client: null }));
    await db.pool.query(
      "INSERT INTO stream_lease SELECT 'account:1', n, h, NULL, now() + interval '1 s' FROM (VALUES (1, 'mine-1'), (2, 'another')) AS v (n, h)",
    );
    const before = await rows();
    assert.deepEqual(await restoreSlots(db.pool, held, null), new Set(['mine-1', 'mine-3']));
    const after = await rows();
    assert.deepEqual(
      after.map(({ holder, expires_at }) => [holder, expires_at === Number.POSITIVE_INFINITY]),
      [
        ['mine-1', true],
        ['another', false],
        ['mine-3', true],
      ],
    );
    assert.deepEqual(after[1], before[1]);
  });

  it('an ended process’s slots are freed at once when a client finds no free slot', async () => {
    const ended = await openLivenessLock(db.url, quiet);
    const living: LivenessLock = { id: 4_711, judges: () => true, close: async () => {} };
    const pool = line();
    const [first, second] = [
      process(pool, { livenessLock: ended, ttlMs: 30_000 }),
      process(db.pool, { livenessLock: living }),
    ];
    for (let i = 0; i < 5; i += 1) granted(await first.acquire());
    granted(await first.acquire({ subject: 'account:2' }));
    assert.equal(await second.acquire(), 'full');
    // A process that has ended must not store its slots again.
    pool.state = 'down';
    await ended.close();
    await until('one is granted', async () => typeof (await second.acquire()) === 'object');
    granted(await second.acquire());
    assert.equal((await rows()).filter(({ subject }) => subject === 'account:1').length, 2);
    // The expired slots of the other account stay, because no client has asked for one.
    assert.equal((await rows()).filter(({ subject }) => subject === 'account:2').length, 1);
  });

  it('a released slot is free for the account’s next client, even in the same statement', async () => {
    const one = process();
    const held: Slot[] = [];
    for (let i = 0; i < 5; i += 1) held.push(granted(await one.acquire()));
    for (let round = 0; round < 5; round += 1) {
      held.shift()!.release();
      held.push(granted(await one.acquire()));
    }
    assert.equal((await rows()).length, 5);
    assert.deepEqual(one.lost, []);
  });

  it('a request waits for releases that a process with many slots has not yet sent', async () => {
    const [one, two] = [process(), process()];
    const many = (
      await Promise.all(Array.from({ length: 5_000 }, (_, i) => one.acquire({ subject: `account:${2 + (i % 1_000)}` })))
    ).map(granted);
    await renewed(2);
    many[0]!.release();
    granted(await two.acquire({ subject: 'account:2' }));
    assert.equal(await two.acquire({ subject: 'account:2' }), 'full');
  });

  it('opening and closing streams share SQL statements if the process has many slots', async () => {
    const pool = line();
    const one = process(pool);
    await Promise.all(Array.from({ length: 5_000 }, (_, i) => one.acquire({ subject: `account:${i % 1_000}` })));
    const [before, begun] = [pool.statements, performance.now()];
    for (let i = 0; i < 100; i += 1) {
      const slot = one.acquire({ subject: `account:${1_000 + i}` });
      await sleep(5);
      void slot.then((taken) => granted(taken).release());
    }
    await until('all are released', () => one.counted.held() === 5_000);
    const ms = performance.now() - begun;
    // At most one statement in 200 ms, and the renewals.
    const most = ms / 200 + 1 + ms / RENEWAL_MS + 1;
    assert.ok(pool.statements - before <= most, `${pool.statements - before} statements in ${ms} ms`);
  });

  it('rows for which no process holds a connection are deleted', async () => {
    const pool = line();
    const one = process(pool);
    const slot = granted(await one.acquire());
    granted(await one.acquire());
    pool.state = 'down';
    await until('it counts alone', () => one.counted.countsAlone());
    slot.release();
    assert.equal((await rows()).length, 2);
    pool.state = 'up';
    await until('the row is gone', async () => (await rows()).length === 1);
    assert.equal(one.counted.countsAlone(), false);
    await db.pool.query(
      "INSERT INTO stream_lease SELECT 'account:2', 1, left(holder, 12) || '-99', NULL, 'infinity' FROM stream_lease",
    );
    await until('the other row is gone', async () => (await rows()).length === 1);
    assert.deepEqual(one.lost, []);
  });

  it('an expired slot is taken by only one client', async () => {
    const [one, two] = [process(), process()];
    await db.pool.query(
      "INSERT INTO stream_lease SELECT 'account:1', n, 'dead', NULL, now() - interval '1 s' FROM generate_series(1, 5) n",
    );
    const asked = await Promise.all(Array.from({ length: 12 }, (_, i) => [one, two][i % 2]!.acquire()));
    assert.equal(asked.filter((slot) => typeof slot === 'object').length, 5);
    assert.ok((await rows()).every(({ holder }) => holder !== 'dead'));
  });

  describe('with a client name', () => {
    it('a client takes over its own slot in the same process, and the earlier connection ends at once', async () => {
      const one = process();
      for (let i = 0; i < 4; i += 1) granted(await one.acquire());
      granted(await one.acquire({ client: 'page-of-mine' }));
      const again = granted(await one.acquire({ client: 'page-of-mine' }));
      assert.deepEqual(one.lost, ['replaced']);
      assert.equal((await rows()).length, 5);
      assert.equal(await one.acquire({ client: 'another-page' }), 'full');
      assert.equal(await one.acquire(), 'full');
      again.release();
      await until('its slot is free', async () => (await rows()).length === 4);
      granted(await one.acquire({ client: 'another-page' }));
    });

    it('a client takes over its own slot from another process, and the earlier connection ends within the renewal interval', async () => {
      const [one, two] = [process(), process()];
      const before = granted(await one.acquire({ client: 'page-of-mine' }));
      const begun = performance.now();
      granted(await two.acquire({ client: 'page-of-mine' }));
      await until('the first has lost its slot', async () => one.lost.length === 1);
      assert.ok(performance.now() - begun < RENEWAL_MS + A_BUSY_MACHINE_MS);
      assert.deepEqual([one.lost, two.lost], [['replaced'], []]);
      before.release();
      await renewed(1);
      assert.equal((await rows()).length, 1);
    });

    it('a client name is valid only within one account', async () => {
      const one = process();
      granted(await one.acquire({ client: 'page-of-mine' }));
      granted(await one.acquire({ client: 'page-of-mine', subject: 'account:2' }));
      assert.deepEqual(one.lost, []);
    });

    it('a client that connects dozens of times at once is left with one connection', async () => {
      const [one, two] = [process(), process()];
      await Promise.all(Array.from({ length: 30 }, (_, i) => [one, two][i % 2]!.acquire({ client: 'page-of-mine' })));
      await until('all but the last have lost their slots', async () => one.lost.length + two.lost.length >= 28);
      assert.ok((await rows()).length <= 2);
    });
  });

  describe('while Postgres is unavailable', () => {
    for (const state of ['down', 'silent'] as const) {
      it(`connections continue, and each process counts new connections alone (${state})`, async () => {
        const pool = line();
        const one = process(pool, { answerWithinMs: 50 });
        for (let i = 0; i < 3; i += 1) granted(await one.acquire());
        pool.state = state;
        const alone = [await one.acquire(), await one.acquire()].map(granted);
        assert.equal(await one.acquire(), 'full');
        granted(await one.acquire({ subject: 'account:2' }));
        await until('the slots have expired', async () => (await live()) === 0);
        assert.equal((await rows()).length, 3);
        assert.deepEqual(one.lost, []);
        alone[0]!.release();
        granted(await one.acquire());
        pool.state = 'up';
        await until('all have a row', async () => (await rows()).length === 6);
        assert.deepEqual(one.lost, []);
        assert.equal(await one.acquire(), 'full');
      });
    }

    it('a client takes over its own slot even without Postgres', async () => {
      const pool = line();
      const one = process(pool);
      for (let i = 0; i < 4; i += 1) granted(await one.acquire());
      granted(await one.acquire({ client: 'page-of-mine' }));
      pool.state = 'down';
      granted(await one.acquire({ client: 'page-of-mine' }));
      assert.deepEqual(one.lost, ['replaced']);
      assert.equal(await one.acquire(), 'full');
      pool.state = 'up';
      await until('the new one has the slot', async () => {
        const { rows: mine } = await db.pool.query('SELECT holder FROM stream_lease WHERE client IS NOT NULL');
        return mine.length === 1 && mine[0].holder.endsWith('-6');
      });
      await renewed(2);
      assert.deepEqual(one.lost, ['replaced']);
    });

    it('connections above the limit for all processes end when Postgres returns', async () => {
      const pool = line();
      const [one, two] = [process(pool), process()];
      for (let i = 0; i < 3; i += 1) granted(await two.acquire());
      pool.state = 'down';
      for (let i = 0; i < 4; i += 1) granted(await one.acquire());
      pool.state = 'up';
      await until('two have lost their slots', async () => one.lost.length === 2);
      assert.deepEqual([one.lost, two.lost], [['full', 'full'], []]);
      assert.equal((await rows()).length, 5);
    });

    it('a request whose answer arrives too late is not counted twice', async () => {
      const late: Queryable = {
        query: (async (...args: Parameters<pg.Pool['query']>) => {
          if (String(args[0]).includes('WITH asked') && first) {
            first = false;
            const answer = await db.pool.query(...args);
            await sleep(100);
            return answer;
          }
          return db.pool.query(...args);
        }) as unknown as Queryable['query'],
      };
      let first = true;
      const one = process(late, { answerWithinMs: 50 });
      const slot = granted(await one.acquire());
      await until('it has a row', async () => (await rows()).length > 0);
      await renewed(2);
      assert.equal((await rows()).length, 1);
      slot.release();
      await until('no row is left', async () => (await rows()).length === 0);
    });
  });

  it('a revoked or expired key gets no slot', async () => {
    const one = process();
    const { keyId } = await createKey(db.pool, systemClock, { email: 'leases@example.com', plan: 'pro' });
    const slot = granted(await one.acquire({ keyId }));
    slot.release();
    await db.pool.query("UPDATE api_key SET expires_at = now() - interval '1 s' WHERE id = $1", [keyId]);
    assert.equal(await one.acquire({ keyId }), 'revoked');
    await db.pool.query('UPDATE api_key SET expires_at = NULL, revoked_at = now() WHERE id = $1', [keyId]);
    assert.equal(await one.acquire({ keyId }), 'revoked');
    await db.pool.query("UPDATE api_key SET revoked_at = NULL, scopes = '{read}' WHERE id = $1", [keyId]);
    assert.equal(await one.acquire({ keyId }), 'revoked');
    assert.equal(await one.acquire({ keyId: 999_999 }), 'revoked');
    const { rows: people } = await db.pool.query(
      `WITH person AS (INSERT INTO member (email, created_at) VALUES ('viewer@example.com', now()) RETURNING id),
         joined AS (INSERT INTO membership (account_id, member_id, role, created_at)
           SELECT k.account_id, p.id, 'developer', now() FROM api_key k, person p WHERE k.id = $1)
       UPDATE api_key k SET scopes = NULL, member_id = p.id FROM person p WHERE k.id = $1 RETURNING p.id`,
      [keyId],
    );
    granted(await one.acquire({ keyId })).release();
    await db.pool.query("UPDATE membership SET role = 'viewer' WHERE member_id = $1", [people[0].id]);
    assert.equal(await one.acquire({ keyId }), 'revoked');
    assert.equal((await rows()).length, 0);
  });

  it('of two connections that hold one slot after a standstill, the later one keeps it', async () => {
    const held = ['process-1234-1', 'process-1234-2'].map((holder) => ({
      subject: 'account:1',
      slot: 1,
      holder,
      client: null,
    }));
    assert.deepEqual([...(await restoreSlots(db.pool, held, null))], ['process-1234-2']);
  });

  it('rows from dead processes are deleted, even if an earlier release wrote them', async () => {
    const one = process();
    granted(await one.acquire());
    await db.pool.query("INSERT INTO stream_lease VALUES ('session:x', 1, 'dead', NULL, now() - interval '1 s')");
    await db.pool.query("INSERT INTO stream_lease VALUES ('session:y', 1, 'dead-process-1', NULL, 'infinity')");
    await db.pool.query("INSERT INTO stream_lease VALUES ('session:z', 1, 'live-process-1', NULL, 'infinity')");
    await db.pool.query("INSERT INTO stream_process VALUES ('live-process', 1, now() + interval '1 hour')");
    await dropExpiredSlots(db.pool);
    assert.deepEqual(
      (await rows()).map(({ subject }) => subject),
      ['account:1', 'session:z'],
      'a slot whose process has no row was taken by the last statement of a process that was killed',
    );
    await db.pool.query("INSERT INTO stream_lease VALUES ('session:y', 1, 'dead-process-1', NULL, 'infinity')");
    await db.pool.query("INSERT INTO stream_process VALUES ('dead-process', 1, now() - interval '1 s')");
    const processes = async () =>
      (await db.pool.query('SELECT process FROM stream_process ORDER BY process')).rows.map(({ process }) => process);
    await until('a renewal deletes them', async () => !(await processes()).includes('dead-process'));
    assert.deepEqual(
      (await rows()).map(({ subject }) => subject),
      ['account:1', 'session:z'],
    );
    assert.equal((await processes()).length, 2);
  });

  describe('during an update from the release that renews slots one by one', () => {
    const LONG_MS = 60_000;
    it('the limit holds for both releases together, and no connection ends', async () => {
      const [earlier, one] = [earlierProcess(db.pool, 'earlier-pod-', LONG_MS), process()];
      for (let i = 0; i < 2; i += 1) assert.ok(await earlier.acquire('account:1', 5));
      for (let i = 0; i < 2; i += 1) granted(await one.acquire());
      assert.ok(await earlier.acquire('account:1', 5));
      assert.equal(await earlier.acquire('account:1', 5), false);
      assert.equal(await one.acquire(), 'full');
      // Waits for longer than this release's slots live.
      await renewed((2 * TTL_MS) / RENEWAL_MS);
      await earlier.dropExpired();
      await earlier.renew();
      assert.equal(await earlier.acquire('account:1', 5), false);
      assert.equal(await one.acquire(), 'full');
      assert.equal(earlier.held().length, 3);
      assert.deepEqual(one.lost, []);
      await one.counted.close();
      assert.ok(await earlier.acquire('account:1', 5));
    });

    it('a client can take over its slot from either release', async () => {
      const [earlier, one] = [earlierProcess(db.pool, 'earlier-pod-', LONG_MS), process()];
      granted(await one.acquire({ client: 'page-of-mine' }));
      assert.ok(await earlier.acquire('account:1', 5, 'page-of-mine'));
      await until('its connection here has ended', () => one.lost.length > 0);
      assert.deepEqual(one.lost, ['replaced']);
      await earlier.renew();
      assert.equal(earlier.held().length, 1);
      granted(await one.acquire({ client: 'page-of-mine' }));
      await earlier.renew();
      assert.equal(earlier.held().length, 0);
      await renewed(2);
      assert.deepEqual(one.lost, ['replaced']);
      assert.equal((await rows()).length, 1);
    });

    it('slots of a dead process on either release become free after the time to live, for clients on both releases', async () => {
      const [earlier, later] = [
        earlierProcess(db.pool, 'earlier-pod-', 2_000),
        earlierProcess(db.pool, 'earlier-two-', LONG_MS),
      ];
      const pool = line();
      const [dead, one] = [process(pool, { answerWithinMs: 50 }), process()];
      for (let i = 0; i < 5; i += 1) assert.ok(await earlier.acquire('account:1', 5));
      for (let i = 0; i < 5; i += 1) granted(await dead.acquire({ subject: 'account:2' }));
      assert.equal(await one.acquire(), 'full');
      pool.state = 'silent';
      await until('a slot is free', async () => typeof (await one.acquire()) === 'object');
      await until('the earlier release finds one', () => later.acquire('account:2', 5));
      granted(await one.acquire({ subject: 'account:2' }));
    });
  });

  it('a process that stops releases all its slots and takes no new ones', async () => {
    const one = process();
    for (let i = 0; i < 5; i += 1) granted(await one.acquire());
    await one.counted.close();
    assert.equal((await rows()).length, 0);
    granted(await one.acquire()).release();
    assert.equal((await rows()).length, 0);
    assert.deepEqual(one.lost, []);
  });
});
