/** Renders a report of live forecasts as Markdown that is readable as plain text. Pure. */

import type { LiveReport, LiveScores } from './live-backtest.ts';
import { table } from './match-report.ts';

const SCORES = [
  ['RPS', ({ rps }) => rps.toFixed(4)],
  ['Brier', ({ brier }) => brier.toFixed(4)],
  ['Log-loss', ({ log_loss }) => log_loss.toFixed(4)],
  ['ECE', ({ calibration_error }) => calibration_error.toFixed(3)],
] as const satisfies readonly (readonly [string, (scores: LiveScores) => string])[];

/** @returns lines without line endings */
export function liveReportLines({ matches, tournaments, period, minutes }: LiveReport): string[] {
  if (period === null) return ['No match of the period has goals and cards with their minutes.'];
  const names = tournaments.map(({ name, matches: count }) => `${name} (${count.toLocaleString('en')})`).join(', ');
  return [
    '# Live backtest',
    '',
    `${matches.toLocaleString('en')} matches from ${period.from} to ${period.to}: ${names}.`,
    'The result after 90 minutes, predicted from matches of earlier days and from what had happened by the minute. Smaller is better. ECE is the expected calibration error of the three outcomes together.',
    '',
    ...table([
      ['Minute', ...minutes.map(({ minute }) => String(minute))],
      ...SCORES.map(([title, text]) => [title, ...minutes.map(text)]),
    ]),
  ];
}
