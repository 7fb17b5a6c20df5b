/** How often one address may ask for what needs no key: a token bucket for each, in this process. */
import ipaddr from 'ipaddr.js';
import { type BucketLimit, createBuckets } from './buckets.ts';
import { Problem } from './errors.ts';

export type AddressLimit = BucketLimit;

export interface AddressLimits {
  /**
   * @param what is limited: each has buckets of its own
   * @throws {Problem} rate_limited where nothing is left
   */
  take(what: string, address: string, limit: AddressLimit): void;
}

/** A subscriber of IPv6 has a network of this size. */
const IPV6_BYTES = 8;

/** @param now ms */
export function createAddressLimits(now: () => number): AddressLimits {
  const buckets = createBuckets(now);
  return {
    take(what, address, limit) {
      const retryAfter = buckets.take(`${what} ${networkOf(address)}`, limit);
      if (retryAfter === 0) return;
      throw new Problem('rate_limited', `At most ${limit.requests} requests in ${limit.seconds} s.`, {
        headers: { 'Retry-After': String(retryAfter) },
      });
    },
  };
}

/**
 * The network of one subscriber, as text: an IPv4 address, or the beginning of an IPv6 address.
 * @param ipv6Bytes the length of that beginning
 */
export function networkOf(address: string, ipv6Bytes: number = IPV6_BYTES): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, ipv6Bytes).join('.');
}
