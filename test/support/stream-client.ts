/** Stream clients: one that keeps every byte, and one that behaves as a browser's EventSource. */
import { type ClientRequest, get, type IncomingHttpHeaders } from 'node:http';
import { parseSse, type SseFrame } from './sse.ts';

const PATIENCE_MS = 10_000;

export interface OpenStream {
  status: number;
  headers: IncomingHttpHeaders;
  /** Returns all text received so far. */
  text(): string;
  frames(): SseFrame[];
  /** Waits until the text contains or matches `what`. */
  until(what: string | RegExp | ((text: string) => boolean)): Promise<string>;
  /** Resolves when the server ends the reply. */
  ended: Promise<void>;
  close(): void;
  /** Stops reading, so that the socket fills up. */
  pause(): void;
  resume(): void;
}

export function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      let text = '';
      const listeners = new Set<() => void>();
      const tell = () => {
        for (const listener of listeners) listener();
      };
      let over = false;
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        tell();
      });
      const ended = new Promise<void>((done) => {
        response.once('close', () => {
          over = true;
          tell();
          done();
        });
      });
      response.on('error', () => {});
      const holds = (what: string | RegExp | ((text: string) => boolean)) =>
        typeof what === 'function' ? what(text) : typeof what === 'string' ? text.includes(what) : what.test(text);
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        text: () => text,
        frames: () => parseSse(text),
        ended,
        close: () => request.destroy(),
        pause: () => response.pause(),
        resume: () => response.resume(),
        until: (what) =>
          new Promise((found, failed) => {
            const stop = () => {
              clearTimeout(timer);
              listeners.delete(look);
            };
            const timer = setTimeout(() => {
              stop();
              failed(new Error(`still waiting for ${what}; have ${text.slice(-500)}`));
            }, PATIENCE_MS);
            const look = () => {
              if (holds(what)) {
                stop();
                found(text);
              } else if (over) {
                stop();
                failed(new Error(`ended without ${what}: ${text.slice(-500)}`));
              }
            };
            listeners.add(look);
            look();
          }),
      });
    });
    request.on('error', reject);
  });
}

export interface Received {
  id: string;
  type: string;
  data: string;
}

export interface Source {
  readonly events: readonly Received[];
  lastEventId: string;
  connects: number;
  /** The HTTP status after which the client has given up. */
  failed: number | null;
  /** Cuts the connection, as a network failure does. */
  cut(): void;
  close(): void;
}

/**
 * Reconnects with the last event id whenever the reply ends. Gives up if the status is not 200.
 * @param url a function chooses the address of each connection, as a load balancer does
 * @param hurry factor by which it reconnects faster than the server asks for
 */
export function eventSource(url: string | (() => string), { hurry = 100, lastEventId = '' } = {}): Source {
  const events: Received[] = [];
  let retryMs = 3_000;
  let closed = false;
  let request: ClientRequest | null = null;
  let timer: NodeJS.Timeout | undefined;

  const take = ({ retry, id, event, data }: SseFrame): void => {
    if (retry !== undefined) retryMs = Number(retry);
    if (id !== undefined) source.lastEventId = id;
    if (data !== undefined) events.push({ id: source.lastEventId, type: event ?? 'message', data });
  };
  const again = (): void => {
    if (!closed) timer = setTimeout(connect, retryMs / hurry);
  };
  function connect(): void {
    const headers: Record<string, string> = source.lastEventId === '' ? {} : { 'Last-Event-ID': source.lastEventId };
    let answered = false;
    request = get(typeof url === 'string' ? url : url(), { headers, agent: false }, (response) => {
      answered = true;
      source.connects += 1;
      answered = true;
      if (response.statusCode !== 200) {
        source.failed = response.statusCode!;
        source.close();
        return;
      }
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        rest += text;
        const whole = rest.lastIndexOf('\n\n') + 2;
        if (whole === 1) return;
        for (const frame of parseSse(rest.slice(0, whole))) take(frame);
        rest = rest.slice(whole);
      });
      response.on('error', () => {});
      response.once('close', again);
    });
    request.on('error', () => {
      // If the reply has begun, its close event starts the next connection.
      if (!answered) again();
    });
  }
  const source: Source = {
    events,
    lastEventId,
    connects: 0,
    failed: null,
    cut: () => request?.destroy(),
    close() {
      closed = true;
      clearTimeout(timer);
      request?.destroy();
    },
  };
  connect();
  return source;
}
