/** Dependencies of the guide routes. */
import type { AccountConfig } from '../accounts/config.ts';
import type { OfferedPlans } from '../accounts/plans/index.ts';
import type { Deps } from '../deps.ts';
import { routeFor } from '../http/index.ts';

export interface GuideDeps extends Deps {
  config: AccountConfig;
  plans: OfferedPlans;
}

export const route = routeFor<GuideDeps>();
