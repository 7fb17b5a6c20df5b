/** Moves prices from Postgres to ClickHouse. */
import type pg from 'pg';
import { moveQueuedPrices, queuedPrices, removePrices } from '../../apply/index.ts';
import type { ClickHouse } from '../../db/clickhouse.ts';

/** Maximum number of prices per insert. */
const PRICES = 2_000;

/** Escapes a field in tab-separated values. */
const escaped = (text: string) =>
  text.replace(/[\\\t\n]/g, (character) => (character === '\\' ? '\\\\' : character === '\t' ? '\\t' : '\\n'));
const field = (value: string | number | boolean | null) =>
  value === null
    ? '\\N'
    : typeof value === 'boolean'
      ? Number(value)
      : typeof value === 'string'
        ? escaped(value)
        : value;

/**
 * Moves a batch of prices. It deletes exactly the rows that it has inserted, so that a row that is committed late is never skipped. If the
 * process is killed in between, the prices are inserted again with the same ids.
 * @returns whether more prices may be waiting
 */
export async function moveOdds(pool: pg.Pool, clickhouse: ClickHouse, databaseId: string): Promise<boolean> {
  const rows = await queuedPrices(pool, PRICES);
  const lines = rows.map((row) => `${[databaseId, ...Object.values(row).map(field)].join('\t')}\n`);
  await clickhouse.insert('odds_change', lines.join(''));
  await removePrices(pool, rows);
  return rows.length === PRICES;
}

/**
 * Copies a merged match's prices to the match that it was merged into, including prices that have not been moved yet.
 */
export async function mergeOdds(
  pool: pg.Pool,
  clickhouse: ClickHouse,
  databaseId: string,
  from: number,
  into: number,
): Promise<void> {
  await moveQueuedPrices(pool, from, into);
  await clickhouse.command(
    `INSERT INTO odds_change
     -- Without an alias: WHERE would mean it.
     SELECT database_id, {into: UInt64}, * EXCEPT (database_id, match_id) FROM odds_change FINAL
     WHERE database_id = {id: UUID} AND match_id = {from: UInt64}`,
    { id: databaseId, from, into },
  );
}
