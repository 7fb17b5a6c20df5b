/**
 * Resident memory of idle roles: each runs as `touchline serve --role …` does, on an empty database, and is looked at
 * when it has been ready for a while. The bound is a process of the same Node that does nothing. IDLE_SECONDS=20.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROLES, type RoleName } from '../src/config/config.ts';
import { start } from '../test/support/process.ts';
import { openStage } from './stream/stage.ts';

const IDLE_MS = Number(process.env.IDLE_SECONDS ?? 20) * 1_000;
const GOAL_MB = 120;
const MB_KB = 1_024;
/** The operator needs a Kubernetes. */
const MEASURED =
  (process.env.ROLES?.split(',') as RoleName[] | undefined) ??
  ROLES.filter((role) => role !== 'all' && role !== 'operator');

/** Resident memory of a process in MB: what only it has, and in all, with the pages of files that processes share. */
function resident(pid: number): { all: number; own: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / MB_KB;
  return { all: read('VmRSS'), own: read('RssAnon') };
}

async function bareNode(): Promise<number> {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
  await sleep(2_000);
  const { all } = resident(child.pid!);
  child.kill('SIGKILL');
  return all;
}

const stage = await openStage();
let isMet = true;
try {
  const bound = await bareNode();
  for (const role of MEASURED) {
    const service = start(['serve', '--role', role], {
      env: {
        ...stage.env,
        ...(process.env.MALLOC_ARENA_MAX && { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX }),
        NODE_ENV: 'production',
        NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
      },
    });
    await service.until(/is ready after/);
    await sleep(IDLE_MS);
    const { all, own } = resident(service.child.pid!);
    isMet &&= all <= GOAL_MB;
    console.log(
      `idle ${role.padEnd(12)} ${all.toFixed(0).padStart(4)} MB (${own.toFixed(0)} without files)  bare Node ${bound.toFixed(0)} MB  ratio ${(all / bound).toFixed(1)}  goal ${GOAL_MB}  ${all <= GOAL_MB ? 'met' : 'MISSED'}`,
    );
    await service.interrupt();
  }
} finally {
  await stage.close();
}
process.exit(isMet ? 0 : 1);
