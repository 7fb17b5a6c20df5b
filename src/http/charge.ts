/** Charging a request to the rate limits and quotas of its plan. */
import type { Principal } from './auth.ts';
import type { HeaderList } from './headers.ts';

const NOT_MODIFIED = 304;
const TOO_MANY = 429;
const FAULTS_FROM = 500;
/** By its status, what costs nothing: what the client has already, what was refused, and failures of the service. */
export const isFree = (status: number): boolean =>
  status === NOT_MODIFIED || status === TOO_MANY || status >= FAULTS_FROM;

export interface Charge {
  /** RateLimit and RateLimit-Policy. */
  headers: HeaderList;
  /** Called for what costs nothing, by `isFree`. @returns the headers as they are then */
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
