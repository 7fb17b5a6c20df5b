/** A pod on process-kubelet's node, with its start, probes, restarts, end, and status. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KubeApi, KubeError, type Resource } from './kube-api.ts';
import { type Container, startContainer } from './pod-container.ts';
import type { PodAddress, PodNetwork } from './pod-network.ts';
import { probePasses } from './pod-probe.ts';
import { environmentOf, expand, hostsOf, makeVolumes, renewVolumes } from './pod-spec.ts';

/** First back-off. A kubelet begins with 10 s and goes up to 300 s, which is too long for a test. */
const BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 10_000;
/** How long a container has to run well until the back-off begins again at the first value. */
const HEALTHY_MS = 60_000;
const RETRY_MS = 200;
/** How often a pod that lacks a Secret or a ConfigMap tries again. */
const CONFIG_RETRY_MS = 1_000;

type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

interface ContainerStatus {
  name: string;
  spec: Resource;
  init: boolean;
  running: Container | null;
  started: boolean;
  ready: boolean;
  restarts: number;
  state: Resource;
  lastState: Resource;
}

export interface ProcessPod {
  uid: string;
  /** Compares the pod's status with the stored one from the API server, and reports it again if they differ. */
  compare(status: Resource): void;
  /** Gives the pod the present content of its Secrets and ConfigMaps. */
  renewFiles(): Promise<void>;
  /** Ends the pod with SIGTERM, and after the grace period with SIGKILL. */
  terminate(graceSeconds: number): void;
  /** Resolves when all the pod's processes have ended and its network is released. */
  gone: Promise<void>;
  kill(): void;
}

const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

export interface PodContext {
  api: KubeApi;
  network: PodNetwork;
  /** Port of the API server on `network.host`. */
  apiPort: number;
  /** Folder for pods' volumes, roots and logs. */
  folder: string;
  log(line: string): void;
}

export function runPod(pod: Resource, { api, network, apiPort, folder: parent, log }: PodContext): ProcessPod {
  const { namespace, name, uid } = pod.metadata;
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  const folder = join(parent, 'pods', `${namespace}_${name}_${uid}`);
  const startTime = now();
  const stopping = new AbortController();
  const make =
    (init: boolean) =>
    (spec: Resource): ContainerStatus => ({
      name: spec.name,
      spec,
      init,
      running: null,
      started: false,
      ready: false,
      restarts: 0,
      state: { waiting: { reason: 'PodInitializing' } },
      lastState: {},
    });
  const inits: ContainerStatus[] = (pod.spec.initContainers ?? []).map(make(true));
  const containers: ContainerStatus[] = pod.spec.containers.map(make(false));
  let address: PodAddress | null = null;
  let places = new Map<string, string>();
  let phase: Phase = 'Pending';
  let initialized = false;
  let graceSeconds: number = pod.spec.terminationGracePeriodSeconds ?? 30;
  let deleted = false;
  const transitions = new Map<string, { status: string; at: string }>();

  function condition(type: string, holds: boolean) {
    const status = holds ? 'True' : 'False';
    if (transitions.get(type)?.status !== status) transitions.set(type, { status, at: now() });
    return { type, status, lastTransitionTime: transitions.get(type)!.at };
  }
  const wire = (one: ContainerStatus) => ({
    name: one.name,
    image: one.spec.image,
    imageID: one.spec.image,
    containerID: `process://${uid}-${one.name}-${one.restarts}`,
    restartCount: one.restarts,
    started: one.started,
    ready: one.ready,
    state: one.state,
    lastState: one.lastState,
  });
  function status() {
    const ready = phase === 'Running' && containers.every((one) => one.ready);
    return {
      phase,
      startTime,
      hostIP: network.host,
      ...(address !== null && { podIP: address.ip, podIPs: [{ ip: address.ip }] }),
      conditions: [
        condition('PodScheduled', true),
        condition('Initialized', initialized),
        condition('ContainersReady', ready),
        condition('Ready', ready),
      ],
      ...(inits.length > 0 && { initContainerStatuses: inits.map(wire) }),
      containerStatuses: containers.map(wire),
    };
  }

  /** Reports are sent one at a time. Changes during a report are in the next one. */
  let reporting: Promise<void> = Promise.resolve();
  let asked = false;
  let reported = '';
  async function send(): Promise<void> {
    asked = false;
    const text = JSON.stringify(status());
    while (text !== reported && !deleted) {
      try {
        await api('PATCH', `${path}/status`, { metadata: { uid }, status: JSON.parse(text) });
        reported = text;
      } catch (error) {
        // The pod is gone, or a different pod has its name.
        if (error instanceof KubeError && error.status === 404) return;
        log(`${namespace}/${name}: ${(error as Error).message}`);
        await sleep(RETRY_MS);
        if (asked) return;
      }
    }
  }
  function report(): void {
    if (asked) return;
    asked = true;
    reporting = reporting.then(send);
  }

  /** Reports the status again if somebody has changed it: the controller manager sets pods of a silent node to not ready. */
  function compare(stored: Resource): void {
    if (reported === '') return;
    const { phase: was, conditions } = JSON.parse(reported);
    const holds = ({ type, status: value }: Resource) =>
      stored.conditions?.some((one: Resource) => one.type === type && one.status === value);
    if (stored.phase === was && conditions.every(holds)) return;
    reported = '';
    report();
  }

  async function launch(one: ContainerStatus): Promise<Container> {
    const context = { ...pod.spec.securityContext, ...one.spec.securityContext };
    const self = { ...pod, status: { ...pod.status, podIP: address!.ip, hostIP: network.host } };
    const env = {
      KUBERNETES_SERVICE_HOST: network.host,
      KUBERNETES_SERVICE_PORT: String(apiPort),
      ...(await environmentOf(api, self, one.spec)),
    };
    for (const part of ['lifecycle', 'volumeDevices'])
      if (one.spec[part] !== undefined) throw new Error(`${part} of a container is not known here`);
    const mounts = (one.spec.volumeMounts ?? []).map((mount: Resource) => {
      if (mount.subPath) throw new Error('subPath is not known here');
      return { from: places.get(mount.name)!, to: mount.mountPath, readOnly: mount.readOnly === true };
    });
    return startContainer({
      folder: join(folder, one.name),
      address: address!,
      command: one.spec.command?.map((part: string) => expand(part, env)),
      args: (one.spec.args ?? []).map((part: string) => expand(part, env)),
      env,
      user: context.runAsUser ?? 0,
      group: context.runAsGroup ?? 0,
      mounts,
      hosts: await hostsOf(api, pod),
    });
  }

  /** Sends SIGTERM, and SIGKILL after the grace period. A process that has only just started may miss the SIGTERM. */
  function end(container: Container): void {
    container.kill('SIGTERM');
    void sleep(graceSeconds * 1_000, undefined, { ref: false }).then(() => container.kill('SIGKILL'));
  }

  /** Runs a probe until the container ends. */
  async function probe(
    one: ContainerStatus,
    container: Container,
    kind: string,
    then: (passes: boolean) => void,
  ): Promise<void> {
    const of = one.spec[kind];
    if (of === undefined) {
      then(true);
      return;
    }
    await sleep((of.initialDelaySeconds ?? 0) * 1_000);
    let row = 0;
    let last: boolean | null = null;
    while (one.running === container) {
      const passes = await probePasses(address!.ip, one.spec, of);
      if (one.running !== container) return;
      row = passes === last ? row + 1 : 1;
      last = passes;
      if (row >= (passes ? (of.successThreshold ?? 1) : (of.failureThreshold ?? 3))) then(passes);
      if (kind === 'startupProbe' && passes) return;
      await sleep((of.periodSeconds ?? 10) * 1_000);
    }
  }

  async function watch(one: ContainerStatus, container: Container): Promise<void> {
    const setReady = (ready: boolean) => {
      one.ready = ready;
      report();
    };
    const restart = (why: string) => (passes: boolean) => {
      // A container in a pod that is being deleted ends anyway, so a failed probe does not matter.
      if (passes || stopping.signal.aborted) return;
      log(`${namespace}/${name} ${one.name}: ${why} fails`);
      end(container);
    };
    await probe(one, container, 'startupProbe', (passes) => {
      if (passes) one.started = true;
      else restart('startup probe')(false);
    });
    if (one.running !== container || !one.started) return;
    report();
    await Promise.all([
      probe(one, container, 'readinessProbe', setReady),
      one.spec.livenessProbe && probe(one, container, 'livenessProbe', restart('liveness probe')),
    ]);
  }

  /**
   * Runs a container, and restarts it by the pod's restart policy.
   * @returns the last exit code
   */
  async function run(one: ContainerStatus): Promise<number> {
    let backoff = BACKOFF_MS;
    const policy = one.init && pod.spec.restartPolicy === 'Always' ? 'OnFailure' : pod.spec.restartPolicy;
    for (;;) {
      if (stopping.signal.aborted) return 137;
      let container: Container;
      try {
        container = await launch(one);
      } catch (error) {
        one.state = { waiting: { reason: 'CreateContainerConfigError', message: (error as Error).message } };
        report();
        await sleep(CONFIG_RETRY_MS);
        continue;
      }
      const startedAt = now();
      const begun = performance.now();
      one.running = container;
      one.started = false;
      one.state = { running: { startedAt } };
      if (!one.init) phase = 'Running';
      report();
      if (stopping.signal.aborted) end(container);
      void watch(one, container);
      const { exitCode } = await container.ended;
      one.running = null;
      one.ready = false;
      one.started = false;
      const reason = exitCode === 0 ? 'Completed' : 'Error';
      one.state = { terminated: { exitCode, reason, startedAt, finishedAt: now() } };
      report();
      if (stopping.signal.aborted || policy === 'Never' || (policy === 'OnFailure' && exitCode === 0)) return exitCode;
      log(`${namespace}/${name} ${one.name} ended with ${exitCode}; its log: ${container.log}`);
      if (performance.now() - begun > HEALTHY_MS) backoff = BACKOFF_MS;
      one.lastState = one.state;
      one.state = { waiting: { reason: 'CrashLoopBackOff' } };
      one.restarts += 1;
      report();
      await sleep(backoff, undefined, { signal: stopping.signal }).catch(() => {});
      backoff = Math.min(backoff * 2, LONGEST_BACKOFF_MS);
    }
  }

  async function prepare(): Promise<void> {
    mkdirSync(folder, { recursive: true });
    address = await network.add();
    while (!stopping.signal.aborted) {
      try {
        places = await makeVolumes(api, pod, join(folder, 'volumes'));
        return;
      } catch (error) {
        for (const one of containers)
          one.state = { waiting: { reason: 'ContainerCreating', message: (error as Error).message } };
        report();
        await sleep(CONFIG_RETRY_MS);
      }
    }
  }

  async function live(): Promise<void> {
    await prepare();
    let failed = false;
    for (const one of inits) {
      if ((await run(one)) !== 0) failed = true;
      if (failed) break;
      one.ready = true;
    }
    initialized = !failed;
    if (!failed && !stopping.signal.aborted) {
      const codes = await Promise.all(containers.map(run));
      failed = codes.some((code) => code !== 0);
    }
    phase = failed ? 'Failed' : 'Succeeded';
    report();
    await reporting;
  }

  const gone = (async () => {
    await live().catch((error) => log(`${namespace}/${name}: ${(error as Error).stack}`));
    if (address !== null) await network.remove(address).catch(() => {});
    // As its last step, the node removes a deleted pod from the API server. A pod that has ended by itself stays for inspection.
    if (stopping.signal.aborted) {
      rmSync(folder, { recursive: true, force: true });
      await api('DELETE', path, { gracePeriodSeconds: 0, preconditions: { uid } }).catch(() => {});
    }
    deleted = true;
  })();

  return {
    uid,
    gone,
    compare,
    renewFiles: () => renewVolumes(api, pod, join(folder, 'volumes')),
    terminate(seconds) {
      if (stopping.signal.aborted) return;
      graceSeconds = seconds;
      stopping.abort();
      for (const { running } of [...inits, ...containers]) if (running !== null) end(running);
    },
    kill() {
      for (const { running } of [...inits, ...containers]) running?.kill('SIGKILL');
    },
  };
}
