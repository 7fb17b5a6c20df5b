import assert from 'node:assert/strict';
import { AddressUse } from '../../../src/accounts/limits/address-use.ts';
import type { PlanWindow } from '../../../src/accounts/plans/plan-file.ts';

const WINDOWS: readonly PlanWindow[] = [
  { name: 'burst', quota: 4 },
  { name: 'day', quota: 10 },
  { name: 'month', quota: 25 },
];
const NOON = Date.parse('2026-03-30T12:00:00Z');
const DAY_MS = 86_400_000;

/** Returns how many of `times` concurrent requests are admitted, and the limit that refuses the next one. */
function ask(use: AddressUse, times: number, now: number, pods = 1): [admitted: number, stopped: string] {
  let admitted = 0;
  for (let n = 0; n < times; n += 1) {
    const violations = use.violations(1, now, pods);
    if (violations.length > 0)
      return [admitted, violations.map((one) => `${one.window} ${one.retryAfterSeconds}`).join()];
    use.spend(1, now);
    admitted += 1;
  }
  return [admitted, ''];
}

describe('an address’s usage', () => {
  it('is limited by a burst, a rate, a daily quota and a monthly quota', () => {
    const use = new AddressUse(WINDOWS, NOON);
    assert.deepEqual(ask(use, 9, NOON), [4, 'address-burst 1']);
    assert.deepEqual(ask(use, 9, NOON + 1_000), [4, 'address-burst 1']);
    assert.deepEqual(ask(use, 9, NOON + 2_000), [2, `address-day ${12 * 3_600 - 2}`]);
    assert.deepEqual(ask(use, 3, NOON + DAY_MS), [3, '']);
    // A new month has begun.
    assert.deepEqual(ask(use, 3, NOON + 2 * DAY_MS), [3, '']);
  });

  it('keeps the month’s count when a new day begins', () => {
    const use = new AddressUse(
      WINDOWS.filter(({ name }) => name !== 'burst'),
      NOON - 2 * DAY_MS,
    );
    assert.equal(ask(use, 20, NOON - 2 * DAY_MS)[0], 10);
    assert.equal(ask(use, 20, NOON - DAY_MS)[0], 10);
    assert.deepEqual(ask(use, 20, NOON), [5, `address-month ${36 * 3_600}`]);
    assert.equal(ask(use, 20, NOON + 2 * DAY_MS)[0], 10);
  });

  it('is limited in each process to an equal share, which is at least one request', () => {
    const pods = 4;
    const day = () => new AddressUse([{ name: 'day', quota: 10 }], NOON);
    assert.equal(ask(day(), 20, NOON, pods)[0], 2);
    assert.equal(ask(day(), 20, NOON, 100)[0], 1);
    const burst = new AddressUse([{ name: 'burst', quota: 4 }], NOON);
    assert.deepEqual(ask(burst, 9, NOON, pods), [4, 'address-burst 1']);
    assert.equal(ask(burst, 9, NOON + 1_000, pods)[0], 1);
  });

  it('lets refunded units be spent again, but only in the same window', () => {
    const use = new AddressUse([{ name: 'day', quota: 2 }], NOON);
    assert.equal(ask(use, 9, NOON)[0], 2);
    use.refund(1, NOON);
    assert.equal(ask(use, 9, NOON)[0], 1);
    assert.equal(ask(use, 9, NOON + DAY_MS)[0], 2);
    use.refund(1, NOON);
    assert.equal(ask(use, 9, NOON + DAY_MS)[0], 0);
  });

  it('neither loses nor gains units if the clock is set back', () => {
    const use = new AddressUse([{ name: 'burst', quota: 4 }], NOON);
    assert.equal(ask(use, 4, NOON)[0], 4);
    assert.equal(ask(use, 4, NOON - 60_000)[0], 0);
    assert.equal(ask(use, 4, NOON - 59_000)[0], 4);
  });

  it('shows the remaining units', () => {
    const use = new AddressUse(WINDOWS, NOON);
    ask(use, 3, NOON);
    assert.deepEqual(use.state(NOON, 1), [
      { name: 'address-burst', quota: 4, seconds: 1, left: 1, resetSeconds: 1 },
      { name: 'address-day', quota: 10, seconds: 86_400, left: 7, resetSeconds: 43_200 },
      { name: 'address-month', quota: 25, seconds: 31 * 86_400, left: 22, resetSeconds: 36 * 3_600 },
    ]);
  });
});
