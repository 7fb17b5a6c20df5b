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
  // One statement appends and deletes; its transaction makes both or neither.
  steps: [
    'before move',
    'after move',
    'before commit of move',
    'after commit of move',
    'after take pending changes',
    'after give change cursors',
    'before commit of stamp',
    'after commit of stamp',
  ],
  pauses: ['before move', 'after move', 'after commit of move', 'after give change cursors'],
  appending: null,
  mayRepeat: false,
});
