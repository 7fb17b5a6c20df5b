import { pino } from 'pino';
import { LogAway } from '../../../src/events/event-log.ts';
import { type KafkaLog, type KafkaLogOptions, openKafkaLog } from '../../../src/events/kafka-log.ts';
import { delayedStreamsContract } from '../../contracts/delayed-streams.ts';
import { eventLogContract } from '../../contracts/event-log.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { sharedKafka, stopSharedKafka } from '../../support/kafka.ts';

const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });

after(stopSharedKafka);

describe('the contract for', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let options: Pick<KafkaLogOptions, 'brokers' | 'access'>;
  let topics = 0;
  before(async () => {
    db = await createTestDatabase();
    if (process.env.KAFKA_BROKERS !== undefined) options = { brokers: process.env.KAFKA_BROKERS.split(',') };
    else {
      // With TLS, and with a user whose sessions the broker ends every two seconds.
      const { brokers, scram } = (await sharedKafka()).secured!;
      options = { brokers: [brokers.short], access: { ...scram, kafkaSasl: 'scram-sha-512' } };
    }
  });
  after(() => db.drop());

  const open = async () => {
    await db.pool.query('TRUNCATE outbox, event_log, match_touch');
    await db.pool.query(
      "UPDATE relay SET generation = 0, base = 0, last_offset = 0, change_seq = 0, expires_at = '-infinity'",
    );
    topics += 1;
    const topic = `touchline.test.${process.pid}.${topics}`;
    // Tries again as a role does, because a busy machine may take longer than the limit for a connection.
    const openAnother = async (attempts = 5): Promise<KafkaLog> => {
      try {
        return await openKafkaLog({ ...options, topic, pool: db.pool, logger });
      } catch (error) {
        if (!(error instanceof LogAway) || attempts === 1) throw error;
        return openAnother(attempts - 1);
      }
    };
    const log = await openAnother();
    return { pool: db.pool, log, openAnother: () => openAnother(), close: () => log.close() };
  };
  eventLogContract('a Kafka topic', open);
  delayedStreamsContract('a Kafka topic', open);
});
