/** Renders a report of expected goals as Markdown that is readable as plain text, and as data of a plot. Pure. */

import type { CalibrationPlot } from './calibration-plot.ts';
import type { ExpectedGoalsReport } from './expected-goals-backtest.ts';
import { table } from './match-report.ts';
import { PUBLISHED, PUBLISHED_OPEN_PLAY_SHOTS } from './published-expected-goals.ts';
import type { ShotScores } from './shot-scores.ts';

const score = (value: number) => value.toFixed(4);
const percent = (value: number) => (value * 100).toFixed(2);
const count = (value: number) => Math.round(value).toLocaleString('en');

const row = (name: string, { shots, goals, expected, auc, brier, calibration_error }: ShotScores): string[] => [
  name,
  ...[shots, goals, expected].map(count),
  ...[auc, brier, calibration_error].map(score),
];

/** @returns lines without line endings */
export function expectedGoalsLines({
  season,
  leagues,
  all,
  without_penalties,
  ...report
}: ExpectedGoalsReport): string[] {
  const { auc, brier, calibration_error } = PUBLISHED;
  return [
    '# Expected goals',
    '',
    `Fitted to Spain, Italy and Germany ${season}, tested on England ${season}: all shots, with penalties and direct free kicks.`,
    'AUC: larger is better. Brier and ECE (ten bins of equal width): smaller is better.',
    '',
    ...table([
      ['Model', 'Shots', 'Goals', 'Expected', 'AUC', 'Brier', 'ECE'],
      row('Touchline', all),
      ['soccer_xg, custom', '–', '–', '–', ...[auc, brier, calibration_error].map(score)],
      row('Touchline, without penalties', without_penalties),
    ]),
    '',
    '## Shots',
    '',
    ...table([
      ['League', 'Used for', 'Matches', 'Shots', 'Goals'],
      ...leagues.map(({ league, role, matches, shots, goals }) => [
        league,
        role,
        ...[matches, shots, goals].map(count),
      ]),
    ]),
    '',
    `Shots from open play of the five leagues: ${count(report.open_play_shots)}; of soccer_xg ${count(PUBLISHED_OPEN_PLAY_SHOTS)}, without three matches.`,
    '',
    '## Reliability',
    '',
    ...table([
      ['Predicted %', 'Scored %', 'Shots'],
      ...all.reliability.map((bin) => [percent(bin.predicted), percent(bin.observed), count(bin.count)]),
    ]),
  ];
}

export const reliabilityPlot = ({ all }: ExpectedGoalsReport): CalibrationPlot => ({
  title: 'Expected goals: predicted and observed frequencies',
  description: `Ten groups of shots with similar expected goals; on the dashed line, shots were scored as often as predicted. Mean distance in percentage points: ${percent(all.calibration_error)}.`,
  series: [{ name: 'Shots', points: all.reliability }],
  axes: { predicted: 'Predicted, %', observed: 'Scored, %' },
});
