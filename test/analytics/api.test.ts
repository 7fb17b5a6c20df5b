import assert from 'node:assert/strict';
import { DISCLAIMERS } from '../../src/analytics/trends/disclaimers.ts';
import { type Analytics, type Match, startAnalytics } from '../support/analytics.ts';
import { apiBench, match } from './api-bench.ts';

const EMPTY_RATES = {
  ppg: null,
  gf_avg: null,
  ga_avg: null,
  goals_avg: null,
  win_pct: null,
  draw_pct: null,
  loss_pct: null,
  over_1_5: null,
  over_2_5: null,
  over_3_5: null,
  btts: null,
  clean_sheet: null,
  failed_to_score: null,
};
const EMPTY_STREAKS = { streak: null, unbeaten_run: 0, scoring_run: 0, cleansheet_run: 0 };
const EMPTY_FORM = { matches: 0, w: 0, d: 0, l: 0, ...EMPTY_RATES, ...EMPTY_STREAKS, form: '' };
const NO_DISCIPLINE = { matches: 0, cards_avg: null };

describe('analytics over REST', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics();
  });
  after(() => service?.close());
  beforeEach(() => service.clear());

  const { load, league, card, trends, profile } = apiBench(() => service);

  describe('in special cases', () => {
    it('every figure is null or 0 without any matches', async () => {
      const [id] = await load(
        match('Void', '2024-05-01', 'A', 'B', undefined, {
          odds: [{ market_name: '1x2', choice_name: '1', decimal_value: 9 }],
        }),
      );
      const { home, away, ...rest } = await card(id!, 'sample=all');
      for (const [team, name] of [
        [home, 'Void A'],
        [away, 'Void B'],
      ] as const)
        assert.deepEqual(team, {
          name,
          name_ru: null,
          form: {
            overall: EMPTY_FORM,
            last5: EMPTY_FORM,
            last10: EMPTY_FORM,
            home: EMPTY_FORM,
            away: EMPTY_FORM,
            streaks: EMPTY_STREAKS,
          },
          discipline: NO_DISCIPLINE,
          standing: null,
        });
      const tournament = { id: await service.idOf('tournament', 'Void'), name: 'Void', name_ru: null };
      assert.deepEqual(rest, {
        computed_at: '2024-06-01T12:00:00Z',
        event_id: id,
        sport: 'football',
        tournament,
        h2h: {
          matches: 0,
          team_a_wins: 0,
          draws: 0,
          team_b_wins: 0,
          goals_avg: null,
          over_2_5: null,
          btts: null,
          recent: [],
        },
        model: null,
        rating: null,
        value_bets: [],
        trends: [],
        disclaimer: DISCLAIMERS.en,
      });
      const side = await trends('Void A');
      assert.deepEqual(side.form.last_n, EMPTY_FORM);
      assert.deepEqual([side.standing, side.recent, side.trends], [null, [], []]);
      assert.deepEqual(await profile('Void'), {
        tournament_id: tournament.id,
        name: 'Void',
        name_ru: null,
        sport: 'football',
        // The window has 913 days and ends today.
        window_from: '2021-12-02',
        window_to: '2024-06-01',
        matches: 0,
        avg_goals: null,
        avg_home_goals: null,
        avg_away_goals: null,
        home_win_pct: null,
        draw_pct: null,
        away_win_pct: null,
        over_2_5_pct: null,
        over_3_5_pct: null,
        btts_pct: null,
        computed_at: '2024-06-01T12:00:00Z',
      });
      const season = await profile(
        'Void',
        `season=${(await service.db.pool.query('SELECT max(id)::int AS id FROM season')).rows[0].id}`,
      );
      assert.deepEqual([season.matches, season.window_from, season.window_to], [0, null, null]);
    });

    it('a side in two competitions gets trends from one season or from the last 913 days, and the reply names the sample', async () => {
      await league('First');
      const cup = { tournament: { name: 'Knock', country: 'GB-ENG' } };
      const ids = await load(
        match('First', '2021-12-01', 'A', 'B', [9, 9], { season: { label: '2021/22' } }),
        match('First', '2021-12-02', 'A', 'B', [1, 0], { season: { label: '2021/22' } }),
        match('First', '2024-03-01', 'A', 'B', [2, 0]),
        match('First', '2024-04-01', 'B', 'A', [2, 2], { ...cup, status_detail: 'after_penalties' } as never),
        match('First', '2024-05-01', 'A', 'C', [0, 1]),
      );
      const season = await trends('First A');
      const id = await service.idOf('tournament', 'First');
      assert.deepEqual(season.scope, {
        kind: 'season',
        tournament: { id, name: 'First', name_ru: null },
        season_label: '2023/24',
        from: null,
      });
      assert.deepEqual([season.form.last5.form, season.form.overall.matches], ['LW', 2]);
      const all = await trends('First A', 'scope=all');
      assert.deepEqual(all.scope, { kind: 'all', tournament: null, season_label: null, from: '2021-12-02' });
      assert.deepEqual([all.form.last5.form, all.form.overall.matches], ['LDWW', 4]);
      assert.deepEqual(
        all.recent.map(({ event_id, result, shootout }) => [event_id, result, shootout]),
        [
          [ids[4], 'L', undefined],
          [ids[3], 'D', true],
          [ids[2], 'W', undefined],
          [ids[1], 'W', undefined],
        ],
      );
      assert.equal(new Set(all.recent.map(({ tournament_id }) => tournament_id)).size, 2);
      assert.deepEqual(all.standing, season.standing);
      const { status } = await service.app.ask(
        `/v1/participant/${await service.idOf('participant', 'First A')}/trends?scope=cup`,
      );
      assert.equal(status, 422);
    });

    it('a player in a team sport has no trends, and the reply gives the reason', async () => {
      const played = match('Played', '2024-05-01', 'A', 'B', [1, 0], {
        lineups: [{ side: 'home', player: { name: 'Pia Player', birth_date: '2000-01-01' }, is_substitute: false }],
      });
      await load(played);
      const id = await service.idOf('participant', 'Pia Player');
      const { status, json } = await service.app.ask<{ detail: string }>(`/v1/participant/${id}/trends`);
      assert.equal(status, 404);
      assert.equal(json.detail, `Participant ${id} is a player in a team sport, in which only teams have trends.`);
    });

    it('an unknown id gets 404, and an invalid parameter is refused', async () => {
      const [id] = await load(match('Asked', '2024-05-01', 'A', 'B'), match('Other', '2024-05-01', 'A', 'B'));
      const tournament = await service.idOf('tournament', 'Asked');
      const { rows } = await service.db.pool.query<{ id: number }>(
        "SELECT s.id FROM season s JOIN tournament t ON t.id = s.tournament_id WHERE t.name = 'Other'",
      );
      for (const path of [
        `/v1/event/${id! + 1_000}/analytics`,
        `/v1/event/${Number.MAX_SAFE_INTEGER}/analytics`,
        '/v1/participant/999999/trends',
        '/v1/tournament/999999/profile',
        `/v1/tournament/${tournament}/profile?season=${rows[0]!.id}`,
        `/v1/tournament/${tournament}/profile?season=999999`,
      ]) {
        const { status, json } = await service.app.ask(path);
        assert.deepEqual([path, status, json.code], [path, 404, 'not_found']);
      }
      for (const [path, parameter] of [
        [`event/${id}/analytics?sample=week`, 'sample'],
        [`event/${id}/analytics?explain=perhaps`, 'explain'],
        [`event/${id}/analytics?lang=de`, 'lang'],
        ['event/abc/analytics', 'id'],
        ['event/0/analytics', 'id'],
        ['participant/1/trends?last=0', 'last'],
        ['participant/1/trends?last=51', 'last'],
        ['participant/1/trends?last=1.5', 'last'],
        ['participant/-1/trends', 'id'],
        [`tournament/${tournament}/profile?season=x`, 'season'],
        [`tournament/${tournament}/profile?season=`, 'season'],
      ] as const) {
        const { status, json } = await service.app.ask(`/v1/${path}`);
        assert.deepEqual([path, status, json.errors?.[0]?.parameter], [path, 422, parameter]);
      }
    });
  });

  describe('samples', () => {
    it('a sample covers the season, the last 913 days of the tournament, or all matches', async () => {
      const label = (text: string) => ({ season: { label: text } });
      const ids = await load(
        match('S', '2023-09-01', 'A', 'B', [1, 0]),
        match('S', '2023-01-10', 'A', 'B', [2, 0], label('2022/23')),
        // This match was 914 days before.
        match('S', '2021-11-01', 'A', 'C', [3, 0], label('2021/22')),
        match('S', '2021-10-31', 'A', 'C', [4, 0], label('2021/22')),
        match('S Cup', '2023-10-01', 'A', 'B', [0, 5], { home: { name: 'S A', country: 'GB-ENG' } }),
        match('S', '2024-05-02', 'A', 'B', [9, 9]),
        match('S', '2024-05-02', 'A', 'C'),
        match('S', '2024-05-03', 'B', 'A'),
      );
      const next = ids[6]!;
      const goals = async (sample: string) =>
        (await card(next, `sample=${sample}&explain=true`)).home.form.overall.explain!.event_ids;
      const [season, former, first, tooEarly, cup] = ids as [number, number, number, number, number];
      assert.deepEqual(await goals('season'), [season]);
      assert.deepEqual((await card(next)).home.form.overall.gf_avg, 1);
      assert.deepEqual(await goals('window'), [season, former, first]);
      assert.deepEqual(await goals('all'), [cup, season, former, first, tooEarly]);
      const all = await card(next, 'sample=all');
      assert.deepEqual(
        [all.home.form.overall.form, all.home.form.overall.gf_avg, all.home.form.home.matches],
        ['LWWWW', 2, 5],
      );
      // The day's earlier match counts as played for the next match.
      assert.equal((await card(ids[7]!)).away.form.overall.matches, 2);
    });

    it('the sample before a match contains neither that match nor a match on the same UTC day', async () => {
      const ids = await load(
        match('Day', '2024-04-30T23:59:59Z', 'A', 'B', [1, 0]),
        match('Day', '2024-05-01T00:00:00Z', 'A', 'C', [1, 0], { time_tbd: true }),
        match('Day', '2024-05-01T20:00:00Z', 'A', 'B', [1, 0]),
        match('Day', '2024-05-01T23:59:59Z', 'A', 'D', [1, 0]),
        match('Day', '2024-05-02T00:00:00Z', 'A', 'D', [1, 0]),
      );
      const counts = await Promise.all(ids.map(async (id) => (await card(id)).home.form.overall.matches));
      assert.deepEqual(counts, [0, 1, 1, 1, 4]);
      assert.equal((await card(ids[2]!)).h2h.matches, 1);
    });

    it('head-to-head counts all meetings, whichever side was at home', async () => {
      const side = (name: string) => ({ name, country: 'GB-ENG' });
      const [, , , next] = await load(
        match('Met', '2020-05-01', 'A', 'B', [3, 1], { season: { label: '2019/20' } }),
        match('Met', '2023-05-01', 'B', 'A', [2, 2], { season: { label: '2022/23' } }),
        match('Met Cup', '2023-11-01', 'x', 'y', [1, 1], {
          home: side('Met B'),
          away: side('Met A'),
          status_detail: 'after_penalties',
          period_scores: [
            { period: '2H', home: 1, away: 1 },
            { period: 'PEN', home: 5, away: 4 },
          ],
        }),
        match('Met', '2024-05-01', 'A', 'B'),
      );
      const { h2h } = await card(next!);
      assert.deepEqual(h2h, {
        matches: 3,
        team_a_wins: 1,
        draws: 2,
        team_b_wins: 0,
        goals_avg: 3.33,
        over_2_5: 66.67,
        btts: 100,
        recent: [
          { date: '2023-11-01', score: '1:1', home: 'team_b', shootout: true },
          { date: '2023-05-01', score: '2:2', home: 'team_b' },
          { date: '2020-05-01', score: '3:1', home: 'team_a' },
        ],
      });
    });

    it('averages of yellow and red cards use only matches with known cards', async () => {
      const cards = (home: number, away: number) => ({
        statistics: (['Yellow cards', 'Red cards'] as const).map((stat_name) => ({
          period: 'ALL',
          group_name: null,
          stat_name,
          home_value: stat_name === 'Red cards' ? 1 : home,
          away_value: stat_name === 'Red cards' ? 0 : away,
          home_text: null,
          away_text: null,
        })),
      });
      const [known, , third, next] = await load(
        match('Carded', '2024-01-01', 'A', 'B', [1, 0], cards(2, 4)),
        match('Carded', '2024-01-08', 'A', 'B', [1, 0]),
        match('Carded', '2024-01-15', 'B', 'A', [1, 0], cards(0, 3)),
        match('Carded', '2024-01-22', 'A', 'B'),
      );
      const { home, away } = await card(next!, 'explain=true');
      // The first had two yellow cards and a red one, and the second three yellow ones.
      assert.deepEqual([home.discipline.matches, home.discipline.cards_avg], [2, 3]);
      assert.deepEqual([away.discipline.matches, away.discipline.cards_avg], [2, 2.5]);
      assert.deepEqual(home.discipline.explain, { event_ids: [third, known], truncated: false });
    });
  });

  describe('the model', () => {
    /** Makes `count` rounds in which A plays at home and B away, each against a different side. */
    const rounds = (name: string, count: number, score: [number, number], over: Partial<Match> = {}) =>
      Array.from({ length: count }, (_, index) => [
        match(name, `2024-01-0${index + 1}`, 'A', `C${index}`, score, over),
        match(name, `2024-01-0${index + 1}`, `D${index}`, 'B', score, over),
      ]).flat();

    it('is null if a side has 3 earlier matches, and present if it has 4', async () => {
      const ids = await load(...rounds('Three', 3, [2, 1]), match('Three', '2024-02-01', 'A', 'B'));
      assert.equal((await card(ids.at(-1)!)).model, null);
      const more = await load(...rounds('Four', 4, [2, 1]), match('Four', '2024-02-01', 'A', 'B'));
      const { model, home } = await card(more.at(-1)!);
      assert.equal(home.form.overall.matches, 4);
      assert.deepEqual(model!.sample, {
        from: '2024-01-01',
        to: '2024-01-04',
        league_matches: 8,
        home_matches: 4,
        away_matches: 4,
      });
      assert.deepEqual(model!.expected_goals, { home: 2, away: 1, total: 3 });
      // A needs 4 home matches. It has 3, and its 5 away matches do not count.
      const other = await load(
        ...rounds('Away', 4, [2, 1]).slice(2),
        match('Away', '2024-01-20', 'D', 'A', [1, 1]),
        match('Away', '2024-01-21', 'E', 'A', [1, 1]),
        match('Away', '2024-01-22', 'E', 'B', [1, 1]),
        match('Away', '2024-02-01', 'A', 'B'),
      );
      assert.equal((await card(other.at(-1)!)).model, null);
    });

    it('is null if no away side in the league has scored', async () => {
      const ids = await load(...rounds('Nil', 5, [2, 0]), match('Nil', '2024-02-01', 'A', 'B'));
      const { model, home } = await card(ids.at(-1)!);
      assert.deepEqual([model, home.form.overall.matches], [null, 5]);
    });

    it('is null in a league with one match, which still has a profile and a table', async () => {
      await league('Single');
      const [, next] = await load(
        match('Single', '2024-05-01', 'A', 'B', [4, 1]),
        match('Single', '2024-05-02', 'A', 'B'),
      );
      const { model, home, away, trends: shown } = await card(next!);
      assert.deepEqual([model, shown], [null, []]);
      assert.deepEqual(home.standing, { position: 1, played: 1, points: 3, goals_for: 4, goals_against: 1 });
      assert.deepEqual(away.standing, { position: 2, played: 1, points: 0, goals_for: 1, goals_against: 4 });
      const { matches, avg_goals, avg_home_goals, avg_away_goals, home_win_pct, over_3_5_pct, btts_pct } =
        await profile('Single');
      assert.deepEqual(
        [matches, avg_goals, avg_home_goals, avg_away_goals, home_win_pct, over_3_5_pct, btts_pct],
        [1, 5, 4, 1, 100, 100, 100],
      );
    });

    it('hockey form uses the final result, while the model leaves out shoot-out goals', async () => {
      const hockey = {
        sport: 'ice-hockey' as const,
        period_scores: [
          { period: 'P1', home: 2, away: 2 },
          { period: 'SO', home: 1, away: 0 },
        ],
      };
      const ids = await load(
        ...rounds('Ice', 4, [2, 2], hockey),
        match('Ice', '2024-02-01', 'A', 'B', undefined, { sport: 'ice-hockey' }),
      );
      const { model, home, away } = await card(ids.at(-1)!);
      assert.deepEqual([home.form.overall.form, away.form.overall.form], ['WWWW', 'LLLL']);
      assert.deepEqual(model!.expected_goals, { home: 2, away: 2, total: 4 });
      const basketball = { sport: 'basketball' as const };
      const others = await load(
        ...rounds('Hoop', 4, [80, 70], basketball),
        match('Hoop', '2024-02-01', 'A', 'B', undefined, basketball),
      );
      assert.equal((await card(others.at(-1)!)).model, null);
    });

    it('value bets are the current prices above the fair prices', async () => {
      const odds = [
        { market_name: '1x2', choice_name: '1', decimal_value: 1.01, bookmaker: 'A' },
        { market_name: '1x2', choice_name: '2', decimal_value: 7, bookmaker: 'A' },
        { market_name: '1x2', choice_name: '2', decimal_value: 8, bookmaker: 'B' },
      ];
      const ids = await load(...rounds('Bet', 4, [2, 1]), match('Bet', '2024-02-01', 'A', 'B', undefined, { odds }));
      const { value_bets: bets, model } = await card(ids.at(-1)!);
      assert.equal(bets.length, 1);
      const [bet] = bets;
      assert.deepEqual([bet!.market, bet!.selection, bet!.market_odds, bet!.caution], ['1x2', 'away', 8, true]);
      assert.equal(bet!.fair_odds, model!.fair_odds.away_win);
      assert.ok(Math.abs(bet!.edge_pct - (8 * model!.probabilities.away_win - 100)) < 0.1);
    });
  });
});
