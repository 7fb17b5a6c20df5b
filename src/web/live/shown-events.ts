/** Rules for page streams. They carry events from live matches that the page shows, and changes to its lists. */
import type { LogRecord } from '../../events/index.ts';
import type { EventRule } from '../../stream/index.ts';
import { readLiveEvent } from './shown-fields.ts';

/** Types that change the front page's lists if the match is not live. */
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

/** No page shows prices. */
const UNSHOWN = new Set(['match.odds_changed']);
/** The front page shows no statistics either. */
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
