/**
 * Runs a migration as a separate process, for tests that kill it. Arguments: the database URL, and the folder with the
 * files.
 */
import { pino } from 'pino';
import { migratePostgres } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/postgres.ts';

const [url, folder] = process.argv.slice(2);
const pool = openPool(url!, pino({ level: 'silent' }));
await migratePostgres(pool, { folder: new URL(folder!), say: console.log });
await pool.end();
