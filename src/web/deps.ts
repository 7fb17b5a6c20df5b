/** Dependencies for page routes. */
import type { AccountConfig } from '../accounts/config.ts';
import type { AnalyticsDeps } from '../analytics/deps.ts';
import { routeFor } from '../http/index.ts';

export interface WebDeps extends AnalyticsDeps {
  config: AccountConfig;
}

export const route = routeFor<WebDeps>();
