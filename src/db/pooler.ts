/**
 * Refuses a pooler that lends its Postgres connections to several clients in turn. Notices, sessions and prepared
 * statements need dedicated connections.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { errorMessage } from '../runtime/unknown-values.ts';
import { allResults, firstRow } from './postgres.ts';

const CLIENTS = 3;
/** How long to wait for a transaction to begin. If it takes longer, the pooler has no free connection. */
const PATIENCE_MS = 200;
const WRITE = "SELECT set_config('touchline.session', $1, false)";
const READ = "SELECT current_setting('touchline.session', true) AS session";

const REFUSAL =
  'Postgres is behind a pooler that shares connections (as PgBouncer does with pool_mode transaction or statement): ' +
  'set pool_mode = session for Touchline, or connect to Postgres itself';

/**
 * Detects shared sessions. Several connections each set a session variable, and then all read it in concurrent
 * transactions, the last writer first. If sessions are shared, at least one connection does not find its own value. If
 * the pooler has one connection to Postgres, all find the last value. If it has several, or resets sessions, at least
 * one finds no value, in whatever order connections are assigned. Comparing backend pids would show less, and pids
 * also differ behind a balancer that keeps sessions.
 * @throws {Error} with a one-line message
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
    // With statement pooling, the pooler accepts no transactions at all.
    throw /statement pooling/.test(errorMessage(error)) ? new Error(REFUSAL, { cause: error }) : error;
  } finally {
    for (const client of clients) client.release(failed);
  }
}

/** Reads the variable in transactions that stay open until all have read it, or until one has to wait. */
async function readTogether(clients: readonly pg.PoolClient[]): Promise<(string | null)[]> {
  const reading: Promise<string | null>[] = [];
  for (const client of clients.toReversed()) {
    const read = client.query(`BEGIN; ${READ}`).then((results) => {
      const [, read] = allResults(results);
      return firstRow<{ session: string | null }>(read?.rows ?? []).session;
    });
    // The error is thrown below, or by the race. It must not count as unhandled here.
    read.catch(() => {});
    reading.unshift(read);
    // With `ref: false`, a command can end without waiting for the timer.
    await Promise.race([read, sleep(PATIENCE_MS, undefined, { ref: false })]);
  }
  // Each transaction ends as soon as it has read, so that a waiting transaction gets the connection.
  await Promise.all(clients.map((client) => client.query('COMMIT')));
  return Promise.all(reading);
}
