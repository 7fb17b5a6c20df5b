/** A server that replies in Open-Meteo's format, and misbehaves when a test requests it. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server's values for an hour, in the units in `UNITS`. */
export const HOUR = {
  temperature_2m: 18.4,
  apparent_temperature: 17.1,
  precipitation: 0.3,
  precipitation_probability: 35,
  wind_speed_10m: 4.2,
  wind_gusts_10m: 9.1,
  relative_humidity_2m: 61,
  cloud_cover: 75,
  weather_code: 61,
};
export type HourValues = { [name in keyof typeof HOUR]?: number | null };

const UNITS: Record<string, string> = {
  time: 'iso8601',
  temperature_2m: '°C',
  apparent_temperature: '°C',
  precipitation: 'mm',
  precipitation_probability: '%',
  wind_speed_10m: 'm/s',
  wind_gusts_10m: 'm/s',
  relative_humidity_2m: '%',
  cloud_cover: '%',
  weather_code: 'wmo code',
};

/** @param values returns the values for an hour; if undefined, the reply lacks the hour */
export function replyTo(query: URLSearchParams, values: (hour: string) => HourValues | undefined): object {
  const [from, to] = ['start_date', 'end_date'].map((name) => Date.parse(query.get(name)!));
  const time: string[] = [];
  for (let ms = from!; ms < to! + 86_400_000; ms += 3_600_000) time.push(new Date(ms).toISOString().slice(0, 16));
  const known = time.filter((hour) => values(hour) !== undefined);
  const names = query.get('hourly')!.split(',');
  return {
    latitude: Number(query.get('latitude')) + 0.013,
    longitude: Number(query.get('longitude')) - 0.021,
    generationtime_ms: 0.2,
    utc_offset_seconds: 0,
    timezone: 'GMT',
    timezone_abbreviation: 'GMT',
    elevation: 29,
    hourly_units: Object.fromEntries(['time', ...names].map((name) => [name, UNITS[name]])),
    hourly: {
      time: known,
      ...Object.fromEntries(
        names.map((name) => [name, known.map((hour) => values(hour)![name as keyof HourValues] ?? null)]),
      ),
    },
  };
}

export interface OpenMeteo {
  url: string;
  /** Requested URLs, without the host, in order. */
  asked: URL[];
  values: (hour: string) => HourValues | undefined;
  /** If set, answers instead of the API. */
  answer: RequestListener | null;
  close(): Promise<void>;
}

export async function startOpenMeteo(): Promise<OpenMeteo> {
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://open-meteo');
    meteo.asked.push(url);
    if (meteo.answer !== null) return meteo.answer(request, response);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(JSON.stringify(replyTo(url.searchParams, meteo.values)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const meteo: OpenMeteo = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    values: () => HOUR,
    answer: null,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return meteo;
}
