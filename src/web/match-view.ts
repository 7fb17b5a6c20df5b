/** The data from which every part of the match page is rendered. */
import type { Lang } from '../http/route.ts';
import type { Blocks } from '../wire/match.ts';
import type { Item } from './status.ts';

export interface Detail {
  venue_city: string | null;
  venue_capacity: number | null;
  referee: string | null;
  attendance: number | null;
  meta: { sources: string[] };
}

export interface MatchView {
  item: Item;
  detail: Detail;
  blocks: Blocks;
  lang: Lang;
  names: { home: string; away: string };
  /** Of the stored card; URLs of pictures contain it. */
  version: number;
  root: string;
}

/** Live, over, or not going to be played. */
export const hasStarted = ({ item }: MatchView): boolean => item.status !== 'scheduled';
