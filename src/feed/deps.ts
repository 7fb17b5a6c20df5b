/** What the routes of the feed get. */
import type { Deps } from '../deps.ts';
import { routeFor } from '../http/route.ts';
import type { PrecedenceConfig } from '../identity/config.ts';

export interface FeedDeps extends Deps {
  config: Deps['config'] & PrecedenceConfig;
}

export const route = routeFor<FeedDeps>();
