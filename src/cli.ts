/**
 * The command `touchline`. The exit code is 0 for success, 1 for a failure, with a one-line message, and 2 for wrong
 * usage, which prints the usage. A process loads only the code for the given command.
 */
import { Argument, Command, CommanderError, Option } from 'commander';
import { id, port, positive, time } from './cli-arguments.ts';
import { type ChangeContext, settleChanges, withChanges, withStores, withUpdates } from './command-context.ts';
import { ROLES, type RoleName } from './config/config.ts';
import type { ExportKind, ExportOptions } from './export/index.ts';
import type { ResolveOptions } from './resolve/command.ts';
import { systemClock } from './runtime/clock.ts';
import { stopSignal } from './runtime/stop-signal.ts';
import { errorMessage } from './runtime/unknown-values.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

function addImportCommand(touchline: Command): void {
  touchline
    .command('import')
    .description(
      'import files of a public format, or images whose file names are our ids or provider_id; an unknown format lists all formats',
    )
    .argument('<format>')
    .argument('<path...>')
    .option('--rejections <file>', 'write every rejected record to this file; the first 20 are also printed')
    .addHelpText(
      'after',
      '\nExit code 1: nothing was imported from one of the paths, or a file could not be read completely. Rejected records alone do not cause a failure.',
    )
    .action((format: string, paths: string[], options: { rejections?: string }) =>
      withUpdates(async (context) => {
        const { importCommand } = await import('./importers/command.ts');
        try {
          await settleChanges(context, () => importCommand(context, format, paths, say, options));
        } finally {
          const { refreshSearch } = await import('./catalogue/search/refresh.ts');
          await refreshSearch(context.pool, context.clock);
          // Refreshing the search has given some participants Russian names, which their cards show.
          const { drainCardRefresh } = await import('./apply/write/card-refresh.ts');
          if ((await drainCardRefresh(context)) > 0) await settleChanges(context);
        }
      }),
    );
}

async function addExportCommand(touchline: Command): Promise<void> {
  const [{ exportCommand, rowCount }, { FORMAT_NAMES }, { EXPORT_KINDS }] = [
    await import('./export/command.ts'),
    await import('./export/formats.ts'),
    await import('./export/rows.ts'),
  ];
  touchline
    .command('export')
    .description('write matches, or one block, into a file that any program can read; see docs/export.md')
    .addArgument(new Argument('<rows>').choices(EXPORT_KINDS))
    .addOption(new Option('--format <format>').choices(FORMAT_NAMES).default('csv'))
    .option('--output <file>', 'write to this file instead of standard output; the file appears when it is complete')
    .option('--sport <slug>')
    .option('--tournament <id>', 'id of the tournament', id)
    .option('--season <label>', 'seasons with this label: 2023/24 or 2022')
    .option('--since <time>', 'only matches that changed at this time (with its time zone) or later', time)
    .action((rows: ExportKind, options: ExportOptions) =>
      withStores({}, async ({ pool }) => {
        process.stderr.write(`Exported ${rowCount(await exportCommand(pool, rows, options))}\n`);
      }),
    );
}

async function addResolveCommand(touchline: Command): Promise<void> {
  const [{ NAMED_TYPES }, { SPORT_SLUGS }] = [await import('./resolve/schema.ts'), await import('./sports/sports.ts')];
  touchline
    .command('resolve')
    .description('write a copy of a table with our ids in further columns; see docs/resolve.md')
    .argument('<file>', 'UTF-8 or Windows-1251, with commas, semicolons or tabs')
    .option('--output <file>', 'write to this file; it must not exist; default: <file>.resolved.csv')
    .addOption(new Option('--type <type>', 'what the rows are, if there is no column type').choices(NAMED_TYPES))
    .option('--provider <provider>', 'whose ids the column external_id has, if there is no column provider')
    .addOption(new Option('--sport <sport>', 'if there is no column sport').choices(SPORT_SLUGS))
    .addOption(new Option('--gender <gender>', 'if there is no column gender').choices(['men', 'women', 'mixed']))
    .action((file: string, options: ResolveOptions) =>
      withStores({}, async ({ pool }) => {
        const { resolveFile } = await import('./resolve/command.ts');
        const { output, rows, resolved, refused } = await resolveFile({ pool, clock: systemClock }, file, options);
        const count = (number: number) => number.toLocaleString('en');
        say(`${output}: ${count(rows)} rows, ${count(resolved)} with our id, ${count(refused)} that cannot be read`);
      }),
    );
}

function addRegisterCommand(touchline: Command): void {
  touchline
    .command('register-doubts')
    .description('print the entries of registers that may mean a team or player of ours, as CSV; see docs/resolve.md')
    .action(() =>
      withStores({}, async ({ pool }) => {
        const { doubtsAsCsv } = await import('./register/index.ts');
        process.stdout.write(await doubtsAsCsv(pool));
      }),
    );
}

function addDataSetsCommand(touchline: Command): void {
  touchline
    .command('data-sets')
    .description('list the open data sets that `import open-data <folder>` reads, with folder, licence and address')
    .action(async () => {
      const { listDataSets } = await import('./importers/formats.ts');
      for (const line of listDataSets()) say(line);
    });
}

function addSearchCommand(touchline: Command): void {
  touchline
    .command('search-eval')
    .description('run a file of search queries with known answers, and print the scores; see docs/search.md')
    .argument('<file>', 'CSV: query, type, expected')
    .option('--misses', 'list every query whose answer was not first')
    .action((file: string, options: { misses?: boolean }) =>
      withStores({}, async ({ pool }) => {
        const { evalCommand } = await import('./catalogue/search/evaluation-command.ts');
        await evalCommand({ pool, clock: systemClock }, file, options, say);
      }),
    );
}

async function rebuildAnalytics(context: ChangeContext): Promise<void> {
  const { rebuildAnalytics: rebuild } = await import('./analytics/loader/rebuild-command.ts');
  await rebuild(context, say);
  await settleChanges(context);
}

async function rebuildFigures({ pool }: Pick<ChangeContext, 'pool'>): Promise<void> {
  const { addMissingSeasonTeams } = await import('./apply/index.ts');
  const { rebuildSeasonFigures } = await import('./statistics/index.ts');
  await addMissingSeasonTeams(pool);
  say(`computed the figures of ${(await rebuildSeasonFigures(pool)).toLocaleString('en')} team seasons`);
}

async function addAnalyticsCommands(touchline: Command): Promise<void> {
  touchline
    .command('rebuild')
    .description(
      'rebuild derived data: the analytics beside the current ones, or the season figures of players and teams in place',
    )
    .addArgument(new Argument('<store>').choices(['analytics', 'figures']))
    .action((store: 'analytics' | 'figures') =>
      store === 'figures' ? withStores({}, rebuildFigures) : withChanges({}, rebuildAnalytics),
    );

  const { addModelCommands } = await import('./analytics/model-commands.ts');
  addModelCommands(
    touchline,
    (work) =>
      withStores({}, async ({ pool }) => {
        const [{ storedMatches }, { storeModelReport }] = [
          await import('./analytics/history/stored-matches.ts'),
          await import('./analytics/backtest/stored-reports.ts'),
        ];
        await work({
          source: storedMatches(pool),
          pool,
          store: (kind, report) => storeModelReport(pool, kind, report, systemClock.now()),
        });
      }),
    say,
    {
      readWyscout: async (folder) => (await import('./importers/wyscout/wyscout.ts')).wyscoutMatches(folder),
      readForecasts: async (path) => (await import('./importers/published-forecasts.ts')).publishedForecasts(path),
      draw: async (plot) => (await import('./web/models/calibration-plot.ts')).calibrationPlots(plot),
    },
  );

  touchline
    .command('ratings')
    .description(
      'compute Elo ratings for football and further sports from the stored results, and publish them as rankings',
    )
    .option(
      '--compare <path...>',
      "also print how our ratings correlate with those in FiveThirtyEight's files, such as nba_elo.csv, at the end of each season",
    )
    .action(async ({ compare = [] }: { compare?: string[] }) => {
      const [{ precedenceVariables }, { ratingsCommand }, { eloRatings }] = [
        await import('./identity/config.ts'),
        await import('./analytics/ratings-command.ts'),
        await import('./importers/published-forecasts.ts'),
      ];
      const published = (await Promise.all(compare.map(eloRatings))).flat();
      await withStores(precedenceVariables, ({ pool, config }) =>
        ratingsCommand({ pool, precedence: config.precedence, now: systemClock.now() }, say, published),
      );
    });

  touchline
    .command('link-players')
    .description('link names in matches to players, as every import does at the end')
    .option('--report <file>', 'write ambiguous names to this CSV file')
    .action(({ report }: { report?: string }) =>
      withUpdates(async (context) => {
        const { linkLines } = await import('./importers/link-players.ts');
        for (const line of await linkLines(context, report)) say(line);
        await settleChanges(context);
      }),
    );
}

async function addInstallationCommands(touchline: Command): Promise<void> {
  const installation = await import('./installation-commands.ts');
  installation.addInstallationCommands(touchline, say);
}

function addServeCommand(touchline: Command): void {
  touchline
    .command('serve')
    .description('run the service, or one role')
    .addOption(new Option('--role <role>').choices(ROLES).default('all'))
    .option(
      '--now <time>',
      'set the clock of the service, to see imported history as it was at that time: 2026-05-10T12:00:00Z',
    )
    .action(async (options: { role: RoleName; now?: string }) => {
      const { serveCommand } = await import('./serve-command.ts');
      await serveCommand(options, say);
    });
}

async function addAccountCommands(touchline: Command): Promise<void> {
  const accounts = await import('./accounts/command.ts');
  accounts.addAccountCommands(touchline, (work) => withStores({}, ({ pool, plans }) => work(pool, plans)), say);
}

async function addWebhookCommands(touchline: Command): Promise<void> {
  const [webhooks, { webhookVariables }] = [
    await import('./webhooks/api/command.ts'),
    await import('./webhooks/config.ts'),
  ];
  webhooks.addWebhookCommands(touchline, (work) => withChanges(webhookVariables, work), say);
}

async function addListenCommand(touchline: Command): Promise<void> {
  const webhooks = await import('./webhooks/api/listen-command.ts');
  webhooks.addListenCommand(touchline, say, stopSignal);
  webhooks.addTriggerCommand(touchline, say);
}

async function addFeedCommands(touchline: Command): Promise<void> {
  const feed = await import('./feed/command.ts');
  feed.addFeedCommands(
    touchline,
    {
      id,
      withApply: (work) =>
        withUpdates(async (context) => {
          // Finally settles the changes, since accepted updates stay applied even if some were rejected.
          try {
            await work(context);
          } finally {
            await settleChanges(context);
          }
        }),
      withTokens: (work) =>
        withStores({}, ({ pool, config: { secretKeys } }) => work({ pool, clock: systemClock, secretKeys })),
    },
    say,
  );
}

/** Adds the commands with which an operator decides about data. */
async function addDecisionCommands(touchline: Command): Promise<void> {
  const [{ addCorrectionCommands }, { addPairCommands }] = [
    await import('./corrections/command.ts'),
    await import('./pairs/command.ts'),
  ];
  const withMatches = (work: (context: ChangeContext) => Promise<void>) =>
    withChanges({}, async (context) => {
      await work(context);
      await settleChanges(context);
    });
  addCorrectionCommands(touchline, id, withMatches, say);
  addPairCommands(touchline, id, withMatches, say);
}

async function addRecordingCommands(touchline: Command): Promise<void> {
  touchline
    .command('play')
    .description('play a recording as a live match')
    .argument('<recording>', 'name of a shipped recording, or a file')
    .option('--speed <times>', 'speed relative to real time', positive, 30)
    .action((recording: string, { speed }: { speed: number }) =>
      withUpdates(async (context) => {
        const { playCommand } = await import('./demo/command.ts');
        await playCommand(context, recording, speed, say);
        await settleChanges(context);
      }),
    );
  const polling = await import('./polling/command.ts');
  polling.addRecordingCommands(touchline, { positive, port }, say);
}

/** The commands in the order in which the help lists them. */
const GROUPS: readonly { commands: readonly string[]; add(touchline: Command): Promise<void> | void }[] = [
  { commands: ['serve'], add: addServeCommand },
  { commands: ['migrate', 'grants', 'restored', 'withdraw'], add: addInstallationCommands },
  { commands: ['account', 'key', 'plan'], add: addAccountCommands },
  { commands: ['webhook'], add: addWebhookCommands },
  { commands: ['listen', 'trigger'], add: addListenCommand },
  { commands: ['feed'], add: addFeedCommands },
  { commands: ['correct', 'pairs'], add: addDecisionCommands },
  { commands: ['import'], add: addImportCommand },
  { commands: ['export'], add: addExportCommand },
  { commands: ['resolve'], add: addResolveCommand },
  { commands: ['register-doubts'], add: addRegisterCommand },
  { commands: ['data-sets'], add: addDataSetsCommand },
  { commands: ['search-eval'], add: addSearchCommand },
  {
    commands: [
      'rebuild',
      'backtest',
      'fit-elo',
      'fit-live',
      'fit-model',
      'fit-expected-goals',
      'ratings',
      'link-players',
    ],
    add: addAnalyticsCommands,
  },
  { commands: ['play', 'record', 'serve-recording'], add: addRecordingCommands },
];

/** @param command the command's name; for the help or an unknown command, all commands are loaded */
async function program(command: string | undefined): Promise<Command> {
  const touchline = new Command('touchline')
    .description('A self-hosted sports data service')
    .exitOverride()
    .showHelpAfterError();
  const own = GROUPS.filter(({ commands }) => command !== undefined && commands.includes(command));
  for (const { add } of own.length > 0 ? own : GROUPS) await add(touchline);
  return touchline;
}

/** @param argv as in process.argv */
export async function run(argv: readonly string[]): Promise<void> {
  // If a reader closes the output early (`| head`), the work continues. A full disk is a failure.
  let lost: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error) => {
    lost ??= error;
  });
  // Errors are ignored here, because these messages are for people, and the exit code says the same.
  process.stderr.on('error', () => {});
  try {
    const touchline = await program(argv[2]);
    await touchline.parseAsync(argv);
    if (lost !== undefined && lost.code !== 'EPIPE') throw lost;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already printed the error and the usage.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    process.stderr.write(`touchline: ${errorMessage(error).split('\n')[0]}\n`);
    if (process.env.LOG_LEVEL === 'debug') process.stderr.write(`${(error as Error).stack}\n`);
    process.exitCode = 1;
  }
}
