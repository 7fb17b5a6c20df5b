/** Addresses of the pictures for shared links. */
import { DRAWINGS_VERSION } from '../../catalogue/index.ts';
import type { Lang } from '../../http/index.ts';

export interface Shown {
  kind: 'match' | 'team' | 'player' | 'tournament';
  id: number;
  /** Version of what the picture shows. It is in the address, so that chat programs load the picture again after a change. */
  version: string | number;
  lang: Lang;
  /** Id of a tournament's season; the current one if absent. */
  season?: number | undefined;
}

/** Returns the path of a picture, relative to the root. */
export function sharePicturePath({ kind, id, version, lang, season }: Shown): string {
  const query = new URLSearchParams({ v: String(version), c: DRAWINGS_VERSION });
  // Not `lang`, with which a page remembers a reader's choice, and which keeps a reply out of shared caches.
  if (lang !== 'en') query.set('language', lang);
  if (season !== undefined) query.set('season', String(season));
  return `${kind}/${id}/share.png?${query}`;
}
