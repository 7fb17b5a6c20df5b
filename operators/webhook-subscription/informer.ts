/**
 * What the API server has of a kind in a namespace, kept up to date. The library's informer stops at the first error and may hang on a
 * dead connection: this one begins again, and reads everything anew every minute or so.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Informer, type KubernetesObject, makeInformer, type ObjectCache } from '@kubernetes/client-node';
import type { Logger } from 'pino';
import { type Api, type KubeObject, path, type Resource } from './api.ts';

/** Everything is read anew so often, give or take a fifth. */
export const RESYNC_MS = 60_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

export interface WatchOptions {
  api: Api;
  logger: Logger;
  resource: Resource;
  namespace: string;
  labels?: string;
  /** An object has come, changed or gone; and for each one there is or was, after everything has been read `anew`. */
  onObject(name: string, anew: boolean): void;
  /** Told before `onObject`: the API server says that it was deleted. */
  onGone?(name: string, uid: string): void;
  resyncMs?: number;
}

export interface Watching<T> {
  get(name: string): T | undefined;
  list(): readonly T[];
  /** Has everything been read once? */
  synced(): boolean;
  /** Begun anew after a failure. */
  restarts(): number;
  stop(): void;
}

/** One life of the library's informer: a list, and the watch after it. */
interface Source {
  cache: Informer<KubernetesObject> & ObjectCache<KubernetesObject>;
  /** Resolves when the list has been read. */
  listed: Promise<void>;
  /** Aborted by a failure, or when nobody needs it. */
  ended: AbortController;
}

export function watchObjects<T extends KubeObject>(options: WatchOptions): Watching<T> {
  const { api, logger, resource, namespace, labels, onObject, onGone = () => {}, resyncMs = RESYNC_MS } = options;
  const stopped = new AbortController();
  let current: Source | null = null;
  let restarts = 0;

  function begin(): Source {
    const ended = new AbortController();
    let read = () => {};
    const list = async () => {
      const all = await api.list<T>(resource, namespace, labels);
      // The library would go on to a watch that nobody stops.
      if (ended.signal.aborted) throw new Error('ended');
      setImmediate(read);
      return all as never;
    };
    const cache = makeInformer(api.config, path(resource, namespace), list, labels);
    const listed = new Promise<void>((resolve, reject) => {
      read = resolve;
      ended.signal.addEventListener('abort', () => reject(ended.signal.reason), { once: true });
    });
    const source: Source = { cache, listed, ended };
    cache.on('delete', ({ metadata }) => {
      if (source === current && !ended.signal.aborted) onGone(metadata!.name!, metadata!.uid!);
    });
    cache.on('change', (object) => {
      if (source === current && !ended.signal.aborted) onObject(object.metadata!.name!, false);
    });
    cache.on('error', (error: Error) => {
      ended.abort(error);
    });
    void cache.start().catch((error) => ended.abort(error));
    return source;
  }

  function retire(source: Source | null): void {
    source?.ended.abort();
    void source?.cache.stop();
  }

  /** Reads everything, then follows for a while. What was there before stays in use until the list has been read. */
  async function follow(): Promise<void> {
    const source = begin();
    const over = () => retire(source);
    stopped.signal.addEventListener('abort', over, { once: true });
    try {
      await source.listed;
      const before = current;
      current = source;
      const caches = [before, source].flatMap((one) => one?.cache.list(namespace) ?? []);
      retire(before);
      for (const name of new Set(caches.map((one) => one.metadata!.name!))) onObject(name, true);
      await sleep(resyncMs * (0.8 + 0.4 * Math.random()), undefined, { signal: source.ended.signal });
    } catch (error) {
      retire(source);
      throw error;
    } finally {
      stopped.signal.removeEventListener('abort', over);
    }
  }

  async function loop(): Promise<void> {
    let failures = 0;
    while (!stopped.signal.aborted) {
      const begun = performance.now();
      try {
        await follow();
        failures = 0;
      } catch (error) {
        if (stopped.signal.aborted) return;
        const { cause, message } = error as Error & { cause?: Error };
        logger.warn(
          { resource: resource.plural, namespace, reason: cause?.message ?? message },
          'a watch begins again',
        );
        restarts += 1;
        failures = performance.now() - begun > LONGEST_WAIT_MS ? 1 : failures + 1;
        const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)) * (0.5 + Math.random());
        await sleep(wait, undefined, { signal: stopped.signal }).catch(() => {});
      }
    }
  }
  void loop();

  return {
    get: (name) => current?.cache.get(name, namespace) as T | undefined,
    list: () => (current?.cache.list(namespace) ?? []) as unknown as T[],
    synced: () => current !== null,
    restarts: () => restarts,
    stop() {
      stopped.abort();
      retire(current);
    },
  };
}
