import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticsCard } from '../../src/analytics/schema.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { footballData } from '../../src/importers/football-data/football-data.ts';
import { runImport } from '../../src/importers/run.ts';
import { type Analytics, startAnalytics } from '../support/analytics.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { randomNumbers } from '../support/random.ts';
import {
  type Listed,
  type Naive,
  naiveBets,
  naiveForm,
  naiveMeetings,
  naiveModel,
  naiveOf,
  naivePlace,
  naiveTrend,
  newest,
  PRICED,
  quotient,
} from './naive-card.ts';
import { naiveTrends } from './naive-trends.ts';

const FOLDER = new URL('../../../shared/datasets/football-datasets/premier-league/', import.meta.url).pathname;
const SEASONS = ['season-1314.csv.gz', 'season-1415.csv.gz', 'season-1516.csv.gz'];
const CARDS = LONG_FORMS ? 200 : 60;
/**
 * Number of cards for which all possible trends are searched, not only the shown ones, and for which a truncated
 * sample's bounds are requested.
 */
const SEARCHED = 40;
/** Number of cards that are checked concurrently. */
const AT_ONCE = 4;
const WINDOW_MS = 913 * 86_400_000;

interface Detail {
  statistics?: { period: string; stat_name: string; home_value: number | null; away_value: number | null }[];
  odds?: { market_name: string; choice_name: string; decimal_value: number }[];
}
type Explained = { event_ids: number[]; truncated: boolean; bounds?: Record<string, unknown> };

describe('cards from three seasons, recomputed from the matches that each card names', function () {
  this.timeout(120_000);
  let service: Analytics;
  const folder = mkdtempSync(join(tmpdir(), 'touchline-naive-'));
  const matches = new Map<number, Naive>();
  const names = new Map<number, string>();
  const details = new Map<number, Promise<Detail>>();

  before(async function () {
    if (!existsSync(FOLDER)) {
      console.log('        SKIPPED: ../shared/datasets is not there');
      this.skip();
    }
    // The folder has the league's name.
    const league = join(folder, 'premier-league');
    mkdirSync(league);
    for (const season of SEASONS) copyFileSync(join(FOLDER, season), join(league, season));
    service = await startAnalytics();
    const { pool, clock, changes } = service.deps;
    const summary = await runImport({ pool, clock, changes, entities: new EntityCache() }, footballData, folder, {
      progress: false,
    });
    assert.deepEqual([summary.changed, summary.rejected], [1_140, 0], summary.faults.join());
    await service.settle();
    for (const one of await listed('')) {
      matches.set(one.id, naiveOf(one));
      for (const { participant_id, name } of one.participants) names.set(participant_id, name);
    }
    assert.equal(matches.size, 1_140);
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service?.close();
  });

  async function get<T>(path: string): Promise<T> {
    const { status, json, text } = await service.app.ask<T>(path);
    assert.equal(status, 200, `${path}: ${text}`);
    return json;
  }
  /** Reads all pages of a list. */
  async function listed(query: string): Promise<Listed[]> {
    const events: Listed[] = [];
    for (;;) {
      const page = await get<{ total: number; events: Listed[] }>(
        `/v1/events?limit=1000&offset=${events.length}&${query}`,
      );
      events.push(...page.events);
      if (events.length >= page.total) return events;
    }
  }
  const detailOf = (id: number) => {
    const known = details.get(id) ?? get<Detail>(`/v1/event/${id}?blocks=statistics,odds`);
    details.set(id, known);
    return known;
  };
  const named = (ids: readonly number[]) => ids.map((id) => matches.get(id)!);
  const ids = (list: readonly Naive[]) => list.map(({ id }) => id);
  /** Compares a figure with the exact value. It may differ by half of its last digit, because replies are rounded. */
  const near = (answered: number, exact: number, digits: number, what: string) => {
    const unit = 10 ** -digits;
    assert.ok(Math.abs(answered - exact) <= unit / 2 + 1e-9, `${what}: answered ${answered}, is ${exact}`);
    assert.equal(answered, Number(answered.toFixed(digits)), `${what} is not rounded`);
  };

  const cardOf = (id: number) => get<AnalyticsCard>(`/v1/event/${id}/analytics?explain=true`);

  async function checkTeam(card: AnalyticsCard, side: 'home' | 'away', subject: Naive) {
    const id = subject[`${side}_id`];
    const { form, discipline, standing, name } = card[side];
    assert.equal(name, names.get(id));
    const season = newest([...matches.values()].filter((m) => m.season === subject.season && m.day < subject.day));
    const own = season.filter((m) => m.home_id === id || m.away_id === id);
    const samples = {
      overall: own,
      last5: own.slice(0, 5),
      last10: own.slice(0, 10),
      home: own.filter((m) => m.home_id === id),
      away: own.filter((m) => m.away_id === id),
    };
    for (const [block, sample] of Object.entries(samples)) {
      const { explain, ...answered } = form[block as keyof typeof samples];
      assert.deepEqual(explain, { event_ids: ids(sample), truncated: false }, block);
      assert.deepEqual(answered, naiveForm(named(explain!.event_ids), id), block);
    }
    const { streak, unbeaten_run, scoring_run, cleansheet_run } = form.overall;
    assert.deepEqual(form.streaks, { streak, unbeaten_run, scoring_run, cleansheet_run });
    await checkCards(discipline, id, own);
    if (season.length === 0) {
      assert.equal(standing, null);
      return;
    }
    const { explain, position, ...row } = standing!;
    assert.deepEqual(explain!.event_ids, ids(season));
    const sides = [...matches.values()].filter((m) => m.season === subject.season).map((m) => m.home_id);
    const place = naivePlace(named(explain!.event_ids), id, sides);
    assert.ok(position >= place.first && position <= place.last, `place ${position}, not ${place.first}`);
    assert.deepEqual(row, place.row);
  }

  async function checkCards(
    { explain, matches: count, cards_avg }: AnalyticsCard['home']['discipline'],
    id: number,
    own: Naive[],
  ) {
    const cards = await Promise.all(
      own.map(async (m) => {
        const { statistics = [] } = await detailOf(m.id);
        const shown = statistics.filter(
          ({ period, stat_name }) => period === 'ALL' && /^(Yellow|Red) cards$/.test(stat_name),
        );
        const values = shown.map((one) => (m.home_id === id ? one.home_value : one.away_value));
        return { id: m.id, known: values.length > 0, sum: values.reduce<number>((sum, value) => sum + value!, 0) };
      }),
    );
    const known = cards.filter((one) => one.known);
    assert.deepEqual(explain, { event_ids: known.map((one) => one.id), truncated: false });
    const sum = known.reduce((total, one) => total + one.sum, 0);
    assert.deepEqual([count, cards_avg], [known.length, quotient(sum, known.length)]);
  }

  /** Reads a whole sample, even if the reply names only its newest 500 matches. */
  async function whole(
    { event_ids, truncated, bounds }: Explained,
    league: Naive[],
    isAsked: boolean,
  ): Promise<Naive[]> {
    if (!truncated) return named(event_ids);
    if (!isAsked) {
      assert.deepEqual(event_ids, ids(league.slice(0, 500)));
      return league;
    }
    const all = newest((await listed(new URLSearchParams(bounds as Record<string, string>).toString())).map(naiveOf));
    assert.deepEqual(event_ids, ids(all.slice(0, 500)));
    return all;
  }

  function leagueBefore(subject: Naive): Naive[] {
    const from = new Date(Date.parse(subject.day) - WINDOW_MS).toISOString().slice(0, 10);
    return newest(
      [...matches.values()].filter((m) => m.tournament === subject.tournament && m.day >= from && m.day < subject.day),
    );
  }

  function checkFigures(
    { probabilities, fair_odds }: Pick<NonNullable<AnalyticsCard['model']>, 'probabilities' | 'fair_odds'>,
    exact: Record<string, number>,
  ) {
    assert.deepEqual(Object.keys(probabilities).sort(), Object.keys(exact).sort());
    for (const [key, p] of Object.entries(exact)) {
      near(probabilities[key as 'draw'], p * 100, 2, key);
      near(fair_odds[key as 'draw']!, 1 / p, 2, `fair odds of ${key}`);
    }
  }

  async function checkModel({ model, value_bets: bets }: AnalyticsCard, subject: Naive, isAsked: boolean) {
    const league = leagueBefore(subject);
    const expected = naiveModel(league, subject.home_id, subject.away_id);
    if (expected === null) {
      assert.deepEqual([model, bets], [null, []]);
      return;
    }
    const { explain } = model!;
    assert.deepEqual(ids(await whole(explain!, league, isAsked)), ids(league));
    for (const side of ['home', 'away'] as const) {
      near(model!.expected_goals[side], expected.expected[side], 4, `expected goals ${side}`);
      near(model!.strengths[side].attack, expected.strengths[side].attack, 4, `attack ${side}`);
      near(model!.strengths[side].defence, expected.strengths[side].defence, 4, `defence ${side}`);
      assert.ok(Math.abs(explain!.league_averages[side] - expected.averages[side]) < 1e-12);
      assert.deepEqual(explain![`${side}_event_ids`], expected.ids[side]);
    }
    near(model!.expected_goals.total, expected.expected.home + expected.expected.away, 4, 'expected goals');
    assert.deepEqual(model!.sample, expected.sample);
    checkFigures(model!, expected.probabilities);
    assert.deepEqual(
      model!.likely_scorelines.map(({ score }) => score),
      expected.likely.map(({ score }) => score),
    );
    for (const [index, { p }] of expected.likely.entries())
      near(model!.likely_scorelines[index]!.prob, p * 100, 2, 'score');
    const { odds = [] } = await detailOf(subject.id);
    const wanted = naiveBets(expected, odds);
    assert.deepEqual(
      bets.map(({ market, selection, market_odds }) => [market, selection, market_odds]),
      wanted.map(({ market, selection, best }) => [market, selection, best]),
    );
    for (const [index, { fair, edge }] of wanted.entries()) {
      near(bets[index]!.fair_odds, fair, 2, 'fair odds');
      near(bets[index]!.edge_pct, edge, 2, 'edge');
      assert.equal(bets[index]!.caution, bets[index]!.edge_pct > 20 ? true : undefined);
    }
  }

  function checkTrends({ trends }: AnalyticsCard, subject: Naive, isSearched: boolean) {
    const league = leagueBefore(subject);
    for (const { explain, side, detail } of trends) {
      const sample = named(explain!.event_ids);
      const id = subject[`${side}_id`];
      const { count, rate, tail } = naiveTrend(explain!.condition, sample, id, league);
      assert.deepEqual([explain!.count, explain!.matches, explain!.last], [count, sample.length, sample.length]);
      assert.ok(Math.abs(explain!.base_rate - rate) < 1e-12);
      assert.ok(Math.abs(explain!.tail - tail) < 1e-12 && explain!.tail <= explain!.bound);
      assert.ok(detail.includes(`${sample.length} `), detail);
    }
    if (!isSearched) return;
    for (const side of ['home', 'away'] as const) {
      const id = subject[`${side}_id`];
      const season = [...matches.values()].filter((m) => m.season === subject.season && m.day < subject.day);
      /** Changes the side's id to 1. */
      const renumbered = (m: Naive) => ({
        ...m,
        home_id: m.home_id === id ? 1 : -m.home_id,
        away_id: m.away_id === id ? 1 : -m.away_id,
      });
      const own = season.filter((m) => m.home_id === id || m.away_id === id).map(renumbered);
      const shown = trends.filter((one) => one.side === side).map(({ explain }) => explain!);
      assert.deepEqual(
        shown.map(({ condition, venue, count, matches: n }) => `${condition} ${venue} ${count}/${n}`),
        naiveTrends('football', own, ['overall', side], league.map(renumbered)),
      );
    }
  }

  it('Arsenal v Bournemouth on 2015-12-28 has expected goals 2.7400 v 0.7785', async () => {
    const subject = [...matches.values()].find(
      (m) => m.day === '2015-12-28' && names.get(m.home_id) === 'Arsenal' && names.get(m.away_id) === 'Bournemouth',
    );
    const { model } = await cardOf(subject!.id);
    assert.deepEqual([model!.expected_goals.home, model!.expected_goals.away], [2.74, 0.7785]);
    const { league_matches, home_matches, away_matches } = model!.sample;
    assert.deepEqual([league_matches, home_matches, away_matches], [940, 46, 9]);
  });

  it(`${CARDS} random cards equal their recomputed versions`, async () => {
    const random = randomNumbers(20_151_228);
    const subjects = newest([...matches.values()])
      .map((subject) => ({ subject, by: random() }))
      .sort((a, b) => a.by - b.by)
      .slice(0, CARDS)
      .map(({ subject }) => subject);
    await priceMatches(subjects, random);
    let [bets, trends, models] = [0, 0, 0];
    const check = async (index: number) => {
      const subject = subjects[index]!;
      const card = await cardOf(subject.id);
      try {
        for (const side of ['home', 'away'] as const) await checkTeam(card, side, subject);
        const { explain, ...h2h } = card.h2h;
        const met = newest([...matches.values()].filter((m) => m.day < subject.day && isMeeting(m, subject)));
        assert.deepEqual(explain, { event_ids: ids(met), truncated: false });
        assert.deepEqual(h2h, naiveMeetings(named(explain!.event_ids), subject.home_id));
        await checkModel(card, subject, index < SEARCHED);
        checkTrends(card, subject, index < SEARCHED);
        checkCalibrated(card);
      } catch (error) {
        (error as Error).message = `card ${subject.id} of ${subject.day}: ${(error as Error).message}`;
        throw error;
      }
      bets += card.value_bets.length;
      trends += card.trends.length;
      models += card.model === null ? 0 : 1;
    };
    const waiting = subjects.keys();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const index of waiting) await check(index);
      }),
    );
    // Fails if there was nothing to recompute.
    assert.ok(
      bets > CARDS && trends > CARDS / 4 && models > CARDS / 2,
      `${bets} bets, ${trends} trends, ${models} models`,
    );
  });

  const isMeeting = (m: Naive, { home_id, away_id }: Naive) =>
    (m.home_id === home_id && m.away_id === away_id) || (m.home_id === away_id && m.away_id === home_id);

  /** Checks that a match's figures are consistent with one another. The fit is tested elsewhere. */
  function checkCalibrated({ model }: AnalyticsCard) {
    const { calibrated } = model ?? {};
    if (calibrated === undefined) return;
    const { expected_goals: goals, probabilities: p, fair_odds } = calibrated;
    assert.ok(Math.abs(goals.total - goals.home - goals.away) < 0.0002, 'calibrated goals');
    assert.ok(Math.abs(p.home_win + p.draw + p.away_win - 100) < 0.02, 'one of three outcomes');
    assert.ok(Math.abs(p.over_2_5 + p.under_2_5 - 100) < 0.02, 'over or under');
    for (const [key, percent] of Object.entries(p)) {
      const odds = fair_odds[key as keyof typeof p]!;
      assert.ok(Math.abs(100 / odds - percent) < 0.01 + percent / odds / 100, `calibrated odds of ${key}`);
    }
  }

  /** Adds two bookmakers' prices near the fair ones, since the files contain only results. */
  async function priceMatches(subjects: readonly Naive[], random: () => number) {
    const { rows } = await service.db.pool.query<{ id: number; country: string; name: string }>(
      'SELECT id, country, name FROM participant',
    );
    const side = new Map(rows.map((row) => [row.id, { name: row.name, country: row.country }]));
    const found = await service.matches(
      ...subjects.map((subject) => ({
        id: `priced ${subject.id}`,
        sport: 'football' as const,
        tournament: { name: 'Premier League', country: 'GB-ENG' },
        season: { label: subject.day < '2014-07-01' ? '2013/14' : subject.day < '2015-07-01' ? '2014/15' : '2015/16' },
        home: side.get(subject.home_id)!,
        away: side.get(subject.away_id)!,
        scheduled_start: new Date(subject.start * 1000).toISOString(),
        odds: PRICED.flatMap(([market_name, choice_name]) =>
          ['Book A', 'Book B'].map((bookmaker) => ({
            market_name,
            choice_name,
            bookmaker,
            decimal_value: Math.round((1.2 + 3.5 * random()) * 100) / 100,
          })),
        ),
      })),
    );
    assert.deepEqual(found, ids(subjects), 'the prices are of other matches');
  }
});
