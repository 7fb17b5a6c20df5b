/** What every part of the match page gets. */
import type { Blocks } from '../wire/match.ts';
import type { Item } from './status.ts';
import type { Lang } from './texts.ts';

export interface Detail {
  venue_city: string | null;
  venue_capacity: number | null;
  referee: string | null;
  attendance: number | null;
  meta: { sources: string[] };
}

/** What every part of the page gets. */
export interface MatchView {
  item: Item;
  detail: Detail;
  blocks: Blocks;
  lang: Lang;
  names: { home: string; away: string };
  /** Of the stored card: addresses of pictures carry it. */
  version: number;
  root: string;
}
