import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../src/runtime/time-limit.ts';

describe('a wait with a time limit', () => {
  it('gives the promise’s value if it is in time', async () => {
    assert.equal(await within(1_000, Promise.resolve('value'), 'late'), 'value');
  });

  it('gives the fallback value if the promise takes longer', async () => {
    assert.equal(await within(5, sleep(1_000, 'value', { ref: false }), 'late'), 'late');
  });

  it('throws the promise’s error', async () => {
    await assert.rejects(within(1_000, Promise.reject(new Error('broken')), 'late'), /broken/);
  });
});
