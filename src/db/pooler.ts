/** Refuses a pooler that hands the connections of Postgres from one client to another: notices, sessions and prepared statements need their own. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const CLIENTS = 3;
/** A pooler whose connections are all taken lets a transaction wait. */
const PATIENCE_MS = 200;
const WRITE = "SELECT set_config('touchline.session', $1, false)";
const READ = "SELECT current_setting('touchline.session', true) AS session";

const REFUSAL =
  'Postgres is behind a pooler that shares connections (as PgBouncer does with pool_mode transaction or statement): ' +
  'set pool_mode = session for Touchline, or connect to Postgres itself';

/**
 * Each of some connections sets a variable of its session, and they read it in transactions at the same time, the last to write first.
 * Where sessions are shared one of them finds that of another, or none: with one connection behind the pooler the last one's, with more
 * of them none, in whatever order the pooler deals them out, and none also where it resets them. A process number would tell less, and
 * differs behind a balancer that keeps sessions.
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
    // By statement it takes no transactions at all.
    throw /statement pooling/.test((error as Error).message) ? new Error(REFUSAL, { cause: error }) : error;
  } finally {
    for (const client of clients) client.release(failed);
  }
}

/** In transactions that stay open until all have read, or one has to wait for another. */
async function readTogether(clients: readonly pg.PoolClient[]): Promise<(string | null)[]> {
  const reading: Promise<string | null>[] = [];
  for (const client of clients.toReversed()) {
    const read = client.query(`BEGIN; ${READ}`).then((results) => {
      const [, { rows }] = results as unknown as [unknown, pg.QueryResult<{ session: string | null }>];
      return rows[0]!.session;
    });
    // Thrown below, or by the race.
    read.catch(() => {});
    reading.unshift(read);
    await Promise.race([read, sleep(PATIENCE_MS)]);
  }
  // Each ends as soon as it has read, so that those who wait for its connection get it.
  await Promise.all(clients.map((client) => client.query('COMMIT')));
  return Promise.all(reading);
}
