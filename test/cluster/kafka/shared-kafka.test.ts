import assert from 'node:assert/strict';
import { Kafka as Client, type Producer } from 'kafkajs';
import type pg from 'pg';
import { LogAway } from '../../../src/events/event-log.ts';
import { ForeignTopic } from '../../../src/events/kafka-access.ts';
import { type KafkaLog, type KafkaLogOptions, openKafkaLog } from '../../../src/events/kafka-log.ts';
import { relayLease } from '../../../src/events/relay-lease.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventWriter } from '../../support/events.ts';
import { sharedKafka, stopSharedKafka } from '../../support/kafka.ts';

const EVERYTHING = { records: 100_000, bytes: 100_000_000 };
const logger = { debug: () => {}, warn: () => {} };

after(stopSharedKafka);

describe('several installations on one Kafka', function () {
  this.timeout(60_000);
  let brokers: string[];
  let producer: Producer;
  const databases: TestDatabase[] = [];
  const logs: KafkaLog[] = [];
  let topics = 0;

  before(async () => {
    brokers = (process.env.KAFKA_BROKERS ?? (await sharedKafka()).broker).split(',');
    producer = new Client({ brokers, logLevel: 0 }).producer();
    await producer.connect();
  });
  after(() => producer?.disconnect());
  afterEach(async () => {
    for (const log of logs.splice(0)) await log.close();
    for (const db of databases.splice(0)) await db.drop();
  });

  interface Installation {
    pool: pg.Pool;
    id: string;
    open(options?: Partial<KafkaLogOptions>): Promise<KafkaLog>;
    /**
     * Writes events, and moves them into the log.
     * @returns the envelopes
     */
    append(log: KafkaLog, count: number): Promise<string[]>;
    waiting(): Promise<number>;
  }

  /** Creates a separate installation, because all test databases are copies of a single one. */
  async function install(topic: string): Promise<Installation> {
    const db = await createTestDatabase();
    databases.push(db);
    const { pool } = db;
    const { rows } = await pool.query(
      'UPDATE analytics_loader SET database_id = gen_random_uuid() RETURNING database_id AS id',
    );
    const lease = (await relayLease.take(pool, 'test'))!;
    const events = eventWriter();
    return {
      pool,
      id: rows[0].id,
      async open(options = {}) {
        const log = await openKafkaLog({ brokers, topic, pool, logger, ...options });
        logs.push(log);
        return log;
      },
      async append(log, count) {
        const written = await events.write(
          pool,
          Array.from({ length: count }, (_, index) => ({ match: index })),
        );
        while ((await log.move(lease)) > 0);
        return written;
      },
      waiting: async () => Number((await pool.query('SELECT count(*) FROM outbox')).rows[0].count),
    };
  }
  const newTopic = () => {
    topics += 1;
    return `touchline.installations.${process.pid}.${topics}`;
  };
  const envelopes = async (log: KafkaLog) => (await log.read(0, EVERYTHING)).map(({ envelope }) => envelope);
  const refusal = (topic: string, { id }: Installation) =>
    `the Kafka topic ${topic} holds events of another installation (${id}): set KAFKA_TOPIC to a topic that no other installation uses`;

  it('refuse a second installation on the first one’s topic, in one line, and let it run on a topic of its own', async () => {
    const topic = newTopic();
    const [first, second] = [await install(topic), await install(topic)];
    const log = await first.open();
    const written = await first.append(log, 3);
    let foreign = 0;
    await assert.rejects(
      second.open({
        onForeign: () => {
          foreign += 1;
        },
      }),
      (error) => {
        assert.ok(error instanceof ForeignTopic && !(error instanceof LogAway));
        assert.equal(error.message, refusal(topic, first));
        return true;
      },
    );
    assert.equal(foreign, 1);
    const own = await second.open({ topic: newTopic() });
    const others = await second.append(own, 2);
    assert.deepEqual([await envelopes(own), await envelopes(await first.open())], [others, written]);
  });

  it('have separate topics by default, whose names are stored in Postgres', async () => {
    const installation = await install(newTopic());
    const { rows } = await installation.pool.query<{ kafka_topic: string }>('SELECT kafka_topic FROM installation');
    assert.match(rows[0]!.kafka_topic, /^touchline\.events\.[0-9a-f]{8}$/);
    const topic = newTopic();
    await installation.pool.query('UPDATE installation SET kafka_topic = $1', [topic]);
    const written = await installation.append(await installation.open({ topic: undefined }), 2);
    assert.deepEqual(await envelopes(await installation.open({ topic })), written);
  });

  it('accept records from an earlier release, which name no installation, as their own', async () => {
    const topic = newTopic();
    const installation = await install(topic);
    const log = await installation.open();
    const written = await installation.append(log, 1);
    const [record] = await log.read(0, EVERYTHING);
    const headers = {
      outbox: '900',
      generation: '1',
      base: '0',
      sport: 'football',
      tournament: '7',
      type: record!.type,
    };
    const earlier = written[0]!.replace('"sequence":1', '"sequence":2');
    await producer.send({ topic, messages: [{ key: String(record!.matchId), value: earlier, headers }] });
    assert.deepEqual(await envelopes(await installation.open()), [...written, earlier]);
  });

  it('may start on the same empty topic, and the one that appends later is refused and loses nothing', async () => {
    const topic = newTopic();
    const [first, second] = [await install(topic), await install(topic)];
    const [one, other] = [await first.open(), await second.open()];
    const written = await first.append(one, 2);
    await assert.rejects(second.append(other, 2), (error) => (error as Error).message === refusal(topic, first));
    assert.equal(await second.waiting(), 2);
    written.push(...(await first.append(one, 1)));
    assert.deepEqual(await envelopes(await first.open()), written);
  });

  it('stop appending and delivering, without losing an event, once an event from another installation appears', async () => {
    const topic = newTopic();
    const [installation, other] = [await install(topic), await install(topic)];
    let foreign = 0;
    const log = await installation.open({
      onForeign: () => {
        foreign += 1;
      },
    });
    const written = await installation.append(log, 2);
    const headers = {
      installation: other.id,
      outbox: '1',
      generation: '1',
      base: '0',
      sport: 'football',
      type: 'match.goal',
    };
    await producer.send({ topic, messages: [{ key: '1', value: written[0]!, headers }] });
    await assert.rejects(log.read(2, EVERYTHING), (error) => {
      assert.ok(error instanceof LogAway);
      assert.equal((error.cause as Error).message, refusal(topic, other));
      return true;
    });
    assert.ok(foreign > 0);
    for (let attempt = 0; attempt < 2; attempt += 1)
      await assert.rejects(installation.append(log, 1), (error) => (error as Error).message === refusal(topic, other));
    assert.equal(await installation.waiting(), 2);
    // An operator configures a different topic.
    const moved = await installation.open({ topic: newTopic() });
    await installation.append(moved, 1);
    const { oldest } = await moved.range();
    assert.ok(oldest >= 2, 'cursors continue');
    assert.equal((await moved.read(oldest, EVERYTHING)).length, 3);
  });
});
