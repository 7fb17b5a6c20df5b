import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  likelyScorelines,
  poisson,
  scoreMatrix,
  scoreProbability,
  toProbabilities,
} from '../../src/analytics/poisson/poisson.ts';
import { fairOdds, type ModelMatch, predict, toModel } from '../../src/analytics/poisson/poisson-model.ts';
import { played, premierLeague } from './matches.ts';

const close = (actual: number, expected: number, tolerance = 1e-12) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const massOf = ({ home, away }: ReturnType<typeof scoreMatrix>) => sum(home) * sum(away);
const chances = (home: number, away: number) => toProbabilities(scoreMatrix(home, away));
const expected = fc.oneof(fc.double({ min: 0, max: 8, noNaN: true }), fc.double({ min: 0, max: 2_000, noNaN: true }));

/** Maximum probability that the matrix may leave out. */
const REST = 1e-6;

describe('the Poisson distribution', () => {
  it('has the values that the formula gives', () => {
    const two = poisson(2);
    for (const [goals, p] of [
      [0, 0.1353352832366127],
      [1, 0.2706705664732254],
      [2, 0.2706705664732254],
      [3, 0.1804470443154836],
      [5, 0.0360894088630967],
    ] as const)
      close(two[goals]!, p, 1e-15);
    assert.deepEqual(poisson(0).slice(0, 2), [1, 0]);
  });

  it('sums to 1 and has the right mean and variance, even if e^-λ is below the range of a double', () => {
    for (const mean of [1e-300, 0.01, 0.555, 1.8992, 10, 745, 5_000]) {
      const probabilities = poisson(mean);
      close(sum(probabilities), 1);
      const first = sum(probabilities.map((p, goals) => p * goals));
      close(first / mean, 1, 1e-9);
      close(sum(probabilities.map((p, goals) => p * (goals - first) ** 2)) / mean, 1, 1e-6);
    }
  });

  it('refuses an expected goal count that is negative, infinite or NaN', () => {
    for (const mean of [-1, Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => poisson(mean), RangeError);
  });
});

describe('the score matrix', () => {
  it('ends at 10:10 if that covers enough probability, and otherwise grows by one goal for each side', () => {
    assert.equal(scoreMatrix(0.3, 0.3).home.length, 11);
    const grown = scoreMatrix(6, 0.5);
    assert.ok(grown.home.length > 11);
    assert.equal(grown.home.length, grown.away.length);
    const smaller = { home: grown.home.slice(0, -1), away: grown.away.slice(0, -1) };
    assert.ok(massOf(smaller) < 0.999999 && massOf(grown) >= 0.999999);
  });

  it('covers a probability of at least 0.999999 for any expected goals', () => {
    fc.assert(
      fc.property(expected, expected, (home, away) => {
        const mass = massOf(scoreMatrix(home, away));
        assert.ok(mass >= 0.999999 && mass <= 1 + 1e-12, `${mass}`);
      }),
    );
  });

  it('has outcomes and opposite totals that sum to the matrix mass, and each of them is a probability', () => {
    fc.assert(
      fc.property(expected, expected, (home, away) => {
        const p = chances(home, away);
        close(p.home_win + p.draw + p.away_win, 1, REST);
        close(p.over_2_5 + p.under_2_5, 1, REST);
        close(p.btts + p.btts_no, 1, REST);
        assert.ok(p.over_1_5 >= p.over_2_5 && p.over_2_5 >= p.over_3_5);
        for (const [key, value] of Object.entries(p)) assert.ok(value >= 0 && value <= 1 + 1e-12, `${key}: ${value}`);
      }),
    );
  });

  it('swaps only the winners if the sides are swapped', () => {
    fc.assert(
      fc.property(expected, expected, (home, away) => {
        const [p, q] = [chances(home, away), chances(away, home)];
        close(p.home_win, q.away_win);
        close(p.away_win, q.home_win);
        for (const key of ['draw', 'over_1_5', 'over_2_5', 'over_3_5', 'under_2_5', 'btts', 'btts_no'] as const)
          close(p[key], q[key]);
        const shown = (lines: ReturnType<typeof likelyScorelines>) => lines.map(({ probability }) => probability);
        const [a, b] = [likelyScorelines(scoreMatrix(home, away)), likelyScorelines(scoreMatrix(away, home))];
        for (const [index, probability] of shown(a).entries()) close(probability, shown(b)[index]!);
      }),
    );
  });

  it('gives the side with more expected goals both more wins and more goals', () => {
    fc.assert(
      fc.property(expected, expected, fc.double({ min: 0, max: 3, noNaN: true }), (home, away, more) => {
        const [p, q] = [chances(home, away), chances(home + more, away)];
        assert.ok(q.home_win >= p.home_win - REST && q.away_win <= p.away_win + REST);
        for (const key of ['over_1_5', 'over_2_5', 'over_3_5', 'btts'] as const)
          assert.ok(q[key] >= p[key] - REST, key);
        assert.ok(q.under_2_5 <= p.under_2_5 + REST);
      }),
    );
    assert.ok(chances(2, 1).home_win > chances(1.5, 1).home_win + 0.1);
  });

  it('has totals that follow the Poisson distribution of both sides’ goals together', () => {
    const p = chances(1.2, 0.8);
    const two = poisson(2);
    close(p.under_2_5, two[0]! + two[1]! + two[2]!);
    close(p.over_1_5, 1 - two[0]! - two[1]!, REST);
    close(p.over_3_5, 1 - two[0]! - two[1]! - two[2]! - two[3]!, REST);
    close(p.btts, (1 - Math.exp(-1.2)) * (1 - Math.exp(-0.8)), REST);
  });

  it('gives 0:0 probability 1 if no side is expected to score', () => {
    const p = chances(0, 0);
    assert.deepEqual(
      [p.home_win, p.draw, p.away_win, p.over_1_5, p.under_2_5, p.btts, p.btts_no],
      [0, 1, 0, 0, 1, 0, 1],
    );
    assert.deepEqual(likelyScorelines(scoreMatrix(0, 0)), [{ home: 0, away: 0, probability: 1 }]);
  });
});

describe('likely scorelines', () => {
  it('add up to the outcome probabilities even if low scores were corrected', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 6, noNaN: true }),
        fc.double({ min: 0.05, max: 6, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (home, away, share) => {
          const independent = scoreMatrix(home, away);
          const at = (i: number, j: number) => scoreProbability(independent, i, j);
          const moved = share > 0 ? share * Math.min(at(0, 0), at(1, 1)) : share * Math.min(at(1, 0), at(0, 1));
          const matrix = { ...independent, moved };
          const goals = [...independent.home.keys()];
          const sum = (keep: (i: number, j: number) => boolean) =>
            goals.reduce(
              (all, i) => goals.reduce((row, j) => row + (keep(i, j) ? scoreProbability(matrix, i, j) : 0), all),
              0,
            );
          const { home_win, draw, away_win } = toProbabilities(independent);
          assert.ok(Math.abs(sum((i, j) => i > j) - (home_win + moved)) < 1e-4);
          assert.ok(Math.abs(sum((i, j) => i === j) - (draw - 2 * moved)) < 1e-4);
          assert.ok(Math.abs(sum((i, j) => i < j) - (away_win + moved)) < 1e-4);
          const [first] = likelyScorelines(matrix);
          const most = Math.max(...goals.flatMap((i) => goals.map((j) => scoreProbability(matrix, i, j))));
          assert.ok(Math.abs(first!.probability - most) < 1e-12);
        },
      ),
      { numRuns: 200 },
    );
  });

  const lines = (home: number, away: number) =>
    likelyScorelines(scoreMatrix(home, away)).map((line) => `${line.home}:${line.away}`);

  it('are ordered by goals and then by home goals, lowest first, if the probabilities are equal', () => {
    assert.deepEqual(lines(1, 1), ['0:0', '0:1', '1:0', '1:1', '0:2']);
    assert.deepEqual(lines(2, 2), ['1:1', '1:2', '2:1', '2:2', '1:3']);
    assert.deepEqual(lines(0.72, 1.2), ['0:1', '0:0', '1:1', '1:0', '0:2']);
    // 1:1 and 2:0 have the same probability, but the doubles differ in the last digit.
    assert.deepEqual(lines(0.8, 0.4), ['0:0', '1:0', '0:1', '1:1', '2:0']);
    assert.deepEqual(lines(1.2, 1.2), ['1:1', '0:1', '1:0', '0:0', '1:2']);
    assert.deepEqual(lines(0.1, 2), ['0:1', '0:2', '0:3', '0:0', '0:4']);
  });

  it('are the five largest cells in the whole matrix', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 9, noNaN: true }),
        fc.double({ min: 0.05, max: 9, noNaN: true }),
        (h, a) => {
          const matrix = scoreMatrix(h, a);
          const cells = matrix.home.flatMap((p) => matrix.away.map((q) => p * q)).sort((x, y) => y - x);
          const found = likelyScorelines(matrix);
          assert.equal(found.length, 5);
          for (const [index, { probability }] of found.entries()) close(probability, cells[index]!);
        },
      ),
    );
  });
});

/** Home side 1 wins 2:1 four times at home. Away side 2 loses 0:3 four times away. All other matches end 1:1. */
const SMALL: ModelMatch[] = [
  ...[1, 2, 3, 4].map((day) => played(day, 1, '2:1', 3)),
  ...[5, 6, 7, 8].map((day) => played(day, 4, '3:0', 2)),
  ...[9, 10, 11, 12].map((day) => played(day, 3, '1:2', 4)),
];

describe('the model', () => {
  it('has the 2015/16 figures for Arsenal against Bournemouth', function () {
    const { matches, idOf } = premierLeague(this, '1516');
    assert.equal(matches.length, 380);
    const model = toModel(predict(matches, idOf('Arsenal'), idOf('Bournemouth'))!);
    assert.deepEqual(model.expected_goals, { home: 1.8992, away: 0.555, total: 2.4542 });
    const { home_win, draw, away_win, btts, over_2_5, under_2_5 } = model.probabilities;
    assert.deepEqual([home_win, draw, away_win], [69.68, 20.34, 9.98]);
    assert.deepEqual([btts, over_2_5, under_2_5], [36.22, 44.44, 55.56]);
    assert.deepEqual([model.fair_odds.home_win, model.fair_odds.draw, model.fair_odds.away_win], [1.44, 4.92, 10.02]);
    assert.deepEqual(model.sample, {
      from: '2015-08-08',
      to: '2016-05-17',
      league_matches: 380,
      home_matches: 19,
      away_matches: 19,
    });
  });

  it('has strengths and expected goals as computed by hand', () => {
    // Home sides in the league score 24 goals in 12 matches, 2 per match. Away sides score 12 goals, 1 per match.
    const { strengths, expected: goals, sample } = predict(SMALL, 1, 2)!;
    assert.deepEqual(strengths, { home: { attack: 1, defence: 1 }, away: { attack: 0, defence: 1.5 } });
    assert.deepEqual(goals, { home: 3, away: 0 });
    assert.deepEqual(sample, {
      from: '2024-01-02',
      to: '2024-01-13',
      league_matches: 12,
      home_matches: 4,
      away_matches: 4,
    });
    const model = toModel(predict(SMALL, 1, 2)!);
    // The away side never scores, so only 0:0 is a draw: e^-3 = 0.049787.
    assert.equal(model.probabilities.draw, 4.98);
    assert.equal(model.probabilities.home_win, 95.02);
    assert.equal(model.probabilities.away_win, 0);
    assert.equal(model.probabilities.under_2_5, 42.32);
    assert.equal(model.fair_odds.draw, 20.09);
    assert.equal(model.fair_odds.away_win, null);
    assert.equal(model.fair_odds.btts, null);
    assert.deepEqual(model.likely_scorelines, [
      { score: '2:0', prob: 22.4 },
      { score: '3:0', prob: 22.4 },
      { score: '4:0', prob: 16.8 },
      { score: '1:0', prob: 14.94 },
      { score: '5:0', prob: 10.08 },
    ]);
  });

  it('has the specified field names', () => {
    const model = toModel(predict(SMALL, 1, 2)!);
    assert.deepEqual(Object.keys(model), [
      'expected_goals',
      'probabilities',
      'fair_odds',
      'likely_scorelines',
      'sample',
      'strengths',
    ]);
    const keys = ['home_win', 'draw', 'away_win', 'over_1_5', 'over_2_5', 'over_3_5', 'under_2_5', 'btts'];
    assert.deepEqual(Object.keys(model.probabilities), keys);
    assert.deepEqual(Object.keys(model.fair_odds), keys);
  });

  it('is null with three home or three away matches, because matches at the opponent’s ground do not count', () => {
    const without = (day: number) => SMALL.filter((_, index) => index !== day - 1);
    assert.equal(predict(without(1), 1, 2), null);
    assert.equal(predict(without(5), 1, 2), null);
    assert.ok(predict(without(9), 1, 2));
    assert.equal(predict(SMALL, 2, 1), null);
  });

  it('is null for a league with at most one match, for an unknown side, and for a side against itself', () => {
    assert.equal(predict([], 1, 2), null);
    assert.equal(predict([played(1, 1, '1:0', 2)], 1, 2), null);
    assert.equal(predict(SMALL, 1, 99), null);
    assert.equal(predict(SMALL, 99, 2), null);
    const both = [...SMALL, ...[21, 22, 23, 24].map((day) => played(day, 3, '1:1', 1))];
    assert.ok(predict(both, 1, 2));
    assert.equal(predict(both, 1, 1), null);
  });

  it('is null if no home side or no away side in the league has scored', () => {
    const scores = (score: string) => SMALL.map((match, index) => played(index, match.home_id, score, match.away_id));
    assert.equal(predict(scores('0:0'), 1, 2), null);
    assert.equal(predict(scores('0:1'), 1, 2), null);
    assert.equal(predict(scores('1:0'), 1, 2), null);
    assert.ok(predict(scores('1:1'), 1, 2));
  });

  it('is null if the matrix would need goals in the thousands', () => {
    const absurd = [...SMALL, ...[21, 22].map((day) => played(day, 1, '32767:0', 3)), played(23, 4, '32767:0', 2)];
    assert.equal(predict(absurd, 1, 2), null);
  });

  it('has only finite numbers for any results in any order', () => {
    const goals = fc.oneof(fc.nat(9), fc.nat(149));
    const match = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }), goals, goals);
    fc.assert(
      fc.property(fc.array(match, { minLength: 20, maxLength: 60 }), (rows) => {
        const league = rows.map(([home, away, h, a], day) => played(day, home, `${h}:${a}`, away));
        const prediction = predict(league, 1, 2);
        assert.deepEqual(predict(league.toReversed(), 1, 2), prediction);
        if (!prediction) return;
        const model = toModel(prediction);
        const numbers = [
          ...Object.values(model.expected_goals),
          ...Object.values(model.probabilities),
          ...Object.values(model.fair_odds).filter((odds) => odds !== null),
          ...model.likely_scorelines.map(({ prob }) => prob),
        ];
        for (const number of numbers) assert.ok(Number.isFinite(number) && number >= 0, JSON.stringify(model));
      }),
    );
  });

  it('is null if the fair price is too large for a number', () => {
    assert.equal(fairOdds(0), null);
    assert.equal(fairOdds(Number.MIN_VALUE), null);
    assert.equal(fairOdds(0.25), 4);
  });
});
