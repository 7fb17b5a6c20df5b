import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes, when nothing is left to collect. */
export function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
