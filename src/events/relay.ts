/** The one leader that moves outbox rows into the event log and stamps changes. Deleting what was published cannot skip a late commit. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Logger } from 'pino';
import { BY_INDEX } from '../db/postgres.ts';
import type { Clock } from '../runtime/clock.ts';
import { ENVELOPE_MAX_BYTES } from '../wire/envelope.ts';
import { SLICE, stampChanges } from './change-stamps.ts';
import { BATCH_BYTES, LeaseLost, type LogWriter, RETENTION_MS } from './event-log.ts';
import { releaseLease, takeLease } from './lease.ts';
import { lastId, queueFloor } from './queue-floor.ts';

/** Between looks while there is work, and when there has been none for a while; ingest of the same process wakes it at once. */
const BUSY_MS = 20;
const IDLE_MS = 100;
const BUSY_FOR_MS = 2_000;
/** Where there is nothing to move, the lease is renewed and the log's end settled this often. */
const HOLD_EVERY_MS = 1_000;
const STANDBY_MS = 1_000;
const PRUNE_EVERY_MS = 60_000;
const ERROR_MS = 500;
/** Changes wait for events, so that a renamed league never delays a goal, but not for longer than this … */
const STAMPS_WAIT_MS = 250;
/** … and for one another: a stamp for each goal would cost more than the goal. */
const STAMPS_EVERY_MS = 50;
/** Events that fit into a batch however large they are: fewer were all there were. */
const SURELY_ALL = BATCH_BYTES / ENVELOPE_MAX_BYTES;

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
  const outbox = queueFloor();
  const touches = queueFloor();
  let stopping = false;
  let generation: number | null = null;
  let lastWork = Number.NEGATIVE_INFINITY;
  let lastMove = Number.NEGATIVE_INFINITY;
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

  /** What waits, by one statement: most looks of an idle relay find nothing. @throws {LeaseLost} */
  async function look(lease: number) {
    const after = { outbox: outbox.begin(), touches: touches.begin() };
    const [, { rows }] = (await pool.query(LOOK(lease, after))) as unknown as [unknown, pg.QueryResult<Waiting>];
    const [waiting] = rows;
    if (waiting === undefined) throw new LeaseLost();
    if (!waiting.events) await outbox.drained(() => lastId(pool, 'outbox'));
    if (!waiting.touches) await touches.drained(() => lastId(pool, 'match_touch'));
    return { after, ...waiting };
  }

  /** @returns what there was to do: `more` where it may not have been all */
  async function step(lease: number): Promise<'nothing' | 'some' | 'more'> {
    const waiting = await look(lease);
    let moved = 0;
    let fault: unknown = null;
    try {
      if (waiting.events || performance.now() - lastMove >= HOLD_EVERY_MS) {
        moved = await log.move(lease, waiting.after.outbox);
        lastMove = performance.now();
      }
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      // The log may be away for hours; sync does not need it.
      fault = error;
    }
    let stamped = 0;
    const allMoved = moved < SURELY_ALL;
    const waits = performance.now() - lastStamps;
    const isDue = waits >= (waiting.touches && allMoved ? STAMPS_EVERY_MS : STAMPS_WAIT_MS);
    if (isDue && (waiting.touches || waiting.unstamped)) {
      stamped = await stampChanges(pool, lease, waiting.after.touches);
      lastStamps = stamped === SLICE ? Number.NEGATIVE_INFINITY : performance.now();
    }
    if (fault !== null) throw fault;
    let pruned = 0;
    if (clock.now() - lastPrune >= PRUNE_EVERY_MS) {
      lastPrune = clock.now();
      pruned = await log.prune(lease, new Date(clock.now() - RETENTION_MS));
      if (pruned > 0) lastPrune = Number.NEGATIVE_INFINITY;
    }
    if (!allMoved || stamped === SLICE || pruned > 0) return 'more';
    return moved > 0 || waiting.touches ? 'some' : 'nothing';
  }

  /** The next leader may be another process; an outage is told once, not twice a second. */
  async function failed(error: unknown): Promise<void> {
    outbox.reset();
    touches.reset();
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
        const done = await step(generation);
        if (failing) logger.info('the relay works again');
        failing = false;
        if (done !== 'nothing') lastWork = performance.now();
        if (done !== 'more') await pause(performance.now() - lastWork < BUSY_FOR_MS ? BUSY_MS : IDLE_MS);
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

interface Waiting {
  events: boolean;
  touches: boolean;
  /** Events have reached the log since the last stamps: sync's end of the stream is behind it. */
  unstamped: boolean;
}

const LOOK = (lease: number, after: { outbox: number; touches: number }) => `${BY_INDEX};
  SELECT EXISTS (SELECT 1 FROM outbox WHERE id > ${after.outbox}) AS events,
    EXISTS (SELECT 1 FROM match_touch WHERE id > ${after.touches}) AS touches,
    stamped_cursor IS DISTINCT FROM base + last_offset AS unstamped
  FROM relay WHERE generation = ${lease}`;

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
