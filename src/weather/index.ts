/** Exports for other rooms: weather, for its job. */
export { openMeteoOptions, weatherVariables } from './config.ts';
export { WeatherFetcher } from './fetcher.ts';
export { measureWeather } from './metrics.ts';
export { buildUrl, OPEN_METEO, readReply } from './open-meteo.ts';
export { weatherLease } from './queries.ts';
