/**
 * Checks whether events may be sent to an address. The address needs TLS, a permitted port, and a public name that
 * resolves only to public unicast addresses. The check runs when a subscription is created and before each connection,
 * which then goes only to the checked addresses. An address that is not a URL is checked as the URL `https://host:port`,
 * or `http://host:port` without TLS.
 */
import { lookup, Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { readErrorCode } from '../runtime/unknown-values.ts';
import { type AllowEntry, parseAllowEntry } from './allow-list.ts';

export interface CheckedAddress {
  address: string;
  family: 4 | 6;
}

export class AddressRefused extends Error {
  /** A stable code in snake_case. */
  readonly code: 'invalid_url' | 'address_refused' | 'not_resolved';

  constructor(code: 'invalid_url' | 'address_refused' | 'not_resolved', message: string) {
    super(message);
    this.code = code;
  }
}

export interface Guard {
  /**
   * Makes all checks that need no DNS.
   * @param ports that need no entry in the allow-list; 443 by default
   * @throws {AddressRefused}
   */
  parse(url: string, ports?: readonly number[]): URL;
  /**
   * Resolves the URL's name.
   * @returns the addresses to connect to, at least one
   * @throws {AddressRefused}
   */
  check(url: URL, ports?: readonly number[]): Promise<CheckedAddress[]>;
  /** Returns whether the allow-list has the URL's name, or a network with the URL's literal address. */
  isListed(url: URL): boolean;
}

export interface GuardOptions {
  /** `config.webhookAllow` */
  allow: readonly string[];
  /** Name servers as host:port, for tests. The default is the system's name servers. */
  nameServers?: readonly string[];
}

const HTTPS_PORTS: readonly number[] = [443];
const MAX_URL_LENGTH = 2_048;
/** Time limit on one query for one address family. */
const DNS_TIMEOUT_MS = 2_500;
const DNS_TRIES = 2;

/** Suffixes of names that are never public. */
const PRIVATE_SUFFIXES =
  'localhost local localdomain internal intranet private lan home corp home.arpa svc cluster test invalid onion arpa'.split(
    ' ',
  );

/** Cloud platforms' metadata services at addresses that look public. */
const METADATA = new Set(['168.63.129.16']);
/** All allocated unicast addresses are in this network. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** IPv6 networks for documentation and segment routing, which the library does not recognize. */
const OTHER_IPV6 = ['3fff::/20', '2001:db8::/32', '2001::/23', '5f00::/16'].map((text) => ipaddr.IPv6.parseCIDR(text));

/** Returns whether an address is public. @param text the address as written in DNS or in a URL */
export function isPublicAddress(text: string): boolean {
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || METADATA.has(address.toString())) return false;
  if (address instanceof ipaddr.IPv4) return true;
  return address.match(GLOBAL_IPV6) && !OTHER_IPV6.some((network) => address.match(network));
}

/** Returns the address, without brackets, if the URL's host is one. Null if the host is a name. */
function parseLiteral({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : null;
}

const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

const covers = (entry: AllowEntry, url: URL) =>
  entry.secure === (url.protocol === 'https:') && (entry.port === null || entry.port === portOf(url));

function within(entry: AllowEntry, address: string): boolean {
  if (entry.network === null) return false;
  const parsed = ipaddr.parse(address);
  return parsed.kind() === entry.network[0].kind() && parsed.match(entry.network as never);
}

function checkText(text: string): URL {
  const bad = (why: string) => new AddressRefused('invalid_url', why);
  if (text.length > MAX_URL_LENGTH) throw bad(`has more than ${MAX_URL_LENGTH} characters`);
  // URL parsers drop or replace these characters, but not all in the same way.
  if (/[\s\\\p{Cc}]/u.test(text)) throw bad('has spaces, control characters or backslashes');
  if (!URL.canParse(text)) throw bad('is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw bad('must be an https address');
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/*[^/?#]*@/i.test(text)) {
    throw bad('may not contain a user name or a password');
  }
  if (url.hash !== '') throw bad('may not have a fragment');
  return url;
}

export function createGuard({ allow, nameServers }: GuardOptions): Guard {
  const entries = allow.map((text) => {
    const entry = parseAllowEntry(text);
    if (entry === null) throw new Error(`${text} is not a valid entry of WEBHOOK_ALLOW`);
    return entry;
  });
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  if (nameServers !== undefined) resolver.setServers(nameServers);

  const refused = (why: string) => new AddressRefused('address_refused', why);
  const trustsName = (url: URL) => entries.some((entry) => entry.host === url.hostname && covers(entry, url));
  /** Networks in the allow-list that apply to this URL's scheme and port. */
  const networks = (url: URL) => entries.filter((entry) => entry.network !== null && covers(entry, url));

  function isListed(url: URL): boolean {
    const literal = parseLiteral(url);
    return trustsName(url) || (literal !== null && networks(url).some((entry) => within(entry, literal)));
  }

  function parse(text: string, ports = HTTPS_PORTS): URL {
    const url = checkText(text);
    if (isListed(url)) return url;
    const literal = parseLiteral(url);
    const allowed = networks(url);
    if (allowed.length === 0 || literal !== null) {
      if (url.protocol !== 'https:') throw refused('must be an https address');
      if (!ports.includes(portOf(url))) throw refused(`must use port ${ports.join(', ')}`);
    }
    if (literal !== null) {
      if (isPublicAddress(literal)) return url;
      throw refused('is not a public address');
    }
    const name = url.hostname;
    if (name.endsWith('.')) throw refused('must not end with a dot');
    if (!name.includes('.')) throw refused('must have a public name');
    if (PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))) {
      throw refused('must have a public name');
    }
    return url;
  }

  /**
   * Asks name servers directly. A system lookup occupies a thread of the pool, so a few slow names would occupy all
   * threads.
   */
  async function query(name: string): Promise<CheckedAddress[]> {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const answers = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 as const })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 as const })) : []),
    ];
    if (answers.length > 0) return answers;
    const reason = four.status === 'rejected' ? (four.reason as NodeJS.ErrnoException).code : undefined;
    throw new AddressRefused('not_resolved', `the name cannot be resolved (${reason ?? 'no address'})`);
  }

  /** Resolves a name as the system does, with the hosts file and the search list. */
  async function querySystem(name: string): Promise<CheckedAddress[]> {
    try {
      return (await lookup(name, { all: true, verbatim: true })) as CheckedAddress[];
    } catch (error) {
      const code = readErrorCode(error);
      throw new AddressRefused('not_resolved', `the name cannot be resolved (${code ?? 'no address'})`);
    }
  }

  async function check(url: URL, ports = HTTPS_PORTS): Promise<CheckedAddress[]> {
    parse(url.href, ports);
    const literal = parseLiteral(url);
    if (literal !== null) return [{ address: literal, family: ipaddr.parse(literal).kind() === 'ipv4' ? 4 : 6 }];
    if (trustsName(url)) return querySystem(url.hostname);
    const addresses = await query(url.hostname);
    const allowed = networks(url);
    const standard = url.protocol === 'https:' && ports.includes(portOf(url));
    for (const { address } of addresses) {
      if (allowed.some((entry) => within(entry, address)) || (standard && isPublicAddress(address))) continue;
      throw refused('resolves to an address that is not public');
    }
    return addresses;
  }

  return { parse, check, isListed };
}
