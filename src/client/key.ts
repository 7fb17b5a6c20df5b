/** Keys are letters, digits and underscores; anything else comes with a copy: a line end, a quotation mark, an ellipsis. */
const OF_A_KEY = /^[\w-]+$/u;

/** @throws {TypeError} without the key in its message; requests would only say that a header is invalid */
export function checkKey(key: string | undefined): void {
  if (key === undefined || OF_A_KEY.test(key)) return;
  throw new TypeError('The API key is empty, or has characters that no key has, such as white space.');
}
