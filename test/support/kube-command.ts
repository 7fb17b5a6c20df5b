/**
 * `make kube` and `make kube-stop`: a control plane that keeps running after the command has ended. Can also build only
 * its programs, before several test processes each start a control plane.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KUBE_CACHE } from './go-programs.ts';
import { startKube } from './kube.ts';
import { judgePrograms, kubePrograms, whyNoJudges, whyNoKube } from './kube-binaries.ts';

interface State {
  pids: number[];
  kubeconfig: string;
  folder: string;
}

const STATE = join(KUBE_CACHE, 'running.json');

/** Whether the process still runs. By now, a different process may have the pid. */
function runs(pid: number, folder: string): boolean {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes(folder);
  } catch {
    return false;
  }
}

const read = (): State | null => (existsSync(STATE) ? (JSON.parse(readFileSync(STATE, 'utf8')) as State) : null);

const say = (kubeconfig: string) => {
  const { kubectl } = kubePrograms();
  console.log(`export KUBECONFIG=${kubeconfig}\n${kubectl} get namespaces`);
};

async function start(): Promise<void> {
  const state = read();
  if (state !== null) {
    if (state.pids.every((pid) => runs(pid, state.folder))) {
      say(state.kubeconfig);
      return;
    }
    await stop();
  }
  const kube = await startKube({ detached: true });
  mkdirSync(KUBE_CACHE, { recursive: true });
  writeFileSync(STATE, JSON.stringify({ pids: kube.pids(), kubeconfig: kube.kubeconfig, folder: kube.folder }));
  say(kube.kubeconfig);
}

async function stop(): Promise<void> {
  const state = read();
  if (state === null) {
    console.log('No control plane of `make kube` is running');
    return;
  }
  for (const pid of state.pids) if (runs(pid, state.folder)) process.kill(pid, 'SIGKILL');
  while (state.pids.some((pid) => runs(pid, state.folder))) await sleep(20);
  rmSync(state.folder, { recursive: true, force: true });
  rmSync(STATE);
  console.log('The control plane is stopped');
}

function build(): void {
  if (whyNoKube() === null) kubePrograms();
  if (whyNoJudges() === null) judgePrograms();
}

await { start, stop, build }[process.argv[2] as 'start' | 'stop' | 'build']();
