/** Metrics of the caches in memory. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** How often a cache had what was asked for, and how many bytes it holds. */
export interface CacheStatistics {
  hits: number;
  misses: number;
  bytes: number;
}

type Observed = Map<string, () => CacheStatistics>;
const observed = new WeakMap<Registry, Observed>();

/** Adds a cache to the metrics. */
export function observeCache(registry: Registry, name: string, statistics: () => CacheStatistics): void {
  const caches = observed.get(registry) ?? createMetrics(registry);
  caches.set(name, statistics);
}

function createMetrics(registry: Registry): Observed {
  const caches: Observed = new Map();
  observed.set(registry, caches);
  new Counter({
    name: 'touchline_cache_requests_total',
    help: 'Requests to the caches in memory, by cache (requests: known requests, replies, items: list items, pages, versioned: large replies, ahead: sync pages read ahead) and result (hit or miss).',
    labelNames: ['cache', 'result'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, statistics] of caches) {
        const { hits, misses } = statistics();
        this.inc({ cache, result: 'hit' }, hits);
        this.inc({ cache, result: 'miss' }, misses);
      }
    },
  });
  new Gauge({
    name: 'touchline_cache_bytes',
    help: 'Memory that a cache holds, as it counts it.',
    labelNames: ['cache'],
    registers: [registry],
    collect() {
      for (const [cache, statistics] of caches) this.set({ cache }, statistics().bytes);
    },
  });
  return caches;
}
