/** Builds request addresses for the Open-Meteo API, and reads the hours in its replies. */
import { z } from 'zod';
import { SourceError } from '../sources/index.ts';
import type { WeatherRequest } from './requests.ts';

/** The source's name. */
export const OPEN_METEO = 'open-meteo';

/** Hosts for users without a key, and for customers. */
export const HOSTS = {
  free: { forecastUrl: 'https://api.open-meteo.com', archiveUrl: 'https://archive-api.open-meteo.com' },
  customer: {
    forecastUrl: 'https://customer-api.open-meteo.com',
    archiveUrl: 'https://customer-archive-api.open-meteo.com',
  },
};

/** The weather in one hour. A value is null if the provider does not know it. */
export interface Hour {
  temperature_c: number | null;
  feels_like_c: number | null;
  wind_speed_ms: number | null;
  wind_gusts_ms: number | null;
  /** Sum over the preceding hour. */
  precipitation_mm: number | null;
  precipitation_prob_pct: number | null;
  humidity_pct: number | null;
  cloud_cover_pct: number | null;
  weather_code: number | null;
}

/** Keyed by the full hour, in ms. */
export type Hours = ReadonlyMap<number, Hour>;

export interface OpenMeteoOptions {
  forecastUrl: string;
  archiveUrl: string;
  apiKey?: string | undefined;
}

/** For each unit that the provider may use, a function that converts to our unit. */
type Units = Readonly<Record<string, (value: number) => number>>;
const same = (value: number) => value;
const TEMPERATURE: Units = { '°C': same, '°F': (value) => ((value - 32) * 5) / 9 };
const SPEED: Units = {
  'm/s': same,
  'km/h': (value) => value / 3.6,
  'mp/h': (value) => value * 0.44704,
  mph: (value) => value * 0.44704,
  kn: (value) => (value * 1.852) / 3.6,
};
const LENGTH: Units = { mm: same, inch: (value) => value * 25.4 };
const PERCENT: Units = { '%': same };
const CODE: Units = { 'wmo code': same };

interface Variable {
  name: string;
  units: Units;
  /** Valid range, in our unit. Values outside it are measurement errors and are left out. */
  range: readonly [number, number];
}

// biome-ignore format: a table
const VARIABLES: Readonly<Record<keyof Hour, Variable>> = {
  temperature_c: { name: 'temperature_2m', units: TEMPERATURE, range: [-90, 60] },
  feels_like_c: { name: 'apparent_temperature', units: TEMPERATURE, range: [-120, 90] },
  wind_speed_ms: { name: 'wind_speed_10m', units: SPEED, range: [0, 120] },
  wind_gusts_ms: { name: 'wind_gusts_10m', units: SPEED, range: [0, 150] },
  precipitation_mm: { name: 'precipitation', units: LENGTH, range: [0, 500] },
  precipitation_prob_pct: { name: 'precipitation_probability', units: PERCENT, range: [0, 100] },
  humidity_pct: { name: 'relative_humidity_2m', units: PERCENT, range: [0, 100] },
  cloud_cover_pct: { name: 'cloud_cover', units: PERCENT, range: [0, 100] },
  weather_code: { name: 'weather_code', units: CODE, range: [0, 99] },
};
const FIELDS = Object.keys(VARIABLES) as (keyof Hour)[];

/** True if the source has the field. The archive has no probabilities. */
const isIn = ({ source }: WeatherRequest, field: keyof Hour) =>
  source === 'forecast' || field !== 'precipitation_prob_pct';

export function buildUrl(request: WeatherRequest, { forecastUrl, archiveUrl, apiKey }: OpenMeteoOptions): URL {
  const { source, latitude, longitude, from, to } = request;
  const url = new URL(source === 'forecast' ? `${forecastUrl}/v1/forecast` : `${archiveUrl}/v1/archive`);
  const hourly = FIELDS.filter((field) => isIn(request, field)).map((field) => VARIABLES[field].name);
  const query = {
    latitude: String(latitude),
    longitude: String(longitude),
    hourly: hourly.join(),
    wind_speed_unit: 'ms',
    timezone: 'UTC',
    start_date: from,
    end_date: to,
    ...(apiKey !== undefined && { apikey: apiKey }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

const reply = z.looseObject({
  latitude: z.number(),
  longitude: z.number(),
  utc_offset_seconds: z.number().int(),
  hourly_units: z.record(z.string(), z.string()),
  hourly: z
    .looseObject({ time: z.array(z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)) })
    .catchall(z.array(z.number().nullable()).or(z.array(z.string()))),
});

/**
 * Maximum distance between the place in the request and the place in the reply. The reply names the place of a cell in the weather model.
 */
const FARTHEST_DEGREES = 1;
/** Maximum number of hours in a reply, at 24 hours a day. No request covers more than some weeks. */
const MOST_HOURS = 24 * 62;
/** Values are rounded to one decimal, which is the provider's accuracy. */
const DECIMALS = 10;

/**
 * Reads the reply to a request, and converts its values from the units that it names. Missing hours are left out.
 * @throws {SourceError} if the body is not a reply to this request
 */
export function readReply(body: unknown, { latitude, longitude }: WeatherRequest): Hours {
  const parsed = reply.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SourceError('misunderstood', `reply: ${issue!.path.join('.') || 'the whole'}: ${issue!.message}`);
  }
  const { hourly, hourly_units: units, utc_offset_seconds: offset, ...place } = parsed.data;
  const apart = Math.abs(((place.longitude - longitude + 540) % 360) - 180);
  if (Math.abs(place.latitude - latitude) > FARTHEST_DEGREES || apart > FARTHEST_DEGREES)
    throw new SourceError('misunderstood', `reply: is for the place ${place.latitude}, ${place.longitude}`);
  const { time } = hourly;
  if (time.length > MOST_HOURS) throw new SourceError('misunderstood', `reply: ${time.length} hours are too many`);
  const columns = FIELDS.map((field) => [field, readColumn(VARIABLES[field], hourly, units)] as const);
  return new Map(
    time.map((text, index) => {
      const values = columns.map(([field, column]) => [field, column[index] ?? null]);
      return [Date.parse(`${text}Z`) - offset * 1_000, Object.fromEntries(values) as Hour];
    }),
  );
}

/** Returns a variable's values in our unit; an empty list if the reply does not have the variable. */
function readColumn(
  { name, units, range: [least, most] }: Variable,
  hourly: { time: string[]; [name: string]: (number | null)[] | string[] },
  named: Readonly<Record<string, string>>,
): (number | null)[] {
  const values: (number | string | null)[] | undefined = hourly[name];
  if (values === undefined) return [];
  if (values.length !== hourly.time.length)
    throw new SourceError('misunderstood', `reply: ${values.length} values of ${name} in ${hourly.time.length} hours`);
  const unit = named[name];
  const convert = unit === undefined ? undefined : Object.hasOwn(units, unit) && units[unit];
  if (!convert) throw new SourceError('misunderstood', `reply: ${name} is in ${unit ?? 'no unit'}`);
  return values.map((value) => {
    if (typeof value !== 'number') return null;
    const converted = Math.round(convert(value) * DECIMALS) / DECIMALS;
    return converted >= least && converted <= most ? converted : null;
  });
}

/** True if the provider gave a temperature or a weather code for the hour. */
export const isKnown = (hour: Hour | undefined): hour is Hour =>
  hour !== undefined && (hour.temperature_c !== null || hour.weather_code !== null);
