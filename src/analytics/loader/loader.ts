/** Moves finished matches and prices to ClickHouse, in one process that leads. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ClickHouse } from '../../db/clickhouse.ts';
import { migrateClickHouse } from '../../db/clickhouse-migrations.ts';
import { LeaseLost, leaseHolder } from '../../db/lease.ts';
import type { LivenessLock } from '../../db/liveness-lock.ts';
import { startLoop } from '../../runtime/loop.ts';
import { loaderLease } from './current-copy.ts';
import { LoaderStep } from './loader-step.ts';

/** Poll intervals while matches are changing and while they are not. */
const BUSY_MS = 50;
const IDLE_MS = 500;
const BUSY_FOR_MS = 2_000;
/** How often the loader checks whether ClickHouse is open. */
const OPENING_MS = 100;
/** Interval between attempts to take the lease. */
const STANDBY_MS = 1_000;
const RETRY_MS = 1_000;

export interface LoaderDeps {
  pool: pg.Pool;
  clickhouse: ClickHouse;
  /** False until ClickHouse has been opened for the first time. */
  isOpen?: () => boolean;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** This process's liveness lock. Without it, standbys can take over only when the lease has expired. */
  livenessLock?: LivenessLock;
  /** Calls the listener when matches have changed. @returns a function that unsubscribes */
  onChange(listener: () => void): () => void;
}

export interface Loader {
  /** Finishes the current step and releases the lease, so that the next leader begins at once. */
  stop(): Promise<void>;
}

export function startLoader({
  pool,
  clickhouse,
  isOpen = () => true,
  logger,
  livenessLock,
  onChange,
}: LoaderDeps): Loader {
  const holder = leaseHolder();
  let leading: { generation: number; step: LoaderStep } | null = null;
  let lastWork = Number.NEGATIVE_INFINITY;
  let notBefore = Number.NEGATIVE_INFINITY;

  async function lead(): Promise<LoaderStep | null> {
    if (leading !== null) return leading.step;
    const generation = await loaderLease.take(pool, holder, livenessLock);
    if (generation === null) return null;
    const step = new LoaderStep(pool, clickhouse, generation, logger);
    leading = { generation, step };
    return step;
  }

  const loop = startLoop({
    async run() {
      if (!isOpen()) return OPENING_MS;
      const step = await lead();
      if (step === null) return STANDBY_MS;
      if (!step.isMigrated) {
        await migrateClickHouse(clickhouse);
        step.isMigrated = true;
      }
      const done = await step.run();
      if (done !== 'nothing') lastWork = performance.now();
      if (done === 'more') return 0;
      return performance.now() - lastWork < BUSY_FOR_MS ? BUSY_MS : IDLE_MS;
    },
    // A change must not cut short the pause after a failure. Otherwise, a failing ClickHouse would be queried after each change.
    notBefore: () => notBefore,
    onError(error) {
      notBefore = performance.now() + RETRY_MS;
      const held = leading;
      // When ClickHouse answers again, it may be another server, or empty.
      leading = null;
      if (!(error instanceof LeaseLost)) {
        if (held !== null) void loaderLease.release(pool, held.generation).catch(() => {});
        return false;
      }
      logger.warn({ generation: held?.generation }, 'loader lost its lease, standing by');
      return true;
    },
    retryMs: RETRY_MS,
    failed: 'loading into ClickHouse failed, retrying',
    recovered: 'loading into ClickHouse works again',
    logger,
  });
  const unsubscribe = onChange(() => {
    lastWork = performance.now();
    loop.wake();
  });

  return {
    async stop() {
      unsubscribe();
      await loop.stop();
      if (leading !== null) await loaderLease.release(pool, leading.generation).catch(() => {});
    },
  };
}
