import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIVE } from '../../src/analytics/backtest/backtests.ts';
import { backtestLive } from '../../src/analytics/backtest/live-backtest.ts';
import { runBacktest } from '../../src/analytics/backtest/run-backtest.ts';
import { sportParameters } from '../../src/analytics/calibrated/parameters.ts';
import { fitInPlay } from '../../src/analytics/fit/fit-goals-by-minute.ts';
import { fitLiveCommand } from '../../src/analytics/fit/fit-live.ts';
import { type MeasuredMatch, measuredMatches } from '../../src/analytics/fit/measured-matches.ts';
import { poissonRegression } from '../../src/analytics/fit/poisson-regression.ts';
import type { HistoryMatch, MatchSource } from '../../src/analytics/history/match-source.ts';
import { inPlayParameters } from '../../src/in-play/parameters.ts';
import { calibrationPlots } from '../../src/web/models/calibration-plot.ts';
import type { Incident } from '../../src/wire/match.ts';
import { card, goal, incident } from '../in-play/incidents.ts';
import { liveHistory } from '../support/live-history.ts';
import { randomNumbers } from '../support/random.ts';

const SPORT = sportParameters('football')!;
const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER };
const DAY = 86_400;
const seconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-live-'));
  folders.push(folder);
  return folder;
};

describe('forecasts during a match', () => {
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  describe('on 2024/25 in five leagues', function () {
    this.timeout(60_000);
    let source: MatchSource | null;
    before(async () => {
      // The calibrated model needs the four seasons before the measured one.
      source = await liveHistory(2020, 2024);
    });

    it('beat the baseline in every score, and are calibrated', async function () {
      if (source === null) {
        console.warn('      skipped: ../shared/datasets is not there');
        return this.skip();
      }
      const period = { from: seconds('2024-07-01'), to: seconds('2025-07-01') };
      const lines: string[] = [];
      const report = await runBacktest(
        LIVE,
        { source, ...period },
        { out: newFolder(), draw: calibrationPlots, say: (line) => lines.push(line) },
      );
      assert.equal(report.matches, 1_757);
      // RPS and Brier score of a walk-forward ridge Poisson model with shares of goals still to come and factors for red cards.
      const baseline = {
        rps: [0.2023, 0.1906, 0.173, 0.1575, 0.1307, 0.0885, 0.0576],
        brier: [0.5898, 0.5646, 0.5251, 0.4913, 0.4295, 0.3102, 0.2122],
      };
      const published = {
        rps: [0.1994, 0.188, 0.1704, 0.155, 0.1287, 0.0872, 0.0569],
        brier: [0.584, 0.5594, 0.5196, 0.4856, 0.4246, 0.3073, 0.2105],
      };
      assert.deepEqual(
        report.minutes.map(({ minute }) => minute),
        [0, 15, 30, 45, 60, 75, 85],
      );
      for (const [index, scores] of report.minutes.entries()) {
        const at = `minute ${scores.minute}`;
        for (const score of ['rps', 'brier'] as const) {
          assert.ok(scores[score] < baseline[score][index]!, `${at}: ${score} ${scores[score]}`);
          // An imported catalogue also knows coaches. Their cards do not count as players' cards, which changes the scores slightly.
          assert.ok(Math.abs(scores[score] - published[score][index]!) < 0.001, `${at}: ${score} ${scores[score]}`);
        }
        assert.ok(scores.calibration_error <= 0.025, `${at}: ${scores.calibration_error}`);
      }
      assert.match(lines.join('\n'), /^\| RPS {6}\|( 0\.\d{4} \|){7}$/m);
    });

    it('come from parameters that a new fit on the two preceding seasons reproduces', async function () {
      if (source === null) return this.skip();
      const out = join(newFolder(), 'parameters.json');
      const period = { from: seconds('2022-07-01'), to: seconds('2024-07-01') };
      await fitLiveCommand(source, { ...period, out }, () => {});
      const { fitted_on, ...fitted } = JSON.parse(readFileSync(out, 'utf8'));
      const { fitted_on: on, ...shipped } = inPlayParameters();
      assert.equal(fitted_on.matches, 3_584);
      assert.equal(on.matches, 3_584);
      for (const [name, value] of Object.entries(shipped))
        assert.ok(Math.abs(fitted[name] - value) < 0.1, `${name}: ${fitted[name]} instead of ${value}`);
    });
  });

  describe('a measured match', () => {
    const match = (id: number, day: number, home_score: number, away_score: number): HistoryMatch => ({
      id,
      season: '2024',
      start: day * DAY,
      home_id: 1,
      away_id: 2,
      home_score,
      away_score,
      neutral: false,
      home_shots_on_target: null,
      away_shots_on_target: null,
    });
    const measured = (matches: HistoryMatch[], incidents: [number, Incident[]][]) =>
      measuredMatches(matches, new Map(incidents), ALWAYS, SPORT);

    it('has a source for its cards, goals that add up to the score, and a minute for each card and goal', () => {
      const yellow = card('yellow', 'A', 5);
      const one = match(1, 100, 1, 0);
      assert.equal(measured([one], [[1, [yellow, goal('home', 30)]]]).length, 1);
      assert.equal(measured([one], [[1, [goal('home', 30)]]]).length, 0, 'no cards or substitutions');
      assert.equal(measured([one], [[1, [yellow]]]).length, 0, 'a goal is missing');
      assert.equal(measured([one], [[1, [yellow, goal('home', null)]]]).length, 0, 'the minute is unknown');
      assert.equal(measured([one], []).length, 0);
    });

    it('ends after 90 minutes, and is not disturbed by a shoot-out or an incident in minute 0', () => {
      const shootOut = incident({ kind: 'penalty_shootout', period: 'PEN', payload: { scored: true } });
      const late = goal('home', 118, { period: 'ET' });
      const events = [card('red', 'A', 0), goal('away', 90, { minute_plus: 7 }), late, shootOut];
      assert.deepEqual(measured([match(1, 100, 1, 1)], [[1, events]])[0]!.turns, [
        { kind: 'sent_off', side: 'home', minute: 1 },
        { kind: 'goal', side: 'away', minute: 90 },
      ]);
    });

    it('has rates that use only earlier days', () => {
      const events: [number, Incident[]][] = [[9, [card('yellow', 'A', 5)]]];
      const rates = (...others: HistoryMatch[]) => measured([...others, match(9, 100, 0, 0)], events)[0]!.rates;
      const before = rates(match(1, 90, 2, 1));
      assert.deepEqual(rates(match(1, 90, 2, 1), match(2, 100, 9, 0), match(3, 101, 9, 0)), before);
      assert.notDeepEqual(rates(match(1, 90, 2, 1), match(2, 99, 9, 0)), before);
    });
  });

  describe('the fit', () => {
    it('finds the coefficients of a Poisson regression', () => {
      const random = randomNumbers(7);
      const rows = 40_000;
      const observations = {
        width: 2,
        features: new Float64Array(2 * rows),
        offsets: new Float64Array(rows),
        counts: new Float64Array(rows),
      };
      for (let row = 0; row < rows; row += 1) {
        const value = random();
        observations.features.set([1, value], 2 * row);
        observations.offsets[row] = Math.log(2);
        const mean = 2 * Math.exp(-1 + 0.7 * value);
        for (
          let p = Math.exp(-mean), sum = p, draw = random();
          draw > sum && observations.counts[row]! < 50;
          sum += p
        ) {
          observations.counts[row]! += 1;
          p *= mean / observations.counts[row]!;
        }
      }
      const [level, slope] = poissonRegression(observations);
      assert.ok(Math.abs(level! + 1) < 0.05, `${level}`);
      assert.ok(Math.abs(slope! - 0.7) < 0.07, `${slope}`);
    });

    it('refuses matches that do not determine every parameter', () => {
      const plain: MeasuredMatch = { start: 0, rates: { home: 1, away: 1 }, turns: [] };
      assert.throws(() => fitInPlay([plain, plain]), /do not determine|no coefficients/);
    });

    it('reports an error if it can use no match', async () => {
      const empty: MatchSource = {
        tournaments: async () => [],
        matches: async () => [],
        incidents: async () => new Map(),
      };
      const options = { ...ALWAYS, out: join(newFolder(), 'x.json') };
      await assert.rejects(
        fitLiveCommand(empty, options, () => {}),
        /no match in the period/,
      );
      const lines: string[] = [];
      const report = await runBacktest(
        LIVE,
        { source: empty, ...ALWAYS },
        { out: newFolder(), draw: calibrationPlots, say: (line) => lines.push(line) },
      );
      assert.equal(report.matches, 0);
      assert.deepEqual(lines, ['No match of the period has goals and cards with their minutes.']);
      const { incidents: _none, ...without } = empty;
      await assert.rejects(
        runBacktest(LIVE, { source: without, ...ALWAYS }, { out: newFolder(), draw: calibrationPlots, say: () => {} }),
        /has no incidents/,
      );
    });
  });

  it('become almost certain towards the end if the match was decided early', () => {
    const turns = [5, 10, 15].map((minute) => ({ kind: 'goal', side: 'home', minute }) as const);
    const { minutes } = backtestLive([
      { id: 1, name: 'One', matches: [{ start: 0, rates: { home: 1.5, away: 1 }, turns }] },
    ]);
    const rps = minutes.map((scores) => scores.rps);
    assert.deepEqual(
      rps,
      rps.toSorted((a, b) => b - a),
    );
    assert.ok(rps.at(-1)! < 1e-4 && rps[0]! > 0.1);
  });
});
