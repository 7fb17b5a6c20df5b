/** The steps of every backtest. It measures, writes the report as JSON, text and plots, and prints the text. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CalibrationPlot, type DrawThemes, writePlots } from './calibration-plot.ts';
import { type Report, reportLines } from './report.ts';

/** One kind of backtest: how its scores are measured, and how they are shown. */
export interface Backtest<Input, Scores> {
  /** Base name for `<file>.json` and `<file>.md`. */
  file: string;
  /** @throws Error with a one-line message if the input is insufficient */
  measure(input: Input): Promise<Scores>;
  describe(scores: Scores): Report;
  /** Plots by file name, without the theme. */
  plots(scores: Scores): Readonly<Record<string, CalibrationPlot>>;
}

export interface BacktestOutput {
  /** Folder for the report's files. */
  out: string;
  draw: DrawThemes;
  say: (line: string) => void;
}

/** @throws Error with a one-line message if the input is insufficient, or the folder cannot be written */
export async function runBacktest<Input, Scores>(
  { file, measure, describe, plots }: Backtest<Input, Scores>,
  input: Input,
  { out, draw, say }: BacktestOutput,
): Promise<Scores> {
  await mkdir(out, { recursive: true });
  const scores = await measure(input);
  const lines = reportLines(describe(scores));
  await writeFile(join(out, `${file}.json`), `${JSON.stringify(scores, null, 2)}\n`);
  await writeFile(join(out, `${file}.md`), `${lines.join('\n')}\n`);
  for (const [name, plot] of Object.entries(plots(scores))) await writePlots(out, name, plot, draw);
  for (const line of lines) say(line);
  return scores;
}
