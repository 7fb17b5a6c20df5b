import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binomialTail } from '../../src/analytics/trends/binomial.ts';
import { exactTail } from './naive-trends.ts';

describe('the binomial tail', () => {
  it('has the values computed by hand', () => {
    assert.equal(binomialTail(2, 2, 0.5), 0.25);
    assert.ok(Math.abs(binomialTail(9, 10, 0.5) - 11 / 1_024) < 1e-15);
    assert.ok(Math.abs(binomialTail(1, 3, 0.1) - 0.271) < 1e-15);
    assert.equal(binomialTail(0, 10, 0.3), 1);
    assert.equal(binomialTail(11, 10, 0.3), 0);
  });

  it('is exactly 0 or 1 if the outcome is certain', () => {
    assert.deepEqual(
      [binomialTail(1, 5, 0), binomialTail(0, 5, 0), binomialTail(5, 5, 1), binomialTail(0, 0, 0.5)],
      [0, 1, 1, 1],
    );
  });

  it('equals the exact fraction', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), fc.integer({ min: 1, max: 999 }), (n, k, up) => {
        const exact = exactTail(k, n, BigInt(up), 1_000n);
        const tail = binomialTail(k, n, up / 1_000);
        assert.ok(Math.abs(tail - exact) <= 1e-12 * exact + 1e-39, `${tail} ${exact}`);
      }),
    );
  });

  it('is finite for many trials and rare events', () => {
    assert.ok(Math.abs(binomialTail(400, 1_000, 0.4) - 0.5) < 0.02);
    assert.equal(binomialTail(1_000, 1_000, 1e-9), 0);
    assert.ok(Math.abs(binomialTail(1, 100_000, 0.5) - 1) < 1e-12);
  });

  it('refuses an invalid probability or count', () => {
    for (const probability of [-0.1, 1.1, Number.NaN]) assert.throws(() => binomialTail(1, 2, probability), RangeError);
    for (const trials of [-1, 1.5, Number.NaN]) assert.throws(() => binomialTail(1, trials, 0.5), RangeError);
  });
});
