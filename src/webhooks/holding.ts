/** One subscription in the hands of a dispatcher: what it wants, how far it has got, and what is to be sent next. */
import type { LogRecord } from '../events/event-log.ts';
import { type EventFilter, passes } from '../events/filter.ts';
import type { Ring } from '../events/ring.ts';
import { wireTime } from '../wire/time.ts';
import { eventIdOf } from './envelope.ts';
import { FAILING_AFTER, type Health } from './health.ts';
import type { HeldRow, Pending, Progress } from './lease-queries.ts';
import type { Gap } from './queries.ts';
import { openSecret } from './secret.ts';
import { deliveryIdOf, OVERLAP_MS, type SigningKey, signingKey } from './signature.ts';
import { filterOf } from './subscription.ts';

/** Attempts of one subscription under way at a time. */
export const WINDOW = 32;
/** Deliveries that wait for another attempt; with more no new event is begun. */
export const MAX_PENDING = 1_000;
/** While a subscription is failing, a new event is tried this long after the last attempt. */
export const PROBE_MS = 60_000;
/** After so long without anything sent there is a ping (spec: 15 minutes). */
export const PING_AFTER_MS = 15 * 60_000;

export type Work =
  | { kind: 'event'; record: LogRecord }
  | { kind: 'retry'; id: string; attempts: number }
  | { kind: 'ping' };

/** When a lease was last renewed, by two clocks: one of them stands still while a machine sleeps, the other may be turned. */
export interface Moment {
  monotonic: number;
  wall: number;
}
export const moment = (): Moment => ({ monotonic: performance.now(), wall: Date.now() });
export const since = (then: Moment): number => Math.max(performance.now() - then.monotonic, Date.now() - then.wall);

export class Holding {
  readonly id: number;
  readonly generation: number;
  version!: number;
  plan!: string;
  url!: URL;
  filter!: EventFilter;
  health: Health;
  leasedAt: Moment;
  /** Every event up to here has been looked at. */
  examined: number;
  /** Ring index of the next event to look at; null: it is behind the ring, and reads the log. */
  index: number | null = null;
  /** Read from the log, wanted, and not begun. */
  readonly queue: LogRecord[] = [];
  /** Cursors queued or under way, ascending. */
  readonly open = new Set<number>();
  /** Deliveries that wait for another attempt: attempts made, and when the next is due. */
  readonly pending = new Map<string, { attempts: number; dueAt: number }>();
  /** Deliveries whose repeat is under way. */
  readonly busy = new Set<string>();
  inFlight = 0;
  reading = false;
  /** Something has come of it that is not saved. */
  dirty = false;
  savedPosition: number;
  /** Events that were gone before it had looked at them. */
  gap: Gap | null;
  /** Nothing new is begun; let go when nothing is under way. */
  leaving = false;
  /** Another dispatcher has it. */
  lost = false;
  #keys: SigningKey[] = [];
  #previousUntil = 0;
  /** No pending delivery is due before this time. */
  #soonest = Number.POSITIVE_INFINITY;

  constructor(row: HeldRow, leasedAt: Moment, secretKeys: readonly string[]) {
    this.id = row.id;
    this.generation = row.generation;
    this.leasedAt = leasedAt;
    this.examined = row.position;
    this.savedPosition = row.position;
    this.gap = row.gap;
    const { lastSentAt, lastSuccessAt, lastFailureAt, lastFailure, failingSince, failures } = row;
    this.health = { lastSentAt, lastSuccessAt, lastFailureAt, lastFailure, failingSince, failures, disabled: null };
    this.read(row, secretKeys);
  }

  /** @throws when its secret cannot be opened */
  read(row: HeldRow, secretKeys: readonly string[]): void {
    const url = new URL(row.url);
    // Another address has a health of its own.
    if (this.url !== undefined && this.url.href !== url.href) {
      this.health = { ...this.health, failures: 0, failingSince: null };
      this.dirty = true;
    }
    this.version = row.version;
    this.plan = row.plan;
    this.url = url;
    this.filter = filterOf(row);
    const sealed = [row.secret, ...(row.previousSecret === null ? [] : [row.previousSecret])];
    this.#keys = sealed.map((text) => signingKey(openSecret(text, secretKeys)));
    this.#previousUntil = (row.rotatedAt ?? 0) + OVERLAP_MS;
  }

  /** Deliveries that wait, as they are stored; what is known here already stays as it is. */
  awaits(stored: readonly Pending[]): void {
    for (const { id, attempts, nextAttemptAt } of stored) {
      if (!this.busy.has(id)) this.wait(id, attempts, nextAttemptAt);
    }
  }

  /** What signs at this time: for 24 hours after a rotation the old secret too. */
  keys(now: number): readonly SigningKey[] {
    return now < this.#previousUntil ? this.#keys : this.#keys.slice(0, 1);
  }

  failing(): boolean {
    return this.health.failures >= FAILING_AFTER;
  }

  position(): number {
    const [first] = this.open;
    return first === undefined ? this.examined : first - 1;
  }

  progress(): Progress {
    return { id: this.id, generation: this.generation, position: this.position(), gap: this.gap, ...this.health };
  }

  /** Not what waits for a repeat already: a position may lie before failed deliveries that are saved. */
  #wants(record: LogRecord): boolean {
    if (!passes(this.filter, record)) return false;
    if (this.pending.size + this.busy.size === 0) return true;
    const id = deliveryIdOf(this.id, eventIdOf(record.envelope));
    return !this.pending.has(id) && !this.busy.has(id);
  }

  /** Looks at events that were read from the log. */
  examine(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.cursor <= this.examined) continue;
      this.examined = record.cursor;
      if (!this.#wants(record)) continue;
      this.open.add(record.cursor);
      this.queue.push(record);
    }
  }

  /** The log no longer has what comes before. */
  skipTo(oldest: number, now: number): void {
    this.gap = { at: wireTime(now), from: this.examined, to: oldest };
    this.examined = oldest;
    this.dirty = true;
  }

  /** Whether events have to be read from the log before it can go on. */
  behind(ring: Ring): boolean {
    if (this.queue.length > 0) return false;
    if (this.index !== null && this.index >= ring.start()) return false;
    this.index = ring.indexAfter(this.examined);
    return this.index === null;
  }

  #nextEvent(ring: Ring): LogRecord | null {
    const queued = this.queue.shift();
    if (queued !== undefined) return queued;
    if (this.behind(ring)) return null;
    for (const end = ring.end(); this.index! < end; ) {
      const entry = ring.at(this.index!);
      this.index! += 1;
      // What it read from the log may come into the ring after it.
      if (entry.cursor <= this.examined) continue;
      this.examined = entry.cursor;
      if (!this.#wants(entry)) continue;
      this.open.add(entry.cursor);
      return entry;
    }
    return null;
  }

  /** @param dueAt when the delivery is tried again */
  wait(id: string, attempts: number, dueAt: number): void {
    this.pending.set(id, { attempts, dueAt });
    this.#soonest = Math.min(this.#soonest, dueAt);
  }

  #dueRetry(now: number): Work | null {
    if (now < this.#soonest) return null;
    this.#soonest = Number.POSITIVE_INFINITY;
    for (const [id, { attempts, dueAt }] of this.pending) {
      this.#soonest = Math.min(this.#soonest, dueAt);
      if (dueAt <= now) return { kind: 'retry', id, attempts };
    }
    return null;
  }

  #mayBegin(now: number): boolean {
    if (this.failing() && now - this.health.lastSentAt < PROBE_MS) return false;
    return this.pending.size + this.inFlight < MAX_PENDING;
  }

  /** Whether it could send what it has to read from the log first. */
  wantsLog(ring: Ring, now: number): boolean {
    return this.#mayBegin(now) && this.behind(ring);
  }

  /** What to send now; whoever asks sends it. */
  next(ring: Ring, now: number): Work | null {
    if (this.inFlight >= (this.failing() ? 1 : WINDOW)) return null;
    const retry = this.#dueRetry(now);
    if (retry !== null) return retry;
    if (this.#mayBegin(now)) {
      const record = this.#nextEvent(ring);
      if (record !== null) return { kind: 'event', record };
    }
    const quiet = now - this.health.lastSentAt;
    return quiet >= PING_AFTER_MS && this.inFlight === 0 ? { kind: 'ping' } : null;
  }
}
