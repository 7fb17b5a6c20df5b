/** Charging a request to the rate limits and quotas of its plan. */
import type { Principal } from './auth.ts';
import type { HeaderList } from './headers.ts';

export interface Charge {
  /** RateLimit and RateLimit-Policy. */
  headers: HeaderList;
  /** Called for what costs nothing: a 304, and a failure of the service. @returns the headers as they are then */
  refund(): HeaderList;
}

/**
 * @returns undefined where the plan has no windows; a promise only where the database has to be asked
 * @throws {Problem} rate_limited or quota_exceeded where nothing is left
 */
export type ChargeRequest = (principal: Principal, cost: number) => Charge | undefined | Promise<Charge | undefined>;
