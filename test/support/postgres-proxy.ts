/** A proxy between a service and its Postgres, so that a test can take the database away and bring it back. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { delayed } from './slow-proxy.ts';

export interface PostgresProxy {
  url: string;
  /** Cuts open connections and refuses new ones. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** From now on, delays everything that the server sends by this many milliseconds; 0 ends the delay. */
  slow(ms: number): void;
  close(): Promise<void>;
}

/** @param url database URL whose host is the folder of a Unix socket */
export async function openPostgresProxy(url: string): Promise<PostgresProxy> {
  const target = new URL(url);
  const folder = target.searchParams.get('host')!;
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let port = 0;
  let delayMs = 0;

  async function up(): Promise<void> {
    const listening = createServer((client) => {
      const upstream = connect(join(folder, '.s.PGSQL.5432'));
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from);
        from.on('error', () => {});
        from.once('close', () => {
          sockets.delete(from);
          to.destroy();
        });
        if (from === upstream) from.pipe(delayed(() => delayMs)).pipe(to);
        else from.pipe(to);
      }
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(port, '127.0.0.1', resolve));
    port = (listening.address() as { port: number }).port;
  }
  async function down(): Promise<void> {
    const listening = server;
    server = null;
    if (listening === null) return;
    const closed = new Promise((resolve) => listening.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  function slow(ms: number): void {
    delayMs = ms;
  }
  await up();
  target.searchParams.set('host', '127.0.0.1');
  target.searchParams.set('port', String(port));
  return { url: target.href, up, down, slow, close: down };
}
