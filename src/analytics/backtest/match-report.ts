/** Renders a backtest report as Markdown that is readable as plain text. Pure. */
import type { ReliabilityBin } from './forecast-scores.ts';
import { MODELS, type ModelName } from './match-forecasts.ts';
import {
  type BacktestReport,
  type Evaluation,
  type ModelScores,
  OUTCOMES,
  type Outcome,
  PUBLISHED_MODELS,
} from './match-scores.ts';

export const MODEL_TITLES: Record<ModelName, string> = {
  base_rates: 'Base rates',
  elo: 'Elo',
  poisson: 'Poisson',
  calibrated: 'Calibrated',
  bookmakers: 'Bookmakers',
  spi: 'FiveThirtyEight SPI',
};
export const OUTCOME_TITLES: Record<Outcome, string> = { home: 'Home win', draw: 'Draw', away: 'Away win' };

const SCORE_DECIMALS = 4;
const PERCENT_DECIMALS = 2;

type Column = readonly [title: string, text: (scores: ModelScores) => string];

const score = (value: number | null) => (value === null ? '–' : value.toFixed(SCORE_DECIMALS));
const percent = (value: number) => (value * 100).toFixed(PERCENT_DECIMALS);
const count = (value: number) => value.toLocaleString('en');

const SCORES: readonly Column[] = [
  ['RPS', ({ rps }) => score(rps)],
  ['Brier', ({ brier }) => score(brier)],
  ['Log-loss', ({ log_loss }) => score(log_loss)],
  ['Over/under 2.5', ({ over_under_2_5_log_loss }) => score(over_under_2_5_log_loss)],
  ...OUTCOMES.map(
    (outcome): Column => [
      `${OUTCOME_TITLES[outcome]} ±%`,
      ({ calibration_error }) => percent(calibration_error[outcome]),
    ],
  ),
];
/** Columns of the season table, for each model. */
const SEASON_SCORES = SCORES.filter(([title]) => title === 'RPS' || title === 'Log-loss');

/** @returns lines without line endings */
export function reportLines({ tournaments, period, all, with_odds, published, seasons }: BacktestReport): string[] {
  if (!all || !period) return ['No match of the period has enough earlier ones.'];
  const names = tournaments.map(({ name, matches }) => `${name} (${count(matches)})`).join(', ');
  return [
    '# Backtest',
    '',
    `${count(all.matches)} matches from ${period.from} to ${period.to}: ${names}.`,
    'Each was predicted from matches of earlier days. Smaller is better. ±% is the expected calibration error in percentage points.',
    '',
    ...modelTable(all),
    ...(with_odds ? ['', `## The ${count(with_odds.matches)} matches with odds`, '', ...modelTable(with_odds)] : []),
    ...(published ? publishedTables(published) : []),
    '',
    '## Seasons',
    '',
    ...seasonTable(seasons),
    '',
    '## Reliability of the calibrated model',
    '',
    ...OUTCOMES.flatMap((outcome, index) => [
      ...(index === 0 ? [] : ['']),
      `### ${OUTCOME_TITLES[outcome]}`,
      '',
      ...reliability(all.models.calibrated!.reliability[outcome]),
    ]),
  ];
}

const PUBLISHED_SCORES = SCORES.filter(([title]) => ['RPS', 'Brier', 'Log-loss'].includes(title));

const publishedTables = ({ all, leagues }: NonNullable<BacktestReport['published']>): string[] => [
  '',
  `## The ${count(all.matches)} matches with a forecast of FiveThirtyEight`,
  '',
  'Sides with few matches are included. The calibrated model does not know these forecasts.',
  '',
  ...table([
    [
      'League',
      'Matches',
      ...PUBLISHED_MODELS.flatMap((model) => PUBLISHED_SCORES.map(([title]) => `${MODEL_TITLES[model]} ${title}`)),
    ],
    ...[{ name: 'All', evaluation: all }, ...leagues].map(({ name, evaluation }) => [
      name,
      count(evaluation.matches),
      ...PUBLISHED_MODELS.flatMap((model) => PUBLISHED_SCORES.map(([, text]) => text(evaluation.models[model]!))),
    ]),
  ]),
];

const listModels = ({ models }: Evaluation) =>
  MODELS.flatMap((model) => (models[model] ? [[model, models[model]] as const] : []));

const modelTable = (evaluation: Evaluation): string[] =>
  table([
    ['Model', ...SCORES.map(([title]) => title)],
    ...listModels(evaluation).map(([model, scores]) => [
      MODEL_TITLES[model],
      ...SCORES.map(([, text]) => text(scores)),
    ]),
  ]);

function seasonTable(seasons: BacktestReport['seasons']): string[] {
  const models = seasons[0] ? listModels(seasons[0].evaluation).map(([model]) => model) : [];
  const columns = models.flatMap((model) => SEASON_SCORES.map(([title, text]) => ({ model, title, text })));
  return table([
    ['Season', 'Matches', ...columns.map(({ model, title }) => `${MODEL_TITLES[model]} ${title}`)],
    ...seasons.map(({ season, evaluation }) => [
      season,
      count(evaluation.matches),
      ...columns.map(({ model, text }) => text(evaluation.models[model]!)),
    ]),
  ]);
}

const reliability = (bins: readonly ReliabilityBin[]): string[] =>
  table([
    ['Predicted %', 'Occurred %', 'Matches'],
    ...bins.map((bin) => [percent(bin.predicted), percent(bin.observed), count(bin.count)]),
  ]);

/** @param rows the first row is the header; the first column is aligned left, the others right */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(rows[0]!), `| ${rule.join(' | ')} |`, ...rows.slice(1).map(line)];
}
