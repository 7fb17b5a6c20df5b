/** Charging a request to the rate limits and quotas of its plan. */
import type { Principal } from './auth.ts';
import type { HeaderList } from './headers.ts';

export interface Charge {
  /** RateLimit and RateLimit-Policy. */
  headers: HeaderList;
  /** Called for a 304, which costs nothing. */
  refund(): void;
}

/**
 * @returns undefined where the plan has no windows
 * @throws {Problem} rate_limited or quota_exceeded where nothing is left
 */
export type ChargeRequest = (principal: Principal, cost: number) => Charge | undefined;
