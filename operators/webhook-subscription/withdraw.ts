/** Ends an installation's service for WebhookSubscription resources. The rows stay for a later installation. */
import { wireTime } from '../../src/wire/time.ts';
import { type Api, DEPLOYMENTS, isStatus, type KubeObject } from '../runtime/kube-api.ts';
import { CONDITIONS, type Condition, type Status, SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import { dedicatedGroup, GROUP_LABEL } from './desired-state.ts';

/** The conditions of a resource that no installation serves. */
const UNSERVED: Record<(typeof CONDITIONS)[number], Condition['status']> = {
  Accepted: 'Unknown',
  Ready: 'False',
  Delivering: 'False',
  Stalled: 'True',
};
const NOT_SERVED = 'NotServed';

/**
 * Releases the resources that an installation has served: removes the dedicated dispatchers, and notes in each status
 * that the resource is not served.
 * @param place the namespace of the resources
 * @param id the installation: `<namespace>/<name>`
 * @param namespace the operator's namespace, in which the dispatchers are
 * @returns how many resources there were
 */
export async function releaseSubscriptions(api: Api, place: string, id: string, namespace: string): Promise<number> {
  const { items } = await api.list<WebhookSubscription & KubeObject>(SUBSCRIPTIONS, place);
  // Skips resources that belong to another installation, or to none.
  const own = items.filter(({ status }) => status?.installation === id);
  for (const resource of own) {
    await removeDedicated(api, namespace, resource);
    await markUnserved(api, resource, id);
  }
  return own.length;
}

/** Removes a resource's dedicated dispatchers. Otherwise they would stay, because their owner, the resource, stays. */
async function removeDedicated(api: Api, namespace: string, { metadata }: WebhookSubscription): Promise<void> {
  const labels = `${GROUP_LABEL}=${dedicatedGroup(metadata.uid)}`;
  const { items } = await api.list<KubeObject>(DEPLOYMENTS, namespace, labels);
  for (const { metadata: of } of items) await api.remove(DEPLOYMENTS, namespace, of.name, of.uid);
}

async function markUnserved(api: Api, { metadata, status }: WebhookSubscription, id: string): Promise<void> {
  const { namespace, name, uid, generation } = metadata;
  const message = `The installation ${id} was uninstalled: nothing is sent until another one serves this namespace.`;
  const observedGeneration = status?.observedGeneration ?? generation;
  const next: Status = {
    observedGeneration,
    ...(status?.subscription !== undefined && { subscription: status.subscription }),
    ...(status?.secret !== undefined && { secret: status.secret }),
    reason: NOT_SERVED,
    conditions: CONDITIONS.map((type) => ({
      type,
      status: UNSERVED[type],
      reason: NOT_SERVED,
      message,
      observedGeneration,
      lastTransitionTime: wireTime(Date.now()),
    })),
  };
  try {
    const target = { namespace, name, subresource: 'status' } as const;
    await api.apply(SUBSCRIPTIONS, target, { metadata: { namespace, name, uid }, status: next });
  } catch (error) {
    // The resource has been deleted or changed meanwhile.
    if (!isStatus(error, 404, 409)) throw error;
  }
}
