import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { backoff, Queue } from '../../../operators/runtime/work-queue.ts';

describe('the operator’s queue', () => {
  const key = 'default/one';
  let now = 0;
  const clock = { now: () => now };
  let queue: Queue;

  /** Advances the clock, and lets due work start and end. */
  async function advance(ms: number): Promise<void> {
    const settle = async () => {
      for (let i = 0; i < 5; i++) await turn();
    };
    await settle();
    now += ms;
    queue.tick();
    await settle();
  }
  /**
   * Starts work that ends when the test ends it.
   * @param delay how long after that the key is due again
   */
  function held(delay?: number) {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const work = (one: string) => {
      begun.push(one);
      return new Promise<number | undefined>((resolve) => ends.set(one, () => resolve(delay)));
    };
    return { begun, work, end: (one: string) => ends.get(one)!() };
  }

  beforeEach(() => {
    now = 1_000_000;
  });
  afterEach(() => queue.close());

  it('processes a key once even if it was added several times', async () => {
    const done: string[] = [];
    queue = new Queue({ clock, concurrency: 8, work: async (one) => void done.push(one) });
    queue.add(key);
    queue.add(key);
    queue.add('default/two');
    await advance(0);
    assert.deepEqual(done, [key, 'default/two']);
    assert.equal(queue.size, 0);
  });

  it('never processes a key twice at a time, and processes it again if it was added meanwhile', async () => {
    const { begun, work, end } = held();
    queue = new Queue({ clock, concurrency: 8, work });
    queue.add(key);
    await advance(0);
    queue.add(key);
    queue.add(key);
    await advance(10);
    assert.deepEqual(begun, [key]);
    end(key);
    await advance(10);
    assert.deepEqual(begun, [key, key]);
    end(key);
    await advance(10);
    assert.deepEqual([begun.length, queue.size], [2, 0]);
  });

  it('is not blocked by one slow key while a worker is free', async () => {
    const { begun, work, end } = held();
    queue = new Queue({ clock, concurrency: 2, work });
    for (const one of ['a', 'b', 'c']) queue.add(one);
    await advance(0);
    assert.deepEqual(begun, ['a', 'b']);
    end('b');
    await advance(0);
    assert.deepEqual(begun, ['a', 'b', 'c']);
    end('a');
    end('c');
  });

  it('doubles the delay with each failure up to 30 s, and starts again with the shortest delay after a success', async () => {
    const at: number[] = [];
    let fails = true;
    queue = new Queue({
      clock,
      concurrency: 1,
      random: () => 0,
      work: async () => {
        at.push(now);
        if (fails) throw new Error('no');
        return undefined;
      },
    });
    queue.add(key);
    for (let i = 0; i < 3_000; i++) await advance(100);
    const waits = at.slice(1).map((time, index) => time - at[index]!);
    assert.deepEqual(waits.slice(0, 9), [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    fails = false;
    await advance(30_000);
    assert.equal(queue.size, 0);
    fails = true;
    queue.add(key);
    await advance(0);
    const last = at.at(-1)!;
    await advance(500);
    assert.equal(at.at(-1)! - last, 500);
  });

  it('uses the longer delay that a failure asks for, and adding the key ends that delay', async () => {
    let count = 0;
    queue = new Queue({
      clock,
      concurrency: 1,
      onFailure: () => 20_000,
      work: async () => {
        count += 1;
        throw new Error('429');
      },
    });
    queue.add(key);
    await advance(0);
    await advance(19_999);
    assert.equal(count, 1);
    await advance(1);
    assert.equal(count, 2);
    queue.add(key);
    await advance(0);
    assert.equal(count, 3);
  });

  it('processes a key again after the delay that the work asks for, or sooner if the key is added', async () => {
    const at: number[] = [];
    queue = new Queue({
      clock,
      concurrency: 1,
      work: async () => {
        at.push(now);
        return 30_000;
      },
    });
    const begun = now;
    queue.add(key);
    await advance(0);
    await advance(29_999);
    await advance(1);
    queue.add(key);
    await advance(5);
    assert.deepEqual(
      at.map((time) => time - begun),
      [0, 30_000, 30_005],
    );
  });

  it('processes a key at once if it was added during work that then asks for a delay, and again after that delay', async () => {
    const { begun, work, end } = held(30_000);
    queue = new Queue({ clock, concurrency: 1, work });
    queue.add(key);
    await advance(0);
    queue.add(key);
    end(key);
    await advance(0);
    assert.equal(begun.length, 2);
    end(key);
    await advance(29_999);
    assert.equal(begun.length, 2);
    await advance(1);
    assert.equal(begun.length, 3);
    end(key);
  });

  it('starts no more work when it closes, and waits for the work in progress', async () => {
    const { begun, work, end } = held();
    queue = new Queue({ clock, concurrency: 1, work });
    queue.add('a');
    queue.add('b');
    await advance(0);
    let closed = false;
    const closing = queue.close().then(() => {
      closed = true;
    });
    await advance(0);
    assert.equal(closed, false);
    end('a');
    await closing;
    queue.add('c');
    await advance(100_000);
    assert.deepEqual(begun, ['a']);
  });

  it('shortens a delay by at most a half for jitter', () => {
    for (const failures of [1, 5, 9, 1_000]) {
      const [longest, shortest] = [backoff(failures, () => 0), backoff(failures, () => 0.999_999)];
      assert.ok(longest <= 30_000 && shortest >= longest / 2 - 1 && shortest < longest);
    }
  });
});
