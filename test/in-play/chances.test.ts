import assert from 'node:assert/strict';
import fc from 'fast-check';
import { byResult, type Chances, ChanceTable, EXTRA_TIME, REGULAR_TIME } from '../../src/in-play/chances.ts';
import { inPlayParameters } from '../../src/in-play/parameters.ts';
import { toWinProbability } from '../../src/in-play/percent.ts';
import { shootOutChance } from '../../src/in-play/shoot-out.ts';

const parameters = inPlayParameters();
/** Parameters with which nothing changes the rates, and a rate of 1 means one expected goal in 90 minutes. */
const PLAIN = {
  ...parameters,
  level: -Math.log(90),
  rise: 0,
  first_half_end: 0,
  second_half_end: 0,
  leading: 0,
  trailing: 0,
  sent_off: 0,
  opponent_sent_off: 0,
};
const NONE = { home: 0, away: 0 };
const table = (home: number, away: number, sentOff = NONE, used = parameters) =>
  new ChanceTable({ rates: { home, away }, sentOff, part: REGULAR_TIME, ending: byResult, parameters: used });

const close = (actual: Chances, expected: Chances, tolerance: number) => {
  for (const outcome of ['home', 'draw', 'away'] as const)
    assert.ok(
      Math.abs(actual[outcome] - expected[outcome]) < tolerance,
      `${outcome}: ${actual[outcome]} instead of ${expected[outcome]}`,
    );
};

describe('chances in a match in progress', () => {
  it('follow from two Poisson goal counts if the rates are constant', () => {
    // Computed from e^-λ λ^k / k! with λ 1.5 and 1. In the second case λ is a third, and the away side leads by a goal.
    close(table(1.5, 1, NONE, PLAIN).at(0, 0), { home: 0.48795, draw: 0.25985, away: 0.25221 }, 0.003);
    close(table(1.5, 1, NONE, PLAIN).at(60, -1), { home: 0.06814, draw: 0.23592, away: 0.69594 }, 0.003);
  });

  it('are 45, 27 and 27 % at the start with the shipped parameters, and follow the score and the sendings-off', () => {
    close(table(1.6, 1.2).at(0, 0), { home: 0.4522, draw: 0.2745, away: 0.2733 }, 0.001);
    close(table(1.6, 1.2).at(60, 1), { home: 0.7506, draw: 0.201, away: 0.0484 }, 0.001);
    close(table(1.6, 1.2, { home: 0, away: 1 }).at(1, 0), { home: 0.7872, draw: 0.1497, away: 0.0631 }, 0.001);
  });

  it('are decided by the score at the end', () => {
    assert.deepEqual(table(1.6, 1.2).at(90, 1), { home: 1, draw: 0, away: 0 });
    assert.deepEqual(table(1.6, 1.2).at(90, 0), { home: 0, draw: 1, away: 0 });
    assert.deepEqual(table(1.6, 1.2).at(90, -3), { home: 0, draw: 0, away: 1 });
  });

  it('reflect that a side with one player fewer scores half as much, and that a half’s last minute counts as several minutes', () => {
    assert.ok(Math.abs(Math.exp(parameters.sent_off) - 0.55) < 0.02);
    assert.ok(Math.abs(Math.exp(parameters.opponent_sent_off) - 1.67) < 0.02);
    assert.ok(Math.abs(Math.exp(parameters.first_half_end) - 3.9) < 0.1);
    assert.ok(Math.abs(Math.exp(parameters.second_half_end) - 6.9) < 0.1);
  });

  const rate = fc.double({ min: 0.01, max: 50, noNaN: true });
  const sent = fc.record({ home: fc.nat(11), away: fc.nat(11) });

  it('with one more home goal never fall for a home win and never rise for an away win, whether exact or as shown', () => {
    fc.assert(
      fc.property(
        rate,
        rate,
        sent,
        fc.double({ min: 0, max: 90, noNaN: true }),
        fc.boolean(),
        (home, away, sentOff, minute, isExtra) => {
          const part = isExtra ? EXTRA_TIME : REGULAR_TIME;
          const chances = new ChanceTable({ rates: { home, away }, sentOff, part, ending: byResult, parameters });
          let before: Chances | null = null;
          for (let difference = -45; difference <= 45; difference += 1) {
            const now = chances.at(minute, difference);
            const sum = now.home + now.draw + now.away;
            assert.ok(Math.abs(sum - 1) < 1e-9, `sum ${sum}`);
            const shown = toWinProbability(now);
            assert.equal(Math.round(10 * (shown.homeWin + shown.draw + shown.awayWin)), 1_000);
            assert.ok(shown.draw >= 0);
            if (before !== null) {
              assert.ok(now.home >= before.home - 1e-12, `home at ${difference}`);
              assert.ok(now.away <= before.away + 1e-12, `away at ${difference}`);
              assert.ok(shown.homeWin >= toWinProbability(before).homeWin);
            }
            before = now;
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are better for the leading side the less time is left', () => {
    const chances = table(1.3, 1.3);
    for (let minute = 1; minute <= 90; minute += 1)
      assert.ok(chances.at(minute, 1).home > chances.at(minute - 1, 1).home, `minute ${minute}`);
  });
});

describe('the chance to win a shoot-out', () => {
  const kicks = (text: string) =>
    [...text].map((sign, index) => ({
      side: index % 2 === 0 ? ('home' as const) : ('away' as const),
      scored: sign === '+',
    }));
  for (const [taken, chance] of [
    ['', 0.5],
    ['++++++++', 0.5],
    ['+-+-+-', 1],
    ['-+-+-+', 0],
    ['++++++++++', 0.5],
    // Sudden death. Away has to score, with a chance of three in four.
    ['+++++++++++', 0.625],
    ['++++++++++-', 0.125],
    ['++++++++++-+', 0],
  ] as const)
    it(`is ${chance} after "${taken}"`, () => assert.ok(Math.abs(shootOutChance(kicks(taken)) - chance) < 1e-12));

  it('is 50 % for each side if kicks are missing from the list, however long the list is', () => {
    const side = 'home' as const;
    assert.equal(shootOutChance(Array.from({ length: 5_000 }, (_, index) => ({ side, scored: index % 2 === 0 }))), 0.5);
  });
});
