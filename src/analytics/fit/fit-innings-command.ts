/** The command `touchline fit-innings` fits the win probability in Twenty20 cricket to past matches. */
import { writeFile } from 'node:fs/promises';
import type pg from 'pg';
import type { InningsParameters } from '../../in-play/index.ts';
import type { Period } from '../history/match-source.ts';
import { playedPeriod } from '../samples/match-samples.ts';
import { countBalls, fitInnings } from './fit-innings.ts';
import { readInnings } from './read-innings.ts';

/**
 * Writes the fitted parameters to a file. The ratings must have been computed before.
 * @throws Error with a one-line message if there are too few matches, or the file cannot be written
 */
export async function fitInningsCommand(
  pool: pg.Pool,
  { out, ...period }: Period & { out: string },
  say: (line: string) => void,
): Promise<void> {
  const matches = await readInnings(pool, period);
  const fitted = fitInnings(matches);
  const file: InningsParameters = {
    fitted_on: {
      tournaments: [...new Set(matches.map(({ tournament }) => tournament))].sort().join(', '),
      ...playedPeriod(matches)!,
      matches: matches.length,
      balls: countBalls(matches),
    },
    ...fitted,
  };
  await writeFile(out, `${JSON.stringify(file, null, 2)}\n`);
  say(`Fitted to ${matches.length.toLocaleString('en')} matches, wrote ${out}`);
}
