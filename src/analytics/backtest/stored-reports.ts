/** Stores the last report from each kind of backtest run on this installation's data. */
import { type Queryable, wireTimeSql } from '../../db/postgres.ts';
import type { ExpectedGoalsReport } from './expected-goals-backtest.ts';
import type { InningsReport } from './innings-backtest.ts';
import type { LiveReport } from './live-backtest.ts';
import type { BacktestReport } from './match-scores.ts';
import type { OutlookReport } from './outlook-backtest.ts';
import type { RatingReport } from './rating-backtest.ts';

/**
 * Reports by kind. `matches` compares pre-match forecasts, and `live` measures forecasts during a match. `expected_goals` compares shots
 * with goals, `outlook` measures forecasts of final tables, `rating` compares the margin ratings with results, and `innings`
 * measures the win probability of Twenty20 matches by ball.
 */
export interface Reports {
  matches: BacktestReport;
  live: LiveReport;
  expected_goals: ExpectedGoalsReport;
  outlook: OutlookReport;
  rating: RatingReport;
  innings: InningsReport;
}
type Kind = keyof Reports;

export interface StoredReport<K extends Kind = Kind> {
  /** YYYY-MM-DDTHH:MM:SSZ */
  measured_at: string;
  report: Reports[K];
}

/** The last reports. Kinds that have never been measured are missing. */
export type StoredReports = { [K in Kind]?: StoredReport<K> };

/** @param now ms since 1970 */
export async function storeModelReport<K extends Kind>(
  db: Queryable,
  kind: K,
  report: Reports[K],
  now: number,
): Promise<void> {
  await db.query(
    `INSERT INTO backtest_report (kind, measured_at, report) VALUES ($1, $2, $3)
     ON CONFLICT (kind) DO UPDATE SET measured_at = excluded.measured_at, report = excluded.report`,
    [kind, new Date(now), JSON.stringify(report)],
  );
}

export async function readModelReports(db: Queryable): Promise<StoredReports> {
  const { rows } = await db.query<{ kind: Kind; measured_at: string; report: Reports[Kind] }>(
    `SELECT kind, ${wireTimeSql('measured_at')} AS measured_at, report FROM backtest_report`,
  );
  return Object.fromEntries(rows.map(({ kind, ...stored }) => [kind, stored]));
}
