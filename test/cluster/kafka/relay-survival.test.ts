import { pino } from 'pino';
import { openKafkaLog } from '../../../src/events/kafka-log.ts';
import { relaySurvives } from '../../contracts/relay-survival.ts';
import { createTestDatabase } from '../../support/database.ts';
import { sharedKafka, stopSharedKafka } from '../../support/kafka.ts';

const logger = pino({ level: 'silent' });
let topics = 0;

after(stopSharedKafka);

relaySurvives('a Kafka topic', {
  async open() {
    const brokers = process.env.KAFKA_BROKERS?.split(',') ?? [(await sharedKafka()).broker];
    const { pool, url, drop } = await createTestDatabase();
    topics += 1;
    const topic = `touchline.survival.${process.pid}.${topics}`;
    const log = await openKafkaLog({ brokers, topic, pool, logger });
    return {
      pool,
      options: { url, kafka: { brokers, topic, requestTimeoutMs: 10_000 } },
      log,
      close: async () => {
        await log.close();
        await drop();
      },
    };
  },
  steps: [
    // Steps before the append.
    'before take',
    'after take',
    // Steps after the append was acknowledged.
    'before delete',
    'after delete',
    'before commit of delete',
    'after commit of delete',
  ],
  pauses: ['after take', 'before delete', 'after commit of delete'],
  appending: 'after take',
  mayRepeat: true,
});
