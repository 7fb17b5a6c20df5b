/** Ends rows of resources that do not exist any more, whose deletion no replica has seen. */
import type { Logger } from 'pino';
import type { Queryable } from '../../src/db/postgres.ts';
import type { ManagedBy } from '../../src/webhooks/queries.ts';
import { subscriptions } from '../../src/webhooks/subscription.ts';
import { type Api, isStatus } from './api.ts';
import { SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import type { Installation } from './installation.ts';
import type { ServedNamespaces } from './served-namespaces.ts';

interface SweepDeps {
  api: Api;
  pool: Queryable;
  logger: Logger;
  installation: Installation;
  served: ServedNamespaces;
  /** By the cache. */
  find(namespace: string, name: string): WebhookSubscription | undefined;
  end(uid: string): Promise<void>;
}

/**
 * Of the rows of another installation only those end whose namespace is known to be gone from this cluster. A namespace that this
 * installation serves no more keeps its rows as long as it exists.
 */
export async function sweep({ api, pool, logger, installation, served, find, end }: SweepDeps): Promise<void> {
  const gone = new Map<string, boolean>();
  async function isGone(namespace: string): Promise<boolean> {
    const known = gone.get(namespace) ?? (await installation.isGone(namespace));
    gone.set(namespace, known);
    return known;
  }

  /** The cache may be out of date. */
  async function exists({ namespace, name, uid }: ManagedBy): Promise<boolean> {
    if (find(namespace, name)?.metadata.uid === uid) return true;
    try {
      return (await api.get<WebhookSubscription>(SUBSCRIPTIONS, namespace, name)).metadata.uid === uid;
    } catch (error) {
      if (isStatus(error, 404)) return false;
      // The Role goes before the rest of a namespace.
      if (isStatus(error, 403)) return !(await isGone(namespace));
      throw error;
    }
  }

  for (const { managedBy } of await subscriptions(pool, { managed: true })) {
    const resource = managedBy!;
    const { namespace, name, uid } = resource;
    if (!installation.mayBeHere(resource)) continue;
    if (served.has(namespace)) {
      if (await exists(resource)) continue;
    } else {
      // Of an unknown cluster, or of one that is: only its own.
      const isKnown = resource.cluster !== null || resource.installation === installation.id;
      if (!isKnown || !(await isGone(namespace))) continue;
    }
    await end(uid);
    logger.warn({ namespace, name }, 'resource was deleted while no replica watched, subscription ended');
  }
}
