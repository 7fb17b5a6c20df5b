/** `touchline backtest`: evaluates the models on past matches, prints the scores and writes them with plots. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import type { MatchSource, Period } from '../history/match-source.ts';
import { type DrawThemes, writePlots } from './calibration-plot.ts';
import { backtest } from './match-backtest.ts';
import { MODELS } from './match-forecasts.ts';
import { drawPlot } from './match-plots.ts';
import { reportLines } from './match-report.ts';
import { type BacktestReport, scoresIn } from './match-scores.ts';

const BAR_STEPS = 1_000;

export interface BacktestCommandOptions extends Period {
  /** Tournament ids; default: all tournaments with a model. */
  tournaments?: readonly number[];
  /** Receives `report.json`, `report.md`, `calibration-<model>-<theme>.svg`, and `checkpoints/` for the next run. */
  out: string;
  /** Whether to show progress on standard error. */
  progress: boolean;
  draw: DrawThemes;
}

/** @throws Error with one line if a tournament does not exist or has no model, or the folder cannot be written */
export async function backtestCommand(
  source: MatchSource,
  { tournaments, from, to, out, progress, draw }: BacktestCommandOptions,
  say: (line: string) => void,
): Promise<BacktestReport> {
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
  for (const model of MODELS) {
    const scores = scoresIn(report, model);
    const name = `calibration-${model.replaceAll('_', '-')}`;
    if (scores) await writePlots(out, name, drawPlot(model, scores), draw);
  }
  for (const line of lines) say(line);
  return report;
}
