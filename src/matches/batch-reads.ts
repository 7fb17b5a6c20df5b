/** Combines reads that are requested in the same turn of the event loop into one statement. */
import DataLoader from 'dataloader';
import { readErrorCode } from '../runtime/unknown-values.ts';

/** True if Postgres failed because of one of the values. */
const isDataError = (error: unknown) => readErrorCode(error)?.startsWith('22') === true;

/**
 * @param read reads everything that is wanted with one statement, and returns the results in the same order. If Postgres
 *   refuses a value, everything is read one by one, so that only the reads with such a value fail
 * @param most maximum number of reads in one statement
 */
export const batchReads = <W, R>(
  read: (wanted: readonly W[]) => Promise<readonly R[]>,
  most: number,
): DataLoader<W, R> =>
  new DataLoader<W, R>((wanted) => readAll(wanted, read), {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: (start) => setImmediate(start),
  });

async function readAll<W, R>(
  wanted: readonly W[],
  read: (wanted: readonly W[]) => Promise<readonly R[]>,
): Promise<readonly (R | Error)[]> {
  try {
    return await read(wanted);
  } catch (error) {
    if (wanted.length === 1 || !isDataError(error)) throw error;
    const alone = wanted.map(async (one) => (await read([one]))[0]!);
    return Promise.all(alone.map((reading) => reading.catch((failure: Error) => failure)));
  }
}
