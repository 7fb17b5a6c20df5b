/** What the routes of webhooks get. */
import type { Deps } from '../deps.ts';
import type { EventLog } from '../events/event-log.ts';
import { routeFor } from '../http/route.ts';
import type { Sender } from './attempt.ts';
import type { Guard } from './guard.ts';

export interface WebhookDeps extends Deps {
  /** By WEBHOOK_ALLOW, as that of the dispatchers. */
  guard: Guard;
  /** Of test events, which the process that is asked sends itself. */
  sender: Sender;
  /** Where replays begin, and the bodies of requests. */
  log: Pick<EventLog, 'range' | 'read' | 'cursorBefore'>;
}

export const route = routeFor<WebhookDeps>();

/** For `owned-subscriptions.ts`. */
export const storeDeps = ({ clock, guard, config }: Pick<WebhookDeps, 'clock' | 'guard' | 'config'>) => ({
  clock,
  guard,
  secretKeys: config.secretKeys,
});
