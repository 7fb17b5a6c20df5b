/** The command `touchline fit-expected-goals` fits the model to the backtest's training leagues. */
import { writeFile } from 'node:fs/promises';
import { type MatchUpdates, readShots } from '../fit/shot-source.ts';
import { fitToTraining } from './expected-goals-backtest.ts';

/**
 * Fits the model and writes the parameter file. The same shots always give the same file.
 * @throws Error with a one-line message if a league is missing, or the file cannot be written
 */
export async function fitExpectedGoalsCommand(
  matches: MatchUpdates,
  out: string,
  say: (line: string) => void,
): Promise<void> {
  const { model, crossValidated } = fitToTraining(await readShots(matches));
  await writeFile(out, `${JSON.stringify(model, null, 2)}\n`);
  const { tournaments, shots } = model.fitted_on;
  say(`Fitted to ${shots.toLocaleString('en')} shots of ${tournaments}: ${out}`);
  say(`Ridge ${model.ridge}; log-loss ${crossValidated.toFixed(5)} when each league is predicted from the others`);
}
