import assert from 'node:assert/strict';
import { formatDate, modelSample, newestFirst, playedBefore } from '../../src/analytics/samples/match-samples.ts';
import { at, played } from './matches.ts';

const starts = (...times: string[]) => times.map((time, id) => ({ ...played(id, 1, '1:0', 2), start: at(time) }));
const ids = (matches: { id: number }[]) => matches.map(({ id }) => id);

describe('a match’s sample', () => {
  it('ends before the match’s UTC day, so that matches on that day and later are left out', () => {
    const matches = starts(
      '2024-05-03T23:59:59Z',
      '2024-05-04T00:00:00Z',
      '2024-05-04T12:00:00Z',
      '2024-05-04T20:00:00Z',
      '2024-05-05T00:00:00Z',
    );
    for (const time of ['2024-05-04T00:00:00Z', '2024-05-04T20:00:00Z', '2024-05-05T01:30:00+02:00'])
      assert.deepEqual(ids(playedBefore(at(time), matches)), [0], time);
    assert.deepEqual(playedBefore(at('1900-01-01T00:00:00Z'), matches), []);
  });

  it("begins 913 days before the match's day if it is for the model", () => {
    const matches = starts(
      '2021-11-01T23:59:59Z',
      '2021-11-02T00:00:00Z',
      '2024-05-02T12:00:00Z',
      '2024-05-03T00:00:00Z',
    );
    assert.deepEqual(ids(modelSample(at('2024-05-03T19:00:00Z'), matches)), [1, 2]);
  });

  it('may include days before 1970', () => {
    const matches = starts('1950-07-15T23:00:00Z', '1950-07-16T10:00:00Z');
    assert.deepEqual(ids(playedBefore(at('1950-07-16T18:00:00Z'), matches)), [0]);
    assert.equal(formatDate(at('1950-07-16T23:59:59Z')), '1950-07-16');
  });

  it('is ordered from newest to oldest, and by id if two matches start at the same time', () => {
    const matches = starts('2024-05-01T12:00:00Z', '2024-05-03T12:00:00Z', '2024-05-01T12:00:00Z');
    assert.deepEqual(ids(newestFirst(matches)), [1, 2, 0]);
    assert.deepEqual(ids(newestFirst(matches.toReversed())), [1, 2, 0]);
  });
});
