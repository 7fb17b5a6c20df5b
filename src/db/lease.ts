/**
 * Single leadership. Among all processes that do the same work, one at a time does it. The lease is a row with a
 * generation and an expiry, never only a lock on a connection, which a dead node would hold for hours. Every leader
 * transaction renews the lease and is fenced by the generation, so a former leader that was paused can write nothing. A
 * standby need not wait for the expiry if the leader's session has ended.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import { hasEndedSql, type LivenessLock, NO_LIVENESS_LOCK } from './liveness-lock.ts';
import { type Queryable, transaction } from './postgres.ts';

/** A leader is replaced if it has not renewed the lease for this long. */
const LEASE_SECONDS = 10;

/** A different process has taken over, and the current transaction has been rolled back. */
export class LeaseLost extends Error {
  constructor() {
    super('another process holds the lease');
  }
}

export interface Lease {
  /** Seconds without a renewal after which a standby may take the lease. */
  seconds: number;
  /**
   * Takes the lease if it is free, has expired, or the holder's session has ended.
   * @param holder shown to operators
   * @returns the new generation; null if another process holds the lease
   */
  take(db: Queryable, holder: string, livenessLock?: LivenessLock): Promise<number | null>;
  /**
   * Runs `work` in a transaction that renews the lease and locks the row, so that no other process can take it before
   * the end. If a leader is paused in the middle of the transaction, it loses the connection, and with it the lock,
   * when the lease would have expired.
   * @param first statements that are sent together with BEGIN and run under the lock; `work` receives the results
   * @throws {LeaseLost} if a different process has taken the lease since `generation`
   */
  transaction<T>(
    pool: pg.Pool,
    generation: number,
    work: (client: pg.PoolClient, done: pg.QueryResult[]) => Promise<T>,
    first?: readonly string[],
  ): Promise<T>;
  /**
   * SQL that renews the lease and locks the row. It updates no row if a different process has taken the lease since
   * `generation`.
   */
  renewal(generation: number): string;
  /**
   * Renews the lease outside a transaction.
   * @throws {LeaseLost} if a different process has taken the lease since `generation`
   */
  renew(db: Queryable, generation: number): Promise<void>;
  /**
   * Releases the lease, so that the next leader can begin at once. Does nothing if a different process has taken it
   * since `generation`.
   */
  release(db: Queryable, generation: number): Promise<void>;
}

/**
 * @param table has the columns generation (bigint), holder (text, nullable), session (bigint, nullable) and expires_at
 * (timestamptz)
 * @param seconds time from a leader's last transaction to the expiry; Postgres ends a leader's transactions when they
 * pause that long
 * @param name value in the column `name`, if the table has a row for each lease; without it the table has one row
 */
export function createLease(table: string, seconds = LEASE_SECONDS, name?: string): Lease {
  const expiry = `clock_timestamp() + make_interval(secs => ${seconds})`;
  const row = name === undefined ? '' : `name = '${name}' AND `;
  const take = `UPDATE ${table} SET generation = generation + 1, holder = $1, session = $2, expires_at = ${expiry}
    WHERE ${row}(expires_at < clock_timestamp() OR $3 AND ${hasEndedSql('session')}) RETURNING generation`;
  const release = `UPDATE ${table} SET expires_at = '-infinity', holder = NULL, session = NULL WHERE ${row}generation = $1`;
  const renewal = (generation: number) =>
    `UPDATE ${table} SET expires_at = ${expiry} WHERE ${row}generation = ${generation}`;
  const limitPauses = `SET LOCAL idle_in_transaction_session_timeout = '${seconds}s'`;

  return {
    seconds,

    async take(db, holder, livenessLock = NO_LIVENESS_LOCK) {
      const { rows } = await db.query<{ generation: number }>(take, [holder, livenessLock.id, livenessLock.judges()]);
      return rows[0]?.generation ?? null;
    },

    transaction: (pool, generation, work, first = []) =>
      transaction(
        pool,
        (client, [renewed, , ...done]) => {
          if (renewed!.rowCount === 0) throw new LeaseLost();
          return work(client, done);
        },
        [renewal(generation), limitPauses, ...first],
      ),

    renewal,

    async renew(db, generation) {
      const { rowCount } = await db.query(renewal(generation));
      if (rowCount === 0) throw new LeaseLost();
    },

    async release(db, generation) {
      await db.query(release, [generation]);
    },
  };
}

/** Identifies this process, and a holder within it, to operators. */
export const leaseHolder = () => `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`;
