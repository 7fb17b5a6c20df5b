/** Ends rows whose resources no longer exist, if no replica has seen the deletion. */
import type { Logger } from 'pino';
import type { Queryable } from '../../src/db/postgres.ts';
import { type ManagedBy, subscriptions } from '../../src/webhooks/subscriptions/index.ts';
import { SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import type { Installation } from './installation.ts';
import { type Api, isStatus } from './kube-api.ts';
import { wasServedBy } from './row-queries.ts';
import type { ServedNamespaces } from './served-namespaces.ts';

/**
 * If a cluster's operator has not been seen for this long, and an installation with the same name serves the namespace
 * here, that cluster was rebuilt.
 */
const REBUILT_MS = 3_600_000;

interface SweepDeps {
  api: Api;
  pool: Queryable;
  logger: Logger;
  installation: Installation;
  served: ServedNamespaces;
  /** Reads the cache. */
  find(namespace: string, name: string): WebhookSubscription | undefined;
  end(uid: string): Promise<void>;
}

/**
 * Ends rows. A different installation's rows end only if the namespace is known to be deleted in this cluster. A
 * namespace that this installation no longer serves keeps its rows as long as it exists.
 */
export async function sweep({ api, pool, logger, installation, served, find, end }: SweepDeps): Promise<void> {
  const gone = new Map<string, boolean>();
  async function isGone(namespace: string): Promise<boolean> {
    const known = gone.get(namespace) ?? (await installation.isGone(namespace));
    gone.set(namespace, known);
    return known;
  }

  /** Asks the API server if the cache lacks the resource, because the cache may be out of date. */
  async function exists({ namespace, name, uid }: ManagedBy): Promise<boolean> {
    if (find(namespace, name)?.metadata.uid === uid) return true;
    try {
      return (await api.get<WebhookSubscription>(SUBSCRIPTIONS, namespace, name)).metadata.uid === uid;
    } catch (error) {
      if (isStatus(error, 404)) return false;
      // The Role is deleted before the rest of the namespace.
      if (isStatus(error, 403)) return !(await isGone(namespace));
      throw error;
    }
  }

  /** Whether a row from a different cluster belongs to this cluster's predecessor. */
  const isRebuilt = async ({ namespace, installation: id, cluster }: ManagedBy): Promise<boolean> =>
    id === installation.id &&
    served.has(namespace) &&
    !(await wasServedBy(pool, { cluster: cluster!, namespace }, id, REBUILT_MS));

  async function isOver(resource: ManagedBy): Promise<boolean> {
    const { namespace, installation: id, cluster } = resource;
    if (!installation.mayBeHere(resource)) return isRebuilt(resource);
    if (served.has(namespace)) return !(await exists(resource));
    // In an unknown cluster, only this installation's rows.
    return (cluster !== null || id === installation.id) && (await isGone(namespace));
  }

  for (const { managedBy } of await subscriptions(pool, { managed: true })) {
    const { namespace, name, uid } = managedBy!;
    if (!(await isOver(managedBy!))) continue;
    await end(uid);
    logger.warn({ namespace, name }, 'resource no longer exists, subscription ended');
  }
}
