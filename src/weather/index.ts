/** Public exports: the weather job's code. */
export { openMeteoOptions, weatherVariables } from './config.ts';
export { WeatherFetcher } from './fetcher.ts';
export { measureWeather } from './metrics.ts';
export { buildUrl, OPEN_METEO, readReply } from './open-meteo.ts';
export { weatherLease } from './queries.ts';
