import assert from 'node:assert/strict';
import { ListRequests } from '../../src/providers/list-requests.ts';
import { LIVE_MS, RECHECK_MS } from '../../src/providers/polled-game.ts';

describe('requests for lists shared by several games', () => {
  it('read a list as often as the most demanding game requires', () => {
    const lists = new ListRequests();
    lists.add('/day', RECHECK_MS);
    lists.add('/day', LIVE_MS);
    lists.add('/day', Number.POSITIVE_INFINITY);
    assert.deepEqual(lists.all(), [{ path: '/day', everyMs: LIVE_MS, isLive: true }]);
  });

  it('read no list for a game about which no news is expected', () => {
    const lists = new ListRequests();
    lists.add('/day', Number.POSITIVE_INFINITY);
    assert.deepEqual(lists.all(), []);
  });

  it('keep a list entry’s version when a second game needs the list', () => {
    const lists = new ListRequests();
    lists.add('/day', LIVE_MS, { version: '7' });
    lists.add('/other', RECHECK_MS);
    lists.add('/day', RECHECK_MS);
    assert.deepEqual(lists.all(), [
      { path: '/day', everyMs: LIVE_MS, isLive: true, version: '7' },
      { path: '/other', everyMs: RECHECK_MS, isLive: false },
    ]);
  });
});
