/**
 * A Kubernetes node for tests. It takes the pods that the scheduler binds to it, and runs their containers as local
 * processes, with a network namespace for each pod. If a pod asks for something that is not supported, its status shows
 * an error; nothing is ignored.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeError, type KubeServer, kubeApi, type Resource } from './kube-api.ts';
import type { PodNetwork } from './pod-network.ts';
import { type ProcessPod, runPod } from './process-pod.ts';

const POLL_MS = 200;
const LEASE_MS = 5_000;
const LEASE_SECONDS = 40;

export interface ProcessKubelet {
  node: string;
  folder: string;
  /** Gives running pods the present content of their Secrets and ConfigMaps. A real kubelet does so after about a minute. */
  renewFiles(): Promise<void>;
  /** Kills all pods at once. */
  stop(): Promise<void>;
}

export interface KubeletOptions {
  network: PodNetwork;
  node?: string;
  log?: (line: string) => void;
}

/**
 * More capacity than the machine has. Pods request resources for real nodes, but here all pods share one small machine.
 */
const CAPACITY = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1000Gi', pods: '250' };

export async function startProcessKubelet(
  server: KubeServer,
  { network, node = 'process-node', log = () => {} }: KubeletOptions,
): Promise<ProcessKubelet> {
  const api = kubeApi(server);
  const folder = mkdtempSync(join(tmpdir(), 'touchline-kubelet-'));
  const pods = new Map<string, ProcessPod>();
  const stopping = new AbortController();
  const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

  const nodeStatus = () => ({
    capacity: CAPACITY,
    allocatable: CAPACITY,
    addresses: [
      { type: 'InternalIP', address: network.host },
      { type: 'Hostname', address: hostname() },
    ],
    conditions: ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
      type,
      status: type === 'Ready' ? 'True' : 'False',
      reason: 'ProcessKubelet',
      lastHeartbeatTime: now(),
      lastTransitionTime: now(),
    })),
    nodeInfo: {
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      operatingSystem: 'linux',
      kubeletVersion: 'v1.34.4',
      containerRuntimeVersion: 'process://1',
      osImage: 'none',
      kernelVersion: 'none',
      kubeProxyVersion: '',
      machineID: '',
      systemUUID: '',
      bootID: '',
    },
  });
  const leasePath = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

  async function register(): Promise<void> {
    const labels = { 'kubernetes.io/hostname': node, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
    await api('POST', '/api/v1/nodes', { metadata: { name: node, labels } }).catch((error) => {
      if (!(error instanceof KubeError) || error.status !== 409) throw error;
    });
    await api('PATCH', `/api/v1/nodes/${node}/status`, { status: nodeStatus() });
  }
  async function renew(): Promise<void> {
    const spec = {
      holderIdentity: node,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    };
    try {
      await api('PATCH', `${leasePath}/${node}`, { spec });
    } catch (error) {
      if (!(error instanceof KubeError) || error.status !== 404) throw error;
      await api('POST', leasePath, { metadata: { name: node, namespace: 'kube-node-lease' }, spec });
    }
  }

  function take(pod: Resource): void {
    const { uid, deletionTimestamp, deletionGracePeriodSeconds = 30 } = pod.metadata;
    const known = pods.get(uid);
    if (known !== undefined) {
      known.compare(pod.status);
      if (deletionTimestamp !== undefined) known.terminate(deletionGracePeriodSeconds);
      return;
    }
    if (['Succeeded', 'Failed'].includes(pod.status.phase)) {
      // The pod has ended by itself, and was kept for inspection until it was deleted.
      const { name, namespace } = pod.metadata;
      if (deletionTimestamp !== undefined)
        void api('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, { gracePeriodSeconds: 0 }).catch(() => {});
      return;
    }
    const made = runPod(pod, { api, network, apiPort: Number(new URL(server.url).port), folder, log });
    pods.set(uid, made);
    if (deletionTimestamp !== undefined) made.terminate(0);
    void made.gone.then(async () => {
      // Waits until the pod is no longer listed, or is listed as ended.
      await sleep(2_000, undefined, { ref: false });
      pods.delete(uid);
    });
  }

  async function sync(): Promise<void> {
    const { items } = await api('GET', `/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`);
    const listed = new Set<string>();
    for (const pod of items) {
      listed.add(pod.metadata.uid);
      take(pod);
    }
    // Ends pods that were deleted by force and are no longer listed.
    for (const [uid, pod] of pods) if (!listed.has(uid)) pod.terminate(0);
  }

  /** Repeats `work`. During an outage of the API server, pods keep running. */
  async function loop(everyMs: number, work: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await work().catch((error) => log(`kubelet: ${(error as Error).message}`));
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const atExit = () => {
    for (const pod of pods.values()) pod.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', atExit);
  await register();
  const loops = [loop(POLL_MS, sync), loop(LEASE_MS, renew), loop(LEASE_MS * 2, register)];

  return {
    node,
    folder,
    async renewFiles() {
      await Promise.all([...pods.values()].map((pod) => pod.renewFiles()));
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      for (const pod of pods.values()) pod.terminate(0);
      await Promise.all([...pods.values()].map((pod) => pod.gone));
      api.close();
      process.off('exit', atExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
