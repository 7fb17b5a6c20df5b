import { streamsOverPods } from '../contracts/streams-over-pods.ts';
import { openCluster } from '../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('streams over several processes, on the log in Postgres', function () {
  this.timeout(240_000);
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  streamsOverPods(() => openCluster({ db, env: { DRAIN_DELAY_SECONDS: '0.5', DRAIN_SPREAD_SECONDS: '1' } }));
});
