/** Opens a source's server-sent event connections, and keeps them open while the provider plans them. */
import type { Clock } from '../runtime/clock.ts';
import { backoff, readEvents, SourceError, type SourceEvent } from '../sources/index.ts';

export interface WantedStream {
  /** A part of the source, such as a league. Null for the whole source. */
  scope: string | null;
  path: string;
}

interface OpenStream {
  stop: AbortController;
  failures: number;
  /** When the connection is tried again, ms. Null while the stream is open. */
  retryAt: number | null;
}

export interface StreamDeps {
  clock: Clock;
  /** Address for events, without a trailing slash. */
  url: string;
  contact?: string | undefined;
  receive(stream: WantedStream, event: SourceEvent): void;
  failed(stream: WantedStream, error: SourceError): void;
}

/** Longest pause between attempts. Polling goes on meanwhile. */
const LONGEST_BACKOFF_MS = 10 * 60_000;

export class ProviderStreams {
  readonly #deps: StreamDeps;
  readonly #streams = new Map<string, OpenStream>();

  constructor(deps: StreamDeps) {
    this.#deps = deps;
  }

  /** Opens the planned streams that are not open, and closes streams that are no longer planned. */
  sync(wanted: readonly WantedStream[]): void {
    const keys = new Set(wanted.map(streamKey));
    for (const [key, { stop }] of this.#streams) {
      if (keys.has(key)) continue;
      stop.abort();
      this.#streams.delete(key);
    }
    const now = this.#deps.clock.now();
    for (const stream of wanted) {
      const known = this.#streams.get(streamKey(stream));
      if (known === undefined || (known.retryAt !== null && now >= known.retryAt))
        this.#open(stream, known?.failures ?? 0);
    }
  }

  close(): void {
    this.sync([]);
  }

  #open(stream: WantedStream, failures: number): void {
    const open: OpenStream = { stop: new AbortController(), failures, retryAt: null };
    this.#streams.set(streamKey(stream), open);
    void this.#read(stream, open);
  }

  async #read(stream: WantedStream, open: OpenStream): Promise<void> {
    const { url, contact, clock, receive, failed } = this.#deps;
    const stopped = open.stop.signal;
    try {
      for await (const event of readEvents(new URL(url + stream.path), { stopped, contact })) {
        open.failures = 0;
        receive(stream, event);
      }
    } catch (error) {
      if (stopped.aborted) return;
      failed(
        stream,
        error instanceof SourceError
          ? error
          : new SourceError('misunderstood', error instanceof Error ? error.message : String(error)),
      );
    }
    open.failures += 1;
    open.retryAt = clock.now() + backoff(open.failures, null, LONGEST_BACKOFF_MS);
  }
}

const streamKey = ({ scope, path }: WantedStream): string => `${scope ?? ''} ${path}`;
