/** The row in Postgres that says which copy of the history is answered from, how far it is, and which one is being built. */
import type pg from 'pg';
import { createLease } from '../../db/lease.ts';
import type { Queryable } from '../../db/postgres.ts';

/** Of all loaders, one works and the others stand by. */
export const loaderLease = createLease('analytics_loader');

export interface LoaderState {
  database_id: string;
  era: number;
  loaded_cursor: number;
  next_era: number | null;
  /** restored: Postgres has gone back, so that the current copy can no longer be continued. */
  next_reason: 'rebuild' | 'restored' | null;
  next_cursor: number;
  /** The last change cursor that has been assigned. */
  last: number;
  /** Whether prices wait to be moved. */
  has_odds: boolean;
}

export async function readLoaderState(db: Queryable): Promise<LoaderState> {
  const { rows } = await db.query<LoaderState>({
    name: 'loader state',
    text: `SELECT database_id, era, loaded_cursor, next_era, next_reason, next_cursor, relay.change_seq AS last,
        EXISTS (SELECT FROM odds_change) AS has_odds
      FROM analytics_loader, relay`,
  });
  return rows[0]!;
}

/** Asks the loader for a new copy. Where one is being built, it begins again. @returns its era */
export async function requestCopy(db: Queryable, reason: 'rebuild' | 'restored'): Promise<number> {
  // Postgres that has gone back is not forgotten because somebody rebuilds as well.
  const { rows } = await db.query<{ next_era: number }>(
    `UPDATE analytics_loader SET next_era = greatest(era, next_era) + 1, next_cursor = 0,
       next_reason = CASE WHEN next_reason = 'restored' THEN next_reason ELSE $1 END
     RETURNING next_era`,
    [reason],
  );
  return rows[0]!.next_era;
}

/**
 * @param isComplete whether it contains all changes that there were
 * @param hasRemoved whether a match has been removed from where it was: from a sample of which no match has changed, perhaps
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

/** Nothing is answered from the current copy until it is complete again. */
export async function saveLoss(client: pg.PoolClient): Promise<void> {
  await client.query('UPDATE analytics_loader SET loaded_cursor = 0, caught_up_at = NULL');
}

export async function saveBuilt(client: pg.PoolClient, era: number, cursor: number): Promise<void> {
  await client.query('UPDATE analytics_loader SET next_cursor = $2 WHERE next_era = $1', [era, cursor]);
}

/** Answers from the new copy from now on, unless another one has been asked for. */
export async function switchTo(client: pg.PoolClient, era: number, cursor: number): Promise<void> {
  await client.query(
    `UPDATE analytics_loader SET era = $1, loaded_cursor = $2, caught_up_at = clock_timestamp(),
       next_era = NULL, next_reason = NULL, next_cursor = 0
     WHERE next_era = $1`,
    [era, cursor],
  );
}
