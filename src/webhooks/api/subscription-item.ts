import type { z } from 'zod';
import type { OfferedPlans } from '../../accounts/plans/index.ts';
import { wireTime } from '../../wire/time.ts';
import { subscriptionState } from '../subscriptions/subscription.ts';
import type { Subscription } from '../subscriptions/subscription-queries.ts';
import type * as schema from './schema.ts';
import { disabledText } from './subscription-texts.ts';

const time = (at: Date | null) => (at === null ? null : wireTime(at.getTime()));

export type SubscriptionItem = z.output<typeof schema.subscription>;

/** Returns a subscription as replies show it, without its secret. */
export function subscriptionItem(one: Subscription, plans: OfferedPlans): SubscriptionItem {
  const { id, url, description, metadata, sports, leagues, paused, position, lag, gap, pending, failures } = one;
  return {
    id,
    url,
    destination: one.destination,
    description,
    metadata,
    event_types: one.eventTypes,
    sports,
    leagues,
    match_ids: one.matchIds,
    participant_ids: one.participantIds,
    conditions: one.conditions,
    headers: one.headers,
    ordering: one.ordering,
    max_per_second: one.maxPerSecond,
    max_in_flight: one.maxInFlight,
    delay: one.delay,
    paused,
    state: subscriptionState(one, plans) as SubscriptionItem['state'],
    disabled:
      one.disabledAt === null
        ? null
        : {
            at: wireTime(one.disabledAt.getTime()),
            code: one.disabledReason!,
            reason: disabledText(one)!,
            cursor: position,
          },
    unconfirmed:
      one.unconfirmedSince === null
        ? null
        : {
            since: wireTime(one.unconfirmedSince.getTime()),
            challenges: one.challenges,
            challenged_at: time(one.challengedAt),
            failure: one.challengeFailure,
          },
    fault: one.fault === null ? null : { at: wireTime(one.faultAt.getTime()), reason: one.fault },
    cursor: position,
    lag,
    gap,
    pending,
    held_matches: one.held,
    rests_until: time(one.restsUntil),
    failures,
    last_failure: one.lastFailure,
    last_failure_at: time(one.lastFailureAt),
    last_success_at: time(one.lastSuccessAt),
    secret_rotated_at: time(one.rotatedAt),
    managed: one.managedBy === null ? null : { namespace: one.managedBy.namespace, name: one.managedBy.name },
    created_at: wireTime(one.createdAt.getTime()),
  };
}
