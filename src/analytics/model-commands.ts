/** Commands that fit and evaluate models on any match source. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type pg from 'pg';
import { utcDay } from '../wire/time.ts';
import type { DrawThemes } from './backtest/calibration-plot.ts';
import type { PublishedFile } from './backtest/stored-rating-backtest.ts';
import type { Reports } from './backtest/stored-reports.ts';
import type { MatchUpdates } from './fit/shot-source.ts';
import type { MatchSource } from './history/match-source.ts';
import { SECONDS_PER_DAY } from './samples/match-samples.ts';

/** In football-datasets, most leagues have shots on target from 2005/06. The first two of these seasons are only used for training. */
const FIRST_FITTED_DAY = '2007-07-01';
const LAST_FITTED_DAY = '2016-06-30';
/** Period to which live forecasts are fitted. They are measured on the next season in the schochastics data. */
const LIVE_FITTED = { from: '2022-07-01', to: '2024-06-30' };

/** Period to which the win probability of Twenty20 matches is fitted. It is measured on the seasons after it. */
const INNINGS_FITTED = { from: '2009-01-01', to: '2016-12-31' };

/** The match source, and the database in which reports are stored in addition to files. */
export interface ModelStores {
  source: MatchSource;
  /** The source's database. Without it, season outlooks cannot be measured, since seasons and rules are missing. */
  pool?: pg.Pool;
  store?: <K extends keyof Reports>(kind: K, report: Reports[K]) => Promise<void>;
}
/** Functions that draw plots and read files (the Wyscout data set in a folder, and published forecasts). */
export interface ModelFiles {
  readWyscout: (folder: string) => Promise<MatchUpdates>;
  readForecasts?: (path: string) => Promise<readonly PublishedFile[]>;
  draw: DrawThemes;
}
type WithSource = (work: (stores: ModelStores) => Promise<void>) => Promise<void>;

/** @returns the first second in the UTC day */
function day(text: string): number {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse accepts February 31 as March 2 or 3.
  if (Number.isNaN(milliseconds) || utcDay(milliseconds) !== text)
    throw new InvalidArgumentError('must be a date such as 2016-07-01');
  return milliseconds / 1000;
}

const dayOption = (flags: string, description: string, byDefault: string): Option =>
  new Option(flags, description).argParser(day).default(day(byDefault), byDefault);

function id(text: string, earlier: readonly number[] = []): number[] {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('must be a whole number');
  return [...earlier, value];
}

interface Options {
  tournament?: number[];
  from?: number;
  to?: number;
  out: string;
  live?: true;
  expectedGoals?: string;
  outlook?: true;
  rating?: true;
  innings?: true;
  sport?: string;
  published?: string[];
}

/**
 * @param to the last day
 * @returns a period that includes that day
 */
const toPeriod = ({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: Options) => ({
  from,
  to: to + SECONDS_PER_DAY,
});

const toHistoryInput = (options: Options) => ({
  ...toPeriod(options),
  ...(options.tournament && { tournaments: options.tournament }),
});

interface Tools extends ModelFiles {
  say: (line: string) => void;
}

async function measure(options: Options, stores: ModelStores, { say, draw, readWyscout, readForecasts }: Tools) {
  const { source, pool, store } = stores;
  const { out, sport, published } = options;
  if (!options.rating && (sport ?? published) !== undefined)
    throw new Error('--sport and --published require --rating');
  if (options.rating && pool === undefined) throw new Error("--rating needs an installation's matches");
  if (options.outlook && pool === undefined) throw new Error("--outlook needs an installation's seasons");
  if (options.innings && pool === undefined) throw new Error("--innings needs an installation's matches");
  const { runBacktest } = await import('./backtest/run-backtest.ts');
  const { EXPECTED_GOALS, INNINGS, LIVE, MATCHES, OUTLOOK, RATING } = await import('./backtest/backtests.ts');
  const output = { out, draw, say };
  const history = { source, ...toHistoryInput(options) };
  if (options.rating && pool) {
    const compared: PublishedFile[] = [];
    for (const path of published ?? []) compared.push(...((await readForecasts?.(path)) ?? []));
    const wanted = { pool, ...toPeriod(options), ...(sport && { sport }), published: compared };
    await store?.('rating', await runBacktest(RATING, wanted, output));
  } else if (options.outlook && pool) await store?.('outlook', await runBacktest(OUTLOOK, { pool, source }, output));
  else if (options.innings && pool)
    await store?.('innings', await runBacktest(INNINGS, { pool, ...toPeriod(options) }, output));
  else if (options.expectedGoals !== undefined)
    await store?.(
      'expected_goals',
      await runBacktest(EXPECTED_GOALS, await readWyscout(options.expectedGoals), output),
    );
  else if (options.live) await store?.('live', await runBacktest(LIVE, history, output));
  else await store?.('matches', await runBacktest(MATCHES, { ...history, out, progress: true }, output));
}

export function addModelCommands(
  program: Command,
  withSource: WithSource,
  say: (line: string) => void,
  files: ModelFiles,
): void {
  program
    .command('backtest')
    .description('predict past matches from earlier matches, and print how well each model predicts')
    .option('--tournament <id...>', 'only these tournaments; default: all tournaments in sports with a model', id)
    .option('--from <date>', 'matches from this day on; default: the first', day)
    .option('--to <date>', 'matches up to this day; default: the last', day)
    .option('--out <folder>', 'folder for the report and the plots; an aborted run continues from it', 'backtest')
    .option('--live', 'predict football matches at minutes 0 to 85 instead, from what has happened by then')
    .option('--expected-goals <folder>', 'measure expected goals instead, on the Wyscout data set in this folder')
    .option('--outlook', 'measure the outlooks of past seasons of five leagues instead, from mid-season')
    .option('--rating', 'measure the ratings of sports without a model of goals instead')
    .option('--innings', 'measure the win probability of Twenty20 matches after each ball instead')
    .option('--sport <slug>', 'with --rating: only this sport')
    .option(
      '--published <path...>',
      "with --rating: compare with the forecasts of FiveThirtyEight's files, such as nfl_games.csv and nba_elo.csv",
    )
    .action((options: Options) => withSource((stores) => measure(options, stores, { say, ...files })));

  program
    .command('fit-elo')
    .description('fit the curves from Elo differences to probabilities on early football matches, and print them')
    .action(() =>
      withSource(async ({ source }) => {
        const { fitEloCommand } = await import('./fit/fit-elo.ts');
        await fitEloCommand(source, say);
      }),
    );

  program
    .command('fit-live')
    .description('fit the goals by minute to past football matches whose incidents are stored')
    .option('--tournament <id...>', 'only these tournaments; default: all of football', id)
    .addOption(dayOption('--from <date>', 'first day', LIVE_FITTED.from))
    .addOption(dayOption('--to <date>', 'last day', LIVE_FITTED.to))
    .option('--out <file>', 'output file', 'in-play-parameters.json')
    .action((options: Options) =>
      withSource(async ({ source }) => {
        const { fitLiveCommand } = await import('./fit/fit-live.ts');
        await fitLiveCommand(source, { ...toHistoryInput(options), out: options.out }, say);
      }),
    );

  program
    .command('fit-innings')
    .description(
      'fit the win probability of Twenty20 matches to past matches whose deliveries are stored, after `ratings`',
    )
    .addOption(dayOption('--from <date>', 'first day', INNINGS_FITTED.from))
    .addOption(dayOption('--to <date>', 'last day', INNINGS_FITTED.to))
    .option('--out <file>', 'output file', 'innings-parameters.json')
    .action((options: Options) =>
      withSource(async ({ pool }) => {
        if (pool === undefined) throw new Error("the fit needs an installation's matches");
        const { fitInningsCommand } = await import('./fit/fit-innings-command.ts');
        await fitInningsCommand(pool, { ...toPeriod(options), out: options.out }, say);
      }),
    );

  program
    .command('fit-model')
    .description('fit the hyper-parameters of the calibrated model to past football matches (takes minutes)')
    .option('--tournament <id...>', 'only these tournaments; default: all of football', id)
    .addOption(dayOption('--from <date>', 'predict matches from this day on, from earlier matches', FIRST_FITTED_DAY))
    .addOption(dayOption('--to <date>', 'last day', LAST_FITTED_DAY))
    .option('--out <file>', 'output file', 'parameters.json')
    .action((options: Options) =>
      withSource(async ({ source }) => {
        const { fitModelCommand } = await import('./fit/fit-calibrated-model.ts');
        await fitModelCommand(source, { ...toHistoryInput(options), out: options.out }, say);
      }),
    );

  program
    .command('fit-expected-goals')
    .description('fit the model of expected goals to the shots of the Wyscout data set')
    .argument('<folder>', 'the data set as CSV tables, as `import wyscout` reads it')
    .option('--out <file>', 'output file', 'expected-goals.json')
    .action(async (folder: string, { out }: { out: string }) => {
      const { fitExpectedGoalsCommand } = await import('./backtest/expected-goals-fit-command.ts');
      await fitExpectedGoalsCommand(await files.readWyscout(folder), out, say);
    });
}
