/** Exports for other rooms: match changes by time and weather, for jobs. */
export { createHousekeeping } from './housekeeping.ts';
export { refreshStoredFigures, refreshWinProbabilities } from './refresh-figures.ts';
export { storeWeather } from './store-weather.ts';
