/** Reconciles resources while this replica is the leader. Each leadership term has its own queue. */
import type { Logger } from 'pino';
import type { Clock } from '../../src/runtime/clock.ts';
import { KubeError, type KubeObject } from './kube-api.ts';
import { NotLeader } from './leader-election.ts';
import type { Metrics } from './metrics.ts';
import { parseKey, type ResourceWatches } from './resource-watches.ts';
import type { ServedNamespaces } from './served-namespaces.ts';
import { Queue } from './work-queue.ts';

/** Maximum number of keys that are worked on at the same time. */
const CONCURRENCY = 16;
/** How often claims on namespaces are renewed. */
const RENEW_MS = 10_000;

/** The key in the queue of the claims on namespaces. */
const NAMESPACES_KEY = '#namespaces';

/** How the resources of a kind are reconciled. */
export interface Handler {
  watches: ResourceWatches<KubeObject>;
  /** @returns milliseconds until the next reconciliation; undefined if none is needed before the next change */
  reconcile(resource: KubeObject): Promise<number | undefined>;
  /** Does what the deletion of a resource requires. */
  end(uid: string): Promise<void>;
}

/** Work of the leader that does not belong to one resource. It is done when a term begins, and then at this interval. */
export interface RecurringWork {
  run(): Promise<void>;
  everyMs: number;
  /** True if the work is also done when a further namespace is served. */
  isRunOnServing: boolean;
}

interface ReconcilerDeps {
  /** By kind. */
  handlers: ReadonlyMap<string, Handler>;
  /** By key in the queue. The keys begin with `#`, which no resource's key does. */
  recurring: ReadonlyMap<string, RecurringWork>;
  served: ServedNamespaces;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  isLeading(): boolean;
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

  /** Reconciles the resource with this key, see `resourceKey`, or does the recurring work with this key. */
  add(key: string): void {
    this.#queue?.add(key);
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
    const { recurring, clock, served, isLeading } = this.#deps;
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
    for (const key of recurring.keys()) this.#queue.add(key);
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
    if (key === NAMESPACES_KEY) {
      await this.#serve();
      return RENEW_MS;
    }
    const recurring = this.#deps.recurring.get(key);
    if (recurring === undefined) return this.#reconcile(key);
    await recurring.run();
    return recurring.everyMs;
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
    const { handlers, recurring, served } = this.#deps;
    await served.renew((namespace) => {
      for (const { watches } of handlers.values()) for (const key of watches.keysIn(namespace)) this.add(key);
      for (const [key, { isRunOnServing }] of recurring) if (isRunOnServing) this.add(key);
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
