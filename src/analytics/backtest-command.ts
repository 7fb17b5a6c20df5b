/** `touchline backtest`: judges the models by past matches; prints the scores, and writes them with a picture. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import { type CalibrationPlot, calibrationPlot } from '../charts/calibration-plot.ts';
import type { Theme } from '../charts/palette.ts';
import { backtest } from './backtest/backtest.ts';
import { MODELS, type ModelName, type Period } from './backtest/forecast.ts';
import { type BacktestReport, type ModelScores, OUTCOMES } from './backtest/scores.ts';
import { MODEL_TITLES, OUTCOME_TITLES, reportLines } from './backtest/tables.ts';
import type { MatchSource } from './history.ts';

const THEMES: readonly Theme[] = ['light', 'dark'];
const BAR_STEPS = 1_000;

export interface BacktestCommandOptions extends Period {
  /** Ids; all with a model if not given. */
  tournaments?: readonly number[];
  /** Gets `report.json`, `report.md`, `calibration-<model>-<theme>.svg`, and `checkpoints/` for the next run. */
  out: string;
  /** On standard error. */
  progress: boolean;
}

/** @throws Error with one line for a tournament that does not exist or has no model, and where the folder cannot be written */
export async function backtestCommand(
  source: MatchSource,
  { tournaments, from, to, out, progress }: BacktestCommandOptions,
  say: (line: string) => void,
): Promise<void> {
  await mkdir(out, { recursive: true });
  const bar = progress ? new SingleBar({ format: '{bar} {percentage}% | {label}' }, Presets.shades_classic) : undefined;
  bar?.start(BAR_STEPS, 0, { label: '' });
  let report: BacktestReport;
  try {
    report = await backtest(source, {
      ...(tournaments && { tournaments }),
      from,
      to,
      checkpoints: join(out, 'checkpoints'),
      onProgress: (share, label) => bar?.update(Math.round(share * BAR_STEPS), { label }),
    });
  } finally {
    bar?.stop();
  }
  const lines = reportLines(report);
  await writeFile(join(out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(out, 'report.md'), `${lines.join('\n')}\n`);
  for (const { file, text } of calibrationPlots(report)) await writeFile(join(out, file), text);
  for (const line of lines) say(line);
}

/** One of each model and theme: of the bookmakers' on the matches with odds, of the others on all. */
function calibrationPlots({ all, with_odds }: BacktestReport): { file: string; text: string }[] {
  return MODELS.flatMap((model) => {
    const scores = all?.models[model] ?? with_odds?.models[model];
    return scores
      ? THEMES.map((theme) => ({
          file: `calibration-${model.replaceAll('_', '-')}-${theme}.svg`,
          text: calibrationPlot(plotOf(model, scores, theme)).text,
        }))
      : [];
  });
}

function plotOf(model: ModelName, { calibration_error, reliability }: ModelScores, theme: Theme): CalibrationPlot {
  const errors = OUTCOMES.map(
    (outcome) => `${OUTCOME_TITLES[outcome]} ${(calibration_error[outcome] * 100).toFixed(1)}`,
  );
  return {
    title: `${MODEL_TITLES[model]}: predicted and observed frequencies`,
    description: `Ten groups of matches for each outcome; on the dashed line, predictions came true as often as predicted. Mean distance in percentage points: ${errors.join(', ')}.`,
    series: OUTCOMES.map((outcome) => ({ name: OUTCOME_TITLES[outcome], points: reliability[outcome] })),
    axes: { predicted: 'Predicted, %', observed: 'Observed, %' },
    theme,
  };
}
