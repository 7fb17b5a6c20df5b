/** Scores of the models on the matches of this installation, from the last backtest. */
import { type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { BacktestReport } from './backtest/scores.ts';

export interface StoredReport {
  /** YYYY-MM-DDTHH:MM:SSZ */
  measured_at: string;
  report: BacktestReport;
}

/** @param now ms since 1970 */
export async function storeModelReport(db: Queryable, report: BacktestReport, now: number): Promise<void> {
  await db.query(
    `INSERT INTO model_report (measured_at, report) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET measured_at = excluded.measured_at, report = excluded.report`,
    [new Date(now), JSON.stringify(report)],
  );
}

/** @returns null before the first backtest */
export async function readModelReport(db: Queryable): Promise<StoredReport | null> {
  const { rows } = await db.query<StoredReport>(
    `SELECT ${wireTimeSql('measured_at')} AS measured_at, report FROM model_report`,
  );
  return rows[0] ?? null;
}
