/** Requests a new copy of the history in ClickHouse if the current copy cannot be continued. */
import { firstRow, type Queryable } from './postgres.ts';

/** Requests a new copy from the loader. If a copy is being built, it starts over. @returns the copy's era */
export async function requestCopy(db: Queryable, reason: 'rebuild' | 'restored'): Promise<number> {
  // A rebuild does not replace a pending reason "restored".
  const { rows } = await db.query<{ next_era: number }>(
    `UPDATE analytics_loader SET next_era = greatest(era, next_era) + 1, next_cursor = 0,
       next_reason = CASE WHEN next_reason = 'restored' THEN next_reason ELSE $1 END
     RETURNING next_era`,
    [reason],
  );
  return firstRow(rows).next_era;
}
