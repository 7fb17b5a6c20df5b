import { pino } from 'pino';
import { openKafkaLog } from '../../src/events/kafka-log.ts';
import { eventLogContract } from '../contracts/event-log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sharedKafka, stopSharedKafka } from '../support/kafka.ts';

const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });

after(stopSharedKafka);

describe('contract', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let brokers: string[];
  let topics = 0;
  before(async () => {
    db = await createTestDatabase();
    brokers = process.env.KAFKA_BROKERS?.split(',') ?? [(await sharedKafka()).broker];
  });
  after(() => db.drop());

  eventLogContract('a Kafka topic', async () => {
    await db.pool.query('TRUNCATE outbox, event_log, match_touch');
    await db.pool.query(
      "UPDATE relay SET generation = 0, base = 0, last_offset = 0, change_seq = 0, expires_at = '-infinity'",
    );
    topics += 1;
    const topic = `touchline.test.${process.pid}.${topics}`;
    const openAnother = () => openKafkaLog({ brokers, topic, pool: db.pool, logger });
    const log = await openAnother();
    return { pool: db.pool, log, openAnother, close: () => log.close() };
  });
});
