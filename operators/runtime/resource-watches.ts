/** Watches the resources of a kind in the served namespaces, and reports those whose specs may have changed. */
import type { Logger } from 'pino';
import { ObjectWatch } from './informer.ts';
import { ALL_NAMESPACES, type Api, type KubeObject, type Resource } from './kube-api.ts';

/** A resource's key in the work queue. */
export const resourceKey = (kind: string, namespace: string, name: string): string => `${kind} ${namespace}/${name}`;

/** Parses a key from `resourceKey`. A name contains neither a space nor a slash. */
export function parseKey(key: string): { kind: string; namespace: string; name: string } {
  const [kind = '', namespace = '', name = ''] = key.split(/[ /]/);
  return { kind, namespace, name };
}

/** Called by the watches. */
export interface Listeners {
  /** @param key see `resourceKey` */
  onChanged(key: string): void;
  /** Called when a resource has been deleted, before `onChanged`. */
  onDeleted(uid: string, key: string): void;
}

interface WatchesDeps extends Listeners {
  api: Api;
  logger: Logger;
  resource: Resource;
  /** ALL_NAMESPACES alone for all. */
  namespaces: readonly string[];
}

export class ResourceWatches<T extends KubeObject> {
  readonly #deps: WatchesDeps;
  /** Watches by namespace, or one for all. */
  readonly #watches: ReadonlyMap<string, ObjectWatch<T>>;

  constructor(deps: WatchesDeps) {
    this.#deps = deps;
    this.#watches = new Map(deps.namespaces.map((namespace) => [namespace, this.#watch(namespace)]));
  }

  find(namespace: string, name: string): T | undefined {
    return (this.#watches.get(namespace) ?? this.#watches.get(ALL_NAMESPACES))?.get(name, namespace);
  }

  list(): T[] {
    return [...this.#watches.values()].flatMap((watch) => watch.list());
  }

  /** Returns the keys of the resources in a namespace, see `resourceKey`. */
  keysIn(namespace: string): string[] {
    const within = this.list().filter(({ metadata }) => metadata.namespace === namespace);
    return within.map(({ metadata }) => resourceKey(this.#deps.resource.kind, namespace, metadata.name));
  }

  isSynced(): boolean {
    return [...this.#watches.values()].every((watch) => watch.isSynced());
  }

  get restarts(): number {
    return [...this.#watches.values()].reduce((sum, watch) => sum + watch.restarts, 0);
  }

  stop(): void {
    for (const watch of this.#watches.values()) watch.stop();
  }

  #watch(namespace: string): ObjectWatch<T> {
    const { api, logger, resource, onChanged, onDeleted } = this.#deps;
    return new ObjectWatch<T>({
      api,
      logger,
      resource,
      namespace,
      // The status is left out, since the operator itself writes it.
      digestOf: ({ metadata: { uid, generation, annotations, deletionTimestamp } }) => [
        uid,
        generation,
        annotations,
        deletionTimestamp,
      ],
      onDeleted: ({ metadata }) =>
        onDeleted(metadata.uid, resourceKey(resource.kind, metadata.namespace, metadata.name)),
      onObject: (name, place) => onChanged(resourceKey(resource.kind, place, name)),
    });
  }
}
