/** Connections that leave HTTP for another protocol. Whoever asks for one that is not offered gets the ordinary answer. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

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

/** @returns the connections taken over that are still open: the server does not know them any more */
export function acceptUpgrades(server: Server, take: TakeUpgrade): ReadonlySet<Duplex> {
  const taken = new Set<Duplex>();
  // Not a closure over the connection: it would keep the request and its headers for as long.
  function forget(this: Duplex): void {
    taken.delete(this);
  }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const connection = { request, socket, head };
    if (!take(connection)) {
      answerInHttp(server, connection);
      return;
    }
    taken.add(socket);
    socket.once('close', forget);
  });
  return taken;
}
