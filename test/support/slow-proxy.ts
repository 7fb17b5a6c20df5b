/** A TCP proxy that delays what a server sends, so that a test can make a store slow. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/**
 * Returns a stream that delays each chunk by the number of milliseconds that `delayMs` returns when the chunk arrives.
 */
export const delayed = (delayMs: () => number): Transform =>
  new Transform({
    transform(chunk, _encoding, done) {
      const ms = delayMs();
      if (ms === 0) done(null, chunk);
      else setTimeout(done, ms, null, chunk);
    },
  });

export interface SlowProxy {
  port: number;
  /** From now on, delays everything that the server sends by this many milliseconds; 0 ends the delay. */
  slow(ms: number): void;
  close(): Promise<void>;
}

/**
 * @param target the server's port on this machine
 * @param port the proxy's port; 0 for any
 */
export async function openSlowProxy(target: number, port = 0): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.pipe(upstream);
    upstream.pipe(delayed(() => delayMs)).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    slow(ms) {
      delayMs = ms;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
