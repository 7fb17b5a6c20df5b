/**
 * Sends webhooks. A dispatcher leases a share of the subscriptions, and follows the event log once for all of them.
 * Each subscription has its own position in the log and a bounded number of attempts in flight. Positions, failed
 * deliveries and the attempt log are saved together.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { OfferedPlans } from '../../accounts/plans/index.ts';
import { type LivenessLock, NO_LIVENESS_LOCK } from '../../db/liveness-lock.ts';
import { createRing, type EventLog, followLog } from '../../events/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { startPruning } from '../delivery/delivery-pruning.ts';
import type { Sender } from '../destinations/attempt.ts';
import type { Destinations } from '../destinations/connections.ts';
import type { WebhookPolicy } from '../subscriptions/operator-limits.ts';
import { countOlderKeys } from '../subscriptions/secret-reencryption.ts';
import { AttemptScheduler } from './attempt-scheduler.ts';
import { BacklogReader } from './backlog-reader.ts';
import { DeliveryRunner } from './delivery-runner.ts';
import { DispatcherLoad } from './dispatcher-load.ts';
import { dispatcherMetrics, observeLeases } from './dispatcher-metrics.ts';
import { DispatcherUpkeep } from './dispatcher-upkeep.ts';
import { HostRates } from './host-rates.ts';
import { countUnleased, LEASE_TTL_MS } from './lease-queries.ts';
import { ResultBuffer } from './result-buffer.ts';
import { countRowErrors } from './row-error-queries.ts';
import { SubscriptionLeases } from './subscription-leases.ts';

/** Number of newest events in the ring that all subscriptions share. */
const RING_EVENTS = 10_000;
const RING_BYTES = 16 * 1024 * 1024;
/** Time between two pages of the log while there is traffic. */
const FOLLOW_EVERY_MS = 5;

export interface DispatcherDeps {
  pool: pg.Pool;
  log: EventLog;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  sender: Sender;
  destinations: Destinations;
  /** This process's liveness lock. Without one, its leases are taken over only when they have expired. */
  livenessLock?: LivenessLock;
  secretKeys: readonly string[];
  policy: WebhookPolicy;
  plans: OfferedPlans;
  /** `config.dispatcherGroup` */
  group: string;
  registry?: Registry | undefined;
  /** For tests. */
  leaseTtlMs?: number | undefined;
  ringEvents?: number | undefined;
}

export interface Dispatcher {
  /** This dispatcher's name in the subscription rows that it has leased. */
  name: string;
  /** Number of subscriptions that this dispatcher has leased. */
  held(): number;
  /** Number of dispatchers that share a host's rate limit, as far as this one knows. For tests. */
  sendersTo(host: string): number;
  /** Resolves when all events in the log and all due retries and pings have been sent. For tests. */
  settled(): Promise<void>;
  /** Finishes the attempts in flight, saves, and releases all leases. */
  stop(): Promise<void>;
}

export async function startDispatcher(deps: DispatcherDeps): Promise<Dispatcher> {
  const { pool, log, clock, logger, sender, destinations, secretKeys, policy, plans, group } = deps;
  const { leaseTtlMs = LEASE_TTL_MS, ringEvents = RING_EVENTS, livenessLock = NO_LIVENESS_LOCK } = deps;
  const name = `${hostname()}/${randomBytes(4).toString('hex')}`;
  const { head, oldest } = await log.range();
  const ring = createRing(Math.max(oldest, head), ringEvents, RING_BYTES);
  const metrics = dispatcherMetrics(deps.registry ?? new Registry(), (id) => leases.all.has(id));
  const outcomes = new ResultBuffer();
  const rates = new HostRates(policy);
  const wake = () => scheduler.wake();
  const shared = { pool, clock, logger, secretKeys, plans, name, group, leaseTtlMs };
  const load = new DispatcherLoad();
  const leases = new SubscriptionLeases({
    ...shared,
    policy,
    onLost: ({ id }) => {
      outcomes.discard(id);
      metrics.lost.inc();
    },
    onAcquired: wake,
  });
  observeLeases(metrics.registry, {
    leased: leases.all,
    rates,
    ring,
    clock,
    load,
    head: () => ring.cursorBefore(ring.end()),
    countOlderKeys: () => countOlderKeys(pool, secretKeys),
    countUnleased: () => countUnleased(pool, plans.webhookPlans()),
    countFaults: () => countRowErrors(pool),
  });
  const backlog = new BacklogReader({ log, ring, clock, logger, expired: metrics.expired, onRead: wake });
  const deliveries = new DeliveryRunner({ pool, clock, logger, sender, destinations, outcomes, metrics });
  const scheduler = new AttemptScheduler({
    leased: leases.all,
    ring,
    backlog,
    deliveries,
    rates,
    outcomes,
    firstAttempts: metrics.firstAttempts,
    clock,
    logger,
  });
  const usage = () => scheduler.usage;
  const upkeep = new DispatcherUpkeep({ ...shared, leases, rates, outcomes, load, usage, livenessLock });
  await upkeep.announce();
  const follower = await followLog({
    log,
    ring,
    capacity: ringEvents,
    everyMs: FOLLOW_EVERY_MS,
    logger,
    onEntries: async () => wake(),
    onGap: async () => {},
  });
  upkeep.start();
  const pruning = startPruning(pool, clock, logger);
  scheduler.start();

  return {
    name,
    held: () => leases.all.size,
    sendersTo: (host) => rates.sendersTo(host),
    async settled() {
      const { head: target } = await log.range();
      while (ring.cursorBefore(ring.end()) < target) await sleep(5);
      await scheduler.settled();
    },
    async stop() {
      upkeep.stopAcquiring();
      const drained = scheduler.stop();
      await follower.stop();
      await pruning.stop();
      await drained;
      try {
        await upkeep.stop();
      } finally {
        sender.close();
        destinations.close();
      }
    },
  };
}
