/**
 * Leases, which make sure that only one process at a time does certain work. A lease is a row with a generation and an
 * expiry. A lock on a connection would not be enough, since a dead node would hold it for hours. Every transaction by
 * the leader renews the lease and checks the generation, so a former leader that was paused cannot write. If the
 * leader's process has ended, a standby does not have to wait for the expiry.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import { readErrorCode } from '../runtime/unknown-values.ts';
import { hasEndedSql, type LivenessLock, NO_LIVENESS_LOCK } from './liveness-lock.ts';
import { type Queryable, transaction } from './postgres.ts';

/** A leader that has not renewed the lease for this long is replaced. */
const LEASE_SECONDS = 10;

/** Postgres's code for a transaction that it has ended because of `idle_in_transaction_session_timeout`. */
const PAUSED_TOO_LONG = '25P03';

/** Thrown if another process has taken over the lease, or may have. The current transaction has been rolled back. */
export class LeaseLost extends Error {
  constructor() {
    super('another process holds the lease');
  }
}

export interface Lease {
  /** Seconds without a renewal after which a standby may take the lease. */
  seconds: number;
  /**
   * Takes the lease if it is free or has expired, or if the holder's process has ended.
   * @param holder name for operators to see
   * @returns the new generation; null if the lease is taken
   */
  take(db: Queryable, holder: string, livenessLock?: LivenessLock): Promise<number | null>;
  /**
   * Runs `work` in a transaction that renews the lease and locks the row, so that nobody can take the lease before the
   * transaction ends. If a leader is paused during the transaction, Postgres closes the connection when the lease would
   * have expired, which frees the lock.
   * @param first statements that are sent together with BEGIN and run under the lock; `work` receives the results
   * @throws {LeaseLost} if another process has taken the lease since `generation`, or if Postgres has closed the connection
   */
  transaction<T>(
    pool: pg.Pool,
    generation: number,
    work: (client: pg.PoolClient, done: pg.QueryResult[]) => Promise<T>,
    first?: readonly string[],
  ): Promise<T>;
  /**
   * SQL that renews the lease and locks its row. Updates no row if the lease has been taken since `generation`.
   */
  renewal(generation: number): string;
  /**
   * Renews the lease outside a transaction.
   * @throws {LeaseLost} if another process has taken the lease since `generation`
   */
  renew(db: Queryable, generation: number): Promise<void>;
  /**
   * Releases the lease, so that the next leader can begin at once. Does nothing if it has been taken since
   * `generation`.
   */
  release(db: Queryable, generation: number): Promise<void>;
}

/**
 * @param table has the columns generation (bigint), holder (text, nullable), session (bigint, nullable) and expires_at
 * (timestamptz)
 * @param seconds time from a leader's last transaction to the expiry; Postgres also ends a leader's transaction that
 * pauses for this long
 * @param name the row's value in the column `name`; undefined if the table has only one row and no such column
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

    async transaction(pool, generation, work, first = []) {
      let ended: unknown = null;
      try {
        return await transaction(
          pool,
          async (client, [renewed, , ...done]) => {
            if (renewed!.rowCount === 0) throw new LeaseLost();
            const note = (error: unknown) => {
              ended ??= error;
            };
            client.on('error', note);
            try {
              return await work(client, done);
            } finally {
              client.off('error', note);
            }
          },
          [renewal(generation), limitPauses, ...first],
        );
      } catch (error) {
        // This process has stood still for as long as the lease, so another one may have taken it.
        if ([error, ended].some((one) => readErrorCode(one) === PAUSED_TOO_LONG)) throw new LeaseLost();
        throw error;
      }
    },

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

/** Returns a name that shows operators which process, and which holder in the process, has the lease. */
export const leaseHolder = () => `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`;
