/** The command `touchline fit-live` fits the in-play model to past matches. */
import { writeFile } from 'node:fs/promises';
import type { InPlayParameters } from '../../in-play/index.ts';
import type { HistoryFilter, MatchSource } from '../history/match-source.ts';
import { playedPeriod } from '../samples/match-samples.ts';
import { fitInPlay } from './fit-goals-by-minute.ts';
import { readMeasured } from './read-measured.ts';

/**
 * Writes the fitted parameters to a file. The same matches always give the same file.
 * @param out output file
 * @throws Error with a one-line message if there are too few matches, or the file cannot be written
 */
export async function fitLiveCommand(
  source: MatchSource,
  { tournaments, out, ...period }: HistoryFilter & { out: string },
  say: (line: string) => void,
): Promise<void> {
  const measured = (await readMeasured(source, tournaments, period)).filter(({ matches }) => matches.length > 0);
  const matches = measured.flatMap((one) => one.matches);
  const days = playedPeriod(matches);
  if (days === null) throw new Error('no match in the period has goals and cards with minutes');
  const file: InPlayParameters = {
    fitted_on: {
      tournaments: measured.map(({ name }) => name).join(', '),
      ...days,
      matches: matches.length,
      goals: matches.reduce((sum, { turns }) => sum + turns.filter(({ kind }) => kind === 'goal').length, 0),
    },
    ...fitInPlay(matches),
  };
  await writeFile(out, `${JSON.stringify(file, null, 2)}\n`);
  say(`Fitted to ${matches.length.toLocaleString('en')} matches, wrote ${out}`);
}
