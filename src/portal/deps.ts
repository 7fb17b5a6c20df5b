/** What the pages of accounts get. */
import type { AccountDeps } from '../accounts/deps.ts';
import type { ClickHouse } from '../db/clickhouse.ts';
import { routeFor } from '../http/route.ts';

export interface PortalDeps extends AccountDeps {
  clickhouse: ClickHouse;
}

export const route = routeFor<PortalDeps>();
