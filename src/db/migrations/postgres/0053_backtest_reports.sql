-- The last report of each kind of backtest. It replaces model_report, which the version before still reads.
CREATE TABLE backtest_report (
  kind text PRIMARY KEY,
  measured_at timestamptz NOT NULL,
  report json NOT NULL                     -- analytics/model-report.ts has the type of each kind
);
INSERT INTO backtest_report (kind, measured_at, report) SELECT 'matches', measured_at, report FROM model_report;
