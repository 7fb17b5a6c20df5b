/** Report and plot of the win probability of Twenty20 matches. Pure. */
import type { CalibrationPlot } from './calibration-plot.ts';
import { INNINGS_FORECASTS, type InningsReport } from './innings-backtest.ts';
import { count, percent, type Report, reliabilityTable, score } from './report.ts';

const PARTS = { start: 'Before the first ball', first: 'First innings', second: 'Second innings', all: 'All balls' };
const FORECASTS = {
  model: 'Touchline',
  elo: 'Elo before the match',
  batting_first: 'Rate of sides batting first',
  even: '50 %',
};

export function describeInnings({ matches, period, parts, calibration }: InningsReport): Report {
  if (period === null || calibration === null)
    return { notes: ['No Twenty20 match of the period has a winner and all deliveries.'] };
  return {
    title: 'Twenty20: win probability by ball',
    notes: [
      `${count(matches)} matches from ${period.from} to ${period.to}. Each figure is the chance that the side batting first wins, after each ball that has not decided the match.`,
      `Smaller is better. The expected calibration error is ${percent(calibration.calibration_error)} percentage points.`,
    ],
    sections: [
      ...parts.map(({ part, forecasts, scores }) => ({
        title: `${PARTS[part]}: ${count(forecasts)} forecasts`,
        table: {
          columns: ['Forecast', 'Brier', 'Log-loss'],
          rows: INNINGS_FORECASTS.map((one) => [FORECASTS[one], score(scores[one].brier), score(scores[one].log_loss)]),
        },
      })),
      { title: 'Reliability after each ball', table: reliabilityTable(calibration.reliability, 'Balls', 'Won') },
    ],
  };
}

/** @param report with at least one match */
export const inningsPlot = ({ calibration }: InningsReport): CalibrationPlot => ({
  title: 'Twenty20: predicted and observed wins of the side batting first',
  description: `Ten groups of balls with similar probabilities; on the dashed line, predictions came true as often as predicted. Mean distance in percentage points: ${percent(calibration!.calibration_error)}.`,
  series: [{ name: 'After each ball', points: calibration!.reliability }],
  axes: { predicted: 'Predicted, %', observed: 'Observed, %' },
});
