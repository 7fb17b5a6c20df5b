/** Data of the calibration plot of a model. Pure. */
import type { CalibrationPlot } from './calibration-plot.ts';
import type { ModelName } from './match-forecasts.ts';
import { MODEL_TITLES, OUTCOME_TITLES } from './match-report.ts';
import { type ModelScores, OUTCOMES } from './match-scores.ts';

export function drawPlot(model: ModelName, { calibration_error, reliability }: ModelScores): CalibrationPlot {
  const errors = OUTCOMES.map(
    (outcome) => `${OUTCOME_TITLES[outcome]} ${(calibration_error[outcome] * 100).toFixed(1)}`,
  );
  return {
    title: `${MODEL_TITLES[model]}: predicted and observed frequencies`,
    description: `Ten groups of matches for each outcome; on the dashed line, predictions came true as often as predicted. Mean distance in percentage points: ${errors.join(', ')}.`,
    series: OUTCOMES.map((outcome) => ({ name: OUTCOME_TITLES[outcome], points: reliability[outcome] })),
    axes: { predicted: 'Predicted, %', observed: 'Observed, %' },
  };
}
