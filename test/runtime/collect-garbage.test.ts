import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbage } from '../../src/runtime/collect-garbage.ts';

describe('the garbage collection at the end of a start', () => {
  it('collects what is no longer used, and leaves no global function behind', async () => {
    const loadAll = () => Array.from({ length: 100 }, (_, number) => new WeakRef({ number }));
    const unused = loadAll();
    const used = { text: 'needed later' };
    const known = new WeakRef(used);
    // A reference that was made in this turn of the event loop keeps its object until the turn ends.
    await turn();
    collectGarbage();
    assert.ok(unused.every((one) => one.deref() === undefined));
    assert.equal(known.deref(), used);
    assert.ok(!('gc' in globalThis));
  });
});
