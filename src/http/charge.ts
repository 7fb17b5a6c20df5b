/** Charges a request to the plan's rate limits and quotas, and counts streams. The features fill in these types. */
import type { Principal } from './auth.ts';
import type { HeaderList } from './headers.ts';

const TOO_MANY = 429;
const FAULTS_FROM = 500;
/** True for problems that cost nothing, by status, which are refused requests and service failures. */
export const isFree = (status: number): boolean => status === TOO_MANY || status >= FAULTS_FROM;

export interface Charge {
  /** RateLimit and RateLimit-Policy. */
  headers: HeaderList;
  /** Refunds a request that costs nothing; call it once. @returns the headers after the refund */
  refund(): HeaderList;
}

/**
 * Waits until a burst has room for a request.
 * @param ms time until it has room, unless another request takes it
 * @returns false as soon as it is known that the request may not wait that long
 */
export type AwaitBurst = (ms: number) => Promise<boolean>;

/**
 * @param readAddress returns the client's address; called only if it counts
 * @param awaitBurst called while the burst is used up; without it the request is refused at once
 * @returns undefined if the plan has no windows; a promise only if the database has to be queried, or if it may wait
 * @throws {Problem} rate_limited or quota_exceeded if a window is used up
 */
export type ChargeRequest = (
  principal: Principal,
  cost: number,
  readAddress: () => string,
  awaitBurst?: AwaitBurst,
) => Charge | undefined | Promise<Charge | undefined>;

/** A day or month window that an account has nearly used up. */
export interface WindowNotice {
  accountId: number;
  /** Which kind of key has used it. */
  keys: 'sk' | 'pk';
  window: 'day' | 'month';
  percent: 80 | 100;
  used: number;
  quota: number;
  resetsAt: Date;
}

/** Errors that it throws are logged. */
export type NotifyWindow = (notice: WindowNotice) => Promise<void> | void;

/** Counts an account's streams in this process. */
export interface StreamCounter {
  opened(): void;
  closed(): void;
  delivered(events: number): void;
}

/** Counts account usage by streams. */
export interface StreamUsage {
  streams(accountId: number): StreamCounter;
}
