/** Reads that tell the router how fresh they have to be. Without a router, they use the given connections. */
import type pg from 'pg';
import type { Position } from '../wire/position.ts';
import { type Queryable, transaction } from './postgres.ts';

export const ABOUT = Symbol('about');
export const ON_CONNECTION = Symbol('on connection');

/** Reads on one connection. */
export type Work<T> = (client: pg.PoolClient) => Promise<T>;
/** Connections that a router sends to a replica or to the primary (read-router.ts). */
export interface Routed {
  [ABOUT]?(ids: readonly number[]): Queryable;
  [ON_CONNECTION]?<T>(work: Work<T>, at: Position | null | undefined): Promise<T>;
}

/** Returns connections for a read that shows nothing but these matches, and that is not a list. */
export const readAbout = (db: Queryable, ids: readonly number[]): Queryable => (db as Routed)[ABOUT]?.(ids) ?? db;

/**
 * Reads on one connection.
 * @param at the position that the read needs, in addition to the changes that every read needs; null for a read that needs the primary
 */
export async function readOnConnection<T>(
  pool: Pick<pg.Pool, 'connect'>,
  work: Work<T>,
  at?: Position | null,
): Promise<T> {
  const routed = (pool as Routed)[ON_CONNECTION];
  if (routed !== undefined) return routed(work, at);
  const client = await pool.connect();
  let failure: Error | boolean = false;
  try {
    return await work(client);
  } catch (error) {
    failure = error instanceof Error ? error : true;
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Time limit for each statement on a connection that a router gives, and for a pause between two statements. */
const LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout'].map((name) => `SET LOCAL ${name} = '30s'`);

/**
 * Reads in one transaction, for statements that need settings.
 * @param pool the pool behind the gate, if there is a gate (http/load-shedding.ts)
 * @param settings statements that are sent together with BEGIN
 */
export function readTransaction<T>(pool: pg.Pool, work: Work<T>, settings: readonly string[]): Promise<T> {
  const routed = (pool as Routed)[ON_CONNECTION];
  if (routed === undefined) return transaction(pool, work, settings);
  const inTransaction: Work<T> = async (client) => {
    await client.query(['BEGIN READ ONLY', ...LIMITS, ...settings].join('; '));
    try {
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  };
  return routed(inTransaction, undefined);
}
