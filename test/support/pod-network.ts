/**
 * A network for pods. It has a bridge with the host's address 10.244.n.1. Each pod has a network namespace with a
 * separate address.
 */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const ip = (...args: string[]) => promisify(execFile)('ip', args);

/** Returns why no network can be created here; null if one can. */
export function whyNoPodNetwork(): string | null {
  if (process.platform !== 'linux') return 'Linux is needed';
  if (process.getuid?.() !== 0) return 'root is needed for the network namespaces of pods';
  const name = `touchline-try-${process.pid}`;
  const made = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' });
  if (made.status !== 0) return `no network namespace can be made: ${(made.stderr ?? 'no program ip').trim()}`;
  spawnSync('ip', ['netns', 'delete', name]);
  return null;
}

export interface PodNetwork {
  /** This machine's address for pods. */
  host: string;
  /** Name of the bridge. Names of the network's namespaces begin with it. */
  bridge: string;
  add(): Promise<PodAddress>;
  remove(address: PodAddress): Promise<void>;
  close(): Promise<void>;
}

export interface PodAddress {
  namespace: string;
  ip: string;
}

interface Device {
  ifname: string;
  addr_info: { local: string }[];
}

export async function openPodNetwork(): Promise<PodNetwork> {
  const { stdout } = await ip('-json', 'address');
  const taken = new Set(
    (JSON.parse(stdout) as Device[]).flatMap((device) => device.addr_info.map(({ local }) => local)),
  );
  const net = Array.from({ length: 256 }, (_, n) => n).find((n) => !taken.has(`10.244.${n}.1`));
  if (net === undefined) throw new Error('all of 10.244.0.0/16 is taken');
  const host = `10.244.${net}.1`;
  const bridge = `touchline${net}`;
  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('address', 'add', `${host}/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  // Removes the network if the run is aborted.
  const atExit = () => clearPodNetwork(bridge);
  process.once('exit', atExit);
  const device = (number: number) => `tl${net}-${number}`;
  const used = new Map<number, string>();
  let next = 11;

  async function remove({ namespace, ip: address }: PodAddress): Promise<void> {
    const number = Number(address.split('.')[3]);
    // The kernel removes a namespace slowly. Until then it would keep the device, so that its name could not be used again.
    await ip('link', 'delete', device(number));
    await ip('netns', 'delete', namespace);
    used.delete(number);
  }
  return {
    host,
    bridge,
    async add() {
      // Takes addresses in rotation, so that a released address is not reused at once.
      while (used.has(next)) next = next >= 254 ? 11 : next + 1;
      const number = next;
      next = next >= 254 ? 11 : next + 1;
      const namespace = `${bridge}-${number}`;
      used.set(number, namespace);
      const address = `10.244.${net}.${number}`;
      const outer = device(number);
      const inside = (...args: string[]) => ip('-netns', namespace, ...args);
      await ip('netns', 'add', namespace);
      await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      await ip('link', 'set', outer, 'master', bridge, 'up');
      await inside('link', 'set', 'lo', 'up');
      await inside('address', 'add', `${address}/24`, 'dev', 'eth0');
      await inside('link', 'set', 'eth0', 'up');
      await inside('route', 'add', 'default', 'via', host);
      return { namespace, ip: address };
    },
    remove,
    async close() {
      process.off('exit', atExit);
      for (const [number, namespace] of used) {
        await ip('link', 'delete', device(number)).catch(() => {});
        await ip('netns', 'delete', namespace).catch(() => {});
      }
      used.clear();
      await ip('link', 'delete', bridge);
    },
  };
}

/** Removes what a killed run has left on this bridge: processes, namespaces and the device. */
export function clearPodNetwork(bridge: string): void {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  for (const line of stdout.split('\n')) {
    const [namespace = ''] = line.split(' ');
    if (!namespace.startsWith(`${bridge}-`)) continue;
    for (const pid of spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' }).stdout.split('\n'))
      if (pid !== '') process.kill(Number(pid), 'SIGKILL');
    spawnSync('ip', ['-netns', namespace, 'link', 'delete', 'eth0']);
    spawnSync('ip', ['netns', 'delete', namespace]);
  }
  spawnSync('ip', ['link', 'delete', bridge]);
}
