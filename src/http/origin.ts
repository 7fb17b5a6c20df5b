/** Origins in request headers. */

/** Returns the first value of a header. */
export const headerText = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** Returns the origin of a URL; null if it is not a URL. */
export function parseOrigin(url: string | undefined): string | null {
  if (url === undefined) return null;
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}
