/** `touchline webhook create|list|pause|enable|rotate|test|confirm|delete`, and the commands in log-command.ts. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { normalEmail } from '../../accounts/index.ts';
import { transaction } from '../../db/postgres.ts';
import { createBuckets } from '../../http/index.ts';
import { type RequestedResult, sendChallenge, sendTest } from '../delivery/requested-event.ts';
import { openSender } from '../destinations/attempt.ts';
import { openDestinations } from '../destinations/connections.ts';
import { type DestinationSettings, parseDestination } from '../destinations/kinds.ts';
import { parseHeader } from '../subscriptions/custom-headers.ts';
import { ROTATION_OVERLAP_HOURS } from '../subscriptions/secret.ts';
import { ORDERINGS } from '../subscriptions/settings.ts';
import {
  changeSubscription,
  createSubscription,
  enableSubscription,
  endSubscription,
  type NewSubscription,
  rotateSecret,
  type SubscriptionDeps,
  subscriptionDeps,
  subscriptionState,
  subscriptions,
} from '../subscriptions/subscription.ts';
import { note, type SubscriptionAction } from './account-subscriptions.ts';
import { append, integer, integers, list } from './command-arguments.ts';
import { operatorOn, type WithStores } from './command-stores.ts';
import { addLogCommands, type On } from './log-command.ts';
import { faultText, gapText, unconfirmedText } from './subscription-texts.ts';

type Say = (line: string) => void;

export function addWebhookCommands(program: Command, withStores: WithStores, say: Say): void {
  const webhook = program.command('webhook').description('manage webhook subscriptions').exitOverride();
  const on: On = (name, description) =>
    webhook.command(name).description(description).argument('<id>', 'id of the subscription', integer);
  addCreate(webhook, withStores, say);
  addList(webhook, withStores, say);
  addChanges(on, withStores, say);
  addRequested(on, withStores, say);
  addLogCommands(on, withStores, say);
}

interface CreateOptions extends Omit<NewSubscription, 'destination'> {
  /** A file, since a secret must not be visible in the list of processes. */
  destination?: string;
  condition?: string[];
  header?: string[];
  secretHeader?: string[];
}

function addCreate(webhook: Command, withStores: WithStores, say: Say): void {
  webhook
    .command('create')
    .description('create a subscription; prints the id and the secret, which is not shown again')
    .requiredOption('--account <email>', 'an account on a plan with webhooks')
    .option('--url <url>', 'https and public, or in WEBHOOK_ALLOW')
    .option('--destination <file>', 'a file with the settings of another destination, as JSON; - reads the input')
    .option('--event-types <types>', 'comma-separated, match.* is possible; default: all', list)
    .option('--sports <slugs>', 'comma-separated; default: all', list)
    .option('--leagues <ids>', 'tournament ids, comma-separated; default: all', integers)
    .option('--match-ids <ids>', 'comma-separated; default: all', integers)
    .option(
      '--participant-ids <ids>',
      'teams or players on either side of a match, comma-separated; default: all',
      integers,
    )
    .option('--condition <condition>', 'such as "data.match.minute >= 80"; can be repeated', append)
    .option('--header <header>', 'added to each request, as "Name: value"; can be repeated', append)
    .option('--secret-header <header>', 'the same, but the value is not shown again', append)
    .addOption(
      new Option('--ordering <ordering>', "match: a match's events one after the other").choices([...ORDERINGS]),
    )
    .option('--max-per-second <count>', 'requests within any second', integer)
    .option('--max-in-flight <count>', 'requests that wait for a reply at the same time', integer)
    .option('--delay <seconds>', 'how many seconds after an event it is sent, 0 to 600', integer)
    .option('--description <text>', 'for yourself')
    .action(({ condition: conditions, header = [], secretHeader = [], destination, ...options }: CreateOptions) =>
      withStores(async (stores) => {
        const headers = [
          ...header.map((line) => parseHeader(line, false)),
          ...secretHeader.map((line) => parseHeader(line, true)),
        ];
        const wanted = {
          ...options,
          conditions,
          headers,
          destination: destination === undefined ? undefined : readDestinationFile(destination),
        };
        const { id, secret } = await createSubscription(subscriptionDeps(stores), wanted);
        say(`${id} ${secret}`);
      }),
    );
}

/** @throws {Error} for a file that cannot be read, or is not JSON @throws {Problem} for invalid settings */
function readDestinationFile(file: string): DestinationSettings {
  const text = readFileSync(file === '-' ? 0 : file, 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message would show a part of the file, which may have a secret.
    throw new Error(`${file} is not JSON`);
  }
  return parseDestination(value);
}

function addList(webhook: Command, withStores: WithStores, say: Say): void {
  webhook
    .command('list')
    .description('list subscriptions with id, state, lag, failures, challenges, faults, gaps, account and address')
    .option('--account <email>')
    .action(({ account }: { account?: string }) =>
      withStores(async ({ pool, plans }) => {
        for (const one of await subscriptions(pool, {})) {
          if (account !== undefined && normalEmail(one.account) !== normalEmail(account)) continue;
          const managed = one.managedBy === null ? '' : ` (${one.managedBy.namespace}/${one.managedBy.name})`;
          const failure = one.failures === 0 ? '' : `, ${one.failures} failures in a row, last: ${one.lastFailure}`;
          const unconfirmed = unconfirmedText(one);
          const awaits = unconfirmed === null ? '' : `, ${unconfirmed}`;
          const fault = one.fault === null ? '' : `, ${faultText(one)}: ${one.fault}`;
          const held = one.held === 0 ? '' : `, ${one.held} ${one.held === 1 ? 'match waits' : 'matches wait'}`;
          const gap = one.gap === null ? '' : `, ${gapText(one.gap)}`;
          say(
            `${one.id} ${subscriptionState(one, plans)}, ${one.lag} events behind${held}${failure}${awaits}${fault}${gap} ${one.account} ${one.url}${managed}`,
          );
        }
      }),
    );
}

function addRequested(on: On, withStores: WithStores, say: Say): void {
  const request = (id: number, send: typeof sendTest, done: (sent: RequestedResult) => string) =>
    withStores(async (stores) => {
      const deps = subscriptionDeps(stores);
      const sender = openSender({ guard: deps.guard });
      const destinations = openDestinations({ guard: deps.guard, sender });
      try {
        const sent = await send(
          { ...deps, sender, destinations, hostBuckets: createBuckets(() => deps.clock.now()) },
          id,
        );
        if (sent.failure !== null) throw new Error(`${sent.eventId} was not delivered: ${sent.failure}`);
        say(done(sent));
      } finally {
        sender.close();
        destinations.close();
      }
    });

  on('test', 'send a signed test event now and print the outcome').action((id: number) =>
    request(
      id,
      sendTest,
      (sent) =>
        `${sent.eventId} delivered${sent.status === null ? '' : `: status ${sent.status}`} after ${sent.durationMs} ms`,
    ),
  );
  on('confirm', 'send a challenge to the unconfirmed URL now and print the outcome').action((id: number) =>
    request(id, sendChallenge, (sent) => `${sent.eventId} answered after ${sent.durationMs} ms: the URL is confirmed`),
  );
}

function addChanges(on: On, withStores: WithStores, say: Say): void {
  /** Records a change by the service's operator in the account's audit log. */
  const change = (
    id: number,
    action: SubscriptionAction,
    work: (deps: SubscriptionDeps) => Promise<unknown>,
    details: Record<string, unknown> = {},
  ) =>
    withStores(async (stores) => {
      const deps = await operatorOn(stores, id);
      return transaction(stores.pool, async (db) => {
        const own = { ...deps, pool: db };
        await note(own, id, action, details);
        await work(own);
      });
    });

  on('pause', 'send nothing until the subscription is enabled again').action((id: number) =>
    change(id, 'paused', (deps) => changeSubscription(deps, id, { paused: true })),
  );

  on('enable', 'enable a paused or disabled subscription, and clear a gap')
    .option('--replay-from <cursor>', 'send the events after this cursor, even if they were sent before', integer)
    .action((id: number, { replayFrom }: { replayFrom?: number }) =>
      change(id, 'enabled', (deps) => enableSubscription(deps, id, replayFrom), { cursor: replayFrom }),
    );

  on('rotate', `create a new secret and print it; the old one also signs for ${ROTATION_OVERLAP_HOURS} hours`).action(
    async (id: number) => {
      let secret = '';
      await change(id, 'rotated', async (deps) => {
        secret = await rotateSecret(deps, id);
      });
      say(secret);
    },
  );

  on('delete', 'delete the subscription; its delivery log stays').action((id: number) =>
    change(id, 'deleted', (deps) => endSubscription(deps, id)),
  );
}
