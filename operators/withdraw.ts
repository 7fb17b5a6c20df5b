/**
 * Ends an installation's service before it is uninstalled. Stops the operator, notes in the resources' statuses that
 * they are not served, and deletes the Leases and the dedicated dispatchers. The resources and rows stay for a later
 * installation.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readVariables } from '../src/config/variable.ts';
import { commonVariables } from '../src/config/variables.ts';
import { openLogger } from '../src/runtime/logger.ts';
import { errorMessage } from '../src/runtime/unknown-values.ts';
import { operatorVariables, servedNamespaces } from './config.ts';
import {
  ALL_NAMESPACES,
  type Api,
  DEPLOYMENTS,
  isStatus,
  type KubeObject,
  LEASES,
  loadConfig,
  openKubeApi,
  ownNamespace,
} from './runtime/kube-api.ts';
import { type Leader, type Lease, startLeader } from './runtime/leader-election.ts';
import { CLAIM } from './runtime/served-namespaces.ts';
import type { Declared } from './tenancy/kind.ts';
import { KINDS } from './tenancy/kinds.ts';
import { releaseDeclared } from './tenancy/withdraw.ts';
import { SUBSCRIPTIONS } from './webhook-subscription/crd.ts';
import { releaseSubscriptions } from './webhook-subscription/withdraw.ts';

const POLL_MS = 200;
/**
 * How long to wait for the operator to stop. A replica has 30 s to stop. If it is killed, its Lease expires in half
 * that time.
 */
const PATIENCE_MS = 45_000;

export interface Withdrawal {
  api: Api;
  logger: Logger;
  /** The operator's namespace. */
  namespace: string;
  /** The namespaces that the installation serves. */
  namespaces: readonly string[];
  /** The installation's name. */
  name: string;
  /**
   * The operator's Deployment. Undefined if the operator does not run in a Deployment. In that case it must already
   * have been stopped.
   */
  deployment: string | undefined;
  /** How long the operator may take to stop, in milliseconds. */
  patienceMs: number;
  say(line: string): void;
}

/**
 * Does as much as possible. A failure is reported in one line and does not stop the later steps, since the
 * uninstallation goes on.
 * @returns whether everything succeeded
 */
export async function withdraw(given: Withdrawal): Promise<boolean> {
  const { api, logger, namespace, namespaces, name, say } = given;
  let isComplete = true;
  async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      isComplete = false;
      say(`${what}: ${errorMessage(error)}`);
    }
  }

  await attempt('The operator was not stopped', () => stopOperator(given));
  const lease = `${name}-operator`;
  const identity = `${hostname()}-${randomBytes(4).toString('hex')}`;
  const leader = startLeader({ api, logger, namespace, name: lease, identity, onChange: () => {} });
  try {
    await attempt('The operator may still run, so the status of its resources was not changed', async () => {
      await waitForLead(leader, given.patienceMs);
      const writing = api.guarded(() => leader.gate());
      for (const place of await occupied(api, namespaces, `${namespace}/${name}`))
        await attempt(`The namespace ${place} was not released`, () => release(writing, place, given));
    });
  } finally {
    await leader.stop();
  }
  await attempt(`The Lease ${lease} was not removed`, () => removeLease(api, namespace, lease, ''));
  return isComplete;
}

async function stopOperator({ api, namespace, deployment }: Withdrawal): Promise<void> {
  if (deployment === undefined) return;
  try {
    const { metadata } = await api.get<KubeObject>(DEPLOYMENTS, namespace, deployment);
    // With the uid, the request fails if the Deployment has been deleted meanwhile. Without it, the request would
    // create the Deployment again.
    const body = { metadata: { name: deployment, namespace, uid: metadata.uid }, spec: { replicas: 0 } };
    await api.apply(DEPLOYMENTS, { namespace, name: deployment }, body);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}

/** Resolves when this process has the operator's Lease, so that no replica is the leader or can become it. */
async function waitForLead(leader: Leader, patienceMs: number): Promise<void> {
  for (const end = performance.now() + patienceMs; !leader.leading(); await sleep(POLL_MS))
    if (performance.now() > end)
      throw new Error(`the operator did not release its Lease within ${patienceMs / 1_000} s`);
}

/** Returns the namespaces in which resources are served, if all may be served. */
async function occupied(api: Api, namespaces: readonly string[], id: string): Promise<readonly string[]> {
  if (!namespaces.includes(ALL_NAMESPACES)) return namespaces;
  const all = [...KINDS.map(({ resource }) => resource), SUBSCRIPTIONS];
  const lists = await Promise.all(all.map((resource) => api.list<Declared>(resource, ALL_NAMESPACES)));
  const own = lists.flatMap(({ items }) => items).filter(({ status }) => status?.installation === id);
  return [...new Set(own.map(({ metadata }) => metadata.namespace))].sort();
}

async function release(api: Api, place: string, { namespace, name, say }: Withdrawal): Promise<void> {
  const id = `${namespace}/${name}`;
  const count = (await releaseSubscriptions(api, place, id, namespace)) + (await releaseDeclared(api, place, id));
  await removeLease(api, place, CLAIM, id);
  say(`${place}: ${count === 1 ? '1 resource is' : `${count} resources are`} no longer served`);
}

/** Removes a Lease if it names this holder. */
async function removeLease(api: Api, namespace: string, name: string, holder: string): Promise<void> {
  try {
    const { metadata, spec } = await api.get<Lease>(LEASES, namespace, name);
    if ((spec.holderIdentity ?? '') === holder) await api.remove(LEASES, namespace, name, metadata.uid);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}

/**
 * Runs the command `touchline withdraw`, in the operator's environment.
 * @param env as in process.env
 * @throws {Error} if the environment cannot be used
 */
export async function withdrawCommand(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const { kubeconfig, operatorNamespaces, operatorInstallation, operatorDeployment } = operatorVariables;
  const variables = { kubeconfig, operatorNamespaces, operatorInstallation, operatorDeployment };
  const config = readVariables(env, { ...variables, logLevel: commonVariables.logLevel }, () => []);
  const kube = loadConfig(config.kubeconfig);
  const namespace = ownNamespace(kube, config.kubeconfig === undefined);
  const api = openKubeApi(kube);
  try {
    const isComplete = await withdraw({
      api,
      logger: openLogger(config.logLevel),
      namespace,
      namespaces: servedNamespaces(config.operatorNamespaces, namespace),
      name: config.operatorInstallation,
      deployment: config.operatorDeployment,
      patienceMs: PATIENCE_MS,
      say,
    });
    if (isComplete) say(`The installation ${namespace}/${config.operatorInstallation} no longer serves any namespace`);
  } finally {
    api.close();
  }
}
