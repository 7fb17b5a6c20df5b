/** The stream over a WebSocket. Upgrades the connection or, if no stream can be opened, closes it with a code that tells why. */
import type { IncomingMessage } from 'node:http';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import {
  answeredProtocol,
  cursor,
  Problem,
  type RouteInput,
  STREAM_PROTOCOL,
  toProblem,
  type Upgrade,
} from '../http/index.ts';
import { INTERNAL_ERROR, REFUSAL_CODES } from './close-codes.ts';
import { route, type StreamDeps } from './deps.ts';
import { clientName, delayQuery, filterQuery, readFilter } from './filter-query.ts';
import { StreamSocket } from './stream-socket.ts';
import { webSocketEncoder } from './websocket-frames.ts';

/** Size limit for a client message, in bytes. */
const MESSAGE_BYTES = 8 * 1024;
/** Time for the client to finish the closing handshake. */
const CLOSE_WITHIN_MS = 10_000;
/** RFC 6455: a close frame holds 125 bytes, two of which are the code. */
const CLOSE_REASON_BYTES = 123;

const OPTIONS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MESSAGE_BYTES,
  closeTimeout: CLOSE_WITHIN_MS,
  WebSocket: StreamSocket,
  handleProtocols: answeredProtocol,
};
const handshakes = new WebSocketServer(OPTIONS);
/** Response headers for each request, until the request is answered. */
const ownHeaders = new WeakMap<IncomingMessage, NonNullable<Upgrade['headers']>>();
handshakes.on('headers', (lines: string[], request: IncomingMessage) => {
  for (const [name, value] of ownHeaders.get(request) ?? []) lines.push(`${name}: ${value}`);
  ownHeaders.delete(request);
});

/** Links are only for clients of server-sent events. */
const NO_LINKS = { sync: '', replay: () => '' };

const query = z.object({ ...filterQuery, delay: delayQuery, cursor: cursor.optional(), client: clientName.optional() });
type StreamRequest = RouteInput<unknown, z.infer<typeof query>, unknown>;

function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= CLOSE_REASON_BYTES) return text;
  const cut = bytes.subarray(0, CLOSE_REASON_BYTES - 3).toString();
  return cut.replace(/\uFFFD+$/, '');
}

function refuse(ws: StreamSocket, { status, code, message }: Problem): void {
  ws.close(REFUSAL_CODES[status] ?? INTERNAL_ERROR, shortened(`${code}: ${message}`));
}

async function open(ws: StreamSocket, { socket }: Upgrade, asked: StreamRequest, deps: StreamDeps): Promise<void> {
  const { client, cursor: presented = null, delay, ...filters } = asked.query;
  const filter = readFilter(deps.plans, asked.principal!, filters);
  const admitted = await deps.admission.admit(asked.principal!, client);
  ws.stream({ deps, socket, admitted, charge: asked.charge });
  try {
    await deps.hub.connect({
      socket,
      encoder: webSocketEncoder,
      filter,
      cursor: presented,
      delay,
      links: NO_LINKS,
      owner: ws,
    });
  } catch (error) {
    admitted.left();
    throw error;
  }
}

function acceptUpgrade(connection: Upgrade, asked: StreamRequest | Problem, deps: StreamDeps): void {
  const { request, socket, head, headers } = connection;
  if (headers !== undefined) ownHeaders.set(request, headers);
  handshakes.handleUpgrade(request, socket, head, (accepted) => {
    const ws = accepted as StreamSocket;
    if (asked instanceof Problem) {
      refuse(ws, asked);
      return;
    }
    ws.pause();
    open(ws, connection, asked, deps).catch((error: unknown) => {
      const problem = toProblem(error);
      if (problem.status === 500) deps.logger.error({ err: error }, 'opening a stream failed, closing its websocket');
      refuse(ws, problem);
    });
  });
}

export const webSocket = route({
  method: 'GET',
  path: '/v1/stream/ws',
  example: { sport: 'football', cursor: '0' },
  summary: 'Live events (WebSocket)',
  description:
    'A WebSocket. Frames are JSON: `connected`, events (`cursor` and the envelope), `heartbeat`, `gap`, `reconnect`, each with the cursor. A client may send `ping`, `subscribe` (new filters on the same connection) and `replay`. With `cursor` up to 500 missed events come first. If a proxy may log queries, send the key as a subprotocol instead: see the header `Sec-WebSocket-Protocol`.',
  tag: 'Stream',
  access: 'key',
  scope: 'stream',
  keyInQuery: true,
  keyInProtocol: true,
  cost: 1,
  cache: 'no-store',
  query,
  requestHeaders: {
    'Sec-WebSocket-Protocol': {
      description: `\`${STREAM_PROTOCOL}, key.<base64url of the API key>\`: the key of a WebSocket in a browser, which can send no other header. The service answers with \`${STREAM_PROTOCOL}\`.`,
      schema: { type: 'string' },
    },
  },
  isStream: true,
  response: { contentType: 'application/json' },
  responseDescription: 'Text frames from then on',
  errors: ['plan_required', 'too_many_connections'],
  upgrade: { protocol: 'websocket', take: acceptUpgrade },
  handler: () => {
    throw new Problem('bad_request', 'This path serves a WebSocket: send the header Upgrade: websocket.', {
      headers: { Upgrade: 'websocket' },
    });
  },
});
