/** Dependencies for widget routes. */
import type { AnalyticsDeps } from '../analytics/deps.ts';
import type { Config } from '../config/config.ts';
import { routeFor } from '../http/index.ts';
import type { WidgetConfig } from './config.ts';

export interface WidgetDeps extends AnalyticsDeps {
  config: Config & WidgetConfig;
}

export const route = routeFor<WidgetDeps>();
