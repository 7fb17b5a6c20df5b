/** Reports how many resources a process has used so far. All figures are available for any kind of server. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type pg from 'pg';

export interface Usage {
  /** CPU time of all threads in microseconds, in user and kernel mode. */
  cpuUs: number;
  /** Time of the sample, in microseconds on the machine's clock. */
  at: number;
  /** Share of the time since the last call in which the event loop was busy. */
  loopBusy: number;
}

/** Microseconds on a clock that all processes on the machine share. */
export const nowUs = () => Math.round(Number(process.hrtime.bigint() / 1_000n));

let before: EventLoopUtilization | undefined;

export function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const now = performance.eventLoopUtilization();
  const loopBusy = performance.eventLoopUtilization(now, before).utilization;
  before = now;
  return { cpuUs: user + system, at: nowUs(), loopBusy };
}

const SETTLE_MS = 300;

/** Returns the process's memory after garbage collection, in bytes. */
export async function memory(): Promise<{ rss: number; heap: number }> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc!();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
}

/** A process's memory after garbage collection. */
export interface Held {
  /** Resident memory in bytes, as the kernel counts it. */
  rss: number;
  /** JavaScript objects in bytes. */
  heap: number;
  /** Memory outside the heap in bytes, including buffers. */
  external: number;
  /**
   * Everything that keeps the event loop running, such as sockets, timers and requests. They come and go, so this is the minimum since the
   * last sample. The same is true of `prepared`.
   */
  handles: number;
  /** Statements that the driver has prepared on the pool's open connections. */
  prepared: number;
}

/** Internals of the driver that its types do not declare. */
interface PoolInternals {
  _clients: { connection: { parsedStatements: Record<string, string> } }[];
}

const LOOK_EVERY_MS = 1_000;

/**
 * @param pool the process's connections to Postgres
 * @returns a function that samples the process
 */
export function holder(pool: pg.Pool): () => Promise<Held> {
  let least: Pick<Held, 'handles' | 'prepared'> | null = null;
  function look(): Pick<Held, 'handles' | 'prepared'> {
    const clients = (pool as unknown as PoolInternals)._clients;
    const prepared = clients.reduce((sum, { connection }) => sum + Object.keys(connection.parsedStatements).length, 0);
    const handles = process.getActiveResourcesInfo().length;
    least = {
      handles: Math.min(handles, least?.handles ?? handles),
      prepared: Math.min(prepared, least?.prepared ?? prepared),
    };
    return least;
  }
  setInterval(look, LOOK_EVERY_MS).unref();
  return async () => {
    const seen = look();
    least = null;
    const { rss, heap } = await memory();
    const { external } = process.memoryUsage();
    return { rss, heap, external, ...seen };
  };
}
