import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { finalizeQuietMatches } from '../../src/apply/upkeep/finalize-matches.ts';
import { LeaseLost } from '../../src/db/lease.ts';
import { weather } from '../../src/jobs/weather.ts';
import { requestJson } from '../../src/sources/request.ts';
import { WeatherFetcher } from '../../src/weather/fetcher.ts';
import { measureWeather } from '../../src/weather/metrics.ts';
import { buildUrl, readReply } from '../../src/weather/open-meteo.ts';
import { weatherLease } from '../../src/weather/queries.ts';
import { FOOTBALL_GIVEN } from '../support/blocks.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';
import { startTestJob } from '../support/jobs.ts';
import { HOUR, type OpenMeteo, startOpenMeteo } from '../support/open-meteo.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
const HOURS = 60 * MINUTE;
const DAY = 24 * HOURS;
const OLD_TRAFFORD = {
  name: 'Old Trafford',
  city: 'Manchester',
  country: 'GB-ENG',
  latitude: 53.4631,
  longitude: -2.2914,
};

/** The weather that a match's card shows, as the server has sent it. */
const shown = (over: object = {}) => ({
  stadium: 'Old Trafford',
  city: 'Manchester',
  temperature_c: 18.4,
  feels_like_c: 17.1,
  conditions: 'Light rain',
  conditions_i18n: { en: 'Light rain', ru: 'Небольшой дождь' },
  wind_speed_ms: 4.2,
  wind_gusts_ms: 9.1,
  precipitation_mm: 0.3,
  precipitation_prob_pct: 35,
  humidity_pct: 61,
  cloud_cover_pct: 75,
  weather_code: 61,
  is_forecast: true,
  observed_hour_utc: '2024-05-01T14:00',
  ...over,
});

describe('fetching the weather', () => {
  let bench: FeedBench;
  let meteo: OpenMeteo;
  let fetcher: WeatherFetcher;
  let logged: string[];
  let registry: Registry;
  before(async () => {
    bench = await openFeedBench();
    meteo = await startOpenMeteo();
  });
  after(async () => {
    await meteo.close();
    await bench.db.drop();
  });
  beforeEach(async () => {
    await bench.db.pool.query(
      "DELETE FROM match; DELETE FROM external_ref WHERE entity = 'match'; DELETE FROM source; DELETE FROM source_budget; DELETE FROM weather_fetcher; INSERT INTO weather_fetcher DEFAULT VALUES",
    );
    bench.now = Date.parse('2024-05-01T12:00:00Z');
    bench.published.length = 0;
    await bench.events();
    bench.nextMatch();
    meteo.answer = null;
    meteo.values = () => HOUR;
    meteo.asked.length = 0;
    logged = [];
    await lead();
  });

  /** Lets a new process take the lead. */
  async function lead(dailyRequests = 100): Promise<void> {
    const { pool } = bench.db;
    await pool.query("UPDATE weather_fetcher SET expires_at = '-infinity'");
    const generation = (await weatherLease.take(pool, 'test'))!;
    registry = new Registry();
    const log = (level: string) => (of: object | string, text?: string) =>
      void logged.push(`${level}: ${text ?? of} ${(of as { reason?: string }).reason ?? ''}`.trim());
    fetcher = new WeatherFetcher(
      {
        ...bench.deps,
        logger: { info: log('info'), warn: log('warn') } as unknown as ConstructorParameters<
          typeof WeatherFetcher
        >[0]['logger'],
        ask: async (request) =>
          readReply(
            (await requestJson(buildUrl(request, { forecastUrl: meteo.url, archiveUrl: meteo.url }), {
              stopped: new AbortController().signal,
              timeoutMs: 2_000,
            }))!.json,
            request,
          ),
        count: measureWeather(pool, bench.deps.clock, registry, dailyRequests),
        dailyRequests,
      },
      generation,
    );
  }

  /**
   * Runs steps until no work is left.
   * @returns the addresses requested in these steps
   */
  async function fetchAll(): Promise<URL[]> {
    const from = meteo.asked.length;
    while ((await fetcher.step()) === 'asked') assert.ok(meteo.asked.length < 100);
    return meteo.asked.slice(from);
  }
  /** Advances the clock past the next check for due requests. */
  const later = (ms: number) => {
    bench.now += ms;
  };
  const match = (fields: MatchFields = {}) => bench.accept({ venue: OLD_TRAFFORD, ...fields });
  const weatherOf = async (id: number) => (await bench.card(id)).weather;
  const metric = async (name: string) => {
    const text = await registry.metrics();
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  };

  it('gives a future match the forecast for its hour and ground', async () => {
    const id = await match();
    const asked = await fetchAll();
    assert.deepEqual(
      asked.map(({ pathname, searchParams }) => [
        pathname,
        searchParams.get('latitude'),
        searchParams.get('longitude'),
        searchParams.get('start_date'),
        searchParams.get('end_date'),
      ]),
      [['/v1/forecast', '53.46', '-2.29', '2024-05-01', '2024-05-14']],
    );
    assert.deepEqual(await weatherOf(id), shown());
    const { meta } = await bench.card(id);
    assert.ok(meta.sources.includes('Weather data by Open-Meteo.com, CC BY 4.0'), meta.sources.join());
    assert.equal(meta.last_detail_at, (await bench.card(id)).updated_at);
  });

  it('moves the sync cursor and refreshes caches, but is not an event', async () => {
    const id = await match();
    await bench.events();
    await bench.db.pool.query('DELETE FROM match_touch');
    bench.published.length = 0;
    await fetchAll();
    assert.deepEqual(await bench.events(), []);
    const { rows } = await bench.db.pool.query('SELECT match_id FROM match_touch');
    assert.deepEqual(rows, [{ match_id: id }]);
    assert.deepEqual(bench.published, [id]);
  });

  it('changes no data if the forecast is unchanged', async () => {
    const id = await match();
    await fetchAll();
    const before = await bench.footprint(id);
    later(HOURS);
    assert.equal((await fetchAll()).length, 1);
    assert.deepEqual(await bench.footprint(id), before);
  });

  it('needs one request for all matches at a ground, including later ones', async () => {
    const first = await match();
    bench.nextMatch();
    const second = await match({ scheduled_start: '2024-05-03T18:40:00Z' });
    assert.equal((await fetchAll()).length, 1);
    assert.equal((await weatherOf(first))!.observed_hour_utc, '2024-05-01T14:00');
    assert.equal((await weatherOf(second))!.observed_hour_utc, '2024-05-03T19:00');
    bench.nextMatch();
    const third = await match({ scheduled_start: '2024-05-02T10:29:00Z' });
    later(2 * MINUTE);
    assert.equal((await fetchAll()).length, 0);
    assert.equal((await weatherOf(third))!.observed_hour_utc, '2024-05-02T10:00');
  });

  it('is repeated as the kick-off nears and at the kick-off, but not during the match', async () => {
    const id = await match();
    await fetchAll();
    meteo.values = () => ({ ...HOUR, temperature_2m: 20 });
    later(59 * MINUTE);
    assert.equal((await fetchAll()).length, 0);
    later(2 * MINUTE);
    assert.equal((await fetchAll()).length, 1);
    assert.equal((await weatherOf(id))!.temperature_c, 20);
    bench.now = Date.parse('2024-05-01T14:00:30Z');
    assert.equal((await fetchAll()).length, 1);
    later(5 * DAY);
    assert.equal((await fetchAll()).length, 0);
  });

  it('gives a finished match the observed weather six days later, permanently', async () => {
    const id = await match();
    await fetchAll();
    await bench.accept({ venue: OLD_TRAFFORD, status: 'finished', score: { home: 1, away: 0 } });
    later(2 * DAY);
    await finalizeQuietMatches(bench.deps);
    meteo.values = () => ({ ...HOUR, temperature_2m: 12 });
    later(5 * DAY);
    const [asked, ...others] = await fetchAll();
    assert.deepEqual([asked!.pathname, others.length], ['/v1/archive', 0]);
    assert.doesNotMatch(asked!.href, /precipitation_probability/);
    assert.deepEqual(
      await weatherOf(id),
      shown({ temperature_c: 12, is_forecast: false, precipitation_prob_pct: null }),
    );
    assert.equal((await bench.card(id)).finalized, true);
    later(100 * DAY);
    assert.equal((await fetchAll()).length, 0);
  });

  it('gives a match new weather if it moves in time or to a new ground', async () => {
    const id = await match();
    await fetchAll();
    await match({ scheduled_start: '2024-05-02T20:00:00Z' });
    later(MINUTE);
    assert.equal((await fetchAll()).length, 0);
    assert.equal((await weatherOf(id))!.observed_hour_utc, '2024-05-02T20:00');
    const anfield = { name: 'Anfield', city: 'Liverpool', country: 'GB-ENG', latitude: 53.4308, longitude: -2.9608 };
    await match({ scheduled_start: '2024-05-02T20:00:00Z', venue: anfield });
    later(MINUTE);
    assert.deepEqual(
      (await fetchAll()).map(({ searchParams }) => searchParams.get('longitude')),
      ['-2.96'],
    );
    assert.equal((await weatherOf(id))!.stadium, 'Anfield');
  });

  const WITHOUT: [name: string, fields: MatchFields][] = [
    ['is moved beyond the horizon', { venue: OLD_TRAFFORD, scheduled_start: '2024-06-20T20:00:00Z' }],
    ['has no known hour any more', { venue: OLD_TRAFFORD, time_tbd: true }],
    ['is cancelled', { venue: OLD_TRAFFORD, status: 'finished', status_detail: 'cancelled' }],
    ['is postponed', { venue: OLD_TRAFFORD, status_detail: 'postponed' }],
    ['is moved to a ground of unknown location', { venue: { name: 'Park', country: 'GB-ENG' } }],
  ];
  for (const [name, fields] of WITHOUT) {
    it(`removes the weather from a match that ${name}`, async () => {
      const id = await match();
      await fetchAll();
      assert.notEqual(await weatherOf(id), null);
      await bench.accept(fields);
      later(HOURS);
      assert.equal((await fetchAll()).length, 0);
      assert.equal(await weatherOf(id), null);
      assert.ok(!(await bench.card(id)).meta.sources.some((source) => source.includes('Open-Meteo')));
    });
  }

  const UNKNOWN: [name: string, fields: MatchFields][] = [
    ['without a ground', {}],
    ['at a ground without coordinates', { venue: { name: 'Park', city: 'Nowhere', country: 'GB-ENG' } }],
    ['at 0, 0', { venue: { ...OLD_TRAFFORD, name: 'Zero', city: 'Null', latitude: 0, longitude: 0 } }],
    ['without a known hour', { venue: OLD_TRAFFORD, time_tbd: true }],
    ['of next month', { venue: OLD_TRAFFORD, scheduled_start: '2024-06-01T12:00:00Z' }],
    [
      'before the archive begins',
      { venue: OLD_TRAFFORD, scheduled_start: '1939-12-31T23:00:00Z', status: 'finished', score: { home: 1, away: 1 } },
    ],
  ];
  for (const [name, fields] of UNKNOWN) {
    it(`makes no request for a match ${name}`, async () => {
      const id = await bench.accept(fields);
      assert.equal((await fetchAll()).length, 0);
      assert.equal(await weatherOf(id), null);
    });
  }

  it('makes no request for impossible coordinates', async () => {
    const id = await match({ venue: { ...OLD_TRAFFORD, name: 'Nowhere Park', city: 'Nowhere' } });
    await bench.db.pool.query("UPDATE venue SET latitude = 91 WHERE name = 'Nowhere Park'");
    assert.equal((await fetchAll()).length, 0);
    await bench.db.pool.query("UPDATE venue SET latitude = 'NaN' WHERE name = 'Nowhere Park'");
    later(MINUTE);
    assert.equal((await fetchAll()).length, 0);
    assert.equal(await weatherOf(id), null);
  });

  it('uses another ground in the city if a ground has no coordinates', async () => {
    await bench.accept({ venue: OLD_TRAFFORD });
    bench.nextMatch();
    const id = await bench.accept({ venue: { name: 'Etihad Stadium', city: 'Manchester', country: 'GB-ENG' } });
    assert.equal((await fetchAll()).length, 1);
    assert.equal((await weatherOf(id))!.stadium, 'Etihad Stadium');
  });

  it('gives demo matches no real weather', async () => {
    await match();
    await bench.db.pool.query('UPDATE tournament SET demo = true');
    assert.equal((await fetchAll()).length, 0);
    await bench.db.pool.query('UPDATE tournament SET demo = false');
  });

  it('is not needed for weather from a feed, which replaces fetched weather even if the feed’s update is older', async () => {
    const id = await match();
    await fetchAll();
    const { weather } = FOOTBALL_GIVEN;
    bench.now -= 30 * MINUTE;
    await match({ weather });
    bench.now += 30 * MINUTE;
    assert.deepEqual(await weatherOf(id), weather);
    later(HOURS);
    assert.equal((await fetchAll()).length, 0);
    assert.deepEqual(await weatherOf(id), weather);
  });

  it('shows a ground under its new name once it is renamed', async () => {
    const id = await match();
    await fetchAll();
    await bench.db.pool.query("UPDATE venue SET name = 'Theatre of Dreams' WHERE name = 'Old Trafford'");
    later(MINUTE);
    await fetchAll();
    assert.equal((await weatherOf(id))!.stadium, 'Theatre of Dreams');
    await bench.db.pool.query("UPDATE venue SET name = 'Old Trafford' WHERE name = 'Theatre of Dreams'");
  });

  it('leaves a match without weather until the provider has the hour', async () => {
    const id = await match({ scheduled_start: '2024-05-01T16:00:00Z' });
    meteo.values = (hour) => (hour === '2024-05-01T16:00' ? undefined : HOUR);
    assert.equal((await fetchAll()).length, 1);
    assert.equal(await weatherOf(id), null);
    meteo.values = () => ({ temperature_2m: null, weather_code: null, cloud_cover: 30 });
    later(HOURS);
    assert.equal((await fetchAll()).length, 1);
    assert.equal(await weatherOf(id), null);
    meteo.values = () => ({ ...HOUR, weather_code: 42, precipitation: null });
    later(HOURS);
    await fetchAll();
    const { conditions_i18n: _, ...rest } = shown({
      weather_code: 42,
      conditions: null,
      precipitation_mm: null,
      observed_hour_utc: '2024-05-01T16:00',
    });
    assert.deepEqual(await weatherOf(id), rest);
    // Known weather is not removed while the provider has none.
    meteo.values = () => undefined;
    bench.now = Date.parse('2024-05-01T16:00:00Z');
    assert.equal((await fetchAll()).length, 1);
    assert.deepEqual(await weatherOf(id), rest);
  });

  it('has a daily budget for all processes together, which starts anew on the next day', async () => {
    await match();
    bench.nextMatch();
    const second = await match({ venue: { ...OLD_TRAFFORD, name: 'Anfield', city: 'Liverpool', latitude: 53.43 } });
    await lead(1);
    assert.equal((await fetchAll()).length, 1);
    assert.equal(await metric('touchline_weather_budget_left'), 0);
    await lead(1);
    assert.equal((await fetchAll()).length, 0);
    assert.equal(await weatherOf(second), null);
    assert.ok((await metric('touchline_weather_waiting')) > 0);
    bench.now = Date.parse('2024-05-02T00:00:00Z');
    await lead(1);
    assert.equal((await fetchAll()).length, 1);
  });

  it('leaves half the budget to forecasts when it serves finished matches', async () => {
    for (const month of ['01', '02', '03', '04']) {
      await match({ scheduled_start: `2023-${month}-01T15:00:00Z`, status: 'finished', score: { home: 0, away: 0 } });
      bench.nextMatch();
    }
    await lead(4);
    assert.deepEqual(
      (await fetchAll()).map(({ searchParams }) => searchParams.get('start_date')),
      ['2023-04-01', '2023-03-01'],
    );
    assert.equal(await metric('touchline_weather_archive_waiting'), 4);
    await match();
    later(MINUTE);
    assert.equal((await fetchAll()).length, 1);
  });

  it('pauses in all processes after an outage, and logs the outage and its end once', async () => {
    const id = await match();
    meteo.answer = (_, response) => response.writeHead(500).end();
    assert.equal((await fetchAll()).length, 1);
    later(30_000);
    await lead();
    assert.equal((await fetchAll()).length, 0);
    for (const pause of [MINUTE, 3 * MINUTE]) {
      later(pause);
      assert.equal((await fetchAll()).length, 1);
    }
    assert.deepEqual(logged, [
      'info: the weather source did not answer as expected, will ask again later status 500',
      'info: the weather source did not answer as expected, will ask again later status 500',
    ]);
    logged.length = 0;
    assert.equal(await metric('touchline_weather_requests_total\\{outcome="unreachable"\\}'), 2);
    meteo.answer = null;
    later(10 * MINUTE);
    await fetchAll();
    assert.deepEqual(logged, ['info: the weather source answers again']);
    assert.notEqual(await weatherOf(id), null);
    assert.equal(await metric('touchline_weather_waiting'), 1);
    later(MINUTE);
    await fetchAll();
    assert.deepEqual(
      [await metric('touchline_weather_waiting'), await metric('touchline_weather_lag_seconds')],
      [0, 0],
    );
  });

  it('respects Retry-After', async () => {
    await match();
    meteo.answer = (_, response) => response.writeHead(429, { 'Retry-After': '7200' }).end();
    await fetchAll();
    meteo.answer = null;
    later(2 * HOURS - MINUTE);
    assert.equal((await fetchAll()).length, 0);
    later(2 * MINUTE);
    assert.equal((await fetchAll()).length, 1);
  });

  it('changes no data, and logs a warning, if the reply is HTML with status 200 or has unknown units', async () => {
    const id = await match();
    await fetchAll();
    const before = await bench.footprint(id);
    meteo.answer = (_, response) => response.end('<html>');
    later(HOURS);
    await fetchAll();
    assert.deepEqual(await bench.footprint(id), before);
    assert.deepEqual(logged, [
      'warn: the weather source did not answer as expected, will ask again later reply: not JSON, begins with "<html>"',
    ]);
  });

  it('continues if one place is refused', async () => {
    const refused = await match({ venue: { ...OLD_TRAFFORD, name: 'Anfield', city: 'Liverpool', latitude: 53.43 } });
    bench.nextMatch();
    const id = await match({ scheduled_start: '2024-05-01T15:00:00Z' });
    meteo.answer = (request, response) => {
      meteo.answer = null;
      assert.match(request.url!, /53\.43/);
      response.writeHead(400).end('{"error":true,"reason":"not here"}');
    };
    assert.equal((await fetchAll()).length, 1);
    assert.equal((await fetchAll()).length, 1);
    assert.deepEqual([await weatherOf(refused), (await weatherOf(id))?.is_forecast], [null, true]);
    assert.deepEqual(logged, [
      'warn: the weather source did not answer as expected, will ask again later status 400: not here',
      'info: the weather source answers again',
    ]);
  });

  it('writes no data in a process without the lease', async () => {
    const id = await match();
    const former = fetcher;
    meteo.answer = async (request, response) => {
      await bench.db.pool.query("UPDATE weather_fetcher SET expires_at = '-infinity'");
      await weatherLease.take(bench.db.pool, 'another');
      meteo.answer = null;
      const again = await fetch(meteo.url + request.url);
      response.end(await again.text());
    };
    await assert.rejects(former.step(), LeaseLost);
    await assert.rejects(former.step(), LeaseLost);
    assert.equal(await weatherOf(id), null);
  });

  it('is done by one of two processes, the second one continues when the first stops, and no match is requested twice', async () => {
    const id = await match();
    bench.now = Date.now();
    await bench.db.pool.query(
      "UPDATE match SET scheduled_start = now() + interval '3 days'; UPDATE weather_fetcher SET expires_at = '-infinity'",
    );
    const config = {
      weatherUrl: meteo.url,
      weatherArchiveUrl: undefined,
      weatherApiKey: undefined,
      weatherDailyRequests: 10,
    };
    const start = () => startTestJob(weather, { ...bench.deps, config });
    const stops = [start(), start()];
    await until('the match has weather', async () => (await weatherOf(id)) !== null);
    assert.equal(meteo.asked.length, 1);
    await Promise.all(stops.map((job) => job.stop()));
    const { rows } = await bench.db.pool.query(
      'SELECT holder, (SELECT sum(requests)::int FROM source_budget) AS requests FROM weather_fetcher',
    );
    assert.deepEqual(rows, [{ holder: null, requests: 1 }]);
  });

  it('stops while the service runs with a clock set to another time, because forecasts are for the real date', async () => {
    await match();
    const config = {
      weatherUrl: meteo.url,
      weatherArchiveUrl: undefined,
      weatherApiKey: undefined,
      weatherDailyRequests: 10,
    };
    const context = { ...bench.deps, config } as unknown as Parameters<typeof weather.open>[0];
    assert.equal(weather.open({ ...context, clock: { now: () => bench.now, isSet: true } }), null);
  });

  it('does not block a match in progress, is not blocked by that match, and loses no change', async () => {
    const id = await match();
    meteo.values = () => ({ ...HOUR, temperature_2m: 1 });
    await Promise.all([
      fetchAll(),
      (async () => {
        for (let minute = 1; minute <= 20; minute += 1) await match({ status: 'live', minute });
      })(),
    ]);
    const card = await bench.card(id);
    assert.deepEqual([card.minute, card.weather?.temperature_c], [20, 1]);
    assert.deepEqual(types(await bench.events()).slice(0, 2), ['match.created', 'match.started']);
  });
});
