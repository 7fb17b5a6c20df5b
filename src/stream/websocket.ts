/** The stream over a WebSocket: the upgrade, close codes, bounds on what a client sends, and half-open connections. */
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { type Deps, route } from '../deps.ts';
import type { EventFilter } from '../events/filter.ts';
import { Problem, toProblem } from '../http/errors.ts';
import { cursor } from '../http/query.ts';
import type { RouteInput } from '../http/route.ts';
import type { Upgrade } from '../http/upgrade.ts';
import { answerMessage } from './client-messages.ts';
import { clientName, filterQuery, readFilter } from './filter-query.ts';
import { webSocketEncoder } from './frames.ts';
import { type EndReason, type LiveConnection, UNSENT_BYTES } from './hub.ts';
import { readReplayPage } from './replay.ts';

/** A message of a client. */
export const MESSAGE_BYTES = 8 * 1024;
/** More than 10 messages a second for 5 s end the connection. */
export const MESSAGES_PER_SECOND = 10;
export const MESSAGE_WINDOW_MS = 5_000;
/** A client that has said nothing for this long is asked for a sign of life … */
export const PING_AFTER_MS = 30_000;
/** … and is gone when it gives none: a half-open connection would hold its place for a quarter of an hour. */
export const PONG_WITHIN_MS = 30_000;
/** For the client's part of the closing handshake. */
const CLOSE_WITHIN_MS = 10_000;
/** Of envelopes, in the answer to one replay message. */
const REPLAY_BYTES = 1024 * 1024;
/** RFC 6455: a close frame holds 125 bytes, two of them the code. */
const CLOSE_REASON_BYTES = 123;

const CLOSES: Record<EndReason, readonly [code: number, reason: string]> = {
  cycle: [1012, 'reconnect'],
  slow: [4413, 'too slow'],
  revoked: [4401, 'key_revoked'],
  plan: [4402, 'plan_required'],
  replaced: [4429, 'replaced by a newer connection of this client'],
  full: [4429, 'too_many_connections'],
};
/** Of problems, by their HTTP status; 400: the query cannot be read. */
const CLOSE_CODES: Record<number, number> = {
  400: 4422,
  401: 4401,
  402: 4402,
  403: 4403,
  422: 4422,
  429: 4429,
  503: 1012,
};
const INTERNAL = 1011;
const BINARY = 1003;
const TOO_MANY_MESSAGES = 1008;

const NO_LINKS = { sync: '', replay: () => '' };

/** Tells when it begins to close, by whichever side: after its close frame nothing may be written. */
class StreamSocket extends WebSocket {
  onClosing: () => void = () => {};

  override close(code?: number, reason?: string | Buffer): void {
    this.onClosing();
    super.close(code, reason);
    // The other side's close frame is to be read.
    if (this.isPaused) this.resume();
  }
}

const OPTIONS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MESSAGE_BYTES,
  closeTimeout: CLOSE_WITHIN_MS,
  WebSocket: StreamSocket,
};
const handshakes = new WebSocketServer(OPTIONS);

function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= CLOSE_REASON_BYTES) return text;
  return bytes
    .subarray(0, CLOSE_REASON_BYTES - 3)
    .toString()
    .replace(/\uFFFD+$/, '');
}

function refuse(ws: StreamSocket, { status, code, message }: Problem): void {
  ws.close(CLOSE_CODES[status] ?? INTERNAL, shortened(`${code}: ${message}`));
}

/** A page of ours may stream by its cookie; another page's script must not stream in its visitor's name. */
function checkOrigin({ principal, headers, baseUrl }: Asked): void {
  if (principal?.kind !== 'session' || headers.origin === undefined) return;
  if (headers.origin !== new URL(baseUrl).origin) throw new Problem('origin_not_allowed');
}

/** Counts messages; true: there were too many. */
function messageCounter(now: () => number): () => boolean {
  const most = (MESSAGES_PER_SECOND * MESSAGE_WINDOW_MS) / 1_000;
  const times: number[] = [];
  return () => {
    times.push(now());
    return times.length > most && times.shift()! > now() - MESSAGE_WINDOW_MS;
  };
}

const drained = (socket: Duplex) =>
  new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });

/** One client's side: its messages, and whether it is still there. */
interface Client {
  /** From here on it is listened to. */
  opened(connection: LiveConnection): void;
  attend(now: number): void;
}

function listen(
  ws: StreamSocket,
  socket: Duplex,
  asked: Asked,
  wanted: EventFilter,
  { clock, eventLog }: Deps,
): Client {
  const tooMany = messageCounter(() => clock.now());
  let filter = wanted;
  let answered = Promise.resolve();
  let waiting = 0;
  let heardAt = clock.now();
  let pingedAt: number | null = null;

  /** In their order, the next one when the answer before has left; nothing is read meanwhile. */
  async function answer(connection: LiveConnection, text: string): Promise<void> {
    if (ws.readyState === ws.OPEN) {
      await answerMessage(text, {
        connection,
        parseFilter: (query) => {
          filter = readFilter(asked.principal!, query);
          return filter;
        },
        replay: (since, limit) => readReplayPage(eventLog, filter, since, limit, REPLAY_BYTES),
      });
    }
    if (socket.writableLength >= UNSENT_BYTES && !socket.destroyed) await drained(socket);
    waiting -= 1;
    if (waiting === 0) ws.resume();
  }

  /** @returns whether the connection goes on */
  function heard(): boolean {
    heardAt = clock.now();
    pingedAt = null;
    if (ws.readyState !== ws.OPEN) return false;
    if (!tooMany()) return true;
    ws.close(TOO_MANY_MESSAGES, 'too many messages');
    return false;
  }

  return {
    opened(connection) {
      ws.onClosing = connection.leave;
      ws.on('ping', heard);
      ws.on('pong', heard);
      ws.on('message', (data: Buffer, isBinary: boolean) => {
        if (!heard()) return;
        if (isBinary) {
          ws.close(BINARY, 'text only');
          return;
        }
        waiting += 1;
        ws.pause();
        answered = answered.then(() => answer(connection, data.toString()));
      });
      ws.resume();
    },
    attend(now) {
      if (ws.isPaused) return;
      if (pingedAt !== null) {
        if (now - pingedAt >= PONG_WITHIN_MS) socket.destroy();
      } else if (now - heardAt >= PING_AFTER_MS) {
        pingedAt = now;
        ws.ping();
      }
    },
  };
}

async function open(ws: StreamSocket, socket: Duplex, asked: Asked, deps: Deps): Promise<void> {
  checkOrigin(asked);
  const { sport, league, event_type } = asked.query;
  const filter = readFilter(asked.principal!, { sport, league, event_type });
  const client = listen(ws, socket, asked, filter, deps);
  const place = await deps.admission.admit(asked.principal!, asked.query.client);
  if (socket.destroyed) {
    place.leave();
    return;
  }
  socket.once('close', place.leave);
  try {
    await deps.hub.connect({
      socket,
      encoder: webSocketEncoder,
      filter,
      cursor: asked.query.cursor ?? null,
      links: NO_LINKS,
      opened(connection) {
        client.opened(connection);
        place.opened(connection);
      },
      left: place.leave,
      attend: client.attend,
      finish(lastFrames, reason) {
        if (lastFrames.length > 0) socket.write(lastFrames);
        ws.close(...CLOSES[reason]);
      },
    });
  } catch (error) {
    place.leave();
    throw error;
  }
}

function take({ request, socket, head }: Upgrade, asked: Asked | Problem, deps: Deps): void {
  handshakes.handleUpgrade(request, socket, head, (accepted) => {
    const ws = accepted as StreamSocket;
    // What it has to say about a malformed frame is in the close frame.
    ws.on('error', () => {});
    if (asked instanceof Problem) {
      refuse(ws, asked);
      return;
    }
    ws.pause();
    open(ws, socket, asked, deps).catch((error: unknown) => {
      const problem = toProblem(error);
      if (problem.status === 500) deps.logger.error({ err: error }, 'a stream could not be opened');
      refuse(ws, problem);
    });
  });
}

const query = z.object({ ...filterQuery, cursor: cursor.optional(), client: clientName.optional() });
type Asked = RouteInput<unknown, z.infer<typeof query>, unknown>;

export const webSocket = route({
  method: 'GET',
  path: '/v1/stream/ws',
  summary: 'Live events (WebSocket)',
  description:
    'A WebSocket. Frames are JSON: `connected`, events (`cursor` and the envelope), `heartbeat`, `gap`, `reconnect`, each with the cursor. A client may send `ping`, `subscribe` (new filters on the same connection) and `replay`. With `cursor` up to 500 missed events come first.',
  tag: 'Stream',
  access: 'key',
  keyInQuery: true,
  publishable: true,
  session: true,
  cost: 1,
  cache: 'no-store',
  query,
  response: { contentType: 'application/json' },
  responseDescription: 'Text frames, after 101',
  errors: ['plan_required', 'too_many_connections'],
  upgrade: { protocol: 'websocket', take },
  handler: () => {
    throw new Problem('bad_request', 'This is a WebSocket: ask for it with Upgrade: websocket.', {
      headers: { Upgrade: 'websocket' },
    });
  },
});
