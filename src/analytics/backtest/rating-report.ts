/** Margin rating report and plot. Pure. */
import { findSport } from '../../sports/sports.ts';
import type { CalibrationPlot } from './calibration-plot.ts';
import type { RatingReport, RatingScores, SportReport } from './rating-backtest.ts';
import { type Column, count, percent, type Report, reliabilityTable, score, toTable } from './report.ts';

/** Number of sports in the plot. A plot has at most three series. */
const PLOTTED = 3;

const sportName = ({ sport }: SportReport) => findSport(sport)!.name;

const SCORES: readonly Column<Record<'rating' | 'home_rate', RatingScores>>[] = [
  ['Brier', ({ rating }) => score(rating.brier)],
  ['Home rate', ({ home_rate }) => score(home_rate.brier)],
  ['Log-loss', ({ rating }) => score(rating.log_loss)],
  ['Home rate', ({ home_rate }) => score(home_rate.log_loss)],
];

export function describeRatings({ sports }: RatingReport): Report {
  if (sports.length === 0) return { notes: ['No match of the period is between sides with five earlier ones.'] };
  return {
    title: 'Elo ratings with margin of victory',
    notes: [
      'Each match was predicted from matches of earlier days. Scores of the expected result, where a draw is half a win; smaller is better.',
      "Home rate: the mean result of home sides in the tournament's earlier matches. ±% is the expected calibration error of home wins in percentage points.",
    ],
    table: toTable(
      [
        ['Sport', sportName],
        ['Matches', ({ matches }) => count(matches)],
        ['From', ({ period }) => period.from],
        ['To', ({ period }) => period.to],
        ...SCORES,
        ['±%', ({ calibration_error }) => percent(calibration_error)],
      ],
      sports,
    ),
    sections: [...sports.flatMap(compare), ...sports.flatMap(describeSport)],
  };
}

function compare(sport: SportReport): Report[] {
  const row = (title: string, { brier, log_loss }: RatingScores) => [title, score(brier), score(log_loss)];
  return sport.leagues.flatMap(({ name: league, published: compared }) => {
    if (compared === undefined) return [];
    const { name, matches, rating, published } = compared;
    return [
      {
        title: `${league}: the ${count(matches)} matches with a forecast of ${name}`,
        table: { columns: ['Forecast', 'Brier', 'Log-loss'], rows: [row('Touchline', rating), row(name, published)] },
      },
    ];
  });
}

function describeScores(sport: SportReport): Report[] {
  const { margin, sets } = sport;
  return [
    ...(margin
      ? [
          {
            title: `${sportName(sport)}: mean absolute error of the margin, in points`,
            table: {
              columns: ['Rating', 'Home mean'],
              rows: [[margin.rating.toFixed(2), margin.home_mean.toFixed(2)]],
            },
          },
        ]
      : []),
    ...(sets
      ? [
          {
            title: `${sportName(sport)}: final scores in sets`,
            table: {
              columns: ['Log-loss', 'Earlier shares', 'Brier'],
              rows: [[score(sets.log_loss), score(sets.share_log_loss), score(sets.brier)]],
            },
          },
        ]
      : []),
  ];
}

const describeSport = (sport: SportReport): Report[] => [
  ...describeScores(sport),
  {
    title: `${sportName(sport)}: tournaments`,
    table: toTable(
      [['Tournament', ({ name }) => name], ['Matches', ({ matches }) => count(matches)], ...SCORES],
      sport.leagues,
    ),
  },
  { title: `${sportName(sport)}: reliability of home wins`, table: reliabilityTable(sport.reliability, 'Matches') },
];

/** Plots the sports with the most matches. */
export function ratingPlot({ sports }: RatingReport): CalibrationPlot {
  // The longest name comes last, because the legend's columns are equally wide and only the last has free space after it.
  const shown = sports
    .toSorted((a, b) => b.matches - a.matches)
    .slice(0, PLOTTED)
    .sort((a, b) => sportName(a).length - sportName(b).length);
  const errors = shown.map((one) => `${sportName(one)} ${percent(one.calibration_error)}`);
  return {
    title: 'Elo ratings with margin of victory: predicted and observed home wins',
    description: `Groups of matches with similar probabilities of a home win; on the dashed line, predictions came true as often as predicted. Mean distance in percentage points: ${errors.join(', ')}.`,
    series: shown.map((one) => ({ name: sportName(one), points: one.reliability })),
    axes: { predicted: 'Predicted, %', observed: 'Observed, %' },
  };
}
