/** Moves finished usage days from Postgres into ClickHouse. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ClickHouse } from '../../db/clickhouse.ts';
import { firstRow, transaction } from '../../db/postgres.ts';
import type { Clock } from '../../runtime/clock.ts';
import { startLoop } from '../../runtime/loop.ts';
import { utcDay } from '../../wire/time.ts';

/**
 * How many days a finished day stays in Postgres, because processes that could not reach Postgres add to the day later.
 */
const LATE_DAYS = 1;
/** Maximum number of rows that the embedded engine inserts at once. */
const INSERT_ROWS = 5_000;

const DELETE_DAY = `DELETE FROM account_usage WHERE day = $1
  RETURNING account_id, day::text AS day, key_id, endpoint, status, requests, billable`;

/** Escapes a field in tab-separated values. */
const escaped = (text: string) =>
  text.replace(/[\\\t\n]/g, (character) => (character === '\\' ? '\\\\' : character === '\t' ? '\\t' : '\\n'));

interface MovedRow {
  account_id: number;
  day: string;
  key_id: number;
  endpoint: string;
  status: number;
  requests: number;
  billable: number;
}

/**
 * Moves the rows of the oldest finished day. One transaction deletes them from Postgres and inserts them into
 * ClickHouse. If the transaction fails after the insert, the next run inserts the same part again, which replaces the
 * first insert.
 * @param today YYYY-MM-DD
 * @returns true if a day was moved, in which case there may be more
 * @throws {ClickHouseUnavailable}
 */
export async function moveUsage(
  pool: pg.Pool,
  clickhouse: Pick<ClickHouse, 'insert'>,
  databaseId: string,
  today: string,
): Promise<boolean> {
  const { rows } = await pool.query<{ day: string | null }>(
    `SELECT min(day)::text AS day FROM account_usage WHERE day < $1::date - ${LATE_DAYS}`,
    [today],
  );
  const day = rows[0]?.day;
  if (day == null) return false;
  await transaction(pool, async (client) => {
    const { rows } = await client.query<{ part: number }>(
      `INSERT INTO usage_moved AS m (day, part) VALUES ($1, 1) ON CONFLICT (day) DO UPDATE SET part = m.part + 1 RETURNING part`,
      [day],
    );
    const { part } = firstRow(rows);
    const { rows: moved } = await client.query<MovedRow>(DELETE_DAY, [day]);
    for (let from = 0; from < moved.length; from += INSERT_ROWS) {
      const lines = moved
        .slice(from, from + INSERT_ROWS)
        .map((row) =>
          [
            databaseId,
            row.account_id,
            row.day,
            row.key_id,
            escaped(row.endpoint),
            row.status,
            part,
            row.requests,
            row.billable,
          ].join('\t'),
        );
      await clickhouse.insert('account_usage', `${lines.join('\n')}\n`);
    }
  });
  return true;
}

const LOOK_MS = 10 * 60_000;
const RETRY_MS = 60_000;
/** How often the mover checks whether ClickHouse is open before its first run. */
const OPENING_MS = 1_000;

export interface UsageMoverDeps {
  pool: pg.Pool;
  clickhouse: Pick<ClickHouse, 'insert'> & { isOpen(): boolean };
  clock: Clock;
  logger: Pick<Logger, 'error' | 'info'>;
}

/** Starts the mover. Several processes may run one; each part is moved only once. */
export function startUsageMover({ pool, clickhouse, clock, logger }: UsageMoverDeps): { stop(): Promise<void> } {
  return startLoop({
    async run() {
      if (!clickhouse.isOpen()) return OPENING_MS;
      const { rows } = await pool.query<{ database_id: string }>('SELECT database_id FROM analytics_loader');
      const today = utcDay(clock.now());
      return (await moveUsage(pool, clickhouse, firstRow(rows).database_id, today)) ? 0 : LOOK_MS;
    },
    retryMs: RETRY_MS,
    failed: 'moving usage into ClickHouse failed, it stays in Postgres until the next attempt',
    recovered: 'usage moves into ClickHouse again',
    logger,
  });
}
