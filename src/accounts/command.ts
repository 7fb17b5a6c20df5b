/** `touchline account list|create|show|plan`, `touchline key create|list|revoke` and `touchline plan list`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type pg from 'pg';
import { KEY_SCOPES, type KeyScope } from '../http/index.ts';
import { systemClock } from '../runtime/clock.ts';
import { wireTime } from '../wire/time.ts';
import {
  type Account,
  approveAccount,
  changePlan,
  createAccount,
  deleteAccount,
  listAccounts,
  suspendAccount,
  unknownAccount,
} from './accounts.ts';
import { OPERATOR } from './audit.ts';
import { createLink } from './credentials/one-time-links.ts';
import { checkEmail, listUnclearEmails } from './email-address.ts';
import { createKey, isWellFormedKey } from './keys/key-store.ts';
import { keyState, type ListedKey, listKeys, revokeKeyByHand } from './keys/manage-keys.ts';
import { verifyByOperator } from './members/address-link.ts';
import { setOperator } from './members/operators.ts';
import { createResetLink, type Leftovers, leftoversText } from './members/reset-link.ts';
import { priceText } from './plans/plan-text.ts';
import type { OfferedPlans } from './plans/plans.ts';
import { liftRequirement } from './single-sign-on/settings.ts';

type WithPool = (work: (pool: pg.Pool, plans: OfferedPlans) => Promise<void>) => Promise<void>;
type Say = (line: string) => void;

const planOption = () => new Option('--plan <plan>', 'plan of the account');

/** Refuses a plan that is not offered, as wrong usage of the command. */
function checkPlan(command: Command, plans: OfferedPlans, plan: string | undefined): void {
  if (plan !== undefined && !plans.has(plan))
    command.error(`error: there is no plan '${plan}'. Allowed choices are ${plans.names.join(', ')}.`);
}

/** Names the resource that owns an account or a key. */
const managedText = (kind: string, managed: Account['managed']): string | false =>
  managed !== null && `declared by ${kind} ${managed.namespace}/${managed.name}`;

function accountText(account: Account): string {
  const { id, email, plan, created_at, suspended_at, awaits_verification, awaits_approval, is_operator, keys } =
    account;
  const suspended = suspended_at !== null && `suspended ${wireTime(suspended_at.getTime())}`;
  const parts = [
    `${id} ${email} ${plan}`,
    `${keys} ${keys === 1 ? 'key' : 'keys'}`,
    `since ${wireTime(created_at.getTime())}`,
    is_operator && 'operator',
    awaits_verification && 'address not verified',
    awaits_approval ? 'waits for approval' : suspended,
    managedText('Account', account.managed),
  ];
  return parts.filter(Boolean).join(', ');
}

/** Describes a key by its first and last characters, since the full key is not stored. */
function keyText(key: ListedKey, now: number): string {
  const { id, prefix, hint, name, origins, addresses, scopes, created_at, expires_at, revoked_at, last_used_at } = key;
  const at = (time: Date) => wireTime(time.getTime());
  const ends = expires_at !== null && `${keyState(key, now) === 'active' ? 'expires' : 'expired'} ${at(expires_at)}`;
  const parts = [
    `${id} ${prefix}…${hint}`,
    name !== null && JSON.stringify(name),
    origins !== null && `for ${origins.join(' ')}`,
    addresses !== null && `from ${addresses.join(' ')}`,
    scopes !== null && `only ${scopes.join(' ')}`,
    `created ${at(created_at)}`,
    last_used_at !== null && `last used ${at(last_used_at)} from ${key.last_used_from}`,
    revoked_at === null ? ends : `revoked ${at(revoked_at)}`,
    managedText('ApiKey', key.managed),
  ];
  return parts.filter(Boolean).join(', ');
}

/** Accepts an id, or the key text (for a key that was found somewhere). */
function keyArgument(text: string): number | string {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  if (isWellFormedKey(text)) return text;
  throw new InvalidArgumentError('must be the id of a key, as `touchline key list` shows it, or the key itself');
}

export function addAccountCommands(program: Command, withPool: WithPool, say: Say): void {
  const account = program.command('account').description('manage accounts').exitOverride();
  account
    .command('list')
    .description('list all accounts with id, email, plan, usable keys, age and state')
    .action(() =>
      withPool(async (pool) => {
        for (const one of await listAccounts(pool, systemClock)) say(accountText(one));
      }),
    );
  account
    .command('create')
    .description('create an account without a key')
    .argument('<email>')
    .addOption(planOption())
    .action((email: string, { plan }: { plan?: string }) =>
      withPool(async (pool, plans) => {
        checkPlan(account, plans, plan);
        say(String(await createAccount({ pool, clock: systemClock, plans }, { email, plan })));
      }),
    );
  account
    .command('show')
    .description('show an account and its keys')
    .argument('<email>')
    .action((email: string) =>
      withPool(async (pool) => {
        const [found = unknownAccount(email)] = await listAccounts(pool, systemClock, email);
        say(accountText(found));
        for (const key of await listKeys(pool, { email })) say(`  key ${keyText(key, systemClock.now())}`);
      }),
    );
  account
    .command('plan')
    .description("change an account's plan")
    .argument('<email>')
    .argument('<plan>', 'its name, as `touchline plan list` shows it')
    .action((email: string, plan: string) =>
      withPool(async (pool, plans) => {
        checkPlan(account, plans, plan);
        say(`${email}: ${await changePlan({ pool, clock: systemClock, plans }, email, plan)} -> ${plan}`);
      }),
    );
  addAddressCommands(account, withPool, say);
  addAccountStateCommands(account, withPool, say);
  addLinkCommands(account, withPool, say);
  addKeyCommands(program, withPool, say);
  addPlanCommands(program, withPool, say);
}

function addPlanCommands(program: Command, withPool: WithPool, say: Say): void {
  program
    .command('plan')
    .description('see the plans')
    .exitOverride()
    .command('list')
    .description('list the plans with name, title, monthly price and origin; * marks the plan of new accounts')
    .action(() =>
      withPool(async (_pool, plans) => {
        for (const plan of plans.list) {
          const origin = plans.isDeclared(plan.name) ? 'declared' : 'configured';
          say(
            `${plan.name}${plan.name === plans.default ? '*' : ''} ${plan.title}, ${priceText(plan, 'en')}, ${origin}`,
          );
        }
      }),
    );
}

function addAddressCommands(account: Command, withPool: WithPool, say: Say): void {
  account
    .command('verify')
    .description("mark an account's address as verified, which lifts the limits for unverified accounts")
    .argument('<email>')
    .action((email: string) =>
      withPool(async (pool) => {
        const [found = unknownAccount(email)] = await listAccounts(pool, systemClock, email);
        await verifyByOperator(pool, systemClock, found);
        say(`${found.email}: verified`);
      }),
    );
  account
    .command('unclear')
    .description('list accounts that share a normalized address or are not found by it; changes nothing')
    .action(() =>
      withPool(async (pool) => {
        for (const { accountId, email, normal, accounts } of await listUnclearEmails(pool))
          say(
            `${accountId} ${email}: ${normal}, ${accounts > 1 ? `shared by ${accounts} accounts` : 'finds no account'}`,
          );
      }),
    );
}

function addAccountStateCommands(account: Command, withPool: WithPool, say: Say): void {
  account
    .command('suspend')
    .description("refuse an account's keys and sessions within seconds, and stop streams and webhooks")
    .argument('<email>')
    .option('--lift', 'end the suspension')
    .action((email: string, { lift = false }: { lift?: boolean }) =>
      withPool(async (pool) => {
        await suspendAccount(pool, systemClock, email, !lift);
        say(`${email}: ${lift ? 'no longer suspended' : 'suspended'}`);
      }),
    );
  account
    .command('approve')
    .description('approve an account that waits for approval (`delete` rejects it)')
    .argument('<email>')
    .action((email: string) =>
      withPool(async (pool) => say(`${await approveAccount(pool, systemClock, email)}: approved`)),
    );
  account
    .command('operator')
    .description("let an account's member use the operator pages, at /operator")
    .argument('<email>')
    .option('--revoke', 'remove the role')
    .action((email: string, { revoke = false }: { revoke?: boolean }) =>
      withPool(async (pool) => {
        const left = await setOperator(pool, systemClock, email, !revoke);
        say(`${email}: ${revoke ? 'no longer an operator' : 'operator'}`);
        if (left === 0) say('no operator is left');
      }),
    );
  account
    .command('lift-single-sign-on')
    .description('let members sign in with a password again, if the organisation requires a provider that is down')
    .argument('<email>')
    .action((email: string) =>
      withPool(async (pool) => {
        const [found = unknownAccount(email)] = await listAccounts(pool, systemClock, email);
        await liftRequirement(pool, systemClock, { accountId: found.id, actor: OPERATOR });
        say(`${found.email}: single sign-on is no longer required`);
      }),
    );
  account
    .command('delete')
    .description('permanently delete an account with all keys, subscriptions and logs')
    .argument('<email>')
    .requiredOption('--yes', 'confirm the deletion, which cannot be undone')
    .action((email: string) =>
      withPool(async (pool) => {
        await deleteAccount(pool, email);
        say(`${email}: deleted`);
      }),
    );
}

interface ResetOptions {
  secondFactor?: boolean;
  revokeKeys?: boolean;
}

/**
 * Says what a former user of the account can still use after the password has been changed, and which options end this
 * access.
 */
function resetNotes(leftovers: Leftovers): string[] {
  const { hasSecondFactor, keys, webhooks, hasSingleSignOn } = leftovers;
  const has = leftoversText(leftovers);
  if (has === null) return [];
  const options = [
    hasSecondFactor && '--second-factor removes the second factor',
    (keys + webhooks > 0 || hasSingleSignOn) &&
      '--revoke-keys revokes the keys, pauses the webhooks and removes single sign-on',
  ];
  return [
    `The account has ${has}, which a new password does not remove. If somebody else may have used the account, run this again:`,
    ...options.filter((option) => option !== false),
  ];
}

/** Prints links as paths if the public address is not configured here. */
function addLinkCommands(account: Command, withPool: WithPool, say: Say): void {
  const link = (path: string) => `${process.env.BASE_URL?.replace(/\/+$/, '') ?? ''}${path}`;
  account
    .command('reset')
    .description('print a link to set a new password, which works once and for an hour')
    .argument('<email>')
    .option('--second-factor', 'also remove the second factor, and end the password and all sessions at once')
    .option(
      '--revoke-keys',
      'also revoke all keys, pause webhooks, remove single sign-on, and end the password and all sessions at once',
    )
    .action((email: string, { secondFactor = false, revokeKeys = false }: ResetOptions) =>
      withPool(async (pool) => {
        const scope = { secondFactor, keys: revokeKeys };
        const { token, leftovers } = await createResetLink(pool, systemClock, email, scope, OPERATOR);
        say(link(`/account/reset?token=${token}`));
        for (const line of resetNotes(leftovers)) say(line);
      }),
    );
  account
    .command('invite')
    .description('print a link to sign up, which works once and for 7 days')
    .argument('[email]', 'the only address that may use the link')
    .addOption(planOption())
    .action((email: string | undefined, { plan }: { plan?: string }) =>
      withPool(async (pool, plans) => {
        checkPlan(account, plans, plan);
        if (email !== undefined) checkEmail(email);
        const token = await createLink(pool, systemClock, 'invitation', {
          accountId: null,
          email: email ?? null,
          plan: plan ?? null,
        });
        say(link(`/account/sign-up?invitation=${token}`));
      }),
    );
}

interface KeyOptions {
  account: string;
  plan?: string;
  name?: string;
  publishable?: boolean;
  origin?: string[];
  scope?: KeyScope[];
}

function addKeyCommands(program: Command, withPool: WithPool, say: Say): void {
  const key = program.command('key').description('manage API keys').exitOverride();
  key
    .command('create')
    .description('create a key; it is printed once')
    .requiredOption('--account <email>', 'the account; created if it does not exist')
    .addOption(planOption())
    .option('--name <name>')
    .option('--publishable', 'a key that may be used in browsers')
    .option('--origin <origin...>', 'for a publishable key: the only origins that may use it')
    .addOption(new Option('--scope <scope...>', 'the permitted uses; all without it').choices(KEY_SCOPES))
    .action((options: KeyOptions) =>
      withPool(async (pool, plans) => {
        checkPlan(key, plans, options.plan);
        const made = await createKey(pool, systemClock, plans, {
          email: options.account,
          plan: options.plan,
          name: options.name,
          kind: options.publishable ? 'pk' : 'sk',
          origins: options.origin,
          scopes: options.scope,
        });
        say(made.key);
      }),
    );
  key
    .command('list')
    .description('list keys with id, last four characters, name, restrictions and times')
    .option('--account <email>')
    .action(({ account }: { account?: string }) =>
      withPool(async (pool) => {
        if (account !== undefined && (await listAccounts(pool, systemClock, account)).length === 0)
          unknownAccount(account);
        for (const one of await listKeys(pool, { email: account }))
          say(`${keyText(one, systemClock.now())}, ${one.email}`);
      }),
    );
  key
    .command('revoke')
    .description('revoke a key within 5 s, including open streams')
    .argument('<key>', 'the id of the key, or the key itself', keyArgument)
    .action((one: number | string) =>
      withPool(async (pool) => {
        const since = await revokeKeyByHand(pool, systemClock, one, OPERATOR);
        if (since === null) throw new Error('there is no such key');
        say(`revoked ${wireTime(since.getTime())}`);
      }),
    );
}
