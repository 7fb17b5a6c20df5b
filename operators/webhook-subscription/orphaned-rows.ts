/** Ends rows whose resources have been deleted without any replica seeing it. */
import type { Logger } from 'pino';
import type { Queryable } from '../../src/db/postgres.ts';
import { type ManagedBy, subscriptions } from '../../src/webhooks/subscriptions/index.ts';
import type { Installation } from '../runtime/installation.ts';
import { type Api, isStatus } from '../runtime/kube-api.ts';
import { wasServedBy } from '../runtime/namespace-queries.ts';
import type { ServedNamespaces } from '../runtime/served-namespaces.ts';
import { SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';

/**
 * A cluster counts as rebuilt if its operator has not been seen for this long, and an installation with the same name
 * serves the namespace in this cluster.
 */
const REBUILT_MS = 3_600_000;

interface SweepDeps {
  api: Api;
  pool: Queryable;
  logger: Logger;
  installation: Installation;
  served: ServedNamespaces;
  /** Finds a resource in the cache. */
  find(namespace: string, name: string): WebhookSubscription | undefined;
  end(uid: string): Promise<void>;
}

/**
 * Ends the rows whose resources no longer exist. A row of another installation ends only if its namespace is known to
 * be deleted in this cluster. If this installation no longer serves a namespace, the rows stay as long as the
 * namespace exists.
 */
export async function sweep({ api, pool, logger, installation, served, find, end }: SweepDeps): Promise<void> {
  const gone = new Map<string, boolean>();
  async function isGone(namespace: string): Promise<boolean> {
    const known = gone.get(namespace) ?? (await installation.isGone(namespace));
    gone.set(namespace, known);
    return known;
  }

  /** Returns whether a resource exists. The API server is asked if the cache lacks the resource, because the cache may be out of date. */
  async function exists({ namespace, name, uid }: ManagedBy): Promise<boolean> {
    if (find(namespace, name)?.metadata.uid === uid) return true;
    try {
      return (await api.get<WebhookSubscription>(SUBSCRIPTIONS, namespace, name)).metadata.uid === uid;
    } catch (error) {
      if (isStatus(error, 404)) return false;
      // While a namespace is being deleted, its Role goes first, and then reading the resource is forbidden.
      if (isStatus(error, 403)) return !(await isGone(namespace));
      throw error;
    }
  }

  /** Returns true if a row is from an earlier cluster that this cluster replaces. */
  const isRebuilt = async ({ namespace, installation: id, cluster }: ManagedBy): Promise<boolean> =>
    id === installation.id &&
    served.has(namespace) &&
    !(await wasServedBy(pool, { cluster: cluster!, namespace }, id, REBUILT_MS));

  async function isOver(resource: ManagedBy): Promise<boolean> {
    const { namespace, installation: id, cluster } = resource;
    if (!installation.mayBeHere(resource)) return isRebuilt(resource);
    if (served.has(namespace)) return !(await exists(resource));
    // If the cluster is unknown, only this installation's rows can end.
    return (cluster !== null || id === installation.id) && (await isGone(namespace));
  }

  for (const { managedBy } of await subscriptions(pool, { managed: true })) {
    const { namespace, name, uid } = managedBy!;
    if (!(await isOver(managedBy!))) continue;
    await end(uid);
    logger.warn({ namespace, name }, 'resource no longer exists, subscription ended');
  }
}
