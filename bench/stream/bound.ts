/** The baseline: plain Node sockets that receive the same bytes, but have no request, filter, position or slot. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { webSocketEncoder } from '../../src/stream/websocket-frames.ts';
import { answer } from '../child.ts';
import { memory, usage } from '../usage.ts';

/** Flushes as the service does: at once when idle, otherwise all pending data in one write. */
const FLUSH_EVERY_MS = 20;

const encoders = { sse: sseEncoder, ws: webSocketEncoder };
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
let due: string[] = [];
let flushed = Number.NEGATIVE_INFINITY;
let isDue = false;

function flush(): void {
  isDue = false;
  flushed = performance.now();
  const records = due.map((envelope) => {
    cursor += 1;
    return { cursor, envelope, type: 'match.goal', matchId: 1, sport: 'football', tournamentId: 1 };
  });
  due = [];
  for (const kind of ['sse', 'ws'] as const) {
    if (sockets[kind].size === 0) continue;
    const bytes = Buffer.concat(records.map((record) => Buffer.from(encoders[kind].event(record))));
    for (const socket of sockets[kind]) socket.write(bytes);
  }
}

const api = {
  port: () => (server.address() as AddressInfo).port,
  publish(...envelopes: string[]): void {
    due.push(...envelopes);
    if (!isDue) setTimeout(flush, Math.max(0, flushed + FLUSH_EVERY_MS - performance.now()));
    isDue = true;
  },
  usage,
  memory,
};
export type BoundApi = typeof api;
answer(api);
