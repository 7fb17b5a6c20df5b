/**
 * Ends requests whose body stops arriving. The total time for a body is unlimited, as a feed may stream for hours. Time
 * during which the service itself is not reading does not count.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** If no byte arrives for this long, the client is gone, or keeps the connection busy on purpose. */
const BODY_PAUSE_MS = 60_000;
/** Time in which a client may send the rest of a body after the answer. */
const REST_MS = 15_000;
const CHECKS = 4;

export interface BodyLimits {
  pauseMs?: number;
  restMs?: number;
}

/** @param end sends an answer if none was sent yet, and closes the connection */
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
      // Bytes that arrive after the answer do not count as progress.
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
