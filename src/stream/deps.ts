/** Dependencies of the stream routes. */
import type { OfferedPlans } from '../accounts/plans/index.ts';
import type { Deps } from '../deps.ts';
import type { EventLog } from '../events/index.ts';
import { routeFor } from '../http/index.ts';
import type { Admission } from './admission.ts';
import type { Hub } from './hub.ts';

export interface StreamDeps extends Deps {
  plans: OfferedPlans;
  eventLog: EventLog;
  hub: Hub;
  /** Decides whether a stream may be opened and stay open. */
  admission: Admission;
}

export const route = routeFor<StreamDeps>();
