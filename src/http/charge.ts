/**
 * Types for charging a request to the plan's rate limits and quotas, and for counting streams. The features implement
 * them.
 */
import type { Principal } from './auth.ts';
import type { HeaderList } from './headers.ts';

const TOO_MANY = 429;
const FAULTS_FROM = 500;
/**
 * True if a request costs nothing because it is answered by a problem with this status: it was refused by a limit, or
 * the service failed.
 */
export const isFree = (status: number): boolean => status === TOO_MANY || status >= FAULTS_FROM;

export interface Charge {
  /** The headers RateLimit and RateLimit-Policy. */
  headers: HeaderList;
  /**
   * Refunds a request that turns out to cost less, or nothing.
   * @param cost how much of the cost; without it, all that has not been refunded yet
   * @returns the headers after the refund
   */
  refund(cost?: number): HeaderList;
}

/**
 * Waits until a plan's burst limit has room for a request.
 * @param ms time until there is room, if nobody takes it first
 * @returns false if the request may not wait that long, as soon as that is known
 */
export type AwaitBurst = (ms: number) => Promise<boolean>;

/**
 * @param readAddress returns the client's address; called only if the address matters
 * @param awaitBurst called while the burst is used up; without it the request is refused at once
 * @returns undefined if the plan has no limits. A promise only if the database has to be queried, or if the request may
 *   wait
 * @throws {Problem} rate_limited or quota_exceeded if a limit is used up
 */
export type ChargeRequest = (
  principal: Principal,
  cost: number,
  readAddress: () => string,
  awaitBurst?: AwaitBurst,
) => Charge | undefined | Promise<Charge | undefined>;

/** Tells that an account has nearly used up a day's or a month's quota. */
export interface WindowNotice {
  accountId: number;
  /** Which kind of key has used up the quota. */
  keys: 'sk' | 'pk';
  window: 'day' | 'month';
  percent: 80 | 100;
  used: number;
  quota: number;
  resetsAt: Date;
}

/** Sends the notice. Errors that the function throws are logged. */
export type NotifyWindow = (notice: WindowNotice) => Promise<void> | void;

/** Counts an account's streams in this process. */
export interface StreamCounter {
  opened(): void;
  closed(): void;
  delivered(events: number): void;
}

/** Returns the stream counters of accounts. */
export interface StreamUsage {
  streams(accountId: number): StreamCounter;
}
