import assert from 'node:assert/strict';
import { backtestLive } from '../../src/analytics/backtest/live-backtest.ts';
import { storeModelReport } from '../../src/analytics/backtest/stored-reports.ts';
import { readMeasured } from '../../src/analytics/fit/read-measured.ts';
import { storedMatches } from '../../src/analytics/history/stored-matches.ts';
import type { MatchProbabilitiesReply } from '../../src/analytics/live/schema.ts';
import { type Analytics, startAnalytics } from '../support/analytics.ts';
import { apiBench, match } from './api-bench.ts';

const goal = (id: string, side: 'home' | 'away', minute: number) => ({ id, kind: 'goal' as const, side, minute });
const live = (home: number, away: number, minute: number) =>
  ({ status: 'live', status_detail: 'in_play', minute, score: { home, away } }) as const;

describe('probabilities over REST', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics();
  });
  after(() => service?.close());
  beforeEach(() => service.clear());

  const { load, get } = apiBench(() => service);
  const probabilities = (id: number) => get<MatchProbabilitiesReply>(`/v1/event/${id}/probabilities`);

  it('come from matches on earlier days, and change with the match', async () => {
    const past = ['01', '08', '15', '22'].flatMap((day) => [
      match('Real', `2024-03-${day}`, 'A', 'B', [3, 0]),
      match('Real', `2024-03-${day}`, 'C', 'D', [1, 1]),
    ]);
    const next = match('Real', '2024-05-01', 'A', 'B');
    const ids = await load(...past, next);
    const id = ids.at(-1)!;
    const before = await probabilities(id);
    assert.equal(before.rates?.basis, 'model');
    assert.ok(before.rates.home > before.rates.away + 0.3);
    assert.deepEqual(before.timeline, [
      { minute: 0, minute_plus: null, reason: 'start', home_score: 0, away_score: 0, ...before.current! },
    ]);
    assert.equal(before.advance, null);
    await load({ ...next, ...live(0, 1, 60), incidents: [goal('g', 'away', 31)] });
    const after = await probabilities(id);
    assert.deepEqual(after.rates && { ...after.rates, computed_at: '' }, { ...before.rates, computed_at: '' });
    assert.ok(after.current!.awayWin > before.current!.awayWin + 30);
    assert.deepEqual(after.timeline[0], before.timeline[0]);
    assert.deepEqual(
      after.timeline.filter(({ reason }) => reason !== 'minute').map(({ reason, minute }) => [reason, minute]),
      [
        ['start', 0],
        ['goal', 31],
        ['period', 45],
        ['now', 60],
      ],
    );
    // A result on the same day does not change the forecast.
    await load(match('Real', '2024-05-01', 'C', 'A', [0, 9]));
    assert.deepEqual((await probabilities(id)).rates && { ...(await probabilities(id)).rates, computed_at: '' }, {
      ...before.rates,
      computed_at: '',
    });
  });

  it('of Twenty20 cricket follow each ball of a live feed, on the card and in the timeline', async () => {
    const next = { ...match('Overs', '2024-05-01', 'A', 'B'), sport: 'cricket' };
    const [id] = await load(next);
    assert.deepEqual((await probabilities(id!)).innings_timeline, []);
    const delivery = { runs: 1 };
    const card = {
      balls_per_over: 6,
      all_out: false,
      declared: false,
      forfeited: false,
      batters: [],
      bowlers: [],
      fall_of_wickets: [],
    };
    const extras = { byes: 0, leg_byes: 0, wides: 0, no_balls: 0, penalty: 0 };
    const first = {
      ...card,
      period: 'I1',
      batting: 'home' as const,
      runs: 150,
      wickets: 4,
      overs: '20',
      max_overs: '20',
      target: null,
      extras,
      by_over: Array.from({ length: 20 }, () => ({ runs: 7.5 * 1, wickets: 0 })).map((over, index) => ({
        ...over,
        runs: index % 2 ? 8 : 7,
      })),
    };
    const chase = (deliveries: { runs: number; wickets?: number }[]) => {
      const runs = deliveries.reduce((sum, one) => sum + one.runs, 0);
      const wickets = deliveries.filter((one) => one.wickets).length;
      return {
        ...next,
        status: 'live' as const,
        status_detail: 'in_play' as const,
        score: { home: 150, away: runs },
        innings: [
          first,
          {
            ...first,
            period: 'I2',
            batting: 'away' as const,
            runs,
            wickets,
            overs: `0.${deliveries.length}`,
            target: { runs: 151, overs: '20', method: null },
            by_over: [{ runs, wickets, deliveries }],
          },
        ],
      };
    };
    const block = async () =>
      (await get<{ win_probability?: { homeWin: number; draw: number; awayWin: number } }>(`/v1/event/${id}`))
        .win_probability;
    await load(chase([delivery]));
    const one = await probabilities(id!);
    assert.deepEqual(await block(), one.current);
    assert.equal(one.innings_timeline!.at(-1)!.reason, 'now');
    await load(chase([delivery, { runs: 0, wickets: 1 }]));
    const two = await probabilities(id!);
    assert.ok(two.current!.homeWin > one.current!.homeWin + 1, JSON.stringify([one.current, two.current]));
    assert.deepEqual(two.innings_timeline!.slice(0, -2), one.innings_timeline!.slice(0, -1));
    assert.deepEqual(
      two.innings_timeline!.slice(-4).map(({ period, overs, reason }) => `${period} ${overs} ${reason}`),
      ['I2 0 innings', 'I2 0.1 ball', 'I2 0.2 wicket', 'I2 0.2 now'],
    );
    assert.deepEqual(await block(), two.current);
    await load({ ...chase([delivery, { runs: 0, wickets: 1 }]), status: 'finished', status_detail: 'abandoned' });
    assert.equal((await probabilities(id!)).current, null);
    assert.equal(await block(), undefined);
  });

  it('come from football averages if no earlier match exists', async () => {
    const [id] = await load(match('Fresh', '2024-05-01', 'A', 'B'));
    const { rates, current } = await probabilities(id!);
    assert.deepEqual([rates?.basis, rates?.home, rates?.away], ['average', 1.568, 1.162]);
    assert.ok(current!.homeWin > current!.awayWin);
    assert.equal(Math.round(10 * (current!.homeWin + current!.draw + current!.awayWin)), 1_000);
  });

  it('take the first leg’s lead and extra time into account in a two-leg tie', async () => {
    await service.tournaments({
      name: 'Legs',
      country: 'GB-ENG',
      sport: 'football',
      rules: { table: false, ties: { format: 'legs' } },
    } as never);
    const round = (over: object) => ({ round_name: 'Semi-finals', ...over });
    const first = match('Legs', '2024-04-24', 'A', 'B', [2, 0], round({}));
    const second = match('Legs', '2024-05-01', 'B', 'A', undefined, round({}));
    const [firstId, secondId] = await load(first, second);
    const tie = await probabilities(secondId!);
    assert.ok(tie.advance!.away > 85, JSON.stringify(tie.advance));
    assert.equal((await probabilities(firstId!)).advance, null);
    await load({
      ...second,
      status: 'live',
      status_detail: 'extra_time',
      minute: 118,
      score: { home: 3, away: 0 },
      incidents: [goal('a', 'home', 5), goal('b', 'home', 80), { ...goal('c', 'home', 101), period: 'ET' }],
    });
    const late = await probabilities(secondId!);
    assert.ok(late.advance!.home > 95, JSON.stringify(late.advance));
    assert.ok(late.current!.homeWin > 99);
  });

  it('include the chance to win the cup if the match is a final', async () => {
    await service.tournaments({
      name: 'Cup',
      country: 'GB-ENG',
      sport: 'football',
      rules: { table: false, ties: { format: 'single' } },
    } as never);
    const final = match('Cup', '2024-05-01', 'A', 'B', undefined, { round_name: 'Final' });
    const [id] = await load(final);
    const { advance, current } = await probabilities(id!);
    assert.ok(advance!.home > current!.homeWin && advance!.home + advance!.away === 100);
  });

  it('are null in a sport without a model, and the reply is 404 for an unknown match', async () => {
    const [id] = await load(match('Ice', '2024-05-01', 'A', 'B', [3, 2], { sport: 'ice-hockey' }));
    const { current, advance, rates, timeline } = await probabilities(id!);
    assert.deepEqual(
      { current, advance, rates, timeline },
      { current: null, advance: null, rates: null, timeline: [] },
    );
    const { status } = await service.app.ask('/v1/event/999999/probabilities');
    assert.equal(status, 404);
  });

  it('are null for an abandoned match, and show the result once a match has finished', async () => {
    const [gone, over] = await load(
      match('Ends', '2024-05-01', 'A', 'B', [1, 0], { status_detail: 'abandoned' }),
      match('Ends', '2024-05-02', 'A', 'B', [1, 0]),
    );
    assert.equal((await probabilities(gone!)).current, null);
    assert.deepEqual((await probabilities(gone!)).timeline, []);
    assert.deepEqual((await probabilities(over!)).current, { homeWin: 100, draw: 0, awayWin: 0 });
    assert.equal((await probabilities(over!)).timeline.at(-1)!.reason, 'end');
  });

  it('are measured by a backtest on stored matches and incidents', async () => {
    const yellow = {
      id: 'y',
      kind: 'card' as const,
      side: 'home' as const,
      minute: 9,
      payload: { card_type: 'yellow' },
    };
    const past = (day: string, incidents: object[]) =>
      match('Past', day, 'A', 'B', [1, 0], { incidents } as Partial<Parameters<typeof load>[0]>);
    await load(past('2024-03-01', [goal('g', 'home', 5), yellow]), past('2024-03-02', [goal('g', 'home', 6)]));
    const source = storedMatches(service.db.pool);
    const period = { from: Date.parse('2024-01-01') / 1000, to: Number.POSITIVE_INFINITY };
    const [tournament, ...others] = await readMeasured(source, undefined, period);
    assert.deepEqual([tournament?.name, others.length], ['Past', 0]);
    assert.deepEqual(
      tournament!.matches.map(({ turns }) => turns),
      [[{ kind: 'goal', side: 'home', minute: 5 }]],
    );
    assert.deepEqual(
      await readMeasured(source, undefined, { from: Date.parse('2024-04-01') / 1000, to: period.to }),
      [],
    );
    await assert.rejects(readMeasured(source, [999_999], period), /no tournament 999999/);
  });

  it('are shown on /docs/models with their forecast scores and a picture', async () => {
    const page = async (lang: string) => (await service.app.ask(`/docs/models?lang=${lang}`)).text;
    const picture = () => service.app.ask('/docs/models/live/calibration.svg');
    assert.match(await page('en'), /touchline backtest --live<\/code> predicts/);
    assert.equal((await picture()).status, 404);
    const turns = [{ kind: 'goal', side: 'home', minute: 5 } as const];
    const one = { id: 1, name: 'One', matches: [{ start: 1e9, rates: { home: 1.5, away: 1 }, turns }] };
    await storeModelReport(service.db.pool, 'live', backtestLive([one]), service.now);
    assert.match(await page('en'), /Forecasts during the match[\s\S]*<th scope="row">85<\/th>/);
    assert.match(await page('ru'), /Прогнозы во время матча[\s\S]*<th scope="row">45<\/th>/);
    const { status, text } = await picture();
    assert.equal(status, 200);
    assert.match(text, /Minute 75/);
  });
});
