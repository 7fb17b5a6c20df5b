/** Converts kick-offs in local time: finds the zone, and the time in UTC. */
import { DateTime } from 'luxon';
import { wireTime } from '../wire/time.ts';

/** The zone of each country; for countries with several, the zone of most matches. Unlisted: the caller's fallback. */
// biome-ignore format: a table
const COUNTRY_ZONES: Record<string, string> = {
  AR: 'America/Argentina/Buenos_Aires', AT: 'Europe/Vienna', AU: 'Australia/Sydney', BE: 'Europe/Brussels',
  BR: 'America/Sao_Paulo', CA: 'America/Toronto', CH: 'Europe/Zurich', CL: 'America/Santiago', CN: 'Asia/Shanghai',
  CO: 'America/Bogota', DE: 'Europe/Berlin', DK: 'Europe/Copenhagen', ES: 'Europe/Madrid', FR: 'Europe/Paris',
  'GB-ENG': 'Europe/London', 'GB-SCT': 'Europe/London', 'GB-WLS': 'Europe/London', 'GB-NIR': 'Europe/London',
  GR: 'Europe/Athens', IT: 'Europe/Rome', JP: 'Asia/Tokyo', KR: 'Asia/Seoul', MX: 'America/Mexico_City',
  NL: 'Europe/Amsterdam', NO: 'Europe/Oslo', NZ: 'Pacific/Auckland', PT: 'Europe/Lisbon', QA: 'Asia/Qatar',
  RU: 'Europe/Moscow', SE: 'Europe/Stockholm', TR: 'Europe/Istanbul', US: 'America/New_York', UY: 'America/Montevideo',
  ZA: 'Africa/Johannesburg',
};

/** World Cup cities outside their country's usual zone. */
// biome-ignore format: a table
const CITY_ZONES: Record<string, string> = {
  'BR|Manaus': 'America/Manaus', 'BR|Cuiabá': 'America/Cuiaba',
  'CA|Vancouver': 'America/Vancouver', 'CA|Edmonton': 'America/Edmonton', 'CA|Winnipeg': 'America/Winnipeg',
  'CA|Moncton': 'America/Moncton', 'CL|Arica': 'America/Santiago',
  'RU|Ekaterinburg': 'Asia/Yekaterinburg', 'RU|Yekaterinburg': 'Asia/Yekaterinburg', 'RU|Samara': 'Europe/Samara',
  'RU|Kaliningrad': 'Europe/Kaliningrad', 'RU|Volgograd': 'Europe/Moscow',
  'US|Pasadena': 'America/Los_Angeles', 'US|Carson': 'America/Los_Angeles', 'US|San Jose': 'America/Los_Angeles',
  'US|Stanford': 'America/Los_Angeles', 'US|Palo Alto': 'America/Los_Angeles', 'US|San Francisco': 'America/Los_Angeles',
  'US|Portland': 'America/Los_Angeles', 'US|Seattle': 'America/Los_Angeles', 'US|Los Angeles': 'America/Los_Angeles',
  'US|Dallas': 'America/Chicago', 'US|Chicago': 'America/Chicago', 'US|Houston': 'America/Chicago',
  'US|Kansas City': 'America/Chicago', 'US|Nashville': 'America/Chicago',
};

/** Returns the IANA zone of a stadium, if known. `country` is our code. */
export function findZone(country: string, city?: string): string | undefined {
  return (city === undefined ? undefined : CITY_ZONES[`${country}|${city}`]) ?? COUNTRY_ZONES[country];
}

/**
 * Converts a local kick-off to UTC, "2023-08-11T19:00:00Z". A time that a clock change skips is moved forward by an
 * hour, as luxon does.
 * @param day YYYY-MM-DD
 * @param time H:MM or HH:MM
 * @returns undefined if the day or the time does not exist
 */
export function localToUtc(day: string, time: string, zone: string): string | undefined {
  const [, hour, minute] = /^(\d{1,2})[:.](\d\d)$/u.exec(time) ?? [];
  if (hour === undefined) return undefined;
  const local = DateTime.fromISO(`${day}T${hour.padStart(2, '0')}:${minute}`, { zone });
  return local.isValid ? local.toUTC().toISO({ suppressMilliseconds: true }) : undefined;
}

/**
 * Converts a kick-off with an offset to UTC.
 * @param offset hours ahead of UTC, may be negative or a fraction
 */
export function offsetToUtc(day: string, time: string, offset: number): string | undefined {
  const utc = localToUtc(day, time, 'Etc/UTC');
  if (utc === undefined) return undefined;
  return wireTime(Date.parse(utc) - offset * 3_600_000);
}

/** Whether `day` is a real day written YYYY-MM-DD. */
export function isDay(day: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/u.test(day)) return false;
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** Start of a match for which only the day is known. */
export const dateOnly = (day: string) => ({ scheduled_start: `${day}T00:00:00Z`, time_tbd: true });
