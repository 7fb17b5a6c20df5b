/** The odds and channels of a day's matches over REST. */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { routes } from '../../src/matches/routes.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';
import { startApp, type TestApp, testConfig } from '../support/http.ts';

interface Day {
  date: string;
  count: number;
  total: number;
  events: { id: number; odds?: { choice_name: string; bookmaker: string }[]; tv_channels?: object }[];
}

const price = (market_group: string, choice_name: string, bookmaker: string, decimal_value: number) => ({
  market_group,
  market_name: `${market_group} market`,
  choice_name,
  bookmaker,
  decimal_value,
});

describe("a day's odds and channels", () => {
  let bench: FeedBench;
  let app: TestApp;
  const ids: number[] = [];

  before(async () => {
    bench = await openFeedBench();
    const at = (scheduled_start: string, more: object) => {
      bench.nextMatch();
      return bench.accept({ scheduled_start, ...more });
    };
    const winner = [price('1X2', '1', 'Ada & Co', 2), price('1X2', '2', 'Bob "Odds"', 3)];
    ids.push(
      await at('2026-05-02T23:30:00Z', { odds: winner, tv_channels: { GB: [7], 'GB-SCT': [1] } }),
      await at('2026-05-02T12:00:00Z', { odds: [price('Goals', 'Over', 'Ada & Co', 1.9)], tv_channels: { FR: [2] } }),
      await at('2026-05-02T12:00:00Z', { odds: [], tv_channels: {} }),
      await at('2026-05-02T12:00:00Z', { sport: 'tennis', odds: winner }),
      await at('2026-05-03T12:00:00Z', { odds: winner, tv_channels: { GB: [9] } }),
    );
    const clock = { now: () => Date.now() };
    const deps = { config: testConfig, clock, logger: pino({ level: 'silent' }), pool: bench.db.pool };
    app = await startApp(routes as never[], deps as never);
  });
  after(async () => {
    await app.close();
    await bench.db.drop();
  });

  async function read(path: string): Promise<Day> {
    const { status, json, text } = await app.ask<Day>(path);
    assert.equal(status, 200, text);
    assert.equal(json.count, json.events.length);
    return json;
  }
  const idsIn = async (path: string) => (await read(path)).events.map(({ id }) => id);

  it('lists matches with odds by start, each as on its card', async () => {
    const { date, total, events } = await read('/v1/odds?date=2026-05-02');
    assert.deepEqual([date, total], ['2026-05-02', 3]);
    assert.deepEqual(
      events.map(({ id }) => id),
      [ids[1], ids[3], ids[0]],
    );
    for (const { id, ...item } of events) {
      const card = (await bench.card(id)) as Record<string, unknown>;
      for (const [name, value] of Object.entries(item)) assert.deepEqual(value, card[name], name);
      assert.ok('participants' in item && 'odds' in item && !('tv_channels' in item));
    }
  });

  it('selects by market, bookmaker, sport, tournament and time zone', async () => {
    const [late, noon, , tennis, next] = ids;
    const { tournament_id } = await bench.card(late!);
    for (const [query, expected] of [
      ['market=1x2', [tennis, late]],
      ['market=goals%20MARKET', [noon]],
      ['bookmaker=bob%20"odds"', [tennis, late]],
      ['market=goals&bookmaker=bob%20"odds"', []],
      ['sport=football', [noon, late]],
      [`tournament=${tournament_id}`, [noon, late]],
      ['tz=Europe/London', [noon, tennis]],
      ['limit=1&offset=1', [tennis]],
      ['offset=10', []],
    ] as const)
      assert.deepEqual(await idsIn(`/v1/odds?date=2026-05-02&${query}`), expected, query);
    assert.deepEqual(await idsIn('/v1/odds?date=2026-05-03&tz=Europe/London&sport=football'), [late, next]);
    const { events } = await read('/v1/odds?date=2026-05-02&bookmaker=Ada%20%26%20Co&sport=football');
    assert.deepEqual(
      events.map(({ odds }) => odds!.map(({ choice_name }) => choice_name)),
      [['Over'], ['1']],
    );
  });

  it('lists the channels of a day, in all countries or in one', async () => {
    const [late, noon] = ids;
    const all = await read('/v1/tv?date=2026-05-02');
    assert.deepEqual(
      all.events.map(({ id, tv_channels }) => [id, tv_channels]),
      [
        [noon, { FR: [2] }],
        [late, { GB: [7], 'GB-SCT': [1] }],
      ],
    );
    const { total, events } = await read('/v1/tv?date=2026-05-02&country=GB');
    assert.deepEqual([total, events.map(({ id, tv_channels }) => [id, tv_channels])], [1, [[late, { GB: [7] }]]]);
    assert.deepEqual(await idsIn('/v1/tv?date=2026-05-02&country=DE'), []);
  });

  it('has a match without a time on the same day in every zone', async () => {
    bench.nextMatch();
    const id = await bench.accept({
      scheduled_start: '2026-06-10T00:00:00Z',
      time_tbd: true,
      odds: [price('1X2', '1', 'Ada & Co', 2)],
    });
    for (const zone of ['America/Los_Angeles', 'UTC', 'Pacific/Kiritimati']) {
      assert.deepEqual(await idsIn(`/v1/odds?date=2026-06-10&tz=${zone}`), [id], zone);
      for (const other of ['2026-06-09', '2026-06-11'])
        assert.deepEqual(await idsIn(`/v1/odds?date=${other}&tz=${zone}`), [], zone);
    }
  });

  it('refuses a missing or wrong day, zone, country and limit', async () => {
    for (const [path, parameter] of [
      ['/v1/odds', 'date'],
      ['/v1/odds?date=2026-02-30', 'date'],
      ['/v1/odds?date=yesterday', 'date'],
      ['/v1/odds?date=2026-05-02&tz=Mars/Base', 'tz'],
      ['/v1/odds?date=2026-05-02&market=', 'market'],
      ['/v1/odds?date=2026-05-02&limit=101', 'limit'],
      ['/v1/tv?date=2026-05-02&country=gb', 'country'],
      ['/v1/tv?date=2026-05-02&country=GB,FR', 'country'],
    ] as const) {
      const { status, json } = await app.ask<{ errors: { parameter: string }[] }>(path);
      assert.deepEqual([status, json.errors?.map((error) => error.parameter)], [422, [parameter]], path);
    }
  });
});
