/** A process's resource use so far, and the figures that any kind of server reports about itself. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type pg from 'pg';

export interface Usage {
  /** All threads' CPU time in microseconds, in user and kernel. */
  cpuUs: number;
  /** Microseconds on the machine's clock. */
  at: number;
  /** Share of the event loop's time since the last call in which it was not waiting. */
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

/** Bytes of memory after garbage collection. */
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
  /** Bytes, as the kernel counts them. */
  rss: number;
  /** Bytes of JavaScript objects. */
  heap: number;
  /** Bytes outside the heap, buffers included. */
  external: number;
  /**
   * Sockets, timers, requests and everything else that keeps the event loop busy or waiting. The minimum since the last sample,
   * since they come and go; also for `prepared`.
   */
  handles: number;
  /** Statements that the driver has prepared on the pool's open connections. */
  prepared: number;
}

/** Driver internals, which the driver's types do not declare. */
interface PoolInternals {
  _clients: { connection: { parsedStatements: Record<string, string> } }[];
}

const LOOK_EVERY_MS = 1_000;

/** @returns a function that samples a process. @param pool the process's connections to Postgres */
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
