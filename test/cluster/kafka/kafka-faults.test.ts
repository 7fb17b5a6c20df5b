/** Tests the event log on a real Kafka, with every kind of failure that has ever lost rows or moved cursors back. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import type pg from 'pg';
import { LeaseLost } from '../../../src/db/lease.ts';
import { transaction } from '../../../src/db/postgres.ts';
import { CursorExpired, LogAway, type LogRecord } from '../../../src/events/event-log.ts';
import { openKafkaConnection } from '../../../src/events/kafka-connection.ts';
import { type KafkaLog, openKafkaLog } from '../../../src/events/kafka-log.ts';
import { type OutboxRow, writeOutbox } from '../../../src/events/outbox.ts';
import { relayLease } from '../../../src/events/relay-lease.ts';
import { toProblem } from '../../../src/http/errors.ts';
import { startRelay } from '../../../src/relay/relay.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventWriter } from '../../support/events.ts';
import { type Kafka, sharedKafka, stopSharedKafka } from '../../support/kafka.ts';
import { startFaultyProxy } from '../../support/kafka-proxy.ts';
import { randomNumbers } from '../../support/random.ts';

const { Kafka: Client } = createRequire(import.meta.url)('kafkajs') as typeof import('kafkajs');

/** The long run is `KAFKA_BATCHES=10000 make test-cluster`. */
const BATCHES = Number(process.env.KAFKA_BATCHES ?? 300);
const SEED = Number(process.env.KAFKA_SEED ?? 1);
const EVERYTHING = { records: 1_000_000, bytes: 1e9 };

after(stopSharedKafka);

(process.env.KAFKA_BROKERS ? describe.skip : describe)('the event log when Kafka fails', function () {
  this.timeout(120_000);
  let db: TestDatabase;
  let pool: pg.Pool;
  let kafka: Kafka;
  let admin: Admin;
  let topic: string;
  let topics = 0;
  let lease: number;
  let events: ReturnType<typeof eventWriter>;
  let told: { level: string; text: string }[];
  const logs: KafkaLog[] = [];
  const tell = (level: string) => (_details: unknown, text?: string) =>
    void told.push({ level, text: text ?? String(_details) });
  const logger = { debug: () => {}, info: tell('info'), warn: tell('warn'), error: tell('error') };

  before(async () => {
    db = await createTestDatabase();
    ({ pool } = db);
    kafka = await sharedKafka();
    admin = new Client({ brokers: [kafka.broker], logLevel: 0, retry: { retries: 20 } }).admin();
    await admin.connect();
  });
  after(async () => {
    await admin?.disconnect();
    await db.drop();
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE outbox, match_touch');
    await pool.query(
      "UPDATE relay SET generation = 0, base = 0, last_offset = 0, expires_at = '-infinity', holder = NULL",
    );
    lease = (await relayLease.take(pool, 'test'))!;
    topics += 1;
    topic = `touchline.faults.${process.pid}.${topics}`;
    events = eventWriter();
    told = [];
  });
  afterEach(async () => {
    for (const log of logs.splice(0)) await log.close();
  });

  /**
   * Opens the log. If it fails, tries again as the service does, since on a busy machine the broker may take longer to
   * create a topic than the short timeout.
   */
  async function open(options: Partial<Parameters<typeof openKafkaLog>[0]> = {}, attempts = 5): Promise<KafkaLog> {
    const all = { brokers: [kafka.broker], topic, pool, logger, requestTimeoutMs: 1_000, ...options };
    const log = await openKafkaLog(all).catch((error) => {
      if (!(error instanceof LogAway) || attempts === 1) throw error;
      return null;
    });
    if (log === null) return open(options, attempts - 1);
    logs.push(log);
    return log;
  }
  const write = (count: number) =>
    events.write(
      pool,
      Array.from({ length: count }, (_, index) => ({ match: index % 3 })),
    );
  const waiting = async () => Number((await pool.query('SELECT count(*) FROM outbox')).rows[0].count);
  const relayRow = async () =>
    (await pool.query('SELECT base, last_offset FROM relay')).rows[0] as { base: number; last_offset: number };

  /**
   * Moves all events as the relay does, and repeats failed steps.
   * @returns the number of failures
   */
  async function moveAll(log: KafkaLog, pauseMs = 0): Promise<number> {
    for (let failed = 0; ; ) {
      try {
        if ((await log.move(lease)) === 0) return failed;
      } catch {
        failed += 1;
        assert.ok(failed < 10_000);
        await sleep(pauseMs);
      }
    }
  }
  const envelopes = (records: readonly LogRecord[]) => records.map(({ envelope }) => envelope);
  function assertAscending(records: readonly LogRecord[]): void {
    for (const [index, { cursor }] of records.entries())
      assert.ok(cursor > (records[index - 1]?.cursor ?? 0), `cursor ${cursor}`);
  }
  /** Asserts that the log has all written records. A record may be repeated later with the same bytes. */
  function assertHolds(records: readonly LogRecord[], written: readonly string[]): void {
    assertAscending(records);
    assert.deepEqual([...new Set(envelopes(records))], written);
  }
  async function expiredAt(log: KafkaLog, cursor: number, oldest: number): Promise<void> {
    await assert.rejects(log.read(cursor, EVERYTHING), (error) => {
      assert.ok(error instanceof CursorExpired, String(error));
      assert.equal(error.oldest, oldest);
      return true;
    });
  }
  async function dropBefore(offset: number): Promise<void> {
    const link = await openKafkaConnection({ brokers: [kafka.broker], topic, debug: () => {} });
    assert.equal(await link.dropBefore(offset), offset);
    link.close();
  }
  async function createAnew(): Promise<void> {
    await admin.deleteTopics({ topics: [topic] });
    for (;;) {
      try {
        await admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 1 }], waitForLeaders: true });
        return;
      } catch {
        await sleep(20);
      }
    }
  }

  it(`loses no row from ${BATCHES} batches when requests and replies vanish, and sends the same bytes again`, async function () {
    this.timeout(60_000 + BATCHES * 200);
    const random = randomNumbers(SEED);
    const proxy = await startFaultyProxy(Number(kafka.proxied.split(':')[1]), kafka.behind, random);
    try {
      const log = await open({ brokers: [kafka.proxied], requestTimeoutMs: 150 });
      proxy.set({ produce: 0.15, others: 0.002 });
      const written: string[] = [];
      let failed = 0;
      for (let batch = 0; batch < BATCHES; batch += 1) {
        written.push(...(await write(1 + Math.floor(random() * 5))));
        failed += await moveAll(log);
      }
      proxy.set({ produce: 0, others: 0 });
      const records = await (await open()).read(0, EVERYTHING);
      console.log(
        `        ${written.length} rows, ${failed} failed steps, ${records.length - written.length} repeats, ${JSON.stringify(proxy.faults)}`,
      );
      assert.ok(Object.values(proxy.faults).every((count) => count > 0));
      assertHolds(records, written);
      assert.equal(await waiting(), 0);
    } finally {
      for (const log of logs.splice(0)) await log.close();
      await proxy.close();
    }
  });

  it('continues when the broker is killed during a batch and restarted', async () => {
    const log = await open();
    const reader = await open();
    await pool.query("UPDATE relay SET expires_at = '-infinity'");
    const relay = startRelay({ pool, log, clock: systemClock, logger, onChange: () => () => {} });
    const written: string[] = [];
    const seen: LogRecord[] = [];
    let done = false;
    try {
      const reading = (async () => {
        for (
          const end = Date.now() + 60_000;
          Date.now() < end && !(done && seen.length >= written.length);
          await sleep(5)
        ) {
          seen.push(...(await reader.read(seen.at(-1)?.cursor ?? 0, { records: 50, bytes: 1e6 }).catch(() => [])));
        }
      })();
      const writing = (async () => {
        for (let batch = 0; batch < 150; batch += 1) {
          written.push(...(await write(3)));
          await sleep(20);
        }
      })();
      await sleep(700);
      await kafka.kill();
      await sleep(300);
      await kafka.start();
      await writing;
      for (const end = Date.now() + 30_000; (await waiting()) > 0 && Date.now() < end; ) await sleep(50);
      done = true;
      await reading;
      assert.equal(await waiting(), 0);
      assertHolds(seen, written);
      assert.equal(
        told.filter(({ level }) => level === 'error').length,
        told.filter(({ text }) => text === 'relay recovered').length,
      );
    } finally {
      done = true;
      await relay.stop();
    }
  });

  it('waits for a paused broker without losing a row, and readers continue afterwards', async () => {
    const log = await open();
    const written = await write(4);
    await moveAll(log);
    written.push(...(await write(4)));
    await kafka.pause();
    try {
      await assert.rejects(log.move(lease));
      // Clients are told to retry, and streams to reconnect. With any other status, an EventSource would give up.
      await assert.rejects(log.range(), (error) => error instanceof LogAway && toProblem(error).status === 503);
      await assert.rejects(log.move(lease));
      assert.equal(await waiting(), 4);
    } finally {
      kafka.resume();
    }
    await moveAll(log, 100);
    // A request that was on its way when the client gave up may still arrive.
    await sleep(300);
    assertHolds(await log.read(0, EVERYTHING), written);
    assert.equal(await waiting(), 0);
  });

  it('loses no row when a rival takes the lease between an append and a deletion', async () => {
    const [log, other] = [await open({ requestTimeoutMs: 4_000 }), await open()];
    const written = await write(3);
    await moveAll(log);
    written.push(...(await write(5)));
    await kafka.pause();
    const moving = assert.rejects(log.move(lease));
    // Postgres ends the connection of a leader whose transaction is idle for longer than its lease.
    for (let ended = 0; ended === 0; await sleep(5)) {
      const { rowCount } = await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE '%FROM outbox%'`,
      );
      ended = rowCount ?? 0;
    }
    await pool.query("UPDATE relay SET expires_at = '-infinity'");
    const former = lease;
    lease = (await relayLease.take(pool, 'next'))!;
    kafka.resume();
    await moving;
    await assert.rejects(log.move(former), LeaseLost);
    written.push(...(await write(2)));
    await moveAll(other, 50);
    assertHolds(await other.read(0, EVERYTHING), written);
    assert.equal(await waiting(), 0);
  });

  it('notices an append through Kafka, long before the next poll', async () => {
    const [log, other] = [await open(), await open()];
    await moveAll(log);
    const times: number[] = [];
    let position = 0;
    let arrived: () => void = () => {};
    const stop = other.onAppend(async () => {
      const records = await other.read(position, EVERYTHING);
      position = records.at(-1)?.cursor ?? position;
      arrived();
    });
    await sleep(150);
    for (let turn = 1; turn <= 30; turn += 1) {
      await sleep(13 * (turn % 7));
      await write(1);
      const begun = performance.now();
      await log.move(lease);
      // The read may have started before the record was appended.
      while (position < turn) await new Promise<void>((resolve) => (arrived = resolve));
      times.push(performance.now() - begun);
    }
    stop();
    const median = times.sort((a, b) => a - b)[15]!;
    // Without a wake-up, the next poll would come after half a second on average.
    assert.ok(median < 250, `median ${median} ms`);
  });

  describe('a topic that was created again', () => {
    it('has cursors above all earlier ones, and gives an error to a reader whose cursor is before the start', async () => {
      const [log, idle] = [await open(), await open()];
      const before = await write(10);
      await moveAll(log);
      assert.deepEqual(envelopes(await idle.read(3, EVERYTHING)), before.slice(3));
      await createAnew();
      const written = await write(25);
      await moveAll(log);
      for (const reader of [log, idle, await open()]) {
        assert.deepEqual(await reader.range(), { head: 35, oldest: 10 });
        assert.deepEqual(envelopes(await reader.read(10, EVERYTHING)), written);
        assert.deepEqual(envelopes(await reader.read(30, EVERYTHING)), written.slice(20));
        await expiredAt(reader, 3, 10);
        await expiredAt(reader, 9, 10);
      }
      assert.ok(told.some(({ text }) => /re-created/.test(text)));
    });

    it('is created by the relay if it does not exist, even if it is deleted again later', async () => {
      const log = await open();
      let cursors = 0;
      for (let turn = 0; turn < 3; turn += 1) {
        const written = await write(5);
        await moveAll(log, 50);
        const records = await log.read(cursors, EVERYTHING);
        assert.deepEqual(envelopes(records), written);
        assertAscending(records);
        assert.ok(records[0]!.cursor > cursors);
        cursors = records.at(-1)!.cursor;
        await admin.deleteTopics({ topics: [topic] });
      }
    });

    it('continues with cursors above the former ones if it was created again while the relay was down', async () => {
      const log = await open();
      await write(10);
      await moveAll(log);
      await log.close();
      await createAnew();
      const next = await open();
      const written = await write(3);
      await moveAll(next);
      const records = await next.read(10, EVERYTHING);
      assert.deepEqual(envelopes(records), written);
      assertAscending(records);
      assert.deepEqual(await next.range(), { head: 13, oldest: 10 });
    });

    it('gets the records of a failed append again with higher cursors, even if the topic was replaced just before the append', async () => {
      const log = await open();
      const before = await write(10);
      await moveAll(log);
      // The topic was replaced after its id was read, so the log ends before the relay's last offset.
      await pool.query('UPDATE relay SET last_offset = 40');
      const written = await write(6);
      await assert.rejects(log.move(lease), /lost its newest records/);
      assert.equal(await waiting(), 6);
      await moveAll(log);
      const reader = await open();
      const records = await reader.read(40, EVERYTHING);
      assert.deepEqual(envelopes(records), written);
      assertAscending(records);
      assert.deepEqual((await relayRow()).base + (await relayRow()).last_offset, records.at(-1)!.cursor);
      // Reads from the start, across both bases.
      assertHolds(await reader.read(0, EVERYTHING), [...before, ...written]);
    });
  });

  describe('a topic that was truncated', () => {
    it('gives an error to readers whose cursor is before a cut at the start', async () => {
      const log = await open();
      const written = await write(12);
      await moveAll(log);
      assert.equal((await log.read(0, { records: 1, bytes: 1e6 })).length, 1);
      await dropBefore(7);
      await expiredAt(log, 0, 7);
      await expiredAt(log, 6, 7);
      assert.deepEqual(envelopes(await log.read(7, EVERYTHING)), written.slice(7));
      assert.deepEqual(await log.range(), { head: 12, oldest: 7 });
    });

    it('continues with higher cursors after all records were cut', async () => {
      const log = await open();
      await write(12);
      await moveAll(log);
      await dropBefore(12);
      for (const reader of [log, await open()]) {
        assert.deepEqual(await reader.range(), { head: 12, oldest: 12 });
        await expiredAt(reader, 11, 12);
        assert.deepEqual(await reader.read(12, EVERYTHING), []);
      }
      const [next] = await write(1);
      await moveAll(log);
      assert.deepEqual(envelopes(await log.read(12, EVERYTHING)), [next]);
    });

    it('reuses no cursor after a cut at the end, and every reader finds its place before or after the cut', async () => {
      const log = await open();
      const before = await write(10);
      await moveAll(log);
      await log.close();
      // The broker has lost 40 records that the relay's row counts.
      await pool.query('UPDATE relay SET last_offset = 50');
      const next = await open();
      const after = await write(8);
      await moveAll(next);
      const reader = await open();
      const records = await reader.read(0, EVERYTHING);
      assert.deepEqual(envelopes(records), [...before, ...after]);
      assertAscending(records);
      assert.equal(records[10]!.cursor, 51);
      assert.deepEqual(await reader.range(), { head: 58, oldest: 0 });
      for (let cursor = 0; cursor <= 60; cursor += 1) {
        const expected = records.filter((record) => record.cursor > cursor);
        assert.deepEqual(await reader.read(cursor, EVERYTHING), expected, `after ${cursor}`);
        assert.deepEqual(
          await reader.read(cursor, { records: 2, bytes: 1e6 }),
          expected.slice(0, 2),
          `two after ${cursor}`,
        );
      }
    });
  });

  describe('a Postgres restored to a state older than the log', () => {
    const SEQUENCE = 'SELECT sequence FROM match WHERE id = 1';
    const touches = async () => (await pool.query('SELECT match_id FROM match_touch')).rows.map((row) => row.match_id);
    const one = (count: number) =>
      events.write(
        pool,
        Array.from({ length: count }, () => ({ match: 1 })),
      );
    beforeEach(() =>
      transaction(pool, async (client) => {
        await client.query('SET LOCAL session_replication_role = replica');
        await client.query('DELETE FROM match');
        await client.query(
          `INSERT INTO match (id, sport, tournament_id, season_id, home_id, away_id, scheduled_start, updated_at) OVERRIDING SYSTEM VALUE
           VALUES (1, 'football', 7, 1, 1, 2, now(), now())`,
        );
      }),
    );
    afterEach(() => pool.query('DELETE FROM match'));

    async function restoreTo(
      last: number,
      sequence: number,
      pending: readonly OutboxRow[] = [],
      firstId = 0,
    ): Promise<void> {
      await pool.query('UPDATE relay SET last_offset = $1', [last]);
      await pool.query('UPDATE match SET sequence = $1 WHERE id = 1', [sequence]);
      for (const [index, row] of pending.entries()) {
        await pool.query(
          'INSERT INTO outbox (id, match_id, sport, tournament_id, type, envelope) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6)',
          [firstId + index, row.match_id, row.sport, row.tournament_id, row.type, row.envelope],
        );
      }
    }

    it('reuses no sequence number from the log and publishes no event twice', async () => {
      const log = await open();
      const { rows } = await pool.query("SELECT nextval('outbox_id_seq')::int AS id");
      const written = await one(6);
      await moveAll(log);
      await log.close();
      // When the copy was made, two events were in the log, two were waiting, and two did not exist yet.
      const again = eventWriter();
      const pending = Array.from({ length: 4 }, () => again.row({ match: 1 })).slice(2);
      await restoreTo(2, 4, pending, rows[0].id + 3);
      const next = await open();
      await moveAll(next);
      assert.equal(await waiting(), 0);
      assert.deepEqual(envelopes(await next.read(0, EVERYTHING)), written);
      assert.equal((await pool.query(SEQUENCE)).rows[0].sequence, 6);
      assert.deepEqual(await touches(), [1]);
      assert.deepEqual(await relayRow(), { base: 0, last_offset: 6 });
    });

    it('gives new numbers to events whose numbers were already used', async () => {
      const log = await open();
      const written = await one(6);
      await moveAll(log);
      await log.close();
      await restoreTo(2, 4);
      const again = eventWriter();
      const rows = Array.from({ length: 4 }, () => again.row({ match: 1, name: 'Later' })).slice(2);
      await writeOutbox(pool, rows);
      const next = await open();
      await moveAll(next);
      const records = await next.read(0, EVERYTHING);
      assert.deepEqual(envelopes(records).slice(0, 6), written);
      const later = records.slice(6).map(({ envelope }) => JSON.parse(envelope));
      assert.deepEqual(
        later.map(({ id, data }) => [id, data.sequence, data.match.home.name]),
        [
          ['evt_1_7', 7, 'Later'],
          ['evt_1_8', 8, 'Later'],
        ],
      );
      assert.equal((await pool.query(SEQUENCE)).rows[0].sequence, 8);
      assert.deepEqual(await touches(), [1]);
    });

    it('takes the cursor base from the log', async () => {
      await pool.query('UPDATE relay SET base = 100');
      const log = await open();
      await one(5);
      await moveAll(log);
      await log.close();
      await pool.query('UPDATE relay SET base = 0, last_offset = 0');
      const next = await open();
      await one(2);
      await moveAll(next);
      const records = await next.read(100, EVERYTHING);
      assert.deepEqual(
        records.map(({ cursor }) => cursor),
        [101, 102, 103, 104, 105, 106, 107],
      );
      assert.deepEqual(await relayRow(), { base: 100, last_offset: 7 });
    });

    it('ignores repeated events in the log', async () => {
      const log = await open();
      await one(3);
      await pool.query('UPDATE match SET sequence = 3 WHERE id = 1');
      await moveAll(log);
      await log.close();
      await pool.query('UPDATE relay SET last_offset = 0');
      await moveAll(await open());
      assert.deepEqual(await touches(), []);
      assert.equal((await pool.query(SEQUENCE)).rows[0].sequence, 3);
    });
  });

  describe('opening the log', () => {
    it('creates the topic if it does not exist, and warns only that it has a single replica', async () => {
      const log = await open();
      await write(1);
      await moveAll(log);
      await log.read(0, EVERYTHING);
      assert.deepEqual(
        told.map(({ level }) => level),
        ['warn'],
      );
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: 2, name: topic }],
      });
      const settings = new Map(
        resources[0]!.configEntries.map(({ configName, configValue }) => [configName, configValue]),
      );
      assert.equal(settings.get('retention.ms'), String(7 * 24 * 3_600_000));
      assert.equal(settings.get('retention.bytes'), '-1');
      assert.equal(settings.get('unclean.leader.election.enable'), 'false');
      assert.equal(settings.get('min.insync.replicas'), '1');
    });

    it('refuses in strict mode a topic that may lose events', async () => {
      await admin.createTopics({
        topics: [{ topic, numPartitions: 2, configEntries: [{ name: 'retention.bytes', value: '1000000' }] }],
      });
      await assert.rejects(open({ strict: true }), /2 partitions.*1 replicas.*retention\.bytes is 1000000/);
    });

    it('leaves no connection open', async () => {
      const count = () =>
        process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap' || name === 'Timeout').length;
      const once = async () => {
        const log = await openKafkaLog({ brokers: [kafka.broker], topic, pool, logger });
        log.onAppend(() => {});
        await write(1);
        await moveAll(log);
        await log.read(0, EVERYTHING);
        await log.close();
      };
      await once();
      await sleep(100);
      const before = count();
      for (let turn = 0; turn < 10; turn += 1) await once();
      await sleep(100);
      assert.ok(count() <= before + 1, `${count()} handles, ${before} before`);
    });
  });
});
