/** The command `touchline fit-model` fits the calibrated model's hyper-parameters to past football seasons. */
import { writeFile } from 'node:fs/promises';
import { sportsWith } from '../../sports/sports.ts';
import type { Method } from '../calibrated/columns.ts';
import type { Parameters, ParametersFile } from '../calibrated/parameters.ts';
import { type HistoryFilter, type HistoryMatch, listTournaments, type MatchSource } from '../history/match-source.ts';
import { roundTo } from '../rounding.ts';
import { formatDate } from '../samples/match-samples.ts';
import { type Trained, type Training, train } from './calibrated-training.ts';

const [SPORT] = sportsWith(({ goalModel }) => goalModel === 'fitted');
const LOSS_DECIMALS = 5;

/**
 * Finds the parameters that best predict the period's matches from earlier matches, and writes them to a file. The same
 * matches always give the same file.
 * @param out output file
 * @param say receives a line for each gain during the search, and the result
 * @throws Error with a one-line message if no match can be predicted, or the file cannot be written
 */
export async function fitModelCommand(
  source: MatchSource,
  { tournaments: wanted, from, to, out }: HistoryFilter & { out: string },
  say: (line: string) => void,
): Promise<void> {
  const tournaments = (await listTournaments(source, wanted)).filter(({ sport }) => sport === SPORT);
  if (tournaments.length === 0) throw new Error(`there is no tournament of ${SPORT} with finished matches`);
  const leagues: HistoryMatch[][] = [];
  for (const { id } of tournaments) leagues.push((await source.matches(id)).filter(({ start }) => start < to));
  const fitTo = (method: Method) => fitted({ tournaments: leagues, from, to }, method, say);
  const [goals, shots] = [fitTo('goals'), fitTo('shots')];
  const file: ParametersFile = {
    fitted_on: {
      tournaments: tournaments.map(({ name }) => name).join(', '),
      from: formatDate(from),
      to: formatDate(to - 1),
      goals: trainedOn(goals),
      shots: trainedOn(shots),
    },
    goals: goals.parameters,
    shots: shots.parameters,
  };
  await writeFile(out, `${JSON.stringify(file, null, 2)}\n`);
  say(`Wrote ${out}`);
}

const trainedOn = ({ matches, losses }: Trained): ParametersFile['fitted_on']['goals'] => ({
  matches,
  outcome_log_loss: roundTo(LOSS_DECIMALS, losses.outcome),
  over_under_2_5_log_loss: roundTo(LOSS_DECIMALS, losses.over_under_2_5),
});

function fitted(training: Training, method: Method, say: (line: string) => void): Trained {
  say(`Fitting to ${method === 'goals' ? 'goals' : 'goals and shots on target'}`);
  const trained = train(training, method, (parameters, loss) =>
    say(`  log-loss ${loss.toFixed(LOSS_DECIMALS)}: ${formatParameters(parameters)}`),
  );
  const { outcome, over_under_2_5 } = trained.losses;
  say(
    `  ${trained.matches.toLocaleString('en')} matches: log-loss of outcomes ${outcome.toFixed(LOSS_DECIMALS)}, of over/under 2.5 ${over_under_2_5.toFixed(LOSS_DECIMALS)}`,
  );
  return trained;
}

const formatParameters = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
