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
import { sharedSubscriptions } from './queries.ts';

export interface DispatcherDeps {
  api: Api;
  pool: pg.Pool;
  namespace: string;
  /** Is there a Deployment of this name, as far as is known? */
  exists(name: string): boolean;
  /** A Deployment in YAML; undefined: dispatchers are somebody else's. */
  template: string | undefined;
  bounds: Bounds;
  /** The operator's own Deployment: when it goes, so do the dispatchers. */
  operatorDeployment: string | undefined;
}

export interface Dispatchers {
  /** Are there Deployments at all? */
  managed: boolean;
  nameOf(group: string): string;
  applyShared(): Promise<number>;
  applyDedicated(resource: WebhookSubscription): Promise<void>;
  /** As far as is known. */
  hasDedicated(uid: string): boolean;
  removeDedicated(uid: string): Promise<void>;
}

/** Where dispatchers are somebody else's, their group stands for them. */
const UNMANAGED = 'dispatcher';

/** @throws {Error} for a template that is none */
export function openDispatchers(deps: DispatcherDeps): Dispatchers {
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
    managed: template !== null,
    nameOf,
    async applyShared() {
      const replicas = sharedReplicas(await sharedSubscriptions(pool), bounds);
      if (template === null) return replicas;
      const wish = { template, namespace, group: SHARED, replicas, owner: await ownerOfShared() };
      await api.apply(DEPLOYMENTS, { namespace, name: nameOf(SHARED) }, deploymentFor(wish));
      return replicas;
    },
    async applyDedicated(resource) {
      if (template === null) return;
      const group = dedicatedGroup(resource.metadata.uid);
      // An owner of another namespace would be taken for one that is gone.
      const owner = resource.metadata.namespace === namespace ? ownerReference(resource) : await ownerOfShared();
      const { resources } = resource.spec;
      const wish = { template, namespace, group, replicas: 1, owner, ...(resources !== undefined && { resources }) };
      await api.apply(DEPLOYMENTS, { namespace, name: nameOf(group) }, deploymentFor(wish));
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
