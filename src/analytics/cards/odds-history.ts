/** Reads a match's price history page by page. */
import type { z } from 'zod';
import { Problem } from '../../http/index.ts';
import type { oddsHistory } from '../schema.ts';
import { priceHistory, type StoredPrice } from './history-queries.ts';
import type { AnalyticsStores } from './match-card.ts';
import type { MatchSubject } from './subjects.ts';

type Page = z.infer<typeof oddsHistory>;

/** A page cursor names the last price on the page, as `<observed at, ms>.<id>`. */
const CURSOR = /^(-?\d{1,15})\.(\d{1,15})$/;

function parseCursor(cursor: string | undefined): { observed_at: number; id: number } | null {
  if (cursor === undefined || cursor === '') return null;
  const [, at, id] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new Problem('invalid_cursor', 'The cursor is not a next_cursor that this list has returned.');
  return { observed_at: Number(at), id: Number(id) };
}

/** @throws {Problem} invalid_cursor */
export async function readOddsHistory(
  { clickhouse }: Pick<AnalyticsStores, 'clickhouse'>,
  { event_id, start, database_id }: MatchSubject,
  {
    market,
    bookmaker,
    limit,
    cursor,
  }: { market?: string | undefined; bookmaker?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<Page> {
  const prices = await priceHistory(clickhouse, {
    database: database_id,
    match: event_id,
    start: start * 1_000,
    market,
    bookmaker,
    after: parseCursor(cursor),
    // If the query returns the extra price, there is a next page.
    limit: limit + 1,
  });
  const page = prices.slice(0, limit);
  const last = page.at(-1);
  return {
    event_id,
    count: page.length,
    changes: page.map(toChange),
    next_cursor: prices.length > limit ? `${last!.observed_at}.${last!.id}` : null,
  };
}

const toChange = (price: StoredPrice): Page['changes'][number] => ({
  at: new Date(price.observed_at).toISOString(),
  market_name: price.market_name,
  market_group: price.market_group,
  choice_name: price.choice_name,
  bookmaker: price.bookmaker,
  decimal_value: price.decimal_value,
  opening_decimal: price.opening_decimal,
  movement: priceMovement(price),
  opening: price.is_first === 1,
  closing: price.is_closing === 1,
  winning: price.winning === null ? null : price.winning === 1,
});

/** Compares a price with the previous one. The first price is compared with the opening price, if known. */
function priceMovement({ decimal_value, previous, opening_decimal }: StoredPrice): 'up' | 'down' | null {
  const before = previous ?? opening_decimal;
  if (before === null || before === decimal_value) return null;
  return decimal_value > before ? 'up' : 'down';
}
