/**
 * The formats of all secrets that this service creates. Each has a prefix of its own. The list is used to create and check
 * secrets, to hide them in logs and replies, and to find them in published code (see the table in docs/security.md).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export interface SecretForm {
  readonly prefix: string;
  /** What the secret gives access to, for the documentation. */
  readonly opens: string;
  /** Number of random letters and digits before the checksum. Null if the secret is base64 of 32 random bytes. */
  readonly letters: number | null;
}

/** 62^32 is 190 bits, so a stored hash needs no salt. */
const KEY_LETTERS = 32;
/** 172 bits. With prefix and checksum, a token has 43 characters, just like the tokens made before 0.3, which have no prefix. */
const TOKEN_LETTERS = 29;

export const SECRETS = {
  secret_key: { prefix: 'sk_live_', letters: KEY_LETTERS, opens: 'data, streams and the account, from a server' },
  publishable_key: { prefix: 'pk_live_', letters: KEY_LETTERS, opens: 'data and streams, from a page' },
  feed_token: { prefix: 'ft_live_', letters: KEY_LETTERS, opens: 'the feed, for one provider' },
  session: { prefix: 'ms_live_', letters: TOKEN_LETTERS, opens: 'the pages of a member, as a cookie' },
  calendar_token: { prefix: 'ct_live_', letters: TOKEN_LETTERS, opens: 'the calendars of a member' },
  password_link: { prefix: 'rl_live_', letters: TOKEN_LETTERS, opens: 'setting a new password, once' },
  address_link: { prefix: 'vl_live_', letters: TOKEN_LETTERS, opens: 'verifying an address, once' },
  invitation: { prefix: 'il_live_', letters: TOKEN_LETTERS, opens: 'signing up or joining an organisation, once' },
  webhook_secret: { prefix: 'whsec_', letters: null, opens: 'nothing here: it signs what a webhook sends' },
} as const satisfies Record<string, SecretForm>;
export type SecretName = keyof typeof SECRETS;

export const SECRET_PREFIXES: readonly string[] = Object.values(SECRETS).map(({ prefix }) => prefix);

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Enough base-62 digits for 32 bits. */
const CHECKSUM_LENGTH = 6;
const BASE64_BYTES = 32;
const BASE64_LENGTH = 4 * Math.ceil(BASE64_BYTES / 3) - 1;

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** Returns a new random secret. */
export function createSecret(name: SecretName): string {
  const { prefix, letters }: SecretForm = SECRETS[name];
  if (letters === null) return prefix + randomBytes(BASE64_BYTES).toString('base64');
  const random = Array.from({ length: letters }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${prefix}${random}${checksum(prefix + random)}`;
}

/** Returns the regular expression that finds such secrets in a text, for scanners. */
export const secretPattern = (name: SecretName): string => formPattern(SECRETS[name]);

const formPattern = ({ prefix, letters }: SecretForm) =>
  prefix + (letters === null ? `[0-9A-Za-z+/]{${BASE64_LENGTH}}=` : `[0-9A-Za-z]{${letters + CHECKSUM_LENGTH}}`);

const PATTERNS = new Map<string, RegExp>(
  Object.entries(SECRETS).map(([name, form]) => [name, new RegExp(`^${formPattern(form)}$`)]),
);

/** Checks format and checksum, so that a typing error or a guess costs no query. */
export const isSecret = (name: SecretName, text: string): boolean =>
  PATTERNS.get(name)?.test(text) === true &&
  (SECRETS[name].letters === null || checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH));

/**
 * Finds secrets in plain form, and secrets that are partly escaped for a URL. Slashes occur in base64, and asterisks in text
 * that has already been cleaned.
 */
const PLAIN = new RegExp(
  Object.values(SECRETS)
    .map(({ prefix, letters }: SecretForm) => `${prefix}(?:[0-9a-z*${letters === null ? '+/=_-' : ''}]|%[0-9a-f]{2})*`)
    .join('|'),
  'gi',
);
const prefixLength = (found: string) =>
  SECRET_PREFIXES.find((prefix) => found.toLowerCase().startsWith(prefix))!.length;

/** Shortens every secret in a text to its prefix. */
export const withoutSecrets = (text: string): string =>
  text.replaceAll(PLAIN, (found) => `${found.slice(0, prefixLength(found))}***`);
