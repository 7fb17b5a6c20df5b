/** Live forecast report and plot. Pure. */
import type { CalibrationPlot } from './calibration-plot.ts';
import type { LiveReport, LiveScores } from './live-backtest.ts';
import { type Column, count, type Report, score } from './report.ts';

const SCORES: readonly Column<LiveScores>[] = [
  ['RPS', ({ rps }) => score(rps)],
  ['Brier', ({ brier }) => score(brier)],
  ['Log-loss', ({ log_loss }) => score(log_loss)],
  ['ECE', ({ calibration_error }) => calibration_error.toFixed(3)],
];
/** Minutes that the plot shows. A plot has at most three series. */
const SHOWN = [15, 45, 75];

export function describeLive({ matches, tournaments, period, minutes }: LiveReport): Report {
  if (period === null) return { notes: ['No match of the period has goals and cards with their minutes.'] };
  const names = tournaments.map(({ name, matches: own }) => `${name} (${count(own)})`).join(', ');
  return {
    title: 'Live backtest',
    notes: [
      `${count(matches)} matches from ${period.from} to ${period.to}: ${names}.`,
      'The result after 90 minutes, predicted from matches of earlier days and from what had happened by the minute. Smaller is better. ECE is the expected calibration error of the three outcomes together.',
    ],
    table: {
      columns: ['Minute', ...minutes.map(({ minute }) => String(minute))],
      rows: SCORES.map(([title, cell]) => [title, ...minutes.map(cell)]),
    },
  };
}

export const drawLivePlot = ({ minutes }: LiveReport): CalibrationPlot => {
  const shown = minutes.filter(({ minute }) => SHOWN.includes(minute));
  const errors = shown.map(
    ({ minute, calibration_error }) => `minute ${minute} ${(calibration_error * 100).toFixed(1)}`,
  );
  return {
    title: 'Live: predicted and observed frequencies',
    description: `Ten groups of outcomes for each minute; on the dashed line, predictions came true as often as predicted. Mean distance in percentage points: ${errors.join(', ')}.`,
    series: shown.map(({ minute, reliability }) => ({ name: `Minute ${minute}`, points: reliability })),
    axes: { predicted: 'Predicted, %', observed: 'Observed, %' },
  };
};
