import { deepEqual, equal } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Loop, startLoop } from '../../src/runtime/loop.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const started: Loop[] = [];

/** A loop whose runs are scripted by the test: each takes the next answer, and the last one again and again. */
function scripted(
  answers: readonly (number | Error | (() => Promise<number>))[],
  onError?: (error: unknown) => boolean,
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
  });
  started.push(loop);
  return { loop, logged, runs: () => runs };
}

describe('loop', () => {
  afterEach(() => Promise.all(started.splice(0).map((loop) => loop.stop())));

  it('runs at once, and again without a pause where the run asks for none', async () => {
    const { loop, runs } = scripted([0, 0, 0, HOUR_MS]);
    await until('it has run 4 times', () => runs() === 4);
    await loop.stop();
    equal(runs(), 4);
  });

  it('pauses until it is woken', async () => {
    const { loop, runs } = scripted([Number.POSITIVE_INFINITY]);
    await until('it has run 1 times', () => runs() === 1);
    await sleep(20);
    equal(runs(), 1);
    loop.wake();
    await until('it has run 2 times', () => runs() === 2);
    await loop.stop();
  });

  it('skips the pause after a run during which it was woken, once', async () => {
    let finish: (pause: number) => void = () => {};
    const first = () =>
      new Promise<number>((resolve) => {
        finish = resolve;
      });
    const { loop, runs } = scripted([first, HOUR_MS]);
    loop.wake();
    finish(HOUR_MS);
    await until('it has run 2 times', () => runs() === 2);
    await sleep(20);
    equal(runs(), 2);
    await loop.stop();
  });

  it('logs an outage once, and its end once', async () => {
    const { loop, logged, runs } = scripted([new Error('away'), new Error('away'), new Error('away'), HOUR_MS]);
    await until('it has run 4 times', () => runs() === 4);
    await loop.stop();
    deepEqual(logged, ['error: it failed', 'info: it works again']);
  });

  it('does not log an error that is expected, and retries', async () => {
    const { loop, logged, runs } = scripted([new Error('expected'), HOUR_MS], () => true);
    await until('it has run 2 times', () => runs() === 2);
    await loop.stop();
    deepEqual(logged, []);
  });

  it('stops after the run under way, and starts none after it', async () => {
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

  it('stops in the middle of a pause', async () => {
    const { loop, runs } = scripted([HOUR_MS]);
    await until('it has run 1 times', () => runs() === 1);
    await loop.stop();
    equal(runs(), 1);
  });
});
