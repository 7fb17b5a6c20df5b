/** Dependencies of the webhook commands. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { OPERATOR } from '../../accounts/index.ts';
import type { OfferedPlans } from '../../accounts/plans/index.ts';
import type { Config } from '../../config/config.ts';
import type { MatchChanges } from '../../db/notices.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { WebhookConfig } from '../config.ts';
import { subscriptionDeps, subscriptions, unknownSubscription } from '../subscriptions/subscription.ts';
import type { OwnedDeps } from './account-subscriptions.ts';

export interface CommandStores {
  config: Config & WebhookConfig;
  plans: OfferedPlans;
  pool: pg.Pool;
  clock: Clock;
  logger: Logger;
  changes: MatchChanges;
}
export type WithStores = (work: (stores: CommandStores) => Promise<void>) => Promise<void>;

/** Lets the service's operator act for the account that owns the subscription. @throws {Problem} not_found */
export async function operatorOn(stores: CommandStores, id: number): Promise<OwnedDeps> {
  const [one] = await subscriptions(stores.pool, { id });
  if (one === undefined) throw unknownSubscription(id);
  return { ...subscriptionDeps(stores), owner: { accountId: one.accountId, actor: OPERATOR, readsAudit: true } };
}
