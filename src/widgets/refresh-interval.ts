/** How often a widget fetches its page again. */
import type { MatchItem } from '../wire/match.ts';

/** Seconds until a widget fetches its page again. All visitors see the same page, so shared caches may store it for this long. */
export const WIDGET_SECONDS = 60;
/** Seconds until a widget fetches its page again during a match. */
export const LIVE_REFRESH_SECONDS = 15;

/** How long before and after its planned start a match makes a widget fetch its page as often as during the match. */
const SOON_MS = 10 * 60_000;

/**
 * Returns the seconds until a widget with these matches fetches its page again.
 * @param now ms since 1970
 */
export const refreshSeconds = (items: readonly MatchItem[], now: number): number =>
  items.some(
    ({ status, scheduled_start }) =>
      status === 'live' || (status === 'scheduled' && Math.abs(Date.parse(scheduled_start) - now) < SOON_MS),
  )
    ? LIVE_REFRESH_SECONDS
    : WIDGET_SECONDS;
