/** Builds request addresses for a source. */
import type { Provider } from '../providers/provider.ts';

/** @param url an address that replaces the source's address and serves all paths */
export function sourceUrl({ baseUrl, otherUrls = {} }: Provider, path: string, url?: string): URL {
  if (url !== undefined) return new URL(url + path);
  const other = Object.entries(otherUrls).find(([beginning]) => path.startsWith(beginning));
  return new URL((other?.[1] ?? baseUrl) + path);
}
