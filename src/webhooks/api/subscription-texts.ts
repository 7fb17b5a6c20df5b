/** A subscription's state in words, for the owner and for operators. */
import { wireTime } from '../../wire/time.ts';
import { MAX_RETRIES } from '../delivery/retry-schedule.ts';
import type { Gap } from '../subscriptions/gap.ts';
import { DISABLED_AFTER_MS } from '../subscriptions/subscription-health.ts';
import type { Subscription } from '../subscriptions/subscription-queries.ts';

/** Sentences in one language. */
export interface SubscriptionTexts {
  /** Says a stored failure, such as `status 500`. */
  failure(text: string): string;
  /** Says a time. @param at in UTC, such as `2026-05-10T12:00:00Z` */
  time(at: string): string;
  gone: string;
  disabled(hours: number): string;
  lastFailure(failure: string): string;
  unconfirmed(since: string): string;
  challenges(count: number, failure: string): string;
  noMoreChallenges: string;
  fault(since: string): string;
  gap(gap: Gap): string;
}

const ENGLISH: SubscriptionTexts = {
  failure: (text) => text,
  time: (at) => at,
  gone: 'The endpoint answered 410, which means that it wants no more deliveries.',
  disabled: (hours) => `No delivery has succeeded for ${hours} hours.`,
  lastFailure: (failure) => `Last failure: ${failure}.`,
  unconfirmed: (since) =>
    `Nothing has been sent since ${since}, because the receiver has not answered a challenge yet.`,
  challenges: (count, failure) => `Challenges sent: ${count}; the last one failed (${failure}).`,
  noMoreChallenges: 'No further challenge is sent until you request one.',
  fault: (since) => `no event has been sent since ${since}, because the stored settings cannot be used`,
  gap: ({ at, from, to }) =>
    `events after cursor ${from} up to ${to} were no longer in the event log on ${at} and will not be sent`,
};

/** Describes why a subscription is disabled. Returns null if it is not. */
export function disabledText({ disabledReason, lastFailure }: Subscription, texts = ENGLISH): string | null {
  if (disabledReason === null) return null;
  if (disabledReason === 'gone') return texts.gone;
  const disabled = texts.disabled(DISABLED_AFTER_MS / 3_600_000);
  return lastFailure === null ? disabled : `${disabled} ${texts.lastFailure(texts.failure(lastFailure))}`;
}

/** Describes why no event is sent until the receiver has answered a challenge. Returns null if the URL needs no confirmation. */
export function unconfirmedText(
  { unconfirmedSince, challenges, challengeFailure }: Subscription,
  texts = ENGLISH,
): string | null {
  if (unconfirmedSince === null) return null;
  const since = texts.unconfirmed(texts.time(wireTime(unconfirmedSince.getTime())));
  if (challenges === 0) return since;
  const sent = texts.challenges(challenges, texts.failure(challengeFailure ?? ''));
  return [since, sent, ...(challenges > MAX_RETRIES ? [texts.noMoreChallenges] : [])].join(' ');
}

/**
 * Describes why no event is sent although the subscription is neither paused nor disabled. Returns null if events are
 * sent. The cause itself is not included.
 */
export const faultText = ({ fault, faultAt }: Subscription, texts = ENGLISH): string | null =>
  fault === null ? null : texts.fault(texts.time(wireTime(faultAt.getTime())));

export const gapText = ({ at, from, to }: Gap, texts = ENGLISH): string => texts.gap({ at: texts.time(at), from, to });
