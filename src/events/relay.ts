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
  let lastWork = 0;
  let lastPrune = 0;
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
    const moved = await log.move(lease);
    // Changes wait for events: a renamed league never delays a goal.
    const stamped = moved === 0 ? await stampChanges(lease) : 0;
    if (clock.now() - lastPrune >= PRUNE_EVERY_MS) {
      lastPrune = clock.now();
      await log.prune(lease, new Date(clock.now() - RETENTION_MS));
    }
    return moved + stamped > 0;
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
        if (worked) lastWork = Date.now();
        else await pause(Date.now() - lastWork < BUSY_FOR_MS ? BUSY_MS : IDLE_MS);
      } catch (error) {
        if (stopping) break;
        if (error instanceof LeaseLost) logger.warn({ generation }, 'the relay lost its lease');
        else logger.error({ err: error }, 'the relay failed a step and goes on');
        generation = error instanceof LeaseLost ? null : generation;
        await pause(ERROR_MS);
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
      const { rows } = await deps.pool.query<{ open: boolean }>('SELECT EXISTS (SELECT 1 FROM outbox) OR EXISTS (SELECT 1 FROM match_touch) AS open');
      if (!rows[0]!.open) return;
      await new Promise((resolve) => setTimeout(resolve, SETTLED_POLL_MS));
    }
  } finally {
    await relay.stop();
  }
}
