/** One request over HTTP: bounded in time and size, without redirects. Its errors never contain the address, which has the key. */
import { VERSION } from '../runtime/version.ts';
import { WeatherFault } from './fault.ts';

/** From the connection to the last byte; shorter than a lease, which is not renewed meanwhile. */
const ASK_TIMEOUT_MS = 8_000;
/** A fortnight has about 25 KB. After decompression. */
const MAX_BYTES = 1_048_576;
/** Of the provider's reason in our message. */
const MAX_REASON = 200;
const USER_AGENT = `Touchline/${VERSION}`;

/**
 * @returns the JSON of the reply
 * @throws {WeatherFault} for anything else
 */
export async function askForJson(url: URL, stopped: AbortSignal, timeoutMs = ASK_TIMEOUT_MS): Promise<unknown> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { 'User-Agent': USER_AGENT, Accept: 'application/json' },
    });
    text = await readBody(response);
  } catch (error) {
    // The process stops: nobody's fault.
    if (error instanceof WeatherFault || stopped.aborted) throw error;
    throw new WeatherFault('unreachable', describeError(error, timeoutMs));
  }
  const { status } = response;
  if (status === 200) return parse(text);
  const said = `status ${status}${providersReason(text)}`;
  if (status === 429 || status >= 500) throw new WeatherFault('unreachable', said, retryAfter(response.headers));
  throw new WeatherFault(status === 400 ? 'refused' : 'misunderstood', said);
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (size > MAX_BYTES) throw new WeatherFault('misunderstood', `reply: more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WeatherFault('misunderstood', `reply: not JSON, begins with ${JSON.stringify(text.slice(0, 40))}`);
  }
}

/** `{"error": true, "reason": "…"}` */
function providersReason(text: string): string {
  try {
    const { reason } = JSON.parse(text) as { reason?: unknown };
    return typeof reason === 'string' ? `: ${reason.slice(0, MAX_REASON)}` : '';
  } catch {
    return '';
  }
}

/** Seconds or a date -> ms from now. */
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
