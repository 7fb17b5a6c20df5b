/** Records a source. It sends the requests that the poller would send, and keeps the raw replies. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Provider } from '../providers/provider.ts';
import type { Clock } from '../runtime/clock.ts';
import { readReply, requestText, SourceError } from '../sources/index.ts';
import { type Asked, drawJitter, dueAt } from './due-requests.ts';
import type { RecordingWriter } from './recording.ts';
import { ProviderScope } from './scope.ts';
import { sourceUrl } from './source-url.ts';

export interface RecorderDeps {
  clock: Clock;
  /** Address that replaces the source's address, without a trailing slash. */
  url?: string | undefined;
  contact?: string | undefined;
  writer: RecordingWriter;
  say(line: string): void;
}

const PAUSE_MS = 500;

export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #provider: Provider;
  readonly #scopes: ProviderScope[];
  #requests = 0;

  constructor(deps: RecorderDeps, provider: Provider, scopes: readonly (string | null)[]) {
    this.#deps = deps;
    this.#provider = provider;
    this.#scopes = scopes.map((scope) => new ProviderScope(provider, scope, undefined));
  }

  /** Records until the signal is aborted, or the daily budget is used up. @returns the number of requests */
  async run(signal: AbortSignal): Promise<number> {
    while (!signal.aborted) {
      await this.turn(signal);
      if (this.#requests >= this.#provider.dailyRequests) {
        this.#deps.say(`The budget of ${this.#provider.dailyRequests} requests is used up`);
        break;
      }
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
    return this.#requests;
  }

  /** Sends the requests that are due, one at a time. */
  async turn(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    for (const scope of this.#scopes)
      for (const request of scope.requests(clock.now())) {
        const asked = scope.asked.get(request.path);
        if (dueAt(request, asked) > clock.now() || signal.aborted) continue;
        this.#requests += request.cost ?? 1;
        const next: Asked = { at: clock.now(), failures: 0, jitter: drawJitter() };
        if (request.version !== undefined) next.version = request.version;
        const isRead = await this.#ask(scope, request.path, signal);
        scope.setAsked(request, isRead ? next : { ...next, failures: (asked?.failures ?? 0) + 1 });
      }
  }

  /** @returns whether the reply could be read. The reply is recorded in any case */
  async #ask(scope: ProviderScope, path: string, signal: AbortSignal): Promise<boolean> {
    const { clock, url, contact, writer, say } = this.#deps;
    try {
      const options = { stopped: signal, maxBytes: this.#provider.maxBytes, contact };
      const raw = await requestText(sourceUrl(this.#provider, path, url), options);
      const at = clock.now();
      writer.add({ at, path, status: raw.status, headers: raw.headers, body: raw.text });
      const reply = readReply(raw, {})!;
      const { sourceTime, json: body } = reply;
      const reading = this.#provider.updates({ path, body, receivedAt: at, sourceTime }, scope.known);
      if (typeof reading === 'string') throw new SourceError('misunderstood', reading);
      scope.learn(reading.known, reading.updates, at);
      return true;
    } catch (error) {
      if (!(error instanceof SourceError)) {
        if (signal.aborted) return false;
        throw error;
      }
      say(`${path}: ${error.message}`);
      return false;
    }
  }
}
