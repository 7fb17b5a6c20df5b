/** Runs a backtest as a child process, for tests that kill it. The backtest starts when the parent sends a message. */
import { MATCHES } from '../../src/analytics/backtest/backtests.ts';
import { runBacktest } from '../../src/analytics/backtest/run-backtest.ts';
import { calibrationPlots } from '../../src/web/models/calibration-plot.ts';
import { longSource } from '../analytics/history.ts';

export interface BacktestChildOptions {
  /** Output folder. */
  out: string;
}

const { out } = JSON.parse(process.argv[2]!) as BacktestChildOptions;

process.on('message', async () => {
  const everything = { source: longSource(), from: 0, to: Number.MAX_SAFE_INTEGER, out, progress: false };
  await runBacktest(MATCHES, everything, { out, draw: calibrationPlots, say: () => undefined });
  process.exit(0);
});
process.send!('ready');
