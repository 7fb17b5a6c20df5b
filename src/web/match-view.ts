/** Data for all parts of the match page. */
import type { Lang } from '../http/route.ts';
import type { BySide } from '../in-play/chances.ts';
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
  /** Expected goals in 90 minutes; null if none are stored. */
  rates: BySide | null;
  /** Version of the stored card, part of picture URLs. */
  version: number;
  root: string;
  /** Time of the service, ms since 1970. */
  now: number;
}

/** Live, finished, or not going to be played. */
export const hasStarted = ({ item }: MatchView): boolean => item.status !== 'scheduled';
