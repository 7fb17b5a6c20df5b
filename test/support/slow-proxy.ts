/** A TCP proxy that delays the answers of a server, so that a test can make a store slow. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** Returns a stream that passes each chunk on after the delay, in ms, that holds when it comes. */
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
  /** Delays all bytes of answers from now on by so many milliseconds; 0: none. */
  slow(ms: number): void;
  close(): Promise<void>;
}

/** @param target the port of the server on this machine. @param port of the proxy; 0: any */
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
