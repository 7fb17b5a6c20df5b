/**
 * Ends connections whose clients do not read the responses, because unread responses would stay in memory. Streams are
 * not guarded here. They have left HTTP, and disconnect slow clients themselves.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LEFT_HTTP } from './upgrade.ts';

/** How long a client may read more slowly than `BYTES_PER_SECOND`. */
const PATIENCE_MS = 30_000;
/** Minimum reading speed. A modem of 1995 was faster. */
const BYTES_PER_SECOND = 1_024;
/**
 * Limit for unread bytes in all responses together. Above it, connections with slow clients are ended, the largest
 * first.
 */
const MAX_UNREAD_BYTES = 128 * 1024 * 1024;
/** The total limit does not end connections whose clients have been slow for a shorter time than this. */
const GRACE_MS = 5_000;
const CHECKS = 30;
/**
 * Maximum number of unanswered requests on one connection, because all answers wait until the first is read. Browsers
 * and proxies send one request at a time.
 */
const MAX_UNANSWERED = 16;

export interface ReaderLimits {
  patienceMs?: number;
  maxUnreadBytes?: number;
  graceMs?: number;
}

/** Members of a socket's handle by which Node itself distinguishes a slow write from a stalled one. */
type WriteHandle = { bytesWritten: number; writeQueueSize: number } | null;

/** A client with unread bytes. */
interface Wait {
  /** Number of bytes that had been sent when the wait began. The wait is over when the client has read them all. */
  until: number;
  /** How many bytes the client had read at the last check. */
  taken: number;
  since: number;
  /** When the wait began. Reading does not change it. */
  begunAt: number;
}

export function guardReaders(server: Server, limits: ReaderLimits = {}): void {
  const { patienceMs = PATIENCE_MS, maxUnreadBytes = MAX_UNREAD_BYTES, graceMs = GRACE_MS } = limits;
  /** Open connections with their responses. Some of the responses may already be closed. */
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
    // Responses close in order. Closed ones are dropped at once, because keeping them would fill the old generation
    // (measured: a hot reply costs a fifth more).
    if (unanswered.at(-1)?.closed) unanswered.length = 0;
    unanswered.push(response);
    if (unanswered.length > MAX_UNANSWERED && forgetClosed(socket, unanswered).length > MAX_UNANSWERED)
      socket.destroy();
  });

  /**
   * Removes closed responses from the list. They are not removed as they close, because listening to each response, or
   * keeping the responses in a set, would cost more.
   * @returns the responses that are not closed
   */
  function forgetClosed(socket: Socket, responses: readonly ServerResponse[]): readonly ServerResponse[] {
    const others = responses.filter((response) => !response.closed);
    open.set(socket, others);
    return others;
  }

  /** Returns how many bytes are in responses that wait for an earlier response on the same connection. */
  function waiting(socket: Socket): number {
    let bytes = 0;
    for (const response of open.get(socket) ?? []) if (response.socket === null) bytes += response.writableLength;
    return bytes;
  }

  /** @returns how many bytes are unread. 0 if the client is not waiting, or was disconnected */
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
