/** Decides from what is known about a league which OpenLigaDB requests are sent, and how often. Pure. */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../wire/time.ts';
import type { PlannedRequest } from '../provider.ts';
import { isInWindow, isRecent, type Known, seasonAt } from './known-matches.ts';

/** Pause between requests about live matches, as the spec demands. */
const LIVE_MS = 20 * SECOND_MS;
/** Pause for a matchday whose change date stays the same, because that date alone is not trusted. */
const UNCHANGED_MS = 5 * MINUTE_MS;
const RECENT_MS = 10 * MINUTE_MS;
const CALENDAR_MS = 6 * HOUR_MS;

export const planRequests = (now: number, known: Known): PlannedRequest[] => [
  ...matchdayRequests(now, known),
  ...calendarRequests(now, known),
];

/** Requests the matchdays with a match that is under way or has ended recently. */
function matchdayRequests(now: number, known: Known): PlannedRequest[] {
  const live = new Map<string, { begun: number; isEnding: boolean }>();
  const recent = new Set<string>();
  for (const [key, match] of Object.entries(known.matches)) {
    const matchday = `${key.split('/')[0]}/${match.group}`;
    if (isInWindow(match, now)) {
      const { begun = 0, isEnding = false } = live.get(matchday) ?? {};
      const needsLook = match.ending !== undefined || match.fallen !== undefined;
      live.set(matchday, { begun: begun + Number(match.start! <= now), isEnding: isEnding || needsLook });
    } else if (isRecent(match, now)) recent.add(matchday);
  }
  const league = encodeURIComponent(known.league);
  const requests: PlannedRequest[] = [];
  for (const [matchday, { begun, isEnding }] of live) {
    requests.push(
      { path: `/getlastchangedate/${league}/${matchday}`, everyMs: LIVE_MS, cost: 0, isLive: true },
      {
        path: `/getmatchdata/${league}/${matchday}`,
        everyMs: isEnding ? LIVE_MS : UNCHANGED_MS,
        // The source's date does not change when a match starts, so the version also counts the matches that have
        // begun.
        version: `${known.changes[matchday] ?? ''} ${begun}`,
        isLive: true,
      },
    );
  }
  for (const matchday of recent) {
    if (live.has(matchday)) continue;
    requests.push(
      { path: `/getlastchangedate/${league}/${matchday}`, everyMs: RECENT_MS, cost: 0 },
      {
        path: `/getmatchdata/${league}/${matchday}`,
        everyMs: CALENDAR_MS,
        version: known.changes[matchday] ?? '',
      },
    );
  }
  return requests;
}

/**
 * Requests the whole season. Also requests the matchdays around the present one, because the season's reply has been
 * stale before.
 */
function calendarRequests(now: number, known: Known): PlannedRequest[] {
  const league = encodeURIComponent(known.league);
  const requests: PlannedRequest[] = [];
  const add = (path: string) => {
    requests.push({ path, everyMs: CALENDAR_MS });
  };
  add(`/getcurrentgroup/${league}`);
  const season = known.fixedSeason ?? seasonAt(now);
  // Until the source has the new season, the old one may still be going on, so both are requested.
  const seasons = known.fixedSeason !== null || known.seasons.includes(season) ? [season] : [season, season - 1];
  for (const year of seasons) {
    add(`/getmatchdata/${league}/${year}`);
    if (known.currentGroup === null) continue;
    for (const group of [known.currentGroup, known.currentGroup + 1]) add(`/getmatchdata/${league}/${year}/${group}`);
  }
  return requests;
}
