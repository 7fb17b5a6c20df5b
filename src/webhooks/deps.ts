/** What the webhook routes need. */
import type { OfferedPlans } from '../accounts/plans/index.ts';
import type { Deps } from '../deps.ts';
import type { EventLog } from '../events/index.ts';
import { type Buckets, routeFor } from '../http/index.ts';
import type { Sender } from './delivery/attempt.ts';
import type { Guard } from './subscriptions/address-guard.ts';
import type { WebhookPolicy } from './subscriptions/operator-limits.ts';

export interface WebhookDeps extends Deps {
  /** Built from WEBHOOK_ALLOW, like the dispatchers' guard. */
  guard: Guard;
  /** Built from the WEBHOOK_… variables. */
  policy: WebhookPolicy;
  plans: OfferedPlans;
  /** Sends test events and challenges from the process that gets the request. */
  sender: Sender;
  /** Token buckets for test events and challenges, by host. */
  hostBuckets: Buckets;
  /** Source for replay positions and request bodies. */
  log: Pick<EventLog, 'range' | 'read' | 'cursorBefore'>;
}

export const route = routeFor<WebhookDeps>();

/** Adds the keys that decrypt stored secrets, as the subscription functions take them. */
export const withSecretKeys = (deps: WebhookDeps) => ({ ...deps, secretKeys: deps.config.secretKeys });
