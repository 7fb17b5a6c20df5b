/**
 * Checks the options that every client needs. Otherwise a mistake would be noticed only when the first request reports
 * an invalid address or header.
 */

/** @throws {TypeError} */
export function checkUrl(url: unknown): void {
  if (url === undefined || url === null || url === '')
    throw new TypeError('The option url is missing: the address of the service, such as https://sports.example.com.');
  try {
    if (/^https?:$/u.test(new URL(String(url)).protocol)) return;
  } catch {}
  throw new TypeError(`The option url is not an address that starts with http:// or https://: ${url}`);
}

/**
 * Keys consist of letters, digits, underscores and hyphens. Anything else, such as a line end, a quotation mark or an
 * ellipsis, is a copying error.
 */
const KEY = /^[\w-]+$/u;

/** @throws {TypeError} if the key is malformed. The message does not contain the key */
export function checkKey(key: string | undefined): void {
  if (key === undefined || KEY.test(key)) return;
  throw new TypeError('The API key is empty, or has characters that no key has, such as white space.');
}
