/**
 * Finds this service's secrets in client input, so that they do not reach logs and replies. Also finds encoded secrets.
 */
import { SECRET_PREFIXES, withoutSecrets } from '../wire/secret-formats.ts';

/**
 * Returns the base64 or base64url texts that appear in the encoding of any text containing `beginning`, for each
 * alignment to three bytes. The first and last letters are left out, because they depend on the neighbouring bytes.
 */
const inBase64 = (beginning: string): string[] =>
  [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + beginning).toString('base64url');
    const whole = Math.floor(((before + beginning.length) * 8) / 6);
    return encoded.slice(Math.ceil((before * 8) / 6), whole);
  });
const inHexadecimal = (beginning: string) => Buffer.from(beginning).toString('hex');

const BASE64 = new RegExp(SECRET_PREFIXES.flatMap(inBase64).join('|'));
const OTHER = new RegExp([...SECRET_PREFIXES, ...SECRET_PREFIXES.map(inHexadecimal)].join('|'), 'i');
/** Matches escapes in URLs, JSON and HTML. */
const ESCAPED = /%([0-9a-f]{2})|\\u00([0-9a-f]{2})|&#x([0-9a-f]{1,4});|&#(\d{1,3});/gi;
const HAS_ESCAPED = /%|\\u|&#/i;
/** Maximum number of times that a text may be escaped within another escape. */
const MAX_LAYERS = 5;

const decode = (text: string): string =>
  text.replaceAll(ESCAPED, (_all, url?: string, json?: string, html?: string, decimal?: string) =>
    String.fromCharCode(decimal === undefined ? Number.parseInt((url ?? json ?? html)!, 16) : Number(decimal)),
  );

/** True if a text contains the beginning of a key, in plain text, in base64, in hexadecimal digits, or escaped. */
export function hidesKey(text: string): boolean {
  let plain = text;
  for (let layer = 0; ; layer += 1) {
    if (OTHER.test(plain) || BASE64.test(plain)) return true;
    if (layer === MAX_LAYERS || !HAS_ESCAPED.test(plain)) return false;
    const before = plain;
    plain = decode(plain);
    if (plain === before) return false;
  }
}

/**
 * Returns a part of a URL for the log. Secrets in plain text are cut out. If the part contains an encoded secret, the
 * whole part is dropped.
 */
export function withoutKeys(part: string): string {
  if (!hidesKey(part)) return part;
  const plain = withoutSecrets(part);
  return hidesKey(SECRET_PREFIXES.reduce((text, prefix) => text.replaceAll(prefix, ''), plain)) ? '***' : plain;
}
