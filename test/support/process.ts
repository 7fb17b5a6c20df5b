/** Runs the command in a separate process, as a user does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Finished {
  code: number | null;
  out: string;
  err: string;
}

export interface Started {
  child: ChildProcess;
  output(): string;
  /** Returns what standard error has received so far. */
  errors(): string;
  /**
   * Waits until the output matches, and resolves with the match.
   * @throws if the process ends before that
   */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  finished: Promise<Finished>;
  interrupt(): Promise<Finished>;
}

/** Creates a data folder that other users may enter, since the embedded Postgres runs as a different user than root. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'touchline-process-'));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function isReachableByOthers(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

let readable: string | null = null;

/**
 * Copies this Node's binary to a path that other users can read, since npx keeps it in root's home.
 * @returns the path
 */
function nodeForOthers(): string {
  if (isReachableByOthers(process.execPath)) return process.execPath;
  if (readable === null) {
    const { path, remove } = temporaryFolder();
    readable = join(path, 'node');
    copyFileSync(process.execPath, readable);
    process.once('exit', remove);
  }
  return readable;
}

const LAUNCHER = new URL('../../bin/touchline.js', import.meta.url).pathname;

export interface StartOptions {
  env?: Record<string, string>;
  input?: string;
  uid?: number;
  cwd?: string;
  /** The launcher in a different copy of the sources. */
  launcher?: string;
  /** File for standard output. If set, standard output is not captured. */
  output?: string;
}

export function start(
  args: readonly string[],
  { env = {}, input, uid, cwd, launcher = LAUNCHER, output }: StartOptions = {},
): Started {
  const child = spawn(uid === undefined ? process.execPath : nodeForOthers(), [launcher, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: '/tmp',
      LOG_LEVEL: 'warn',
      PORT: '0',
      ADMIN_PORT: '0',
      ...env,
    },
    stdio: ['pipe', output === undefined ? 'pipe' : openSync(output, 'w'), 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
    ...(cwd !== undefined && { cwd }),
  });
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin!.end(input);
  const finished = new Promise<Finished>((resolve) => child.once('close', (code) => resolve({ code, out, err })));
  return {
    child,
    output: () => out,
    errors: () => err,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(out);
          if (found === null) return;
          child.stdout!.off('data', look);
          resolve(found);
        };
        child.stdout!.on('data', look);
        void finished.then(({ code }) => reject(new Error(`ended with ${code} before ${pattern}: ${out}${err}`)));
        look();
      }),
    finished,
    interrupt() {
      child.kill('SIGINT');
      return finished;
    },
  };
}

export const run = (args: readonly string[], options?: StartOptions): Promise<Finished> =>
  start(args, options).finished;

/** Whether the process runs. A zombie does not run. */
export function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
