/**
 * Runs a container as a local process. It has the pod's network, a read-only root file system (with the machine's
 * programs, and the sources as /app, as in the image), the pod's volumes, the container's user, and a process id
 * namespace, so that all its processes end with the first one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMAGE_NODE, imageNode } from './image-node.ts';
import type { PodAddress } from './pod-network.ts';

/** The image's entry point. */
const ENTRYPOINT = ['node', '/app/bin/touchline.js'];
const SOURCES = new URL('../..', import.meta.url).pathname;
const SHARED = ['usr', 'bin', 'sbin', 'lib', 'lib64', 'etc', 'dev'];

/** Returns the image's Node if it can be obtained, so that tests run the shipped version. */
function podNode(): string {
  const node = imageNode();
  if (node === null && !isWarned)
    console.error(`Node ${IMAGE_NODE} cannot be obtained: pods run on ${process.version}`);
  isWarned ||= node === null;
  return node ?? process.execPath;
}
let isWarned = false;

export interface ContainerSpec {
  /** Folder for the container's root and log. */
  folder: string;
  address: PodAddress;
  command: string[] | undefined;
  args: string[];
  env: Record<string, string>;
  user: number;
  group: number;
  mounts: { from: string; to: string; readOnly: boolean }[];
  /** Text for /etc/hosts in the container. */
  hosts: string;
}

export interface Container {
  /** Resolves when the container has ended. */
  ended: Promise<{ exitCode: number; signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
  log: string;
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function script({ folder, command, args, env, user, group, mounts }: ContainerSpec): string {
  const root = join(folder, 'root');
  const inRoot = (path: string) => quote(join(root, path));
  const lines = [
    'set -e',
    `mount -t tmpfs -o mode=755 image ${quote(root)}`,
    ...SHARED.map(
      (name) =>
        `if [ -L /${name} ]; then cp -P /${name} ${inRoot(name)}; elif [ -d /${name} ]; then mkdir ${inRoot(name)}; mount --rbind /${name} ${inRoot(name)}; fi`,
    ),
    `mkdir ${inRoot('proc')} ${inRoot('app')} ${inRoot('node')}`,
    `mount -t proc proc ${inRoot('proc')}`,
    `mount --bind ${quote(SOURCES)} ${inRoot('app')}`,
    `mount -o remount,bind,ro ${inRoot('app')}`,
    `touch ${inRoot('node/node')}`,
    `mount --bind ${quote(podNode())} ${inRoot('node/node')}`,
    `mount --bind ${quote(join(folder, 'hosts'))} ${inRoot('etc/hosts')}`,
    ...mounts.flatMap(({ from, to, readOnly }) => [
      `mkdir -p ${inRoot(to)}`,
      `mount --bind ${quote(from)} ${inRoot(to)}`,
      ...(readOnly ? [`mount -o remount,bind,ro ${inRoot(to)}`] : []),
    ]),
    `mount -o remount,ro ${quote(root)}`,
    `cd ${inRoot('app')}`,
    [
      'exec',
      'chroot',
      `--userspec=${user}:${group}`,
      quote(root),
      '/usr/bin/env',
      '-i',
      '-C',
      '/app',
      ...Object.entries({
        PATH: '/node:/usr/local/bin:/usr/bin:/bin',
        HOME: '/tmp',
        NODE_ENV: 'production',
        ...env,
      }).map(([name, value]) => quote(`${name}=${value}`)),
      ...[...(command ?? ENTRYPOINT), ...args].map(quote),
    ].join(' '),
  ];
  return lines.join('\n');
}

export function startContainer(spec: ContainerSpec): Container {
  mkdirSync(join(spec.folder, 'root'), { recursive: true });
  writeFileSync(join(spec.folder, 'hosts'), spec.hosts);
  const log = join(spec.folder, 'log');
  const out = openSync(log, 'a');
  const outer: ChildProcess = spawn(
    'ip',
    [
      ...['netns', 'exec', spec.address.namespace],
      ...['unshare', '--mount', '--pid', '--fork', '--kill-child=SIGKILL', 'sh', '-c', script(spec)],
    ],
    { stdio: ['ignore', out, out], detached: true },
  );
  closeSync(out);
  const ended = new Promise<{ exitCode: number; signal: NodeJS.Signals | null }>((resolve) => {
    outer.once('error', () => resolve({ exitCode: 127, signal: null }));
    outer.once('exit', (code, signal) => resolve({ exitCode: code ?? 137, signal }));
  });
  return {
    ended,
    log,
    kill(signal) {
      if (outer.pid === undefined || outer.exitCode !== null || outer.signalCode !== null) return;
      // Signals the first process, with which all others end. It survives its parent, because a change of user drops PDEATHSIG.
      const first = Number(readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim());
      if (first > 0) process.kill(first, signal);
      if (signal === 'SIGKILL') outer.kill(signal);
    },
  };
}
