/** The service's public address, for links, and the client's IP address. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { isNetwork } from '../config/network.ts';
import { Problem } from './errors.ts';
import { addressList } from './network-list.ts';

export interface AddressConfig {
  baseUrl: string | undefined;
  allowedHosts: readonly string[];
  trustedProxies: readonly string[];
}

export interface Addresses {
  /**
   * Returns the public address, without a trailing slash. This is BASE_URL if it is set. Otherwise the address comes
   * from the Host header, or from X-Forwarded-Host and X-Forwarded-Proto if a trusted proxy sends them. The host must
   * then be this machine (localhost, 127.0.0.0/8, ::1) or be listed in ALLOWED_HOSTS.
   * @throws {Problem} bad_request for any other host. This protects against DNS rebinding, in which the host name of an
   *   attacker's page resolves to a loopback address.
   */
  baseUrl(request: IncomingMessage): string;
  /**
   * Returns the client's IP address, which is the peer's address. Behind a trusted proxy, it is the last address in
   * X-Forwarded-For that is not a trusted proxy.
   */
  clientIp(request: IncomingMessage): string;
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;
/** Above this size, the cache of checked Host values is cleared. */
const MAX_KNOWN_HOSTS = 100;

const plainIp = (ip: string) => (ip.startsWith('::ffff:') ? ip.slice('::ffff:'.length) : ip);

function proxyList(entries: readonly string[]): (address: string) => boolean {
  for (const entry of entries)
    if (!isNetwork(entry))
      throw new TypeError(`TRUSTED_PROXIES: ${entry} is neither an IP address nor a network like 10.0.0.0/8`);
  return addressList(entries);
}

/** Address ranges in which an installation's own proxies run. */
const INTERNAL = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);
const isInternal = (ip: string) => ipaddr.isValid(ip) && INTERNAL.has(ipaddr.process(ip).range());

/**
 * Warns that TRUSTED_PROXIES is empty although a peer sends X-Forwarded-For. Warns once for internal and once for
 * external peers, since any client can send the header.
 */
function proxyWarning(logger: Pick<Logger, 'warn'>): (peer: string) => void {
  const warned = new Set<boolean>();
  return (peer) => {
    if (warned.size === 2) return;
    const internal = isInternal(peer);
    if (warned.has(internal)) return;
    warned.add(internal);
    logger.warn(
      { peer },
      `a request from ${peer} has X-Forwarded-For, but TRUSTED_PROXIES is empty: if that is your proxy, all of its clients share the limits of one address; set TRUSTED_PROXIES to its address or network`,
    );
  };
}

function first(header: string | string[] | undefined): string {
  const [value = ''] = String(header ?? '').split(',', 1);
  return value.trim();
}

/**
 * @param logger receives a warning about proxies that are not trusted
 * @throws {TypeError} for a trustedProxies entry that is not an address.
 */
export function createAddresses(config: AddressConfig, logger: Pick<Logger, 'warn'>): Addresses {
  const proxies = config.trustedProxies.length === 0 ? null : proxyList(config.trustedProxies);
  const allowed = new Set(config.allowedHosts.map((host) => host.toLowerCase()));
  const known = new Map<string, string>();
  const warn = proxyWarning(logger);

  const trusted = (ip: string) => proxies?.(ip) === true;
  const peer = (request: IncomingMessage) => plainIp(request.socket.remoteAddress ?? '');

  const formatAddress = (scheme: string, host: string): string => {
    const key = `${scheme}://${host}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const name = host.toLowerCase();
    const isAllowed = HOST.test(name) && (allowed.has(name) || allowed.has(name.replace(/:\d+$/, '')));
    if (!isAllowed && !LOOPBACK_HOST.test(name)) {
      throw new Problem(
        'bad_request',
        'The Host header is not an address of this service; see BASE_URL and ALLOWED_HOSTS.',
      );
    }
    if (known.size >= MAX_KNOWN_HOSTS) known.clear();
    known.set(key, `${scheme}://${name}`);
    return `${scheme}://${name}`;
  };

  return {
    baseUrl(request) {
      if (config.baseUrl !== undefined) return config.baseUrl;
      const { headers } = request;
      let scheme = 'encrypted' in request.socket ? 'https' : 'http';
      let host = headers.host ?? '';
      if (proxies !== null && trusted(peer(request))) {
        const forwarded = first(headers['x-forwarded-proto']).toLowerCase();
        if (forwarded === 'https' || forwarded === 'http') scheme = forwarded;
        host = first(headers['x-forwarded-host']) || host;
      }
      return formatAddress(scheme, host);
    },
    clientIp(request) {
      let ip = peer(request);
      if (proxies === null) {
        if (request.headers['x-forwarded-for'] !== undefined) warn(ip);
        return ip;
      }
      if (!trusted(ip)) return ip;
      const hops = String(request.headers['x-forwarded-for'] ?? '')
        .split(',')
        .map((hop) => plainIp(hop.trim()));
      for (const hop of hops.reverse()) {
        if (isIP(hop) === 0) break;
        ip = hop;
        if (!trusted(hop)) break;
      }
      return ip;
    },
  };
}
