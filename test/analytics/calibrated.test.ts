import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  fitLeague,
  type LeagueFit,
  predictCalibrated,
  toCalibratedModel,
} from '../../src/analytics/calibrated/calibrated-model.ts';
import type { CalibratedMatch } from '../../src/analytics/calibrated/columns.ts';
import { readParameters, sportParameters } from '../../src/analytics/calibrated/parameters.ts';
import type { Probabilities } from '../../src/analytics/poisson/poisson.ts';
import { match, simulate, sportOf } from './history.ts';
import { at } from './matches.ts';

const SHIPPED = sportParameters('football')!;
const HOCKEY = sportParameters('ice-hockey')!;
const NOW = at('2024-12-31T12:00:00Z');

const close = (actual: number, expected: number, tolerance = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
const fitted = (league: readonly CalibratedMatch[], sport = sportOf(), start = NOW): LeagueFit => {
  const fit = fitLeague(league, start, sport);
  assert.ok(fit);
  return fit;
};
const expected = (fit: LeagueFit, home: number, away: number, neutral = false) =>
  predictCalibrated(fit, home, away, neutral)!.expected;
function assertSound({ home_win, draw, away_win, ...others }: Probabilities): void {
  close(home_win + draw + away_win, 1, 2e-6);
  close(others.over_2_5 + others.under_2_5, 1, 2e-6);
  close(others.btts + others.btts_no, 1, 2e-6);
  assert.ok(others.over_1_5 >= others.over_2_5 && others.over_2_5 >= others.over_3_5);
  for (const value of [home_win, draw, away_win, ...Object.values(others)])
    assert.ok(value >= 0 && value <= 1, `${value}`);
}

/** Every pair of sides 1 to 4 plays twice. Side 1 is the strongest. */
const LEAGUE = [1, 2, 3, 4].flatMap((home) =>
  [1, 2, 3, 4]
    .filter((away) => away !== home)
    .map((away) => match(10 * home + away, home, `${Math.max(0, 3 + away - home)}:${Math.max(0, home - away)}`, away)),
);

describe('the calibrated model', () => {
  it('recovers the strengths from which simulated results were drawn', () => {
    const attack = (side: number) => (6.5 - side) / 15;
    const defence = (side: number) => ((side * 5) % 12) / 20 - 0.275;
    const league = [7, 8, 9, 10].flatMap((seed) =>
      simulate({
        seed,
        sides: 12,
        seasons: 3,
        goals: (home, away) => [0.35 + attack(home) + defence(away), 0.1 + attack(away) + defence(home)],
        pause: 1,
      }),
    );
    const sport = sportOf({ half_life_days: 100_000, ridge: 1, newcomer_matches: 0.001 });
    const fit = fitted(league, sport, at('2018-07-31T00:00:00Z'));
    assert.equal(fit.sample.matches, 1_584);
    close(fit.homeAdvantage, 0.25, 0.1);
    close(fit.level, 0.225, 0.1);
    for (let side = 1; side <= 12; side += 1) {
      // With about 300 goals, the standard error is 0.06.
      close(fit.strengths.get(side)!.attack, attack(side), 0.2);
      close(fit.strengths.get(side)!.defence, defence(side), 0.2);
    }
  });

  it('finds strengths that solve the equation goals = expected goals + ridge × distance from the prior', () => {
    const someNeutral = LEAGUE.map((one, index) => ({ ...one, neutral: index % 3 === 0 }));
    for (const league of [LEAGUE, someNeutral]) {
      const fit = fitted(league, sportOf({ half_life_days: 1e9, ridge: 3, level_matches: 1e-9 }));
      const surplus = (side: number, by: 'home_id' | 'away_id', other: 'home_id' | 'away_id') =>
        league.reduce((sum, one) => {
          const goals = expected(fit, one.home_id, one.away_id, one.neutral);
          if (one[by] === side) return sum + one.home_score - goals.home;
          return one[other] === side ? sum + one.away_score - goals.away : sum;
        }, 0);
      // Each side has six matches, so all sides have the same prior weight.
      const share = 20 / (20 + 6);
      for (const side of [1, 2, 3, 4]) {
        const { attack, defence } = fit.strengths.get(side)!;
        close(surplus(side, 'home_id', 'away_id'), 3 * (attack + 0.2 * share), 1e-4);
        close(surplus(side, 'away_id', 'home_id'), 3 * (defence - 0.1 * share), 1e-4);
      }
    }
  });

  it('gives a match half the weight once it is as old as the half-life', () => {
    const [yesterday, older] = [364, 264];
    const sport = sportOf({ half_life_days: 100 });
    const results = (day: number) => [match(day, 1, '3:0', 2), match(day, 2, '1:1', 3), match(day, 3, '0:2', 1)];
    const fresh = fitted([...results(yesterday), match(yesterday, 1, '1:1', 3)], sport);
    const aged = fitted(
      [...results(older), ...results(older), match(older, 1, '1:1', 3), match(older, 1, '1:1', 3)],
      sport,
    );
    for (const [side, { attack, defence }] of fresh.strengths) {
      close(aged.strengths.get(side)!.attack, attack);
      close(aged.strengths.get(side)!.defence, defence);
    }
    close(aged.level, fresh.level);
    const single = fitted([...results(older), match(older, 1, '1:1', 3)], sport);
    assert.ok(Math.abs(single.strengths.get(1)!.attack - fresh.strengths.get(1)!.attack) > 0.01);
  });

  it('uses only matches from earlier UTC days and from the last four years', () => {
    const fit = fitted(LEAGUE, sportOf(), at('2024-06-01T15:00:00Z'));
    const others = [
      { ...match(0, 1, '0:9', 2), start: at('2024-06-01T00:00:00Z') },
      { ...match(0, 1, '0:9', 2), start: at('2024-08-01T00:00:00Z') },
      { ...match(0, 1, '0:9', 2), start: at('2020-05-31T23:00:00Z') },
    ];
    assert.deepEqual(fitted([...others, ...LEAGUE], sportOf(), at('2024-06-01T15:00:00Z')), fit);
    const last = { ...match(0, 1, '0:9', 2), start: at('2024-05-31T23:59:59Z') };
    assert.notDeepEqual(fitted([...LEAGUE, last], sportOf(), at('2024-06-01T15:00:00Z')), fit);
  });

  it('treats a side with few matches almost like a side without matches, which scores less and concedes more than the average', () => {
    const fit = fitted(LEAGUE);
    const [unknown, average] = [expected(fit, 99, 98, true), Math.exp(fit.level)];
    close(unknown.home, average * Math.exp(-0.2 + 0.1), 1e-9);
    const known = fit.strengths.get(2)!;
    const against = expected(fit, 99, 2, true);
    close(against.home, average * Math.exp(known.defence - 0.2));
    close(against.away, average * Math.exp(known.attack + 0.1));
    const goals = (matches: number) => {
      const wins = Array.from({ length: matches }, (_, index) => match(100 + index, 5, '4:0', 1 + (index % 4)));
      return fitted([...LEAGUE, ...wins]).strengths.get(5)!.attack;
    };
    assert.ok(-0.2 < goals(1) && goals(1) < goals(3) && goals(3) < goals(9), `${goals(1)} ${goals(3)} ${goals(9)}`);
  });

  it('gives mirrored probabilities for swapped sides at a neutral venue, and the home side an advantage elsewhere', () => {
    const league = simulate({ seed: 3, sides: 10, seasons: 2, goals: () => [0.5, 0.1] });
    const fit = fitted(league, SHIPPED, at('2017-07-31T00:00:00Z'));
    for (let side = 2; side <= 12; side += 1) {
      const [one, other] = [predictCalibrated(fit, 1, side, true)!, predictCalibrated(fit, side, 1, true)!];
      assert.deepEqual(other.expected, { home: one.expected.away, away: one.expected.home });
      const mirrored = {
        ...one.probabilities,
        home_win: one.probabilities.away_win,
        away_win: one.probabilities.home_win,
      };
      for (const [name, value] of Object.entries(mirrored)) close(other.probabilities[name as 'draw'], value, 1e-12);
      assert.ok(predictCalibrated(fit, 1, side, false)!.probabilities.home_win > one.probabilities.home_win);
    }
  });

  it('does not count matches at neutral venues as home matches', () => {
    const wins = Array.from({ length: 40 }, (_, index) => match(index, 1 + (index % 4), '3:0', 5 + (index % 3)));
    const neutral = wins.map((one) => ({ ...one, neutral: true }));
    const sport = sportOf({ level_home_advantage: 0 });
    assert.ok(fitted(wins, sport).homeAdvantage > 0.3);
    close(fitted(neutral, sport).homeAdvantage, 0);
    assert.ok(expected(fitted(neutral, sport), 1, 5, true).home > expected(fitted(wins, sport), 1, 5, true).home);
  });

  it('rates a side with more shots on target higher if the parameters give shots a weight and most matches have shots', () => {
    const shots = (one: CalibratedMatch) => ({ ...one, home_shots_on_target: 9, away_shots_on_target: 3 });
    const drawn = [1, 2, 3, 4].flatMap((side) => [match(side, 1, '1:1', 2), match(20 + side, 2, '1:1', 1)]);
    const atHomeOnly = drawn.map((one) =>
      one.home_id === 1 ? shots(one) : { ...shots(one), home_shots_on_target: 3, away_shots_on_target: 9 },
    );
    const sport = { goals: sportOf().goals, shots: sportOf({ shots_share: 0.5 }).goals };
    const fit = fitted(atHomeOnly, sport);
    assert.equal(fit.method, 'shots');
    assert.ok(fit.strengths.get(1)!.attack > fit.strengths.get(2)!.attack + 0.1);
    assert.ok(fit.strengths.get(1)!.defence < fit.strengths.get(2)!.defence - 0.1);
    const half = atHomeOnly.map((one, index) => (index < 5 ? drawn[index]! : one));
    assert.deepEqual(fitted(half, sport), fitted(drawn, sport));
    assert.equal(fitted(drawn, sport).method, 'goals');
    const none = atHomeOnly.map((one) => ({ ...one, home_shots_on_target: 0, away_shots_on_target: 0 }));
    close(fitted(none, sport).level, fitted(drawn, sport).level);
  });

  it('can scale the differences between sides and the goal totals, without changing the average', () => {
    const plain = fitted(LEAGUE);
    const [one, two] = [
      expected(plain, 1, 4),
      expected({ ...plain, parameters: { ...plain.parameters, difference_scale: 2 } }, 1, 4),
    ];
    const ratio = ({ home, away }: { home: number; away: number }) => Math.log(home / away) - plain.homeAdvantage;
    close(ratio(two), 2 * ratio(one));
    close(two.home * two.away, one.home * one.away, 1e-6);
    const flat = expected(
      { ...plain, parameters: { ...plain.parameters, difference_scale: 1e-9, total_scale: 1e-9 } },
      1,
      4,
      true,
    );
    close(flat.home, Math.exp(plain.level), 1e-6);
    close(flat.away, Math.exp(plain.level), 1e-6);
  });

  it('corrects low scores as Dixon and Coles do, without a negative probability', () => {
    const goals = fc.double({ min: Math.log(0.02), max: Math.log(6), noNaN: true });
    fc.assert(
      fc.property(goals, goals, fc.double({ min: -1, max: 1, noNaN: true }), (level, homeAdvantage, rho) => {
        const fit: LeagueFit = {
          ...fitted(LEAGUE),
          parameters: sportOf({ low_score_correlation: rho, newcomer_attack: 0, newcomer_defence: 0 }).goals,
          level: level / 2,
          homeAdvantage: homeAdvantage / 2,
        };
        const { expected: means, probabilities } = predictCalibrated(fit, 98, 99, false)!;
        assertSound(probabilities);
        const [l, m] = [means.home, means.away];
        const limited = Math.max(-1 / l, -1 / m, Math.min(1, 1 / (l * m), rho));
        let home = 0;
        for (let i = 0, p = Math.exp(-l); i < 60; p *= l / ++i)
          for (let j = 0, q = Math.exp(-m); j < i; q *= m / ++j)
            home += p * q * (i === 1 && j === 0 ? 1 + m * limited : 1);
        close(probabilities.home_win, home, 2e-6);
      }),
    );
  });

  it('is null without matches, and for a side against itself', () => {
    assert.equal(fitLeague([], NOW, SHIPPED), null);
    assert.equal(fitLeague([match(1, 1, '3:0', 1)], NOW, SHIPPED), null);
    assert.equal(fitLeague([match(1, 1, '3:0', 2)], at('2024-01-02T23:59:00Z'), SHIPPED), null);
    assert.equal(predictCalibrated(fitted(LEAGUE), 2, 2, false), null);
  });

  it('stays near the sport’s average after one match', () => {
    const fit = fitted([match(1, 1, '5:0', 2)], SHIPPED);
    const { home, away } = expected(fit, 1, 2);
    assert.ok(home > 1.2 && home < 3 && away > 0.6 && away < 1.5, `${home} ${away}`);
    const hockey = expected(fitted([match(1, 1, '3:2', 2)], HOCKEY), 1, 2);
    assert.ok(hockey.home > 2.5 && hockey.home < 3.5 && hockey.away > 2.3 && hockey.away < 3.3, JSON.stringify(hockey));
  });

  it('gives valid probabilities for any matches in any order', () => {
    const score = fc.oneof(fc.nat(4), fc.nat(20), fc.constantFrom(0, 149, 32_767));
    const shots = fc.option(fc.oneof(fc.nat(20), fc.constantFrom(0, 1_000)), { nil: null });
    const side = fc.integer({ min: 1, max: 6 });
    const any = fc.record({
      start: fc.integer({ min: 0, max: 1_500 }).map((days) => NOW - days * 43_200),
      home_id: side,
      away_id: side,
      home_score: score,
      away_score: score,
      neutral: fc.boolean(),
      home_shots_on_target: shots,
      away_shots_on_target: shots,
    });
    fc.assert(
      fc.property(
        fc.array(any, { maxLength: 60 }),
        fc.constantFrom(SHIPPED, HOCKEY),
        fc.boolean(),
        (league, sport, neutral) => {
          const fit = fitLeague(league, NOW, sport);
          assert.deepEqual(fitLeague(league.toReversed(), NOW, sport), fit);
          if (!fit) return;
          for (const [home, away] of [
            [1, 2],
            [2, 1],
            [1, 77],
            [77, 78],
          ] as const) {
            const prediction = predictCalibrated(fit, home, away, neutral)!;
            assertSound(prediction.probabilities);
            assert.ok(prediction.expected.home > 0 && prediction.expected.away > 0);
          }
        },
      ),
    );
  });

  it('gives finite numbers if no goal was scored, and for absurd scores', () => {
    for (const score of ['0:0', '32767:0', '32767:32767']) {
      const league = LEAGUE.map((one) => match(1, one.home_id, score, one.away_id));
      for (const sport of [SHIPPED, HOCKEY]) {
        const fit = fitted(league, sport);
        assertSound(predictCalibrated(fit, 1, 2, false)!.probabilities);
      }
    }
  });

  it('returns the fields of the specified model, and names the method', () => {
    const model = toCalibratedModel(predictCalibrated(fitted(LEAGUE, SHIPPED), 1, 4, false)!);
    assert.deepEqual(Object.keys(model), [
      'expected_goals',
      'probabilities',
      'fair_odds',
      'method',
      'likely_scorelines',
    ]);
    assert.equal(model.method, 'ridge_poisson_goals');
    assert.ok(model.probabilities.home_win > 50);
    assert.equal(model.fair_odds.home_win, Math.round(10_000 / model.probabilities.home_win) / 100);
  });
});

describe('the parameters of the calibrated model', () => {
  it('exist for football and hockey', () => {
    for (const sport of ['football', 'ice-hockey']) assert.ok(sportParameters(sport), sport);
    for (const sport of ['basketball', 'tennis', '', '__proto__']) assert.equal(sportParameters(sport), undefined);
  });

  it('are refused if they come from a file that has no valid parameters', () => {
    for (const text of ['', '{}', '{"goals":{},"shots":{}}']) assert.throws(() => readParameters(text));
  });
});
