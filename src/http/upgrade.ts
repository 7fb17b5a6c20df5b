/** Connections that leave HTTP for another protocol. Whoever asks for one that is not offered gets the ordinary answer. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';

export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  /** What the client has sent already in the other protocol. */
  head: Buffer;
}

/** @returns whether the connection is taken over */
export type TakeUpgrade = (connection: Upgrade) => boolean;

/** Headers that asked for the other protocol. */
const ASKING = new Set(['upgrade', 'connection', 'http2-settings']);

/** Gives the request back to the server, as if it had not asked for another protocol. */
function answerInHttp(server: Server, { request, socket, head }: Upgrade): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!ASKING.has(rawHeaders[i]!.toLowerCase())) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  lines.push('Connection: close', '', '');
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit('connection', socket);
}

/** Connections that have left HTTP and are still open, by their server, which does not know them any more. */
const departed = new WeakMap<object, Set<Duplex>>();

const serverOf = (socket: Duplex): object => (socket as Duplex & { server: object }).server;
// Not closures over the connection: they would keep the request and its headers for as long.
function forget(this: Duplex): void {
  departed.get(serverOf(this))?.delete(this);
}
function destroySelf(this: Duplex): void {
  this.destroy();
}

function depart(socket: Duplex): void {
  departed.get(serverOf(socket))?.add(socket);
  socket.on('close', forget);
}

/** @returns the connections that have left HTTP and are still open */
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
/** As Node itself lets an upgraded connection go; there is no public way for one that was answered with 200. */
const { freeParser } = createRequire(import.meta.url)('node:_http_common') as HttpInternals;

type HttpSocket = Socket & { parser?: unknown };
const OF_HTTP = ['data', 'end', 'close', 'drain', 'error', 'timeout'];

/**
 * Sends the head of an answer that goes on for an hour, and frees the request, the answer and the parser, which are twice as
 * large as all the rest of a connection. What is written after that goes out as it is; `end` closes the connection.
 * @returns the socket, or the answer itself where its request is not read to its end or another answer goes before it
 */
export function leaveHttp(response: ServerResponse): Writable {
  response.flushHeaders();
  const socket = response.socket as HttpSocket | null;
  const alone = socket !== null && response.req.complete && departed.has(serverOf(socket));
  if (!alone || socket.parser == null) return response;
  response.detachSocket(socket);
  freeParser(socket.parser, response.req, socket);
  // One by one: removing all at once turns the table of listeners into a slow one, which is larger than all of them.
  for (const event of OF_HTTP)
    for (const listener of socket.rawListeners(event)) socket.off(event, listener as () => void);
  socket.setTimeout(0);
  socket.on('error', destroySelf);
  socket.on('end', destroySelf);
  socket.on('finish', destroySelf);
  depart(socket);
  // Nothing more is expected from the client but its end.
  socket.resume();
  return socket;
}
