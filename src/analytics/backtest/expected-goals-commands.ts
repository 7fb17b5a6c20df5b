/** `touchline fit-expected-goals` and `touchline backtest --expected-goals`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MatchUpdates, readShots } from '../fit/shot-source.ts';
import { type DrawThemes, writePlots } from './calibration-plot.ts';
import { type ExpectedGoalsReport, fitToTraining, measureExpectedGoals } from './expected-goals-backtest.ts';
import { expectedGoalsLines, reliabilityPlot } from './expected-goals-report.ts';

/**
 * The same shots give the same file.
 * @throws Error with one line if a league is missing, or the file cannot be written
 */
export async function fitExpectedGoalsCommand(
  matches: MatchUpdates,
  out: string,
  say: (line: string) => void,
): Promise<void> {
  const { model, crossValidated } = fitToTraining(await readShots(matches));
  await writeFile(out, `${JSON.stringify(model, null, 2)}\n`);
  const { tournaments, shots } = model.fitted_on;
  say(`Fitted to ${shots.toLocaleString('en')} shots of ${tournaments}: ${out}`);
  say(`Ridge ${model.ridge}; log-loss ${crossValidated.toFixed(5)} when each league is predicted from the others`);
}

/**
 * Prints the report, and writes it with its plots.
 * @throws Error with one line if a league is missing, or the folder cannot be written
 */
export async function backtestExpectedGoals(
  matches: MatchUpdates,
  out: string,
  say: (line: string) => void,
  draw: DrawThemes,
): Promise<ExpectedGoalsReport> {
  const report = measureExpectedGoals(await readShots(matches));
  const lines = expectedGoalsLines(report);
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'expected-goals.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(out, 'expected-goals.md'), `${lines.join('\n')}\n`);
  await writePlots(out, 'calibration-expected-goals', reliabilityPlot(report), draw);
  for (const line of lines) say(line);
  return report;
}
