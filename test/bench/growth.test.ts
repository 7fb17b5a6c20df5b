import assert from 'node:assert/strict';
import { grown, growth } from '../../bench/soak/growth.ts';

const MB = 1_048_576;
const looksOf = (measure: string, values: readonly number[]) => ({
  stream: values.map((value) => ({ [measure]: value })),
});

describe('growth over time', () => {
  it('is the median growth from one sample to the next, even if a single sample is far off', () => {
    assert.equal(growth([]), 0);
    assert.equal(growth([7]), 0);
    assert.equal(growth([1, 2, 3, 4]), 1);
    assert.equal(growth([1, 2, 900, 4, 5]), 1);
  });

  it('counts if it is above the limit and stays there', () => {
    const rising = [100, 148, 190, 240].map((mb) => mb * MB);
    assert.deepEqual(
      grown(looksOf('external', rising)).map(({ what }) => what),
      ['stream external'],
    );
    assert.deepEqual(
      grown(
        looksOf(
          'external',
          [100, 100.4, 100.9, 101.2].map((mb) => mb * MB),
        ),
      ),
      [],
    );
    assert.deepEqual(grown(looksOf('handles', [50, 900, 60, 1_000, 70, 950])), []);
    assert.equal(grown(looksOf('handles', [50, 60, 70, 80])).length, 1);
    assert.equal(grown(looksOf('leases', [50, 60, 70, 80])).length, 1);
  });
});
