/** A subscription's state in words, for the owner and for operators. */
import { wireTime } from '../../wire/time.ts';
import { MAX_RETRIES } from '../delivery/retry-schedule.ts';
import type { Gap } from '../subscriptions/gap.ts';
import { DISABLED_AFTER_MS } from '../subscriptions/subscription-health.ts';
import type { Subscription } from '../subscriptions/subscription-queries.ts';

/** Describes why a subscription is disabled. Returns null if it is not. */
export function disabledText({ disabledReason, lastFailure }: Subscription): string | null {
  if (disabledReason === null) return null;
  if (disabledReason === 'gone') return 'The endpoint answered 410, which means that it wants no more deliveries.';
  const last = lastFailure === null ? '' : ` Last failure: ${lastFailure}.`;
  return `No delivery has succeeded for ${DISABLED_AFTER_MS / 3_600_000} hours.${last}`;
}

/** Describes why no event is sent until the receiver has answered a challenge. Returns null if the URL needs no confirmation. */
export function unconfirmedText({ unconfirmedSince, challenges, challengeFailure }: Subscription): string | null {
  if (unconfirmedSince === null) return null;
  const since = `Nothing has been sent since ${wireTime(unconfirmedSince.getTime())}, because the receiver has not answered a challenge`;
  if (challenges === 0) return `${since} yet.`;
  const rest = challenges > MAX_RETRIES ? ' No further challenge is sent until you request one.' : '';
  return `${since}. Challenges sent: ${challenges}; the last one failed (${challengeFailure}).${rest}`;
}

/**
 * Describes why no event is sent although the subscription is neither paused nor disabled. Returns null if events are
 * sent.
 */
export const faultText = ({ fault, faultAt }: Subscription): string | null =>
  fault === null
    ? null
    : `no event has been sent since ${wireTime(faultAt.getTime())}, because the stored settings cannot be used: ${fault}`;

export const gapText = ({ at, from, to }: Gap): string =>
  `events after cursor ${from} up to ${to} were no longer in the event log on ${at} and will not be sent`;
