/** What a process has used so far, and what a server of any kind tells about itself. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type pg from 'pg';

export interface Usage {
  /** Microseconds of all its threads, in user and kernel. */
  cpuUs: number;
  /** Microseconds on the machine's clock. */
  at: number;
  /** Of the loop's time since the last call, the part in which it was not waiting. */
  loopBusy: number;
}

/** Microseconds on a clock that all processes of the machine share. */
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

/** Bytes of memory when nothing is left to collect. */
export async function memory(): Promise<{ rss: number; heap: number }> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc!();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
}

/** What a process holds when nothing is left to collect. */
export interface Held {
  /** Bytes, as the kernel counts them. */
  rss: number;
  /** Bytes of JavaScript objects. */
  heap: number;
  /** Bytes outside the heap, those of buffers among them. */
  external: number;
  /** Sockets, timers, requests: whatever keeps the event loop busy or waiting. Of both the least since the last look, since they come and go. */
  handles: number;
  /** Statements that the driver has prepared on the connections of the pool that are open. */
  prepared: number;
}

/** The driver's, of which its types say nothing. */
interface PoolInternals {
  _clients: { connection: { parsedStatements: Record<string, string> } }[];
}

const LOOK_EVERY_MS = 1_000;

/** @returns looks at a process again and again. @param pool its connections to Postgres */
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
