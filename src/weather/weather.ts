/** Runs the fetcher in the process that has the lease; the others stand by. */
import type { Registry } from 'prom-client';
import { LeaseLost, leaseHolder } from '../db/lease.ts';
import { startLoop } from '../runtime/loop.ts';
import { askForJson } from './ask.ts';
import { openMeteoOptions, type WeatherConfig } from './config.ts';
import { type FetcherDeps, WeatherFetcher } from './fetcher.ts';
import { measureWeather } from './metrics.ts';
import { buildUrl, readReply } from './open-meteo.ts';
import { weatherLease } from './queries.ts';

/** Between two requests: Open-Meteo allows 600 a minute and 5,000 an hour. */
const BETWEEN_REQUESTS_MS = 1_000;
/** Between two looks for work, and attempts to take the lease; shorter than the lease. */
const IDLE_MS = 3_000;
const RETRY_MS = 10_000;

export interface WeatherDeps extends Pick<FetcherDeps, 'pool' | 'clock' | 'changes'> {
  logger: FetcherDeps['logger'] & NonNullable<Parameters<typeof startLoop>[0]['logger']>;
  config: WeatherConfig;
  registry: Registry;
}

/** @returns ends it: a request under way is given up */
export function startWeather({ config, registry, ...deps }: WeatherDeps): () => Promise<void> {
  const service = openMeteoOptions(config);
  if (service === null) return async () => {};
  const { pool, logger } = deps;
  const dailyRequests = config.weatherDailyRequests;
  const count = measureWeather(pool, deps.clock, registry, dailyRequests);
  const stopping = new AbortController();
  const holder = leaseHolder();
  let leading: { generation: number; fetcher: WeatherFetcher } | null = null;

  async function lead(): Promise<WeatherFetcher | null> {
    if (leading !== null) return leading.fetcher;
    const generation = await weatherLease.take(pool, holder);
    if (generation === null) return null;
    const ask: FetcherDeps['ask'] = async (request) =>
      readReply(await askForJson(buildUrl(request, service!), stopping.signal), request);
    leading = { generation, fetcher: new WeatherFetcher({ ...deps, ask, count, dailyRequests }, generation) };
    return leading.fetcher;
  }

  const loop = startLoop({
    async run() {
      const step = await (await lead())?.step();
      return step === 'asked' ? BETWEEN_REQUESTS_MS : IDLE_MS;
    },
    onError(error) {
      if (!(error instanceof LeaseLost)) return false;
      logger.info({ generation: leading?.generation }, 'weather: another process has taken over');
      leading = null;
      return true;
    },
    retryMs: RETRY_MS,
    failed: 'fetching the weather failed, retrying',
    recovered: 'fetching the weather works again',
    logger,
  });

  return async () => {
    stopping.abort();
    await loop.stop();
    if (leading !== null) await weatherLease.release(pool, leading.generation).catch(() => {});
  };
}
