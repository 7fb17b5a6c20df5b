/**
 * Connects by server-sent events or by WebSocket, and yields the same signals for both. No dependencies; runs in
 * browsers and Node.
 */
import type { EventData, EventFrame } from './api.ts';
import { ApiError } from './problem.ts';

/** An event's cursor and envelope. */
export type StreamEvent = EventFrame;

export type Signal =
  | { kind: 'position'; cursor: number }
  | { kind: 'event'; event: StreamEvent }
  | { kind: 'gap'; from: number; to: number; reason: 'limit' | 'expired' | 'ahead' };

/** Reason why a connection ended. */
export class Ended extends Error {
  /** `refused` means that the service would refuse the same request again. */
  readonly kind: 'refused' | 'lost';
  /** The pause that `Retry-After` asks for, in ms. */
  readonly retryAfterMs?: number;
  /** True if the service itself ended the connection, for a reason that may last, such as a limit. */
  readonly isAnswer: boolean;

  constructor(
    kind: 'refused' | 'lost',
    message: string,
    { retryAfterMs, isAnswer = false }: { retryAfterMs?: number; isAnswer?: boolean } = {},
  ) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
    this.isAnswer = isAnswer;
  }
}

export interface Request {
  /** The stream's full address, with the query. */
  url: URL;
  /** The key. Absent for the streams that the service's own pages open. */
  key?: string;
  signal: AbortSignal;
}
export type Transport = (request: Request) => AsyncIterable<Signal>;

/** If the server sends nothing for three keep-alive intervals, the connection counts as lost. */
const SILENCE_MS = 45_000;

/**
 * Statuses and close codes after which the client does not reconnect. The same request would get the same reply, or
 * would end a newer connection of this client.
 */
const REFUSED_STATUS = new Set([400, 401, 402, 403, 404, 422]);
const REFUSED_CODE = new Set([4401, 4402, 4403, 4409, 4422]);
/** Smallest close code that the WebSocket protocol leaves to services. */
const OWN_CODES = 4_000;
/** Statuses from a service that restarts, or from the proxy in front of it. */
const AWAY_STATUS = new Set([502, 503, 504]);

export async function toEnded(response: Response): Promise<Ended> {
  const { status, message, retryAfterMs } = new ApiError(response, await response.text().catch(() => ''));
  return new Ended(REFUSED_STATUS.has(status) ? 'refused' : 'lost', message, {
    retryAfterMs: retryAfterMs ?? undefined,
    isAnswer: !AWAY_STATUS.has(status),
  });
}

interface Watchdog {
  /** Aborts when the caller's signal aborts, or when a wait takes too long. */
  signal: AbortSignal;
  /** Starts waiting for the server. */
  wait(): void;
  /** Stops waiting. Called when the server has answered, because time spent on processing the answer does not count. */
  rest(): void;
  stop(): void;
}

export function watchdog(signal: AbortSignal, ms: number): Watchdog {
  const own = new AbortController();
  const abort = () => own.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const rest = () => clearTimeout(timer);
  return {
    signal: own.signal,
    wait() {
      rest();
      timer = setTimeout(abort, ms);
    },
    rest,
    stop() {
      rest();
      signal.removeEventListener('abort', abort);
      abort();
    },
  };
}

/** Receives server-sent events by fetch. Unlike EventSource, fetch shows statuses and can send headers. */
export function sseTransport(fetchIt: typeof fetch): Transport {
  return async function* connect({ url, key, signal }) {
    const watch = watchdog(signal, SILENCE_MS);
    watch.wait();
    try {
      const response = await fetchIt(url, {
        signal: watch.signal,
        headers: { Accept: 'text/event-stream', ...(key !== undefined && { 'X-API-Key': key }) },
        credentials: 'same-origin',
      });
      if (response.status !== 200 || response.body === null) throw await toEnded(response);
      const parse = sseParser();
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (;;) {
        watch.wait();
        const { done, value } = await reader.read();
        if (done) return;
        watch.rest();
        yield* parse(decoder.decode(value, { stream: true }));
      }
    } finally {
      watch.stop();
    }
  };
}

/**
 * Returns a parser that takes text in pieces of any size, and returns the signals from the blocks that are complete.
 */
export function sseParser(): (text: string) => Signal[] {
  let rest = '';
  let id: string | null = null;
  let event = '';
  let data: string[] = [];
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    const signals: Signal[] = [];
    for (const line of lines) {
      if (line !== '') {
        const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line.replace(/\r$/u, '')) ?? [];
        if (field === 'id') id = value;
        else if (field === 'event') event = value;
        else if (field === 'data') data.push(value);
        continue;
      }
      const signal = block(id, event, data.join('\n'));
      if (signal !== null) signals.push(signal);
      id = null;
      event = '';
      data = [];
    }
    return signals;
  };
}

function block(id: string | null, event: string, data: string): Signal | null {
  if (event === 'stream.gap') return { kind: 'gap', ...JSON.parse(data) };
  if (id === null) return null;
  const cursor = Number(id);
  return data === '' ? { kind: 'position', cursor } : { kind: 'event', event: { cursor, ...JSON.parse(data) } };
}

/** The WebSocket members that this client uses. Both a browser's WebSocket and the `ws` package have them. */
export interface Socket {
  addEventListener(type: string, listener: (event: { data: unknown; code: number; reason: string }) => void): void;
  close(): void;
  /** Closes without the closing handshake. Only the `ws` package has it. */
  terminate?(): void;
}
// biome-ignore lint/suspicious/noExplicitAny: the events of the browser and of the package ws are typed differently.
export type SocketConstructor = new (url: string, protocols?: string[]) => { [Name in keyof Socket]: any };

const PROTOCOL = 'touchline.v1';

/**
 * Returns the subprotocols with the key. The key is not in the query, because proxies log queries. It is not in a
 * header of its own, because a browser's WebSocket cannot send one.
 */
function protocolsWith(key: string): string[] {
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(key)));
  return [PROTOCOL, `key.${base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '')}`];
}

/**
 * Maximum number of signals that wait to be processed, because a browser keeps reading however slow the page is. Above
 * this limit, the connection is abandoned. The events can be read again.
 */
const WAITING_SIGNALS = 10_000;

export function webSocketTransport(SocketClass: SocketConstructor): Transport {
  return async function* connect({ url, key, signal }) {
    const address = new URL(url);
    address.protocol = address.protocol.replace('http', 'ws');
    const watch = watchdog(signal, SILENCE_MS);
    const queue: Signal[] = [];
    let ended: Ended | null = null;
    let wake: () => void = () => {};
    const end = (kind: Ended['kind'], why: string, isAnswer = false) => {
      ended ??= new Ended(kind, why, { isAnswer });
      wake();
    };
    const socket: Socket = new SocketClass(address.href, key === undefined ? [PROTOCOL] : protocolsWith(key));
    socket.addEventListener('message', ({ data }) => {
      if (ended !== null) return;
      watch.wait();
      try {
        const one = frame(JSON.parse(String(data)));
        if (one !== null) queue.push(one);
      } catch {
        end('lost', 'unreadable frame');
      }
      if (queue.length > WAITING_SIGNALS) end('lost', 'events arrive faster than they are handled');
      wake();
    });
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', ({ code, reason }) =>
      end(REFUSED_CODE.has(code) ? 'refused' : 'lost', `${code} ${reason}`, code >= OWN_CODES),
    );
    const silent = () => end('lost', 'the server was silent for too long');
    watch.signal.addEventListener('abort', silent, { once: true });
    watch.wait();
    if (signal.aborted) silent();
    try {
      for (;;) {
        while (queue.length > 0) yield queue.shift()!;
        if (ended !== null) throw ended;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      const isSilent = watch.signal.aborted && !signal.aborted;
      watch.stop();
      // A server that is silent would not answer the closing handshake, so the socket is ended without it.
      if (isSilent && socket.terminate !== undefined) socket.terminate();
      else socket.close();
    }
  };
}

type Frame = {
  type: string;
  cursor: number;
  id?: string;
  data?: EventData;
  from: number;
  to: number;
  reason: 'limit' | 'expired' | 'ahead';
};

function frame({ type, cursor, id, data, from, to, reason }: Frame): Signal | null {
  if (id !== undefined && data !== undefined)
    return { kind: 'event', event: { cursor, id, type: type as StreamEvent['type'], data } };
  if (type === 'gap') return { kind: 'gap', from, to, reason };
  return typeof cursor === 'number' ? { kind: 'position', cursor } : null;
}
