/**
 * The programs of a Kubernetes control plane: from `KUBEBUILDER_ASSETS` if it is set, otherwise built once by Go into a
 * cache outside this repository.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const KUBE_CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'touchline', 'kube');

/** Programs, each with its package in the module of the folder `kube`. */
const PACKAGES = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  helm: 'helm.sh/helm/v3/cmd/helm',
} as const;

export type Program = keyof typeof PACKAGES;
const PROGRAMS = Object.keys(PACKAGES) as Program[];

/** Versions set at link time: charts and clients ask for them. */
const LINK = [
  '-s -w',
  ...['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((place) => [
    `-X ${place}.gitVersion=v1.34.4`,
    `-X ${place}.gitMajor=1`,
    `-X ${place}.gitMinor=34`,
  ]),
  ...['Major=1', 'Minor=34'].map((part) => `-X helm.sh/helm/v3/pkg/chartutil.k8sVersion${part}`),
].join(' ');

const MODULE = new URL('kube', import.meta.url).pathname;
const versions = createHash('sha256')
  .update(readFileSync(join(MODULE, 'go.mod')))
  .update(LINK)
  .digest('hex')
  .slice(0, 12);
const BIN = join(KUBE_CACHE, `bin-${versions}`);

/** Returns the name that Go gives a program: the last part of its package that is not a version. */
const built = (program: Program) =>
  PACKAGES[program]
    .replace(/\/v\d+$/, '')
    .split('/')
    .at(-1)!;

function find(program: Program): string | null {
  const folders = [process.env.KUBEBUILDER_ASSETS, BIN].filter((folder) => folder !== undefined && folder !== '');
  return folders.map((folder) => join(folder!, program)).find((path) => existsSync(path)) ?? null;
}

/** Returns the reason why no control plane is available here, null if one is. */
export function whyNoKube(): string | null {
  if (PROGRAMS.every((program) => find(program) !== null)) return null;
  if (process.platform !== 'linux') return 'Linux is needed';
  const go = spawnSync('go', ['version'], { encoding: 'utf8' });
  if (go.status !== 0) return 'Go is needed to build it (or KUBEBUILDER_ASSETS)';
  return null;
}

/** Returns the path of each program, after building missing ones, which takes minutes. A file gets its name when it is complete. */
export function kubePrograms(): Record<Program, string> {
  const missing = PROGRAMS.filter((program) => find(program) === null);
  if (missing.length > 0) {
    console.log(`Building ${missing.join(', ')} into ${BIN}: some minutes, once`);
    const partial = `${BIN}.part-${process.pid}`;
    mkdirSync(partial, { recursive: true });
    const { status } = spawnSync(
      'go',
      ['build', `-ldflags=${LINK}`, '-o', `${partial}/`, ...missing.map((program) => PACKAGES[program])],
      { cwd: MODULE, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, CGO_ENABLED: '0' } },
    );
    if (status !== 0) {
      rmSync(partial, { recursive: true });
      throw new Error('the control plane could not be built by Go');
    }
    mkdirSync(BIN, { recursive: true });
    for (const program of missing) renameSync(join(partial, built(program)), join(BIN, program));
    rmSync(partial, { recursive: true });
  }
  return Object.fromEntries(PROGRAMS.map((program) => [program, find(program)!])) as Record<Program, string>;
}
