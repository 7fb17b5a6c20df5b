import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { relaySurvives } from '../contracts/relay-survival.ts';
import { createTestDatabase } from '../support/database.ts';

relaySurvives('a Postgres table', {
  async open() {
    const { pool, url, drop } = await createTestDatabase();
    const log = openPostgresLog(pool);
    return {
      pool,
      options: { url },
      log,
      close: async () => {
        await log.close();
        await drop();
      },
    };
  },
  // One message to the server renews the lease, appends, deletes and notifies. The server does all of it or nothing.
  steps: [
    'before move',
    'after move',
    'after take pending changes',
    'after give change cursors',
    'before commit of stamp',
    'after commit of stamp',
  ],
  pauses: ['after give change cursors', 'before move', 'after move'],
  appending: 'before move',
  mayRepeat: false,
});
