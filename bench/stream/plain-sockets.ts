/** Plain Node sockets that receive the same bytes as streams, but have no request, filter, position or slot. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { webSocketEncoder } from '../../src/stream/websocket-frames.ts';

/** Time between two writes. The service also writes at once when idle, and otherwise all pending data together. */
export const WRITE_EVERY_MS = 20;

const encoders = { sse: sseEncoder, ws: webSocketEncoder };

export interface PlainSockets {
  port: number;
  /** Writes these events to every socket, with one write for each. */
  write(envelopes: readonly string[]): void;
}

export async function openPlainSockets(): Promise<PlainSockets> {
  const sockets = { sse: new Set<Socket>(), ws: new Set<Socket>() };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (head: Buffer) => {
      const kind = head.includes('Upgrade: websocket') ? 'ws' : 'sse';
      socket.write(kind === 'ws' ? 'HTTP/1.1 101 Switching Protocols\r\n\r\n' : 'HTTP/1.1 200 OK\r\n\r\n');
      sockets[kind].add(socket);
      socket.once('close', () => sockets[kind].delete(socket));
      socket.resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  let cursor = 0;
  return {
    port: (server.address() as AddressInfo).port,
    write(envelopes) {
      const records = envelopes.map((envelope) => {
        cursor += 1;
        return { cursor, envelope, type: 'match.goal', matchId: 1, sport: 'football', tournamentId: 1, appendedAt: 0 };
      });
      for (const kind of ['sse', 'ws'] as const) {
        if (sockets[kind].size === 0) continue;
        const bytes = Buffer.concat(records.map((record) => Buffer.from(encoders[kind].event(record))));
        for (const socket of sockets[kind]) socket.write(bytes);
      }
    },
  };
}
