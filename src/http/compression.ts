/**
 * Compresses bodies. A body that is sent repeatedly (a file, a reply from a cache) is compressed once for each
 * encoding. Compressed bodies are cached by the original body, and stay in memory as long as that body.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { JoinedBody } from './joined-body.ts';

export const COMPRESS_FROM_BYTES = 1_024;
/** A page has dozens of small drawings, and compression halves each of them. */
const COMPRESS_DRAWINGS_FROM_BYTES = 256;
const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
export const BROTLI = brotli(4);
/** The best quality makes scripts and style sheets a tenth to a fifth smaller. It takes some 10 ms for each KB, once. */
const BEST_BROTLI = brotli(constants.BROTLI_MAX_QUALITY);
const MOST_BYTES_AT_BEST = 64 * 1_024;
export const GZIP = { level: 6 };

const COMPRESSIBLE = /^text\/|[/+](json|javascript|xml)\b/;
const compressors = {
  br: (body: Buffer, isFile: boolean) =>
    promisify(brotliCompress)(body, isFile && body.length <= MOST_BYTES_AT_BEST ? BEST_BROTLI : BROTLI),
  gzip: (body: Buffer) => promisify(gzip)(body, GZIP),
};
type Encoding = keyof typeof compressors;

type Body = Buffer | JoinedBody;
/** Bodies that never change. */
const files = new WeakSet<Body>();
const made = new WeakMap<Body, Partial<Record<Encoding, Promise<Buffer> | Buffer>>>();

/** Says that a body never changes, so that compressing it well is worth the time. */
export function markFile(body: Buffer): void {
  files.add(body);
}

/** @returns a promise while the body is compressed for the first time */
function compressed(body: Body, encoding: Encoding): Promise<Buffer> | Buffer {
  const known = made.get(body) ?? {};
  if (known[encoding] !== undefined) return known[encoding];
  made.set(body, known);
  known[encoding] = compressors[encoding](body instanceof JoinedBody ? body.toBuffer() : body, files.has(body)).then(
    (bytes) => {
      known[encoding] = bytes;
      return bytes;
    },
  );
  return known[encoding];
}

const ENTRY = /^(br|gzip|identity|\*)(?:\s*;\s*q\s*=\s*([01](?:\.\d{0,3})?))?$/;

/**
 * @returns the client's quality value for each encoding (RFC 9110 12.5.3); 0 for an encoding that the header does not
 *   name
 */
function qualities(accepted: string): Map<string, number> {
  const entries = accepted.split(',').flatMap((entry): [string, number][] => {
    const [, name, quality = '1'] = ENTRY.exec(entry.trim().toLowerCase()) ?? [];
    return name === undefined ? [] : [[name, Number(quality)]];
  });
  return new Map(entries);
}

/** Maximum number of cached header values. Clients send only a few. */
const MAX_KNOWN_VALUES = 1_000;
const knownEncodings = new LRUCache<string, { encoding: Encoding | null }>({ max: MAX_KNOWN_VALUES });
const MAX_KNOWN_LENGTH = 100;

/**
 * @param accepted the Accept-Encoding header
 * @returns the encoding that the client prefers, or br if both have the same quality. Null if the client accepts
 *   neither br nor gzip
 */
export function encodingFor(accepted: string): Encoding | null {
  const known = knownEncodings.get(accepted);
  if (known !== undefined) return known.encoding;
  const encoding = preferredEncoding(accepted);
  if (accepted.length <= MAX_KNOWN_LENGTH) knownEncodings.set(accepted, { encoding });
  return encoding;
}

function preferredEncoding(accepted: string): Encoding | null {
  const wanted = qualities(accepted);
  const others = wanted.get('*') ?? 0;
  const br = wanted.get('br') ?? others;
  const gz = wanted.get('gzip') ?? others;
  if (Math.max(br, gz) === 0 || (wanted.get('identity') ?? 0) > Math.max(br, gz)) return null;
  return br >= gz ? 'br' : 'gzip';
}

/**
 * Compresses a body, if type, size and client allow it.
 * @param accepted the Accept-Encoding header
 * @returns null if the body is sent uncompressed; a promise while the body is compressed for the first time
 */
export function compressBytes(
  body: Body,
  type: string,
  accepted: string,
): { encoding: Encoding; bytes: Promise<Buffer> | Buffer } | null {
  const least = type.startsWith('image/') ? COMPRESS_DRAWINGS_FROM_BYTES : COMPRESS_FROM_BYTES;
  if (body.length < least || !COMPRESSIBLE.test(type)) return null;
  const encoding = encodingFor(accepted);
  return encoding === null ? null : { encoding, bytes: compressed(body, encoding) };
}
