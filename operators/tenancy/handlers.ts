/** Watches the tenancy resources, and creates the controllers that reconcile them. */
import type { Logger } from 'pino';
import { listOwned, type ManagedKind, type Ownership, releaseTarget } from '../../src/accounts/index.ts';
import type { Recorder } from '../runtime/event-recorder.ts';
import type { Installation } from '../runtime/installation.ts';
import { type Api, isStatus, type KubeObject } from '../runtime/kube-api.ts';
import type { Handler } from '../runtime/reconciler.ts';
import { type Listeners, ResourceWatches, resourceKey } from '../runtime/resource-watches.ts';
import { TenancyController } from './controller.ts';
import type { Declared, Kind, TenancyDeps } from './kind.ts';
import { KINDS } from './kinds.ts';

export interface TenancyOptions extends TenancyDeps, Listeners {
  /** The API with which the watches read. They also run while this replica is not the leader. */
  reading: Api;
  logger: Logger;
  installation: Installation;
  recorder: Recorder;
  namespaces: readonly string[];
  idleMs(): number;
  /** Returns the keys of the subscriptions in a namespace, see `resourceKey`. */
  subscriptionsIn(namespace: string): string[];
}

/** The reason of an account that names a plan which does not exist yet. */
const UNKNOWN_PLAN = 'UnknownPlan';

type Watches = ReadonlyMap<string, ResourceWatches<Declared>>;

/** Starts the watches. @returns the handlers by kind */
export function startTenancy(options: TenancyOptions): Map<string, Handler> {
  const { reading, logger, namespaces, onChanged, onDeleted, subscriptionsIn } = options;
  const watches: Watches = new Map(
    KINDS.map(({ resource }) => [
      resource.kind,
      new ResourceWatches<Declared>({ api: reading, logger, resource, namespaces, onChanged, onDeleted }),
    ]),
  );
  const onReported = (kind: ManagedKind, namespace: string) => {
    const subscriptions = kind === 'Account' ? subscriptionsIn(namespace) : [];
    for (const key of [...waiting(watches, kind, namespace), ...subscriptions]) onChanged(key);
  };
  const hasNewAccount = (namespace: string) =>
    (watches.get('Account')?.list() ?? []).some(
      ({ metadata, status }) => metadata.namespace === namespace && status?.observedGeneration !== metadata.generation,
    );
  return new Map(
    KINDS.map((kind: Kind) => {
      const controller = new TenancyController(kind, { ...options, hasNewAccount, onReported });
      const handler: Handler = {
        watches: watches.get(kind.resource.kind)!,
        reconcile: (resource: Declared) => controller.reconcile(resource),
        end: (uid) => controller.end(uid),
      };
      return [kind.resource.kind, handler];
    }),
  );
}

/** Returns the keys of the resources that may have waited for a resource of this kind. */
function waiting(watches: Watches, kind: ManagedKind, namespace: string): string[] {
  const keys = (of: ManagedKind, isWaiting: (resource: Declared) => boolean) =>
    (watches.get(of)?.list() ?? [])
      .filter(isWaiting)
      .map(({ metadata }) => resourceKey(of, metadata.namespace, metadata.name));
  if (kind === 'Account')
    return [
      ...(watches.get('ApiKey')?.keysIn(namespace) ?? []),
      // A plan can go when the last account has left it.
      ...keys('Plan', ({ metadata }) => metadata.deletionTimestamp !== undefined),
    ];
  if (kind === 'Plan') return keys('Account', ({ status }) => status?.reason === UNKNOWN_PLAN);
  return [];
}

interface SweepDeps extends Pick<TenancyOptions, 'api' | 'pool' | 'logger' | 'installation'> {
  handlers: ReadonlyMap<string, Handler>;
  isServed(namespace: string): boolean;
}

/** Forgets what resources own that were deleted without any replica seeing it. */
export async function sweepOwned({ api, pool, logger, installation, handlers, isServed }: SweepDeps): Promise<void> {
  async function exists({ kind, namespace, name, uid }: Ownership): Promise<boolean> {
    if (handlers.get(kind)?.watches.find(namespace, name)?.metadata.uid === uid) return true;
    const known = KINDS.find(({ resource }) => resource.kind === kind);
    if (known === undefined) return true;
    try {
      return (await api.get<KubeObject>(known.resource, namespace, name)).metadata.uid === uid;
    } catch (error) {
      if (isStatus(error, 404)) return false;
      throw error;
    }
  }

  for (const owned of await listOwned(pool, installation.id)) {
    const { kind, namespace, name, uid } = owned;
    if (!installation.mayBeHere(owned) || !isServed(namespace) || (await exists(owned))) continue;
    await releaseTarget(pool, uid);
    logger.warn({ kind, namespace, name }, 'resource no longer exists, what it declared is free');
  }
}
