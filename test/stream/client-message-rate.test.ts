import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MessageRate } from '../../src/stream/client-message-rate.ts';

/**
 * @param times ms, ascending
 * @returns the index of the first message above the limit; null if there is none
 */
function tooManyAt(times: readonly number[]): number | null {
  const rate = new MessageRate(times[0] ?? 0);
  const place = times.findIndex((time) => rate.count(time));
  return place === -1 ? null : place;
}
const paced = (count: number, everyMs: number) => Array.from({ length: count }, (_, index) => index * everyMs);

describe('a client’s message rate', () => {
  it('is allowed at 10 messages a second without a time limit', () => {
    assert.equal(tooManyAt(paced(10_000, 100)), null);
  });

  it('is too high after five seconds at 11 messages a second', () => {
    const place = tooManyAt(paced(100, 90))!;
    assert.ok(place * 90 >= 5_000 && place * 90 < 5_200, `${place * 90} ms`);
  });

  it('may be higher in bursts with pauses between them', () => {
    const bursts = Array.from({ length: 20 }, (_, burst) => new Array<number>(1_000).fill(burst * 2_000)).flat();
    assert.equal(tooManyAt(bursts), null);
    const almost = [0, 1, 2, 3, 5, 6, 7, 8, 10].flatMap((second) => new Array<number>(51).fill(second * 1_000));
    assert.equal(tooManyAt(almost), null);
  });

  it('is allowed if no second has more than 10 messages', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 300 }), (gaps) => {
        let now = 0;
        const times: number[] = [];
        for (const gap of gaps) {
          // The tenth message before this one was sent at least a second earlier.
          now = Math.max(now + gap, (times.at(-10) ?? -1_000) + 1_000);
          times.push(now);
        }
        return tooManyAt(times) === null;
      }),
    );
  });

  it('is still counted correctly when the clock is set back', () => {
    const rate = new MessageRate(1e12);
    for (let i = 0; i < 60; i += 1) rate.count(1e12);
    assert.equal(rate.isFull(1e12), true);
    assert.equal(rate.isFull(1e12 - 3_600_000), false);
    for (let i = 0; i < 60; i += 1) rate.count(1e12 - 3_600_000);
    assert.equal(rate.isFull(1e12 - 3_600_000), true);
  });
});
