/** Watches the resources in all namespaces, and reports those whose specs may have changed. Keys have the form `namespace/name`. */
import type { Logger } from 'pino';
import { ObjectWatch } from '../runtime/informer.ts';
import type { Api } from '../runtime/kube-api.ts';
import { SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';

export const keyOf = ({ metadata }: WebhookSubscription): string => `${metadata.namespace}/${metadata.name}`;

interface WatchesDeps {
  api: Api;
  logger: Logger;
  namespaces: readonly string[];
  onChanged(key: string): void;
  /** Called when a resource has been deleted, before `onChanged`. */
  onDeleted(uid: string, key: string): void;
}

export class ResourceWatches {
  readonly #deps: WatchesDeps;
  /** Watches by namespace. */
  readonly #watches: ReadonlyMap<string, ObjectWatch<WebhookSubscription>>;

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
      // The status is left out, since the operator itself writes it.
      digestOf: ({ metadata: { uid, generation, annotations, deletionTimestamp } }) => [
        uid,
        generation,
        annotations,
        deletionTimestamp,
      ],
      onDeleted: (name, uid) => onDeleted(uid, `${namespace}/${name}`),
      onObject: (name) => onChanged(`${namespace}/${name}`),
    });
  }
}
