import assert from 'node:assert/strict';
import { DISCLAIMERS } from '../../src/analytics/trends/disclaimers.ts';
import { type Analytics, emptyTables, type Match, startAnalytics } from '../support/analytics.ts';
import { until } from '../support/until.ts';
import { apiBench, match } from './api-bench.ts';

describe('analytics replies', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics();
  });
  after(() => service?.close());
  beforeEach(() => service.clear());
  const { load, league, card, trends, profile } = apiBench(() => service);

  const dayAfter = (first: string, days: number) =>
    new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10);
  /** Makes days with two matches each. A wins all its matches 3:0, and all other matches end 1:1. */
  const oneSided = (name: string, days: number): Match[] =>
    Array.from({ length: days }, (_, day) => {
      const on = dayAfter('2023-08-01', day);
      const others = ['B', 'C', 'D', 'E'];
      const [first, second, third] = others.map((_other, index) => others[(day + index) % 4]!);
      return [
        day % 2 === 0 ? match(name, on, 'A', first!, [3, 0]) : match(name, on, first!, 'A', [0, 3]),
        match(name, on, second!, third!, [1, 1]),
      ];
    }).flat();

  it('never use a history that is not fully loaded, even after ClickHouse was emptied', async () => {
    const [id] = await load(match('Late', '2024-01-01', 'A', 'B', [1, 0]));
    const path = `/v1/event/${id}/analytics?sample=all`;
    assert.equal((await service.app.ask(path)).status, 200);
    await emptyTables(service.clickhouse);
    service.killLoader();
    service.faults.before = ({ kind, text }) => {
      if (kind === 'insert' && text === 'played_match') throw new Error('not yet');
    };
    await assert.rejects(service.load());
    const { status, json, headers } = await service.app.ask(`${path}&explain=true`);
    assert.deepEqual([status, json.code], [503, 'unavailable']);
    assert.match(headers.get('retry-after')!, /^([5-9]|10)$/);
    service.faults.before = undefined;
    await service.load();
    assert.equal((await service.app.ask(`${path}&explain=true`)).status, 200);
  });

  it('have texts in English or Russian', async () => {
    const ids = await load(...oneSided('Words', 40), match('Words', '2023-12-01', 'A', 'B'));
    for (const [lang, words] of [
      ['en', /won|win/i],
      ['ru', /побед|выиграл/i],
    ] as const) {
      const { status, json, headers } = await service.app.ask<Awaited<ReturnType<typeof card>>>(
        `/v1/event/${ids.at(-1)}/analytics?lang=${lang}`,
      );
      assert.deepEqual([status, headers.get('content-language')], [200, lang]);
      assert.equal(json.disclaimer, DISCLAIMERS[lang]);
      assert.match(json.trends.map(({ label, detail }) => `${label} ${detail}`).join(), words);
      const side = await trends('Words A', `lang=${lang}`);
      assert.equal(side.disclaimer, DISCLAIMERS[lang]);
      assert.match(side.trends.map(({ label }) => label).join(), words);
    }
  });

  it('name each block’s matches with `explain`, and no matches without it', async () => {
    await league('Why');
    const ids = await load(...oneSided('Why', 40), match('Why', '2023-12-01', 'A', 'B'));
    const next = ids.at(-1)!;
    assert.doesNotMatch(JSON.stringify(await card(next)), /"explain"|event_ids/);
    assert.deepEqual(await card(next, 'explain=false'), await card(next));
    const explained = await card(next, 'explain=true');
    const { home, h2h, model, trends: shown } = explained;
    const ofA = ids
      .slice(0, -1)
      .filter((_, index) => index % 2 === 0)
      .reverse();
    assert.deepEqual(home.form.overall.explain, { event_ids: ofA, truncated: false });
    assert.deepEqual(home.form.last5.explain!.event_ids, ofA.slice(0, 5));
    assert.deepEqual(home.form.last10.explain!.event_ids, ofA.slice(0, 10));
    assert.deepEqual(
      [...home.form.home.explain!.event_ids, ...home.form.away.explain!.event_ids].sort((a, b) => b - a),
      ofA,
    );
    assert.equal(h2h.explain!.event_ids.length, h2h.matches);
    assert.equal(home.standing!.explain!.event_ids.length, 80);
    assert.equal(model!.explain!.event_ids.length, model!.sample.league_matches);
    assert.equal(model!.explain!.home_event_ids.length, model!.sample.home_matches);
    assert.equal(model!.explain!.away_event_ids.length, model!.sample.away_matches);
    assert.deepEqual(model!.explain!.league_averages, { home: 1.25, away: 1.25 });
    assert.ok(shown.length > 0);
    for (const { explain, side } of shown) {
      assert.equal(explain!.event_ids.length, explain!.matches);
      assert.ok(explain!.tail <= explain!.bound && explain!.count <= explain!.matches);
      assert.ok(['overall', side].includes(explain!.venue));
    }
    // Apart from the explanation, the explained reply equals the plain one.
    const plain = JSON.parse(JSON.stringify(explained, (key, value) => (key === 'explain' ? undefined : value)));
    assert.deepEqual(plain, await card(next));
  });

  it('truncate a sample with more than 500 matches, but give bounds that reproduce the whole sample', async function () {
    this.timeout(60_000);
    const ids = await load(
      ...oneSided('Long', 251).map((one, index) => ({
        ...one,
        scheduled_start: `${dayAfter('2022-01-01', index)}T15:00:00Z`,
      })),
      match('Long', '2023-12-01', 'A', 'B'),
    );
    const { event_ids, truncated, bounds } = (await card(ids.at(-1)!, 'explain=true')).model!.explain!;
    assert.deepEqual([event_ids.length, truncated], [500, true]);
    const all: { total: number; events: { id: number }[] } = (
      await service.app.ask<{ total: number; events: { id: number }[] }>(
        `/v1/events?${new URLSearchParams(bounds as Record<string, string>)}&limit=1000`,
      )
    ).json;
    assert.deepEqual(
      all.events.map(({ id }) => id),
      ids.slice(0, -1),
    );
    assert.deepEqual(event_ids, ids.slice(0, -1).reverse().slice(0, 500));
  });

  it('show a side’s trends for the newest league season, or for the last 1 to 50 matches', async () => {
    await league('Last');
    await load(
      ...oneSided('Last', 55),
      match('Last', '2022-12-01', 'A', 'B', [0, 9], { season: { label: '2022/23' } }),
      match('Last Cup', '2024-05-20', 'A', 'B', [0, 9], { home: { name: 'Last A', country: 'GB-ENG' } }),
    );
    const standard = await trends('Last A');
    assert.deepEqual([standard.form.overall.matches, standard.form.overall.w], [55, 55]);
    assert.equal(standard.recent.length, 10);
    assert.equal(standard.standing!.position, 1);
    for (const last of [1, 7, 50]) {
      const { form, recent } = await trends('Last A', `last=${last}`);
      assert.deepEqual([form.last_n.matches, recent.length], [last, last]);
    }
    const { event_id, ...newest } = standard.recent[0]!;
    assert.ok(Number(event_id) > 0);
    assert.deepEqual(newest, {
      date: '2023-09-24',
      tournament_id: await service.idOf('tournament', 'Last'),
      opponent_id: await service.idOf('participant', 'Last D'),
      opponent: 'Last D',
      opponent_ru: null,
      side: 'home',
      score_for: 3,
      score_against: 0,
      result: 'W',
    });
    // A side that has played only in the cup has its cup form.
    const other = await trends('Last Cup B');
    assert.deepEqual([other.form.overall.matches, other.form.overall.form, other.standing], [1, 'W', null]);
  });

  it('show a profile for 913 days or for a season', async () => {
    const season = (label: string) => ({ season: { label } });
    await load(
      match('Pro', '2021-12-01', 'A', 'B', [9, 9], season('2021/22')),
      match('Pro', '2021-12-02', 'A', 'B', [2, 0], season('2021/22')),
      match('Pro', '2023-08-01', 'A', 'B', [0, 0]),
      match('Pro', '2023-08-08', 'B', 'A', [1, 3]),
      match('Pro', '2024-06-01T23:00:00Z', 'B', 'A', [2, 1]),
    );
    const window = await profile('Pro');
    assert.deepEqual(
      [
        window.matches,
        window.window_from,
        window.window_to,
        window.avg_goals,
        window.avg_home_goals,
        window.avg_away_goals,
      ],
      [4, '2021-12-02', '2024-06-01', 2.25, 1.25, 1],
    );
    assert.deepEqual(
      [
        window.home_win_pct,
        window.draw_pct,
        window.away_win_pct,
        window.over_2_5_pct,
        window.over_3_5_pct,
        window.btts_pct,
      ],
      [50, 25, 25, 50, 25, 50],
    );
    const { rows } = await service.db.pool.query<{ id: number; season_label: string }>(
      "SELECT s.id, season_label FROM season s JOIN tournament t ON t.id = s.tournament_id WHERE t.name = 'Pro'",
    );
    const idOf = (label: string) => rows.find((row) => row.season_label === label)!.id;
    const first = await profile('Pro', `season=${idOf('2021/22')}`);
    assert.deepEqual(
      [first.matches, first.avg_goals, first.window_from, first.window_to],
      [2, 10, '2021-12-01', '2021-12-02'],
    );
    const second = await profile('Pro', `season=${idOf('2023/24')}`);
    assert.deepEqual([second.matches, second.window_from, second.window_to], [3, '2023-08-01', '2024-06-01']);
    // The window advances with the clock.
    service.now += 86_400_000;
    await until('the next day is seen', async () => (await profile('Pro')).window_from === '2021-12-03');
    assert.equal((await profile('Pro')).matches, 3);
    service.now -= 86_400_000;
  });

  describe('after a sample change', () => {
    /** A reply has to change within 2 s after its matches have changed. */
    const PATIENCE_MS = 2_000;
    const etag = async (path: string, known?: string) => {
      const { status, headers, text } = await service.app.ask(
        path,
        known ? { headers: { 'If-None-Match': known } } : {},
      );
      return { status, etag: headers.get('etag')!, text };
    };

    it('have new contents within 2 s, while replies about unchanged samples keep their tag', async () => {
      const ids = await load(
        match('Tag', '2024-01-01', 'A', 'B', [1, 0]),
        match('Tag', '2024-05-02', 'A', 'B'),
        match('Other Tag', '2024-01-01', 'A', 'B', [1, 0]),
        match('Other Tag', '2024-05-02', 'A', 'B'),
      );
      const side = await service.idOf('participant', 'Tag A');
      const tournament = await service.idOf('tournament', 'Tag');
      const changed = [
        `/v1/event/${ids[1]}/analytics`,
        `/v1/event/${ids[1]}/analytics?sample=all&explain=true`,
        `/v1/participant/${side}/trends`,
        `/v1/tournament/${tournament}/profile`,
      ];
      const same = `/v1/event/${ids[3]}/analytics`;
      const first = new Map<string, { etag: string; text: string }>();
      for (const path of [...changed, same]) first.set(path, await etag(path));
      for (const path of [...changed, same]) assert.equal((await etag(path, first.get(path)!.etag)).status, 304, path);
      await load(match('Tag', '2024-01-08', 'B', 'A', [5, 0]));
      const asked = performance.now();
      for (const path of changed)
        await until(
          `${path} is new`,
          async () => (await etag(path, first.get(path)!.etag)).status === 200,
          PATIENCE_MS,
        );
      assert.equal((await etag(same, first.get(same)!.etag)).status, 304);
      // A side's cached state must expire as soon as well.
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1_100 - (performance.now() - asked))));
      assert.equal((await etag(same, first.get(same)!.etag)).status, 304);
      assert.equal((await etag(same)).text, first.get(same)!.text);
    });

    const meeting = (over: Partial<Match> = {}) =>
      match('Gone Cup', '2023-05-01', 'x', 'y', [1, 1], {
        id: 'meeting',
        home: { name: 'Gone B', country: 'GB-ENG' },
        away: { name: 'Gone A', country: 'GB-ENG' },
        ...over,
      });
    for (const [name, change] of [
      ['is deleted', () => service.matches(meeting({ deleted: true }))],
      ['is corrected', () => service.matches(meeting({ score: { home: 2, away: 2 } }))],
      ['is cancelled', () => service.matches(meeting({ status_detail: 'cancelled', score: null }))],
      ['gets another side', () => service.matches(meeting({ away: { name: 'Gone C', country: 'GB-ENG' } }))],
    ] as const)
      it(`are new within 2 s when a meeting in another tournament ${name}`, async () => {
        const [, next] = await load(meeting(), match('Gone', '2024-05-02', 'A', 'B'));
        const before = (await card(next!)).h2h;
        assert.deepEqual([before.matches, before.goals_avg], [1, 2]);
        await change();
        await service.settle();
        await until(
          'it is seen',
          async () => {
            const { matches, goals_avg } = (await card(next!)).h2h;
            return name === 'is corrected' ? goals_avg === 4 : matches === 0;
          },
          PATIENCE_MS,
        );
      });

    it('are new within 2 s when prices or rules change', async () => {
      await league('Ruled');
      const fixtures = ['B', 'C', 'D', 'E'].flatMap((other, index) => [
        match('Ruled', `2024-01-0${index + 1}`, 'A', other, [2, 1]),
        match('Ruled', `2024-01-1${index + 1}`, other, 'F', [2, 1]),
      ]);
      const next = match('Ruled', '2024-05-02', 'A', 'F');
      const ids = await load(...fixtures, next);
      const id = ids.at(-1)!;
      const before = await card(id);
      assert.deepEqual([before.home.standing!.points, before.home.form.overall.ppg, before.value_bets], [12, 3, []]);
      await service.matches({ ...next, odds: [{ market_name: '1x2', choice_name: '2', decimal_value: 50 }] });
      await until('the price is seen', async () => (await card(id)).value_bets.length === 1, PATIENCE_MS);
      await league('Ruled', { rules: { points: { win: 2, draw: 1, loss: 0 } } });
      await until('the rule is seen', async () => (await card(id)).home.standing!.points === 8, PATIENCE_MS);
      assert.equal((await card(id)).home.form.overall.ppg, 2);
      await league('Ruled', {
        seasons: [
          {
            label: '2023/24',
            points_adjustments: [{ participant: { name: 'Ruled A', country: 'GB-ENG' }, points: -3 }],
          },
        ],
      });
      await until('the deduction is seen', async () => (await card(id)).home.standing!.points === 5, PATIENCE_MS);
    });
  });
});
