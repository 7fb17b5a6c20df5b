/**
 * Opens sockets to a message broker. Each passes the address guard, also those to brokers that another broker has named,
 * and connects only to the addresses that the guard has checked.
 */
import net from 'node:net';
import tls from 'node:tls';
import { z } from 'zod';
import type { Guard } from '../../outbound/index.ts';

/** A broker's address as `host:port`, with an IPv6 address in brackets. */
export const brokerAddress = z
  .string()
  .max(261)
  .regex(/^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):[1-9]\d{0,4}$/, 'must be host:port');

export interface Endpoint {
  host: string;
  port: number;
  /** Whether to use TLS. */
  secure: boolean;
  /** Ports that need no entry in the allow-list. */
  ports: readonly number[];
}

export function parseBroker(address: string): Pick<Endpoint, 'host' | 'port'> {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}

/** @throws {AddressRefused} */
function parseEndpoint(guard: Guard, { host, port, secure, ports }: Endpoint): URL {
  const name = net.isIPv6(host) ? `[${host}]` : host;
  return guard.parse(`${secure ? 'https' : 'http'}://${name}:${port}`, ports);
}

/** @throws {AddressRefused} */
export async function checkEndpoint(guard: Guard, endpoint: Endpoint): Promise<void> {
  await guard.check(parseEndpoint(guard, endpoint), endpoint.ports);
}

/** Returns a socket that is connecting. A refused address destroys it with an `AddressRefused`. */
export function openSocket(guard: Guard, endpoint: Endpoint, ca?: string): net.Socket {
  let url: URL;
  try {
    url = parseEndpoint(guard, endpoint);
  } catch (error) {
    const socket = new net.Socket();
    process.nextTick(() => socket.destroy(error as Error));
    return socket;
  }
  const { host, port, secure, ports } = endpoint;
  const lookup: net.LookupFunction = (_name, options, done) => {
    guard.check(url, ports).then(
      (addresses) => (options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family)),
      (error) => done(error, ''),
    );
  };
  if (!secure) return net.connect({ host, port, lookup });
  return tls.connect({
    host,
    port,
    lookup,
    ...(net.isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  });
}
