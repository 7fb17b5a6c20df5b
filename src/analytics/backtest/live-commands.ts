/** `touchline fit-live` and `touchline backtest --live`: chances of matches under way, fitted and evaluated. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InPlayParameters } from '../../in-play/parameters.ts';
import { fitInPlay } from '../fit/fit-goals-by-minute.ts';
import { readMeasured } from '../fit/read-measured.ts';
import type { MatchSource, Period } from '../history/match-source.ts';
import { formatDate } from '../samples/sample.ts';
import { type DrawThemes, writePlots } from './calibration-plot.ts';
import { backtestLive, type LiveReport } from './live-backtest.ts';
import { drawLivePlot } from './live-plot.ts';
import { liveReportLines } from './live-report.ts';

export interface LiveOptions extends Period {
  /** Default: all tournaments of sports with such parameters. */
  tournaments?: readonly number[];
  /** Output file of a fit, output folder of a backtest. */
  out: string;
}

/**
 * The same matches give the same file.
 * @throws Error with one line if the matches do not suffice, or the file cannot be written
 */
export async function fitLiveCommand(
  source: MatchSource,
  { tournaments, out, ...period }: LiveOptions,
  say: (line: string) => void,
): Promise<void> {
  const measured = (await readMeasured(source, tournaments, period)).filter(({ matches }) => matches.length > 0);
  const matches = measured.flatMap((one) => one.matches);
  if (matches.length === 0) throw new Error('no match of the period has goals and cards with their minutes');
  const file: InPlayParameters = {
    fitted_on: {
      tournaments: measured.map(({ name }) => name).join(', '),
      from: formatDate(Math.min(...matches.map(({ start }) => start))),
      to: formatDate(Math.max(...matches.map(({ start }) => start))),
      matches: matches.length,
      goals: matches.reduce((sum, { turns }) => sum + turns.filter(({ kind }) => kind === 'goal').length, 0),
    },
    ...fitInPlay(matches),
  };
  await writeFile(out, `${JSON.stringify(file, null, 2)}\n`);
  say(`Fitted to ${matches.length.toLocaleString('en')} matches, wrote ${out}`);
}

/** Writes `live.json`, `live.md` and `live-<theme>.svg`. @throws Error with one line if the folder cannot be written */
export async function backtestLiveCommand(
  source: MatchSource,
  { tournaments, out, ...period }: LiveOptions,
  say: (line: string) => void,
  draw: DrawThemes,
): Promise<LiveReport> {
  await mkdir(out, { recursive: true });
  const report = backtestLive(await readMeasured(source, tournaments, period));
  const lines = liveReportLines(report);
  await writeFile(join(out, 'live.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(out, 'live.md'), `${lines.join('\n')}\n`);
  if (report.matches > 0) await writePlots(out, 'live', drawLivePlot(report), draw);
  for (const line of lines) say(line);
  return report;
}
