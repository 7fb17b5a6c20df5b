import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { delayedStreamsContract } from './delayed-streams.ts';
import { eventLogContract } from './event-log.ts';

describe('the contract for', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  const open = async () => {
    await db.pool.query('TRUNCATE outbox, event_log, match_touch');
    await db.pool.query('UPDATE event_log_floor SET floor = 0');
    await db.pool.query(
      "UPDATE relay SET generation = 0, base = 0, last_offset = 0, change_seq = 0, expires_at = '-infinity'",
    );
    const log = openPostgresLog(db.pool);
    return { pool: db.pool, log, openAnother: async () => openPostgresLog(db.pool), close: () => log.close() };
  };
  eventLogContract('a Postgres table', open);
  delayedStreamsContract('a Postgres table', open);
});
