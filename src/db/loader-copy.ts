/** Requests a new history copy in ClickHouse, from whatever knows that the current one cannot be continued. */
import { firstRow, type Queryable } from './postgres.ts';

/** Requests a new copy from the loader. A copy that is being built is restarted. @returns the copy's era */
export async function requestCopy(db: Queryable, reason: 'rebuild' | 'restored'): Promise<number> {
  // A pending reason "restored" is kept if a rebuild is requested as well.
  const { rows } = await db.query<{ next_era: number }>(
    `UPDATE analytics_loader SET next_era = greatest(era, next_era) + 1, next_cursor = 0,
       next_reason = CASE WHEN next_reason = 'restored' THEN next_reason ELSE $1 END
     RETURNING next_era`,
    [reason],
  );
  return firstRow(rows).next_era;
}
