/** A source's state and requests per day. They outlast restarts, and all processes share them. */
import type { Queryable } from '../db/postgres.ts';
import { utcDay, wireTime } from '../wire/time.ts';

export interface SourceState {
  /** Number of consecutive failures. */
  failures: number;
  /** In ms. No request is sent before this time. */
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

/** Ends the pause after failures. */
export async function endBackoff(db: Queryable, source: string): Promise<void> {
  await db.query("UPDATE source SET failures = 0, blocked_until = '-infinity' WHERE name = $1", [source]);
}

/** Number of days for which the daily request counts are stored. */
const BUDGET_DAYS = 30;

/**
 * Takes `cost` requests from the daily budget (UTC), which has `limit` requests.
 * @returns false if fewer than `cost` are left
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

/** Returns the number of requests today (UTC) for each source that has sent requests within `BUDGET_DAYS`. */
export async function usedBudgets(db: Queryable, now: number): Promise<Map<string, number>> {
  const { rows } = await db.query<{ source: string; requests: number }>(
    'SELECT source, coalesce(sum(requests) FILTER (WHERE day = $1), 0)::int AS requests FROM source_budget GROUP BY source',
    [utcDay(now)],
  );
  return new Map(rows.map(({ source, requests }) => [source, requests]));
}

/** A value that the provider did not understand. */
export interface NotUnderstood {
  path: string;
  value: string;
  at: string;
}

export interface SourceReport {
  dailyRequests: number;
  /** In ms. Null if there has been no good reply yet. */
  answeredAt: number | null;
  /** Reason for the latest failure. Null after a good reply. */
  fault: string | null;
  faultSince: number | null;
  /** Changes since the last report. */
  changes: number;
  notUnderstood: readonly NotUnderstood[];
}

const timeOrNull = (ms: number | null) => (ms === null ? null : wireTime(ms));

export async function saveReport(db: Queryable, source: string, report: SourceReport): Promise<void> {
  await db.query(
    `INSERT INTO source (name, daily_requests, answered_at, fault, fault_since, changes, not_understood)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (name) DO UPDATE SET daily_requests = excluded.daily_requests,
       answered_at = coalesce(excluded.answered_at, source.answered_at), fault = excluded.fault,
       fault_since = excluded.fault_since, changes = source.changes + excluded.changes,
       not_understood = CASE WHEN excluded.not_understood = '[]' THEN source.not_understood ELSE excluded.not_understood END`,
    [
      source,
      report.dailyRequests,
      timeOrNull(report.answeredAt),
      report.fault,
      timeOrNull(report.faultSince),
      report.changes,
      JSON.stringify(report.notUnderstood),
    ],
  );
}

/** A polled source as operators see it. */
export interface PolledSource {
  name: string;
  answered_at: string | null;
  fault: string | null;
  fault_since: string | null;
  /** Requests left today (UTC). */
  requests_left: number;
  daily_requests: number;
  changes: number;
  not_understood: NotUnderstood[];
}

/** Returns the sources that have been polled, by name. @param now ms */
export async function polledSources(db: Queryable, now: number): Promise<PolledSource[]> {
  const { rows } = await db.query<
    Omit<PolledSource, 'answered_at' | 'fault_since'> & { answered_at: Date | null; fault_since: Date | null }
  >(
    `SELECT s.name, s.answered_at, s.fault, s.fault_since, s.daily_requests,
       greatest(s.daily_requests - coalesce(b.requests, 0), 0)::int AS requests_left,
       s.changes::float8 AS changes, s.not_understood
     FROM source s LEFT JOIN source_budget b ON b.source = s.name AND b.day = $1
     WHERE s.daily_requests IS NOT NULL ORDER BY s.name`,
    [utcDay(now)],
  );
  return rows.map(({ answered_at, fault_since, ...rest }) => ({
    ...rest,
    answered_at: answered_at && wireTime(answered_at.getTime()),
    fault_since: fault_since && wireTime(fault_since.getTime()),
  }));
}

/**
 * Hides sources that are no longer polled. Otherwise such a source would show an ever older last reply, and no fault.
 */
export async function retireSources(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query('UPDATE source SET daily_requests = NULL, fault = NULL, fault_since = NULL WHERE name = ANY($1)', [
    names,
  ]);
}
