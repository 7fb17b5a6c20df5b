/** What a request takes from its plan's windows. */
import type { Principal } from './auth.ts';
import type { HeaderList } from './headers.ts';

/** What a request took from the plan's windows. */
export interface Charge {
  /** RateLimit and RateLimit-Policy. */
  headers: HeaderList;
  /** Called for a 304, which costs nothing. */
  refund(): void;
}

/** Throws Problem rate_limited or quota_exceeded where nothing is left; undefined where nothing is counted. */
export type ChargeRequest = (principal: Principal, cost: number) => Charge | undefined;
