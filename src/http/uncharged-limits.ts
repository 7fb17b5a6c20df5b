/**
 * Rate limits in one process for requests that no plan counts, which are requests about an account, and 304 responses.
 * The limits are generous. They keep one client from taking over a process.
 */
import { maskAddress } from './address-rate-limit.ts';
import type { Principal } from './auth.ts';
import { rateLimited } from './errors.ts';
import type { AnyRoute } from './route.ts';
import { type BucketLimit, createBuckets } from './token-buckets.ts';

/**
 * Limit for requests about an account. All its members share one bucket, for the pages and the API. All its keys share
 * a second one, so that someone who stole a key cannot keep a member from revoking it.
 */
const ACCOUNT: BucketLimit = { requests: 600, seconds: 60 };
/**
 * Limit for unauthenticated requests about accounts, from one network. High enough for a classroom behind one address.
 */
const STRANGERS: BucketLimit = { requests: 300, seconds: 60 };
/** Limit for 304 responses to an account's secret keys, or to one network that uses the account's publishable keys. */
const UNCHANGED: BucketLimit = { requests: 3_000, seconds: 60 };
/** A large body costs the service more, so it counts as one response for each started part of this size. */
const UNCHANGED_BYTES = 65_536;

const ABOUT_ACCOUNTS = /^(\/v1)?\/account(\/|$)/;

/**
 * True if requests to a route are about accounts. Such requests are limited for each account or address, whatever the
 * plan.
 */
export const isAboutAccounts = ({ path }: Pick<AnyRoute, 'path'>): boolean => ABOUT_ACCOUNTS.test(path);

export interface FreeWindows {
  /**
   * Counts a request if it is about an account.
   * @param readAddress returns the client's address; called only if the address matters
   * @throws {Problem} rate_limited
   */
  enter(route: Pick<AnyRoute, 'path' | 'access'>, principal: Principal | null, readAddress: () => string): void;
  /** @returns true if a 304 that replaces a body of `bytes` is free. Otherwise the 304 costs as much as the body */
  isUnchangedFree(principal: Principal | null, bytes: number, readAddress: () => string): boolean;
}

/** @param now ms */
export function createFreeWindows(now: () => number): FreeWindows {
  const accounts = createBuckets(now);
  const strangers = createBuckets(now);
  const unchanged = createBuckets(now);

  return {
    enter(route, principal, readAddress) {
      let wait = 0;
      if (principal?.kind === 'member' || (principal?.kind === 'sk' && route.access === 'account'))
        wait = accounts.take(`${principal.kind} ${principal.accountId}`, ACCOUNT);
      else if (principal === null && isAboutAccounts(route))
        wait = strangers.take(maskAddress(readAddress()), STRANGERS);
      if (wait === 0) return;
      const { requests, seconds } = principal === null ? STRANGERS : ACCOUNT;
      const whose = principal === null ? 'by one address that has not signed in' : 'about one account';
      throw rateLimited(`At most ${requests} requests in ${seconds} s ${whose}.`, wait, {
        members: { 'violated-policies': ['account'] },
      });
    },
    isUnchangedFree(principal, bytes, readAddress) {
      if (principal === null || !('keyId' in principal)) return true;
      const { kind, accountId } = principal;
      const name = kind === 'sk' ? String(accountId) : `${accountId} ${maskAddress(readAddress())}`;
      return unchanged.take(name, UNCHANGED, Math.max(1, Math.ceil(bytes / UNCHANGED_BYTES))) === 0;
    },
  };
}
