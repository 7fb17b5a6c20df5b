/** Lists of addresses and networks, for trusted proxies and for the networks to which a key is bound. */
import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

const family = (ip: string) => (isIP(ip) === 6 ? 'ipv6' : 'ipv4');

/**
 * @param entries `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`; see `isNetwork`
 * @returns whether an address is in the list
 */
export function addressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [ip = '', prefix] = entry.split('/');
    if (prefix === undefined) list.addAddress(ip, family(ip));
    else list.addSubnet(ip, Number(prefix), family(ip));
  }
  return (address) => isIP(address) !== 0 && list.check(address, family(address));
}

const MAX_KNOWN_LISTS = 1_000;
const known = new LRUCache<string, (address: string) => boolean>({ max: MAX_KNOWN_LISTS });

/** Like `addressList`, for a list that is not the same for all requests. */
export function isListed(entries: readonly string[], address: string): boolean {
  const name = entries.join();
  const list = known.get(name) ?? addressList(entries);
  known.set(name, list);
  return list(address);
}
