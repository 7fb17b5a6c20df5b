/** How often one address may ask for what needs no key, and how often all together: token buckets in this process. */
import ipaddr from 'ipaddr.js';
import type { Access } from './auth.ts';
import { type BucketLimit, createBuckets } from './buckets.ts';
import { Problem } from './errors.ts';

export type AddressLimit = BucketLimit;

export interface AddressLimits {
  /**
   * @param what is limited: each has buckets of its own
   * @throws {Problem} rate_limited if nothing is left
   */
  take(what: string, address: string, limit: AddressLimit): void;
  /** For all addresses together. @throws {Problem} rate_limited if nothing is left */
  takeInTotal(what: string, limit: BucketLimit): void;
}

/**
 * For a route that needs no key and has no limit of its own. A class behind one address may load the pages with all of their files at
 * once; one reader that asks without end is stopped.
 */
const STANDARD: AddressLimit = { requests: 3_000, seconds: 60 };

/** @returns undefined for a route whose requests are counted by key or by member */
export const findAddressLimit = ({
  access,
  perAddress,
}: {
  access: Access['access'];
  perAddress?: AddressLimit;
}): AddressLimit | undefined => perAddress ?? (access === 'public' || access === 'visitor' ? STANDARD : undefined);

/** A subscriber of IPv6 has a network of this size. */
const IPV6_BYTES = 8;

/** @param now ms */
export function createAddressLimits(now: () => number): AddressLimits {
  const buckets = createBuckets(now);
  // Apart: the buckets of many addresses push out the oldest ones.
  const totals = createBuckets(now);
  function check(retryAfter: number, { requests, seconds }: BucketLimit, whose: string): void {
    if (retryAfter === 0) return;
    throw new Problem('rate_limited', `At most ${requests} requests in ${seconds} s${whose}.`, {
      headers: { 'Retry-After': String(retryAfter) },
    });
  }
  return {
    take(what, address, limit) {
      check(buckets.take(`${what} ${maskAddress(address)}`, limit), limit, '');
    },
    takeInTotal(what, limit) {
      check(totals.take(what, limit), limit, ' from all together');
    },
  };
}

/**
 * The network of one subscriber, as text: an IPv4 address, or the beginning of an IPv6 address.
 * @param ipv6Bytes the length of that beginning
 */
export function maskAddress(address: string, ipv6Bytes: number = IPV6_BYTES): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, ipv6Bytes).join('.');
}
