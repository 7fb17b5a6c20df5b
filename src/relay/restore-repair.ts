/**
 * Repairs the state after Postgres was restored to an earlier moment. No number is assigned twice, and everything that
 * may differ since then is sent to sync clients again. A relay that becomes the leader notices a restore without help
 * because the server that has the restored data, or the server's timeline, is a different one. The same is true after a
 * failover, which may have lost the last changes.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { requestCopy } from '../db/loader-copy.ts';
import { firstRow, type Queryable } from '../db/postgres.ts';
import {
  type LogWriter,
  markUnsure,
  RESTORED_STEP,
  raiseChangeCursor,
  relayLease,
  setHistory,
} from '../events/index.ts';
import { readErrorCode } from '../runtime/unknown-values.ts';

/** Raises entity ids above all that were assigned in the lost time. */
const ID_STEP = 1_000_000;
/** Catalogue entities that clients store. */
const ENTITIES = ['match', 'participant', 'tournament', 'season', 'venue'];

/**
 * Raises counters and ids, and gives new change cursors and sequences to matches that have changed, were under way or
 * were scheduled since then.
 * @param since the moment of the backup or a moment before, ISO time
 * @returns how many matches these are
 */
export async function restampSince(client: Queryable, since: string): Promise<number> {
  // Prices change far more often than entities are created, and ClickHouse keeps the prices from the lost time.
  await raiseChangeCursor(client, RESTORED_STEP);
  const sequences = [...ENTITIES.map((table) => [table, ID_STEP] as const), ['odds_change', RESTORED_STEP] as const];
  for (const [table, step] of sequences)
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), nextval(pg_get_serial_sequence('${table}', 'id')) + $1)`,
      [step],
    );
  await client.query("SELECT setval('webhook_event_number', nextval('webhook_event_number') + $1)", [ID_STEP]);
  const count = await markUnsure(client, since);
  await requestCopy(client, 'restored');
  return count;
}

/** The next leader treats this Postgres as a restored one, whatever the server and the timeline are. */
export async function noteRestore(client: Queryable): Promise<void> {
  await setHistory(client, 'restored');
}

/** The server and the timeline, which a restore to a point in time and a failover change, and a restart does not. */
const HISTORY = `SELECT history AS known,
  (SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS current
  FROM relay`;

interface History {
  /** Null if no relay has stored it yet. */
  known: string | null;
  current: string;
}

export interface RestoreDeps {
  pool: pg.Pool;
  log: Pick<LogWriter, 'passLost'>;
  logger: Pick<Logger, 'warn'>;
}

export class RestoreWatch {
  readonly #deps: RestoreDeps;
  /** Whether the repair in Postgres is done, and only the log may be left. */
  #isStamped = false;

  constructor(deps: RestoreDeps) {
    this.#deps = deps;
  }

  /**
   * Repairs what a restore since the last leader has left, now that the caller has become the leader.
   * @throws {LeaseLost} if a different relay has taken over
   */
  async check(generation: number): Promise<void> {
    const { pool, log, logger } = this.#deps;
    const history = await this.#read();
    if (history === null || history.known === history.current) return;
    if (history.known !== null) {
      if (!this.#isStamped) {
        const count = await relayLease.transaction(pool, generation, restampSinceLastChange);
        logger.warn(
          { history, matches: count },
          'Postgres was restored or failed over: continuing with larger cursors, and these matches are sent to sync clients again',
        );
      }
      this.#isStamped = true;
      await log.passLost(generation);
    }
    await relayLease.transaction(pool, generation, (client) => setHistory(client, history.current));
    this.#isStamped = false;
  }

  /** @returns null if this Postgres does not say it, such as some services that are only compatible */
  async #read(): Promise<History | null> {
    try {
      return firstRow((await this.#deps.pool.query<History>(HISTORY)).rows);
    } catch (error) {
      const code = readErrorCode(error);
      if (code !== UNDEFINED_FUNCTION && code !== INSUFFICIENT_PRIVILEGE && code !== NOT_SUPPORTED) throw error;
      return null;
    }
  }
}

const UNDEFINED_FUNCTION = '42883';
const INSUFFICIENT_PRIVILEGE = '42501';
const NOT_SUPPORTED = '0A000';

/** The lost time begins after the last change that this Postgres knows. */
async function restampSinceLastChange(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ last: string }>(
    'SELECT coalesce(max(updated_at), now())::text AS last FROM match',
  );
  return restampSince(client, firstRow(rows).last);
}
