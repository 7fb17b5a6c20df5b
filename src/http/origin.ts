/** Reads origins and values from request headers. */

/** Returns a header's first value. */
export const headerText = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** Returns a URL's origin, or null if the text is not a URL. */
export function parseOrigin(url: string | undefined): string | null {
  if (url === undefined) return null;
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}
