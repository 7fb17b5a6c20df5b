/** The command `touchline`: exit code 0, 1 with one clear line, or 2 for wrong usage, with the usage. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type Logger, pino } from 'pino';
import { addAccountCommands } from './accounts/command.ts';
import { planVariables } from './accounts/config.ts';
import { createKey, isWellFormedKey } from './accounts/keys/keys.ts';
import { offeredPlans, offerPlans } from './accounts/plans/plans.ts';
import { addModelCommands } from './analytics/model-commands.ts';
import { storeModelReport } from './analytics/model-report.ts';
import { storedMatches } from './analytics/stored-matches.ts';
import { type Config, ROLES, type RoleName, readConfig, type Secret } from './config/config.ts';
import type { ConfigOf, Variables } from './config/variable.ts';
import { type MatchChanges, openMatchChanges } from './db/notices.ts';
import { openStores, type Stores } from './db/stores.ts';
import { timeParam } from './http/query.ts';
import { precedenceVariables } from './identity/config.ts';
import { systemClock } from './runtime/clock.ts';
import { addWebhookCommands } from './webhooks/command.ts';
import { webhookVariables } from './webhooks/config.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

function openLogger(config: Config): Logger {
  // Logs go to standard error: standard output is for what a command answers.
  return pino(
    {
      level: config.logLevel,
      redact: ['key', 'secret', '*.key', '*.secret', 'headers["x-api-key"]', 'headers.authorization', 'headers.cookie'],
    },
    pino.destination(2),
  );
}

interface CommandContext<V extends Variables> extends Stores<Config & ConfigOf<V>> {
  logger: Logger;
  changes: MatchChanges;
}

/**
 * Runs a command on the stores, whether the service runs or not.
 * @param variables which it reads besides the common ones
 */
async function withStores<const V extends Variables>(
  variables: V,
  work: (context: CommandContext<V>) => Promise<void>,
  secrets: readonly Secret[] = ['secretKeys'],
): Promise<void> {
  const config = readConfig(process.env, { ...variables, ...planVariables }, secrets);
  const logger = openLogger(config);
  offerPlans(config.plans, logger);
  const stores = await openStores(config, logger);
  try {
    const changes = await openMatchChanges(stores.config.databaseUrl, logger);
    try {
      await work({ ...stores, logger, changes });
    } finally {
      await changes.close();
    }
  } finally {
    await stores.close();
  }
}

/** The relay assigns change cursors: without a running service the command acts as the relay until every change has one. */
async function settleChanges<V extends Variables>({ config, pool, logger, changes }: CommandContext<V>): Promise<void> {
  const [{ openEventLog }, { relayPending }] = [
    await import('./events/open-event-log.ts'),
    await import('./relay/relay.ts'),
  ];
  const log = await openEventLog(config, pool, logger, changes);
  try {
    await relayPending({ pool, log, clock: systemClock, logger, onChange: (listener) => changes.subscribe(listener) });
  } finally {
    await log.close();
  }
}

async function serveCommand({ role }: { role: RoleName }): Promise<void> {
  const begun = performance.now();
  const { readRoleConfig, serve } = await import('./main.ts');
  const config = readRoleConfig(process.env, role);
  const logger = openLogger(config);
  // Heard from the first moment: a stop while the service starts waits for the start, so that nothing is left half open, but not for
  // stores that are away.
  const asked = stopAsked();
  const waiting = new AbortController();
  void asked.then(() => waiting.abort());
  const options = { role, progress: (line: string) => say(`  ${line}`), signal: waiting.signal };
  const running = await serve(config, logger, options).catch((error) => {
    if (!waiting.signal.aborted) throw error;
    return null;
  });
  if (running === null) {
    say('Stopped');
    return;
  }
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const { address, adminAddress } = running;
  const name = role === 'all' ? 'Touchline' : `Touchline ${role}`;
  say(
    `${name} is ready after ${seconds} s: ${address === null ? '' : `${address} `}(health and metrics: ${adminAddress})`,
  );
  if (config.demo && role === 'all') await printDemo(address!, running.deps.pool, config);
  void running.analytics.then((state) => {
    if ('version' in state) say(`  ClickHouse ${state.version} is ready`);
  });
  await asked;
  await running.stop();
  say('Stopped');
  // The embedded engine keeps threads of its own.
  process.exit(0);
}

/** Resolves at the first SIGINT or SIGTERM; the second ends the process at once. */
function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    let heard = false;
    const stop = () => {
      if (heard) process.exit(1);
      heard = true;
      say('Stopping');
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}

/** The demo's key is shown at each start, so it is kept in the data folder beside the stores that it opens. */
async function printDemo(address: string, pool: Stores['pool'], { dataDir }: Config): Promise<void> {
  const file = join(dataDir, 'demo-key');
  let key = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (!isWellFormedKey(key)) {
    const plans = offeredPlans();
    const plan = (plans.find(({ name }) => name === 'pro') ?? plans.findLast(({ stream }) => stream) ?? plans.at(-1)!)
      .name;
    ({ key } = await createKey(pool, systemClock, { email: 'demo@touchline.invalid', plan, name: 'make run' }));
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
  }
  const { rows } = await pool.query<{ id: number }>(
    "SELECT m.id FROM match m JOIN tournament t ON t.id = m.tournament_id WHERE t.demo ORDER BY (m.status = 'live') DESC, (m.status = 'finished') DESC, m.updated_at DESC LIMIT 1",
  );
  say(`
  Open ${address}/ for the live matches, ${address}/docs for the documentation.
  Demo key: ${key}

  A card:        curl -s -H 'X-API-Key: ${key}' ${address}/v1/event/${rows[0]?.id ?? 1}
  The live list: curl -s -H 'X-API-Key: ${key}' ${address}/v1/events/live
  The stream:    curl -sN -H 'X-API-Key: ${key}' ${address}/v1/stream
`);
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('must be a number above 0');
  return value;
}

function addImportCommand(touchline: Command): void {
  touchline
    .command('import')
    .description(
      'import files of a public format, or images (files named by our id, or provider_id); a wrong format lists the formats',
    )
    .argument('<format>')
    .argument('<path...>')
    .option('--rejections <file>', 'write every rejected record to this file; the first 20 are always printed')
    .addHelpText(
      'after',
      '\nExit code 1: nothing was taken from one of the paths, or a file could not be read to its end. Rejected records alone do not fail.',
    )
    .action((format: string, paths: string[], options: { rejections?: string }) =>
      withStores(precedenceVariables, async (context) => {
        const { importCommand } = await import('./importers/command.ts');
        try {
          await importCommand({ ...context, clock: systemClock }, format, paths, say, options);
        } finally {
          await settleChanges(context);
          const { refreshSearch } = await import('./catalogue/search/refresh.ts');
          await refreshSearch(context.pool, systemClock);
        }
      }),
    );
}

function addSearchCommand(touchline: Command): void {
  touchline
    .command('search-eval')
    .description(
      'ask the search the queries of a file whose answers are known, and print how good it is: see docs/search.md',
    )
    .argument('<file>', 'CSV: query, type, expected')
    .option('--misses', 'list every query whose answer was not first')
    .action((file: string, options: { misses?: boolean }) =>
      withStores({}, async ({ pool }) => {
        const { evalCommand } = await import('./catalogue/search/eval-command.ts');
        await evalCommand({ pool, clock: systemClock }, file, options, say);
      }),
    );
}

function time(text: string): string {
  const parsed = timeParam.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]!.message);
  return parsed.data;
}

function addAnalyticsCommands(touchline: Command): void {
  touchline
    .command('rebuild')
    .description('build a derived store again, beside the one that is answered from')
    .addArgument(new Argument('<store>').choices(['analytics']))
    .action(() =>
      withStores({}, async (context) => {
        const { rebuildAnalytics } = await import('./analytics/loader/rebuild-command.ts');
        await rebuildAnalytics(context, say);
        await settleChanges(context);
      }),
    );

  addModelCommands(
    touchline,
    (work) =>
      withStores({}, ({ pool }) =>
        work({
          source: storedMatches(pool),
          store: (report) => storeModelReport(pool, report, systemClock.now()),
        }),
      ),
    say,
  );

  touchline
    .command('ratings')
    .description('compute Elo ratings of national teams and clubs from the results held, and publish them as rankings')
    .action(() =>
      withStores(precedenceVariables, async ({ pool, config }) => {
        const { ratingsCommand } = await import('./analytics/ratings-command.ts');
        await ratingsCommand({ pool, precedence: config.precedence, now: systemClock.now() }, say);
      }),
    );

  touchline
    .command('link-players')
    .description('find out which players the names in matches mean, as every import does at its end')
    .option('--report <file>', 'write the names that several players fit to this CSV file')
    .action(({ report }: { report?: string }) =>
      withStores(precedenceVariables, async (context) => {
        const { linkLines } = await import('./apply/player-links/command.ts');
        for (const line of await linkLines({ ...context, clock: systemClock }, report)) say(line);
        await settleChanges(context);
      }),
    );

  touchline
    .command('restored')
    .description(
      'to be run after Postgres was restored from a backup: sync clients and ClickHouse get again what may have changed since',
    )
    .requiredOption('--since <time>', 'the moment of the backup, with its zone', time)
    .action(({ since }: { since: string }) =>
      withStores({}, async (context) => {
        const [{ restampSince }, { requestCopy }] = [
          await import('./relay/restored.ts'),
          await import('./analytics/loader/state.ts'),
        ];
        const count = await restampSince(context.pool, since);
        await requestCopy(context.pool, 'restored');
        await settleChanges(context);
        say(
          `${count.toLocaleString('en')} matches are handed to sync clients again; the loader builds the history of the analytics again`,
        );
      }),
    );
}

function program(): Command {
  const touchline = new Command('touchline')
    .description('A self-hosted sports data service')
    .exitOverride()
    .showHelpAfterError();

  touchline
    .command('serve')
    .description('run the service, or one role of it')
    .addOption(new Option('--role <role>').choices(ROLES).default('all'))
    .action(serveCommand);

  touchline
    .command('migrate')
    .description('bring the database to this version')
    .action(() =>
      withStores({}, async () => {
        say('The database is up to date');
      }, []),
    );

  addAccountCommands(touchline, (work) => withStores({}, ({ pool }) => work(pool)), say);
  addWebhookCommands(
    touchline,
    (work) => withStores(webhookVariables, (context) => work({ ...context, clock: systemClock })),
    say,
  );

  touchline
    .command('feed')
    .description('apply feed updates (JSON or NDJSON) from a file, or - for standard input')
    .argument('<file>')
    .action((file: string) =>
      withStores(precedenceVariables, async (context) => {
        const { feedFile } = await import('./feed/command.ts');
        // Updates were accepted even where others were rejected.
        try {
          await feedFile({ ...context, clock: systemClock }, file, say);
        } finally {
          await settleChanges(context);
        }
      }),
    );

  addImportCommand(touchline);
  addSearchCommand(touchline);
  addAnalyticsCommands(touchline);

  touchline
    .command('play')
    .description('play a recording as if the match were going on now')
    .argument('<recording>', 'a shipped one by its name, or a file')
    .option('--speed <times>', 'how much faster than life', positive, 30)
    .action((recording: string, { speed }: { speed: number }) =>
      withStores(precedenceVariables, async (context) => {
        const { playCommand } = await import('./demo/command.ts');
        await playCommand({ ...context, clock: systemClock }, recording, speed, say);
        await settleChanges(context);
      }),
    );

  return touchline;
}

/** @param argv as in process.argv */
export async function run(argv: readonly string[]): Promise<void> {
  // A reader that has enough (`| head`) does not stop the work.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    await program().parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the fault and the usage.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    process.stderr.write(`touchline: ${(error as Error).message.split('\n')[0]}\n`);
    if (process.env.LOG_LEVEL === 'debug') process.stderr.write(`${(error as Error).stack}\n`);
    process.exitCode = 1;
  }
}
