/** Data for all parts of the match page. */
import type { Lang } from '../../http/index.ts';
import type { BySide } from '../../in-play/index.ts';
import type { MatchColours, MatchDetail } from '../../matches/index.ts';
import type { Blocks, MatchItem } from '../../wire/match.ts';

export interface MatchView {
  item: MatchItem;
  detail: MatchDetail;
  blocks: Blocks;
  lang: Lang;
  names: { home: string; away: string };
  colours: MatchColours;
  /** Expected goals in 90 minutes; null if none are stored. */
  rates: BySide | null;
  /** Version number from the stored card, used in picture URLs. */
  version: number;
  root: string;
  /** The service's time, ms since 1970. */
  now: number;
}

/** Whether the match is live, finished, or will not be played. */
export const hasStarted = ({ item }: MatchView): boolean => item.status !== 'scheduled';
