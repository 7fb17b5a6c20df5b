/**
 * A TCP proxy that cuts connections on request, or after random numbers of bytes. A test may redirect it to a different
 * server.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  url: string;
  /** Connects new connections to this port. */
  leadTo(port: number): void;
  /** From now on, cuts each connection after the server has sent this number of bytes; null never cuts. */
  cutAfter(bytes: (() => number) | null): void;
  /** Cuts all open connections. */
  cut(): void;
  /** Returns the number of cut connections. */
  cuts(): number;
  close(): Promise<void>;
}

export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let target = port;
  let chooseBytes: (() => number) | null = null;
  let cuts = 0;
  const cut = (pair: { near: Socket; far: Socket }) => {
    if (!pairs.delete(pair)) return;
    cuts += 1;
    pair.far.destroy();
    // Delivers the bytes written so far, so that the cut is in the middle of the data and not before it.
    pair.near.destroySoon();
  };
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    const pair = { near, far };
    pairs.add(pair);
    let left = chooseBytes?.() ?? Number.POSITIVE_INFINITY;
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
    }
    near.once('close', () => {
      pairs.delete(pair);
      far.destroy();
    });
    far.once('close', () => near.end());
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      if (!pairs.has(pair)) return;
      if (!near.write(chunk.subarray(0, Math.min(left, chunk.length)))) {
        far.pause();
        near.once('drain', () => far.resume());
      }
      left -= chunk.length;
      if (left <= 0) cut(pair);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    leadTo(next) {
      target = next;
    },
    cutAfter(bytes) {
      chooseBytes = bytes;
    },
    cut() {
      for (const pair of [...pairs]) cut(pair);
    },
    cuts: () => cuts,
    async close() {
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}
