import assert from 'node:assert/strict';
import pg from 'pg';
import { openPool } from '../../src/db/postgres.ts';
import type { LogRecord } from '../../src/events/event-log.ts';
import { writeOutbox } from '../../src/events/outbox.ts';
import { openPostgresLog, type PostgresLog } from '../../src/events/postgres-log.ts';
import { relayLease } from '../../src/events/relay-lease.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventWriter } from '../support/events.ts';
import { until } from '../support/until.ts';

/**
 * Measures what the log's statements cost on one connection, so that each statement meets the plans that earlier ones
 * have left.
 */
describe('an event log in a Postgres table', () => {
  let db: TestDatabase;
  let pool: pg.Pool;
  let log: PostgresLog;
  let lease: number;
  const events = eventWriter();
  const some = (count: number) =>
    events.write(
      pool,
      Array.from({ length: count }, () => ({})),
    );
  beforeEach(async () => {
    db = await createTestDatabase();
    pool = openPool(db.url, { warn: () => {} }, 1);
    log = openPostgresLog(pool);
    lease = (await relayLease.take(pool, 'test'))!;
  });
  afterEach(async () => {
    await log.close();
    await pool.end();
    await db.drop();
  });

  /** Returns how many outbox rows the statements have read. */
  async function rowsRead(): Promise<number> {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ rows: number }>(
      "SELECT idx_tup_fetch + seq_tup_read AS rows FROM pg_stat_user_tables WHERE relname = 'outbox'",
    );
    return rows[0]!.rows;
  }

  it('reads only the rows of a batch from a long outbox, even if the query was planned for a nearly empty one', async () => {
    await some(1_000);
    while ((await log.move(lease)) > 0);
    // Leaves pages without rows. The planner then assumes that every page is empty, even on a new connection.
    await pool.query('VACUUM (ANALYZE, TRUNCATE off) outbox');
    await pool.end();
    pool = openPool(db.url, { warn: () => {} }, 1);
    await log.close();
    log = openPostgresLog(pool);
    await some(1);
    assert.equal(await log.move(lease), 1);
    await some(10_000);
    const before = await rowsRead();
    assert.equal(await log.move(lease), 500);
    const cost = (await rowsRead()) - before;
    assert.ok(cost <= 2_000, `${cost} rows were read`);
  });

  it('prepares only one statement for reads on a connection, however many events are requested', async () => {
    await some(30);
    while ((await log.move(lease)) > 0);
    const statements = async () =>
      (await pool.query<{ name: string }>('SELECT name FROM pg_prepared_statements')).rows.length;
    await log.read(0, { records: 1, bytes: 1_000 });
    const before = await statements();
    for (let records = 2; records < 30; records += 1)
      assert.equal((await log.read(0, { records, bytes: 1_000_000 })).length, records);
    assert.equal(await statements(), before);
  });

  it('grows even if the server cannot accept notices', async () => {
    const full = Object.assign(new Error('too many notifications in the NOTIFY queue'), { code: '54000' });
    let refused = 0;
    const client = Object.assign(new pg.Client(db.url), { release() {} });
    await client.connect();
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    client.query = ((...given: unknown[]) => {
      if (!String(given[0]).includes("'to '")) return query(...given);
      refused += 1;
      return Promise.reject(full);
    }) as typeof client.query;
    const onClient = { query: pool.query.bind(pool), connect: async () => client } as unknown as pg.Pool;
    const another = openPostgresLog(onClient, {
      appendNotice: { channel: 'test_appends', payload: 'to ' },
      onAppend: () => () => {},
    });
    const ends: (number | undefined)[] = [];
    another.onAppend((end) => ends.push(end));
    const written = await some(2);
    assert.equal(await another.move(lease), 2);
    assert.equal(refused, 1);
    assert.deepEqual(
      (await another.read(0, { records: 9, bytes: 1e6 })).map(({ envelope }) => envelope),
      written,
    );
    assert.ok(ends.includes(2));
    await another.close();
    await client.end();
  });

  describe('with notices', () => {
    /** Notices about appends, as other processes receive them. */
    let notified: string[];
    let listening: pg.Client;
    let listeners: Set<(text?: string) => void>;
    /** The log in a second process. The test sends the notices to its readers. */
    let another: PostgresLog;
    let ends: (number | undefined)[];
    const ENOUGH = { records: 100, bytes: 1e6 };

    beforeEach(async () => {
      notified = [];
      listeners = new Set();
      ends = [];
      listening = new pg.Client(db.url);
      await listening.connect();
      listening.on('notification', ({ payload = '' }) => notified.push(payload));
      await listening.query('LISTEN test_appends');
      another = openPostgresLog(pool, {
        appendNotice: { channel: 'test_appends', payload: 'to ' },
        onAppend: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      });
      another.onAppend((end) => ends.push(end));
    });
    afterEach(async () => {
      await another.close();
      await listening.end();
      assert.equal(listeners.size, 0);
    });

    const notify = (text?: string) => {
      for (const listener of listeners) listener(text);
    };
    /** Moves events, and returns the notice's text. */
    async function move(count: number): Promise<string> {
      const before = notified.length;
      assert.equal(await another.move(lease), count);
      await until('the append has been notified', () => notified.length > before);
      return notified.at(-1)!.slice('to '.length);
    }
    const writeEnvelope = (envelope: string) => writeOutbox(pool, [{ ...events.row({}), envelope }]);
    /** Counts the statements that `work` sends. */
    async function statements(work: () => Promise<unknown>): Promise<number> {
      let count = 0;
      const { query } = pool;
      pool.query = ((...given: Parameters<typeof query>) => {
        count += 1;
        return query.apply(pool, given);
      }) as typeof query;
      await work();
      pool.query = query;
      return count;
    }

    it('tells every process about the new end when it appends, and the notice calls the readers', async () => {
      assert.equal(await another.move(lease), 0);
      await some(3);
      assert.equal(await move(3), '3');
      await some(2);
      assert.equal(await move(2), '5');
      assert.equal(notified.length, 2);
      notify('9');
      assert.deepEqual(
        ends.filter((end) => end !== undefined),
        [3, 5, 9],
      );
      const before = ends.length;
      await until('it polls without notices as well', () => ends.length > before);
      assert.equal(ends.at(-1), undefined);
    });

    it('sends a single record in the notice, byte for byte, and does not read it again', async () => {
      const envelopes = ['{"a":"\\"\\\\Ж:\\u2028\u2028, 😀"}', '[]', `{"b":"${"x'\\n".repeat(500)}"}`];
      for (const [index, envelope] of envelopes.entries()) {
        await writeEnvelope(envelope);
        notify(await move(1));
        let read: LogRecord[] = [];
        const work = async () => {
          read = await another.read(index, ENOUGH);
        };
        assert.equal(await statements(work), 0);
        assert.deepEqual(read, await log.read(index, ENOUGH));
        assert.equal(read[0]!.envelope, envelope);
      }
      for (const limit of [ENOUGH, { records: 2, bytes: 1e6 }, { records: 9, bytes: 30 }, { records: 1, bytes: 1 }]) {
        assert.equal(await statements(() => another.read(0, limit)), 0);
        assert.deepEqual(await another.read(0, limit), await log.read(0, limit));
      }
    });

    it('reads a record from the table if the relay of an earlier release did not send the time', async () => {
      await some(1);
      const text = await move(1);
      const { appendedAt, ...earlier } = JSON.parse(text.slice(2));
      assert.equal(typeof appendedAt, 'number');
      notify(`1:${JSON.stringify(earlier)}`);
      assert.equal(await statements(() => another.read(0, ENOUGH)), 1);
      assert.deepEqual(await another.read(0, ENOUGH), await log.read(0, ENOUGH));
    });

    it('reads a record that is too large for a notice', async () => {
      const envelope = JSON.stringify({ text: 'Ж'.repeat(4_000) });
      await writeEnvelope(envelope);
      const text = await move(1);
      assert.equal(text, '1');
      notify(text);
      assert.equal((await another.read(0, ENOUGH))[0]!.envelope, envelope);
      // With lengths around a notice's size limit, each record is either included or left out, and Postgres never refuses the notice.
      for (let length = 7_500; length < 7_900; length += 17) {
        await writeEnvelope('x'.repeat(length));
        await move(1);
      }
      assert.ok(notified.some((one) => one.length > 7_700));
    });

    it('does not mistake records after a gap for earlier ones, even if notices may have been missed', async () => {
      const texts: string[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        await some(1);
        texts.push(await move(1));
      }
      notify(texts[0]);
      notify(texts[2]);
      assert.equal((await another.read(0, ENOUGH)).length, 4);
      assert.equal(await statements(() => another.read(2, ENOUGH)), 0);
      notify();
      assert.equal(await statements(() => another.read(2, ENOUGH)), 1);
      notify(texts[3]);
      assert.equal(await statements(() => another.read(3, ENOUGH)), 0);
      notify('9');
      assert.equal(await statements(() => another.read(3, ENOUGH)), 1);
    });
  });
});
