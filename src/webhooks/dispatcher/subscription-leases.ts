/**
 * The subscriptions that this dispatcher has leased. It acquires a share of the group, renews the leases, and releases
 * those that other dispatchers should take.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { OfferedPlans } from '../../accounts/plans/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { requiresHandshake, type WebhookPolicy } from '../subscriptions/operator-limits.ts';
import { UnreadableSubscription } from '../subscriptions/stored-settings.ts';
import { readSubscriptions, type SubscriptionRow } from '../subscriptions/subscription-row.ts';
import { readClocks } from './lease-clock.ts';
import * as queries from './lease-queries.ts';
import { LeaseTerm } from './lease-term.ts';
import { LeasedSubscription, MAX_PENDING } from './leased-subscription.ts';
import { clearRowErrors, markRowErrors, type RowError } from './row-error-queries.ts';

/** Maximum number of subscriptions that one statement leases. */
const CLAIM_LIMIT = 500;
/** Limit on ids in one log line. */
const LOGGED_IDS = 20;
const NOT_SENT = 'subscriptions cannot be read, sending nothing for them';

const listed = (ids: readonly number[]) => ({ count: ids.length, subscriptions: ids.slice(0, LOGGED_IDS) });

interface LeasesDeps {
  pool: pg.Pool;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  secretKeys: readonly string[];
  policy: WebhookPolicy;
  plans: OfferedPlans;
  /** This dispatcher's name in the leased rows. */
  name: string;
  group: string;
  leaseTtlMs: number;
  onLost(subscription: LeasedSubscription): void;
  onAcquired(): void;
}

export class SubscriptionLeases {
  readonly #deps: LeasesDeps;
  readonly #leased = new Map<number, LeasedSubscription>();

  constructor(deps: LeasesDeps) {
    this.#deps = deps;
  }

  /** The leased subscriptions by id. */
  get all(): ReadonlyMap<number, LeasedSubscription> {
    return this.#leased;
  }

  /** Drops a subscription because another dispatcher has the lease. */
  lose(subscription: LeasedSubscription): void {
    subscription.lease.lose();
    this.#leased.delete(subscription.id);
    this.#deps.onLost(subscription);
    this.#deps.logger.warn({ subscription: subscription.id }, 'subscription lease lost, discarding its outcomes');
  }

  async renew(): Promise<void> {
    const at = readClocks();
    const all = [...this.#leased.values()];
    const valid = await queries.renew(this.#deps.pool, all, this.#deps.leaseTtlMs);
    for (const one of all) {
      if (valid.has(one.id)) one.lease.renewed(at);
      else if (this.#leased.get(one.id) === one) this.lose(one);
    }
  }

  /**
   * Applies changes to the leased subscriptions. Releases subscriptions that may no longer be sent events, and
   * subscriptions beyond the share.
   */
  async poll(share: number): Promise<void> {
    const all = [...this.#leased.values()];
    if (all.length === 0) return;
    const { pool, group, plans } = this.#deps;
    const ids = all.map(({ id }) => id);
    const states = await queries.leaseStates(pool, plans.webhookPlans(), ids, group);
    let staying = 0;
    const changed: LeasedSubscription[] = [];
    for (const one of all) {
      const state = states.get(one.id);
      if (state === undefined || state.generation !== one.generation) {
        this.lose(one);
        continue;
      }
      const isWanted = state.runnable && !one.isDisabled();
      // One more than the share may stay, so that a subscription does not move back and forth.
      if (isWanted) staying += 1;
      one.setLeaving(!isWanted || staying > share + 1);
      if (!one.isConfiguredAs(state.version, plans.named(state.plan))) changed.push(one);
    }
    if (changed.length > 0) await this.#configure(changed);
    const releasable = all.filter((one) => one.isReleasable());
    if (releasable.length > 0) await this.release(releasable);
  }

  async #configure(changed: readonly LeasedSubscription[]): Promise<void> {
    const { pool, clock, secretKeys, plans } = this.#deps;
    const ids = changed.map(({ id }) => id);
    const rows = new Map((await readSubscriptions(pool, ids)).map((row) => [row.id, row]));
    const pending = await queries.pendingDeliveries(pool, ids, MAX_PENDING);
    const configured: SubscriptionRow[] = [];
    for (const one of changed) {
      const row = rows.get(one.id);
      if (row === undefined || row.secret === '' || one.lease.isLost) continue;
      try {
        one.configure(row, { secretKeys, plans, now: clock.now() });
        configured.push(row);
        one.loadPending(pending.get(one.id) ?? []);
      } catch {
        // The next lease holder marks the row as unreadable.
        one.refuse(row.version, plans.named(row.plan));
      }
    }
    await this.#waiveHandshakes(configured);
  }

  /** Waives handshakes, since plans and the policy may have changed since a URL was set. */
  async #waiveHandshakes(rows: readonly SubscriptionRow[]): Promise<void> {
    const { pool, policy, plans, onAcquired } = this.#deps;
    const waived = rows.filter(
      ({ id, plan }) => !requiresHandshake(policy, plans.named(plan)) && this.#leased.get(id)?.waiveHandshake(),
    );
    if (waived.length === 0) return;
    await queries.waiveHandshakes(
      pool,
      waived.map(({ id }) => id),
    );
    onAcquired();
  }

  /**
   * Marks rows that cannot be used. Logs one line per reason, and only when the fault begins, since a missing key
   * affects all rows.
   */
  async #markFaults(faults: readonly (RowError & { before: string | null })[]): Promise<void> {
    if (faults.length === 0) return;
    const { pool, clock, logger, name } = this.#deps;
    await markRowErrors(pool, name, faults, clock.now());
    const begun = new Map<string, number[]>();
    for (const { id, reason, before } of faults)
      if (reason !== before) begun.set(reason, [...(begun.get(reason) ?? []), id]);
    for (const [reason, ids] of begun) logger.error({ reason, ...listed(ids) }, NOT_SENT);
  }

  async release(subscriptions: readonly LeasedSubscription[]): Promise<void> {
    await queries.release(this.#deps.pool, subscriptions);
    for (const one of subscriptions) {
      if (this.#leased.get(one.id) === one) this.#leased.delete(one.id);
      one.lease.lose();
    }
  }

  async acquire(share: number): Promise<void> {
    const { pool, clock, logger, name, group, leaseTtlMs, secretKeys, plans, onAcquired } = this.#deps;
    const limit = Math.min(share - this.#leased.size, CLAIM_LIMIT);
    if (limit <= 0) return;
    const leasedAt = readClocks();
    const rows = await queries.acquire(pool, plans.webhookPlans(), { name, group, limit, ttlMs: leaseTtlMs });
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const pending = await queries.pendingDeliveries(pool, ids, MAX_PENDING);
    const held = await queries.heldMatches(pool, ids);
    const faults: (RowError & { before: string | null })[] = [];
    for (const row of rows) {
      try {
        const context = { secretKeys, plans, now: clock.now() };
        const one = new LeasedSubscription(row, {
          lease: new LeaseTerm(leasedAt, leaseTtlMs),
          held: held.get(row.id) ?? [],
          ...context,
        });
        one.loadPending(pending.get(row.id) ?? []);
        // This dispatcher's own lease had expired unnoticed. Outcomes of that lease do not count for the new one.
        const former = this.#leased.get(row.id);
        if (former !== undefined) this.lose(former);
        this.#leased.set(row.id, one);
      } catch (error) {
        const isKnown = error instanceof UnreadableSubscription;
        if (!isKnown) logger.error({ err: error, subscription: row.id }, 'reading a subscription failed');
        faults.push({
          id: row.id,
          version: row.version,
          reason: isKnown ? error.message : 'unknown',
          before: row.fault,
        });
      }
    }
    onAcquired();
    await this.#waiveHandshakes(rows);
    await this.#markFaults(faults);
    await this.#clearFaults(rows.filter((row) => row.fault !== null && this.#leased.has(row.id)));
  }

  async #clearFaults(rows: readonly SubscriptionRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { pool, name, logger } = this.#deps;
    const ids = rows.map(({ id }) => id);
    await clearRowErrors(pool, name, ids);
    logger.info(listed(ids), 'subscriptions can be read again');
  }
}
