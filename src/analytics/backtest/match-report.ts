/** Pre-match forecast report, and a plot for each model. Pure. */
import type { CalibrationPlot } from './calibration-plot.ts';
import { OUTCOMES, type Outcome } from './forecast-scores.ts';
import { MODELS, type ModelName } from './match-forecasts.ts';
import { type BacktestReport, type Evaluation, type ModelScores, PUBLISHED_MODELS, scoresIn } from './match-scores.ts';
import { type Column, count, percent, type Report, reliabilityTable, score, type Table } from './report.ts';

const MODEL_TITLES: Record<ModelName, string> = {
  base_rates: 'Base rates',
  elo: 'Elo',
  poisson: 'Poisson',
  calibrated: 'Calibrated',
  bookmakers: 'Bookmakers',
  spi: 'FiveThirtyEight SPI',
};
const OUTCOME_TITLES: Record<Outcome, string> = { home: 'Home win', draw: 'Draw', away: 'Away win' };

const SCORES: readonly Column<ModelScores>[] = [
  ['RPS', ({ rps }) => score(rps)],
  ['Brier', ({ brier }) => score(brier)],
  ['Log-loss', ({ log_loss }) => score(log_loss)],
  ['Over/under 2.5', ({ over_under_2_5_log_loss }) => score(over_under_2_5_log_loss)],
  ...OUTCOMES.map(
    (outcome): Column<ModelScores> => [
      `${OUTCOME_TITLES[outcome]} ±%`,
      ({ calibration_error }) => percent(calibration_error[outcome]),
    ],
  ),
];
/** Columns that the season table has for each model. */
const SEASON_SCORES = SCORES.filter(([title]) => title === 'RPS' || title === 'Log-loss');

const PUBLISHED_SCORES = SCORES.filter(([title]) => ['RPS', 'Brier', 'Log-loss'].includes(title));

export function describeMatches(report: BacktestReport): Report {
  const { tournaments, period, all, with_odds, published, seasons } = report;
  if (!all || !period) return { notes: ['No match of the period has enough earlier ones.'] };
  const names = tournaments.map(({ name, matches }) => `${name} (${count(matches)})`).join(', ');
  const models = seasons[0] ? listModels(seasons[0].evaluation).map(([model]) => model) : [];
  return {
    title: 'Backtest',
    notes: [
      `${count(all.matches)} matches from ${period.from} to ${period.to}: ${names}.`,
      'Each was predicted from matches of earlier days. Smaller is better. ±% is the expected calibration error in percentage points.',
    ],
    table: modelTable(all),
    sections: [
      ...(with_odds
        ? [{ title: `The ${count(with_odds.matches)} matches with odds`, table: modelTable(with_odds) }]
        : []),
      ...(published ? [describePublished(published)] : []),
      {
        title: 'Seasons',
        table: groupTable(
          'Season',
          seasons.map(({ season, evaluation }) => ({ name: season, evaluation })),
          models,
          SEASON_SCORES,
        ),
      },
      {
        title: 'Reliability of the calibrated model',
        sections: OUTCOMES.map((outcome) => ({
          title: OUTCOME_TITLES[outcome],
          table: reliabilityTable(all.models.calibrated!.reliability[outcome], 'Matches'),
        })),
      },
    ],
  };
}

const describePublished = ({ all, leagues }: NonNullable<BacktestReport['published']>): Report => ({
  title: `The ${count(all.matches)} matches with a forecast of FiveThirtyEight`,
  notes: ['Sides with few matches are included. The calibrated model does not know these forecasts.'],
  table: groupTable('League', [{ name: 'All', evaluation: all }, ...leagues], PUBLISHED_MODELS, PUBLISHED_SCORES),
});

const listModels = ({ models }: Evaluation) =>
  MODELS.flatMap((model) => (models[model] ? [[model, models[model]] as const] : []));

const modelTable = (evaluation: Evaluation): Table => ({
  columns: ['Model', ...SCORES.map(([title]) => title)],
  rows: listModels(evaluation).map(([model, scores]) => [
    MODEL_TITLES[model],
    ...SCORES.map(([, cell]) => cell(scores)),
  ]),
});

/** Compares models by groups, such as seasons. */
const groupTable = (
  title: string,
  groups: readonly { name: string; evaluation: Evaluation }[],
  models: readonly ModelName[],
  scores: readonly Column<ModelScores>[],
): Table => ({
  columns: [title, 'Matches', ...models.flatMap((model) => scores.map(([head]) => `${MODEL_TITLES[model]} ${head}`))],
  rows: groups.map(({ name, evaluation }) => [
    name,
    count(evaluation.matches),
    ...models.flatMap((model) => {
      const found = evaluation.models[model];
      return scores.map(([, cell]) => (found ? cell(found) : '–'));
    }),
  ]),
});

/** Returns plots by file name, for the models that have scores. */
export const matchPlots = (report: BacktestReport): Record<string, CalibrationPlot> =>
  Object.fromEntries(
    MODELS.flatMap((model) => {
      const scores = scoresIn(report, model);
      return scores ? [[`calibration-${model.replaceAll('_', '-')}`, drawPlot(model, scores)]] : [];
    }),
  );

export function drawPlot(model: ModelName, { calibration_error, reliability }: ModelScores): CalibrationPlot {
  const errors = OUTCOMES.map(
    (outcome) => `${OUTCOME_TITLES[outcome]} ${(calibration_error[outcome] * 100).toFixed(1)}`,
  );
  return {
    title: `${MODEL_TITLES[model]}: predicted and observed frequencies`,
    description: `Ten groups of matches for each outcome; on the dashed line, predictions came true as often as predicted. Mean distance in percentage points: ${errors.join(', ')}.`,
    series: OUTCOMES.map((outcome) => ({ name: OUTCOME_TITLES[outcome], points: reliability[outcome] })),
    axes: { predicted: 'Predicted, %', observed: 'Observed, %' },
  };
}
