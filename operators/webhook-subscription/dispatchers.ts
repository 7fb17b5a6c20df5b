/** The Deployments of dispatchers: one for shared subscriptions, one for each dedicated one, in the operator's own namespace. */
import type pg from 'pg';
import { parse } from 'yaml';
import { SHARED } from '../../src/webhooks/subscription.ts';
import { type Api, DEPLOYMENTS, isStatus, type KubeObject } from './api.ts';
import type { WebhookSubscription } from './crd.ts';
import {
  type Bounds,
  dedicatedGroup,
  deploymentFor,
  deploymentName,
  ownerReference,
  parseTemplate,
  sharedReplicas,
} from './desired.ts';
import { countSharedSubscriptions } from './queries.ts';

export interface DispatcherDeps {
  api: Api;
  pool: pg.Pool;
  namespace: string;
  /** Whether there is a Deployment of this name, by the cache. */
  exists(name: string): boolean;
  /** A Deployment in YAML; undefined: the operator does not manage dispatchers. */
  template: string | undefined;
  bounds: Bounds;
  /** The operator's own Deployment: the dispatchers are deleted with it. */
  operatorDeployment: string | undefined;
}

export interface Dispatchers {
  nameOf(group: string): string;
  applyShared(): Promise<number>;
  applyDedicated(resource: WebhookSubscription): Promise<void>;
  /** By the cache. */
  hasDedicated(uid: string): boolean;
  removeDedicated(uid: string): Promise<void>;
}

/** The base of names in statuses where the operator does not manage dispatchers. */
const UNMANAGED = 'dispatcher';

/** @throws {Error} for an invalid template */
export function createDispatchers(deps: DispatcherDeps): Dispatchers {
  const { api, pool, namespace, exists, bounds, operatorDeployment } = deps;
  const template = deps.template === undefined ? null : parseTemplate(parse(deps.template));
  const nameOf = (group: string) => deploymentName(template?.metadata.name ?? UNMANAGED, group);
  let owner: Promise<unknown> | null = null;

  async function findOwner(): Promise<unknown> {
    if (operatorDeployment === undefined) return undefined;
    const { metadata } = await api.get<KubeObject>(DEPLOYMENTS, namespace, operatorDeployment);
    return { apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name, uid: metadata.uid };
  }

  function ownerOfShared(): Promise<unknown> {
    owner ??= findOwner().catch((error) => {
      owner = null;
      throw error;
    });
    return owner;
  }

  return {
    nameOf,
    async applyShared() {
      const replicas = sharedReplicas(await countSharedSubscriptions(pool), bounds);
      if (template === null) return replicas;
      const desired = { template, namespace, group: SHARED, replicas, owner: await ownerOfShared() };
      await api.apply(DEPLOYMENTS, { namespace, name: nameOf(SHARED) }, deploymentFor(desired));
      return replicas;
    },
    async applyDedicated(resource) {
      if (template === null) return;
      const group = dedicatedGroup(resource.metadata.uid);
      // Kubernetes would take an owner in another namespace for a deleted one.
      const owner = resource.metadata.namespace === namespace ? ownerReference(resource) : await ownerOfShared();
      const { resources } = resource.spec;
      const desired = { template, namespace, group, replicas: 1, owner, ...(resources !== undefined && { resources }) };
      await api.apply(DEPLOYMENTS, { namespace, name: nameOf(group) }, deploymentFor(desired));
    },
    hasDedicated: (uid) => template !== null && exists(nameOf(dedicatedGroup(uid))),
    async removeDedicated(uid) {
      if (template === null) return;
      try {
        await api.remove(DEPLOYMENTS, namespace, nameOf(dedicatedGroup(uid)));
      } catch (error) {
        if (!isStatus(error, 404)) throw error;
      }
    },
  };
}
