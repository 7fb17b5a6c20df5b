/**
 * A subscription that this dispatcher has leased. The object has its settings, its position in the log and its health,
 * and chooses the next work.
 */
import type { Plan } from '../../accounts/plans/index.ts';
import type { LogRecord, Ring } from '../../events/index.ts';
import { eventIdOf } from '../../wire/envelope.ts';
import { wireTime } from '../../wire/time.ts';
import type { ChallengeRow } from '../delivery/attempt-queries.ts';
import { Handshake } from '../delivery/handshake.ts';
import { retryWait } from '../delivery/retry-schedule.ts';
import { deriveDeliveryId, partsOfDelivery } from '../delivery/signature.ts';
import type { AttemptResult } from '../destinations/attempt.ts';
import type { Destination } from '../destinations/kinds.ts';
import { wants } from '../subscriptions/event-filter.ts';
import { type Gap, parseGap } from '../subscriptions/gap.ts';
import { PACE_LIMITS } from '../subscriptions/settings.ts';
import type { SigningKey } from '../subscriptions/signing-keys.ts';
import { readSettings, type SettingsContext, type StoredSettings } from '../subscriptions/stored-settings.ts';
import { afterAttempt, FAILING_AFTER, type Health, storedHealth } from '../subscriptions/subscription-health.ts';
import type { SubscriptionRow } from '../subscriptions/subscription-row.ts';
import { EventCursor, readOccurredAt } from './event-cursor.ts';
import { EventDelay } from './event-delay.ts';
import { type ClockReading, elapsedSince } from './lease-clock.ts';
import type { PendingRow } from './lease-queries.ts';
import { type HeldMatch, MatchOrder } from './match-order.ts';
import { OwnerNotices } from './owner-notices.ts';
import { isPingDue } from './quiet-ping.ts';
import { RateWindow, ReceiptWindow } from './rate-window.ts';
import { ReceiverRest } from './receiver-rest.ts';
import { RetryQueue } from './retry-queue.ts';
import type { ProgressRow } from './saved-positions.ts';
import type { FinishedWork, StartedWork, Work } from './work.ts';

/** An attempt starts only if the lease is valid for longer than this, because an attempt takes up to 8 s. */
export const MIN_LEASE_MS = 10_000;
/** Limit on a subscription's waiting retries. At the limit, no new event is sent. */
export const MAX_PENDING = 1_000;
/** Minimum time between the last attempt and a new event while a subscription is failing. */
const FAILING_PAUSE_MS = 60_000;

interface LeaseOptions extends SettingsContext {
  /** Clock reading from before the lease was requested. */
  leasedAt: ClockReading;
  leaseTtlMs: number;
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
  readonly #leaseTtlMs: number;
  readonly #events: EventCursor;
  readonly #delay = new EventDelay();
  /** The newest event that is due. Null without a delay. */
  #lastDue: number | null = null;
  #savedLastDue: number | null = null;
  readonly #retries = new RetryQueue();
  readonly #order: MatchOrder;
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
  #leasedAt: ClockReading;
  #inFlight = 0;
  /** The read of the log in progress. `isAgain` is true if it reads events that stayed behind the position. */
  #logRead: { after: number; isAgain: boolean } | null = null;
  /** True if there are unsaved outcomes. */
  #dirty = false;
  #savedPosition: number;
  /** When events last had to wait because of the receiver, in ms since 1970. */
  #heldAt = 0;
  /** Events that the log dropped before this subscription examined them. */
  #gap: Gap | null;
  /** A ping or challenge that could not be prepared is due again at this time, in ms since 1970. */
  #ownEventAfter = 0;
  #leaving = false;
  /** True if the row was changed and is now unreadable. The subscription is released as soon as no attempt is in flight. */
  #isRefused = false;
  #lost = false;

  /** @throws {UnreadableSubscription} */
  constructor(row: SubscriptionRow, { leasedAt, leaseTtlMs, held = [], ...context }: LeaseOptions) {
    this.id = row.id;
    this.generation = row.generation;
    this.#leasedAt = leasedAt;
    this.#leaseTtlMs = leaseTtlMs;
    const wants = (record: LogRecord) => this.#wants(record);
    this.#events = new EventCursor(row.position, wants, row.ahead, this.#delay.isDue);
    const isRetrying = (matchId: number) => this.#retries.hasMatch(matchId);
    this.#order = new MatchOrder({ ordering: row.ordering, events: this.#events, wants, isRetrying }, held);
    this.#rest = new ReceiverRest(row.rests_until, context.now);
    this.#savedPosition = row.position;
    this.#gap = parseGap(row.gap);
    this.#health = storedHealth(row);
    this.#notices = new OwnerNotices(row);
    if (this.isFailing()) this.#heldAt = context.now;
    this.#settings = readSettings(row, context);
    this.#delay.seconds = this.#settings.delay;
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
    this.#delay.seconds = settings.delay;
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

  get endpoint(): URL | Destination {
    return this.#settings.endpoint;
  }

  /** The name of the endpoint's host. */
  get host(): string {
    return this.#settings.host;
  }

  /** The owner's limit on attempts that are received within any second. Infinity if there is none. */
  get maxPerSecond(): number {
    return this.#settings.maxPerSecond;
  }

  /** The headers that the owner has added. */
  get headers(): Readonly<Record<string, string>> {
    return this.#settings.headers;
  }

  signingKeys(now: number): readonly SigningKey[] {
    return this.#settings.keys.at(now);
  }

  // ---- the lease

  renewed(at: ClockReading): void {
    this.#leasedAt = at;
  }

  /** Marks the lease as released or lost. Outcomes from then on are discarded. */
  lose(): void {
    this.#lost = true;
  }

  get isLost(): boolean {
    return this.#lost;
  }

  /** @param leaving whether to start no new work, so that the lease can be released */
  setLeaving(leaving: boolean): void {
    this.#leaving = leaving || this.#isRefused;
  }

  isReleasable(): boolean {
    return this.#leaving && !this.#lost && this.#inFlight === 0 && !this.#dirty;
  }

  isLeaseLongEnough(): boolean {
    return this.#leaseTtlMs - elapsedSince(this.#leasedAt) > MIN_LEASE_MS;
  }

  maySend(): boolean {
    return !this.#leaving && !this.#lost && this.isLeaseLongEnough();
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

  /**
   * Returns when the oldest unsent event occurred and when the oldest retried delivery began to wait, in ms since
   * 1970. A value is null if none is waiting. A delay does not count as waiting.
   */
  waitingSince(ring: Ring, now: number): { event: number | null; retry: number | null } {
    const oldest = this.#events.oldest(ring);
    const dueAt = oldest && this.dueAt(oldest.appendedAt);
    const occurredAt = oldest && readOccurredAt(oldest.envelope);
    const isWaiting = dueAt !== null && occurredAt !== null && (this.#delay.ms === 0 || dueAt <= now);
    return { event: isWaiting ? this.dueAt(occurredAt) : null, retry: this.#retries.oldest() };
  }

  /** Returns when an event of this time may be sent, in ms since 1970. */
  dueAt(time: number): number {
    return time + this.#delay.ms;
  }

  /** When the next event is due, in ms since 1970. Infinity if no event waits for its delay. */
  get waitsUntil(): number {
    return this.#delay.waitsUntil;
  }

  /** Number of cursors from the position to `head`, or to the newest event that is due. */
  lag(head: number): number {
    return Math.max(0, (this.#lastDue ?? head) - this.position());
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
    this.#delay.setTime(sharedNow);
    this.#lastDue = this.#delay.lastDue(ring);
    const isFull = this.#inFlight >= this.#window() || this.#rest.isResting(now);
    if (this.#handshake !== null || isFull || !this.#maySendEvent(now)) this.hold(now);
    if (this.#handshake !== null)
      return this.#inFlight === 0 && this.#handshake.isDue(now) && now >= this.#ownEventAfter
        ? { kind: 'challenge' }
        : null;
    if (isFull) return null;
    const retry = this.#retries.due(now, this.#mayRetry);
    if (retry !== null && !this.#wasRetry) return { kind: 'retry', ...retry };
    if (this.#maySendEvent(now)) {
      const record = this.#order.next(ring);
      if (record !== null) return { kind: 'event', record };
    }
    if (retry !== null) return { kind: 'retry', ...retry };
    const takesPings = this.endpoint instanceof URL;
    const isQuiet = takesPings && isPingDue(this.#health.last_sent_at, this.#inFlight, now);
    return isQuiet && now >= this.#ownEventAfter ? { kind: 'ping' } : null;
  }

  start(work: Work, now: number): StartedWork {
    const started = { work, wasFailing: this.isFailing(), previouslySentAt: this.#health.last_sent_at };
    this.#inFlight += 1;
    this.#wasRetry = work.kind === 'retry';
    if (work.kind === 'retry') this.#retries.start(work);
    const matchId = workMatchId(work);
    if (matchId !== null) this.#order.start(matchId);
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
    if (this.#lost) return null;
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
    if (work.kind === 'event') this.#events.finish(work.record);
    const matchId = workMatchId(work);
    if (matchId !== null) this.#order.finish(matchId, work.kind === 'event' ? work.record.cursor : null);
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
    if (this.#lost || handshake === null || endpointKey(this.endpoint) !== sentTo.href) return null;
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
    this.#order.finish(partsOfDelivery(work.id).matchId, null);
  }

  #end(work: Work): void {
    this.#inFlight -= 1;
    if (work.kind === 'retry') this.#retries.finish(work.id);
  }

  /** Number of attempts that may be in flight. */
  #window(): number {
    return this.isFailing() || this.#rest.isProbing() ? 1 : Math.min(PACE_LIMITS.inFlight, this.#settings.maxInFlight);
  }

  /** Returns whether a delivery may be retried now. If events are ordered, a match's deliveries are retried one after the other. */
  readonly #mayRetry = (id: string): boolean =>
    this.#order.maySend(partsOfDelivery(id).matchId) && (!this.#order.isOrdered || this.#retries.isFirstOfMatch(id));

  #maySendEvent(now: number): boolean {
    if (this.isFailing() && now - this.#health.last_sent_at < FAILING_PAUSE_MS) return false;
    return this.#retries.size + this.#inFlight < MAX_PENDING;
  }

  /**
   * Returns whether to send an event. If its delivery already waits for a retry, the retry sends it. The position may
   * lie before such a delivery.
   */
  #wants(record: LogRecord): boolean {
    if (!wants(this.#settings.filter, record) || !canSend(this.endpoint, record)) return false;
    return this.#retries.isEmpty() || !this.#retries.has(deriveDeliveryId(this.id, eventIdOf(record.envelope)));
  }

  // ---- reading the log, if the shared ring does not go back far enough

  /** Returns whether events could be sent now but have to be read from the log first. */
  wantsLog(ring: Ring, now: number): boolean {
    if (this.#logRead !== null || !this.#maySendEvent(now)) return false;
    return this.#order.readsFrom !== null || this.#events.isBehind(ring);
  }

  /**
   * Starts reading from the log, until `endLogRead`. Events that stayed behind the position come first.
   * @returns the cursor to read after
   */
  startLogRead(): number {
    const again = this.#order.readsFrom;
    this.#logRead = { after: again ?? this.#events.examined, isAgain: again !== null };
    return this.#logRead.after;
  }

  endLogRead(): void {
    this.#logRead = null;
  }

  /**
   * Examines events that were read from the log. If there are none, the subscription continues in the ring.
   * @param ringOrigin the cursor before the ring's first event
   */
  examine(records: readonly LogRecord[], ringOrigin = 0): void {
    if (this.#logRead?.isAgain) {
      this.#order.examine(records, this.#logRead.after);
      return;
    }
    this.#events.examine(records);
    if (records.length === 0) this.#events.advanceTo(ringOrigin);
  }

  /** Skips to `oldest` because the log has dropped the events before it. */
  skipTo(oldest: number, now: number): void {
    this.#gap = { at: wireTime(now), from: this.#logRead?.after ?? this.#events.examined, to: oldest };
    if (this.#logRead?.isAgain) this.#order.skipTo(oldest);
    else this.#events.advanceTo(oldest);
    this.#dirty = true;
  }

  // ---- progress, as it is saved

  position(): number {
    return this.#events.position();
  }

  /** @param all whether moving past unwanted events already counts as progress */
  hasProgress(all: boolean): boolean {
    return this.#dirty || this.#order.hasChanges() || (all && this.#hasMoved());
  }

  #hasMoved(): boolean {
    return this.position() !== this.#savedPosition || this.#lastDue !== this.#savedLastDue;
  }

  /** @returns the progress to save. Report the result by `progressSaved` or `progressNotSaved`. */
  progress(): ProgressRow {
    this.#dirty = false;
    return {
      id: this.id,
      generation: this.generation,
      position: this.position(),
      last_due: this.#lastDue,
      ahead: this.#events.ahead(),
      gap: this.#gap,
      held: this.#order.takeChanges(),
      notices: this.#notices.take(),
      rests_until: this.#rest.until,
      ...this.#health,
    };
  }

  progressSaved({ position, last_due }: ProgressRow): void {
    this.#savedPosition = position;
    this.#savedLastDue = last_due;
  }

  progressNotSaved({ held, notices }: ProgressRow): void {
    this.#order.restore(held);
    this.#notices.restore(notices);
    this.#dirty = true;
  }
}

/** Returns whether the destination has a form for this event. */
const canSend = (endpoint: URL | Destination, record: LogRecord) =>
  endpoint instanceof URL || (endpoint.kind.canSend?.(endpoint.settings, record) ?? true);

/** Returns a text that differs if events are sent elsewhere, or with other credentials. */
const endpointKey = (endpoint: URL | Destination) => (endpoint instanceof URL ? endpoint.href : endpoint.key);

/** Returns the match that the work is about. Null for pings and challenges. */
function workMatchId(work: Work): number | null {
  if (work.kind === 'event') return work.record.matchId;
  return work.kind === 'retry' ? partsOfDelivery(work.id).matchId : null;
}
