import assert from 'node:assert/strict';
import {
  afterOutcome,
  DISABLED_AFTER_MS,
  FAILING_AFTER,
  type Health,
  RETRY_WAITS_MS,
  retryWait,
} from '../../src/webhooks/health.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;

describe('Repeats of a webhook', () => {
  it('come after 5 s, 30 s, 2 min, 10 min, 30 min and 2 h, each ±20 %, and no more', () => {
    assert.deepEqual(RETRY_WAITS_MS, [5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000]);
    RETRY_WAITS_MS.forEach((wait, place) => {
      assert.equal(retryWait(place + 1, null, NOW, 0), wait * 0.8);
      assert.equal(retryWait(place + 1, null, NOW, 0.5), wait);
      assert.equal(retryWait(place + 1, null, NOW, 1), wait * 1.2);
    });
    assert.equal(retryWait(7, null, NOW), null);
    assert.equal(retryWait(7, '1', NOW), null);
  });

  it('honour Retry-After from the wait to twice the wait', () => {
    const date = (seconds: number) => new Date(NOW + seconds * 1_000).toUTCString();
    for (const [text, expected] of [
      ['45', 45_000],
      ['0', 30_000],
      ['1', 30_000],
      ['60', 60_000],
      ['61', 60_000],
      ['99999999999999999999999', 60_000],
      [date(45), 45_000],
      [date(-3_600), 30_000],
      [date(86_400), 60_000],
      ['', 30_000],
      ['-5', 30_000],
      ['soon', 30_000],
      ['4e9', 30_000],
      ['45.5', 30_000],
      ['45, 50', 30_000],
      ['0x40', 30_000],
      ['Sun, 99 Foo 2026 99:99:99 GMT', 30_000],
      ['2026-03-01T12:00:45Z', 30_000],
      ['Infinity', 30_000],
      [null, 30_000],
    ] as [string | null, number][]) {
      assert.equal(retryWait(2, text, NOW, 0.5), expected, String(text));
    }
  });
});

describe('The health of a subscription', () => {
  const fresh: Health = {
    lastSentAt: NOW,
    lastSuccessAt: null,
    lastFailureAt: null,
    lastFailure: null,
    failingSince: null,
    failures: 0,
    disabled: null,
  };
  const failed = { status: 500, failure: 'status 500' };
  const delivered = { status: 200, failure: null };
  const after = (health: Health, ...steps: [outcome: typeof failed | typeof delivered, now: number][]) =>
    steps.reduce((state, [outcome, now]) => afterOutcome(state, outcome, now), health);

  it('counts failures in a row, from the first after the last success', () => {
    const failing = after(
      fresh,
      [failed, NOW],
      [failed, NOW + 1],
      [failed, NOW + 2],
      [failed, NOW + 3],
      [failed, NOW + 4],
    );
    assert.deepEqual(
      [failing.failures, failing.failingSince, failing.lastFailure, failing.disabled],
      [FAILING_AFTER, NOW, 'status 500', null],
    );
    const well = after(failing, [delivered, NOW + 5]);
    assert.deepEqual(
      [well.failures, well.failingSince, well.lastSuccessAt, well.lastFailureAt],
      [0, null, NOW + 5, NOW + 4],
    );
  });

  it('is disabled after 72 h without a success, not before', () => {
    assert.equal(DISABLED_AFTER_MS, 72 * HOUR);
    const first = after(fresh, [failed, NOW]);
    assert.equal(after(first, [failed, NOW + 72 * HOUR - 1]).disabled, null);
    assert.equal(after(first, [failed, NOW + 72 * HOUR]).disabled, 'no_success');
    assert.equal(after(first, [delivered, NOW + 71 * HOUR], [failed, NOW + 72 * HOUR]).disabled, null);
  });

  it('is disabled by 410, whatever else comes back at the same time', () => {
    const gone = after(fresh, [{ status: 410, failure: 'status 410' }, NOW]);
    assert.equal(gone.disabled, 'gone');
    assert.equal(after(gone, [failed, NOW + 1], [delivered, NOW + 2]).disabled, 'gone');
  });
});
