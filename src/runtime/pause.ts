/** Pauses for long computations, so that requests to the same process do not wait. */
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Time for which a computation works before it pauses, in ms. */
const WORK_MS = 5;

/**
 * Creates a function that a computation calls between small steps, however many.
 * @param rest receives for how long the computation has worked, in ms; without it, the computation goes on as soon as the
 * process has done what was waiting
 * @param now monotonic time in ms
 */
export function createPause(
  rest: (worked: number) => Promise<unknown> = () => yieldToEventLoop(),
  now = () => performance.now(),
): () => Promise<void> {
  let begun = now();
  return async () => {
    const worked = now() - begun;
    if (worked < WORK_MS) return;
    await rest(worked);
    begun = now();
  };
}

/** Longest time for which a background computation rests, in ms. */
const LONGEST_REST_MS = 10;

/**
 * Creates a pause for a background computation, which rests for as long as it has worked. It takes at most half a core.
 * @returns a function that throws if the signal is aborted
 */
export function createRests(signal: AbortSignal): () => Promise<void> {
  const pause = createPause((worked) => sleep(Math.min(worked, LONGEST_REST_MS), undefined, { signal }));
  return () => {
    signal.throwIfAborted();
    return pause();
  };
}
