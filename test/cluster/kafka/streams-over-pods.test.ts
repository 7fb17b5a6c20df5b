import { streamsOverPods } from '../../contracts/streams-over-pods.ts';
import { openCluster, type Store } from '../../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { canRunKafka, sharedKafka, stopSharedKafka } from '../../support/kafka.ts';
import { type PgBouncer, startPgBouncer, whyNoPgBouncer } from '../../support/pgbouncer.ts';

after(stopSharedKafka);

/** The stores are as in a managed installation: Kafka with TLS and a user, and Postgres behind PgBouncer. */
describe('streams over several processes, on Kafka and PgBouncer', function () {
  this.timeout(240_000);
  let db: TestDatabase;
  let bouncer: PgBouncer | undefined;
  before(async function () {
    if (process.env.KAFKA_BROKERS !== undefined || !canRunKafka()) this.skip();
    db = await createTestDatabase();
    const reason = whyNoPgBouncer();
    if (reason === null) bouncer = await startPgBouncer(db.url, { mode: 'session' });
    else console.log(`    without PgBouncer: ${reason}`);
  });
  after(async () => {
    await bouncer?.stop();
    await db?.drop();
  });
  streamsOverPods(async () => {
    const kafka = await sharedKafka();
    const store: Store = { down: () => kafka.pause(), up: async () => kafka.resume() };
    const env = { ...kafka.secured!.env, DRAIN_DELAY_SECONDS: '0.5', DRAIN_SPREAD_SECONDS: '1' };
    return openCluster({ db: { ...db, url: bouncer?.url ?? db.url }, env, stores: [store] });
  });
});
