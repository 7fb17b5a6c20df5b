/** Data for all parts of the match page. */
import type { Lang } from '../../http/index.ts';
import type { BySide } from '../../in-play/index.ts';
import type { MatchColours, MatchDetail, StoredMatch } from '../../matches/index.ts';
import type { Blocks, MatchItem } from '../../wire/match.ts';
import type { PageOptions } from '../page-options.ts';
import { nameOf, sideOf } from '../status-text.ts';

export interface MatchView {
  item: MatchItem;
  detail: MatchDetail;
  blocks: Blocks;
  lang: Lang;
  names: { home: string; away: string };
  colours: MatchColours;
  /** Expected goals in 90 minutes, or runs in 20 overs; null if none are known. */
  rates: BySide | null;
  /** Version number from the stored card, used in picture URLs. */
  version: number;
  root: string;
  /** The service's time, ms since 1970. */
  now: number;
}

/** @param blocks with the names that the page shows */
export function matchView(
  { item, detail, version, rates, colours }: StoredMatch,
  blocks: Blocks,
  { lang, root, now }: Pick<PageOptions, 'lang' | 'root' | 'now'>,
): MatchView {
  const names = { home: nameOf(sideOf(item, 'home'), lang), away: nameOf(sideOf(item, 'away'), lang) };
  return { item, detail, blocks, lang, names, version, rates, colours, root, now };
}

/** Whether the match is live, finished, or will not be played. */
export const hasStarted = ({ item }: MatchView): boolean => item.status !== 'scheduled';
