/** Free ports for programs that cannot listen on port 0. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Lowest port that is used. It is below Linux's range for outgoing connections, which could take a port before the
 * program listens on it.
 */
const LOWEST = 10_000;
const HIGHEST = 32_000;
const TRIES = 1_000;

async function listenSomewhere(): Promise<{ server: Server; port: number }> {
  for (let tries = 1; ; tries += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return { server, port };
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

/** Returns different ports on 127.0.0.1 that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, listenSomewhere));
  await Promise.all(held.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return held.map(({ port }) => port);
}
