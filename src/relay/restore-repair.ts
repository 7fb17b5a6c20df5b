/**
 * Repairs the state after Postgres has been restored to an earlier moment. No number is assigned twice, and everything
 * that may have changed since that moment is sent to sync clients again. A relay that becomes the leader detects a
 * restore by itself, because the server or its timeline has changed. A failover looks the same, and it too may have
 * lost the last changes.
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

/** By how much entity ids are raised. More ids than this are never assigned in the lost time. */
const ID_STEP = 1_000_000;
/** Catalogue entities whose ids clients store. */
const ENTITIES = ['match', 'participant', 'tournament', 'season', 'venue'];

/**
 * Raises counters and ids. Matches get new change cursors and sequences if they have changed since `since`, were
 * scheduled after it, or are not final yet.
 * @param since ISO time of the backup, or shortly before
 * @returns how many matches these are
 */
export async function restampSince(client: Queryable, since: string): Promise<number> {
  // Price ids are raised by more than entity ids. Prices are written far more often, and ClickHouse still has the
  // prices from the lost time.
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

/** Makes the next leader treat this Postgres as restored, whatever the server and the timeline are. */
export async function noteRestore(client: Queryable): Promise<void> {
  await setHistory(client, 'restored');
}

/** Reads the server and the timeline. A failover, or a restore to a point in time, changes them. A restart does not. */
const HISTORY = `SELECT history AS known,
  (SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS current
  FROM relay`;

interface History {
  /** The history that a relay stored last. Null if no relay has stored one yet. */
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
  /** True if Postgres has been repaired. The log may still have to be repaired. */
  #isStamped = false;

  constructor(deps: RestoreDeps) {
    this.#deps = deps;
  }

  /**
   * Repairs the state if Postgres has been restored since the last leader. Called when this process has become the
   * leader.
   * @throws {LeaseLost} if a new leader has taken over
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

  /**
   * @returns null if the server does not provide the history; some services that are only compatible with Postgres do
   * not
   */
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

/** Calls `restampSince` with the time of the last change that this Postgres knows, since the lost time begins after it. */
async function restampSinceLastChange(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ last: string }>(
    'SELECT coalesce(max(updated_at), now())::text AS last FROM match',
  );
  return restampSince(client, firstRow(rows).last);
}
