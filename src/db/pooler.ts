/**
 * Refuses a pooler that shares Postgres connections between clients, because notices, sessions and prepared statements
 * need dedicated ones.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { errorMessage } from '../runtime/unknown-values.ts';
import { allResults, firstRow } from './postgres.ts';

const CLIENTS = 3;
/** A pooler without a free connection makes a transaction wait. */
const PATIENCE_MS = 200;
const WRITE = "SELECT set_config('touchline.session', $1, false)";
const READ = "SELECT current_setting('touchline.session', true) AS session";

const REFUSAL =
  'Postgres is behind a pooler that shares connections (as PgBouncer does with pool_mode transaction or statement): ' +
  'set pool_mode = session for Touchline, or connect to Postgres itself';

/**
 * Each of several connections sets a session variable, and they read it in concurrent transactions, the last to write
 * first. If sessions are shared, at least one connection finds a value that it did not set, or none. With one
 * connection behind the pooler, it is the last one's value. With more, or if the pooler resets sessions, there is none,
 * in whatever order it assigns them. A process number would reveal less, and differs behind a balancer that keeps
 * sessions.
 * @throws {Error} with one clear line
 */
export async function checkSessions(pool: pg.Pool): Promise<void> {
  const clients: pg.PoolClient[] = [];
  let failed = true;
  try {
    for (let count = 0; count < CLIENTS; count += 1) clients.push(await pool.connect());
    const own = clients.map(() => randomUUID());
    for (const [index, client] of clients.entries()) await client.query(WRITE, [own[index]]);
    const found = await readTogether(clients);
    if (own.some((session, index) => session !== found[index])) throw new Error(REFUSAL);
    failed = false;
  } catch (error) {
    // Statement pooling accepts no transactions at all.
    throw /statement pooling/.test(errorMessage(error)) ? new Error(REFUSAL, { cause: error }) : error;
  } finally {
    for (const client of clients) client.release(failed);
  }
}

/** Runs in transactions that stay open until all have read, or one has to wait for a second one. */
async function readTogether(clients: readonly pg.PoolClient[]): Promise<(string | null)[]> {
  const reading: Promise<string | null>[] = [];
  for (const client of clients.toReversed()) {
    const read = client.query(`BEGIN; ${READ}`).then((results) => {
      const [, read] = allResults(results);
      return firstRow<{ session: string | null }>(read?.rows ?? []).session;
    });
    // The error is thrown below, or by the race.
    read.catch(() => {});
    reading.unshift(read);
    // The remaining wait does not keep a command from ending.
    await Promise.race([read, sleep(PATIENCE_MS, undefined, { ref: false })]);
  }
  // Each transaction ends as soon as it has read, so that waiting ones get its connection.
  await Promise.all(clients.map((client) => client.query('COMMIT')));
  return Promise.all(reading);
}
