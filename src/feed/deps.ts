/** Dependencies of the feed routes. */
import type { Deps } from '../deps.ts';
import { routeFor } from '../http/index.ts';
import type { PrecedenceConfig } from '../identity/config.ts';
import type { EntityCache } from '../identity/entities.ts';
import type { IngestMetrics } from './metrics.ts';

export interface FeedDeps extends Deps {
  config: Deps['config'] & PrecedenceConfig;
  entities: EntityCache;
  metrics?: IngestMetrics;
}

export const route = routeFor<FeedDeps>();
