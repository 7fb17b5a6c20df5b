import assert from 'node:assert/strict';
import { checkout, highestBreak } from '../../../src/web/match-page/points-history.ts';

const course = (...points: [home: number, away: number][]) =>
  points.map(([home, away]) => ({ home: String(home), away: String(away) }));

describe('figures from the course of the points', () => {
  it('a checkout is what the winner had left before the last visit', () => {
    const points = course([416, 501], [416, 401], [121, 401], [121, 300], [0, 300]);
    assert.equal(checkout(points, 'home'), 121);
    assert.equal(checkout(points, 'away'), null, 'the loser has points left');
    assert.equal(checkout(points, null), null);
    assert.equal(checkout([], 'home'), null);
  });

  it('a break is what a side scores until the other side scores, whether the source counts visits or shots', () => {
    assert.equal(highestBreak(course([68, 0], [68, 33], [69, 33], [69, 73])), 68);
    assert.equal(highestBreak(course([1, 0], [8, 0], [40, 0], [52, 0], [52, 49])), 52);
    assert.equal(highestBreak(course([49, 0], [49, 49])), null, 'breaks below 50 are not told');
    assert.equal(highestBreak(course([0, 50])), 50);
    assert.equal(highestBreak([]), null);
    assert.equal(highestBreak([{ home: '', away: 'x' }]), null, 'points that are no numbers');
  });
});
