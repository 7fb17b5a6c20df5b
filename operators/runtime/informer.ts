/**
 * Keeps an up-to-date copy of all objects of one kind in a namespace, or in all. The library's informer stops at the first error
 * and may hang on a dead connection. This class restarts the informer in both cases, and lists all objects again about
 * once a minute.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Informer, type KubernetesObject, makeInformer, type ObjectCache } from '@kubernetes/client-node';
import type { Logger } from 'pino';
import { type Loop, startLoop } from '../../src/runtime/loop.ts';
import { errorMessage, readMember } from '../../src/runtime/unknown-values.ts';
import { ALL_NAMESPACES, type Api, isStatus, type KubeObject, path, type Resource } from './kube-api.ts';

/** Time between two complete lists, ± 20 %. */
const RESYNC_MS = 60_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

export interface WatchOptions<T> {
  api: Api;
  logger: Logger;
  resource: Resource;
  /** ALL_NAMESPACES for all. */
  namespace: string;
  labels?: string;
  /** Returns the part of an object whose changes matter. */
  digestOf(object: T): unknown;
  /** Called when an object has been added or deleted, or when its digest has changed. */
  onObject(name: string, namespace: string): void;
  /** Called before `onObject` when the API server reports that an object has been deleted. */
  onDeleted?(object: KubeObject): void;
}

/** One run of the library's informer, which reads a list and then watches for changes. */
interface Source {
  cache: Informer<KubernetesObject> & ObjectCache<KubernetesObject>;
  /** Resolves when the list has been read. */
  listed: Promise<void>;
  /** Aborted after a failure, or when the source is no longer needed. */
  ended: AbortController;
}

const keyOf = ({ namespace, name }: KubeObject['metadata']) => `${namespace}/${name}`;

export class ObjectWatch<T extends KubeObject> {
  readonly #options: WatchOptions<T>;
  readonly #stopped = new AbortController();
  readonly #loop: Loop;
  #current: Source | null = null;
  /** Digests of the objects, by `<namespace>/<name>`. */
  readonly #digests = new Map<string, string>();
  #refused = false;
  #restarts = 0;
  /** Number of consecutive failures. */
  #failures = 0;

  constructor(options: WatchOptions<T>) {
    this.#options = options;
    this.#loop = startLoop({
      run: () => this.#run(),
      retryMs: MAX_WAIT_MS,
      failed: 'watch failed, retrying',
      recovered: 'watch works again',
      logger: options.logger,
    });
  }

  get(name: string, namespace = this.#options.namespace): T | undefined {
    return this.#current?.cache.get(name, namespace) as T | undefined;
  }

  list(): readonly T[] {
    return this.#current === null ? [] : this.#listed(this.#current);
  }

  /**
   * Returns whether a complete list has been read. Also true if that is impossible because the namespace does not
   * exist or RBAC forbids it.
   */
  isSynced(): boolean {
    return this.#current !== null || this.#refused;
  }

  /** Number of restarts after failures. */
  get restarts(): number {
    return this.#restarts;
  }

  stop(): void {
    this.#stopped.abort();
    retire(this.#current);
    void this.#loop.stop();
  }

  /** @returns milliseconds until the next run */
  async #run(): Promise<number> {
    const begun = performance.now();
    try {
      await this.#follow();
      this.#failures = 0;
      return 0;
    } catch (error) {
      if (this.#stopped.signal.aborted) return 0;
      const { logger, resource, namespace } = this.#options;
      this.#refused = isStatus(error, 403, 404);
      const reason = errorMessage(readMember(error, 'cause') ?? error);
      logger.warn({ resource: resource.plural, namespace, reason }, 'watch failed, restarting');
      this.#restarts += 1;
      this.#failures = performance.now() - begun > MAX_WAIT_MS ? 1 : this.#failures + 1;
      return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#failures - 1)) * (0.5 + Math.random());
    }
  }

  /**
   * Lists all objects, then watches for some time. The objects of the previous run stay in use until the list has been
   * read.
   */
  async #follow(): Promise<void> {
    const source = this.#begin();
    const onStop = () => retire(source);
    this.#stopped.signal.addEventListener('abort', onStop, { once: true });
    try {
      await source.listed;
      retire(this.#current);
      this.#current = source;
      const listed = this.#listed(source).map(({ metadata }) => keyOf(metadata));
      for (const key of new Set([...this.#digests.keys(), ...listed])) this.#notice(key);
      await sleep(RESYNC_MS * (0.8 + 0.4 * Math.random()), undefined, { signal: source.ended.signal });
    } catch (error) {
      retire(source);
      throw error;
    } finally {
      this.#stopped.signal.removeEventListener('abort', onStop);
    }
  }

  #listed({ cache }: Source): T[] {
    const { namespace } = this.#options;
    return (cache.list(namespace === ALL_NAMESPACES ? undefined : namespace) ?? []) as unknown as T[];
  }

  /** @param key `<namespace>/<name>` */
  #notice(key: string): void {
    const [namespace = '', name = ''] = key.split('/');
    const object = this.get(name, namespace);
    const digest = object === undefined ? undefined : JSON.stringify(this.#options.digestOf(object));
    if (object !== undefined && digest === this.#digests.get(key)) return;
    if (digest === undefined) this.#digests.delete(key);
    else this.#digests.set(key, digest);
    this.#options.onObject(name, namespace);
  }

  #begin(): Source {
    const { api, resource, namespace, labels, onDeleted = () => {} } = this.#options;
    const ended = new AbortController();
    let markListed = () => {};
    const list = async () => {
      const all = await api.list<T>(resource, namespace, labels);
      // Thrown here because the library would otherwise start a watch that cannot be stopped.
      if (ended.signal.aborted) throw new Error('ended');
      setImmediate(markListed);
      return all as never;
    };
    const cache = makeInformer(api.config, path(resource, namespace), list, labels);
    const listed = new Promise<void>((resolve, reject) => {
      markListed = resolve;
      ended.signal.addEventListener('abort', () => reject(ended.signal.reason), { once: true });
    });
    const source: Source = { cache, listed, ended };
    const isInUse = () => source === this.#current && !ended.signal.aborted;
    cache.on('delete', (object) => {
      if (isInUse()) onDeleted(object as KubeObject);
    });
    cache.on('change', (object) => {
      if (isInUse()) this.#notice(keyOf((object as KubeObject).metadata));
    });
    cache.on('error', (error: Error) => {
      ended.abort(error);
    });
    void cache.start().catch((error) => ended.abort(error));
    return source;
  }
}

function retire(source: Source | null): void {
  source?.ended.abort();
  void source?.cache.stop();
}
