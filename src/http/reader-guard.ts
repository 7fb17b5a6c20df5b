/**
 * Ends connections whose clients do not read what they have asked for: their responses would stay in memory for as long as they like. A
 * response that has left HTTP (a stream) is not guarded: streams end slow clients themselves.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LEFT_HTTP } from './upgrade.ts';

/** So long nothing, or next to nothing, may be read; */
const PATIENCE_MS = 30_000;
/** next to nothing is less than this per second. A modem of 1995 read more. */
const BYTES_PER_SECOND = 1_024;
/** All responses together that are not read yet. Beyond it the largest of those that make others wait are given up, */
const MAX_UNREAD_BYTES = 128 * 1024 * 1024;
/** but none that is younger. */
const GRACE_MS = 5_000;
const CHECKS = 30;
/** Requests on one connection that are not answered yet: all answers wait for the first one to be read. Browsers and proxies send one at a time. */
const MAX_UNANSWERED = 16;

export interface ReaderLimits {
  patienceMs?: number;
  maxUnreadBytes?: number;
  graceMs?: number;
}

/** Node itself tells a slow write from one that stands still in this way. */
type WriteHandle = { bytesWritten: number; writeQueueSize: number } | null;

/** A client that has something to read. */
interface Wait {
  /** All bytes for it until now: once they are read it has not waited. */
  until: number;
  /** Bytes that it had taken. */
  taken: number;
  since: number;
  /** When it began to wait, however much it has read meanwhile. */
  begunAt: number;
}

export function guardReaders(server: Server, limits: ReaderLimits = {}): void {
  const { patienceMs = PATIENCE_MS, maxUnreadBytes = MAX_UNREAD_BYTES, graceMs = GRACE_MS } = limits;
  /** With the responses that are not sent yet. */
  const open = new Map<Socket, Set<ServerResponse>>();
  const waits = new Map<Socket, Wait>();

  function forget(this: Socket): void {
    open.delete(this);
    waits.delete(this);
  }
  server.on('connection', (socket: Socket) => {
    if (open.has(socket)) return;
    open.set(socket, new Set());
    socket.once('close', forget);
  });
  server.on(LEFT_HTTP, (socket: Socket) => forget.call(socket));
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const unanswered = open.get(socket);
    if (unanswered === undefined) return;
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
    if (unanswered.size > MAX_UNANSWERED) socket.destroy();
  });

  /** Bytes of responses that wait for an earlier one on their connection. */
  function waiting(socket: Socket): number {
    let bytes = 0;
    for (const response of open.get(socket) ?? []) if (response.socket === null) bytes += response.writableLength;
    return bytes;
  }

  /** @returns its unread bytes; 0 also where it is not waiting, or has been ended */
  function check(socket: Socket, now: number): number {
    const handle = (socket as Socket & { _handle: WriteHandle })._handle;
    if (socket.writableLength === 0 || handle === null) {
      waits.delete(socket);
      return 0;
    }
    const taken = handle.bytesWritten - handle.writeQueueSize;
    const given = socket.bytesWritten;
    const wait = waits.get(socket);
    if (wait === undefined || taken >= wait.until) {
      waits.set(socket, { until: given, taken, since: now, begunAt: now });
    } else if (now - wait.since >= patienceMs) {
      if (taken - wait.taken < (BYTES_PER_SECOND * patienceMs) / 1_000) {
        socket.destroy();
        return 0;
      }
      waits.set(socket, { ...wait, taken, since: now });
    }
    return given - taken + waiting(socket);
  }

  function checkAll(): void {
    const now = performance.now();
    const unread: { socket: Socket; bytes: number }[] = [];
    let total = 0;
    for (const socket of open.keys()) {
      const bytes = check(socket, now);
      if (bytes === 0) continue;
      total += bytes;
      unread.push({ socket, bytes });
    }
    if (total <= maxUnreadBytes) return;
    for (const { socket, bytes } of unread.sort((a, b) => b.bytes - a.bytes)) {
      if (now - waits.get(socket)!.begunAt < graceMs) continue;
      socket.destroy();
      total -= bytes;
      if (total <= maxUnreadBytes) return;
    }
  }

  const timer = setInterval(checkAll, patienceMs / CHECKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
