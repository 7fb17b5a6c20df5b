/** Reconciles resources while this replica is the leader. Each leadership term has its own queue. */
import type { Logger } from 'pino';
import type { Clock } from '../../src/runtime/clock.ts';
import { KubeError, type KubeObject } from '../runtime/kube-api.ts';
import { NotLeader } from '../runtime/leader-election.ts';
import { parseKey, type ResourceWatches } from '../runtime/resource-watches.ts';
import { Queue } from '../runtime/work-queue.ts';
import type { Dispatchers } from './dispatchers.ts';
import type { Metrics } from './metrics.ts';
import type { ServedNamespaces } from './served-namespaces.ts';

/** Maximum number of keys that are worked on at the same time. */
const CONCURRENCY = 16;
const SWEEP_MS = 60_000;
/** How often claims on namespaces are renewed. */
const RENEW_MS = 10_000;

/** Keys in the queue that do not stand for a resource. */
const NAMESPACES_KEY = '#namespaces';
const SHARED_KEY = '#shared';
const SWEEP_KEY = '#sweep';

/** How the resources of a kind are reconciled. */
export interface Handler {
  watches: ResourceWatches<KubeObject>;
  /** @returns milliseconds until the next reconciliation; undefined if none is needed before the next change */
  reconcile(resource: KubeObject): Promise<number | undefined>;
  /** Does what the deletion of a resource requires. */
  end(uid: string): Promise<void>;
}

interface ReconcilerDeps {
  /** By kind. */
  handlers: ReadonlyMap<string, Handler>;
  dispatchers: Dispatchers;
  served: ServedNamespaces;
  sweep(): Promise<void>;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  isLeading(): boolean;
  /** Returns whether all caches are complete. */
  isSynced(): boolean;
}

export class Reconciler {
  readonly #deps: ReconcilerDeps;
  /** The current term's queue. Null if this replica is not the leader. */
  #queue: Queue | null = null;
  /** Resolves when the previous term's work has ended. */
  #ending: Promise<void> = Promise.resolve();
  #stopped = false;
  /** Deleted resources whose rows have to be ended, as keys by uid. A sweep finds deletions that no leader has seen. */
  readonly #deleted = new Map<string, string>();

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
  }

  isActive(): boolean {
    return this.#queue !== null;
  }

  /** Number of keys that wait or are being worked on. */
  get size(): number {
    return this.#queue?.size ?? 0;
  }

  /** Reconciles the resource with this key, see `resourceKey`. */
  add(key: string): void {
    this.#queue?.add(key);
  }

  /** Applies the shared dispatchers' Deployment. */
  addShared(): void {
    this.#queue?.add(SHARED_KEY);
  }

  /** Records a deletion. Call `add` with the key afterwards. */
  addDeleted(uid: string, key: string): void {
    if (this.#queue !== null && this.#deps.served.has(parseKey(key).namespace)) this.#deleted.set(uid, key);
  }

  /**
   * Begins a leadership term. Waits first until the previous term's work has ended, because that work could write
   * again.
   */
  async begin(): Promise<void> {
    await this.#ending;
    const { clock, served, isLeading } = this.#deps;
    if (this.#queue !== null || this.#stopped || !isLeading()) return;
    this.#queue = new Queue({
      work: (key) => this.#measured(key),
      clock,
      concurrency: CONCURRENCY,
      onFailure: (key, error, failures) => this.#failed(key, error as Error, failures),
    });
    served.clear();
    // The resources are added when their namespaces are served.
    this.#queue.add(NAMESPACES_KEY);
    this.#queue.add(SHARED_KEY);
    this.#queue.add(SWEEP_KEY);
  }

  /** Ends the leadership term. */
  end(): void {
    this.#deleted.clear();
    const previous = this.#queue;
    this.#queue = null;
    if (previous !== null) this.#ending = previous.close();
  }

  /** Resolves when no work is in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.end();
    await this.#ending;
  }

  async #measured(key: string): Promise<number | undefined> {
    const { metrics } = this.#deps;
    const begun = performance.now();
    const seconds = () => (performance.now() - begun) / 1_000;
    try {
      const again = await this.#work(key);
      metrics.reconciled('ok', seconds());
      return again;
    } catch (error) {
      metrics.reconciled('error', seconds());
      throw error;
    }
  }

  async #work(key: string): Promise<number | undefined> {
    const { dispatchers, sweep, isSynced } = this.#deps;
    if (key === NAMESPACES_KEY) {
      await this.#serve();
      return RENEW_MS;
    }
    if (key === SHARED_KEY) {
      await dispatchers.applyShared();
      return SWEEP_MS;
    }
    if (key === SWEEP_KEY) {
      if (isSynced()) await sweep();
      return SWEEP_MS;
    }
    return this.#reconcile(key);
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const { handlers, served } = this.#deps;
    const { kind, namespace, name } = parseKey(key);
    const handler = handlers.get(kind);
    if (handler === undefined) return undefined;
    if (!served.has(namespace)) {
      // The first resource in a namespace has the namespace claimed, if all namespaces are served.
      if (served.mayClaim(namespace)) this.#queue?.add(NAMESPACES_KEY);
      return undefined;
    }
    for (const [uid, deletedKey] of this.#deleted) {
      if (deletedKey !== key) continue;
      await handler.end(uid);
      this.#deleted.delete(uid);
    }
    const resource = handler.watches.find(namespace, name);
    return resource === undefined ? undefined : handler.reconcile(resource);
  }

  async #serve(): Promise<void> {
    const { handlers, served } = this.#deps;
    await served.renew((namespace) => {
      for (const { watches } of handlers.values()) for (const key of watches.keysIn(namespace)) this.add(key);
      this.add(SWEEP_KEY);
    });
  }

  /** @returns the minimum delay in ms before the retry */
  #failed(key: string, error: Error, failures: number): number {
    if (error instanceof NotLeader) return 0;
    const level = failures === 1 ? 'info' : 'warn';
    this.#deps.logger[level]({ resource: key, failures, reason: error.message }, 'reconcile failed, retrying');
    return error instanceof KubeError ? error.retryAfterMs : 0;
  }
}
