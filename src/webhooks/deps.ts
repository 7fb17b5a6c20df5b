/** Dependencies of the webhook routes. */
import type { OfferedPlans } from '../accounts/plans/index.ts';
import type { Deps } from '../deps.ts';
import type { EventLog } from '../events/index.ts';
import { type Buckets, routeFor } from '../http/index.ts';
import type { Guard } from '../outbound/index.ts';
import type { Sender } from './destinations/attempt.ts';
import type { Destinations } from './destinations/connections.ts';
import type { WebhookPolicy } from './subscriptions/operator-limits.ts';

export interface WebhookDeps extends Deps {
  /** Checks addresses by the same rules as the dispatchers' guard, from WEBHOOK_ALLOW. */
  guard: Guard;
  /** Built from the WEBHOOK_… variables. */
  policy: WebhookPolicy;
  plans: OfferedPlans;
  /** Sends test events and challenges from the process that receives the request. */
  sender: Sender;
  destinations: Destinations;
  /** Token buckets for test events and challenges, by host. */
  hostBuckets: Buckets;
  /** The part of the event log that gives replay positions and request bodies. */
  log: Pick<EventLog, 'range' | 'read' | 'cursorBefore'>;
}

export const route = routeFor<WebhookDeps>();

/** Adds `secretKeys`, which decrypt stored secrets, to the dependencies. */
export const withSecretKeys = (deps: WebhookDeps) => ({ ...deps, secretKeys: deps.config.secretKeys });
