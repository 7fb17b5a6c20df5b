/** Expected goals report and plot. Pure. */
import type { CalibrationPlot } from './calibration-plot.ts';
import type { ExpectedGoalsReport } from './expected-goals-backtest.ts';
import { PUBLISHED, PUBLISHED_OPEN_PLAY_SHOTS } from './published-expected-goals.ts';
import { count, percent, type Report, reliabilityTable, score, toTable } from './report.ts';
import type { ShotScores } from './shot-scores.ts';

const row = (name: string, { shots, goals, expected, auc, brier, calibration_error }: ShotScores): string[] => [
  name,
  ...[shots, goals, expected].map(count),
  ...[auc, brier, calibration_error].map(score),
];

export function describeExpectedGoals({
  season,
  leagues,
  all,
  without_penalties,
  open_play_shots,
}: ExpectedGoalsReport): Report {
  const { auc, brier, calibration_error } = PUBLISHED;
  const openPlay = `Shots from open play of the five leagues: ${count(open_play_shots)}; of soccer_xg ${count(PUBLISHED_OPEN_PLAY_SHOTS)}, without three matches.`;
  return {
    title: 'Expected goals',
    notes: [
      `Fitted to Spain, Italy and Germany ${season}, tested on England ${season}: all shots, with penalties and direct free kicks.`,
      'AUC: larger is better. Brier and ECE (ten bins of equal width): smaller is better.',
    ],
    table: {
      columns: ['Model', 'Shots', 'Goals', 'Expected', 'AUC', 'Brier', 'ECE'],
      rows: [
        row('Touchline', all),
        ['soccer_xg, custom', '–', '–', '–', ...[auc, brier, calibration_error].map(score)],
        row('Touchline, without penalties', without_penalties),
      ],
    },
    sections: [
      {
        title: 'Shots',
        table: toTable(
          [
            ['League', ({ league }) => league],
            ['Used for', ({ role }) => role],
            ['Matches', ({ matches }) => count(matches)],
            ['Shots', ({ shots }) => count(shots)],
            ['Goals', ({ goals }) => count(goals)],
          ],
          leagues,
        ),
        sections: [{ notes: [openPlay] }],
      },
      { title: 'Reliability', table: reliabilityTable(all.reliability, 'Shots', 'Scored') },
    ],
  };
}

export const reliabilityPlot = ({ all }: ExpectedGoalsReport): CalibrationPlot => ({
  title: 'Expected goals: predicted and observed frequencies',
  description: `Ten groups of shots with similar expected goals; on the dashed line, shots were scored as often as predicted. Mean distance in percentage points: ${percent(all.calibration_error)}.`,
  series: [{ name: 'Shots', points: all.reliability }],
  axes: { predicted: 'Predicted, %', observed: 'Scored, %' },
});
