/**
 * Sends webhooks: holds subscriptions by leases, reads the log once for all of them, and keeps what has come of it. A subscription is a
 * position over the log with a bounded window in flight; positions, failed deliveries and the log of attempts are saved together.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { CursorExpired, type EventLog } from '../events/event-log.ts';
import { followLog } from '../events/follower.ts';
import { createRing } from '../events/ring.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Outcome, Sender } from './attempt.ts';
import { pruneDeliveries } from './deliveries.ts';
import { dispatcherMetrics } from './dispatcher-metrics.ts';
import { eventIdOf, ownEnvelope } from './envelope.ts';
import { afterOutcome, retryWait } from './health.ts';
import { subscriptionHolder } from './holder.ts';
import { type Holding, since, type Work } from './holding.ts';
import * as leases from './lease-queries.ts';
import { LEASE_TTL_MS } from './lease-queries.ts';
import { resealSecrets, sealedWithOlderKeys } from './reseal.ts';
import { deliveryIdOf, headersOf } from './signature.ts';
import { Unsaved } from './unsaved.ts';

/** An attempt begins only with more than this left of the lease: it takes 8 s at most. */
export const MIN_LEASE_MS = 10_000;
const RENEW_EVERY_MS = 10_000;
/** What has come of attempts, and positions, are saved this often. */
const SAVE_EVERY_MS = 500;
/** Changes of subscriptions are seen, and new ones taken, this often. */
const LOOK_EVERY_MS = 1_000;
/** Due repeats and pings are looked for this often. */
const TICK_MS = 200;
/** Attempts under way in this process. */
export const MAX_IN_FLIGHT = 1_000;
/** Of them so many to endpoints that are failing. */
const MAX_FAILING = 250;
/** Attempts begun in one turn of the event loop. */
const PER_TURN = 32;
/** The newest events that all subscriptions share. */
const RING_EVENTS = 10_000;
const RING_BYTES = 16 * 1024 * 1024;
/** Between two pages of the log while there is traffic. */
const FOLLOW_EVERY_MS = 5;
/** What a subscription that is behind reads at a time, and how many do at once. */
const PAGE = { records: 200, bytes: 1024 * 1024 };
const MAX_READERS = 4;
/** What is old is dropped, and sealed anew, at the start and this often: others may have sealed with an older key meanwhile. */
const TIDY_EVERY_MS = 10 * 60_000;

export interface DispatcherDeps {
  pool: pg.Pool;
  log: EventLog;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  sender: Sender;
  secretKeys: readonly string[];
  /** `config.dispatcherGroup` */
  group: string;
  registry?: Registry | undefined;
  /** For tests. */
  leaseTtlMs?: number | undefined;
  ringEvents?: number | undefined;
}

export interface Dispatcher {
  /** Its name in the rows that it holds. */
  name: string;
  /** Subscriptions held. */
  held(): number;
  /** Ends what is under way, saves, and lets everything go. */
  stop(): Promise<void>;
}

export async function startDispatcher(deps: DispatcherDeps): Promise<Dispatcher> {
  const { pool, log, clock, logger, sender, secretKeys, group, leaseTtlMs = LEASE_TTL_MS } = deps;
  const name = `${hostname()}/${randomBytes(4).toString('hex')}`;
  const { head, oldest } = await log.range();
  const ring = createRing(Math.max(oldest, head), deps.ringEvents ?? RING_EVENTS, RING_BYTES);
  const unsaved = new Unsaved();
  const holder = subscriptionHolder({
    pool,
    logger,
    secretKeys,
    name,
    group,
    leaseTtlMs,
    maxPending: MAX_IN_FLIGHT,
    onLost: ({ id }) => {
      unsaved.drop(id);
      metrics.lost.inc();
    },
    onClaimed: () => void pump(),
  });
  const { holdings } = holder;
  const metrics = dispatcherMetrics(deps.registry, {
    holdings,
    head: () => ring.cursorBefore(ring.end()),
    olderKeys: () => sealedWithOlderKeys(pool, secretKeys),
  });
  let inFlight = 0;
  let failingInFlight = 0;
  let readers = 0;
  let stopping = false;

  // ---- what to send

  function mayStart(holding: Holding): boolean {
    if (stopping || holding.leaving || holding.lost || inFlight >= MAX_IN_FLIGHT || unsaved.overdue()) return false;
    if (leaseTtlMs - since(holding.leasedAt) <= MIN_LEASE_MS) return false;
    return !holding.failing() || failingInFlight < MAX_FAILING;
  }

  /** @returns whether something was begun */
  function startOne(holding: Holding): boolean {
    if (!mayStart(holding)) return false;
    const now = clock.now();
    const work = holding.next(ring, now);
    if (work !== null) {
      void run(holding, work);
      return true;
    }
    if (!holding.reading && readers < MAX_READERS && holding.wantsLog(ring, now)) void readLog(holding);
    return false;
  }

  let pumping = false;
  let pumpAgain = false;
  let firstTurn = 0;

  /** One attempt for each in turn, until none has anything to begin. */
  async function pump(): Promise<void> {
    pumpAgain = true;
    if (pumping) return;
    pumping = true;
    let begun = 0;
    while (pumpAgain) {
      pumpAgain = false;
      const all = [...holdings.values()];
      firstTurn = all.length === 0 ? 0 : (firstTurn + 1) % all.length;
      let ready = [...all.slice(firstTurn), ...all.slice(0, firstTurn)];
      while (ready.length > 0) {
        const more: Holding[] = [];
        for (const holding of ready) {
          if (!startOne(holding)) continue;
          more.push(holding);
          begun += 1;
          if (begun % PER_TURN === 0) await turn();
        }
        ready = more;
      }
    }
    pumping = false;
  }

  /** For one that is behind what this process shares. */
  async function readLog(holding: Holding): Promise<void> {
    holding.reading = true;
    readers += 1;
    const shared = ring.cursorBefore(ring.start());
    try {
      const records = await log.read(holding.examined, PAGE);
      holding.examine(records);
      // Cursors have holes: there is nothing up to where the shared events begin.
      if (records.length === 0) holding.examined = Math.max(holding.examined, shared);
    } catch (error) {
      if (error instanceof CursorExpired) {
        logger.warn(
          { subscription: holding.id, oldest: error.oldest },
          'events were dropped before they could be sent',
        );
        metrics.expired.inc();
        holding.skipTo(error.oldest, clock.now());
      } else if (!stopping) logger.warn({ err: error, subscription: holding.id }, 'the event log could not be read');
    } finally {
      readers -= 1;
      holding.reading = false;
    }
    void pump();
  }

  // ---- one attempt

  interface Prepared {
    deliveryId: string;
    eventId: string;
    eventType: string;
    envelope: string;
    attempt: number;
  }

  async function prepare(holding: Holding, work: Work): Promise<Prepared | null> {
    if (work.kind === 'event') {
      const { envelope, type } = work.record;
      const eventId = eventIdOf(envelope);
      return { deliveryId: deliveryIdOf(holding.id, eventId), eventId, eventType: type, envelope, attempt: 1 };
    }
    if (work.kind === 'retry') {
      const row = await leases.pendingDelivery(pool, work.id);
      return row && { ...row, deliveryId: work.id, attempt: work.attempts + 1 };
    }
    const eventId = `evt_0_${await leases.nextEventNumber(pool)}`;
    const envelope = ownEnvelope('webhook.ping', eventId, holding.id, clock.now());
    return { deliveryId: deliveryIdOf(holding.id, eventId), eventId, eventType: 'webhook.ping', envelope, attempt: 1 };
  }

  async function run(holding: Holding, work: Work): Promise<void> {
    const failing = holding.failing();
    inFlight += 1;
    holding.inFlight += 1;
    if (failing) failingInFlight += 1;
    if (work.kind === 'retry') {
      holding.pending.delete(work.id);
      holding.busy.add(work.id);
    }
    const previouslySentAt = holding.health.lastSentAt;
    holding.health.lastSentAt = clock.now();
    try {
      const prepared = await prepare(holding, work);
      // While it was read time has passed.
      const begin = work.kind === 'event' || leaseTtlMs - since(holding.leasedAt) > MIN_LEASE_MS;
      if (prepared !== null && begin) await attempt(holding, work, prepared);
      else {
        holding.health.lastSentAt = previouslySentAt;
        if (prepared !== null && work.kind === 'retry') holding.wait(work.id, work.attempts, clock.now());
      }
    } catch (error) {
      logger.warn({ err: error, subscription: holding.id }, 'a delivery could not be prepared; trying again');
      holding.health.lastSentAt = previouslySentAt;
      if (work.kind === 'retry') holding.wait(work.id, work.attempts, clock.now() + LOOK_EVERY_MS);
    } finally {
      inFlight -= 1;
      holding.inFlight -= 1;
      if (failing) failingInFlight -= 1;
      if (work.kind === 'retry') holding.busy.delete(work.id);
    }
    // Others may have waited for a place, or it is well again and may have more than one.
    if (inFlight === MAX_IN_FLIGHT - 1 || (failing && !holding.failing())) void pump();
    else startOne(holding);
  }

  async function attempt(holding: Holding, work: Work, sent: Prepared): Promise<void> {
    const at = clock.now();
    const body = Buffer.from(sent.envelope);
    const signed = {
      id: sent.eventId,
      timestamp: Math.floor(at / 1_000),
      body,
      attempt: sent.attempt,
      deliveryId: sent.deliveryId,
    };
    const outcome = await sender.send(holding.url, headersOf(signed, holding.keys(at)), body, sent.attempt);
    metrics.attempts.inc({ outcome: outcome.failure === null ? 'delivered' : 'failed' });
    metrics.duration.observe(outcome.durationMs / 1_000);
    if (holding.lost) metrics.discarded.inc();
    else note(holding, work, sent, outcome, at);
  }

  /** What is kept of an attempt; saved with the position, in one transaction. */
  function note(holding: Holding, work: Work, sent: Prepared, outcome: Outcome, at: number): void {
    const now = clock.now();
    holding.health = afterOutcome(holding.health, outcome, now);
    holding.dirty = true;
    if (holding.health.disabled !== null) holding.leaving = true;
    const failed = outcome.failure !== null;
    const wait =
      failed && work.kind !== 'ping' && holding.health.disabled !== 'gone'
        ? retryWait(sent.attempt, outcome.retryAfter, now)
        : null;
    const nextAttemptAt = wait === null ? null : now + wait;
    const { deliveryId, eventId, eventType, attempt } = sent;
    const row = { subscriptionId: holding.id, eventId, eventType, nextAttemptAt, at };
    const tried = {
      ...row,
      deliveryId,
      attempt,
      durationMs: outcome.durationMs,
      status: outcome.status,
      failure: outcome.failure,
    };
    const state = failed ? (wait === null ? 'failed' : 'pending') : 'delivered';
    const envelope = work.kind === 'event' ? sent.envelope : null;
    const isKept = work.kind === 'retry' || (work.kind === 'event' && failed);
    unsaved.add(tried, isKept ? { ...row, id: deliveryId, envelope, state, attempts: attempt } : null);
    if (isKept && nextAttemptAt !== null) holding.wait(deliveryId, attempt, nextAttemptAt);
    if (work.kind === 'event') holding.open.delete(work.record.cursor);
  }

  // ---- the loop that keeps

  async function save(all: boolean): Promise<void> {
    for (const holding of await unsaved.save(pool, holdings, all)) holder.lose(holding);
  }

  let share = await leases.announce(pool, name, group, leaseTtlMs);
  let failingSaves = false;
  let renewedAt = performance.now();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let tidiedAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let wakeKeeper: () => void = () => {};

  async function keep(): Promise<void> {
    const renewing = performance.now() - renewedAt >= Math.min(RENEW_EVERY_MS, leaseTtlMs / 3);
    await save(renewing);
    if (renewing) {
      renewedAt = performance.now();
      await holder.renew();
    }
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = performance.now();
    share = await leases.announce(pool, name, group, leaseTtlMs);
    await holder.look(share);
    if (!stopping) await holder.claim(share);
    if (performance.now() - tidiedAt < TIDY_EVERY_MS) return;
    tidiedAt = performance.now();
    await pruneDeliveries(pool, clock);
    await reseal();
  }

  async function reseal(): Promise<void> {
    const { count, closed } = await resealSecrets(pool, secretKeys);
    if (count > 0) logger.info({ count }, 'webhook secrets were sealed anew with the first key of SECRET_KEY');
    if (closed.length > 0) logger.warn({ subscriptions: closed }, 'no key of SECRET_KEY opens their secrets');
  }

  async function keeper(): Promise<void> {
    while (!closed) {
      const begun = performance.now();
      try {
        await keep();
        if (failingSaves) logger.info('webhooks are sent again');
        failingSaves = false;
      } catch (error) {
        // An outage is told once. Nothing new is begun while something is unsaved.
        if (!failingSaves) logger.error({ err: error }, 'the state of webhooks could not be saved; trying again');
        failingSaves = true;
      }
      if (closed) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, begun + SAVE_EVERY_MS - performance.now()));
        wakeKeeper = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  const follower = await followLog({
    log,
    ring,
    capacity: deps.ringEvents ?? RING_EVENTS,
    everyMs: FOLLOW_EVERY_MS,
    logger,
    onEntries: async () => void pump(),
    onHole: async () => {},
  });
  const keeping = keeper();
  const ticking = setInterval(() => void pump(), TICK_MS);

  return {
    name,
    held: () => holdings.size,
    async stop() {
      stopping = true;
      clearInterval(ticking);
      await follower.stop();
      while (inFlight > 0 || readers > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      closed = true;
      wakeKeeper();
      await keeping;
      try {
        await save(true);
        await holder.letGo([...holdings.values()]);
        await leases.leave(pool, name);
      } finally {
        sender.close();
      }
    },
  };
}
