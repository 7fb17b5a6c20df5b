import { isIP } from 'node:net';

/** Whether the text is an IP address, or a network such as `10.0.0.0/8` or `2001:db8::/32`. */
export function isNetwork(entry: string): boolean {
  const [ip = '', prefix = '0', ...rest] = entry.split('/');
  const version = isIP(ip);
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32);
}

/** Whether a server that listens on this host can be reached only from this machine. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);
