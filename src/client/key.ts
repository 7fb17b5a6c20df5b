/**
 * Keys consist of letters, digits, underscores and hyphens; anything else is a copying error: a line end, a quotation
 * mark, an ellipsis.
 */
const OF_A_KEY = /^[\w-]+$/u;

/** @throws {TypeError} without the key in its message; a request would only report an invalid header */
export function checkKey(key: string | undefined): void {
  if (key === undefined || OF_A_KEY.test(key)) return;
  throw new TypeError('The API key is empty, or has characters that no key has, such as white space.');
}
