import assert from 'node:assert/strict';
import { retryWait } from '../../src/webhooks/delivery/retry-schedule.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('a webhook’s retry schedule', () => {
  it('retries a delivery after 5 s, 30 s, 2 min, 10 min, 30 min and 2 h, each ±20 %, and then gives it up', () => {
    const waits = [5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000];
    waits.forEach((wait, index) => {
      assert.equal(retryWait(index + 1, null, NOW, 0), wait * 0.8);
      assert.equal(retryWait(index + 1, null, NOW, 0.5), wait);
      assert.equal(retryWait(index + 1, null, NOW, 1), wait * 1.2);
    });
    assert.equal(retryWait(7, null, NOW), null);
    assert.equal(retryWait(7, '1', NOW), null);
  });

  it('waits at most twice as long as planned if the reply has a Retry-After', () => {
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
