/**
 * Runs test modules as separate processes. They are started before a test needs them, and begin their work on request.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { TSX } from './tsx.ts';
import { until } from './until.ts';

export interface Launched<Word> {
  /** Starts the work. The process receives `{ word }`. */
  begin(word: Word): void;
  kill(): Promise<void>;
  resume(): void;
  /** Resolves when the process has stopped itself (SIGSTOP). */
  stopped(): Promise<void>;
  /** Resolves when the process has ended. */
  gone: Promise<unknown>;
}

export interface Launcher<Word> {
  /** Returns a process that is ready to begin. Meanwhile the next one is started. */
  take(): Promise<Launched<Word>>;
  close(): Promise<void>;
}

const PATIENCE_MS = 60_000;

const sourceOf = (name: string) => fileURLToPath(new URL(`${name}.ts`, import.meta.url));

function bundle(name: string): string {
  const file = fileURLToPath(
    new URL(`../../node_modules/.cache/touchline/${name}-${process.pid}.mjs`, import.meta.url),
  );
  mkdirSync(dirname(file), { recursive: true });
  buildSync({
    entryPoints: [sourceOf(name)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: file,
  });
  return file;
}

const stateOf = ({ pid }: ChildProcess) => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '')[0];

export interface LaunchOptions {
  /** Name of a module in this folder. The module sends its parent any message when it is ready. */
  name: string;
  /** The module's argument, which is passed as JSON. */
  options: object;
  /**
   * Whether the module is bundled into one file. Starting the sources 200 times would take minutes. A bundled module's
   * imports must not look for files beside themselves.
   */
  bundled?: boolean;
}

export function launcher<Word>({ name, options, bundled = false }: LaunchOptions): Launcher<Word> {
  const file = bundled ? bundle(name) : sourceOf(name);
  const alive = new Set<ChildProcess>();
  let closed = false;

  function launch(): Promise<Launched<Word>> {
    const child = fork(file, [JSON.stringify(options)], {
      execArgv: bundled ? [] : [...TSX],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    alive.add(child);
    const gone = once(child, 'exit').then(() => alive.delete(child));
    const launched: Launched<Word> = {
      begin: (word) => void child.send({ word }),
      async kill() {
        child.kill('SIGKILL');
        await gone;
      },
      resume: () => void child.kill('SIGCONT'),
      stopped: () => until(`${name} has stopped itself`, () => stateOf(child) === 'T', PATIENCE_MS),
      gone,
    };
    return new Promise((resolve, reject) => {
      child.once('message', () => resolve(launched));
      void gone.then(() => reject(new Error(`${name} ended before it had begun`)));
    });
  }
  let next: Promise<Launched<Word>> | null = null;
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
      if (bundled) rmSync(file, { force: true });
    },
  };
}
