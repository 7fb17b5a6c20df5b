/** Rules for which events a page stream carries: events in live matches on the page, and changes to the page's lists. */
import type { LogRecord } from '../../events/index.ts';
import type { EventRule } from '../../stream/index.ts';
import { readLiveEvent } from './shown-fields.ts';

/** Event types that change the lists on the front page even if the match is not live. */
const LIST_CHANGES = new Set([
  'match.created',
  'match.finished',
  'match.deleted',
  'match.rescheduled',
  'match.postponed',
  'match.cancelled',
  'match.abandoned',
  'match.correction',
]);

/** Types that no page shows, such as odds. */
const UNSHOWN = new Set(['match.odds_changed']);
/** Types that the front page does not show. */
const UNLISTED = new Set([...UNSHOWN, 'match.statistics_updated']);

/** @param isShown whether the front page shows a match in progress */
export const frontPageRule = (isShown: (matchId: number) => boolean): EventRule => ({
  name: 'page',
  admits(record) {
    if (UNLISTED.has(record.type)) return false;
    return readLiveEvent(record).isLive ? isShown(record.matchId) : LIST_CHANGES.has(record.type);
  },
});

export const matchPageRule = (matchId: number): EventRule => ({
  name: `page of match ${matchId}`,
  admits: (record: LogRecord) => record.matchId === matchId && !UNSHOWN.has(record.type),
});
