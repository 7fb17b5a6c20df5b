/** Charging a request to the rate limits and quotas of its plan. */
import type { Principal } from './auth.ts';
import type { HeaderList } from './headers.ts';

const TOO_MANY = 429;
const FAULTS_FROM = 500;
/** Problems that cost nothing, by their status: what was refused, and failures of the service. */
export const isFree = (status: number): boolean => status === TOO_MANY || status >= FAULTS_FROM;

export interface Charge {
  /** RateLimit and RateLimit-Policy. */
  headers: HeaderList;
  /** To be called once, for what costs nothing. @returns the headers as they are then */
  refund(): HeaderList;
}

/**
 * @param readAddress the client's address, which is read only if it counts
 * @returns undefined if the plan has no windows; a promise only if the database has to be asked
 * @throws {Problem} rate_limited or quota_exceeded if nothing is left
 */
export type ChargeRequest = (
  principal: Principal,
  cost: number,
  readAddress: () => string,
) => Charge | undefined | Promise<Charge | undefined>;
