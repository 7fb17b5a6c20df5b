import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { RATING } from '../../src/analytics/backtest/backtests.ts';
import { backtestRating, type RatedSport } from '../../src/analytics/backtest/rating-backtest.ts';
import { describeRatings } from '../../src/analytics/backtest/rating-report.ts';
import { reportLines } from '../../src/analytics/backtest/report.ts';
import { runBacktest } from '../../src/analytics/backtest/run-backtest.ts';
import type { StoredRatingInput } from '../../src/analytics/backtest/stored-rating-backtest.ts';
import { readModelReports, storeModelReport } from '../../src/analytics/backtest/stored-reports.ts';
import { compareRatings, correlation } from '../../src/analytics/elo/compare-ratings.ts';
import type { MarginFixture } from '../../src/analytics/elo/margin-matches.ts';
import { nfl, nflForecasts } from '../../src/importers/nfl/nfl.ts';
import { routes } from '../../src/rankings/routes.ts';
import { calibrationPlots } from '../../src/web/models/calibration-plot.ts';
import { modelsPage } from '../../src/web/models/models-page.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { filesOf, readAll, removeFiles } from '../importers/fixture.ts';

const DAY = 86_400;
const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
const DATA = join(import.meta.dirname, '../../../shared/datasets/fivethirtyeight');
const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`);

const game = (id: number, over: Partial<MarginFixture> = {}): MarginFixture => ({
  id,
  start: id * DAY,
  home_id: 1,
  away_id: 2,
  home_score: 20,
  away_score: 10,
  host: 'home',
  year: 2020,
  tournament_id: 7,
  counts: true,
  ranks: true,
  ...over,
});
const sport = (matches: readonly MarginFixture[], slug = 'basketball'): RatedSport => ({
  sport: slug,
  matches,
  names: new Map([[7, 'League']]),
});

describe('the rating backtest', () => {
  after(removeFiles);

  it('scores ratings against the home win rate so far, and leaves out sides with few matches', () => {
    const matches = Array.from({ length: 8 }, (_, index) => game(index + 1));
    const [report] = backtestRating([sport(matches)], ALWAYS).sports;
    assert.equal(report!.matches, 3);
    const rates = [5, 6, 7].map((won) => (won + 10) / (won + 20));
    near(report!.home_rate.brier, rates.reduce((sum, rate) => sum + (rate - 1) ** 2, 0) / 3);
    near(report!.home_rate.log_loss, rates.reduce((sum, rate) => sum - Math.log(rate), 0) / 3);
    assert.ok(report!.rating.brier < report!.home_rate.brier);
    assert.deepEqual(
      report!.leagues.map(({ name, matches }) => [name, matches]),
      [['League', 3]],
    );
    assert.deepEqual(report!.period, { from: '1970-01-07', to: '1970-01-09' });
    assert.deepEqual(backtestRating([sport(matches)], { from: 8 * DAY, to: 9 * DAY }).sports[0]!.matches, 1);
    assert.deepEqual(backtestRating([sport(matches.slice(0, 3))], ALWAYS), { sports: [] });
    assert.match(reportLines(describeRatings({ sports: [] }))[0]!, /No match/);
  });

  it('uses only matches from earlier days in a forecast', () => {
    const results = fc.array(fc.record({ home_score: fc.nat(120), away_score: fc.nat(120) }), {
      minLength: 12,
      maxLength: 30,
    });
    fc.assert(
      fc.property(results, fc.nat(120), (scores, other) => {
        const matches = scores.map((score, index) => game(index + 1, score));
        const changed = matches.with(-1, { ...matches.at(-1)!, away_score: other });
        const before = { from: 0, to: matches.length * DAY };
        assert.deepEqual(backtestRating([sport(matches)], before), backtestRating([sport(changed)], before));
      }),
    );
  });

  it('gives almost the same forecasts as FiveThirtyEight published for the NFL', async function () {
    this.timeout(30_000);
    if (!existsSync(join(DATA, 'nfl_games.csv.gz'))) {
      console.error(`      SKIPPED: there is no open data in ${DATA}`);
      this.skip();
    }
    const [{ matches }, { expected }] = await Promise.all([readAll(nfl, DATA), nflForecasts(DATA)]);
    assert.equal(expected.size, 16_810);
    const teams = new Map<string, number>();
    const idOf = (name: string) => teams.get(name) ?? teams.set(name, teams.size + 1).size;
    const fixtures = matches.map(({ home, away, score, season, scheduled_start, neutral }, index) =>
      game(index, {
        start: Date.parse(scheduled_start!) / 1000,
        home_id: idOf(home.name),
        away_id: idOf(away.name),
        home_score: score!.home,
        away_score: score!.away,
        host: neutral ? null : 'home',
        year: Number(season.label),
      }),
    );
    const published = {
      name: 'FiveThirtyEight',
      expected: new Map(matches.map(({ id }, index) => [index, expected.get(id)!])),
    };
    for (const [from, matchesFrom] of [
      ['1970-03-01', 12_000],
      ['2002-03-01', 5_000],
    ] as const) {
      const period = { ...ALWAYS, from: Date.parse(from) / 1000 };
      const [report] = backtestRating([sport(fixtures, 'american-football')], period, [published]).sports;
      assert.ok(report!.published!.matches > matchesFrom, `${report!.published!.matches}`);
      const [ours, theirs] = [report!.published!.rating.brier, report!.published!.published.brier];
      assert.ok(Math.abs(ours - theirs) < 0.005, `${from}: ${ours} and ${theirs}`);
      assert.ok(
        ours < report!.home_rate.brier - 0.02,
        `${from}: ${ours} and ${report!.home_rate.brier} without ratings`,
      );
      assert.ok(report!.calibration_error < 0.03, `${report!.calibration_error}`);
    }
  });

  describe('on an installation', () => {
    let fed: Fed;
    let out: string;
    before(async () => {
      out = mkdtempSync(join(tmpdir(), 'touchline-rating-'));
      fed = await startFed(routes, '2024-06-01T12:00:00Z');
      await fed.tournaments({ sport: 'rugby', name: 'Premiership Rugby', country: 'GB-ENG', tier: 1, importance: 80 });
      await fed.matches(
        ...Array.from({ length: 12 }, (_, week) => ({
          id: `w${week}`,
          sport: 'rugby',
          tournament: { name: 'Premiership Rugby', country: 'GB-ENG' },
          season: { label: '2023/24' },
          home: { name: week % 2 ? 'Bath' : 'Exeter', country: 'GB-ENG' },
          away: { name: week % 2 ? 'Exeter' : 'Bath', country: 'GB-ENG' },
          scheduled_start: new Date(Date.parse('2024-01-06') + week * 7 * DAY * 1000).toISOString(),
          score: { home: 20 + week, away: 17 },
          status: 'finished' as const,
        })),
      );
    });
    after(async () => {
      rmSync(out, { recursive: true });
      await fed.close();
    });
    const run = async (over: Partial<StoredRatingInput> = {}) => {
      const lines: string[] = [];
      const report = await runBacktest(
        RATING,
        { pool: fed.db.pool, ...ALWAYS, ...over },
        { out, draw: calibrationPlots, say: (line) => lines.push(line) },
      );
      return { report, said: lines.join('\n') };
    };

    it('reads the stored matches in every sport and writes the report, which /docs/models shows', async () => {
      const { report, said } = await run();
      assert.deepEqual(
        report.sports.map(({ sport, matches }) => [sport, matches]),
        [['rugby', 7]],
      );
      assert.match(said, /\| Rugby +\| +7 \| 2024-02-10 \| 2024-03-23 \|/);
      assert.match(said, /Premiership Rugby/);
      assert.deepEqual(readdirSync(out).sort(), [
        'calibration-rating-dark.svg',
        'calibration-rating-light.svg',
        'rating.json',
        'rating.md',
      ]);
      assert.deepEqual(JSON.parse(readFileSync(join(out, 'rating.json'), 'utf8')), report);
      await storeModelReport(fed.db.pool, 'rating', report, fed.now);
      const stored = await readModelReports(fed.db.pool);
      const brier = report.sports[0]!.rating.brier.toFixed(4);
      for (const lang of ['en', 'ru'] as const) assert.ok(modelsPage(stored, lang).includes(`<td>${brier}</td>`));
      assert.doesNotMatch(modelsPage(stored, 'en'), /Scores by league/, 'one league has the scores of its sport');
      const [rugby] = report.sports;
      const leagues = [...rugby!.leagues, { ...rugby!.leagues[0]!, id: 0, name: 'Top 14', matches: 3 }];
      const two = { ...stored.rating!, report: { ...report, sports: [{ ...rugby!, leagues }] } };
      assert.match(
        modelsPage({ rating: two }, 'en'),
        /Scores by league: Rugby<[\s\S]*Premiership Rugby<\/th><td>7<[\s\S]*Top 14<\/th><td>3</,
      );
      assert.match(modelsPage({}, 'en'), /touchline backtest --rating/);
    });

    it('compares its forecasts with published forecasts by match id, and ignores forecasts for unknown matches', async () => {
      const published = {
        name: 'A paper',
        provider: 'tests',
        expected: new Map([
          ['w9', 1],
          ['w10', 0.75],
          ['none', 0.5],
        ]),
      };
      const { report, said } = await run({ sport: 'rugby', published: [published] });
      assert.equal(report.sports[0]!.published!.matches, 2);
      near(report.sports[0]!.published!.published.brier, 0.0625 / 2);
      assert.equal(report.sports[0]!.leagues[0]!.published!.matches, 2);
      assert.match(said, /Premiership Rugby: the 2 matches with a forecast of A paper/);
    });

    it('compares its ratings at the end of a season with published ones', async () => {
      const last = [
        { match: 'w11', side: 'home', rating: 1_600 },
        { match: 'w11', side: 'away', rating: 1_500 },
        { match: 'none', side: 'home', rating: 1_400 },
      ] as const;
      const season = { name: 'A paper', provider: 'tests', sport: 'rugby', title: 'Premiership Rugby 2023/24', last };
      assert.deepEqual(await compareRatings(fed.db.pool, [season, { ...season, sport: 'chess' }]), [
        { name: 'A paper', title: 'Premiership Rugby 2023/24', teams: 2, correlation: null },
      ]);
      assert.ok(
        Math.abs(
          correlation([
            [1, 2],
            [2, 4],
            [3, 6],
          ])! - 1,
        ) < 1e-12,
      );
      assert.ok(
        Math.abs(
          correlation([
            [1, 3],
            [2, 2],
            [3, 1],
          ])! + 1,
        ) < 1e-12,
      );
      assert.equal(
        correlation([
          [1, 3],
          [1, 2],
          [1, 1],
        ]),
        null,
      );
    });

    it('refuses a sport without such a rating, with an error that lists the sports that have one', async () => {
      await assert.rejects(
        run({ sport: 'football' }),
        /football has no rating by margin: basketball, .*aussie-rules.* have one/,
      );
      await assert.rejects(run({ sport: 'curling' }), /there is no sport curling/);
      await assert.rejects(run({ sport: 'constructor' }), /there is no sport constructor/);
      await assert.rejects(nflForecasts(out), /expected nfl_games\.csv/);
      await assert.rejects(nflForecasts(filesOf({ 'nfl_games.csv': 'a,b\n1,2\n' })), /not the expected columns/);
    });
  });
});
