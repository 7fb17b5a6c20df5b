import assert from 'node:assert/strict';
import { createHarness, type Harness, newMatch, updateOf } from './sync-harness.ts';

describe('the total of a list', () => {
  let harness: Harness;
  let counts = 0;
  before(async () => {
    harness = await createHarness();
    const { pool } = harness.db;
    const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
    pool.query = ((...given: unknown[]) => {
      const { text = given[0] } = (given[0] ?? {}) as { text?: unknown };
      if (String(text).includes('count(*) AS total')) counts += 1;
      return query(...given);
    }) as typeof pool.query;
  });
  after(() => harness.close());
  beforeEach(async () => {
    await harness.clear();
    harness.notice('all');
    await harness.feed([0, 1, 2].map((serial) => updateOf(newMatch(serial))));
    await harness.settle();
    counts = 0;
  });

  /** @returns the total, and how often matches were counted for it */
  async function total(parameters = ''): Promise<[number, number]> {
    const before = counts;
    const { status, json } = await harness.app.ask<{ total: number }>(`/v1/events?limit=2${parameters}`);
    assert.equal(status, 200);
    return [json.total, counts - before];
  }
  /** Makes the replies in memory stale. */
  const expire = () => harness.notice([999_999]);

  it('is not counted again until a match is created, changed or deleted', async () => {
    assert.deepEqual(await total(), [3, 1]);
    expire();
    assert.deepEqual(await total(), [3, 0]);
    assert.deepEqual(await total('&offset=1'), [3, 0]);
    await harness.feed([updateOf(newMatch(3))]);
    assert.deepEqual(await total(), [4, 1], 'right after the reply');
    expire();
    assert.deepEqual(await total(), [4, 1], 'while the change is pending');
    await harness.settle();
    expire();
    assert.deepEqual(await total(), [4, 1], 'after the change is settled');
    expire();
    assert.deepEqual(await total(), [4, 0]);
    await harness.feed([{ ...updateOf(newMatch(3)), deleted: true }]);
    assert.deepEqual(await total(), [3, 1]);
  });

  it('is counted again for a list with filters, and after a restore', async () => {
    assert.deepEqual(await total('&sport=football'), [3, 1]);
    expire();
    assert.deepEqual(await total('&sport=football'), [3, 1]);
    assert.deepEqual(await total('&order=desc'), [3, 1]);
    expire();
    assert.deepEqual(await total('&order=desc'), [3, 0]);
    harness.notice('all');
    assert.deepEqual(await total('&order=desc'), [3, 1]);
  });
});
