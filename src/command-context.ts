/** Everything that a command needs to run: the stores, the notices about changed matches and, if no service is running, the relay. */
import type { Logger } from 'pino';
import { planVariables } from './accounts/config.ts';
import { OfferedPlans } from './accounts/plans/index.ts';
import type { ApplyDeps } from './apply/index.ts';
import { type Config, readConfig, type Secret } from './config/config.ts';
import type { ConfigOf, Variables } from './config/variable.ts';
import type { MatchChanges } from './db/notices.ts';
import { type OpenOptions, openStores, type Stores } from './db/stores.ts';
import type { precedenceVariables } from './identity/config.ts';
import type { RelayDeps } from './relay/relay.ts';
import { type Clock, systemClock } from './runtime/clock.ts';
import { openLogger } from './runtime/logger.ts';

interface CommandContext<V extends Variables> extends Stores<Config & ConfigOf<V>> {
  logger: Logger;
  plans: OfferedPlans;
}

export interface ChangeContext<V extends Variables = Record<never, never>> extends CommandContext<V> {
  changes: MatchChanges;
  clock: Clock;
}

/**
 * Runs a command on the stores, whether or not the service is running.
 * @param variables variables that the command reads besides the common ones
 * @param options by default, an external database is not migrated
 */
export async function withStores<const V extends Variables>(
  variables: V,
  work: (context: CommandContext<V>) => Promise<void>,
  secrets: readonly Secret[] = ['secretKeys'],
  options: OpenOptions = { migrate: false },
): Promise<void> {
  const config = readConfig(process.env, { ...variables, ...planVariables }, secrets);
  const logger = openLogger(config.logLevel);
  const plans = new OfferedPlans(config.plans, logger);
  const stores = await openStores(config, logger, options);
  try {
    await plans.refresh(stores.pool);
    await work({ ...stores, logger, plans });
  } finally {
    await stores.close();
  }
}

/** Like `withStores`, for a command that changes matches. */
export const withChanges = <const V extends Variables>(
  variables: V,
  work: (context: ChangeContext<V>) => Promise<void>,
  secrets?: readonly Secret[],
) =>
  withStores(
    variables,
    async (context) => {
      const { openMatchChanges } = await import('./db/notices.ts');
      const { postgresAddress } = await import('./db/postgres-address.ts');
      const changes = await openMatchChanges(postgresAddress(context.config), context.logger);
      try {
        await work({ ...context, changes, clock: systemClock });
      } finally {
        await changes.close();
      }
    },
    secrets,
  );

/** Like `withChanges`, for a command that applies updates. */
export async function withUpdates(
  work: (context: ChangeContext<typeof precedenceVariables> & ApplyDeps) => Promise<void>,
): Promise<void> {
  const [{ precedenceVariables }, { EntityCache }] = [
    await import('./identity/config.ts'),
    await import('./identity/entities.ts'),
  ];
  await withChanges(precedenceVariables, (context) => work({ ...context, entities: new EntityCache() }));
}

/**
 * Waits until every change has a change cursor. The relay assigns them. If no service is running, the command acts as the relay.
 * @param work makes changes. It begins at once, and is completed even if the event log cannot be reached.
 */
export async function settleChanges<V extends Variables>(
  context: ChangeContext<V>,
  work: () => Promise<void> = async () => {},
): Promise<void> {
  const working = work();
  // It may fail before it is awaited below, which must not end the process.
  working.catch(() => {});
  try {
    await relayChanges(context, working);
  } finally {
    await working;
  }
}

async function relayChanges<V extends Variables>(
  { config, pool, logger, changes, clock }: ChangeContext<V>,
  working: Promise<void>,
): Promise<void> {
  const [{ openEventLog }, { relayPending }] = [
    await import('./events/open-event-log.ts'),
    await import('./relay/relay.ts'),
  ];
  const log = await openEventLog(config, pool, logger, changes);
  try {
    const onChange: RelayDeps['onChange'] = (listener) => changes.subscribe(listener);
    await relayPending({ pool, log, clock, logger, onChange }, working);
  } finally {
    await log.close();
  }
}
