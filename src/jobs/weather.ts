import { askForJson } from '../weather/ask.ts';
import { openMeteoOptions, weatherVariables } from '../weather/config.ts';
import { WeatherFetcher } from '../weather/fetcher.ts';
import { measureWeather } from '../weather/metrics.ts';
import { buildUrl, readReply } from '../weather/open-meteo.ts';
import { weatherLease } from '../weather/queries.ts';
import { defineJob } from './job.ts';

/** Pause between two requests: Open-Meteo allows 600 a minute and 5,000 an hour. */
const BETWEEN_REQUESTS_MS = 1_000;

export const weather = defineJob({
  name: 'weather',
  summary: 'fetches the weather of matches',
  variables: weatherVariables,
  lease: weatherLease,
  schedule: { everyMs: 3_000 },
  retryMs: 10_000,
  limitMs: 120_000,
  failed: 'fetching the weather failed, retrying',
  recovered: 'fetching the weather works again',
  open({ config, registry, pool, clock, changes, logger }) {
    const service = openMeteoOptions(config);
    if (service === null) return null;
    const dailyRequests = config.weatherDailyRequests;
    const count = measureWeather(pool, clock, registry, dailyRequests);
    return (generation) => {
      let signal = new AbortController().signal;
      const fetcher = new WeatherFetcher(
        {
          pool,
          clock,
          changes,
          logger,
          ask: async (request) => readReply(await askForJson(buildUrl(request, service), signal), request),
          count,
          dailyRequests,
        },
        generation,
      );
      return {
        async run(runSignal) {
          signal = runSignal;
          return (await fetcher.step()) === 'asked'
            ? { result: 'done', pauseMs: BETWEEN_REQUESTS_MS }
            : { result: 'idle' };
        },
      };
    };
  },
});
