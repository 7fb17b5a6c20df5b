import assert from 'node:assert/strict';
import { createPause, createRests } from '../../src/runtime/pause.ts';

/** Works for the given time without a break. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('pauses', () => {
  it('come after the computation has worked for 5 ms, not counting the rest', async () => {
    let now = 1_000;
    const rested: number[] = [];
    const pause = createPause(
      async (worked) => {
        rested.push(worked);
        now += 100;
      },
      () => now,
    );
    for (const step of [0, 4.9, 0.1, 0, 4, 3, 1]) {
      now += step;
      await pause();
    }
    assert.deepEqual(rested, [5, 7]);
  });

  it('let waiting callbacks run', async () => {
    let ran = false;
    setImmediate(() => {
      ran = true;
    });
    const pause = createPause();
    work(6);
    await pause();
    assert.equal(ran, true);
  });

  it('let timers run while a background computation rests', async () => {
    let ran = false;
    setTimeout(() => {
      ran = true;
    }, 1);
    const pause = createRests(new AbortController().signal);
    work(6);
    await pause();
    assert.equal(ran, true);
  });

  it('end an aborted computation, even if it has just begun or rests', async () => {
    await assert.rejects(async () => createRests(AbortSignal.abort(new Error('stopped')))(), /stopped/);
    const controller = new AbortController();
    const pause = createRests(controller.signal);
    work(6);
    const rest = pause();
    controller.abort(new Error('stopped'));
    await assert.rejects(rest, { name: 'AbortError' });
  });
});
