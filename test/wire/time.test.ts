import assert from 'node:assert/strict';
import { timestamp, wireTime } from '../../src/wire/time.ts';

describe('wire time', () => {
  it('a time is written in UTC with whole seconds, truncated', () => {
    assert.equal(wireTime(0), '1970-01-01T00:00:00Z');
    assert.equal(wireTime(1_700_000_000_999), '2023-11-14T22:13:20Z');
    assert.equal(wireTime(Date.parse('2026-03-01T12:30:00+03:00')), '2026-03-01T09:30:00Z');
  });

  it('the schema accepts this form and no other', () => {
    assert.ok(timestamp.safeParse(wireTime(Date.now())).success);
    for (const text of ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00+00:00', '2026-03-01 12:00:00Z', '2026-03-01'])
      assert.ok(!timestamp.safeParse(text).success, text);
  });
});
