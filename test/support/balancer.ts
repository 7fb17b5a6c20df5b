/**
 * A load balancer for tests. Each connection goes to the next address that accepts it, and a test can cut all
 * connections at once.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  url: string;
  port: number;
  /** Cuts every connection, as a network failure does. */
  cut(): void;
  /** Drops every connection without telling the servers, as when a machine goes to sleep. */
  halve(): void;
  /** Number of connections that were passed on so far. */
  connections(): number;
  /** Number of connections that no address accepted. */
  refused(): number;
  close(): Promise<void>;
}

/** @param ports ports on 127.0.0.1; a test may change the list while the balancer runs */
export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  /** Sockets to clients. */
  const nears = new Set<Socket>();
  const halved = new WeakSet<Socket>();
  let connections = 0;
  let refusals = 0;
  let turn = 0;

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  }
  function passOn(near: Socket, tries: number): void {
    const port = ports[turn % ports.length];
    turn += 1;
    if (port === undefined || tries === 0 || near.destroyed) {
      if (!near.destroyed) refusals += 1;
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    track(far);
    const refused = () => passOn(near, tries - 1);
    far.once('error', refused);
    far.once('connect', () => {
      far.off('error', refused);
      connections += 1;
      near.pipe(far).pipe(near);
      // Bytes that were sent before still arrive.
      near.once('close', () => {
        if (!halved.has(near)) far.destroySoon();
      });
      far.once('close', () => near.destroySoon());
    });
  }
  const server = createServer((near) => {
    track(near);
    nears.add(near);
    near.once('close', () => nears.delete(near));
    passOn(near, ports.length);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    refused: () => refusals,
    cut,
    halve() {
      for (const near of nears) {
        halved.add(near);
        near.destroy();
      }
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
