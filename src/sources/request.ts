/**
 * Sends one HTTP request. It may be conditional, has limits on time and size, and follows no redirects. Errors never
 * contain the address, because it may have a key in it.
 */
import { VERSION } from '../runtime/version.ts';
import { SourceError } from './source-error.ts';

/**
 * Time limit for a request, from the connection to the last byte. Shorter than a lease, which cannot be renewed during
 * the request.
 */
const TIMEOUT_MS = 8_000;
/** Default upper bound for a reply after decompression, in bytes. */
const MAX_BYTES = 1_048_576;
/** Maximum length of the source's reason in our error message. */
const MAX_REASON = 200;
/** @param contact the operator's address, to which the source's owner can write */
export const userAgent = (contact?: string): string =>
  contact === undefined ? `Touchline/${VERSION}` : `Touchline/${VERSION} (${contact})`;
const REFUSALS = [400];

/** Identifies a reply's version at the source, so that the next request can be conditional. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface Reply {
  json: unknown;
  validators: Validators;
  /** The source's clock, in ms. Null if the reply has no date. */
  sourceTime: number | null;
}

export interface RequestOptions {
  /** Aborted when the process stops. */
  stopped: AbortSignal;
  timeoutMs?: number;
  maxBytes?: number;
  /** Validators of the last processed reply. */
  previous?: Validators | undefined;
  /** The operator's address, to which the source's owner can write. */
  contact?: string | undefined;
  /** Statuses that concern only this request, and do not mean that the source is down. */
  refusals?: readonly number[];
}

/** A reply as it arrived, decompressed. */
export interface RawReply {
  status: number;
  headers: Headers;
  text: string;
}

/** @throws {SourceError} if there is no answer, or if the answer is larger than `maxBytes` */
export async function requestText(
  url: URL,
  { stopped, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, previous, contact }: RequestOptions,
): Promise<RawReply> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: {
        'User-Agent': userAgent(contact),
        Accept: 'application/json',
        ...conditions(previous),
      },
    });
    return { status: response.status, headers: response.headers, text: await readBody(response, maxBytes) };
  } catch (error) {
    // The process is stopping, which is not the source's fault.
    if (error instanceof SourceError || stopped.aborted) throw error;
    throw new SourceError('unreachable', describeError(error, timeoutMs));
  }
}

/**
 * @returns null if the reply is unchanged since `previous`
 * @throws {SourceError} if the reply is not JSON
 */
export async function requestJson(url: URL, options: RequestOptions): Promise<Reply | null> {
  return readReply(await requestText(url, options), options);
}

/** Converts a raw reply to the result of `requestJson`. */
export function readReply(
  { status, headers, text }: RawReply,
  { previous, refusals = REFUSALS }: Pick<RequestOptions, 'previous' | 'refusals'>,
): Reply | null {
  if (status === 200) return { json: parse(text), validators: readValidators(headers), sourceTime: readDate(headers) };
  if (status === 304 && previous !== undefined) return null;
  const said = `status ${status}${providersReason(text)}`;
  if (status === 429 || status >= 500) throw new SourceError('unreachable', said, retryAfter(headers));
  throw new SourceError(refusals.includes(status) ? 'refused' : 'misunderstood', said);
}

function conditions(previous: Validators | undefined): Record<string, string> {
  if (previous === undefined) return {};
  const { etag, lastModified } = previous;
  return {
    ...(etag === null ? {} : { 'If-None-Match': etag }),
    ...(lastModified === null ? {} : { 'If-Modified-Since': lastModified }),
  };
}

const readValidators = (headers: Headers): Validators => ({
  etag: headers.get('etag'),
  lastModified: headers.get('last-modified'),
});

const readDate = (headers: Headers): number | null => {
  const ms = Date.parse(headers.get('date') ?? '');
  return Number.isFinite(ms) ? ms : null;
};

async function readBody(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (size > maxBytes) throw new SourceError('misunderstood', `reply: more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceError('misunderstood', `reply: not JSON, begins with ${JSON.stringify(text.slice(0, 40))}`);
  }
}

/** Returns the reason in an error reply such as `{"error": true, "reason": "…"}`. */
function providersReason(text: string): string {
  try {
    const { reason }: { reason?: unknown } = JSON.parse(text);
    return typeof reason === 'string' ? `: ${reason.slice(0, MAX_REASON)}` : '';
  } catch {
    return '';
  }
}

/**
 * Parses `Retry-After`, which has seconds or a date.
 * @returns milliseconds from now
 */
function retryAfter(headers: Headers): number | null {
  const given = headers.get('retry-after');
  if (given === null) return null;
  const ms = /^\d+$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

function describeError(error: unknown, timeoutMs: number): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no answer within ${timeoutMs / 1_000} s`;
  return `no answer: ${cause?.code ?? cause?.message ?? name}`;
}
