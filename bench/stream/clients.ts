/**
 * Thousands of stream clients in one process. They are written in C (clients.c) and compiled by `make`, because clients in Node would
 * dominate the measurement.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CLIENT_CORE, pinned } from '../child.ts';

const PROGRAM = fileURLToPath(new URL('../build/clients', import.meta.url));

export type Protocol = 'sse' | 'ws';

export interface Opening {
  port: number;
  protocol: Protocol;
  count: number;
  /** Connection paths. Connections use them in turn. */
  paths: string[];
  keys: string[];
  /** Whether clients read only the head of the response and then stall. */
  stalled?: boolean;
}

export interface Results {
  received: number;
  bytes: number;
  /** Connections that the server has ended so far. */
  ended: number;
  /** Share of the time in which the client process was not waiting. */
  busy: number;
  /** Number of deliveries, by the time from publication to receipt (histogram.ts). */
  histogram: number[];
}

export interface Clients {
  /** @returns milliseconds until all clients were connected */
  open(opening: Opening): Promise<number>;
  reset(): Promise<void>;
  /** Number of events received since the last reset. */
  received(): Promise<number>;
  /** Results since the last reset. */
  results(): Promise<Results>;
  close(): Promise<void>;
  kill(): Promise<void>;
}

export function startClients(): Clients {
  const [command, ...before] = [...pinned(CLIENT_CORE), PROGRAM];
  const program = spawn(command!, before, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(program, 'exit');
  const stop = () => program.kill('SIGKILL');
  process.once('exit', stop);
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
  let answered: Promise<unknown> = Promise.resolve();

  function ask(...request: string[]): Promise<string> {
    const answer = answered.then(async () => {
      program.stdin.write(`${request.join('\n')}\n`);
      const { done, value } = await lines.next();
      if (done || value.startsWith('fault ')) throw new Error(`clients: ${value ?? 'have ended'}`);
      return value;
    });
    answered = answer;
    return answer;
  }

  return {
    open: async ({ port, protocol, count, paths, keys, stalled = false }) => {
      const head = ['open', port, Number(protocol === 'ws'), count, Number(stalled), paths.length, keys.length];
      return Number(await ask(head.join(' '), ...paths, ...keys));
    },
    reset: async () => void (await ask('reset')),
    received: async () => Number(await ask('received')),
    results: async () => JSON.parse(await ask('results')),
    close: async () => void (await ask('close')),
    async kill() {
      stop();
      process.off('exit', stop);
      await ended;
    },
  };
}
