/** A subscription that this dispatcher has leased. The object has the settings, the events to send and the health, and chooses the next work. */
import type { Plan } from '../../accounts/plans/index.ts';
import type { Ring } from '../../events/index.ts';
import type { ChallengeRow } from '../delivery/attempt-queries.ts';
import { Handshake } from '../delivery/handshake.ts';
import { retryWait } from '../delivery/retry-schedule.ts';
import type { AttemptResult } from '../destinations/attempt.ts';
import type { Destination } from '../destinations/kinds.ts';
import { PACE_LIMITS } from '../subscriptions/settings.ts';
import { readSettings, type SettingsContext, type StoredSettings } from '../subscriptions/stored-settings.ts';
import { afterAttempt, FAILING_AFTER, type Health, storedHealth } from '../subscriptions/subscription-health.ts';
import type { SubscriptionRow } from '../subscriptions/subscription-row.ts';
import type { PendingRow } from './lease-queries.ts';
import type { LeaseTerm } from './lease-term.ts';
import type { HeldMatch } from './match-order.ts';
import { OwnerNotices } from './owner-notices.ts';
import { isPingDue } from './quiet-ping.ts';
import { RateWindow, ReceiptWindow } from './rate-window.ts';
import { ReceiverRest } from './receiver-rest.ts';
import { RetryQueue } from './retry-queue.ts';
import type { ProgressRow } from './saved-positions.ts';
import { UnsentEvents } from './unsent-events.ts';
import type { FinishedWork, StartedWork, Work } from './work.ts';

/** Limit on a subscription's waiting retries. At the limit, no new event is sent. */
export const MAX_PENDING = 1_000;
/** Minimum time between the last attempt and a new event while a subscription is failing. */
const FAILING_PAUSE_MS = 60_000;

interface LeaseOptions extends SettingsContext {
  lease: LeaseTerm;
  /** The stored held matches. */
  held?: readonly HeldMatch[];
}

export class LeasedSubscription {
  readonly id: number;
  readonly generation: number;
  /** Attempts that started within the last second. */
  readonly starts = new RateWindow();
  /** Attempts that the receiver may have got within the last second. */
  readonly receipts = new ReceiptWindow();
  readonly lease: LeaseTerm;
  readonly events: UnsentEvents;
  readonly #retries = new RetryQueue();
  readonly #rest: ReceiverRest;
  /** True if the latest attempt was a retry. The next one is for a new event, so that many retries do not delay live events. */
  #wasRetry = false;
  #version: number;
  /** The plan that the settings were read with. */
  #plan: Plan;
  #settings: StoredSettings;
  /**
   * The handshake. Until the URL is confirmed, only challenges are sent. Null if the URL is confirmed or needs no
   * confirmation.
   */
  #handshake: Handshake | null;
  #health: Health;
  readonly #notices: OwnerNotices;
  #inFlight = 0;
  /** True if there are unsaved outcomes. */
  #dirty = false;
  /** When events last had to wait because of the receiver, in ms since 1970. */
  #heldAt = 0;
  /** A ping or challenge that could not be prepared is due again at this time, in ms since 1970. */
  #ownEventAfter = 0;
  #leaving = false;
  /** True if the row was changed and is now unreadable. The subscription is released as soon as no attempt is in flight. */
  #isRefused = false;

  /** @throws {UnreadableSubscription} */
  constructor(row: SubscriptionRow, { lease, held = [], ...context }: LeaseOptions) {
    this.id = row.id;
    this.generation = row.generation;
    this.lease = lease;
    this.events = new UnsentEvents(row, { held, retries: this.#retries, settings: () => this.#settings });
    this.#rest = new ReceiverRest(row.rests_until, context.now);
    this.#health = storedHealth(row);
    this.#notices = new OwnerNotices(row);
    if (this.isFailing()) this.#heldAt = context.now;
    this.#settings = readSettings(row, context);
    this.events.setDelay(this.#settings.delay);
    this.#handshake = row.unconfirmed_since === null ? null : new Handshake(row, context.now);
    this.#version = row.version;
    this.#plan = context.plans.named(row.plan);
  }

  // ---- configuration

  /** Applies a changed row. @throws {UnreadableSubscription} */
  configure(row: SubscriptionRow, context: SettingsContext): void {
    const settings = readSettings(row, context);
    const isNewUrl = endpointKey(this.#settings.endpoint) !== endpointKey(settings.endpoint);
    if (row.unconfirmed_since === null) this.#handshake = null;
    // The latest challenge to the same URL may be unsaved.
    else if (isNewUrl) this.#handshake = new Handshake(row, context.now);
    // Failures of the old address do not apply to a new one.
    if (isNewUrl) {
      this.#rest.end();
      this.#health = { ...this.#health, failures: 0, failing_since: null };
      this.#dirty = true;
    }
    this.#version = row.version;
    this.#plan = context.plans.named(row.plan);
    this.#settings = settings;
    this.events.setDelay(settings.delay);
    this.#isRefused = false;
  }

  /** Refuses a changed row that cannot be applied. From then on, the old settings are not used either. */
  refuse(version: number, plan: Plan): void {
    this.#version = version;
    this.#plan = plan;
    this.#isRefused = true;
    this.#leaving = true;
  }

  /**
   * Drops the handshake because the account's plan does not need one. @returns whether the URL was waiting for a
   * handshake
   */
  waiveHandshake(): boolean {
    const waited = this.#handshake !== null;
    this.#handshake = null;
    return waited;
  }

  isConfiguredAs(version: number, plan: Plan): boolean {
    return version === this.#version && plan === this.#plan;
  }

  get settings(): StoredSettings {
    return this.#settings;
  }

  // ---- whether work may start

  /** @param leaving whether to start no new work, so that the lease can be released */
  setLeaving(leaving: boolean): void {
    this.#leaving = leaving || this.#isRefused;
  }

  isReleasable(): boolean {
    return this.#leaving && !this.lease.isLost && this.#inFlight === 0 && !this.#dirty;
  }

  maySend(): boolean {
    return !this.#leaving && !this.lease.isLost && this.lease.isLongEnough();
  }

  // ---- health and counts

  isFailing(): boolean {
    return this.#health.failures >= FAILING_AFTER;
  }

  isUnconfirmed(): boolean {
    return this.#handshake !== null;
  }

  isDisabled(): boolean {
    return this.#health.disabled_reason !== null;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Number of deliveries that wait for a retry. */
  get pending(): number {
    return this.#retries.size;
  }

  /** When the delivery that has waited longest for a retry began to wait, in ms since 1970. Null if there is no such delivery. */
  get retryingSince(): number | null {
    return this.#retries.oldest();
  }

  /** Records that events wait because of the receiver. */
  hold(now: number): void {
    this.#heldAt = now;
  }

  /** Returns whether events have had to wait because of the receiver since `time` (ms since 1970). */
  wasHeldSince(time: number): boolean {
    return this.#heldAt >= time;
  }

  // ---- work

  /** Loads the stored deliveries that wait for a retry. */
  loadPending(rows: readonly PendingRow[]): void {
    for (const { id, attempts, next_attempt_at, since } of rows)
      this.#retries.load({ id, attempts, since }, next_attempt_at);
  }

  /**
   * @param sharedNow current time as other machines see it, by which events are delayed
   * @returns the work to send now, which the caller passes to `start`
   */
  next(ring: Ring, now: number, sharedNow = now): Work | null {
    this.events.setTime(ring, sharedNow);
    const isFull = this.#inFlight >= this.#window() || this.#rest.isResting(now);
    if (this.#handshake !== null || isFull || !this.#maySendEvent(now)) this.hold(now);
    if (this.#handshake !== null)
      return this.#inFlight === 0 && this.#handshake.isDue(now) && now >= this.#ownEventAfter
        ? { kind: 'challenge' }
        : null;
    if (isFull) return null;
    const retry = this.#retries.due(now, this.events.mayRetry);
    if (retry !== null && !this.#wasRetry) return { kind: 'retry', ...retry };
    if (this.#maySendEvent(now)) {
      const record = this.events.next(ring);
      if (record !== null) return { kind: 'event', record };
    }
    if (retry !== null) return { kind: 'retry', ...retry };
    const takesPings = this.#settings.endpoint instanceof URL;
    const isQuiet = takesPings && isPingDue(this.#health.last_sent_at, this.#inFlight, now);
    return isQuiet && now >= this.#ownEventAfter ? { kind: 'ping' } : null;
  }

  start(work: Work, now: number): StartedWork {
    const started = { work, wasFailing: this.isFailing(), previouslySentAt: this.#health.last_sent_at };
    this.#inFlight += 1;
    this.#wasRetry = work.kind === 'retry';
    if (work.kind === 'retry') this.#retries.start(work);
    this.events.start(work);
    this.#health.last_sent_at = now;
    return started;
  }

  /**
   * @param attempt the attempt number, from 1
   * @returns null if the lease has been lost meanwhile. Then the outcome is discarded, and the new lease holder sends
   * the delivery again.
   */
  finish(
    { work }: StartedWork,
    deliveryId: string,
    attempt: number,
    outcome: AttemptResult,
    now: number,
  ): FinishedWork | null {
    this.#end(work);
    if (this.lease.isLost) return null;
    const restsUntil = this.#rest.afterReply(outcome, now);
    this.#health = afterAttempt(this.#health, { ...outcome, isRefused: restsUntil !== null }, now);
    this.#notices.afterAttempt(this, this.#health, outcome, now);
    this.#dirty = true;
    if (this.isDisabled()) this.#leaving = true;
    const failed = outcome.failure !== null;
    const isRetried = failed && work.kind !== 'ping' && this.#health.disabled_reason !== 'gone';
    // A receiver that asks to wait has not tried the event, so that the attempt does not count.
    const attempts = restsUntil === null ? attempt : attempt - 1;
    const wait = isRetried && restsUntil === null ? retryWait(attempt, outcome.retryAfter, now) : null;
    const nextAttemptAt = isRetried && restsUntil !== null ? restsUntil : wait === null ? null : now + wait;
    const since = work.kind === 'retry' ? work.since : now;
    if (nextAttemptAt !== null) this.#retries.add({ id: deliveryId, attempts, since }, nextAttemptAt);
    this.events.finish(work);
    return {
      state: !failed ? 'delivered' : nextAttemptAt === null ? 'failed' : 'pending',
      attempts,
      nextAttemptAt,
      isStored: work.kind === 'retry' || (work.kind === 'event' && failed),
    };
  }

  /**
   * Records a challenge's outcome, which does not affect health.
   * @param sentTo the endpoint that the challenge was sent to
   * @returns null if the outcome is discarded because the lease has been lost meanwhile, or the URL has been changed
   * or confirmed
   */
  finishChallenge({ work }: StartedWork, sentTo: URL, outcome: AttemptResult, now: number): ChallengeRow | null {
    this.#end(work);
    const handshake = this.#handshake;
    if (this.lease.isLost || handshake === null || endpointKey(this.#settings.endpoint) !== sentTo.href) return null;
    this.#dirty = true;
    if (outcome.failure === null) this.#handshake = null;
    const challenges = handshake.sent(outcome.retryAfter, now);
    return { subscription_id: this.id, url: sentTo.href, challenges, at: now, failure: outcome.failure };
  }

  /** Cancels work that was not sent. @param retryAt when a retry, ping or challenge is due again, or null if it is not needed */
  cancel({ work, previouslySentAt }: StartedWork, retryAt: number | null): void {
    this.#health.last_sent_at = previouslySentAt;
    this.#end(work);
    if (work.kind === 'ping' || work.kind === 'challenge') this.#ownEventAfter = retryAt ?? 0;
    if (work.kind !== 'retry') return;
    if (retryAt !== null) this.#retries.add(work, retryAt);
    this.events.finish(work);
  }

  #end(work: Work): void {
    this.#inFlight -= 1;
    if (work.kind === 'retry') this.#retries.finish(work.id);
  }

  /** Number of attempts that may be in flight. */
  #window(): number {
    return this.isFailing() || this.#rest.isProbing() ? 1 : Math.min(PACE_LIMITS.inFlight, this.#settings.maxInFlight);
  }

  #maySendEvent(now: number): boolean {
    if (this.isFailing() && now - this.#health.last_sent_at < FAILING_PAUSE_MS) return false;
    return this.#retries.size + this.#inFlight < MAX_PENDING;
  }

  /** Returns whether events could be sent now but have to be read from the log first. */
  wantsLog(ring: Ring, now: number): boolean {
    return this.#maySendEvent(now) && this.events.needsRead(ring);
  }

  /** Skips to `oldest` because the log has dropped the events before it. */
  skipTo(oldest: number, now: number): void {
    this.events.skipTo(oldest, now);
    this.#dirty = true;
  }

  // ---- progress, as it is saved

  /** @param all whether moving past unwanted events already counts as progress */
  hasProgress(all: boolean): boolean {
    return this.#dirty || this.events.hasProgress(all);
  }

  /** @returns the progress to save. Report the result by `events.progressSaved` or `progressNotSaved`. */
  progress(): ProgressRow {
    this.#dirty = false;
    return {
      id: this.id,
      generation: this.generation,
      ...this.events.takeProgress(),
      notices: this.#notices.take(),
      rests_until: this.#rest.until,
      ...this.#health,
    };
  }

  progressNotSaved(row: ProgressRow): void {
    this.events.progressNotSaved(row);
    this.#notices.restore(row.notices);
    this.#dirty = true;
  }
}

/** Returns a text that differs if events are sent elsewhere, or with other credentials. */
const endpointKey = (endpoint: URL | Destination) => (endpoint instanceof URL ? endpoint.href : endpoint.key);
