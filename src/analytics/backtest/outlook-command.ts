/** `touchline backtest --outlook`: measures outlooks of past seasons, prints the scores and writes them with a plot. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { MatchSource } from '../history/match-source.ts';
import { type DrawThemes, writePlots } from './calibration-plot.ts';
import { backtestOutlook, type OutlookReport } from './outlook-backtest.ts';
import { outlookLines, outlookPlot } from './outlook-report.ts';

/** @throws Error with one line if a league has too few seasons, or the folder cannot be written */
export async function backtestOutlookCommand(
  pool: pg.Pool,
  source: MatchSource,
  out: string,
  say: (line: string) => void,
  draw: DrawThemes,
): Promise<OutlookReport> {
  const report = await backtestOutlook(pool, source);
  const lines = outlookLines(report);
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'outlook.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(out, 'outlook.md'), `${lines.join('\n')}\n`);
  await writePlots(out, 'calibration-outlook', outlookPlot(report), draw);
  for (const line of lines) say(line);
  return report;
}
