/** Tests pairs of sides: their key, their meetings, and the sides in a match. */
import assert from 'node:assert/strict';
import { countMeetings, pairKey, sidesOf } from '../../src/competitions/meetings.ts';

const match = (home_id: number, away_id: number) => ({ home_id, away_id });

describe('meetings', () => {
  it('counts two sides’ matches together, whoever plays at home', () => {
    assert.equal(pairKey(match(9, 10)), pairKey(match(10, 9)));
    const counts = countMeetings([match(9, 10), match(10, 9), match(9, 11)]);
    assert.deepEqual([...counts.values()], [2, 1]);
  });

  it('lists sides once, in the order in which they first play', () => {
    assert.deepEqual([...sidesOf([match(3, 1), match(2, 3)])], [3, 1, 2]);
  });
});
