/** Watches the resources of a kind in all namespaces, and reports those whose specs may have changed. */
import type { Logger } from 'pino';
import { ObjectWatch } from './informer.ts';
import type { Api, KubeObject, Resource } from './kube-api.ts';

/** A resource's key in the work queue. */
export const resourceKey = (kind: string, namespace: string, name: string): string => `${kind} ${namespace}/${name}`;

/** Parses a key from `resourceKey`. A name contains neither a space nor a slash. */
export function parseKey(key: string): { kind: string; namespace: string; name: string } {
  const [kind = '', namespace = '', name = ''] = key.split(/[ /]/);
  return { kind, namespace, name };
}

interface WatchesDeps {
  api: Api;
  logger: Logger;
  resource: Resource;
  namespaces: readonly string[];
  /** @param key see `resourceKey` */
  onChanged(key: string): void;
  /** Called when a resource has been deleted, before `onChanged`. */
  onDeleted(uid: string, key: string): void;
}

export class ResourceWatches<T extends KubeObject> {
  readonly #deps: WatchesDeps;
  /** Watches by namespace. */
  readonly #watches: ReadonlyMap<string, ObjectWatch<T>>;

  constructor(deps: WatchesDeps) {
    this.#deps = deps;
    this.#watches = new Map(deps.namespaces.map((namespace) => [namespace, this.#watch(namespace)]));
  }

  find(namespace: string, name: string): T | undefined {
    return this.#watches.get(namespace)?.get(name);
  }

  list(): T[] {
    return [...this.#watches.values()].flatMap((watch) => watch.list());
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
    const keyOf = (name: string) => resourceKey(resource.kind, namespace, name);
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
      onDeleted: (name, uid) => onDeleted(uid, keyOf(name)),
      onObject: (name) => onChanged(keyOf(name)),
    });
  }
}
