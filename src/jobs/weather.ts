import { requestJson } from '../sources/index.ts';
import {
  buildUrl,
  measureWeather,
  OPEN_METEO,
  openMeteoOptions,
  readReply,
  WeatherFetcher,
  weatherLease,
  weatherVariables,
} from '../weather/index.ts';
import { defineJob } from './job.ts';

/** Pause between two requests. Open-Meteo allows 600 a minute and 5,000 an hour. */
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
  open({ config, registry, sources, pool, clock, changes, logger }) {
    const service = openMeteoOptions(config);
    // The job is off if the clock has been set, because forecasts are for the real present day.
    if (service === null || clock.isSet) return null;
    const dailyRequests = config.weatherDailyRequests;
    const countWeather = measureWeather(pool, clock, registry, dailyRequests);
    const countSource = sources.add(OPEN_METEO);
    return (generation) => {
      let signal = new AbortController().signal;
      const fetcher = new WeatherFetcher(
        {
          pool,
          clock,
          changes,
          logger,
          async ask(request) {
            const reply = await requestJson(buildUrl(request, service), { stopped: signal });
            return readReply(reply!.json, request);
          },
          count(outcome) {
            countWeather(outcome);
            countSource(outcome);
          },
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
