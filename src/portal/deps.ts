/** Dependencies of the account pages. */
import type pg from 'pg';
import type { AccountDeps } from '../accounts/deps.ts';
import type { ClickHouse } from '../db/clickhouse.ts';
import { routeFor } from '../http/index.ts';
import type { WebhookDeps } from '../webhooks/deps.ts';

export type PortalDeps = AccountDeps &
  WebhookDeps & {
    clickhouse: ClickHouse;
    /** Connections with which operators change matches. All others may lack the right to do so. */
    matchPool: pg.Pool;
  };

export const route = routeFor<PortalDeps>();
