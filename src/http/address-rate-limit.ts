/** Rate limits for requests without a key, per address and in total, by token buckets in this process. */
import ipaddr from 'ipaddr.js';
import type { Access } from './auth.ts';
import { rateLimited } from './errors.ts';
import { type BucketLimit, createBuckets } from './token-buckets.ts';

export type AddressLimit = BucketLimit;

export interface AddressLimits {
  /**
   * @param what name of the limit; each name has its own buckets
   * @throws {Problem} rate_limited if the bucket is empty
   */
  take(what: string, address: string, limit: AddressLimit): void;
  /**
   * Takes from one bucket that all addresses share.
   * @throws {Problem} rate_limited if the bucket is empty
   */
  takeInTotal(what: string, limit: BucketLimit): void;
}

/**
 * Limit for a route that needs no key and sets no limit of its own. High enough for a classroom behind one address that
 * loads the pages and their files at once. Low enough to stop a client that sends requests without pause.
 */
const STANDARD: AddressLimit = { requests: 3_000, seconds: 60 };

/** @returns undefined if the route's requests are counted by key or by member */
export const findAddressLimit = ({
  access,
  perAddress,
}: {
  access: Access['access'];
  perAddress?: AddressLimit;
}): AddressLimit | undefined => perAddress ?? (access === 'public' || access === 'visitor' ? STANDARD : undefined);

/** Length in bytes of the prefix that identifies an IPv6 subscriber's network. */
const IPV6_BYTES = 8;

/** @param now ms */
export function createAddressLimits(now: () => number): AddressLimits {
  const buckets = createBuckets(now);
  // Totals are not kept among the address buckets, because the least recently used address buckets are evicted.
  const totals = createBuckets(now);
  function check(wait: number, { requests, seconds }: BucketLimit, whose: string): void {
    if (wait > 0) throw rateLimited(`At most ${requests} requests in ${seconds} s${whose}.`, wait);
  }
  return {
    take(what, address, limit) {
      check(buckets.take(`${what} ${maskAddress(address)}`, limit), limit, '');
    },
    takeInTotal(what, limit) {
      check(totals.take(what, limit), limit, ' from all clients together');
    },
  };
}

/**
 * Returns a subscriber's network as text. For IPv4 it is the address, and for IPv6 a prefix.
 * @param ipv6Bytes prefix length
 */
export function maskAddress(address: string, ipv6Bytes: number = IPV6_BYTES): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, ipv6Bytes).join('.');
}
