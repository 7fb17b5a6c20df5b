/** Waits for asynchronous events, in this process or in a different one. */
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 5_000;

/**
 * Waits until `holds` returns true.
 * @throws on timeout, or the error that `holds` throws
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`still waiting until ${what}`);
    await sleep(5);
  }
}
