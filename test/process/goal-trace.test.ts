import { goalTrace } from '../contracts/goal-trace.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('a goal’s trace, in one process with the event log in Postgres', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  after(() => db?.drop());
  goalTrace(async () => {
    db = await createTestDatabase();
    return { db, env: {}, roles: ['all'], send: 'send event_log' };
  });
});
