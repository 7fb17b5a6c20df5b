/** `touchline account list|create|show|plan` and `touchline key create|list|revoke`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type pg from 'pg';
import { systemClock } from '../runtime/clock.ts';
import { wireTime } from '../wire/time.ts';
import {
  type Account,
  changePlan,
  createAccount,
  type ListedKey,
  listAccounts,
  listKeys,
  revokeKey,
  unknownAccount,
} from './accounts.ts';
import { createKey, isWellFormedKey, PLAN_NAMES } from './keys.ts';

type WithPool = (work: (pool: pg.Pool) => Promise<void>) => Promise<void>;
type Say = (line: string) => void;

const planOption = () => new Option('--plan <plan>', 'plan of the account').choices(PLAN_NAMES);

const accountText = ({ id, email, plan, created_at, keys }: Account) =>
  `${id} ${email} ${plan}, ${keys} ${keys === 1 ? 'key' : 'keys'}, since ${wireTime(created_at.getTime())}`;

/** The key itself is known to nobody. */
function keyText(
  { id, kind, hint, name, origins, created_at, expires_at, revoked_at }: ListedKey,
  now: number,
): string {
  const at = (time: Date) => wireTime(time.getTime());
  const ends = expires_at !== null && `${expires_at.getTime() > now ? 'expires' : 'expired'} ${at(expires_at)}`;
  const parts = [
    `${id} ${kind}_live_…${hint}`,
    name !== null && JSON.stringify(name),
    origins !== null && `for ${origins.join(' ')}`,
    `created ${at(created_at)}`,
    revoked_at === null ? ends : `revoked ${at(revoked_at)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** An id, or the key itself, which has been found somewhere. */
function keyArgument(text: string): number | string {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  if (isWellFormedKey(text)) return text;
  throw new InvalidArgumentError('must be the id of a key, as `touchline key list` shows it, or the key itself');
}

export function addAccountCommands(program: Command, withPool: WithPool, say: Say): void {
  const account = program.command('account').description('accounts').exitOverride();
  account
    .command('list')
    .description('list id, email, plan, usable keys and age of all accounts')
    .action(() =>
      withPool(async (pool) => {
        for (const one of await listAccounts(pool, systemClock)) say(accountText(one));
      }),
    );
  account
    .command('create')
    .description('create an account without a key')
    .argument('<email>')
    .addOption(planOption().default('trial'))
    .action((email: string, { plan }: { plan: string }) =>
      withPool(async (pool) => say(String(await createAccount(pool, systemClock, { email, plan })))),
    );
  account
    .command('show')
    .description('show an account and its keys')
    .argument('<email>')
    .action((email: string) =>
      withPool(async (pool) => {
        const [found = unknownAccount(email)] = await listAccounts(pool, systemClock, email);
        say(accountText(found));
        for (const key of await listKeys(pool, email)) say(`  key ${keyText(key, systemClock.now())}`);
      }),
    );
  account
    .command('plan')
    .description('move an account to another plan')
    .argument('<email>')
    .addArgument(program.createArgument('<plan>').choices(PLAN_NAMES))
    .action((email: string, plan: string) =>
      withPool(async (pool) => say(`${email}: ${await changePlan(pool, email, plan)} -> ${plan}`)),
    );
  addKeyCommands(program, withPool, say);
}

function addKeyCommands(program: Command, withPool: WithPool, say: Say): void {
  const key = program.command('key').description('API keys').exitOverride();
  key
    .command('create')
    .description('make a key; it is printed once')
    .requiredOption('--account <email>', 'the account, made where there is none')
    .addOption(planOption())
    .option('--name <name>')
    .option('--publishable', 'a key that browsers may hold')
    .option('--origin <origin...>', 'for a publishable key: the only origins that may use it')
    .action((options: { account: string; plan?: string; name?: string; publishable?: boolean; origin?: string[] }) =>
      withPool(async (pool) => {
        const made = await createKey(pool, systemClock, {
          email: options.account,
          plan: options.plan,
          name: options.name,
          kind: options.publishable ? 'pk' : 'sk',
          origins: options.origin,
        });
        say(made.key);
      }),
    );
  key
    .command('list')
    .description('list id, last four characters, name, origins and times of keys')
    .option('--account <email>')
    .action(({ account }: { account?: string }) =>
      withPool(async (pool) => {
        if (account !== undefined && (await listAccounts(pool, systemClock, account)).length === 0)
          unknownAccount(account);
        for (const one of await listKeys(pool, account)) say(`${keyText(one, systemClock.now())}, ${one.email}`);
      }),
    );
  key
    .command('revoke')
    .description('end a key within 5 s, open streams included')
    .argument('<key>', 'its id, or the key itself', keyArgument)
    .action((one: number | string) =>
      withPool(async (pool) => say(`revoked ${wireTime((await revokeKey(pool, systemClock, one)).getTime())}`)),
    );
}
