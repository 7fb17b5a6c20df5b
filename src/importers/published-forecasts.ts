/** Reads the forecasts that other people have published with their results, to compare them with ours. */

import { ImportError } from './files.ts';
import { eloForecasts } from './fivethirtyeight-elo/fivethirtyeight-elo.ts';
import { nflForecasts } from './nfl/nfl.ts';

export interface PublishedForecasts {
  /** Whose forecasts they are. */
  name: string;
  provider: string;
  /** The home side's expected result by the provider's match id. */
  expected: ReadonlyMap<string, number>;
}

export { eloRatings } from './fivethirtyeight-elo/fivethirtyeight-elo.ts';

/** Readers of files with forecasts. Each throws an ImportError if there is none of its files. */
const READERS: readonly ((path: string) => Promise<readonly PublishedForecasts[]>)[] = [
  async (path) => [await nflForecasts(path)],
  eloForecasts,
];

/**
 * @param path a file or a folder
 * @throws ImportError if it has no such file, or a file lacks columns
 */
export async function publishedForecasts(path: string): Promise<PublishedForecasts[]> {
  const found: PublishedForecasts[] = [];
  const faults: ImportError[] = [];
  for (const read of READERS) {
    try {
      found.push(...(await read(path)));
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      faults.push(error);
    }
  }
  if (found.length === 0) throw new ImportError(faults.map(({ message }) => message).join('; '));
  return found;
}
