import assert from 'node:assert/strict';
import { contrast, difference, isGrey, mixed } from '../../src/wire/team-colours.ts';

describe('two colours', () => {
  it('have the contrast of WCAG 2', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.equal(contrast('#ffffff', '#000000'), 21);
    assert.equal(contrast('#c8102e', '#c8102e'), 1);
    assert.equal(contrast('#767676', '#ffffff').toFixed(2), '4.54');
    assert.equal(contrast('#ff0000', '#ffffff').toFixed(2), '4.00');
  });

  it('are grey or not', () => {
    assert.deepEqual(['#c1c7cb', '#ffffff', '#111111', '#0b2545', '#ffffe0', '#6cabdd'].map(isGrey), [
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('are mixed by channel', () => {
    assert.equal(mixed('#000000', '#ffffff', 0.5), '#808080');
    assert.equal(mixed('#102030', '#ffffff', 0), '#102030');
    assert.equal(mixed('#102030', '#ff0080', 1), '#ff0080');
  });

  it('differ by the eyes that tell them apart least', () => {
    assert.equal(difference('#123456', '#123456'), 0);
    assert.ok(Math.abs(difference('#000000', '#ffffff') - 1) < 0.001);
    // Red and green of one lightness are hardly told apart without the cones for red or green. Red and blue are.
    assert.ok(difference('#c0392b', '#5f7a1f') < 0.12);
    assert.ok(difference('#c8102e', '#1450a8') > 0.2);
    assert.equal(difference('#c8102e', '#1450a8'), difference('#1450a8', '#c8102e'));
  });
});
