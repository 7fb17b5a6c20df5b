/**
 * Runs `touchline fit-model` and `touchline backtest` on the files of football-datasets, without a database. Usage: node bench/models.ts
 * fit-model|backtest|fit-expected-goals [options], see --help. DATA is the folder with the data set.
 */
import { Command } from 'commander';
import { addModelCommands } from '../src/analytics/model-commands.ts';
import { wyscoutMatches } from '../src/importers/wyscout/wyscout.ts';
import { calibrationPlots } from '../src/web/models/calibration-plot.ts';
import { footballHistory } from '../test/support/football-history.ts';

const source = footballHistory();
if (!source) throw new Error('football-datasets is not there: DATA names the folder of data sets');
const program = new Command('models');
addModelCommands(
  program,
  (work) => work({ source }),
  (line) => process.stdout.write(`${line}\n`),
  { readWyscout: async (folder) => wyscoutMatches(folder), draw: calibrationPlots },
);
await program.parseAsync();
