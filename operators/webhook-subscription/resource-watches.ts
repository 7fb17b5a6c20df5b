/** Watches the resources of all namespaces, and reports those whose spec may have changed. Keys are `namespace/name`. */
import type { Logger } from 'pino';
import type { Api } from './api.ts';
import { SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import { ObjectWatch } from './informer.ts';

export const keyOf = ({ metadata }: WebhookSubscription): string => `${metadata.namespace}/${metadata.name}`;

interface WatchesDeps {
  api: Api;
  logger: Logger;
  namespaces: readonly string[];
  onChanged(key: string): void;
  /** Called before `onChanged`. */
  onDeleted(uid: string, key: string): void;
}

export class ResourceWatches {
  readonly #deps: WatchesDeps;
  /** By namespace. */
  readonly #watches: ReadonlyMap<string, ObjectWatch<WebhookSubscription>>;
  /** By key, what a user has last changed. The status, which the operator writes itself, is not part of it. */
  readonly #requested = new Map<string, string>();

  constructor(deps: WatchesDeps) {
    this.#deps = deps;
    this.#watches = new Map(deps.namespaces.map((namespace) => [namespace, this.#watch(namespace)]));
  }

  find(namespace: string, name: string): WebhookSubscription | undefined {
    return this.#watches.get(namespace)?.get(name);
  }

  get(key: string): WebhookSubscription | undefined {
    const slash = key.indexOf('/');
    return this.find(key.slice(0, slash), key.slice(slash + 1));
  }

  list(): WebhookSubscription[] {
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

  #watch(namespace: string): ObjectWatch<WebhookSubscription> {
    const { api, logger, onChanged, onDeleted } = this.#deps;
    return new ObjectWatch<WebhookSubscription>({
      api,
      logger,
      resource: SUBSCRIPTIONS,
      namespace,
      onDeleted: (name, uid) => onDeleted(uid, `${namespace}/${name}`),
      onObject: (name, resynced) => {
        const key = `${namespace}/${name}`;
        if (resynced || this.#isChanged(key, this.find(namespace, name))) onChanged(key);
      },
    });
  }

  #isChanged(key: string, resource: WebhookSubscription | undefined): boolean {
    if (resource === undefined) {
      this.#requested.delete(key);
      return true;
    }
    const { uid, generation, annotations, deletionTimestamp } = resource.metadata;
    const requested = JSON.stringify([uid, generation, annotations, deletionTimestamp]);
    const isSame = this.#requested.get(key) === requested;
    this.#requested.set(key, requested);
    return !isSame;
  }
}
