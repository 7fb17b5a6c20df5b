import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Loop, startLoop } from '../../src/runtime/loop.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const started: Loop[] = [];

/** Starts a loop whose runs the test scripts. Each run takes the next answer, and the last answer is repeated. */
function scripted(
  answers: readonly (number | Error | (() => Promise<number>))[],
  onError?: (error: unknown) => boolean,
  notBefore?: () => number,
) {
  const logged: string[] = [];
  let runs = 0;
  const loop = startLoop({
    async run() {
      const answer = answers[Math.min(runs, answers.length - 1)]!;
      runs += 1;
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer() : answer;
    },
    retryMs: 1,
    failed: 'it failed',
    recovered: 'it works again',
    logger: {
      error: (_details: unknown, text?: string) => void logged.push(`error: ${text}`),
      info: (text: unknown) => void logged.push(`info: ${text}`),
    } as Parameters<typeof startLoop>[0]['logger'],
    ...(onError && { onError }),
    ...(notBefore && { notBefore }),
  });
  started.push(loop);
  return { loop, logged, runs: () => runs };
}

describe('a loop', () => {
  afterEach(() => Promise.all(started.splice(0).map((loop) => loop.stop())));

  it('runs at once, and again without a pause if the run asks for no pause', async () => {
    const { loop, runs } = scripted([0, 0, 0, HOUR_MS]);
    await until('it has run 4 times', () => runs() === 4);
    await loop.stop();
    equal(runs(), 4);
  });

  it('pauses until it is woken', async () => {
    const { loop, runs } = scripted([Number.POSITIVE_INFINITY]);
    await until('it has run once', () => runs() === 1);
    await sleep(20);
    equal(runs(), 1);
    loop.wake();
    await until('it has run twice', () => runs() === 2);
    await loop.stop();
  });

  it('skips one pause after a run during which it was woken', async () => {
    let finish: (pause: number) => void = () => {};
    const first = () =>
      new Promise<number>((resolve) => {
        finish = resolve;
      });
    const { loop, runs } = scripted([first, HOUR_MS]);
    loop.wake();
    finish(HOUR_MS);
    await until('it has run twice', () => runs() === 2);
    await sleep(20);
    equal(runs(), 2);
    await loop.stop();
  });

  it('logs an outage once, and its end once', async () => {
    const { loop, logged, runs } = scripted([
      new Error('unavailable'),
      new Error('unavailable'),
      new Error('unavailable'),
      HOUR_MS,
    ]);
    await until('it has run 4 times', () => runs() === 4);
    await loop.stop();
    deepEqual(logged, ['error: it failed', 'info: it works again']);
  });

  it('does not log an expected error, and runs again', async () => {
    const { loop, logged, runs } = scripted([new Error('expected'), HOUR_MS], () => true);
    await until('it has run twice', () => runs() === 2);
    await loop.stop();
    deepEqual(logged, []);
  });

  it('stops after the current run, and starts no new one', async () => {
    let finish: (pause: number) => void = () => {};
    const first = () =>
      new Promise<number>((resolve) => {
        finish = resolve;
      });
    const { loop, runs } = scripted([first, 0]);
    let stopped = false;
    const stopping = loop.stop().then(() => {
      stopped = true;
    });
    await sleep(10);
    equal(stopped, false);
    finish(0);
    await stopping;
    equal(runs(), 1);
  });

  it('runs only once for several wake-ups that come before that run', async () => {
    const began: number[] = [];
    const loop = startLoop({
      async run() {
        began.push(performance.now());
        return Number.POSITIVE_INFINITY;
      },
      notBefore: () => began.at(-1)! + 50,
      retryMs: 1,
    });
    started.push(loop);
    for (let turn = 0; turn < 5; turn += 1) {
      loop.wake();
      await new Promise(setImmediate);
    }
    await until('it has run twice', () => began.length === 2);
    const waited = began[1]! - began[0]!;
    // Tolerates a few milliseconds, since Node's timers count whole milliseconds from the start of a turn.
    ok(waited >= 45, `${waited} ms`);
    await sleep(70);
    equal(began.length, 2);
    const woken = performance.now();
    loop.wake();
    await until('it has run 3 times', () => began.length === 3);
    ok(began[2]! - woken < 50, 'a wake-up after that moment is followed at once');
  });

  it('ends at once if it is stopped before the next run', async () => {
    const { loop, runs } = scripted([0], undefined, () => performance.now() + HOUR_MS);
    await until('it has run once', () => runs() === 1);
    await loop.stop();
    equal(runs(), 1);
  });

  it('is silent without a logger, and waits for a wake-up after a failure if configured so', async () => {
    let runs = 0;
    const loop = startLoop({
      async run() {
        runs += 1;
        throw new Error('unavailable');
      },
      retryMs: Number.POSITIVE_INFINITY,
    });
    started.push(loop);
    await until('it has run once', () => runs === 1);
    loop.wake();
    await until('it has run twice', () => runs === 2);
    await sleep(20);
    equal(runs, 2);
  });

  it('stops in the middle of a pause', async () => {
    const { loop, runs } = scripted([HOUR_MS]);
    await until('it has run once', () => runs() === 1);
    await loop.stop();
    equal(runs(), 1);
  });
});
