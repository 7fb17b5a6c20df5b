import assert from 'node:assert/strict';
import { DAY_MS, DAY_SECONDS, timestamp, utcDay, wireTime } from '../../src/wire/time.ts';

describe('durations and days', () => {
  it('a day has 86,400 seconds', () => {
    assert.equal(DAY_MS, 86_400_000);
    assert.equal(DAY_SECONDS, 86_400);
  });

  it('a day is the UTC date, for a number and for a Date', () => {
    assert.equal(utcDay(Date.parse('2026-03-01T02:59:59+03:00')), '2026-02-28');
    assert.equal(utcDay(new Date('2026-03-01T00:00:00Z')), '2026-03-01');
  });
});

describe('wire time', () => {
  it('is written in UTC with whole seconds, truncated', () => {
    assert.equal(wireTime(0), '1970-01-01T00:00:00Z');
    assert.equal(wireTime(1_700_000_000_999), '2023-11-14T22:13:20Z');
    assert.equal(wireTime(Date.parse('2026-03-01T12:30:00+03:00')), '2026-03-01T09:30:00Z');
  });

  it('is accepted by the schema only in this form', () => {
    assert.ok(timestamp.safeParse(wireTime(Date.now())).success);
    for (const text of ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00+00:00', '2026-03-01 12:00:00Z', '2026-03-01'])
      assert.ok(!timestamp.safeParse(text).success, text);
  });
});
