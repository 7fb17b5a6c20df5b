/** Dependencies of the analytics routes. */
import type { ClickHouse } from '../db/clickhouse.ts';
import type { Deps } from '../deps.ts';
import { routeFor } from '../http/index.ts';
import type { Cards } from './cards/cards.ts';

export interface AnalyticsDeps extends Deps {
  clickhouse: ClickHouse;
  cards: Cards;
}

export const route = routeFor<AnalyticsDeps>();
