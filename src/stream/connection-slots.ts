/**
 * Connection slots per account, counted across all processes. Each open stream has a slot, stored as a row. The rows
 * are valid as long as the process's own row, which is renewed. While Postgres is unavailable or slow, open
 * connections stay, and new ones are admitted by this process's own count.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { type LivenessLock, NO_LIVENESS_LOCK } from '../db/liveness-lock.ts';
import type { MatchChanges } from '../db/notices.ts';
import type { Queryable } from '../db/postgres.ts';
import { type Loop, startLoop } from '../runtime/loop.ts';
import { within } from '../runtime/time-limit.ts';
import { type ClientConnection, Slot, type SlotLoss, type SlotRequest, type SlotResult } from './connection-slot.ts';
import {
  dropExpiredSlots,
  endProcess,
  exchangeSlots,
  freeSlotsOfEnded,
  type HeldSlot,
  PROCESS_LENGTH,
  type ReleasedSlot,
  renewProcess,
  restoreSlots,
  type SlotRow,
  slotsOfProcess,
} from './connection-slot-queries.ts';

/**
 * Time after which a process's slots become free unless its row is renewed. If the process ends, they are all free at
 * once.
 */
export const SLOT_TTL_MS = 18_000;
/**
 * How often the process's row is renewed. A connection that has lost its slot to another process ends within this
 * time.
 */
const RENEWAL_MS = 5_000;
/**
 * Pause between two statements, for each slot that the process holds. Requests and releases that arrive during the
 * pause share one statement, so that many short streams do not cost a statement each. In a process with few streams,
 * the pause is short.
 */
const PAUSE_PER_SLOT_MS = 0.04;
const LONGEST_PAUSE_MS = 400;
/** Postgres counts as unavailable if an answer takes longer. */
const ANSWER_WITHIN_MS = 2_000;
const LATE = Symbol('late');
/** Maximum number of requests in one statement. */
const BATCH_REQUESTS = 1_000;
/** How many times a request waits for slots to be released. It waits twice, since a statement takes time too. */
const MAX_WAITS = 2;
/** How many times a request may lose a free slot to another process before it is refused. */
const MAX_TRIES = 20;
/** Expired rows from earlier releases are deleted in every sixtieth renewal. */
const SWEEP_EVERY = 60;

/**
 * Tells all processes at once which connections have lost their slots. If a notice is lost, or there are no notices,
 * they find out at the next renewal.
 */
export type ReplacedNotices = Pick<MatchChanges, 'publishReplaced' | 'onReplaced'>;

interface SlotsOptions {
  pool: Queryable;
  logger: Pick<Logger, 'error' | 'info'>;
  /** This process's liveness lock. Without it, slots become free only when the process's row expires. */
  livenessLock?: LivenessLock | undefined;
  notices?: ReplacedNotices | undefined;
  ttlMs?: number | undefined;
  renewalMs?: number | undefined;
  answerWithinMs?: number | undefined;
}

interface WaitingRequest {
  slot: Slot;
  tries: number;
  /** How many times the request has waited because all slots were taken and releases might not have been stored yet. */
  waits: number;
  settle: (outcome: SlotResult) => void;
}

const pauseMs = (slots: number) => Math.min(LONGEST_PAUSE_MS, slots * PAUSE_PER_SLOT_MS);

const isSameClient = (one: Slot, other: Slot) => one.client !== null && one.client === other.client;

/** Acquires and releases slots until it is closed. One statement runs at a time, and requests that arrive meanwhile share the next one. */
export class ConnectionSlots {
  private readonly pool: Queryable;
  private readonly livenessLock: LivenessLock;
  private readonly ttlMs: number;
  private readonly answerWithinMs: number;
  private readonly process = randomBytes((PROCESS_LENGTH * 3) / 4).toString('base64url');
  private readonly notices: ReplacedNotices | undefined;
  private readonly stopListening: (() => void) | undefined;
  private readonly loop: Loop;
  private readonly renewalTimer: NodeJS.Timeout;
  private readonly slots = new Map<string, Set<Slot>>();
  private waiting: WaitingRequest[] = [];
  private readonly refused = new Map<WaitingRequest, NodeJS.Timeout>();
  private releases: ReleasedSlot[] = [];
  /**
   * True if a renewal is due. Renewals come before everything else, because the slots are judged by the
   * process's row.
   */
  private renewalDue = true;
  private heldSlots = 0;
  /** Number of slots that the largest process has. */
  private mostSlots = 0;
  private startedAt = Number.NEGATIVE_INFINITY;
  private connections = 0;
  private renewals = 0;
  private unavailable = false;
  private isClosed = false;

  constructor(options: SlotsOptions) {
    const { renewalMs = RENEWAL_MS } = options;
    this.pool = options.pool;
    this.livenessLock = options.livenessLock ?? NO_LIVENESS_LOCK;
    this.ttlMs = options.ttlMs ?? SLOT_TTL_MS;
    this.answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS;
    this.notices = options.notices;
    this.stopListening = this.notices?.onReplaced((name) => this.replaced(name));
    this.loop = startLoop({
      run: () => this.run(),
      notBefore: () => this.startedAt + pauseMs(this.heldSlots),
      retryMs: renewalMs,
      failed: 'postgres unavailable, counting connection slots in this process only',
      recovered: 'postgres available again, counting connection slots over all processes',
      logger: options.logger,
      onError: () => {
        this.countAlone();
        return false;
      },
    });
    // Renewals are due at a fixed interval, however long statements take, so there are three attempts before the slots
    // expire.
    this.renewalTimer = setInterval(() => {
      this.renewalDue = true;
      this.loop.wake();
    }, renewalMs);
    this.renewalTimer.unref();
  }

  /** @returns the slot, or the reason why there is none */
  acquire(requested: SlotRequest, connection: ClientConnection): Promise<Slot | 'full' | 'revoked'> {
    this.connections += 1;
    const slot = new Slot(requested, `${this.process}-${this.connections}`, connection, this);
    // A stopping process does not count connections.
    if (this.isClosed) return Promise.resolve(slot);
    return new Promise((resolve) => {
      const settle = (outcome: SlotResult) => resolve(outcome === 'taken' ? slot : outcome);
      const request: WaitingRequest = { slot, tries: 0, waits: 0, settle };
      if (this.unavailable) this.settleAlone(request);
      else {
        this.waiting.push(request);
        this.loop.wake();
      }
    });
  }

  /** Idempotent. */
  release(slot: Slot): void {
    if (!this.remove(slot) || this.unavailable) return;
    this.releases.push(slot);
    this.loop.wake();
  }

  /** Number of slots held, plus requests and releases in progress. */
  held(): number {
    return this.heldSlots + this.waiting.length + this.refused.size + this.releases.length;
  }

  /** Returns whether Postgres is unavailable, so that this process counts only its own connections. */
  countsAlone(): boolean {
    return this.unavailable;
  }

  /** Releases all slots. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.renewalTimer);
    this.stopListening?.();
    for (const slot of this.all()) this.release(slot);
    await this.loop.stop();
    for (const request of this.refused.keys()) this.tryAgain(request);
    this.renewalDue = false;
    while (this.hasWork()) await this.step().catch(() => this.countAlone());
    await this.inTime(endProcess(this.pool, this.process)).catch(() => {});
  }

  private all(): Slot[] {
    return [...this.slots.values()].flatMap((same) => [...same]);
  }

  private add(slot: Slot): void {
    const same = this.slots.get(slot.subject) ?? new Set();
    if (same.has(slot)) return;
    this.slots.set(slot.subject, same.add(slot));
    this.heldSlots += 1;
  }

  /** @returns whether the slot was held */
  private remove(slot: Slot): boolean {
    const same = this.slots.get(slot.subject);
    if (same === undefined || !same.delete(slot)) return false;
    if (same.size === 0) this.slots.delete(slot.subject);
    this.heldSlots -= 1;
    slot.markReleased();
    return true;
  }

  private lose(slot: Slot, why: SlotLoss): void {
    if (this.remove(slot)) slot.connection.lost(why);
  }

  // ---- one statement at a time

  private hasWork(): boolean {
    return this.renewalDue || this.releases.length > 0 || this.waiting.length > 0;
  }

  private async run(): Promise<number> {
    // Makes a renewal due, because only a statement can show that Postgres is back.
    if (this.unavailable) this.renewalDue = true;
    if (!this.hasWork()) return Number.POSITIVE_INFINITY;
    await this.step();
    this.unavailable = false;
    return this.hasWork() ? 0 : Number.POSITIVE_INFINITY;
  }

  private async step(): Promise<void> {
    this.startedAt = performance.now();
    if (this.renewalDue) {
      this.renewalDue = false;
      await this.renew();
    }
    if (this.releases.length > 0 || this.waiting.length > 0) await this.exchange();
  }

  private async inTime<T>(answer: Promise<T>): Promise<T> {
    const found = await within(this.answerWithinMs, answer, LATE);
    if (found === LATE) throw new Error(`no answer within ${this.answerWithinMs} ms`);
    return found;
  }

  private countAlone(): void {
    this.unavailable = true;
    this.renewalDue = false;
    // If these releases fail, the next renewal finds their rows.
    this.releases = [];
    const requests = this.waiting;
    this.waiting = [];
    for (const request of requests) this.settleAlone(request);
  }

  // ---- requests

  /** Returns at most one request per client, because a client's second request has to find the slot that the first one took. */
  private nextBatch(): WaitingRequest[] {
    const clients = new Set<string>();
    const batch: WaitingRequest[] = [];
    const later: WaitingRequest[] = [];
    for (const request of this.waiting) {
      const { subject, client } = request.slot;
      const key = client === null ? null : JSON.stringify([subject, client]);
      if (batch.length === BATCH_REQUESTS || (key !== null && clients.has(key))) later.push(request);
      else batch.push(request);
      if (key !== null) clients.add(key);
    }
    this.waiting = later;
    return batch;
  }

  private async exchange(): Promise<void> {
    const batch = this.nextBatch();
    const released = this.releases;
    this.releases = [];
    let rows: SlotRow[];
    try {
      rows = await this.exchangeBatch(
        batch.map(({ slot }) => slot),
        released,
      );
    } catch (error) {
      this.waiting.unshift(...batch);
      throw error;
    }
    const answers = new Map(rows.map((row) => [row.holder, row]));
    for (const request of batch) this.answer(request, answers.get(request.slot.holder)!);
    this.publishReplaced(batch.map(({ slot }) => [slot.subject, answers.get(slot.holder)!]));
  }

  /**
   * Acquires and releases slots. If an account has no slot left, the slots of ended processes are freed and the
   * request is tried again. The second try can also take slots that were just released.
   */
  private async exchangeBatch(slots: readonly Slot[], released: readonly ReleasedSlot[]): Promise<SlotRow[]> {
    const rows = await this.inTime(exchangeSlots(this.pool, slots, released, this.livenessLock.id));
    const refused = new Set(rows.filter((row) => row.permitted && row.tried === null).map(({ holder }) => holder));
    if (refused.size === 0) return rows;
    const full = slots.filter(({ holder }) => refused.has(holder));
    const freed = new Set(released.map(({ subject }) => subject));
    if (this.livenessLock.judges()) {
      const subjects = [...new Set(full.map(({ subject }) => subject))];
      for (const subject of await this.inTime(freeSlotsOfEnded(this.pool, subjects))) freed.add(subject);
    }
    const again = full.filter(({ subject }) => freed.has(subject));
    if (again.length === 0) return rows;
    const answers = new Map(
      (await this.inTime(exchangeSlots(this.pool, again, [], this.livenessLock.id))).map((row) => [row.holder, row]),
    );
    return rows.map((row) => answers.get(row.holder) ?? row);
  }

  private answer(request: WaitingRequest, { permitted, tried, slot }: SlotRow): void {
    if (!permitted) this.settle(request, 'revoked');
    else if (slot !== null) {
      request.slot.assign(slot);
      this.settle(request, 'taken');
    } else if (tried !== null && request.tries < MAX_TRIES) this.waiting.push({ ...request, tries: request.tries + 1 });
    else if (request.waits < MAX_WAITS && !this.isClosed && pauseMs(this.mostSlots) >= 1) {
      this.refused.set(
        request,
        setTimeout(() => this.tryAgain(request), pauseMs(this.mostSlots)),
      );
    } else this.settle(request, 'full');
  }

  private tryAgain(request: WaitingRequest): void {
    clearTimeout(this.refused.get(request));
    this.refused.delete(request);
    this.waiting.push({ ...request, waits: request.waits + 1 });
    this.loop.wake();
  }

  /**
   * Tells all processes which connections were replaced. A notice names the connection and not the slot, so a late
   * one cannot end the connection that has the slot now.
   */
  private publishReplaced(answers: readonly (readonly [subject: string, SlotRow])[]): void {
    const names = answers.flatMap(([subject, { slot, former }]) =>
      slot === null || former === null || former.startsWith(this.process)
        ? []
        : `${former} ${Buffer.from(subject).toString('base64url')}`,
    );
    this.notices?.publishReplaced(names);
  }

  private replaced(name: string): void {
    const [holder, subject = ''] = name.split(' ');
    const same = this.slots.get(Buffer.from(subject, 'base64url').toString()) ?? [];
    for (const slot of same) if (slot.holder === holder) this.lose(slot, 'replaced');
  }

  private settle({ slot, settle }: WaitingRequest, outcome: SlotResult): void {
    if (outcome === 'taken' && slot.isReleased) this.releases.push(slot);
    else if (outcome === 'taken') {
      // Ends the client's earlier connection in this process at once.
      for (const other of this.slots.get(slot.subject) ?? []) {
        if (other !== slot && isSameClient(other, slot)) this.lose(other, 'replaced');
      }
      this.add(slot);
    }
    settle(outcome);
  }

  private settleAlone(request: WaitingRequest): void {
    const { slot } = request;
    const others = [...(this.slots.get(slot.subject) ?? [])].filter(
      (other) => other !== slot && !isSameClient(other, slot),
    );
    this.settle(request, others.length < slot.slots ? 'taken' : 'full');
  }

  // ---- renewal

  private async renew(): Promise<void> {
    const before = this.all();
    const numbered = before.filter((slot): slot is Slot & HeldSlot => slot.slot !== null);
    const expected = numbered.length + this.releases.length;
    const { rows, most, hasExpired } = await this.inTime(
      renewProcess(this.pool, this.process, numbered.length, this.ttlMs),
    );
    this.mostSlots = most;
    if (this.unavailable || rows !== expected) await this.compare(numbered);
    // Until now, only this process has counted these slots, so they are requested.
    for (const slot of before) {
      if (slot.slot !== null || slot.isReleased) continue;
      const settle = (outcome: SlotResult) => {
        if (outcome !== 'taken') this.lose(slot, outcome);
      };
      this.waiting.push({ slot, tries: 0, waits: 0, settle });
    }
    this.renewals += 1;
    if (hasExpired || this.renewals % SWEEP_EVERY === 0) await this.inTime(dropExpiredSlots(this.pool));
  }

  /** Compares the slots with the stored rows, after an outage or if the number of rows is not as expected. */
  private async compare(numbered: readonly (Slot & HeldSlot)[]): Promise<void> {
    const rows = await this.inTime(slotsOfProcess(this.pool, this.process));
    const stored = new Set(rows.map(({ holder }) => holder));
    const missing = numbered.filter(({ holder, isReleased }) => !stored.has(holder) && !isReleased);
    if (missing.length > 0) {
      const restored = await this.inTime(restoreSlots(this.pool, missing, this.livenessLock.id));
      for (const slot of missing) if (!restored.has(slot.holder)) this.lose(slot, 'replaced');
    }
    const known = new Set([...this.all(), ...this.releases].map(({ holder }) => holder));
    this.releases.push(...rows.filter(({ holder }) => !known.has(holder)));
  }
}
