import { goalTrace } from '../../contracts/goal-trace.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { canRunKafka, sharedKafka, stopSharedKafka } from '../../support/kafka.ts';

after(stopSharedKafka);

describe('a goal’s trace, in a process for each role with the event log in Kafka', function () {
  this.timeout(120_000);
  let db: TestDatabase;
  before(function () {
    if (process.env.KAFKA_BROKERS !== undefined || !canRunKafka()) this.skip();
  });
  after(() => db?.drop());
  goalTrace(async () => {
    db = await createTestDatabase();
    const topic = `touchline.trace.${process.pid}`;
    const env = { ...(await sharedKafka()).secured!.env, KAFKA_TOPIC: topic };
    return { db, env, roles: ['ingest', 'relay', 'dispatcher', 'stream'], send: `send ${topic}` };
  });
});
