/** Relays as processes of their own. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { until } from './until.ts';

export interface RelayOptions {
  /** Of Postgres. */
  url: string;
  kafka?: { brokers: readonly string[]; topic: string; requestTimeoutMs: number };
}

/** What a relay does to itself at a named step (see relay-child.ts). */
export interface Strike {
  point: string;
  /** The first, where it is absent. */
  nth?: number;
  signal: 'SIGKILL' | 'SIGSTOP';
  /** Not at once: what follows the step has begun by then. */
  afterMs?: number;
}

export interface RelayProcess {
  /** It begins to be a relay. */
  begin(strike?: Strike): void;
  kill(): Promise<void>;
  resume(): void;
  /** Until it has stopped itself. */
  stopped(): Promise<void>;
  /** Until it has ended. */
  gone: Promise<unknown>;
}

export interface RelayLauncher {
  /** A process that is ready to begin; the one after it is made meanwhile. */
  take(): Promise<RelayProcess>;
  close(): Promise<void>;
}

const PATIENCE_MS = 60_000;

/** As one file, since 200 starts of the sources take minutes. */
function bundle(): string {
  const file = fileURLToPath(
    new URL(`../../node_modules/.cache/touchline/relay-child-${process.pid}.mjs`, import.meta.url),
  );
  mkdirSync(dirname(file), { recursive: true });
  buildSync({
    entryPoints: [fileURLToPath(new URL('relay-child.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: file,
  });
  return file;
}

const stateOf = ({ pid }: ChildProcess) => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '')[0];

export function relayLauncher(options: RelayOptions): RelayLauncher {
  const file = bundle();
  const alive = new Set<ChildProcess>();
  let closed = false;

  function launch(): Promise<RelayProcess> {
    const child = fork(file, [JSON.stringify(options)], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    alive.add(child);
    const gone = once(child, 'exit').then(() => alive.delete(child));
    const relay: RelayProcess = {
      begin: (strike) => void child.send({ strike: strike ?? null }),
      async kill() {
        child.kill('SIGKILL');
        await gone;
      },
      resume: () => void child.kill('SIGCONT'),
      stopped: () => until('the relay has stopped itself', () => stateOf(child) === 'T', PATIENCE_MS),
      gone,
    };
    return new Promise((resolve, reject) => {
      child.once('message', () => resolve(relay));
      void gone.then(() => reject(new Error('the relay ended before it had begun')));
    });
  }
  let next: Promise<RelayProcess> | null = null;
  const prepare = () => {
    next = launch();
    next.catch(() => {});
  };
  return {
    take() {
      if (next === null) prepare();
      const taken = next!;
      if (!closed) prepare();
      return taken;
    },
    async close() {
      closed = true;
      const ends = [...alive].map((child) => once(child, 'exit'));
      for (const child of alive) child.kill('SIGKILL');
      await Promise.all(ends);
      rmSync(file, { force: true });
    },
  };
}
