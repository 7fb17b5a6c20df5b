/**
 * Requests to addresses that users have chosen, in the form of `fetch`. Each request passes the address guard and connects only to
 * the addresses that the guard has checked. Redirects are refused, because they would lead elsewhere.
 */
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Guard } from './address-guard.ts';

/** Time limit on a request, from name resolution to the end of the body. */
const TIMEOUT_MS = 5_000;
/** Maximum number of bytes in a reply. */
const MAX_BYTES = 256 * 1024;

/** The reply was not read to its end. */
export class RequestFailed extends Error {
  readonly code: 'timeout' | 'redirect' | 'too_large' | 'not_connected';

  constructor(code: RequestFailed['code'], cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

interface Sent {
  method?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer | undefined;
}

/** @throws {AddressRefused}; {RequestFailed} */
export type GuardedFetch = (url: string, sent: Sent) => Promise<Response>;

/** @param ca certificates that tests trust in addition to the public ones */
export function guardedFetch(
  guard: Guard,
  { timeoutMs = TIMEOUT_MS, ca }: { timeoutMs?: number; ca?: string } = {},
): GuardedFetch {
  return async (text, sent) => {
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new RequestFailed('timeout'));
        abort.abort();
      }, timeoutMs);
    });
    try {
      const asking = ask(guard, text, sent, abort.signal, ca);
      asking.catch(() => {});
      return await Promise.race([asking, timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function ask(
  guard: Guard,
  text: string,
  { method = 'GET', headers = {}, body }: Sent,
  signal: AbortSignal,
  ca: string | undefined,
): Promise<Response> {
  const url = guard.parse(text);
  const addresses = await guard.check(url);
  signal.throwIfAborted();
  const lookup: LookupFunction = (_name, options, done) =>
    options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family);
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const options: RequestOptions & { ca?: string | undefined } = {
    method,
    headers: { ...headers, ...length },
    lookup,
    agent: false,
    signal,
    ca,
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, options, (reply) => {
      const status = reply.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let bytes = 0;
      const fail = (code: RequestFailed['code']) => {
        reject(new RequestFailed(code));
        request.destroy();
      };
      if (status >= 300 && status < 400) return fail('redirect');
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_BYTES) return fail('too_large');
        chunks.push(chunk);
      });
      reply.on('error', (error) => reject(new RequestFailed('not_connected', error)));
      reply.on('end', () => {
        const type = reply.headers['content-type'];
        const hasBody = status !== 204 && status !== 205;
        resolve(
          new Response(hasBody ? Buffer.concat(chunks) : null, {
            status,
            headers: type ? { 'Content-Type': type } : {},
          }),
        );
      });
    });
    request.on('error', (error) => reject(new RequestFailed('not_connected', error)));
    request.end(body);
  });
}
