/** Plans requests for the matches whose weather is due. All matches at one place within a fortnight share a request. */

import { grouped } from '../wire/grouped.ts';
import { DAY_MS, utcDay } from '../wire/time.ts';
import { HORIZON_MS } from './schedule.ts';

/** The hour and place whose weather a match should have; see the view weather_target. */
export interface Target {
  match_id: number;
  /** The kick-off, in ms. `hour` is in ms too. */
  start: number;
  /** The full hour nearest to the kick-off. */
  hour: number;
  /** In hundredths of a degree. */
  latitude: number;
  longitude: number;
  stadium: string;
  city: string | null;
}

export type Source = 'forecast' | 'archive';

export interface WeatherRequest {
  source: Source;
  latitude: number;
  longitude: number;
  /** First and last day, YYYY-MM-DD in UTC. */
  from: string;
  to: string;
  targets: Target[];
}

/** The provider counts this many days as one request. Any days beyond a multiple of this count as one more. */
const DAYS_PER_REQUEST = 14;

const toDay = (ms: number) => Math.floor(ms / DAY_MS);
const formatDate = (day: number) => utcDay(day * DAY_MS);

export const locationKey = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `${latitude},${longitude}`;

/** Returns how many requests the provider counts for this one, which depends on the number of days. */
export function requestCost({ from, to }: Pick<WeatherRequest, 'from' | 'to'>): number {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Math.ceil(days / DAYS_PER_REQUEST);
}

/** @param targets the most urgent first; the requests are in the same order */
export function forecastRequests(targets: readonly Target[], now: number): WeatherRequest[] {
  return [...grouped(targets, locationKey).values()].map((ofPlace) => {
    const days = ofPlace.map(({ hour }) => toDay(hour));
    const first = Math.min(...days);
    // All days in a fortnight cost one request. The extra days are for matches that are added or moved later.
    const last = Math.max(...days, Math.min(first + DAYS_PER_REQUEST - 1, toDay(now + HORIZON_MS)));
    return toRequest('forecast', ofPlace, first, last);
  });
}

/** @param targets the newest first */
export function archiveRequests(targets: readonly Target[]): WeatherRequest[] {
  const requests: WeatherRequest[] = [];
  for (const ofPlace of grouped(targets, locationKey).values()) {
    let last: WeatherRequest | undefined;
    for (const target of [...ofPlace].sort((a, b) => b.hour - a.hour)) {
      const day = toDay(target.hour);
      if (last && toDay(Date.parse(last.to)) - day < DAYS_PER_REQUEST) {
        last.targets.push(target);
        last.from = formatDate(day);
      } else {
        last = toRequest('archive', [target], day, day);
        requests.push(last);
      }
    }
  }
  return requests.sort((a, b) => b.to.localeCompare(a.to));
}

function toRequest(source: Source, targets: [Target, ...Target[]], first: number, last: number): WeatherRequest {
  const [{ latitude, longitude }] = targets;
  return { source, latitude, longitude, from: formatDate(first), to: formatDate(last), targets };
}
