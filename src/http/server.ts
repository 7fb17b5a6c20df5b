/** Starts and closes the HTTP server. Also answers connections that never send a valid request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type BodyLimits, guardBodies } from './slow-bodies.ts';
import { guardReaders, type ReaderLimits } from './slow-readers.ts';
import { acceptUpgrades, type TakeUpgrade } from './upgrade.ts';

export interface ListeningServer {
  server: Server;
  port: number;
  /**
   * Accepts no new connections, waits at most `graceMs` for running requests, and then closes the connections that are
   * still open.
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * Idle timeout. It is longer than the usual timeout in load balancers (60 s), so that the load balancer closes first.
 */
const KEEP_ALIVE_MS = 65_000;
/** Time limit until the headers are complete, counted from the connection or from the first byte of a request. */
const HEADERS_MS = 15_000;
const CHECK_HEADERS_EVERY_MS = 1_000;
/**
 * Time for a client to read why it is disconnected. After that, the connection is closed even if the client is still
 * sending.
 */
const LINGER_MS = 2_000;

type ParserError = Error & { code?: string };

const DETAILS: Record<string, string> = {
  HPE_INVALID_URL:
    'The address of the request has a character outside ASCII: percent-encode its UTF-8 bytes, as in %C3%A9.',
};

const problemText = (status: number, detail: string) =>
  JSON.stringify({
    type: 'urn:touchline:problem:bad_request',
    title: STATUS_CODES[status],
    status,
    detail,
    code: 'bad_request',
  });

/** Answers a connection whose bytes Node's parser has rejected. No request exists, but the client learns the reason. */
function answerUnreadable(error: ParserError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
  const body = problemText(status, DETAILS[error.code ?? ''] ?? 'The request cannot be read.');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Cache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const address = `${host}:${port}`;
  if (error.code === 'EADDRINUSE') return new Error(`port ${port} on ${host} is in use`, { cause: error });
  if (error.code === 'EACCES') return new Error(`no permission to listen on ${address}`, { cause: error });
  return new Error(`cannot listen on ${address}: ${error.message}`, { cause: error });
}

/** Matches `uri-host [ ":" port ]` (RFC 3986). An empty text matches, too. */
const HOST_VALUE = /^([\w.~!$&'()*+,;=%-]*|\[[0-9a-f:.]+\])(:\d*)?$/i;
const HOST_LENGTH = 'host'.length;

/**
 * Finds requests that a proxy may read differently from this service. RFC 9112 demands a 400 for them. Node's parser
 * keeps the first of several `Host` headers, and passes a request on before it refuses an unknown transfer coding.
 * @returns the fault as text; null if the request is unambiguous
 */
function ambiguity({ rawHeaders, headers }: IncomingMessage): string | null {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length !== HOST_LENGTH || name.toLowerCase() !== 'host') continue;
    hosts += 1;
    if (hosts > 1 || !HOST_VALUE.test(rawHeaders[i + 1]!))
      return 'A request must have exactly one Host header, with a host and optionally a port.';
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'The only Transfer-Encoding that is accepted is chunked.';
  return null;
}

/**
 * Also closes the connection, because the bytes that follow may belong to the body, or to a request for another host.
 */
function answerAmbiguous(response: ServerResponse, detail: string): void {
  response.writeHead(400, {
    Connection: 'close',
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(problemText(400, detail));
}

/** Ends a request whose headers have arrived, but whose body never arrives completely. */
function endRequest({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) socket.destroy();
  else answerUnreadable(Object.assign(new Error('body'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
}

/** Limits that tests make shorter. */
export interface ServerTimes extends BodyLimits, ReaderLimits {
  headersMs?: number;
}

/**
 * @param handler a Koa application's `callback()`, or a plain handler.
 * @param port 0 means any free port.
 * @throws {Error} with a one-line message if the address is not available.
 */
export async function listen(
  handler: NonNullable<Parameters<typeof createServer>[1]>,
  { host, port, upgrade, times = {} }: { host: string; port: number; upgrade?: TakeUpgrade; times?: ServerTimes },
): Promise<ListeningServer> {
  const { headersMs = HEADERS_MS } = times;
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: headersMs,
    connectionsCheckingInterval: Math.min(CHECK_HEADERS_EVERY_MS, headersMs),
    // Node's own limit is off, because `guardBodies` limits the time for the body.
    requestTimeout: 0,
  });
  // Node limits the total size of the headers. A limit on their number would silently drop those above it, such as a
  // second Host.
  server.maxHeadersCount = 0;
  guardReaders(server, times);
  guardBodies(server, endRequest, times);
  const refused = new WeakSet<Socket>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // After a guard has ended a connection, requests that were read before may still arrive.
    if (request.socket.destroyed || refused.has(request.socket)) return;
    const fault = ambiguity(request);
    if (fault === null) return handler(request, response);
    refused.add(request.socket);
    answerAmbiguous(response, fault);
  });
  server.on('clientError', answerUnreadable);
  // If there is no listener, Node answers a CONNECT by closing the connection without a response.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => answerUnreadable(new Error('CONNECT'), socket));
  // If an upgrade is refused, the request is answered like any request without an upgrade.
  const upgraded =
    upgrade === undefined
      ? []
      : acceptUpgrades(server, (connection) => ambiguity(connection.request) === null && upgrade(connection));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, host, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    server,
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close(graceMs = 0) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cut = setTimeout(() => {
        server.closeAllConnections();
        for (const socket of upgraded) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}
