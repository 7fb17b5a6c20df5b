/**
 * Admits streams. An account has a limited number of connection slots. A stream stays admitted while the key is valid
 * and the plan is unchanged.
 */
import type { Logger } from 'pino';
import type { OfferedPlans, Plan } from '../accounts/plans/index.ts';
import type { LivenessLock } from '../db/liveness-lock.ts';
import type { MatchChanges } from '../db/notices.ts';
import type { Queryable } from '../db/postgres.ts';
import { promptQueries } from '../db/prompt-queries.ts';
import { type Principal, Problem, retryAfter, type StreamCounter, type StreamUsage } from '../http/index.ts';
import { readSample, type SampleEvent } from '../wire/sample-event.ts';
import type { LiveConnection, Owner } from './connection-owner.ts';
import type { ClientConnection, Slot, SlotLoss } from './connection-slot.ts';
import { ConnectionSlots, type ReplacedNotices, SLOT_TTL_MS } from './connection-slots.ts';
import type { EndReason } from './end-reason.ts';
import { KeyWatch, type WatchedStream } from './key-watch.ts';
import type { StreamMetrics } from './metrics.ts';

type OpenedConnection = Pick<LiveConnection, 'end' | 'sendSample'>;

/** Uses no closures, to save memory, since every connection has an instance. */
export class AdmittedStream implements Owner, ClientConnection, WatchedStream {
  readonly principal: Principal;
  readonly plan: Plan;
  private readonly keys: KeyWatch;
  /** The stream's connection slot. Null if the connection is not counted. */
  private slot: Slot | null = null;
  private connection: OpenedConnection | null = null;
  private dismissed: EndReason | null = null;
  /** The account's usage, in which the stream is counted. Null if it is not counted. */
  private use: StreamCounter | null = null;

  constructor(principal: Principal, plan: Plan, keys: KeyWatch) {
    this.principal = principal;
    this.plan = plan;
    this.keys = keys;
  }

  /** Counts the stream in the account's usage until the client has left. */
  countIn(use: StreamCounter): void {
    this.use = use;
    use.opened();
  }

  delivered(events: number): void {
    this.use?.delivered(events);
  }

  /** Keeps the slot until the client has left. */
  occupy(slot: Slot): void {
    this.slot = slot;
  }

  opened(connection: OpenedConnection): void {
    this.connection = connection;
    if (this.dismissed !== null) connection.end(this.dismissed);
  }

  sendSample(sample: SampleEvent): void {
    this.connection?.sendSample(sample);
  }

  /** Ends the connection now or, if it has not opened yet, as soon as it opens. */
  dismiss(reason: EndReason): void {
    this.dismissed ??= reason;
    this.connection?.end(reason);
  }

  lost(why: SlotLoss): void {
    this.dismiss(why);
  }

  /** Idempotent. */
  left(): void {
    this.connection = null;
    this.slot?.release();
    this.keys.remove(this);
    this.use?.closed();
    this.use = null;
  }
}

export interface AdmissionOptions {
  pool: Queryable;
  logger: Pick<Logger, 'error' | 'info'>;
  plans: OfferedPlans;
  livenessLock?: LivenessLock;
  notices?: ReplacedNotices & Partial<Pick<MatchChanges, 'ask' | 'onSample'>>;
  ttlMs?: number;
  renewalMs?: number;
  keysEveryMs?: number;
  metrics?: Pick<StreamMetrics, 'refused' | 'watchSlots'>;
  /** Counts streams and delivered events by account. */
  usage?: StreamUsage | undefined;
}

/** Watches slots and keys until it is closed. */
export class Admission {
  private readonly slots: ConnectionSlots;
  private readonly keys: KeyWatch<AdmittedStream>;
  private readonly plans: OfferedPlans;
  private readonly ttlMs: number;
  private readonly metrics: AdmissionOptions['metrics'];
  private readonly usage: AdmissionOptions['usage'];
  private readonly endSamples: (() => void) | undefined;
  private draining = false;

  constructor(options: AdmissionOptions) {
    const {
      pool,
      logger,
      plans,
      livenessLock,
      notices,
      ttlMs = SLOT_TTL_MS,
      renewalMs,
      keysEveryMs,
      metrics,
      usage,
    } = options;
    this.slots = new ConnectionSlots({ pool, logger, livenessLock, notices, ttlMs, renewalMs });
    metrics?.watchSlots(this.slots);
    this.keys = new KeyWatch(promptQueries(pool, notices), plans, logger, keysEveryMs);
    this.endSamples = notices?.onSample?.((accountId, text) => this.sendSample(accountId, readSample(text)));
    this.plans = plans;
    this.ttlMs = ttlMs;
    this.metrics = metrics;
    this.usage = usage;
  }

  /**
   * Admits a stream.
   * @param client the name that the client chose; the stream takes over the slot of an earlier connection with the
   * same name
   * @throws {Problem} too_many_connections, key_revoked
   */
  async admit(principal: Principal, client = ''): Promise<AdmittedStream> {
    const stream = new AdmittedStream(principal, this.plans.named(principal.plan), this.keys);
    if (this.draining) return stream;
    const limit = this.plans.connectionLimit(principal);
    const keyId = 'keyId' in principal ? principal.keyId : null;
    const slot = await this.slots.acquire({ ...limit, client: client === '' ? null : client, keyId }, stream);
    if (typeof slot === 'string') {
      const problem = this.refusal(slot, limit.slots);
      this.metrics?.refused(problem.code);
      throw problem;
    }
    stream.occupy(slot);
    this.keys.add(stream);
    if (this.usage !== undefined) stream.countIn(this.usage.streams(principal.accountId));
    return stream;
  }

  /** Writes a sample event to the account's streams with secret keys. Site visitors, who have publishable keys, get none. */
  private sendSample(accountId: number, sample: SampleEvent | null): void {
    if (sample === null) return;
    for (const stream of this.keys.streamsOfAccount(accountId)) {
      if (stream.principal.kind === 'sk') stream.sendSample(sample);
    }
  }

  /** Number of stored entries, which is 0 when there are no streams. */
  held(): number {
    return this.slots.held() + this.keys.size;
  }

  /**
   * Lets new streams open without counting or refusing them, since the hub asks them at once to reconnect
   * elsewhere.
   */
  drain(): void {
    this.draining = true;
  }

  async close(): Promise<void> {
    this.endSamples?.();
    this.keys.close();
    await this.slots.close();
  }

  private refusal(why: 'full' | 'revoked', slots: number): Problem {
    if (why === 'revoked') return new Problem('key_revoked');
    return new Problem('too_many_connections', `At most ${slots} streams can be open at a time.`, {
      headers: retryAfter(this.ttlMs / 1_000),
    });
  }
}
