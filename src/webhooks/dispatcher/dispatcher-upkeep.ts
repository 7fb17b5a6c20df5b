/** A dispatcher's periodic work. It saves outcomes, renews and acquires leases, applies subscription changes, and does housekeeping. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { OfferedPlans } from '../../accounts/plans/index.ts';
import type { LivenessLock } from '../../db/liveness-lock.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Loop, startLoop } from '../../runtime/loop.ts';
import { measureProcessorShare } from '../../runtime/processor-share.ts';
import { queueAccountEvents } from '../delivery/account-events.ts';
import { queueNotices } from '../delivery/notice-queries.ts';
import { reencryptSecrets } from '../subscriptions/secret-reencryption.ts';
import type { DispatcherLoad } from './dispatcher-load.ts';
import type { HostRates } from './host-rates.ts';
import * as queries from './lease-queries.ts';
import type { ResultBuffer } from './result-buffer.ts';
import type { SubscriptionLeases } from './subscription-leases.ts';

/** How often outcomes and positions are saved. */
const SAVE_EVERY_MS = 500;
/** How often subscription changes are polled and subscriptions are acquired. */
const POLL_EVERY_MS = 1_000;
/** How often housekeeping runs. It also re-encrypts secrets, since another process may still encrypt with an older key. */
const HOUSEKEEPING_EVERY_MS = 10 * 60_000;

interface UpkeepDeps {
  pool: pg.Pool;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  plans: OfferedPlans;
  leases: SubscriptionLeases;
  rates: HostRates;
  outcomes: ResultBuffer;
  load: DispatcherLoad;
  /** In-flight attempts divided by the limit, 0 to 1. */
  usage: () => number;
  livenessLock: LivenessLock;
  secretKeys: readonly string[];
  name: string;
  group: string;
  leaseTtlMs: number;
}

export class DispatcherUpkeep {
  readonly #deps: UpkeepDeps;
  #renewedAt = performance.now();
  #polledAt = Number.NEGATIVE_INFINITY;
  #housekeptAt = Number.NEGATIVE_INFINITY;
  #isAcquiring = true;
  readonly #processorShare = measureProcessorShare();
  #loop: Loop | null = null;

  constructor(deps: UpkeepDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = startLoop({
      run: () => this.#run(),
      retryMs: SAVE_EVERY_MS,
      // No attempt starts until a retry succeeds, since outcomes are unsaved.
      failed: 'updating webhook leases and outcomes failed, retrying',
      recovered: 'webhook leases and outcomes are updated again',
      logger: this.#deps.logger,
    });
  }

  /**
   * Writes this dispatcher's heartbeat, which shows that it is alive.
   * @returns how many subscriptions this dispatcher should lease
   */
  announce(): Promise<number> {
    const { pool, plans, name, group, livenessLock, leaseTtlMs, load, usage } = this.#deps;
    load.note({ at: performance.now(), inFlight: usage(), busy: this.#processorShare() });
    const dispatcher = { name, group, session: livenessLock.id, load: load.value };
    return queries.announce(pool, plans.webhookPlans(), dispatcher, leaseTtlMs);
  }

  /** Acquires no more subscriptions, but still saves outcomes and renews leases. */
  stopAcquiring(): void {
    this.#isAcquiring = false;
  }

  /** Saves outcomes and releases all leases. Call it when no attempt is in flight. */
  async stop(): Promise<void> {
    const { pool, leases, name } = this.#deps;
    await this.#loop?.stop();
    await this.#save(true);
    await leases.release([...leases.all.values()]);
    await queries.leave(pool, name);
  }

  /** @returns milliseconds until the next run */
  async #run(): Promise<number> {
    const begun = performance.now();
    await this.#keepLeases();
    if (performance.now() - this.#polledAt >= POLL_EVERY_MS) await this.#poll();
    return Math.max(0, begun + SAVE_EVERY_MS - performance.now());
  }

  async #keepLeases(): Promise<void> {
    const { leases, leaseTtlMs } = this.#deps;
    const isRenewing = performance.now() - this.#renewedAt >= leaseTtlMs / 3;
    await this.#save(isRenewing);
    if (!isRenewing) return;
    this.#renewedAt = performance.now();
    await leases.renew();
  }

  /** @param all whether to also save positions that have only moved past unwanted events */
  async #save(all: boolean): Promise<void> {
    const { pool, leases, outcomes } = this.#deps;
    for (const lost of await outcomes.save(pool, leases.all, all)) leases.lose(lost);
  }

  async #poll(): Promise<void> {
    const { pool, group, leases, livenessLock } = this.#deps;
    this.#polledAt = performance.now();
    if (livenessLock.judges()) await queries.releaseOfEnded(pool, group);
    const share = await this.announce();
    await leases.poll(share);
    if (this.#isAcquiring) await leases.acquire(share);
    await this.#shareHosts();
    await queueNotices(pool, this.#deps.clock, this.#deps.plans.webhookPlans());
    await queueAccountEvents(this.#deps, this.#deps.plans.webhookPlans());
    if (performance.now() - this.#housekeptAt >= HOUSEKEEPING_EVERY_MS) await this.#doHousekeeping();
  }

  /** Reads how many dispatchers send to each host, since they share the host's rate limit. */
  async #shareHosts(): Promise<void> {
    const { pool, clock, leases, rates } = this.#deps;
    const hosts = new Set([...leases.all.values()].map(({ settings }) => settings.host));
    rates.share(await queries.countSenders(pool, [...hosts]));
    rates.prune(clock.now());
  }

  async #doHousekeeping(): Promise<void> {
    const { pool, logger, secretKeys } = this.#deps;
    this.#housekeptAt = performance.now();
    const { count, undecryptable } = await reencryptSecrets(pool, secretKeys);
    if (count > 0) logger.info({ count }, 'stored secrets were re-encrypted with the first key of SECRET_KEY');
    if (undecryptable.length > 0) {
      logger.warn({ of: undecryptable }, 'no key of SECRET_KEY decrypts these secrets');
    }
  }
}
