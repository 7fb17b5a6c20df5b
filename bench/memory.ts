/**
 * Resident memory of idle roles: each runs as in the image, with the options of the chart, on an empty database, and is
 * looked at when it has been ready for a while. The bound is a process of the same Node that does nothing.
 * ROLES=role[,role], IDLE_SECONDS=20.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ROLES, type RoleName } from '../src/config/config.ts';
import { start } from '../test/support/process.ts';
import { printFigure } from './report.ts';
import { memoryEnv, openStage } from './stream/stage.ts';

const IDLE_MS = Number(process.env.IDLE_SECONDS ?? 20) * 1_000;
const GOAL_MB = 120;
const MB_KB = 1_024;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The operator needs a Kubernetes. */
const MEASURED =
  (process.env.ROLES?.split(',') as RoleName[] | undefined) ??
  ROLES.filter((role) => role !== 'all' && role !== 'operator');

/** Resident memory of a process in MB: all, and the part that is not of files, whose pages processes share. */
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

/** @returns a folder with what the image has: the launcher and the bundle of the sources */
function imageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-image-'));
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, [join(ROOT, 'bin/bundle.js'), join(folder, 'dist')]);
  return folder;
}

const folder = imageFolder();
const stage = await openStage();
try {
  const bound = await bareNode();
  for (const role of MEASURED) {
    const service = start(['serve', '--role', role], {
      env: {
        ...stage.env,
        NODE_ENV: 'production',
        // The root of a pod is read-only, and its compile cache stays empty.
        NODE_DISABLE_COMPILE_CACHE: '1',
        ...memoryEnv(role),
      },
      launcher: join(folder, 'bin/touchline.js'),
    });
    await service.until(/is ready after/);
    await sleep(IDLE_MS);
    const { all, own } = resident(service.child.pid!);
    printFigure(
      `idle ${role}`,
      { value: all, goal: GOAL_MB, unit: ' MB' },
      `${own.toFixed(0)} MB without files, bare Node ${bound.toFixed(0)} MB`,
    );
    await service.interrupt();
  }
} finally {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
