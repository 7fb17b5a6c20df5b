/**
 * Databases for tests. Each caller gets a fresh one, migrated and seeded, on the server that run.js has started, or on
 * a server that this process starts.
 */
import type pg from 'pg';
import { pino } from 'pino';
import { openPool } from '../../src/db/postgres.ts';
import { startTestServer, type TestServer } from './postgres-server.ts';

export interface TestDatabase {
  pool: pg.Pool;
  url: string;
  drop(): Promise<void>;
}

const silent = pino({ level: 'silent' });
let server: Promise<TestServer & { admin: pg.Pool }> | null = null;
let count = 0;

async function open() {
  const shared = process.env.TEST_POSTGRES_URL;
  const { url, stop } = shared === undefined ? await startTestServer() : { url: shared, stop: async () => {} };
  return { url, stop, admin: openPool(url.replace('/touchline?', '/postgres?'), silent, 1) };
}

/** @param template `template0` gives a database without migrations */
export async function createTestDatabase(template: 'touchline' | 'template0' = 'touchline'): Promise<TestDatabase> {
  server ??= open();
  const { url: templateUrl, admin } = await server;
  count += 1;
  const name = `test_${process.pid}_${count}`;
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = templateUrl.replace('/touchline?', `/${name}?`);
  const pool = openPool(url, silent);
  return {
    pool,
    url,
    drop: async () => {
      await pool.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

after(async () => {
  if (server === null) return;
  const { stop, admin } = await server;
  server = null;
  await admin.end();
  await stop();
});
