/** The two ways to hold a connection, as one stream of signals. No dependencies: browsers and Node alike. */
import type { EnvelopeData } from '../events/envelope.ts';
import type { EventType } from '../events/types.ts';

export interface StreamEvent {
  cursor: number;
  id: string;
  type: EventType;
  data: EnvelopeData;
}

export type Signal =
  | { kind: 'position'; cursor: number }
  | { kind: 'event'; event: StreamEvent }
  | { kind: 'gap'; from: number; to: number; reason: 'limit' | 'expired' | 'ahead' };

/** Why a connection ended. */
export class Ended extends Error {
  constructor(
    /** refused: trying again will not help. */
    readonly kind: 'refused' | 'lost',
    message: string,
    /** The server's wish; milliseconds. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

export interface Request {
  /** Path and query below the service's address. */
  url: URL;
  key: string | undefined;
  signal: AbortSignal;
}
export type Transport = (request: Request) => AsyncIterable<Signal>;

/** A server that says nothing for three keep-alives is gone. */
const SILENCE_MS = 45_000;

/** Statuses and close codes after which the same request gives the same answer. */
const REFUSED_STATUS = new Set([400, 401, 402, 403, 404, 422]);
const REFUSED_CODE = new Set([4401, 4402, 4403, 4422]);

export async function failureOf(response: Response): Promise<Ended> {
  const text = await response.text().catch(() => '');
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const kind = REFUSED_STATUS.has(response.status) ? 'refused' : 'lost';
  return new Ended(
    kind,
    `${response.status} ${text.slice(0, 300)}`,
    Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  );
}

/** Aborts with the caller's signal, or when `touch` was not called for too long. */
function watchdog(signal: AbortSignal): { signal: AbortSignal; touch(): void; stop(): void } {
  const own = new AbortController();
  const abort = () => own.abort();
  let timer = setTimeout(abort, SILENCE_MS);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return {
    signal: own.signal,
    touch() {
      clearTimeout(timer);
      timer = setTimeout(abort, SILENCE_MS);
    },
    stop() {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      abort();
    },
  };
}

/** Server-sent events by fetch: unlike EventSource it shows statuses and sends headers. */
export function sseTransport(fetchIt: typeof fetch): Transport {
  return async function* connect({ url, key, signal }) {
    const watch = watchdog(signal);
    try {
      const response = await fetchIt(url, {
        signal: watch.signal,
        headers: { Accept: 'text/event-stream', ...(key !== undefined && { 'X-API-Key': key }) },
        credentials: 'same-origin',
      });
      if (response.status !== 200 || response.body === null) throw await failureOf(response);
      const parse = sseParser();
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        watch.touch();
        yield* parse(decoder.decode(value, { stream: true }));
      }
    } finally {
      watch.stop();
    }
  };
}

/** Takes text as it comes and gives the signals of the blocks that are complete. */
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

/** The part of the WebSocket interface that is used: the browser's and the `ws` package's both have it. */
export interface Socket {
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((close: { code: number; reason: string }) => void) | null;
  onerror: ((error: unknown) => void) | null;
  close(): void;
}
export type SocketConstructor = new (url: string) => Socket;

export function webSocketTransport(SocketClass: SocketConstructor): Transport {
  return async function* connect({ url, key, signal }) {
    const address = new URL(url);
    address.protocol = address.protocol.replace('http', 'ws');
    if (key !== undefined) address.searchParams.set('key', key);
    const watch = watchdog(signal);
    const queue: Signal[] = [];
    let ended: Ended | null = null;
    let wake: () => void = () => {};
    const socket = new SocketClass(address.href);
    const end = (why: Ended) => {
      ended ??= why;
      wake();
    };
    socket.onmessage = ({ data }) => {
      watch.touch();
      const signal = frame(JSON.parse(String(data)));
      if (signal !== null) queue.push(signal);
      wake();
    };
    socket.onerror = () => {};
    socket.onclose = ({ code, reason }) =>
      end(new Ended(REFUSED_CODE.has(code) ? 'refused' : 'lost', `${code} ${reason}`));
    watch.signal.addEventListener('abort', () => end(new Ended('lost', 'silence')), { once: true });
    try {
      for (;;) {
        while (queue.length > 0) yield queue.shift()!;
        if (ended !== null) throw ended;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      watch.stop();
      socket.onclose = null;
      socket.close();
    }
  };
}

type Frame = {
  type: string;
  cursor: number;
  id?: string;
  data?: EnvelopeData;
  from: number;
  to: number;
  reason: 'limit' | 'expired' | 'ahead';
};

function frame({ type, cursor, id, data, from, to, reason }: Frame): Signal | null {
  if (id !== undefined && data !== undefined)
    return { kind: 'event', event: { cursor, id, type: type as EventType, data } };
  if (type === 'gap') return { kind: 'gap', from, to, reason };
  return typeof cursor === 'number' ? { kind: 'position', cursor } : null;
}
