/** Changes of matches by time and weather, which jobs make. */
export { createHousekeeping } from './housekeeping.ts';
export { refreshStoredFigures, refreshWinProbabilities } from './refresh-figures.ts';
export { storeWeather } from './store-weather.ts';
