/** Reads a request's body: JSON, validated with the route's schema, or a form. */
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { shapeOfJson } from '../wire/json-text.ts';
import { invalidParameters, type ParameterError, Problem } from './errors.ts';
import { MAX_ERRORS, parse } from './input.ts';

const JSON_TYPE = /^application\/(json|[a-z0-9.-]+\+json)\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** @throws {Problem} unsupported_media_type. */
export function checkMediaType(request: IncomingMessage, accepted: readonly string[] | 'json'): void {
  const type = request.headers['content-type'] ?? '';
  const [mediaType = ''] = type.split(';');
  const known = accepted === 'json' ? JSON_TYPE.test(type) : accepted.includes(mediaType.trim().toLowerCase());
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (known && /^utf-?8$/i.test(charset) && encoding === 'identity') return;
  const wanted = accepted === 'json' ? 'application/json' : accepted.join(' or ');
  throw new Problem('unsupported_media_type', `The body must be ${wanted} in UTF-8, not compressed.`, {
    headers: { Accept: accepted === 'json' ? 'application/json' : accepted.join(', ') },
  });
}

/** Time limit for a body that is read as a whole. */
const BODY_WITHIN_MS = 60_000;

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  // Node then reads and drops the rest of the body, so that the client can read the response.
  const tooLarge = () => new Problem('payload_too_large', `The body must have at most ${maxBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(new Problem('bad_request', 'The body took too long to arrive.')), BODY_WITHIN_MS);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(tooLarge());
    });
    request.once('end', resolve);
    request.once('error', reject);
    request.once('close', () => reject(new Problem('bad_request', 'The body is incomplete.')));
  }).finally(() => clearTimeout(timer));
  return Buffer.concat(chunks, size);
}

const MAX_FORM_BYTES = 65_536;

/** @throws {Problem} unsupported_media_type, payload_too_large, bad_request (NUL) */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  checkMediaType(request, ['application/x-www-form-urlencoded']);
  const form = new URLSearchParams((await readBytes(request, MAX_FORM_BYTES)).toString('utf8'));
  for (const value of form.values())
    if (value.includes('\0')) throw new Problem('bad_request', 'The form contains a NUL character.');
  return form;
}

/** Maximum depth of nesting. The deepest body that a route accepts is far below this. */
const MAX_DEPTH = 64;
/** Matches JSON escapes of text that Postgres cannot store. */
const ESCAPED_FAULT = /\\u(0000|d[89a-f])/i;

/**
 * Yields an error for each text that Postgres cannot store, that is, a text with NUL or half a surrogate pair. Member
 * names are checked as well.
 */
function* unstorableTexts(value: unknown, path: string): Generator<ParameterError> {
  if (typeof value === 'string') {
    const hasNul = value.includes('\0');
    if (!hasNul && value.isWellFormed()) return;
    const detail = hasNul ? 'must not contain NUL' : 'must be well-formed Unicode';
    yield { parameter: path || 'body', code: 'invalid_text', detail };
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const shown = name.toWellFormed().replaceAll('\0', '\uFFFD');
    const at = path === '' ? shown : `${path}.${shown}`;
    yield* unstorableTexts(name, at);
    yield* unstorableTexts(member, at);
  }
}

/**
 * Throws if a text cannot be stored.
 * @throws {Problem} invalid_parameter
 */
function checkTexts(value: unknown): void {
  const faults: ParameterError[] = [];
  for (const fault of unstorableTexts(value, '')) if (faults.push(fault) === MAX_ERRORS) break;
  if (faults.length > 0) throw invalidParameters(faults);
}

/**
 * @param prepare returns the text to parse; a RangeError from it is answered as a bad request
 * @throws {Problem} payload_too_large, bad_request (not JSON)
 */
export async function readJson(
  request: IncomingMessage,
  maxBytes: number,
  prepare: (text: string) => string | Promise<string> = (text) => text,
): Promise<{ text: string; value: unknown }> {
  const bytes = await readBytes(request, maxBytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (shapeOfJson(text).depth > MAX_DEPTH) throw new Problem('bad_request', 'The body is nested too deeply.');
    return { text, value: JSON.parse(await prepare(text)) };
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof RangeError) throw new Problem('bad_request', `The body is too large: ${error.message}.`);
    throw new Problem('bad_request', 'The body is not JSON in UTF-8.', { cause: error });
  }
}

/** @throws {Problem} unsupported_media_type, payload_too_large, bad_request (not JSON), invalid_parameter. */
export async function readBody<T>(schema: z.ZodType<T>, request: IncomingMessage, maxBytes: number): Promise<T> {
  checkMediaType(request, 'json');
  const { text, value } = await readJson(request, maxBytes);
  if (ESCAPED_FAULT.test(text)) checkTexts(value);
  return parse(schema, value, 'body', Number.POSITIVE_INFINITY);
}
