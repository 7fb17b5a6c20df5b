/**
 * Ends requests whose body does not come. There is no limit on the time that all of a body takes, as a feed may stream for hours; while
 * the service itself lets a client wait, by not reading, nothing is counted.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Without a byte for this long the client has gone, or holds the connection on purpose. */
const BODY_PAUSE_MS = 60_000;
/** For the rest of a body whose request is answered already. */
const REST_MS = 15_000;
const CHECKS = 4;

export interface BodyLimits {
  pauseMs?: number;
  restMs?: number;
}

/** @param end answers, where nothing has been answered, and closes the connection */
export function guardBodies(
  server: Server,
  end: (request: IncomingMessage, response: ServerResponse) => void,
  { pauseMs = BODY_PAUSE_MS, restMs = REST_MS }: BodyLimits = {},
): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
    let bytes = socket.bytesRead;
    let since = performance.now();
    let isAnswered = false;
    const timer = setInterval(() => {
      if (request.complete || socket.destroyed) {
        clearInterval(timer);
        return;
      }
      const now = performance.now();
      // What is still coming does not count for one that is answered.
      const isMoving = !isAnswered && (socket.bytesRead !== bytes || socket.isPaused());
      if (isMoving || response.writableFinished !== isAnswered) since = now;
      bytes = socket.bytesRead;
      isAnswered = response.writableFinished;
      if (now - since < (isAnswered ? restMs : pauseMs)) return;
      clearInterval(timer);
      end(request, response);
    }, Math.min(pauseMs, restMs) / CHECKS);
    timer.unref();
  });
}
