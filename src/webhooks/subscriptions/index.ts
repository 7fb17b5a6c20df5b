/** Public exports: subscriptions, for operator, portal and guides. */
export { createGuard } from './address-guard.ts';
export { MAX_IDS } from './event-filter.ts';
export { webhookPolicy } from './operator-limits.ts';
export type { ReplayFrom } from './replay-start.ts';
export { ROTATION_OVERLAP_HOURS } from './secret.ts';
export { ORDERINGS, type Ordering, PACE_LIMITS, type Wanted } from './settings.ts';
export {
  changeSubscription,
  createSubscription,
  enableSubscription,
  endSubscription,
  rotateSecret,
  SHARED,
  type SubscriptionDeps,
  subscriptionState,
  subscriptions,
} from './subscription.ts';
export { DISABLED_AFTER_MS } from './subscription-health.ts';
export {
  adoptSubscription,
  encryptedSecret,
  type ManagedBy,
  type Subscription,
  type SubscriptionState,
} from './subscription-queries.ts';
