/** The Postgres row with the current copy of the history, the loading progress, and the copy that is being built. */
import type pg from 'pg';
import { createLease } from '../../db/lease.ts';
import { requestCopy } from '../../db/loader-copy.ts';
import { firstRow, type Queryable } from '../../db/postgres.ts';

/** Only the process that holds this lease loads the history. The rest stand by. */
export const loaderLease = createLease('analytics_loader');

export interface LoaderState {
  database_id: string;
  era: number;
  /** Version of the rules that decide which matches and figures the history contains. */
  counting: number;
  loaded_cursor: number;
  next_era: number | null;
  /**
   * Why a new copy is built. `restored` means that Postgres was restored from a backup and no longer fits the current
   * copy.
   */
  next_reason: 'rebuild' | 'restored' | null;
  next_cursor: number;
  /** Last assigned change cursor. */
  last: number;
  /** True if prices are waiting to be moved. */
  has_odds: boolean;
}

export async function readLoaderState(db: Queryable): Promise<LoaderState> {
  const { rows } = await db.query<LoaderState>({
    name: 'loader state',
    text: `SELECT database_id, era, counting, loaded_cursor, next_era, next_reason, next_cursor, relay.change_seq AS last,
        EXISTS (SELECT FROM odds_change) AS has_odds
      FROM analytics_loader, relay`,
  });
  return firstRow(rows);
}

/** A copy of the history in ClickHouse. */
interface CopyProgress {
  /** Number of matches in Postgres whose last change is in the copy. */
  matches_loaded: number;
  matches: number;
}

/** The loader's progress, for operators. */
export interface LoaderProgress extends CopyProgress {
  /** True if analytics can be computed, because the copy has had all matches at least once. */
  is_loaded: boolean;
  has_leader: boolean;
  /** The copy that is being built to replace the current one; null if there is none. */
  next: CopyProgress | null;
}

const loadedMatches = (cursor: string) => `(SELECT count(*)::int FROM match_change WHERE change_cursor <= ${cursor})`;

export async function readLoaderProgress(db: Queryable): Promise<LoaderProgress> {
  const { rows } = await db.query<Omit<LoaderProgress, 'next'> & { next_loaded: number | null }>(
    `SELECT caught_up_at IS NOT NULL AS is_loaded, coalesce(expires_at > clock_timestamp(), false) AS has_leader,
       ${loadedMatches('l.loaded_cursor')} AS matches_loaded, (SELECT count(*)::int FROM match) AS matches,
       CASE WHEN next_era IS NOT NULL THEN ${loadedMatches('l.next_cursor')} END AS next_loaded
     FROM analytics_loader l`,
  );
  const { next_loaded, ...current } = firstRow(rows);
  const next = next_loaded === null ? null : { matches_loaded: next_loaded, matches: current.matches };
  return { ...current, next };
}

/**
 * Number of eras (copies of the history) that an installation may use. Eras beyond these belong to other installations that share its
 * ClickHouse.
 */
export const ERAS = 65_536;
/** SQL for an installation's first era, derived from the database id. Eras below ERAS belong to older installations. */
const FIRST_ERA = `(1 + ('x' || left(database_id::text, 4))::bit(16)::integer % 32767) * ${ERAS} + 1`;

/** Requests a new copy if the counting rules have changed. Before the first load, chooses the first copy's era. */
export async function applyCounting(client: pg.PoolClient, counting: number): Promise<void> {
  const { rows } = await client.query<{ has_history: boolean }>(
    `UPDATE analytics_loader SET counting = $1,
       era = CASE WHEN loaded_cursor = 0 AND next_era IS NULL THEN ${FIRST_ERA} ELSE era END
     RETURNING loaded_cursor > 0 AS has_history`,
    [counting],
  );
  if (firstRow(rows).has_history) await requestCopy(client, 'rebuild');
}

/**
 * @param isComplete whether the copy contains all previous changes
 * @param hasRemoved whether a match has left a sample. The sample's other matches may be unchanged, so that their changes do not show this.
 */
export async function saveLoaded(
  client: pg.PoolClient,
  cursor: number,
  isComplete: boolean,
  hasRemoved: boolean,
): Promise<void> {
  await client.query(
    `UPDATE analytics_loader SET loaded_cursor = $1, caught_up_at = CASE WHEN $2 THEN clock_timestamp() ELSE caught_up_at END,
       removed_cursor = CASE WHEN $3 THEN $1 ELSE removed_cursor END`,
    [cursor, isComplete, hasRemoved],
  );
}

/** Stores that the current copy has been lost. No analytics are computed until it is complete again. */
export async function saveLoss(client: pg.PoolClient): Promise<void> {
  await client.query('UPDATE analytics_loader SET loaded_cursor = 0, caught_up_at = NULL');
}

export async function saveBuilt(client: pg.PoolClient, era: number, cursor: number): Promise<void> {
  await client.query('UPDATE analytics_loader SET next_cursor = $2 WHERE next_era = $1', [era, cursor]);
}

/** Switches queries to the new copy, unless a newer copy has been requested. */
export async function switchTo(client: pg.PoolClient, era: number, cursor: number): Promise<void> {
  await client.query(
    `UPDATE analytics_loader SET era = $1, loaded_cursor = $2, caught_up_at = clock_timestamp(),
       next_era = NULL, next_reason = NULL, next_cursor = 0
     WHERE next_era = $1`,
    [era, cursor],
  );
}
