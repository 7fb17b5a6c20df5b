/**
 * Connections that are upgraded from HTTP. If a request asks for a protocol that is not offered, it is answered in
 * HTTP.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';

export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  /** Bytes that the client has already sent in the new protocol. */
  head: Buffer;
  /** Headers for the response that switches protocols. */
  headers?: readonly (readonly [string, string])[];
}

/** @returns whether the function takes the connection over */
export type TakeUpgrade = (connection: Upgrade) => boolean;

/** Headers in a request to switch protocols. */
const UPGRADE_HEADERS = new Set(['upgrade', 'connection', 'http2-settings']);

/** Gives the request back to the server, without the upgrade headers. */
function answerInHttp(server: Server, { request, socket, head }: Upgrade): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!UPGRADE_HEADERS.has(rawHeaders[i]!.toLowerCase())) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  lines.push('Connection: close', '', '');
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit('connection', socket);
}

/** Open connections that have left HTTP, for each server. The servers themselves no longer track them. */
const departed = new WeakMap<object, Set<Duplex>>();

const socketServer = (socket: Duplex): Server => (socket as Duplex & { server: Server }).server;
/** Event that a server emits when a connection leaves HTTP. Listeners get the connection. */
export const LEFT_HTTP = 'left http';
// Named functions without closures over the connection. Closures would keep the request and the headers in memory.
function forget(this: Duplex): void {
  departed.get(socketServer(this))?.delete(this);
}
function destroySelf(this: Duplex): void {
  this.destroy();
}

function depart(socket: Duplex): void {
  const server = socketServer(socket);
  departed.get(server)?.add(socket);
  server.emit(LEFT_HTTP, socket);
  socket.on('close', forget);
}

/** @returns the open connections that have left HTTP */
export function acceptUpgrades(server: Server, take: TakeUpgrade): ReadonlySet<Duplex> {
  const open = new Set<Duplex>();
  departed.set(server, open);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const connection = { request, socket, head };
    if (take(connection)) depart(socket);
    else answerInHttp(server, connection);
  });
  return open;
}

interface HttpInternals {
  freeParser(parser: unknown, request: IncomingMessage, socket: Socket): void;
}
/**
 * Node itself detaches an upgraded connection in this way. There is no public API for a connection that was answered
 * with 200.
 */
const { freeParser } = createRequire(import.meta.url)('node:_http_common') as HttpInternals;

type HttpSocket = Socket & { parser?: unknown };
const OF_HTTP = ['data', 'end', 'close', 'drain', 'error', 'timeout'];

/**
 * Sends the head of a response that may last an hour. Frees the request, the response and the parser, which take
 * twice as much memory as the rest of a connection. Later writes are sent unchanged, and `end` closes the connection.
 * @returns the socket. Returns the response itself if the request is not read completely, or if an earlier response is
 *   still being sent
 */
export function leaveHttp(response: ServerResponse): Writable {
  response.flushHeaders();
  const socket = response.socket as HttpSocket | null;
  const alone = socket !== null && response.req.complete && departed.has(socketServer(socket));
  if (!alone || socket.parser == null) return response;
  response.detachSocket(socket);
  freeParser(socket.parser, response.req, socket);
  // Removes the listeners one by one. Removing all at once would turn the listener table into a dictionary, which is
  // larger than the listeners themselves.
  for (const event of OF_HTTP)
    for (const listener of socket.rawListeners(event)) socket.off(event, listener as () => void);
  socket.setTimeout(0);
  socket.on('error', destroySelf);
  socket.on('end', destroySelf);
  socket.on('finish', destroySelf);
  depart(socket);
  // The client sends nothing more except the end of the connection.
  socket.resume();
  return socket;
}
