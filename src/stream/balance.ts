/**
 * Keeps the streams of all processes balanced, because a new process would stay empty for up to an hour. A process
 * above the mean asks its longest-lived streams to reconnect, a few a second.
 */
import type pg from 'pg';
import { leaseHolder } from '../db/lease.ts';
import { type Loop, startLoop } from '../runtime/loop.ts';
import { type OtherLoads, removeLoad, reportLoad } from './load-queries.ts';

/** Time between two reports. */
const REPORT_MS = 5_000;
/** How far below the mean a process may be, as a part of the mean and in streams. */
const BOUND = 0.1;
const LEAST_DEFICIT = 2;
/** Part of the process's streams that it moves in a second. */
const SHARE_PER_SECOND = 0.01;
/** A stream that has just been moved is not moved again. */
const LEAST_AGE_MS = 60_000;
/**
 * Moved streams after which the emptiest process has to have more, because a sticky load balancer sends all of them
 * back.
 */
const TRIAL = 100;
/** Pause after moves without an effect. */
const PAUSE_MS = 15 * 60_000;

/**
 * @param connections number of connections in this process
 * @returns the number of streams to move. None moves during a roll, in which the processes that end move theirs
 */
export function excessStreams(connections: number, others: OtherLoads): number {
  if (others.processes === 0 || others.isDraining) return 0;
  const mean = (others.connections + connections) / (others.processes + 1);
  // Many processes that are a little above the mean can leave one empty.
  return others.fewest < mean * (1 - BOUND) - LEAST_DEFICIT ? Math.max(0, Math.floor(connections - mean)) : 0;
}

interface BalancedHub {
  connections(): number;
  /** Asks the longest-lived streams that are older than this to reconnect. @returns how many */
  moveOldest(count: number, leastAgeMs: number): number;
}

export interface BalanceDeps {
  pool: pg.Pool;
  hub: BalancedHub;
  /** Milliseconds, which never go back. */
  now?: () => number;
}

/** Decides how many streams to move, from the loads at each report. */
export class Balance {
  readonly #now: () => number;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** Streams moved since the trial began, and the number that the emptiest process had then. */
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
  /** Tells the other processes that this one moves its streams itself. */
  drain(): void;
  stop(): Promise<void>;
}

/** Steps over which the moves between two reports are spread. */
const STEPS = 5;

export function startBalancer({ pool, hub, now = () => performance.now() }: BalanceDeps): Balancer {
  const process = leaseHolder();
  const balance = new Balance(now);
  let isDraining = false;
  /** Streams that are still to be moved before the next report, and the remaining steps. */
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

  // Admission logs an outage of Postgres.
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
