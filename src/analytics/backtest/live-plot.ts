/** Data of the calibration plot of live forecasts. Pure. */
import type { CalibrationPlot } from './calibration-plot.ts';
import type { LiveReport } from './live-backtest.ts';

/** Minutes in the plot, which has room for three. */
const SHOWN = [15, 45, 75];

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
