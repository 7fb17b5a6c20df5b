/**
 * Ends connections whose clients do not read the responses, which would stay in memory indefinitely. A response that
 * has left HTTP (a stream) is not guarded, because streams end slow clients themselves.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LEFT_HTTP } from './upgrade.ts';

/** A client may read less than BYTES_PER_SECOND for this long. */
const PATIENCE_MS = 30_000;
/** Minimum reading speed. A modem of 1995 was faster. */
const BYTES_PER_SECOND = 1_024;
/**
 * Limit for unread bytes over all responses. Above it the largest responses whose clients make others wait are dropped,
 * …
 */
const MAX_UNREAD_BYTES = 128 * 1024 * 1024;
/** … unless they are younger than this. */
const GRACE_MS = 5_000;
const CHECKS = 30;
/**
 * Unanswered requests on one connection. All answers wait until the first one is read. Browsers and proxies send one at
 * a time.
 */
const MAX_UNANSWERED = 16;

export interface ReaderLimits {
  patienceMs?: number;
  maxUnreadBytes?: number;
  graceMs?: number;
}

/** Node itself uses this to tell a slow write from a stalled one. */
type WriteHandle = { bytesWritten: number; writeQueueSize: number } | null;

/** A client with unread bytes. */
interface Wait {
  /** Total bytes sent when the wait began. Once they are read the wait is over. */
  until: number;
  /** Bytes that the client had read by the last check. */
  taken: number;
  since: number;
  /** When the wait began, however much was read meanwhile. */
  begunAt: number;
}

export function guardReaders(server: Server, limits: ReaderLimits = {}): void {
  const { patienceMs = PATIENCE_MS, maxUnreadBytes = MAX_UNREAD_BYTES, graceMs = GRACE_MS } = limits;
  /** Open connections with their responses, of which some may be closed already. */
  const open = new Map<Socket, ServerResponse[]>();
  const waits = new Map<Socket, Wait>();

  function forget(this: Socket): void {
    open.delete(this);
    waits.delete(this);
  }
  server.on('connection', (socket: Socket) => {
    if (open.has(socket)) return;
    open.set(socket, []);
    socket.once('close', forget);
  });
  server.on(LEFT_HTTP, (socket: Socket) => forget.call(socket));
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const unanswered = open.get(socket);
    if (unanswered === undefined) return;
    unanswered.push(response);
    if (unanswered.length > MAX_UNANSWERED && forgetClosed(socket, unanswered).length > MAX_UNANSWERED)
      socket.destroy();
  });

  /** Listening to each response, or keeping them in a set, would cost more. @returns the responses that are not closed */
  function forgetClosed(socket: Socket, responses: readonly ServerResponse[]): readonly ServerResponse[] {
    const others = responses.filter((response) => !response.closed);
    open.set(socket, others);
    return others;
  }

  /** Returns the bytes in responses that wait for an earlier one on the same connection. */
  function waiting(socket: Socket): number {
    let bytes = 0;
    for (const response of open.get(socket) ?? []) if (response.socket === null) bytes += response.writableLength;
    return bytes;
  }

  /** @returns the unread bytes; 0 also if the client is not waiting or was disconnected */
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
    for (const [socket, responses] of open) {
      if (responses.length > 0) forgetClosed(socket, responses);
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
