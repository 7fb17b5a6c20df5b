/**
 * Balances the streams over all processes. Otherwise a new process would stay nearly empty for up to an hour. A
 * process with more streams than the mean asks the clients of its longest-lived streams to reconnect, a few each
 * second.
 */
import type pg from 'pg';
import { leaseHolder } from '../db/lease.ts';
import { type Loop, startLoop } from '../runtime/loop.ts';
import { type OtherLoads, removeLoad, reportLoad } from './load-queries.ts';

/** Time between two reports. */
const REPORT_MS = 5_000;
/** How far below the mean a process may be: this share of the mean, plus a number of streams. */
const BOUND = 0.1;
const LEAST_DEFICIT = 2;
/** Share of the process's streams that it moves per second. */
const SHARE_PER_SECOND = 0.01;
/** Minimum age of a stream that is moved, so that no stream is moved twice in a row. */
const LEAST_AGE_MS = 60_000;
/**
 * Number of moved streams after which the moves are judged. If the emptiest process has not gained any streams by then,
 * a sticky load balancer probably sends the moved streams back.
 */
const TRIAL = 100;
/** Pause after moves that had no effect. */
const PAUSE_MS = 15 * 60_000;

/**
 * @param connections number of connections in this process
 * @returns the number of streams to move. It is 0 while a process is draining, since that process moves all its
 * streams anyway.
 */
export function excessStreams(connections: number, others: OtherLoads): number {
  if (others.processes === 0 || others.isDraining) return 0;
  const mean = (others.connections + connections) / (others.processes + 1);
  // The emptiest process decides, because many processes that are slightly above the mean can leave one process empty.
  return others.fewest < mean * (1 - BOUND) - LEAST_DEFICIT ? Math.max(0, Math.floor(connections - mean)) : 0;
}

interface BalancedHub {
  connections(): number;
  /**
   * Asks up to `count` streams that are at least this old to reconnect, the longest-lived first.
   * @returns how many were asked
   */
  moveOldest(count: number, leastAgeMs: number): number;
}

export interface BalanceDeps {
  pool: pg.Pool;
  hub: BalancedHub;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** Decides at each report, from all processes' loads, how many streams to move. */
export class Balance {
  readonly #now: () => number;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** Streams moved since the trial began, and how many the emptiest process had at that time. */
  #moved = 0;
  #fewest = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns the number of streams to move until the next report */
  toMove(connections: number, others: OtherLoads): number {
    const excess = excessStreams(connections, others);
    if (excess === 0) {
      this.#moved = 0;
      return 0;
    }
    if (this.#now() < this.#pausedUntil) return 0;
    if (this.#moved >= TRIAL) {
      const hasEffect = others.fewest > this.#fewest;
      this.#moved = 0;
      if (!hasEffect) {
        this.#pausedUntil = this.#now() + PAUSE_MS;
        return 0;
      }
    }
    if (this.#moved === 0) this.#fewest = others.fewest;
    return Math.min(excess, Math.max(1, Math.ceil((connections * SHARE_PER_SECOND * REPORT_MS) / 1_000)));
  }

  moved(count: number): void {
    this.#moved += count;
  }
}

export interface Balancer {
  /** Tells the other processes that this one is draining, so that they move no streams. */
  drain(): void;
  stop(): Promise<void>;
}

/** The moves between two reports are spread over this number of steps. */
const STEPS = 5;

export function startBalancer({ pool, hub, now = () => performance.now() }: BalanceDeps): Balancer {
  const process = leaseHolder();
  const balance = new Balance(now);
  let isDraining = false;
  /** Streams to move before the next report, and the number of steps left for them. */
  let open = 0;
  let steps = 0;

  async function step(): Promise<number> {
    if (steps === 0) {
      const connections = hub.connections();
      const others = await reportLoad(pool, process, { connections, isDraining });
      open = isDraining ? 0 : balance.toMove(connections, others);
      steps = STEPS;
    }
    const count = Math.ceil(open / steps);
    if (count > 0 && !isDraining) balance.moved(hub.moveOldest(count, LEAST_AGE_MS));
    open -= count;
    steps -= 1;
    return REPORT_MS / STEPS;
  }

  // Failures are not logged here, because admission logs an outage of Postgres.
  const loop: Loop = startLoop({ run: step, retryMs: REPORT_MS });
  return {
    drain() {
      isDraining = true;
      steps = 0;
      loop.wake();
    },
    async stop() {
      await loop.stop();
      await removeLoad(pool, process).catch(() => {});
    },
  };
}
