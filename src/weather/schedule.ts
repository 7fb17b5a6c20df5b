/** Schedules a match's weather requests. They are more frequent as the kick-off nears, and there is one more to the archive afterwards. */
import { DAY_MS, HOUR_MS } from '../wire/time.ts';

/** How often a forecast is renewed, in hours. The first row whose `before` is at least the time until the kick-off applies. */
const FORECAST_INTERVALS = [
  { before: 6, every: 1 },
  { before: 24, every: 3 },
  { before: 48, every: 6 },
  { before: 7 * 24, every: 12 },
  { before: 14 * 24, every: 24 },
] as const;

/** How long before the kick-off a match gets a forecast. The provider forecasts 16 days, but only up to 14 days count as one request. */
export const HORIZON_MS = 14 * DAY_MS;
/** Time from the kick-off until the archive is asked. The archive is complete after five days. */
export const ARCHIVE_AFTER_MS = 6 * DAY_MS;
/** The archive's first day. */
export const ARCHIVE_FROM = '1940-01-01';
/** Time until the next request if a match has started, has no weather, and is not in the archive yet. */
const MISSING_AGAIN_MS = 6 * HOUR_MS;

/** Where the weather comes from; `none` if the provider has none for the hour. */
export type Kind = 'forecast' | 'archive' | 'none';

/** @param ms time until the kick-off */
export function forecastEvery(ms: number): number {
  const found = FORECAST_INTERVALS.find(({ before }) => ms <= before * HOUR_MS) ?? FORECAST_INTERVALS.at(-1)!;
  return found.every * HOUR_MS;
}

/**
 * Returns when to send the next request after a reply at `now`. A forecast is renewed until the kick-off, and one last time at the
 * kick-off. If the archive does not have a match, the next request waits for half the time since the kick-off, so that requests for the
 * match become rare.
 * @param start the kick-off, in ms like `now`
 * @returns ms; Infinity means never
 */
export function nextAt(kind: Kind, start: number, now: number): number {
  if (kind === 'archive') return Number.POSITIVE_INFINITY;
  if (start > now) return Math.min(now + forecastEvery(start - now), start);
  const archived = start + ARCHIVE_AFTER_MS;
  if (kind === 'forecast') return Math.max(archived, now);
  return archived > now ? Math.min(now + MISSING_AGAIN_MS, archived) : now + Math.max(DAY_MS, (now - start) / 2);
}
