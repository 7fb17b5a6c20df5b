/** What the pages of accounts get. */
import type { AccountDeps } from '../accounts/deps.ts';
import { routeFor } from '../http/route.ts';

export type PortalDeps = AccountDeps;

export const route = routeFor<PortalDeps>();
