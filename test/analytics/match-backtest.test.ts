import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { MATCHES } from '../../src/analytics/backtest/backtests.ts';
import { type BacktestOptions, backtest } from '../../src/analytics/backtest/match-backtest.ts';
import { forecastSeason, type MatchForecasts } from '../../src/analytics/backtest/match-forecasts.ts';
import { describeMatches } from '../../src/analytics/backtest/match-report.ts';
import { type BacktestReport, evaluate } from '../../src/analytics/backtest/match-scores.ts';
import { reportLines as toLines } from '../../src/analytics/backtest/report.ts';
import { runBacktest } from '../../src/analytics/backtest/run-backtest.ts';
import { sportParameters } from '../../src/analytics/calibrated/parameters.ts';
import type { HistoryMatch, MatchSource } from '../../src/analytics/history/match-source.ts';
import { predict } from '../../src/analytics/poisson/poisson-model.ts';
import { modelSample, startOfDay } from '../../src/analytics/samples/match-samples.ts';
import { calibrationPlots } from '../../src/web/models/calibration-plot.ts';
import type { BacktestChildOptions } from '../support/backtest-child.ts';
import { launcher } from '../support/launcher.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { randomNumbers } from '../support/random.ts';
import { longSource, sourceOf, TWO_LEAGUES, twoLeagues } from './history.ts';

const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER };
const SPORT = sportParameters('football')!;
const LEAGUE = TWO_LEAGUES[0]!;
const SEASONS = ['2015/16', '2016/17', '2017/18'];
const forecasts = (matches: readonly HistoryMatch[], period = ALWAYS) =>
  SEASONS.flatMap((season) => forecastSeason(matches, season, period, SPORT));

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-backtest-'));
  folders.push(folder);
  return folder;
};
const run = (source: MatchSource, over: Partial<BacktestOptions> = {}) =>
  backtest(source, { ...ALWAYS, checkpoints: newFolder(), ...over });
/** Runs the backtest as the command does. */
const write = (source: MatchSource, out: string, say: (line: string) => void = () => undefined) =>
  runBacktest(MATCHES, { source, ...ALWAYS, out, progress: false }, { out, draw: calibrationPlots, say });
const reportLines = (report: BacktestReport) => toLines(describeMatches(report));
const filesOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]);

describe('a backtest', () => {
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it('predicts exactly the matches for which the specified model exists, with the model’s own probabilities', () => {
    const found = new Map(forecasts(LEAGUE).map((one) => [one.match_id, one]));
    let count = 0;
    for (const match of LEAGUE) {
      const prediction = predict(modelSample(match.start, LEAGUE), match.home_id, match.away_id);
      const one = found.get(match.id);
      assert.equal(one !== undefined, prediction !== null, `match ${match.id}`);
      if (!prediction || !one) continue;
      count += 1;
      assert.ok(Math.abs(one.poisson!.home - prediction.probabilities.home_win) < 1e-5);
      assert.ok(Math.abs(one.poisson!.over! - prediction.probabilities.over_2_5) < 1e-5);
    }
    assert.ok(count > 100, `${count}`);
    assert.equal(found.size, count);
  });

  it('changes no forecast when a later match, or a match on the same day, gets a result', () => {
    const before = forecasts(LEAGUE);
    const one = fc.integer({ min: 20, max: LEAGUE.length - 1 });
    fc.assert(
      fc.property(one, fc.nat(9), fc.nat(9), fc.boolean(), (index, home_score, away_score, removed) => {
        const day = startOfDay(LEAGUE[index]!.start);
        const changed = LEAGUE.flatMap((match) => {
          if (match.start < day) return [match];
          return removed && match.id % 2 === 0
            ? []
            : [{ ...match, home_score, away_score, home_shots_on_target: 5, away_shots_on_target: 1 }];
        });
        const forecast = ({ outcome: _, over: __, ...rest }: MatchForecasts) => rest;
        const still = new Set(changed.map(({ id }) => id));
        const early = (all: MatchForecasts[]) =>
          all.filter(({ start, match_id }) => start < day + 86_400 && still.has(match_id)).map(forecast);
        assert.deepEqual(early(forecasts(changed)), early(before));
      }),
      { numRuns: 25 },
    );
  });

  it('changes the forecasts for later days when an earlier match gets a result', () => {
    const changed = LEAGUE.map((match, index) => (index === 60 ? { ...match, home_score: 9, away_score: 0 } : match));
    const day = startOfDay(LEAGUE[60]!.start);
    const later = (matches: HistoryMatch[]) => forecasts(matches).filter(({ start }) => start >= day + 86_400);
    for (const [index, one] of later(changed).entries()) {
      const other = later(LEAGUE)[index]!;
      assert.notDeepEqual(one.calibrated, other.calibrated);
      if (index > 3) break;
    }
  });

  it('does not depend on the match order', async () => {
    const report = await run(twoLeagues());
    assert.deepEqual(await run(sourceOf(...TWO_LEAGUES.map((league) => league.toReversed()))), report);
    assert.equal(
      report.all!.matches,
      report.tournaments.reduce((sum, { matches }) => sum + matches, 0),
    );
    assert.deepEqual(
      report.seasons.map(({ season }) => season),
      SEASONS,
    );
    assert.equal(
      report.seasons.reduce((sum, { evaluation }) => sum + evaluation.matches, 0),
      report.all!.matches,
    );
  });

  it('tests the matches in the requested period and tournaments, and learns from earlier matches', async () => {
    const from = LEAGUE[56]!.start;
    const to = LEAGUE[112]!.start;
    const report = await run(twoLeagues(), { from, to, tournaments: [1] });
    assert.deepEqual(
      report.tournaments.map(({ id }) => id),
      [1],
    );
    const wanted = forecasts(LEAGUE).filter(({ start }) => start >= from && start < to);
    assert.ok(wanted.length > 20);
    assert.equal(report.all!.matches, wanted.length);
    assert.deepEqual(forecasts(LEAGUE, { from, to }), wanted);
    await assert.rejects(run(twoLeagues(), { tournaments: [9] }), /there is no tournament 9/);
    const basketball = { ...twoLeagues(), tournaments: async () => [{ id: 1, name: 'NBA', sport: 'basketball' }] };
    await assert.rejects(run(basketball, { tournaments: [1] }), /no model for basketball/);
    assert.equal((await run(basketball)).all, null);
  });

  it('reports a period without matches', async () => {
    const report = await run(sourceOf([], [LEAGUE[0]!]));
    assert.deepEqual([report.all, report.with_odds, report.period, report.seasons], [null, null, null, []]);
    assert.deepEqual(reportLines(report), ['No match of the period has enough earlier ones.']);
  });

  it("takes as base rates each outcome's share in the earlier matches, with one added to each count", () => {
    for (const { match_id, base_rates } of forecasts(LEAGUE)) {
      const { start } = LEAGUE.find(({ id }) => id === match_id)!;
      const earlier = LEAGUE.filter((match) => match.start < startOfDay(start));
      const wins = earlier.filter(({ home_score, away_score }) => home_score > away_score).length;
      const over = earlier.filter(({ home_score, away_score }) => home_score + away_score > 2.5).length;
      assert.equal(base_rates.home, (wins + 1) / (earlier.length + 3));
      assert.equal(base_rates.over, (over + 1) / (earlier.length + 2));
    }
  });

  it('removes the overround in proportion, and compares all models on the matches with odds', async () => {
    const odds = { home: 1.9, draw: 3.8, away: 3.8, over_2_5: 1.8, under_2_5: 1.8 };
    const some = LEAGUE.map((match) => {
      if (match.id % 3 === 0) return { ...match, odds };
      if (match.id % 3 === 1) return { ...match, odds: { ...odds, over_2_5: null } };
      return match;
    });
    const all = forecasts(some);
    const with_odds = all.filter(({ bookmakers }) => bookmakers);
    for (const { match_id, bookmakers } of with_odds) {
      const { over, ...outcomes } = bookmakers!;
      for (const [outcome, value] of Object.entries({ home: 0.5, draw: 0.25, away: 0.25 }))
        assert.ok(Math.abs(outcomes[outcome as 'home'] - value) < 1e-12);
      assert.equal(over, match_id % 3 === 0 ? 0.5 : null);
    }
    const report = await run(sourceOf(some));
    assert.equal(report.all!.matches, all.length);
    assert.equal(report.with_odds!.matches, with_odds.length);
    assert.equal(report.with_odds!.over_under_matches, with_odds.filter(({ match_id }) => match_id % 3 === 0).length);
    assert.deepEqual(
      report.with_odds!.models.calibrated,
      evaluate(with_odds, ['calibrated', 'bookmakers'])!.models.calibrated,
    );
    assert.equal(report.all!.models.bookmakers, undefined);
    for (const bad of [0, 1, -3, Number.NaN, Number.POSITIVE_INFINITY, '2.5' as unknown as number]) {
      const broken = LEAGUE.map((match) => ({ ...match, odds: { ...odds, draw: bad } }));
      assert.ok(
        forecasts(broken).every(({ bookmakers }) => bookmakers === null),
        `${bad}`,
      );
    }
  });

  it('compares published forecasts by league, even for sides with few matches', async () => {
    const spi = { home: 0.5, draw: 0.3, away: 0.2 };
    const second = TWO_LEAGUES[1]!;
    const forecast = LEAGUE.map((match, index) => (index % 3 === 0 ? { ...match, spi } : match));
    const found = forecasts(forecast);
    const early = found.filter(({ poisson }) => poisson === null);
    assert.ok(early.length > 5 && early.every((match) => match.spi !== null), `${early.length}`);
    const report = await run(sourceOf(forecast, second));
    const { all, leagues } = report.published!;
    assert.deepEqual(
      leagues.map(({ id, evaluation }) => [id, evaluation.matches]),
      [[1, found.filter((match) => match.spi !== null).length]],
    );
    assert.deepEqual(all, leagues[0]!.evaluation);
    assert.deepEqual(Object.keys(all.models), ['calibrated', 'spi']);
    assert.equal(all.models.spi!.over_under_2_5_log_loss, null);
    assert.deepEqual(report.all, (await run(twoLeagues())).all, 'the other comparison stays');
    const lines = reportLines(report);
    assert.ok(lines.some((line) => line.startsWith('| League') && line.includes('FiveThirtyEight SPI RPS')));
    assert.ok(
      !reportLines(await run(twoLeagues()))
        .join()
        .includes('FiveThirtyEight'),
    );
  });

  it('can be aborted and continued in any season, with the same result as without an abort', async () => {
    const whole = await run(twoLeagues());
    const steps = 2 * SEASONS.length;
    for (let aborted = 1; aborted <= steps; aborted += 1) {
      const checkpoints = newFolder();
      const predicted: string[] = [];
      let step = 0;
      const abort = (_: number, label: string) => {
        predicted.push(label);
        step += 1;
        if (step === aborted) throw new Error('aborted');
      };
      await assert.rejects(run(twoLeagues(), { checkpoints, onProgress: abort }), /aborted/);
      assert.equal(readdirSync(checkpoints).length, aborted - 1);
      assert.deepEqual(await run(twoLeagues(), { checkpoints }), whole);
      assert.equal(readdirSync(checkpoints).length, steps);
    }
  });

  it('reuses a finished season only if it is complete and the matches have not changed', async () => {
    const checkpoints = newFolder();
    const whole = await run(twoLeagues(), { checkpoints });
    const file = join(checkpoints, readdirSync(checkpoints).sort()[1]!);
    const text = readFileSync(file, 'utf8');
    // Edits the file, to prove that the next run uses the stored seasons.
    writeFileSync(file, text.replaceAll('"over":true', '"over":false'));
    assert.notDeepEqual(await run(twoLeagues(), { checkpoints }), whole);
    for (const damaged of ['', text.slice(0, 500), '{}', 'null', '[]']) {
      writeFileSync(file, damaged);
      assert.deepEqual(await run(twoLeagues(), { checkpoints }), whole, damaged);
    }
    const corrected = TWO_LEAGUES.map((league) =>
      league.map((match, index) => (index === 3 ? { ...match, home_score: match.home_score + 5 } : match)),
    );
    assert.deepEqual(await run(sourceOf(...corrected), { checkpoints }), await run(sourceOf(...corrected)));
  });

  it('writes the same files in the end even if it is killed at random moments', async function () {
    this.timeout(300_000);
    const whole = newFolder();
    await write(longSource(), whole);
    const out = newFolder();
    const random = randomNumbers(11);
    const children = launcher<string>({ name: 'backtest-child', options: { out } satisfies BacktestChildOptions });
    try {
      for (let kills = LONG_FORMS ? 30 : 3; kills > 0; kills -= 1) {
        const child = await children.take();
        child.begin('go');
        await Promise.race([sleep(random() * 250), child.gone]);
        await child.kill();
      }
      const last = await children.take();
      last.begin('go');
      await last.gone;
    } finally {
      await children.close();
    }
    assert.deepEqual(filesOf(out), filesOf(whole));
  });

  it('prints the table that it writes, with pictures', async () => {
    const out = newFolder();
    const lines: string[] = [];
    await write(twoLeagues(), out, (line) => lines.push(line));
    const files = Object.fromEntries(filesOf(out));
    assert.deepEqual(Object.keys(files).sort(), [
      ...['base-rates', 'calibrated', 'elo', 'poisson'].flatMap((model) =>
        ['dark', 'light'].map((theme) => `calibration-${model}-${theme}.svg`),
      ),
      'report.json',
      'report.md',
    ]);
    assert.equal(files['report.md'], `${lines.join('\n')}\n`);
    const report = JSON.parse(files['report.json']);
    const row = lines.find((line) => line.startsWith('| Calibrated'))!;
    assert.equal(row.split('|')[2]!.trim(), report.all.models.calibrated.rps.toFixed(4));
    assert.match(files['calibration-calibrated-light.svg'], /<title id="title">Calibrated: predicted and observed/);
  });
});
