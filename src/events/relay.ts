/** The one leader that moves outbox rows into the event log and stamps changes. Deleting what was published cannot skip a late commit. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { changeStamper } from './change-stamps.ts';
import { LeaseLost, type LogWriter, RETENTION_MS } from './event-log.ts';
import { releaseLease, takeLease } from './lease.ts';

/** Between looks while there is work, and when there has been none for a while; ingest of the same process wakes it at once. */
const BUSY_MS = 20;
const IDLE_MS = 100;
const BUSY_FOR_MS = 2_000;
const STANDBY_MS = 1_000;
const PRUNE_EVERY_MS = 60_000;
const ERROR_MS = 500;
/** Changes wait for events, so that a renamed league never delays a goal, but not for longer than this. */
const STAMPS_WAIT_MS = 250;

export interface RelayDeps {
  pool: pg.Pool;
  log: LogWriter;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Calls back when matches have changed; @returns ends it */
  onChange(listener: () => void): () => void;
}

export interface Relay {
  /** Stops after the step under way and lets the next leader begin at once. */
  stop(): Promise<void>;
}

export function startRelay({ pool, log, clock, logger, onChange }: RelayDeps): Relay {
  const holder = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`;
  const stampChanges = changeStamper(pool);
  let stopping = false;
  let generation: number | null = null;
  let lastWork = Number.NEGATIVE_INFINITY;
  let lastStamps = Number.NEGATIVE_INFINITY;
  let lastPrune = Number.NEGATIVE_INFINITY;
  let failing = false;
  let awake = false;
  let endPause: () => void = () => {};
  const wake = () => {
    awake = true;
    endPause();
  };
  const unsubscribe = onChange(wake);

  /** Ends early when there is something new, also when it came since the last pause. */
  const pause = async (ms: number) => {
    if (!awake && !stopping) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    awake = false;
  };

  /** @returns whether there was anything to do */
  async function step(lease: number): Promise<boolean> {
    let moved = 0;
    let fault: unknown = null;
    try {
      moved = await log.move(lease);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      // The log may be away for hours; sync does not need it.
      fault = error;
    }
    let stamped = 0;
    if (moved === 0 || performance.now() - lastStamps >= STAMPS_WAIT_MS) {
      stamped = await stampChanges(lease);
      lastStamps = performance.now();
    }
    if (fault !== null) throw fault;
    let pruned = 0;
    if (clock.now() - lastPrune >= PRUNE_EVERY_MS) {
      lastPrune = clock.now();
      pruned = await log.prune(lease, new Date(clock.now() - RETENTION_MS));
      if (pruned > 0) lastPrune = Number.NEGATIVE_INFINITY;
    }
    return moved + stamped + pruned > 0;
  }

  /** The next leader may be another process; an outage is told once, not twice a second. */
  async function failed(error: unknown): Promise<void> {
    if (error instanceof LeaseLost) {
      logger.warn({ generation }, 'the relay lost its lease');
      generation = null;
    } else if (!failing) {
      failing = true;
      logger.error({ err: error }, 'the relay failed a step and goes on');
    }
    await pause(ERROR_MS);
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        generation ??= await takeLease(pool, holder);
        if (generation === null) {
          await pause(STANDBY_MS);
          continue;
        }
        const worked = await step(generation);
        if (failing) logger.info('the relay works again');
        failing = false;
        if (worked) lastWork = performance.now();
        else await pause(performance.now() - lastWork < BUSY_FOR_MS ? BUSY_MS : IDLE_MS);
      } catch (error) {
        if (stopping) break;
        await failed(error);
      }
    }
    if (generation !== null) await releaseLease(pool, generation).catch(() => {});
  }

  const running = run();
  return {
    async stop() {
      stopping = true;
      unsubscribe();
      wake();
      await running;
    },
  };
}

const SETTLED_POLL_MS = 50;

/** Runs a relay until everything that has been written is in the log and stamped: after an import, when no service may be running. */
export async function settle(deps: RelayDeps): Promise<void> {
  const relay = startRelay(deps);
  try {
    for (;;) {
      const { rows } = await deps.pool.query<{ open: boolean }>(
        'SELECT EXISTS (SELECT 1 FROM outbox) OR EXISTS (SELECT 1 FROM match_touch) AS open',
      );
      if (!rows[0]!.open) return;
      await new Promise((resolve) => setTimeout(resolve, SETTLED_POLL_MS));
    }
  } finally {
    await relay.stop();
  }
}
