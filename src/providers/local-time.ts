/** Finds time zones, and converts local kick-off times to UTC. */
import { DateTime } from 'luxon';
import { dataRows } from '../wire/data-file.ts';
import { wireTime } from '../wire/time.ts';

let zones: Map<string, string> | undefined;

/** Returns zones by country and city. The key without a city gives the country's zone. */
function readZones(): Map<string, string> {
  zones ??= new Map(
    dataRows('identity/time-zones.csv', ['country', 'city', 'zone']).map((row) => [
      `${row.country}|${row.city}`,
      row.zone,
    ]),
  );
  return zones;
}

/** Returns the IANA zone of a stadium, if known. `country` is our code. */
export function findZone(country: string, city?: string): string | undefined {
  return readZones().get(`${country}|${city ?? ''}`) ?? readZones().get(`${country}|`);
}

/**
 * Converts a local kick-off to UTC, "2023-08-11T19:00:00Z". A time that is skipped by a clock change is moved forward
 * by an hour, as luxon does.
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
 * @param offset hours ahead of UTC; may be negative or a fraction
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

/** Returns the start members for a match whose day is known and whose time is not. */
export const dateOnly = (day: string) => ({ scheduled_start: `${day}T00:00:00Z`, time_tbd: true });
