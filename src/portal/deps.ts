/** Dependencies of the account pages. */
import type { AccountDeps } from '../accounts/deps.ts';
import type { ClickHouse } from '../db/clickhouse.ts';
import { routeFor } from '../http/index.ts';
import type { WebhookDeps } from '../webhooks/deps.ts';

export type PortalDeps = AccountDeps & WebhookDeps & { clickhouse: ClickHouse };

export const route = routeFor<PortalDeps>();
