/** Bookmakers' prices on their way to ClickHouse. The loader moves them there. */
import { prepared, type Queryable } from '../../db/postgres.ts';
import type { ObservedPrice } from '../merge/odds.ts';

const STORE_PRICES = prepared(
  'store prices',
  `INSERT INTO odds_change (match_id, observed_at, provider, bookmaker, market_group, market_name, choice_name, decimal_value, opening_decimal, winning)
   SELECT * FROM json_to_recordset($1) AS p (match_id bigint, observed_at bigint, provider text, bookmaker text, market_group text,
     market_name text, choice_name text, decimal_value float8, opening_decimal float8, winning boolean)`,
);

/** Stores prices until the loader moves them into ClickHouse. */
export async function storePrices(
  client: Queryable,
  prices: readonly (ObservedPrice & { match_id: number })[],
): Promise<void> {
  if (prices.length > 0) await client.query(STORE_PRICES([JSON.stringify(prices)]));
}

export type QueuedPrice = Record<string, string | number | boolean | null>;

/** Returns the oldest prices. */
export async function queuedPrices(db: Queryable, limit: number): Promise<QueuedPrice[]> {
  const { rows } = await db.query<QueuedPrice>(
    `SELECT match_id, id, observed_at, provider, bookmaker, market_group, market_name, choice_name, decimal_value, opening_decimal, winning
     FROM odds_change ORDER BY id LIMIT $1`,
    [limit],
  );
  return rows;
}

export async function removePrices(db: Queryable, prices: readonly QueuedPrice[]): Promise<void> {
  await db.query('DELETE FROM odds_change WHERE id = ANY ($1)', [prices.map(({ id }) => id)]);
}

/** Moves the prices of a merged match to the match that it was merged into. */
export async function moveQueuedPrices(db: Queryable, from: number, into: number): Promise<void> {
  await db.query('UPDATE odds_change SET match_id = $2 WHERE match_id = $1', [from, into]);
}
