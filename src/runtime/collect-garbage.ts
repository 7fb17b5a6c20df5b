/** Collects all garbage, so that a process does not keep the memory that only its start has needed. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage once, which takes about a tenth of a second. V8 would wait until the heap has grown much further, which
 * does not happen in an idle process.
 */
export function collectGarbage(): void {
  // Only contexts that are created while the flag is set have the function `gc`.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
