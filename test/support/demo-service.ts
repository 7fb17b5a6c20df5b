/** Runs the service with its demo in a process of its own, on free ports and in an empty folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/touchline.js', import.meta.url));
const START_LIMIT_MS = 120_000;

export interface Demo {
  url: string;
  key: string;
  stop(): Promise<void>;
}

/** @throws {Error} if the service ends before it is ready */
export async function startDemo(): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'touchline-demo-'));
  const env = { ...process.env, DEMO: '1', DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    return { ...(await readAddress(child)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads address and key from the lines that the service prints when it is ready. */
async function readAddress(child: ChildProcess): Promise<{ url: string; key: string }> {
  const timer = setTimeout(() => child.kill('SIGTERM'), START_LIMIT_MS);
  let url: string | undefined;
  try {
    for await (const line of createInterface({ input: child.stdout! })) {
      url ??= /is ready after [\d.]+ s: (\S+)/.exec(line)?.[1];
      const key = /Demo key: (\S+)/.exec(line)?.[1];
      if (url !== undefined && key !== undefined) {
        child.stdout!.resume();
        return { url, key };
      }
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error('The service has ended before it was ready.');
}
