/** `touchline webhook create|list|pause|enable|rotate|test|delete`. */
import { type Command, InvalidArgumentError } from 'commander';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { systemClock } from '../runtime/clock.ts';
import { openSender } from './attempt.ts';
import type { WebhookConfig } from './config.ts';
import { createGuard } from './guard.ts';
import { ROTATION_OVERLAP_HOURS } from './signature.ts';
import {
  changeSubscription,
  createSubscription,
  enableSubscription,
  endSubscription,
  faultText,
  gapText,
  type NewSubscription,
  rotateSecret,
  type SubscriptionDeps,
  stateOf,
  subscriptions,
} from './subscription.ts';
import { sendTest } from './test-event.ts';

interface CommandStores {
  config: Config & WebhookConfig;
  pool: pg.Pool;
}
type WithStores = (work: (stores: CommandStores) => Promise<void>) => Promise<void>;

function integer(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('must be a whole number');
  return value;
}

const list = (text: string) => text.split(',').map((part) => part.trim());
const numbers = (text: string) => list(text).map(integer);

export function addWebhookCommands(program: Command, withStores: WithStores, say: (line: string) => void): void {
  const depsOf = ({ config, pool }: CommandStores): SubscriptionDeps => ({
    pool,
    clock: systemClock,
    guard: createGuard({ allow: config.webhookAllow }),
    secretKeys: config.secretKeys,
  });
  const webhook = program.command('webhook').description('webhook subscriptions').exitOverride();

  /** A command on one subscription. */
  const on = (name: string, description: string) =>
    webhook.command(name).description(description).argument('<id>', 'of the subscription', integer);

  webhook
    .command('create')
    .description('create a subscription; prints its id and its secret, which is not shown again')
    .requiredOption('--account <email>', 'an account on a plan with webhooks')
    .requiredOption('--url <url>', 'https and public, or in WEBHOOK_ALLOW')
    .option('--event-types <types>', 'comma-separated, match.* is possible; default: all', list)
    .option('--sports <slugs>', 'comma-separated; default: all', list)
    .option('--leagues <ids>', 'tournament ids, comma-separated; default: all', numbers)
    .option('--match-ids <ids>', 'comma-separated; default: all', numbers)
    .option('--participant-ids <ids>', 'of either side of a match, comma-separated; default: all', numbers)
    .option('--description <text>', 'for yourself')
    .action((options: NewSubscription) =>
      withStores(async (stores) => {
        const { id, secret } = await createSubscription(depsOf(stores), options);
        say(`${id} ${secret}`);
      }),
    );

  webhook
    .command('list')
    .description('list id, state, lag, failures, faults, gaps, account and address')
    .option('--account <email>')
    .action(({ account }: { account?: string }) =>
      withStores(async ({ pool }) => {
        for (const one of await subscriptions(pool, {})) {
          if (account !== undefined && one.account.toLowerCase() !== account.toLowerCase()) continue;
          const managed = one.managedBy === null ? '' : ` (${one.managedBy.namespace}/${one.managedBy.name})`;
          const failure = one.failures === 0 ? '' : `, ${one.failures} failures in a row, last: ${one.lastFailure}`;
          const fault = one.fault === null ? '' : `, ${faultText(one)}`;
          const gap = one.gap === null ? '' : `, ${gapText(one.gap)}`;
          say(
            `${one.id} ${stateOf(one)}, ${one.lag} behind${failure}${fault}${gap} ${one.account} ${one.url}${managed}`,
          );
        }
      }),
    );

  on('pause', 'send nothing until it is enabled again').action((id: number) =>
    withStores((stores) => changeSubscription(depsOf(stores), id, { paused: true })),
  );

  on('enable', 'lift a pause or a disabling, and clear a gap')
    .option('--replay-from <cursor>', 'send what came after this cursor (again)', integer)
    .action((id: number, { replayFrom }: { replayFrom?: number }) =>
      withStores((stores) => enableSubscription(depsOf(stores), id, replayFrom)),
    );

  on('rotate', `create a new secret and print it; the old one signs too for ${ROTATION_OVERLAP_HOURS} hours`).action(
    (id: number) => withStores(async (stores) => say(await rotateSecret(depsOf(stores), id))),
  );

  on('test', 'send a signed test event now and print the outcome').action((id: number) =>
    withStores(async (stores) => {
      const deps = depsOf(stores);
      const sender = openSender({ guard: deps.guard });
      try {
        const { eventId, status, failure, durationMs } = await sendTest(deps, sender, id);
        if (failure !== null) throw new Error(`${eventId} was not delivered: ${failure}`);
        say(`${eventId} delivered: status ${status} after ${durationMs} ms`);
      } finally {
        sender.close();
      }
    }),
  );

  on('delete', 'delete it; its delivery log stays').action((id: number) =>
    withStores((stores) => endSubscription(depsOf(stores), id)),
  );
}
