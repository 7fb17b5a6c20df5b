import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  brierScore,
  type EventForecast,
  eventLogLoss,
  expectedCalibrationError,
  logLoss,
  type OutcomeForecast,
  rankedProbabilityScore,
  reliabilityTable,
} from '../../src/analytics/backtest/forecast-scores.ts';
import { predict } from '../../src/analytics/poisson/poisson-model.ts';
import { modelSample } from '../../src/analytics/samples/match-samples.ts';
import { premierLeague } from './matches.ts';

const close = (actual: number | null, expected: number) =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
const forecast = (home: number, draw: number, away: number, outcome: OutcomeForecast['outcome']): OutcomeForecast => ({
  probabilities: [home, draw, away],
  outcome,
});
const event = (probability: number, occurred: boolean): EventForecast => ({ probability, occurred });

const outcomeForecast = fc
  .tuple(fc.nat(100), fc.nat(100), fc.nat(100), fc.constantFrom('home' as const, 'draw' as const, 'away' as const))
  .filter(([h, d, a]) => h + d + a > 0)
  .map(([h, d, a, outcome]) => forecast(h / (h + d + a), d / (h + d + a), a / (h + d + a), outcome));
const eventForecast = fc
  .tuple(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, 1)), fc.boolean())
  .map(([probability, occurred]) => event(probability, occurred));

describe('forecast scores', () => {
  it('have the values computed by hand', () => {
    const one = [forecast(0.5, 0.3, 0.2, 'home')];
    close(rankedProbabilityScore(one), (0.25 + 0.04) / 2);
    close(brierScore(one), 0.25 + 0.09 + 0.04);
    close(logLoss(one), Math.LN2);
    const two = [...one, forecast(0.5, 0.3, 0.2, 'away')];
    close(rankedProbabilityScore(two), (0.145 + (0.25 + 0.64) / 2) / 2);
    close(brierScore(two), (0.38 + 0.25 + 0.09 + 0.64) / 2);
    close(logLoss(two), (Math.LN2 + 1.6094379124341003) / 2);
  });

  it('are 0 for a certain forecast that is right, and maximal for a certain forecast that is wrong', () => {
    const [right, wrong] = [[forecast(1, 0, 0, 'home')], [forecast(1, 0, 0, 'away')]];
    assert.deepEqual([rankedProbabilityScore(right), brierScore(right), logLoss(right)], [0, 0, 0]);
    assert.deepEqual([rankedProbabilityScore(wrong), brierScore(wrong)], [1, 2]);
    close(logLoss(wrong), 34.538776394910684);
  });

  it('give a home-win forecast a better ranked score after a draw than after an away win, but the same Brier score', () => {
    const [draw, away] = [[forecast(0.8, 0.1, 0.1, 'draw')], [forecast(0.8, 0.1, 0.1, 'away')]];
    assert.ok(rankedProbabilityScore(draw)! < rankedProbabilityScore(away)!);
    close(brierScore(draw), brierScore(away)!);
  });

  it('depend on the actual outcome', () => {
    close(eventLogLoss([event(0.25, true), event(0.25, false)]), (Math.log(4) + Math.log(4 / 3)) / 2);
    close(eventLogLoss([event(0, true)]), 34.538776394910684);
    assert.equal(eventLogLoss([event(1, true)]), 0);
    assert.equal(eventLogLoss([]), null);
  });

  it('are null without a forecast', () => {
    for (const score of [rankedProbabilityScore, brierScore, logLoss]) assert.equal(score([]), null);
    assert.equal(expectedCalibrationError([]), null);
    assert.deepEqual(reliabilityTable([]), []);
  });

  it('stay within bounds for any forecasts', () => {
    fc.assert(
      fc.property(fc.array(outcomeForecast, { minLength: 1, maxLength: 50 }), (forecasts) => {
        for (const [score, most] of [
          [rankedProbabilityScore(forecasts), 1],
          [brierScore(forecasts), 2],
          [logLoss(forecasts), 34.54],
        ] as const)
          assert.ok(score !== null && score >= 0 && score <= most + 1e-12, `${score}`);
      }),
    );
  });
});

describe('calibration', () => {
  it('has ten bins with equal counts', () => {
    const forecasts = Array.from({ length: 100 }, (_, index) => event(index / 100, index % 2 === 0));
    const table = reliabilityTable(forecasts.toReversed());
    assert.equal(table.length, 10);
    for (const [index, { from, to, count, predicted, observed }] of table.entries()) {
      assert.deepEqual([from, to, count, observed], [index / 10, (index * 10 + 9) / 100, 10, 0.5]);
      close(predicted, index / 10 + 0.045);
    }
    // The mean of |0.045 − 0.5|, |0.145 − 0.5| … |0.945 − 0.5|.
    close(expectedCalibrationError(forecasts), 0.25);
  });

  it('puts equal probabilities in the same bin', () => {
    const forecasts = Array.from({ length: 20 }, (_, index) => event(0.5, index < 8));
    assert.deepEqual(reliabilityTable(forecasts), [{ from: 0.5, to: 0.5, count: 20, predicted: 0.5, observed: 0.4 }]);
    close(expectedCalibrationError(forecasts), 0.1);
  });

  it('has one bin for each forecast if fewer than ten exist', () => {
    const forecasts = [event(0.9, true), event(0.1, false), event(0.4, true)];
    assert.deepEqual(
      reliabilityTable(forecasts).map(({ from, count, observed }) => [from, count, observed]),
      [
        [0.1, 1, 0],
        [0.4, 1, 1],
        [0.9, 1, 1],
      ],
    );
    close(expectedCalibrationError(forecasts), (0.1 + 0.1 + 0.6) / 3);
  });

  it('puts each forecast in exactly one bin, in ascending order, whatever the input order', () => {
    fc.assert(
      fc.property(fc.array(eventForecast, { minLength: 1, maxLength: 60 }), (forecasts) => {
        const table = reliabilityTable(forecasts);
        assert.ok(table.length <= 10);
        assert.equal(
          table.reduce((sum, { count }) => sum + count, 0),
          forecasts.length,
        );
        for (const [index, { from, to, predicted }] of table.entries()) {
          assert.ok(from <= predicted + 1e-12 && predicted <= to + 1e-12);
          assert.ok(index === 0 || table[index - 1]!.to < from);
        }
        const error = expectedCalibrationError(forecasts)!;
        assert.ok(error >= 0 && error <= 1 + 1e-12);
        close(expectedCalibrationError(forecasts.toReversed()), error);
      }),
    );
  });

  it('shows that the model, run before each match in two seasons, beats the base rates from the seasons before', function () {
    const seasons = ['1314', '1415', '1516'].map((season) => premierLeague(this, season));
    const teams = [...new Set(seasons.flatMap(({ teams: names }) => names))];
    const matches = seasons.flatMap(({ matches: played, teams: names }, index) =>
      played.map((match) => ({
        ...match,
        id: index * 1_000 + match.id,
        home_id: teams.indexOf(names[match.home_id - 1]!) + 1,
        away_id: teams.indexOf(names[match.away_id - 1]!) + 1,
      })),
    );
    const forecasts: OutcomeForecast[] = [];
    const constant: OutcomeForecast[] = [];
    const first = matches.slice(0, 380);
    const share = (winner: string) => first.filter((match) => match.winner === winner).length / first.length;
    for (const match of matches.slice(380)) {
      const prediction = predict(modelSample(match.start, matches), match.home_id, match.away_id);
      if (!prediction) continue;
      const { home_win, draw, away_win } = prediction.probabilities;
      forecasts.push(forecast(home_win, draw, away_win, match.winner));
      constant.push(forecast(share('home'), share('draw'), share('away'), match.winner));
    }
    assert.ok(forecasts.length > 650, `${forecasts.length}`);
    assert.ok(rankedProbabilityScore(forecasts)! < rankedProbabilityScore(constant)!);
    assert.ok(brierScore(forecasts)! < brierScore(constant)!);
  });
});
