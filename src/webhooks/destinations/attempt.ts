/** One delivery attempt: an HTTP POST to a checked address, with a time limit. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { CheckedAddress, Guard } from '../../outbound/index.ts';
import { readErrorCode } from '../../runtime/unknown-values.ts';
import { classifyFailure, type FailureCause, failureOfStatus, timedOut } from './failure-cause.ts';

/** Time limit on an attempt, from name resolution through connection, TLS and headers to the end of the body (spec: 8 s). */
export const ATTEMPT_TIMEOUT_MS = 8_000;
/** Maximum number of bytes that are read from a reply (spec: 16 KiB). */
const REPLY_BYTES = 16 * 1024;
/** Maximum number of bytes that are stored from a reply. */
const EXCERPT_BYTES = 1_024;
/** Idle connections are closed after this time, before most servers would close them (Node: after 5 s). */
const IDLE_MS = 4_000;
const IDLE_CONNECTIONS = 32;
/** How long a DNS answer is cached. */
const CHECKED_MS = 1_000;
const CHECKED_HOSTS = 10_000;

export interface AttemptResult {
  /** The reply status. Null if there was no reply. */
  status: number | null;
  /** A short reason for a failure. Null if the event was delivered. */
  failure: string | null;
  cause: FailureCause | null;
  /** The beginning of the reply's body. Null if there was no body. */
  reply: string | null;
  durationMs: number;
  /** The Retry-After header. */
  retryAfter: string | null;
}

export interface Sender {
  /** Makes one attempt; never rejects. @param attempt the attempt number, from 1 */
  send(url: URL, headers: Record<string, string>, body: Buffer, attempt: number): Promise<AttemptResult>;
  close(): void;
}

export interface SenderOptions {
  guard: Guard;
  timeoutMs?: number | undefined;
  /** Certificates that tests trust in addition to the public ones. A service reads them from NODE_EXTRA_CA_CERTS. */
  ca?: string | undefined;
}

/** Error codes for a failed connection. A retry at another address of the same name may succeed. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

interface Reply {
  status: number;
  retryAfter: string | null;
  excerpt: ReplyExcerpt;
}

/** Collects the beginning of a reply's body, so that the owner can find out why an attempt failed. */
class ReplyExcerpt {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    if (this.#bytes >= EXCERPT_BYTES) return;
    const part = chunk.subarray(0, EXCERPT_BYTES - this.#bytes);
    this.#chunks.push(part);
    this.#bytes += part.length;
  }

  /** @returns text that Postgres can store, with invalid UTF-8 and NUL replaced; null for an empty body */
  text(): string | null {
    if (this.#bytes === 0) return null;
    const bytes = Buffer.concat(this.#chunks, this.#bytes);
    // With `stream`, the decoder leaves out an incomplete character at the end.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
    return text.replaceAll('\0', '\ufffd');
  }
}

class AttemptTimeout extends Error {}

/** Caches the addresses that the guard has checked, by origin, for a short time. */
class CheckedAddresses {
  readonly #guard: Guard;
  readonly #byOrigin = new Map<string, { addresses: Promise<CheckedAddress[]>; until: number }>();

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  /** @throws {AddressRefused} */
  of(url: URL): Promise<CheckedAddress[]> {
    const known = this.#byOrigin.get(url.origin);
    if (known !== undefined && known.until > performance.now()) return known.addresses;
    if (this.#byOrigin.size >= CHECKED_HOSTS) this.#byOrigin.clear();
    const addresses = this.#guard.check(url);
    this.#byOrigin.set(url.origin, { addresses, until: performance.now() + CHECKED_MS });
    // If a check fails, every waiting caller gets the error, but the error is not cached.
    addresses.catch(() => this.#byOrigin.delete(url.origin));
    return addresses;
  }
}

interface Post {
  options: RequestOptions;
  isSecure: boolean;
  body: Buffer;
  signal: AbortSignal;
}

class HttpSender {
  readonly #timeoutMs: number;
  readonly #ca: string | undefined;
  readonly #addresses: CheckedAddresses;
  readonly #plain: HttpAgent;
  readonly #secure: HttpsAgent;
  #closed = false;

  constructor({ guard, timeoutMs = ATTEMPT_TIMEOUT_MS, ca }: SenderOptions) {
    this.#timeoutMs = timeoutMs;
    this.#ca = ca;
    this.#addresses = new CheckedAddresses(guard);
    const settings = {
      keepAlive: true,
      maxFreeSockets: IDLE_CONNECTIONS,
      timeout: IDLE_MS,
      scheduling: 'lifo' as const,
    };
    this.#plain = new HttpAgent(settings);
    this.#secure = new HttpsAgent({ ...settings, ...(ca !== undefined && { ca }) });
  }

  async send(url: URL, headers: Record<string, string>, body: Buffer, attempt: number): Promise<AttemptResult> {
    const begun = performance.now();
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new AttemptTimeout());
        abort.abort();
      }, this.#timeoutMs);
    });
    const durationMs = () => Math.round(performance.now() - begun);
    try {
      const delivering = this.#deliver(url, headers, body, attempt, abort.signal);
      delivering.catch(() => {});
      const { status, retryAfter, excerpt } = await Promise.race([delivering, timeout]);
      const { failure, cause } = failureOfStatus(status) ?? { failure: null, cause: null };
      return { status, failure, cause, reply: excerpt.text(), retryAfter, durationMs: durationMs() };
    } catch (error) {
      const why = error instanceof AttemptTimeout ? timedOut(this.#timeoutMs / 1_000) : classifyFailure(error);
      return { status: null, ...why, reply: null, retryAfter: null, durationMs: durationMs() };
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#closed = true;
    this.#plain.destroy();
    this.#secure.destroy();
  }

  /** Posts only to checked addresses. They are passed as literals, so that the name is not resolved a second time. */
  async #deliver(
    url: URL,
    headers: Record<string, string>,
    body: Buffer,
    attempt: number,
    signal: AbortSignal,
  ): Promise<Reply> {
    const addresses = await this.#addresses.of(url);
    signal.throwIfAborted();
    const name = url.hostname.replace(/^\[|\]$/g, '');
    const isSecure = url.protocol === 'https:';
    for (let turn = 0; ; turn += 1) {
      // Each attempt starts with the next address.
      const { address, family } = addresses[(attempt - 1 + turn) % addresses.length]!;
      const options: RequestOptions & { servername?: string; ca?: string | undefined } = {
        host: address,
        family,
        port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
        method: 'POST',
        path: url.pathname + url.search,
        setHost: false,
        headers: { Host: url.host, ...headers, 'Content-Length': body.length },
        ...(isSecure && { servername: isIP(name) === 0 ? name : '', ca: this.#ca }),
      };
      try {
        return await this.#post({ options, isSecure, body, signal }, false);
      } catch (error) {
        const code = readErrorCode(error) ?? '';
        if (!NOT_CONNECTED.has(code) || turn + 1 >= addresses.length) throw error;
      }
    }
  }

  /** @param fresh whether to open a new connection instead of reusing one */
  #post(post: Post, fresh: boolean): Promise<Reply> {
    const { options, isSecure, body, signal } = post;
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Error('closed');
      const agent = isSecure ? this.#secure : this.#plain;
      const send = isSecure ? httpsRequest : httpRequest;
      const request = send({ ...options, agent: fresh ? false : agent, signal });
      let response: IncomingMessage | null = null;
      let isRepeated = false;
      request.on('response', (got) => {
        response = got;
        const excerpt = new ReplyExcerpt();
        const reply = { status: got.statusCode ?? 0, retryAfter: got.headers['retry-after'] ?? null, excerpt };
        let bytes = 0;
        got.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          excerpt.add(chunk);
          if (bytes <= REPLY_BYTES) return;
          resolve(reply);
          request.destroy();
        });
        got.on('end', () => (got.complete ? resolve(reply) : reject(new Error('incomplete reply'))));
        got.on('error', reject);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // Repeats the request if the server closed the idle connection just as it was reused.
        isRepeated =
          request.reusedSocket &&
          response === null &&
          !signal.aborted &&
          (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (isRepeated) this.#post(post, true).then(resolve, reject);
        else reject(error);
      });
      request.on('close', () => {
        if (!isRepeated) reject(new Error('closed'));
      });
      request.end(body);
    });
  }
}

/** Opens a sender that keeps connections open between attempts. The caller closes it. */
export function openSender(options: SenderOptions): Sender {
  const sender = new HttpSender(options);
  return {
    send: (url, headers, body, attempt) => sender.send(url, headers, body, attempt),
    close: () => sender.close(),
  };
}
