/** The plan for new accounts until their address is verified. */
import type { Plan, PlanWindow } from './plan-file.ts';

/** An account with an unverified address has 1/n of the requests per day and month. */
const UNVERIFIED_SHARE = 10;

const share = ({ name, quota }: PlanWindow): PlanWindow => ({
  name,
  quota: name === 'burst' ? quota : Math.max(1, Math.floor(quota / UNVERIFIED_SHARE)),
});

/** Returns the plan that applies while the address is not verified. */
export const unverifiedPlan = (plan: Plan): Plan => ({
  ...plan,
  windows: plan.windows.map(share),
  publishableWindows: plan.publishableWindows.map(share),
});
