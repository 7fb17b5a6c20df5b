/** How often one address may ask for what needs no key: a token bucket for each, in this process. */
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { Problem } from './errors.ts';

export interface AddressLimit {
  /** So many at once, and so many in this time afterwards. */
  requests: number;
  seconds: number;
}

export interface AddressLimits {
  /**
   * @param what is limited: each has buckets of its own
   * @throws {Problem} rate_limited where nothing is left
   */
  take(what: string, address: string, limit: AddressLimit): void;
}

/** Beyond this the address that has been silent for longest is forgotten, which gives it a full bucket. */
const MAX_ADDRESSES = 50_000;
/** A subscriber of IPv6 has a network of this size. */
const IPV6_BYTES = 8;

interface Bucket {
  left: number;
  /** ms */
  at: number;
}

/** @param now ms */
export function createAddressLimits(now: () => number): AddressLimits {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES });
  return {
    take(what, address, { requests, seconds }) {
      const key = `${what} ${networkOf(address)}`;
      const time = now();
      const { left, at } = buckets.get(key) ?? { left: requests, at: time };
      const perMs = requests / (seconds * 1_000);
      // A clock that was set back takes nothing away.
      const filled = Math.min(requests, left + Math.max(0, time - at) * perMs);
      if (filled < 1) {
        const retryAfter = Math.max(1, Math.ceil((1 - filled) / perMs / 1_000));
        throw new Problem('rate_limited', `At most ${requests} requests in ${seconds} s.`, {
          headers: { 'Retry-After': String(retryAfter) },
        });
      }
      buckets.set(key, { left: filled - 1, at: time });
    },
  };
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, IPV6_BYTES).join('.');
}
