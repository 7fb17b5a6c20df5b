/** Public exports: subscriptions, for operator, portal and guides. */
export { MAX_CONDITION_CHARACTERS, MAX_CONDITIONS, MAX_DELAY } from '../../events/index.ts';
export { type CustomHeader, HEADER_LIMITS, HIDDEN_VALUE, parseHeader, readHeaders } from './custom-headers.ts';
export { MAX_IDS } from './event-filter.ts';
export { eventSearch, type PreviewedEvent, previewFilter } from './filter-preview.ts';
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
  subscriptionDeps,
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
