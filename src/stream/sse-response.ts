/** The HTTP response that becomes a server-sent event stream. */
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { leaveHttp } from '../http/index.ts';
import { RETRY_MS } from './sse-frames.ts';

export const STREAM_HEADERS = { 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' };

/** Takes over the socket, so that bytes are sent as they are. Chunked encoding would cost a frame around each write. */
export function takeOver(response: ServerResponse): Writable {
  response.useChunkedEncodingByDefault = false;
  response.shouldKeepAlive = false;
  response.setHeader('Connection', 'close');
  response.socket?.setNoDelay(true);
  return leaveHttp(response);
}

/**
 * Answers while a store is unavailable. The status is 200, because after any other status an EventSource would give up
 * for good.
 */
export const askToRetry = (socket: Writable) => void socket.end(`retry: ${RETRY_MS}\n\n`);
