/**
 * The single leader that moves outbox rows into the event log and assigns change cursors. Moved rows are deleted, so a
 * row that is committed late is never skipped.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { LeaseLost, leaseHolder } from '../db/lease.ts';
import type { LivenessLock } from '../db/liveness-lock.ts';
import type { MatchChanges } from '../db/notices.ts';
import { firstRow } from '../db/postgres.ts';
import { type LogWriter, relayLease } from '../events/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { startLoop } from '../runtime/loop.ts';
import { RelayStep } from './relay-step.ts';
import { RestoreWatch } from './restore-repair.ts';

/**
 * Poll interval while there is work. After BUSY_FOR_MS without work, the interval is IDLE_MS. Ingest in the same
 * process wakes the relay at once.
 */
const BUSY_MS = 20;
const IDLE_MS = 100;
const BUSY_FOR_MS = 2_000;
/** Time between two attempts to take the lease. */
const STANDBY_MS = 200;
const RETRY_MS = 500;

export interface RelayDeps {
  pool: pg.Pool;
  log: LogWriter;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** This process's liveness lock. Without one, the lease is taken over only when it has expired. */
  livenessLock?: LivenessLock;
  onChange: MatchChanges['subscribe'];
}

export interface Relay {
  /** Stops after the current step, and releases the lease so that the next leader can begin at once. */
  stop(): Promise<void>;
}

export function startRelay({ pool, log, clock, logger, livenessLock, onChange }: RelayDeps): Relay {
  const holder = leaseHolder();
  const step = new RelayStep(pool, log, clock);
  const restores = new RestoreWatch({ pool, log, logger });
  let generation: number | null = null;
  /** The lease generation in which the relay last checked whether Postgres had been restored. */
  let checked: number | null = null;
  let lastWork = Number.NEGATIVE_INFINITY;
  /** True if a notice has announced new events since the last step. */
  let hasEvents = false;

  const loop = startLoop({
    async run() {
      generation ??= await relayLease.take(pool, holder, livenessLock);
      if (generation === null) return STANDBY_MS;
      if (checked !== generation) {
        await restores.check(generation);
        checked = generation;
      }
      const isNotified = hasEvents;
      hasEvents = false;
      const done = await step.run(generation, isNotified);
      if (done !== 'nothing') lastWork = performance.now();
      if (done === 'more') return 0;
      return performance.now() - lastWork < BUSY_FOR_MS ? BUSY_MS : IDLE_MS;
    },
    onError(error) {
      step.reset();
      checked = null;
      if (!(error instanceof LeaseLost)) return false;
      logger.warn({ generation }, 'relay lost its lease, standing by');
      generation = null;
      return true;
    },
    retryMs: RETRY_MS,
    failed: 'relay failed, retrying',
    recovered: 'relay recovered',
    logger,
  });
  // Checks again after a reconnect. Even if the leader has kept the lease, Postgres may have failed over or been restored.
  const reconnected = () => {
    checked = null;
  };
  pool.on('connect', reconnected);
  const unsubscribe = onChange((_changed, { events }) => {
    hasEvents ||= events;
    loop.wake();
  });

  return {
    async stop() {
      unsubscribe();
      pool.off('connect', reconnected);
      await loop.stop();
      if (generation !== null) await relayLease.release(pool, generation).catch(() => {});
    },
  };
}

const PENDING_POLL_MS = 50;

/**
 * Runs a relay until everything written so far is in the log and has a change cursor. Used by an import, because there may be no
 * service running.
 * @param work the relay also runs until this has ended, and an error of it is ignored here
 */
export async function relayPending(deps: RelayDeps, work: Promise<unknown> = Promise.resolve()): Promise<void> {
  const relay = startRelay(deps);
  try {
    await work.catch(() => undefined);
    for (;;) {
      const { rows } = await deps.pool.query<{ pending: boolean }>(
        'SELECT EXISTS (SELECT 1 FROM outbox) OR EXISTS (SELECT 1 FROM match_touch) AS pending',
      );
      if (!firstRow(rows).pending) return;
      await new Promise((resolve) => setTimeout(resolve, PENDING_POLL_MS));
    }
  } finally {
    await relay.stop();
  }
}
