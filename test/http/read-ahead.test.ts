import assert from 'node:assert/strict';
import { type AheadPage, createReadAhead } from '../../src/http/read-ahead.ts';

describe('pages read ahead', () => {
  let now: number;
  let notify: (changed: readonly number[] | 'all') => void;
  let reads: number;

  function open() {
    now = 0;
    reads = 0;
    const changes = {
      subscribe: (listener: typeof notify) => {
        notify = listener;
      },
    };
    return createReadAhead(changes, () => now);
  }
  const makePage = (...matches: number[]): AheadPage => ({
    bytes: 10,
    shows: (changed) => matches.some((id) => changed.has(id)),
  });
  const read = (page: AheadPage | null) => async () => {
    reads += 1;
    return page;
  };

  it('are given once, under their name', async () => {
    const ahead = open();
    const page = makePage(1);
    ahead.begin('a', read(page));
    ahead.begin('a', read(makePage(2)));
    assert.equal(reads, 1);
    assert.equal(await ahead.take('b'), null);
    assert.deepEqual([await ahead.take('a'), await ahead.take('a')], [page, null]);
    assert.deepEqual(ahead.statistics(), { hits: 1, misses: 0, bytes: 0 });
  });

  it('are given to one of two requests that wait for them', async () => {
    const ahead = open();
    const page = makePage(1);
    ahead.begin('a', read(page));
    const taken = await Promise.all([ahead.take('a'), ahead.take('a')]);
    assert.deepEqual(taken.filter((one) => one === page).length, 1);
  });

  it('are dropped if a match on them changes, but not if another one does', async () => {
    const ahead = open();
    const page = makePage(1, 2);
    ahead.begin('a', read(page));
    notify([3]);
    assert.equal(await ahead.take('a'), page);
    ahead.begin('a', read(page));
    notify([3, 2]);
    assert.equal(await ahead.take('a'), null);
    ahead.begin('a', read(page));
    assert.equal(await ahead.take('a'), page, 'an earlier change does not count');
    assert.deepEqual(ahead.statistics(), { hits: 2, misses: 1, bytes: 0 });
  });

  it('are dropped if any match may have changed, also while a request waits', async () => {
    const ahead = open();
    ahead.begin('a', read(makePage(1)));
    const waiting = ahead.take('a');
    notify('all');
    assert.equal(await waiting, null);
  });

  it('are dropped after a second, but a request waits for an unfinished read', async () => {
    const ahead = open();
    ahead.begin('a', read(makePage(1)));
    await new Promise(setImmediate);
    assert.equal(ahead.statistics().bytes, 10);
    now = 1_000;
    assert.equal(await ahead.take('a'), null);
    const page = makePage(2);
    let finish = (_page: AheadPage) => {};
    ahead.begin('b', () => new Promise((resolve) => (finish = resolve)));
    now = 3_000;
    const waiting = ahead.take('b');
    finish(page);
    assert.equal(await waiting, page);
  });

  it('leave no trace if the read fails or the page cannot be used', async () => {
    const ahead = open();
    ahead.begin('a', () => Promise.reject(new Error('lost')));
    ahead.begin('b', read(null));
    assert.deepEqual([await ahead.take('a'), await ahead.take('b')], [null, null]);
    for (const name of ['c', 'd']) ahead.begin(name, read(null));
    await new Promise(setImmediate);
    ahead.begin('e', read(makePage(1)));
    assert.notEqual(await ahead.take('e'), null);
  });

  it('are at most two', async () => {
    const ahead = open();
    for (const name of ['a', 'b', 'c']) ahead.begin(name, read(makePage(1)));
    assert.equal(reads, 2);
    assert.equal(await ahead.take('c'), null);
    await ahead.take('a');
    ahead.begin('c', read(makePage(1)));
    assert.notEqual(await ahead.take('c'), null);
  });
});
