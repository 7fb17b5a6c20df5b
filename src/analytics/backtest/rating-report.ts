/** Renders a report of ratings by margin as Markdown that is readable as plain text, and as data of a plot. Pure. */
import { findSport } from '../../sports/sports.ts';
import type { CalibrationPlot } from './calibration-plot.ts';
import { table } from './match-report.ts';
import type { RatingReport, RatingScores, SportReport } from './rating-backtest.ts';

/** A plot has three series at most. */
const PLOTTED = 3;

const score = (value: number) => value.toFixed(4);
const percent = (value: number) => (value * 100).toFixed(2);
const count = (value: number) => value.toLocaleString('en');
const sportName = ({ sport }: SportReport) => findSport(sport)!.name;

const cells = (...scores: RatingScores[]) => [
  ...scores.map(({ brier }) => score(brier)),
  ...scores.map(({ log_loss }) => score(log_loss)),
];

/** @returns lines without line endings */
export function ratingLines({ sports }: RatingReport): string[] {
  if (sports.length === 0) return ['No match of the period is between sides with five earlier ones.'];
  const compared = sports.flatMap((sport) => (sport.published ? [{ sport, ...sport.published }] : []));
  return [
    '# Elo ratings with margin of victory',
    '',
    'Each match was predicted from matches of earlier days. Scores of the expected result, where a draw is half a win; smaller is better.',
    "Home rate: the mean result of home sides in the tournament's earlier matches. ±% is the expected calibration error of home wins in percentage points.",
    '',
    ...table([
      ['Sport', 'Matches', 'From', 'To', 'Brier', 'Home rate', 'Log-loss', 'Home rate', '±%'],
      ...sports.map((one) => [
        sportName(one),
        count(one.matches),
        one.period.from,
        one.period.to,
        ...cells(one.rating, one.home_rate),
        percent(one.calibration_error),
      ]),
    ]),
    ...compared.flatMap(({ sport, name, matches, rating, published }) => [
      '',
      `## ${sportName(sport)}: the ${count(matches)} matches with a forecast of ${name}`,
      '',
      ...table([
        ['Forecast', 'Brier', 'Log-loss'],
        ['Touchline', ...cells(rating)],
        [name, ...cells(published)],
      ]),
    ]),
    ...sports.flatMap((one) => [
      '',
      `## ${sportName(one)}: tournaments`,
      '',
      ...table([
        ['Tournament', 'Matches', 'Brier', 'Home rate', 'Log-loss', 'Home rate'],
        ...one.leagues.map(({ name, matches, rating, home_rate }) => [
          name,
          count(matches),
          ...cells(rating, home_rate),
        ]),
      ]),
      '',
      `## ${sportName(one)}: reliability of home wins`,
      '',
      ...table([
        ['Predicted %', 'Occurred %', 'Matches'],
        ...one.reliability.map((bin) => [percent(bin.predicted), percent(bin.observed), count(bin.count)]),
      ]),
    ]),
  ];
}

/** Plots the sports with most matches. */
export function ratingPlot({ sports }: RatingReport): CalibrationPlot {
  // The longest name last: the legend has equal places, and room at its end.
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
