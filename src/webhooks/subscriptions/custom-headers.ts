/** The headers that a subscription's owner adds to each request, such as a token of the receiver. Secret values are encrypted. */
import { z } from 'zod';
import { decryptSecret, encryptSecret } from '../../accounts/index.ts';
import { invalidParameter } from '../../http/index.ts';

export interface CustomHeader {
  name: string;
  /** Null for a secret header whose value is not shown or, in a change, not changed. */
  value: string | null;
  secret: boolean;
}

/** Shown instead of the value of a secret header. */
export const HIDDEN_VALUE = '••••••••';
export const HEADER_LIMITS = { headers: 20, name: 64, value: 1_000 } as const;
/** A token of HTTP (RFC 9110, section 5.6.2). */
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Printable ASCII without spaces at either end, so that a value cannot end the header. */
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/;
/** Headers that the service, HTTP, or a proxy sets. */
const RESERVED = new Set([
  ...[
    'accept-encoding',
    'connection',
    'content-encoding',
    'content-length',
    'content-type',
    'date',
    'expect',
    'forwarded',
  ],
  ...[
    'host',
    'keep-alive',
    'te',
    'traceparent',
    'tracestate',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'user-agent',
    'via',
  ],
]);
const RESERVED_PREFIXES = ['proxy-', 'sec-', 'webhook-', 'x-forwarded-', 'x-service-'];

const isReserved = (name: string) => RESERVED.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));

/** Parses a header that is written as `Name: value`. @throws {Problem} invalid_parameter */
export function parseHeader(line: string, secret: boolean): CustomHeader {
  const colon = line.indexOf(':');
  if (colon < 1) throw invalidParameter('headers', 'invalid_header', 'must have a name, a colon and a value');
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim(), secret };
}

/** @throws {Problem} invalid_parameter */
export function checkHeaders(headers: readonly CustomHeader[]): void {
  const refuse = (message: string) => invalidParameter('headers', 'invalid_header', message);
  if (headers.length > HEADER_LIMITS.headers) throw refuse(`must be at most ${HEADER_LIMITS.headers}`);
  const names = headers.map(({ name }) => name.toLowerCase());
  for (const [index, { name, value, secret }] of headers.entries()) {
    const shown = JSON.stringify(name.slice(0, HEADER_LIMITS.name));
    if (!NAME.test(name) || name.length > HEADER_LIMITS.name) throw refuse(`${shown} is not the name of a header`);
    if (isReserved(names[index]!)) throw refuse(`${shown} is set by the service`);
    if (names.indexOf(names[index]!) !== index) throw refuse(`${shown} is given twice`);
    if (value === null && !secret) throw refuse(`the value of ${shown} is missing`);
    if (value !== null && (!VALUE.test(value) || value.length > HEADER_LIMITS.value)) {
      throw refuse(
        `the value of ${shown} must have 1 to ${HEADER_LIMITS.value} printable ASCII characters, without spaces at its ends`,
      );
    }
  }
}

/** Headers in the form in which they are stored. */
export interface StoredHeaders {
  /** Without the values of secret headers. */
  headers: CustomHeader[];
  /** The values of secret headers, encrypted. Null if there are none. */
  secretHeaders: string | null;
}

const values = z.record(z.string(), z.string());

/** @throws if no key decrypts them */
const decryptValues = (stored: string | null, secretKeys: readonly string[]): Record<string, string> =>
  stored === null ? {} : values.parse(JSON.parse(decryptSecret(stored, secretKeys)));

/**
 * Prepares headers to be stored.
 * @param former the stored values of secret headers. A secret header without a value keeps its former value.
 * @throws {Problem} invalid_parameter if there is no former value; if the former values cannot be read
 */
export function toStoredHeaders(
  headers: readonly CustomHeader[],
  former: string | null,
  secretKeys: readonly string[],
): StoredHeaders {
  const needsFormer = headers.some(({ value }) => value === null);
  const known = needsFormer ? decryptValues(former, secretKeys) : {};
  const secrets: Record<string, string> = {};
  for (const { name, value, secret } of headers) {
    if (!secret) continue;
    const kept = value ?? known[name.toLowerCase()];
    if (kept === undefined)
      throw invalidParameter('headers', 'invalid_header', `the value of ${JSON.stringify(name)} is missing`);
    secrets[name.toLowerCase()] = kept;
  }
  return {
    headers: headers.map(({ name, value, secret }) => ({ name, value: secret ? null : value, secret })),
    secretHeaders: Object.keys(secrets).length === 0 ? null : encryptSecret(JSON.stringify(secrets), secretKeys),
  };
}

/** @returns the headers to send. @throws if a secret value cannot be read, or a stored header is invalid */
export function readHeaders(
  { headers, secretHeaders }: StoredHeaders,
  secretKeys: readonly string[],
): Record<string, string> {
  const secrets = decryptValues(secretHeaders, secretKeys);
  const all = headers.map((header) => ({
    ...header,
    value: header.value ?? secrets[header.name.toLowerCase()] ?? null,
  }));
  checkHeaders(all.map((header) => ({ ...header, secret: false })));
  return Object.fromEntries(all.map(({ name, value }) => [name, value!]));
}
