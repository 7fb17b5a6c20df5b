/** A TCP proxy before a broker, which behaves as a test requires. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Mood } from '../contracts/destination.ts';

export interface MoodProxy {
  port: number;
  behave(mood: Mood): void;
  close(): Promise<void>;
}

/**
 * @param target the broker's port
 * @param replies how many pieces of a reply the mood `closes` lets through before it closes a connection
 * @param port to listen on; 0 for a free one
 */
export async function startMoodProxy(
  target: () => number,
  { replies, port = 0 }: { replies: number; port?: number },
): Promise<MoodProxy> {
  let mood: Mood = 'accepts';
  const sockets = new Set<Socket>();
  const watch = (socket: Socket) => {
    sockets.add(socket);
    socket
      .setNoDelay(true)
      .on('error', () => {})
      .once('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    watch(near);
    if (mood === 'refuses') return void near.destroy();
    if (mood === 'hangs') return void near.resume();
    const far = connect(target(), '127.0.0.1');
    watch(far);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    near.pipe(far);
    let seen = 0;
    far.on('data', (chunk) => {
      near.write(chunk);
      seen += 1;
      if (mood === 'closes' && seen >= replies) near.end(() => near.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    behave(next) {
      mood = next;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
