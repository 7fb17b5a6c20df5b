/** Connections to a ClickHouse server. Its certificate authorities, and the user and the password, may be renewed while the process runs. */
import { readFileSync } from 'node:fs';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { httpUrl } from '../config/variable.ts';
import { RenewedUrl } from './renewed-url.ts';

/** Turns off the library's log, because errors are thrown and the caller logs them. */
export const LOG = { level: ClickHouseLogLevel.OFF };

/** The user and the password for one request; undefined if the address has none. */
export type Credentials = { username: string; password: string } | undefined;

export interface Connection {
  /** Calls `use`, and calls it again if the server has refused the user or the password and there is another. */
  run<T>(use: (client: ClickHouseClient, auth: Credentials) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A connection whose client stays the same, such as one to the embedded engine. */
export const fixedConnection = (client: ClickHouseClient): Connection => ({
  run: (use) => use(client, undefined),
  close: () => client.close(),
});

/** ClickHouse's types of errors for a wrong user or password. */
const REFUSALS = new Set(['AUTHENTICATION_FAILED', 'REQUIRED_PASSWORD', 'WRONG_PASSWORD', 'UNKNOWN_USER']);
const isRefusal = (error: unknown) => error instanceof ClickHouseError && REFUSALS.has(error.type ?? '');

export interface ServerOptions {
  url: string;
  /** A file with the same address. */
  urlFile?: string | undefined;
  caFile?: string | undefined;
  /** Maximum time for a request, in ms. */
  timeoutMs: number;
  /** Maximum number of sockets. */
  sockets: number;
}

/** Connects to a server. @throws {Error} if the file with the authorities cannot be read */
export function serverConnection({ url: first, urlFile, caFile, timeoutMs, sockets }: ServerOptions): Connection {
  const address = new RenewedUrl(first, urlFile, (text) => httpUrl.safeParse(text).data);
  const connect = (ca: Buffer | undefined) => ({
    ca,
    client: createClient({
      url: first,
      tls: ca && { ca_cert: ca },
      log: LOG,
      request_timeout: timeoutMs,
      max_open_connections: sockets,
    }),
  });
  let open = connect(caFile === undefined ? undefined : readFileSync(caFile));
  /** Returns a client that trusts the authorities that the file has now. A file that cannot be read is ignored. */
  function currentClient(): ClickHouseClient {
    const ca = caFile === undefined ? undefined : readIfPossible(caFile);
    if (ca !== undefined && !ca.equals(open.ca!)) {
      const { client } = open;
      // Requests on the former client may still run.
      setTimeout(() => void client.close(), timeoutMs).unref();
      open = connect(ca);
    }
    return open.client;
  }
  return {
    async run(use) {
      const attempt = async () => {
        const url = address.current();
        try {
          const result = await use(currentClient(), credentialsIn(url));
          address.accept(url);
          return result;
        } catch (error) {
          if (isRefusal(error)) address.refuse(url);
          throw error;
        }
      };
      try {
        return await attempt();
      } catch (error) {
        if (!isRefusal(error) || !address.hasAnother()) throw error;
        return attempt();
      }
    },
    close: () => open.client.close(),
  };
}

function credentialsIn(url: string): Credentials {
  const { username, password } = new URL(url);
  return username === ''
    ? undefined
    : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

function readIfPossible(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
