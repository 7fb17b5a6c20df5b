/** State of a source, and its requests per day, kept across restarts and shared by all processes. */
import type { Queryable } from '../db/postgres.ts';
import { wireTime } from '../wire/time.ts';

export interface SourceState {
  /** Number of failures in a row. */
  failures: number;
  /** ms; no request is sent before. */
  blockedUntil: number;
}

export async function readState(db: Queryable, source: string): Promise<SourceState> {
  const { rows } = await db.query<SourceState>(
    `SELECT failures, coalesce(extract(epoch FROM nullif(blocked_until, '-infinity')) * 1000, 0)::float8 AS "blockedUntil"
     FROM source WHERE name = $1`,
    [source],
  );
  return rows[0] ?? { failures: 0, blockedUntil: 0 };
}

export async function saveState(db: Queryable, source: string, { failures, blockedUntil }: SourceState): Promise<void> {
  await db.query(
    `INSERT INTO source (name, failures, blocked_until) VALUES ($1, $2, to_timestamp($3 / 1000.0))
     ON CONFLICT (name) DO UPDATE SET failures = excluded.failures, blocked_until = excluded.blocked_until`,
    [source, failures, blockedUntil],
  );
}

/** Days whose use is kept. */
const BUDGET_DAYS = 30;

const utcDay = (now: number): string => wireTime(now).slice(0, 10);

/**
 * Takes `cost` requests of the day (UTC), so that at most `limit` are taken.
 * @returns false if fewer are left
 */
export async function takeFromBudget(
  db: Queryable,
  source: string,
  now: number,
  cost: number,
  limit: number,
): Promise<boolean> {
  if (cost > limit) return false;
  const { rowCount } = await db.query(
    `INSERT INTO source_budget AS b (source, day, requests) VALUES ($1, $2, $3)
     ON CONFLICT (source, day) DO UPDATE SET requests = b.requests + $3 WHERE b.requests + $3 <= $4`,
    [source, utcDay(now), cost, limit],
  );
  await db.query('DELETE FROM source_budget WHERE source = $1 AND day < $2::date - $3::int', [
    source,
    utcDay(now),
    BUDGET_DAYS,
  ]);
  return rowCount === 1;
}

/** Returns the requests of the day (UTC) by source, for sources with requests within `BUDGET_DAYS`. */
export async function usedBudgets(db: Queryable, now: number): Promise<Map<string, number>> {
  const { rows } = await db.query<{ source: string; requests: number }>(
    'SELECT source, coalesce(sum(requests) FILTER (WHERE day = $1), 0)::int AS requests FROM source_budget GROUP BY source',
    [utcDay(now)],
  );
  return new Map(rows.map(({ source, requests }) => [source, requests]));
}
