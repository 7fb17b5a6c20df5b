/** One attempt of a delivery: a POST to a checked address, within 8 seconds, and what has come of it. Never throws. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { AddressRefused, type CheckedAddress, type Guard } from './guard.ts';

/** For name, connection, TLS, headers and body together (spec: 8 s). */
export const ATTEMPT_TIMEOUT_MS = 8_000;
/** Of the reply; the rest is not read. */
export const REPLY_BYTES = 16 * 1024;
/** An idle connection is closed before most servers do it (Node's: after 5 s). */
const IDLE_MS = 4_000;
const IDLE_CONNECTIONS = 32;
/** An answer of the name servers is good for so long. */
const CHECKED_MS = 1_000;
const CHECKED_HOSTS = 10_000;

export interface Outcome {
  /** Of the reply; null: there was none. */
  status: number | null;
  /** In a few words; null: delivered. */
  failure: string | null;
  durationMs: number;
  /** The header's text. */
  retryAfter: string | null;
}

export interface Sender {
  send(url: URL, headers: Record<string, string>, body: Buffer, attempt: number): Promise<Outcome>;
  close(): void;
}

export interface SenderOptions {
  guard: Guard;
  timeoutMs?: number | undefined;
  /** Certificates to trust besides the well-known ones; a service takes them from NODE_EXTRA_CA_CERTS. */
  ca?: string | undefined;
}

/** What the peer cannot choose the text of: never a URL, a header or a reply. */
const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection broken',
  EPIPE: 'connection broken',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'connection timed out',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not trusted',
};

function inWords(error: Error): string {
  if (error instanceof AddressRefused) return `the address ${error.message}`;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code.startsWith('HPE_')) return 'the reply is not HTTP';
  return FAILURES[code] ?? (/^[A-Z0-9_]{1,60}$/.test(code) ? code : 'connection broken');
}

/** Before anything was sent: another address of the name may answer. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

interface Reply {
  status: number;
  retryAfter: string | null;
}

class Late extends Error {}

export function openSender({ guard, timeoutMs = ATTEMPT_TIMEOUT_MS, ca }: SenderOptions): Sender {
  const settings = {
    keepAlive: true,
    maxFreeSockets: IDLE_CONNECTIONS,
    timeout: IDLE_MS,
    scheduling: 'lifo' as const,
  };
  const plain = new HttpAgent(settings);
  const secure = new HttpsAgent({ ...settings, ...(ca !== undefined && { ca }) });
  let closed = false;
  const checked = new Map<string, { addresses: Promise<CheckedAddress[]>; until: number }>();

  function addressesOf(url: URL): Promise<CheckedAddress[]> {
    const known = checked.get(url.origin);
    if (known !== undefined && known.until > performance.now()) return known.addresses;
    if (checked.size >= CHECKED_HOSTS) checked.clear();
    const addresses = guard.check(url);
    checked.set(url.origin, { addresses, until: performance.now() + CHECKED_MS });
    // Whoever waits hears of it; the next one asks again.
    addresses.catch(() => checked.delete(url.origin));
    return addresses;
  }

  /** @param fresh on a connection that nothing was sent over before */
  function post(
    options: RequestOptions,
    isSecure: boolean,
    body: Buffer,
    signal: AbortSignal,
    fresh = false,
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (closed) throw new Error('closed');
      const agent = isSecure ? secure : plain;
      const send = isSecure ? httpsRequest : httpRequest;
      const request = send({ ...options, agent: fresh ? false : agent, signal });
      let response: IncomingMessage | null = null;
      let again = false;
      request.on('response', (got) => {
        response = got;
        const reply = { status: got.statusCode ?? 0, retryAfter: got.headers['retry-after'] ?? null };
        let bytes = 0;
        got.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= REPLY_BYTES) return;
          resolve(reply);
          request.destroy();
        });
        got.on('end', () => (got.complete ? resolve(reply) : reject(new Error('cut short'))));
        got.on('error', reject);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection just as we took it.
        again =
          request.reusedSocket &&
          response === null &&
          !signal.aborted &&
          (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (again) post(options, isSecure, body, signal, true).then(resolve, reject);
        else reject(error);
      });
      request.on('close', () => {
        if (!again) reject(new Error('closed'));
      });
      request.end(body);
    });
  }

  /** Connects to checked addresses alone: their literal text, so that nothing is looked up again. */
  async function deliver(
    url: URL,
    headers: Record<string, string>,
    body: Buffer,
    attempt: number,
    signal: AbortSignal,
  ): Promise<Reply> {
    const addresses = await addressesOf(url);
    signal.throwIfAborted();
    const name = url.hostname.replace(/^\[|\]$/g, '');
    const isSecure = url.protocol === 'https:';
    for (let turn = 0; ; turn += 1) {
      // A later attempt begins with another address.
      const { address, family } = addresses[(attempt - 1 + turn) % addresses.length]!;
      const options: RequestOptions & { servername?: string; ca?: string | undefined } = {
        host: address,
        family,
        port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
        method: 'POST',
        path: url.pathname + url.search,
        setHost: false,
        headers: { Host: url.host, ...headers, 'Content-Length': body.length },
        ...(isSecure && { servername: isIP(name) === 0 ? name : '', ca }),
      };
      try {
        return await post(options, isSecure, body, signal);
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (!NOT_CONNECTED.has(code) || turn + 1 >= addresses.length) throw error;
      }
    }
  }

  return {
    async send(url, headers, body, attempt) {
      const begun = performance.now();
      const abort = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new Late());
          abort.abort();
        }, timeoutMs);
      });
      const durationMs = () => Math.round(performance.now() - begun);
      try {
        const delivering = deliver(url, headers, body, attempt, abort.signal);
        delivering.catch(() => {});
        const { status, retryAfter } = await Promise.race([delivering, late]);
        const failure = status >= 200 && status <= 299 ? null : `status ${status}`;
        return { status, failure, retryAfter, durationMs: durationMs() };
      } catch (error) {
        const failure = error instanceof Late ? `no reply within ${timeoutMs / 1_000} s` : inWords(error as Error);
        return { status: null, failure, retryAfter: null, durationMs: durationMs() };
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      closed = true;
      plain.destroy();
      secure.destroy();
    },
  };
}
