import assert from 'node:assert/strict';
import fc from 'fast-check';
import { meanOrNull, percentage, roundTo } from '../../src/analytics/rounding.ts';

describe('rounding', () => {
  it('rounds halves away from zero, by a number’s decimal digits', () => {
    for (const [value, rounded] of [
      [1.005, 1.01],
      [-1.005, -1.01],
      [2.675, 2.68],
      [0.125, 0.13],
      [-0.125, -0.13],
      [1.0049999, 1],
      [8.345, 8.35],
      [36.225, 36.23],
      [1e-7, 0],
      [0.005, 0.01],
      [1e21, 1e21],
      [Number.MAX_VALUE, Number.MAX_VALUE],
      [Number.MIN_VALUE, 0],
    ] as const)
      assert.equal(roundTo(2, value), rounded, `${value}`);
    assert.equal(roundTo(4, 1.89915), 1.8992);
    assert.equal(roundTo(0, 2.5), 3);
  });

  it('does not round a half down because of an error in a sum’s last digits', () => {
    assert.ok(1.2249999999999999 < 1.225);
    assert.equal(roundTo(2, 1.2249999999999999), 1.23);
    assert.equal(roundTo(2, 1.22499999), 1.22);
  });

  it('gives 0, not -0, for a small negative number', () => {
    for (const value of [-0, -0.001, -1e-12]) assert.ok(Object.is(roundTo(2, value), 0), `${value}`);
  });

  it('gives the nearest number with the same sign, and leaves a rounded number unchanged', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.integer({ min: 0, max: 4 }),
        (value, decimals) => {
          const rounded = roundTo(decimals, value);
          assert.ok(Math.abs(rounded - value) <= 0.5 * 10 ** -decimals * (1 + 1e-9) + Math.abs(value) * 1e-15);
          assert.equal(roundTo(decimals, rounded), rounded);
          assert.equal(roundTo(decimals, -value), rounded === 0 ? 0 : -rounded);
        },
      ),
    );
  });

  it('never gives a larger number a smaller result', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(value, value, (a, b) => {
        assert.ok(roundTo(2, Math.min(a, b)) <= roundTo(2, Math.max(a, b)));
      }),
    );
  });

  it('gives null for percentages and averages without data', () => {
    assert.equal(percentage(0, 0), null);
    assert.equal(meanOrNull(0, 0), null);
    assert.equal(percentage(1, 3), 33.33);
    assert.equal(percentage(2, 3), 66.67);
    assert.equal(percentage(0, 3), 0);
    assert.equal(meanOrNull(45, 8), 5.63);
  });
});
