import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readConfig } from '../../src/config/config.ts';
import { requestJson } from '../../src/sources/request.ts';
import { SourceError } from '../../src/sources/source-error.ts';
import { inLanguage } from '../../src/weather/block.ts';
import { openMeteoOptions, weatherVariables } from '../../src/weather/config.ts';
import { buildUrl, isKnown, readReply } from '../../src/weather/open-meteo.ts';
import type { WeatherRequest } from '../../src/weather/requests.ts';
import { HOUR, type OpenMeteo, replyTo, startOpenMeteo } from '../support/open-meteo.ts';

const RECORDED = new URL('../../../shared/datasets/providers/open-meteo/historical_weather.json.gz', import.meta.url);
const REQUEST: WeatherRequest = {
  source: 'forecast',
  latitude: 51.56,
  longitude: -0.11,
  from: '2026-03-01',
  to: '2026-03-02',
  targets: [],
};
const options = { forecastUrl: 'https://weather.example', archiveUrl: 'https://archive.example/sub' };
const at = (hour: string) => Date.parse(`${hour}:00Z`);

type Reply = {
  latitude: number;
  longitude: number;
  utc_offset_seconds: number;
  hourly_units: Record<string, string>;
  hourly: Record<string, unknown[]>;
};
const reply = (change: (reply: Reply) => unknown = () => {}): Reply => {
  const body = replyTo(buildUrl(REQUEST, options).searchParams, () => HOUR) as Reply;
  change(body);
  return body;
};
const withHourly = (columns: Record<string, unknown[]>): Reply => {
  const body = reply();
  return { ...body, hourly: { ...body.hourly, ...columns } };
};
const misunderstood = (text: RegExp) => (error: unknown) =>
  error instanceof SourceError && error.kind === 'misunderstood' && text.test(error.message);

describe('the reader for Open-Meteo', () => {
  it('names place, days, variables and units in a request', () => {
    assert.equal(
      buildUrl({ ...REQUEST, source: 'archive' }, { ...options, apiKey: 'a key' }).href,
      'https://archive.example/sub/v1/archive?latitude=51.56&longitude=-0.11&hourly=temperature_2m%2Capparent_temperature%2Cwind_speed_10m%2Cwind_gusts_10m%2Cprecipitation%2Crelative_humidity_2m%2Ccloud_cover%2Cweather_code&wind_speed_unit=ms&timezone=UTC&start_date=2026-03-01&end_date=2026-03-02&apikey=a+key',
    );
    assert.match(
      buildUrl(REQUEST, options).href,
      /^https:\/\/weather\.example\/v1\/forecast\?.*precipitation_probability/,
    );
  });

  it('reads a reply hour by hour', () => {
    const hours = readReply(reply(), REQUEST);
    assert.equal(hours.size, 48);
    assert.deepEqual(hours.get(at('2026-03-01T15:00')), {
      temperature_c: 18.4,
      feels_like_c: 17.1,
      wind_speed_ms: 4.2,
      wind_gusts_ms: 9.1,
      precipitation_mm: 0.3,
      precipitation_prob_pct: 35,
      humidity_pct: 61,
      cloud_cover_pct: 75,
      weather_code: 61,
    });
  });

  it('reads hours in another time zone by the offset that the reply names', () => {
    const hours = readReply({ ...reply(), utc_offset_seconds: 7_200 }, REQUEST);
    assert.ok(hours.has(at('2026-02-28T22:00')));
    assert.ok(!hours.has(at('2026-03-02T23:00')));
  });

  it('reads a reply from the service, in the service’s units and time zone', function () {
    if (!existsSync(RECORDED)) {
      console.log('        SKIPPED: ../shared/datasets is not there');
      this.skip();
    }
    const body = JSON.parse(gunzipSync(readFileSync(RECORDED)).toString('utf8'));
    const hours = readReply(body, { ...REQUEST, latitude: 52.27, longitude: 6.83 });
    // The reply's first hour is 1953-01-31 00:00 in Amsterdam.
    const first = hours.get(at('1953-01-30T22:00'))!;
    assert.deepEqual([hours.size, first.temperature_c, first.wind_speed_ms, first.weather_code], [3, 5.8, 6.4, null]);
    assert.ok(isKnown(first));
  });

  it('converts known units and refuses unknown ones', () => {
    const converted = (variable: string, unit: string, value: number) => {
      const body = reply(({ hourly_units, hourly }) => {
        hourly_units[variable] = unit;
        hourly[variable]!.fill(value);
      });
      return readReply(body, REQUEST).get(at('2026-03-01T15:00'))!;
    };
    assert.equal(converted('temperature_2m', '°F', 68).temperature_c, 20);
    assert.equal(converted('wind_speed_10m', 'km/h', 36).wind_speed_ms, 10);
    assert.equal(converted('wind_speed_10m', 'mp/h', 10).wind_speed_ms, 4.5);
    assert.equal(converted('wind_gusts_10m', 'kn', 10).wind_gusts_ms, 5.1);
    assert.equal(converted('precipitation', 'inch', 1).precipitation_mm, 25.4);
    assert.throws(() => converted('temperature_2m', 'K', 291), misunderstood(/temperature_2m is in K/));
    assert.throws(() => converted('temperature_2m', 'toString', 291), misunderstood(/is in toString/));
    assert.throws(
      () =>
        readReply(
          reply(({ hourly_units }) => delete hourly_units.wind_speed_10m),
          REQUEST,
        ),
      misunderstood(/wind_speed_10m is in no unit/),
    );
  });

  it('refuses a reply that does not answer the request', () => {
    const bodies: [unknown, RegExp][] = [
      [null, /the whole/],
      [[], /the whole/],
      [{ error: true, reason: 'no' }, /latitude/],
      [{ ...reply(), latitude: 40 }, /is for the place 40, -0\.1/],
      [{ ...reply(), longitude: 170 }, /is for the place/],
      [reply(({ hourly }) => hourly.temperature_2m!.pop()), /47 values of temperature_2m in 48 hours/],
      [withHourly({ time: [1, 2] }), /hourly\.time/],
      [withHourly({ time: ['2026-03-01T00:00Z'] }), /hourly\.time/],
      [withHourly({ time: Array(2_000).fill('2026-03-01T00:00') }), /2000 hours/],
      [{ ...reply(), hourly: 'x' }, /hourly/],
    ];
    for (const [body, text] of bodies) assert.throws(() => readReply(body, REQUEST), misunderstood(text));
    const beside = { ...REQUEST, longitude: 179.98 };
    assert.equal(readReply({ ...reply(), longitude: -179.9 }, beside).size, 48);
  });

  it('leaves out null, absent, text or impossible values', () => {
    const hours = readReply(
      reply(({ hourly }) => {
        hourly.temperature_2m!.fill(null);
        hourly.precipitation!.fill(-3);
        hourly.cloud_cover!.fill(140);
        delete hourly.relative_humidity_2m;
        hourly.weather_code = hourly.weather_code!.map(() => 'rain');
      }),
      REQUEST,
    );
    const hour = hours.get(at('2026-03-01T15:00'));
    assert.deepEqual(
      [hour!.temperature_c, hour!.precipitation_mm, hour!.cloud_cover_pct, hour!.humidity_pct, hour!.weather_code],
      [null, null, null, null, null],
    );
    assert.equal(isKnown(hour), false);
    assert.equal(isKnown(hours.get(at('2026-03-03T15:00'))), false);
  });

  it('gives conditions in the requested language, if the language is known', () => {
    const block = { weather_code: 95, conditions: 'Storm' } as Parameters<typeof inLanguage>[0];
    assert.equal(inLanguage(block, 'ru').conditions, 'Гроза');
    assert.equal(inLanguage({ ...block, conditions_i18n: { en: 'Storm', ru: 'Шторм' } }, 'ru').conditions, 'Шторм');
    assert.equal(inLanguage({ ...block, weather_code: 42 }, 'ru').conditions, 'Storm');
    assert.equal(inLanguage({ ...block, weather_code: null, conditions: null }, 'ru').conditions, null);
  });

  it('forms addresses from the configured variables', () => {
    const of = (env: Record<string, string>) => openMeteoOptions(readConfig(env, weatherVariables));
    const free = ['https://api.open-meteo.com', 'https://archive-api.open-meteo.com', undefined];
    const cases: [Record<string, string>, (string | undefined)[] | null][] = [
      [{}, free],
      [{ WEATHER_URL: '' }, free],
      [{ WEATHER_URL: 'off' }, null],
      [{ WEATHER_URL: 'http://meteo:8080/' }, ['http://meteo:8080', 'http://meteo:8080', undefined]],
      [{ WEATHER_URL: 'http://a', WEATHER_ARCHIVE_URL: 'http://b' }, ['http://a', 'http://b', undefined]],
      [
        { WEATHER_API_KEY: 'k' },
        ['https://customer-api.open-meteo.com', 'https://customer-archive-api.open-meteo.com', 'k'],
      ],
    ];
    for (const [env, expected] of cases) {
      const found = of(env);
      assert.deepEqual(found && [found.forecastUrl, found.archiveUrl, found.apiKey], expected);
    }
    for (const [name, value] of [
      ['WEATHER_URL', 'Off'],
      ['WEATHER_URL', 'ftp://a'],
      ['WEATHER_DAILY_REQUESTS', '0'],
    ])
      assert.throws(() => of({ [name!]: value! }), /WEATHER_/);
  });
});

describe('a request for weather', () => {
  let meteo: OpenMeteo;
  before(async () => {
    meteo = await startOpenMeteo();
  });
  after(() => meteo.close());

  const ask = (timeoutMs = 5_000, stopped = new AbortController().signal) =>
    requestJson(buildUrl(REQUEST, { forecastUrl: meteo.url, archiveUrl: meteo.url, apiKey: 'secret-key' }), {
      stopped,
      timeoutMs,
    });

  it('returns the JSON from the reply', async () => {
    assert.equal(readReply((await ask())!.json, REQUEST).size, 48);
  });

  const faults: [
    name: string,
    answer: OpenMeteo['answer'],
    kind: SourceError['kind'],
    text: RegExp,
    retryAfter?: number,
  ][] = [
    ['that hangs', () => {}, 'unreachable', /no answer within 0\.2 s/],
    [
      'whose body hangs',
      (_, response) => void response.write('{"latitude":'),
      'unreachable',
      /no answer within 0\.2 s/,
    ],
    ['that is cut', (_, response) => void response.write('{', () => response.destroy()), 'unreachable', /no answer/],
    ['with status 500', (_, response) => response.writeHead(500).end('oops'), 'unreachable', /^status 500$/],
    [
      'with status 429',
      (_, response) => response.writeHead(429, { 'Retry-After': '120' }).end('{"error":true,"reason":"Daily limit"}'),
      'unreachable',
      /^status 429: Daily limit$/,
      120_000,
    ],
    [
      'with a bad Retry-After',
      (_, response) => response.writeHead(503, { 'Retry-After': 'soon' }).end(),
      'unreachable',
      /503/,
    ],
    [
      'of HTML',
      (_, response) => response.end('<html>Sign in</html>'),
      'misunderstood',
      /not JSON, begins with "<html>Sign/,
    ],
    ['that is empty', (_, response) => response.end(), 'misunderstood', /not JSON/],
    ['of 10 MB', (_, response) => response.end(' '.repeat(10_485_760)), 'misunderstood', /more than 1048576 bytes/],
    [
      'that redirects',
      (_, response) => response.writeHead(302, { Location: '/' }).end(),
      'misunderstood',
      /status 302/,
    ],
    ['with status 401', (_, response) => response.writeHead(401).end(), 'misunderstood', /status 401/],
    [
      'with status 400',
      (_, response) => response.writeHead(400).end('{"reason":"out of range"}'),
      'refused',
      /400: out of range/,
    ],
  ];
  for (const [name, answer, kind, text, retryAfter = null] of faults) {
    it(`fails on a reply ${name}`, async () => {
      meteo.answer = answer;
      const asked = meteo.asked.length;
      await assert.rejects(ask(name.includes('hangs') ? 200 : 5_000), (error) => {
        assert.ok(error instanceof SourceError);
        assert.deepEqual([error.kind, error.retryAfterMs], [kind, retryAfter]);
        assert.match(error.message, text);
        assert.doesNotMatch(error.message, /secret-key/);
        return true;
      });
      assert.equal(meteo.asked.length, asked + 1);
      meteo.answer = null;
    });
  }

  it('fails if nothing listens, but not when the process stops', async () => {
    const gone = await startOpenMeteo();
    await gone.close();
    const url = buildUrl(REQUEST, { forecastUrl: gone.url, archiveUrl: gone.url, apiKey: 'secret-key' });
    await assert.rejects(requestJson(url, { stopped: new AbortController().signal }), (error) => {
      return error instanceof SourceError && error.message === 'no answer: ECONNREFUSED';
    });
    meteo.answer = () => {};
    await assert.rejects(ask(5_000, AbortSignal.timeout(50)), (error) => !(error instanceof SourceError));
    meteo.answer = null;
  });
});
