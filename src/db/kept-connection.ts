/** A dedicated connection outside the pool, which is reopened whenever it is lost. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { startLoop } from '../runtime/loop.ts';
import { APPLICATION } from './postgres.ts';
import { createClientClass, PostgresAddress } from './postgres-address.ts';

/** Minimum time between two attempts to connect. A connection that has lasted longer than this is replaced at once. */
const RECONNECT_MS = 500;

export interface KeptConnectionOptions {
  address: string | PostgresAddress;
  /** The connection's purpose, which becomes a suffix of application_name. */
  name: string;
  logger: Pick<Logger, 'warn'>;
  /** Log message when the connection is lost. */
  lost: string;
  /** Sets up each new connection before it is used. */
  prepare(client: pg.Client): Promise<unknown>;
  /** Called when the connection is back after a loss. */
  onReconnect?(): void;
}

export interface KeptConnection {
  /** The connection. Null while it is lost. */
  client(): pg.Client | null;
  close(): Promise<void>;
}

/** @throws {Error} if Postgres cannot be reached at the start */
export async function keepConnected({
  address,
  name,
  logger,
  lost,
  prepare,
  onReconnect = () => {},
}: KeptConnectionOptions): Promise<KeptConnection> {
  const Client = createClientClass(typeof address === 'string' ? new PostgresAddress(address) : address);
  let closed = false;
  let client: pg.Client | null = null;
  let connectedAt = Number.NEGATIVE_INFINITY;

  async function connect(): Promise<void> {
    connectedAt = performance.now();
    const next = new Client({ application_name: `${APPLICATION} ${name}` });
    next.on('error', () => {});
    try {
      await next.connect();
      await prepare(next);
    } catch (error) {
      await next.end().catch(() => {});
      throw error;
    }
    // Registered only after the connection is ready. If the first attempt fails, the caller retries.
    next.once('end', () => {
      client = null;
      if (!closed) logger.warn(lost);
      loop.wake();
    });
    client = next;
    if (closed) await next.end().catch(() => {});
  }

  await connect();
  const loop = startLoop({
    async run() {
      if (client !== null || closed) return Number.POSITIVE_INFINITY;
      await connect();
      onReconnect();
      return Number.POSITIVE_INFINITY;
    },
    notBefore: () => connectedAt + RECONNECT_MS,
    // Failed attempts are not logged, because the loss has been logged already.
    retryMs: RECONNECT_MS,
  });

  return {
    client: () => client,
    async close() {
      closed = true;
      // Not awaited, because an attempt to connect may take long.
      void loop.stop();
      await client?.end().catch(() => {});
    },
  };
}
