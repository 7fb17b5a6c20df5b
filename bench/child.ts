/** Starts child processes for benchmarks. A child answers calls from its parent. It runs on its own core if `taskset` is available. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// biome-ignore lint/suspicious/noExplicitAny: the functions of a child may take anything that can be sent
export type Api = Record<string, (...args: any[]) => unknown>;

export interface Child<A extends Api> {
  pid: number;
  call<K extends keyof A>(name: K, ...args: Parameters<A[K]>): Promise<Awaited<ReturnType<A[K]>>>;
  kill(): Promise<void>;
}

/**
 * The server runs on the first core and the clients on the second. Postgres, the relay and the publisher run on any
 * core.
 */
export const SERVER_CORE = 0;
export const CLIENT_CORE = 1;

export const canPin = (() => {
  try {
    execFileSync('taskset', ['-p', `${process.pid}`], { stdio: 'ignore' });
    return availableParallelism() > CLIENT_CORE;
  } catch {
    return false;
  }
})();

/** Returns the command prefix that pins a command to a core. */
export const pinned = (core: number | null): string[] => (canPin && core !== null ? ['taskset', '-c', `${core}`] : []);

/** Pins this process to a core. Children that are already running are not pinned. */
export function pinSelf(core: number): void {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', `${core}`, `${process.pid}`], { stdio: 'ignore' });
}

interface Answer {
  id: number;
  value?: unknown;
  fault?: string;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * @param name file path from this folder
 * @param core core to pin the child to; null for any
 */
export function startChild<A extends Api>(
  name: string,
  core: number | null,
  env: Record<string, string> = {},
): Child<A> {
  const [execPath, ...execArgv] = [...pinned(core), process.execPath, '--expose-gc', ...process.execArgv];
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), [], {
    execPath,
    execArgv,
    serialization: 'advanced',
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', env.LOG_LEVEL === 'info' ? 'pipe' : 'inherit', 'ipc'],
  });
  // Reads the request log without showing it, as a container runtime would.
  child.stderr?.resume();
  running.add(child);
  let calls = 0;
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  child.on('message', ({ id, value, fault }: Answer) => {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (fault === undefined) resolve(value);
    else reject(new Error(`${name}: ${fault}`));
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      for (const { reject } of waiting.values()) reject(new Error(`${name} ended with ${code ?? signal}`));
      resolve();
    });
  });
  return {
    pid: child.pid!,
    call: (method, ...args) =>
      new Promise((resolve, reject) => {
        calls += 1;
        waiting.set(calls, { resolve: resolve as (value: unknown) => void, reject });
        child.send({ id: calls, method, args });
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Answers calls in the child until the parent has ended. */
export function answer(api: Api): void {
  process.on('message', async ({ id, method, args }: { id: number; method: string; args: unknown[] }) => {
    try {
      process.send!({ id, value: await api[method]!(...args) });
    } catch (error) {
      process.send!({ id, fault: (error as Error).stack });
    }
  });
  process.once('disconnect', () => process.exit(0));
}
