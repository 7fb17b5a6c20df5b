/** Environment variables for the job that fetches the weather. */
import { z } from 'zod';
import { type ConfigOf, httpUrl, type Variables } from '../config/variable.ts';
import { HOSTS, type OpenMeteoOptions } from './open-meteo.ts';

const OFF = 'off';
export const weatherVariables = {
  weatherUrl: {
    name: 'WEATHER_URL',
    schema: z.union([z.literal(OFF), httpUrl]).optional(),
    unset: "Open-Meteo's",
    meaning: 'the [weather](weather.md) source: the address of Open-Meteo or a compatible server, or `off`',
  },
  weatherArchiveUrl: {
    name: 'WEATHER_ARCHIVE_URL',
    schema: httpUrl.optional(),
    unset: "`WEATHER_URL`; Open-Meteo's archive if that is unset, too",
    meaning: 'the source of past weather',
  },
  weatherApiKey: {
    name: 'WEATHER_API_KEY',
    schema: z.string().min(1).optional(),
    unset: 'none: free access, for non-commercial use',
    meaning: "an Open-Meteo subscription key; with it, requests go to Open-Meteo's customer addresses",
  },
  weatherDailyRequests: {
    name: 'WEATHER_DAILY_REQUESTS',
    schema: z.coerce.number<string>().int().min(1).max(10_000_000).default(5_000),
    meaning: 'weather requests per day (UTC) for all processes together',
  },
} satisfies Variables;
export type WeatherConfig = ConfigOf<typeof weatherVariables>;

/** @returns null if the weather is turned off */
export function openMeteoOptions({
  weatherUrl,
  weatherArchiveUrl,
  weatherApiKey,
}: WeatherConfig): OpenMeteoOptions | null {
  if (weatherUrl === OFF) return null;
  const { forecastUrl, archiveUrl } = weatherApiKey === undefined ? HOSTS.free : HOSTS.customer;
  return {
    forecastUrl: weatherUrl ?? forecastUrl,
    archiveUrl: weatherArchiveUrl ?? weatherUrl ?? archiveUrl,
    apiKey: weatherApiKey,
  };
}
