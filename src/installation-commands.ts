/** Commands for the installation itself: its database, a restore, and the end of the operator. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type pg from 'pg';
import { time } from './cli-arguments.ts';
import { settleChanges, withChanges, withStores } from './command-context.ts';
import { stopSignal } from './runtime/stop-signal.ts';
import { VERSION } from './runtime/version.ts';

type Say = (line: string) => void;

/** Adds the commands. */
export function addInstallationCommands(touchline: Command, say: Say): void {
  addDatabaseCommands(touchline, say);
  touchline
    .command('restored')
    .description(
      'bring the other stores and the clients in line with a Postgres disk that you have restored from a copy; see docs/operations.md',
    )
    .requiredOption('--since <time>', 'a time shortly before the copy was made, with its time zone', time)
    .action(({ since }: { since: string }) =>
      // The command requires no secrets. It runs before any pod, in the environment of a relay, which has none.
      withChanges(
        {},
        async (context) => {
          const [{ noteRestore, restampSince }, { transaction }] = [
            await import('./relay/restore-repair.ts'),
            await import('./db/postgres.ts'),
          ];
          const count = await transaction(context.pool, async (client) => {
            await noteRestore(client);
            return restampSince(client, since);
          });
          await settleChanges(context);
          say(
            `${count.toLocaleString('en')} matches are sent to sync clients again; the loader rebuilds the history of the analytics`,
          );
        },
        [],
      ),
    );

  touchline
    .command('withdraw')
    .description(
      'stop the operator before an uninstall from Kubernetes, mark the resources as not served, and remove the Leases; needs the environment of the operator, and only prints what fails, so that the uninstall continues',
    )
    .action(async () => {
      const { withdrawCommand } = await import('../operators/withdraw.ts');
      await withdrawCommand(process.env, say);
    });
}

const DEFAULT_PREFIX = 'touchline_';
const prefixOption = () =>
  new Option('--prefix <prefix>', 'what the names of the Postgres roles begin with')
    .default(DEFAULT_PREFIX)
    .argParser(prefix);

function prefix(text: string): string {
  if (/^[a-z_][a-z0-9_]{0,39}$/.test(text)) return text;
  throw new InvalidArgumentError('1 to 40 of a-z, 0-9 and _, and no digit first');
}

function addDatabaseCommands(touchline: Command, say: Say): void {
  touchline
    .command('migrate')
    .description('migrate the database to this version')
    .option('--check', 'change nothing, and only say whether this version can use the database, as before a rollback')
    .option(
      '--grants',
      'also give the roles of `touchline grants` the rights that this version needs, and take none away',
    )
    .addOption(prefixOption())
    .action(
      async ({ check = false, grants = false, prefix }: { check?: boolean; grants?: boolean; prefix: string }) => {
        const options = { migrate: !check, progress: say, signal: stopSignal() };
        const line = check ? `Version ${VERSION} can use the database` : 'The database is up to date';
        const work = async ({ pool }: { pool: pg.Pool }) => {
          if (grants && !check) await applyGrants(pool, prefix);
          say(line);
        };
        await withStores({}, work, [], options);
      },
    );

  touchline
    .command('grants')
    .description(
      'print the SQL that gives each role of the service its own rights in Postgres, and takes all others away; see docs/least-privilege.md',
    )
    .addOption(prefixOption())
    .action(async ({ prefix }: { prefix: string }) => {
      const { grantStatements } = await import('./db/grants.ts');
      for (const statement of ['BEGIN', ...grantStatements(prefix, true), 'COMMIT']) say(`${statement};`);
    });
}

async function applyGrants(pool: pg.Pool, prefix: string): Promise<void> {
  const [{ grantStatements }, { transaction }] = [await import('./db/grants.ts'), await import('./db/postgres.ts')];
  await transaction(pool, async (client) => {
    for (const statement of grantStatements(prefix, false)) await client.query(statement);
  });
}
