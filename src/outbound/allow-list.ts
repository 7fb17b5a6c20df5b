/**
 * WEBHOOK_ALLOW lists addresses that webhooks may be sent to, in addition to public addresses on port 443. It is for
 * private installations and tests. Entries are separated by commas and have one of two forms:
 *
 *   host[:port]           a name, trusted wherever it resolves to; may be single-label or cluster-local
 *   address[/bits][:port] an address or a network, [in brackets] for IPv6
 *
 * An entry is for https and port 443. `:port` names another port, and `:*` allows every port. With `http://` in front,
 * the entry is for plain HTTP and port 80 instead.
 */
import ipaddr from 'ipaddr.js';

export interface AllowEntry {
  secure: boolean;
  /** The allowed port. Null if every port is allowed. */
  port: number | null;
  /** The entry's host name in lower case. Null if the entry is a network. */
  host: string | null;
  network: [ipaddr.IPv4 | ipaddr.IPv6, number] | null;
}

const FORM =
  /^(?:(?<scheme>https?):\/\/)?(?:\[(?<bracketed>[0-9a-f:.]+(?:\/\d+)?)\]|(?<plain>[^\s:[\]]+))(?::(?<port>\d+|\*))?$/i;
const NAME = /^(?!-)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i;

function parseNetwork(text: string): AllowEntry['network'] {
  const [address = '', bits] = text.split('/');
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return null;
  const parsed = ipaddr.parse(address);
  const width = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits !== undefined && (!/^\d+$/.test(bits) || Number(bits) > width)) return null;
  return [parsed, bits === undefined ? width : Number(bits)];
}

/** @returns null for an invalid entry */
export function parseAllowEntry(text: string): AllowEntry | null {
  const { scheme = 'https', bracketed, plain, port } = FORM.exec(text)?.groups ?? {};
  const host = bracketed ?? plain;
  if (host === undefined) return null;
  const secure = scheme.toLowerCase() === 'https';
  const number = port === undefined ? (secure ? 443 : 80) : port === '*' ? null : Number(port);
  if (number !== null && (number < 1 || number > 65_535)) return null;
  const network = parseNetwork(host);
  // A host that ends in a number must be an address, as in URLs.
  if (network === null && (bracketed !== undefined || !NAME.test(host) || /(^|\.)\d+$/.test(host))) return null;
  return { secure, port: number, network, host: network === null ? host.toLowerCase() : null };
}
