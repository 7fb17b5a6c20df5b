/** A backtest as a child process, for tests that kill it. It starts at a message from its parent. */
import { backtestCommand } from '../../src/analytics/backtest/match-command.ts';
import { calibrationPlots } from '../../src/web/models/calibration-plot.ts';
import { longSource } from '../analytics/history.ts';

export interface BacktestChildOptions {
  /** Output folder. */
  out: string;
}

const { out } = JSON.parse(process.argv[2]!) as BacktestChildOptions;

process.on('message', async () => {
  const everything = { from: 0, to: Number.MAX_SAFE_INTEGER };
  await backtestCommand(longSource(), { ...everything, out, progress: false, draw: calibrationPlots }, () => undefined);
  process.exit(0);
});
process.send!('ready');
