import { streamsOverPods } from '../contracts/streams-over-pods.ts';
import { openCluster, type Store } from '../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { canRunKafka, sharedKafka, stopSharedKafka } from '../support/kafka.ts';

after(stopSharedKafka);

describe('streams over several processes, on Kafka', function () {
  this.timeout(240_000);
  let db: TestDatabase;
  before(async function () {
    if (process.env.KAFKA_BROKERS !== undefined || !canRunKafka()) this.skip();
    db = await createTestDatabase();
  });
  after(() => db?.drop());
  streamsOverPods(async () => {
    const kafka = await sharedKafka();
    const store: Store = { down: () => kafka.pause(), up: async () => kafka.resume() };
    const env = { ...kafka.secured!.env, DRAIN_DELAY_SECONDS: '0.5', DRAIN_SPREAD_SECONDS: '1' };
    return openCluster({ db, env, stores: [store] });
  });
});
