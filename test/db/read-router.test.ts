import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { ChangeListener } from '../../src/db/notices.ts';
import { openPlannedReads, type PlannedReads } from '../../src/db/planned-reads.ts';
import { openPool, type Queryable } from '../../src/db/postgres.ts';
import { ReadRouter } from '../../src/db/read-router.ts';
import { IDENTITY, type Identity, Replica } from '../../src/db/replica.ts';
import { readAbout, readOnConnection, readTransaction } from '../../src/db/routed-reads.ts';
import { hasReached, NOWHERE } from '../../src/wire/position.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts';
import { until } from '../support/until.ts';

const logger = pino({ level: 'silent' });

/** A number in a table of the service, since statements are checked against the schema. */
describe('reads with a replica', function suite() {
  this.timeout(60_000);
  let servers: ReplicatedPostgres;
  let pool: pg.Pool;
  let reads: PlannedReads;
  let router: ReadRouter;
  let registry: Registry;
  let notify: ChangeListener;

  async function openRouter(readUrl: string) {
    registry = new Registry();
    const changes = {
      subscribe(listener: ChangeListener) {
        notify = listener;
        return () => {};
      },
    };
    const given = { databaseUrl: servers.url, pool, reads, changes, logger, registry, connections: 4 };
    router = await ReadRouter.open({ ...given, readUrl });
  }

  before(async () => {
    servers = await startReplicatedPostgres();
    pool = openPool(servers.url, logger);
    reads = openPlannedReads(servers.url, logger);
    await pool.query('UPDATE event_log_floor SET floor = 0');
    await servers.caughtUp();
  });
  beforeEach(() => openRouter(servers.readUrl));
  afterEach(() => router.close());
  after(async () => {
    await reads.end();
    await pool.end();
    await servers.close();
  });

  const write = (value: number) => pool.query('UPDATE event_log_floor SET floor = $1', [value]);
  const READ = 'SELECT floor AS value, pg_is_in_recovery() AS replica FROM event_log_floor';
  const read = async (db: Queryable = router.pool) =>
    (await db.query<{ value: number; replica: boolean }>(READ)).rows[0]!;
  const readCounts = async () => {
    const { values } = await registry.getSingleMetric('touchline_replica_reads_total')!.get();
    return new Map(values.map(({ labels, value }) => [`${labels.target} ${labels.reason}`.trim(), value] as const));
  };

  it('use the replica, on both kinds of connections and for copies', async () => {
    await write(1);
    await servers.caughtUp();
    assert.deepEqual(await read(), { value: 1, replica: true });
    assert.deepEqual(await read(router.reads), { value: 1, replica: true });
    const copied = await readOnConnection(router.pool, async (client) => (await client.query(READ)).rows[0]);
    assert.deepEqual(copied, { value: 1, replica: true });
    assert.equal((await readCounts()).get('replica'), 3);
    assert.deepEqual(await read(router.primary.pool), { value: 1, replica: false });
  });

  it('give a position that includes a commit which can be seen before the replay counts it', async () => {
    const [replay] = await servers.onStandby<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'startup'",
    );
    let isDone = false;
    /** Where the log ended after each commit, by the value that it wrote. */
    const ends = new Map<number, number>();
    const writing = (async () => {
      for (let value = 1_000_000; !isDone; value += 1) {
        await write(value);
        const { rows } = await pool.query("SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS lsn");
        ends.set(value, rows[0].lsn);
      }
    })();
    // Without these stops, the replay counts a commit some microseconds after it can be seen.
    const stopping = (async () => {
      for (; !isDone; await new Promise((resolve) => setImmediate(resolve))) {
        process.kill(replay!.pid, 'SIGSTOP');
        await sleep(1);
        process.kill(replay!.pid, 'SIGCONT');
      }
    })();
    let last = NOWHERE;
    const replica = new Replica({
      address: servers.readUrl,
      logger,
      pools: 1,
      max: 1,
      settings: '',
      identity: async () => (await pool.query<Identity>(IDENTITY)).rows[0]!,
      onReplayed: (_replayed, shown) => {
        last = shown;
      },
    });
    const seen: { value: number; lsn: number }[] = [];
    for (const end = performance.now() + 5_000; performance.now() < end; ) {
      const { value } = await replica.read(NOWHERE, 0, async (client) => (await client.query(READ)).rows[0]);
      seen.push({ value, lsn: last.lsn });
    }
    isDone = true;
    await Promise.all([writing, stopping]);
    await replica.end();
    await write(1);
    // The log may end after a page's header, which is in no record.
    const HEADER_BYTES = 24;
    // A record ends at a multiple of eight bytes, so that a later byte stands for the record after that.
    const older = seen.filter(({ value, lsn }) => lsn % 8 === 0 && lsn + HEADER_BYTES < (ends.get(value) ?? 0));
    assert.deepEqual(older, []);
    assert.ok(seen.length > 100, 'the replica has answered');
  });

  it('run transactions with settings on the replica, and on the primary what the replica refuses', async () => {
    await servers.caughtUp();
    const settings = ["SET LOCAL application_name = 'with settings'"];
    const inTransaction = (statement: string) =>
      readTransaction(router.pool, async (client) => (await client.query(statement)).rows[0], settings);
    const statement = "SELECT pg_is_in_recovery() AS replica, current_setting('application_name') AS name";
    assert.deepEqual(await inTransaction(statement), { replica: true, name: 'with settings' });
    assert.deepEqual(
      await inTransaction('SELECT pg_is_in_recovery() AS replica, pg_current_wal_lsn() IS NULL AS lost'),
      {
        replica: false,
        lost: false,
      },
    );
    // A transaction that fails leaves nothing behind on its connection.
    await assert.rejects(inTransaction("SELECT 'x'::int"), { code: '22P02' });
    await assert.rejects(inTransaction('UPDATE event_log_floor SET floor = 9'), { code: '25006' });
    assert.deepEqual(await read(), { value: 1, replica: true });
  });

  it('take connections for other work from the primary', async () => {
    const client = await router.pool.connect();
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS replica');
    client.release();
    assert.deepEqual(rows, [{ replica: false }]);
  });

  it('see what a notice has named, and leave the replica only for that', async () => {
    await servers.pause();
    try {
      await write(2);
      assert.equal((await read()).value, 1);
      notify([7], { events: true });
      assert.deepEqual(await read(), { value: 2, replica: false });
      assert.deepEqual(await read(readAbout(router.pool, [7])), { value: 2, replica: false });
      assert.deepEqual(await read(readAbout(router.pool, [8])), { value: 1, replica: true });
      notify('all', { events: false });
      await read();
      assert.deepEqual(await read(readAbout(router.pool, [8])), { value: 2, replica: false });
    } finally {
      await servers.resume();
    }
    await servers.caughtUp();
    assert.deepEqual(await read(), { value: 2, replica: true });
  });

  it('reach a position that a client names, and never show what they did before', async () => {
    await servers.pause();
    try {
      await write(3);
      const position = (await router.committed())!;
      assert.equal(router.covers(position), false);
      assert.equal(await router.reach(position), 'primary');
      assert.deepEqual(await read(router.primary.pool), { value: 3, replica: false });
      assert.ok(hasReached(router.shown, position));
      await servers.resume();
      await servers.caughtUp();
      assert.equal(await router.reach(position), 'reached');
      assert.equal(router.covers(position), true);
      assert.deepEqual(await read(), { value: 3, replica: true });
    } finally {
      await servers.resume();
    }
  });

  it('ignore a position that the primary has not reached', async () => {
    const { timeline, lsn } = (await router.committed())!;
    assert.equal(await router.reach({ timeline, lsn: lsn + 1e9 }), 'unknown');
    assert.equal(await router.reach({ timeline: timeline + 1, lsn: 1 }), 'unknown');
    assert.equal((await read()).replica, true);
  });

  it('wait for a replica that is a few milliseconds behind', async () => {
    await write(4);
    notify([1], { events: false });
    assert.equal((await read()).value, 4);
  });

  it('use the primary for a statement that the replica refuses, and throw what a value causes', async () => {
    await router.pool.query('UPDATE event_log_floor SET floor = 5');
    assert.equal((await readCounts()).get('primary error'), 1);
    await assert.rejects(router.pool.query('SELECT $1::int', ['x']), { code: '22P02' });
    assert.equal((await readCounts()).get('primary error'), 1);
    await servers.caughtUp();
    assert.deepEqual(await read(), { value: 5, replica: true });
  });

  it('leave a replica that is more than 5 seconds behind, and return to it', async () => {
    await servers.caughtUp();
    await servers.pause();
    try {
      await write(6);
      await sleep(3_000);
      assert.deepEqual(await read(), { value: 5, replica: true });
      await until('the replica rests', async () => !(await read()).replica, 4_000);
      assert.equal((await read()).value, 6);
      const gauge = await registry.getSingleMetric('touchline_replica_lag_seconds')!.get();
      assert.ok(gauge.values[0]!.value >= 5, `a lag of ${gauge.values[0]!.value} s`);
    } finally {
      await servers.resume();
    }
    await until('the replica is used', async () => (await read()).replica);
  });

  it('use the primary while the replica is down, without an error', async () => {
    const answers: boolean[] = [];
    let isDone = false;
    const reading = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!isDone) answers.push((await read()).replica);
      }),
    );
    await sleep(100);
    await servers.stopStandby();
    await sleep(300);
    assert.equal((await read()).replica, false);
    await servers.startStandby();
    await until('the replica is used', async () => (await read()).replica, 20_000);
    isDone = true;
    await reading;
    assert.ok(answers.includes(true) && answers.includes(false));
  });

  it('use the primary if the replica belongs to another database', async () => {
    const other: TestDatabase = await createTestDatabase();
    await router.close();
    await openRouter(other.url);
    assert.equal((await read()).replica, false);
    await until('the replica rests', async () => (await readCounts()).has('primary other_database'));
    await router.close();
    // A database of the same server is another database as well.
    await openRouter(servers.readUrl.replace('/touchline?', '/postgres?'));
    assert.equal((await read()).value, 6);
    assert.ok((await readCounts()).has('primary other_database'));
    await router.close();
    await openRouter(servers.readUrl);
    await other.drop();
  });

  it('use the primary after the replica was promoted', async () => {
    assert.equal((await read()).replica, true);
    await servers.promote();
    await servers.onStandby('SELECT pg_sleep(0.1)');
    await write(7);
    for (let count = 0; count < 20; count += 1) assert.equal((await read()).value, 7);
    assert.ok((await readCounts()).get('primary promoted')! > 0);
  });
});
