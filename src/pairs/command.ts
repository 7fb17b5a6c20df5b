/** The commands `touchline pairs list|add|same|different|reopen|export` for pairs of participants that may be the same. */
import type { Command } from 'commander';
import { OPERATOR } from '../accounts/index.ts';
import { mergeRowsOfPairs } from './export-decisions.ts';
import {
  addPair,
  type Decision,
  decidePair,
  findPair,
  openPairs,
  type Pair,
  type PairsDeps,
  reopenPair,
} from './pairs.ts';

type WithDeps = (work: (deps: PairsDeps) => Promise<void>) => Promise<void>;
type Say = (line: string) => void;

/** Maximum number of pairs to list. */
const LISTED = 100;

/** @param id parses an id @param withDeps runs a command, and waits at the end until its changes are published */
export function addPairCommands(program: Command, id: (text: string) => number, withDeps: WithDeps, say: Say): void {
  const pairs = program
    .command('pairs')
    .description('decide about teams and people that may be the same, because a live source names them differently')
    .exitOverride();
  pairs
    .command('list')
    .description('list the open pairs, the most alike first')
    .action(() =>
      withDeps(async ({ pool }) => {
        const open = await openPairs(pool, LISTED);
        for (const one of open) say(await pairText(pool, one));
        if (open.length === 0) say('no open pairs');
        if (open.length === LISTED) say(`only the first ${LISTED} are listed`);
      }),
    );
  pairs
    .command('add')
    .description('make a pair of two participants, such as two spellings of a referee, to decide about it')
    .argument('<known>', 'the id of the participant that stays if both are the same', id)
    .argument('<other>', 'the id of the other one', id)
    .action((known: number, other: number) =>
      withDeps(async (deps) => say(`pair ${await addPair(deps, known, other)} is open`)),
    );
  const decide = (decision: Decision, description: string) =>
    pairs
      .command(decision)
      .description(description)
      .argument('<pair>', 'its id', id)
      .option('--reason <text>', 'why, for the audit log', '')
      .action((pair: number, { reason }: { reason: string }) =>
        withDeps(async (deps) => {
          await decidePair(deps, pair, decision, OPERATOR, reason);
          say(`pair ${pair}: ${decision}`);
        }),
      );
  decide('same', 'decide that both are the same: the first takes over the names, ids and matches of the second');
  decide('different', 'decide that the two are different');
  pairs
    .command('reopen')
    .description('reopen a pair that was decided')
    .argument('<pair>', 'its id', id)
    .action((pair: number) =>
      withDeps(async (deps) => {
        await reopenPair(deps, pair, OPERATOR);
        say(`pair ${pair} is open`);
      }),
    );
  pairs
    .command('export')
    .description('print the decisions as rows of the merge files in data/identity')
    .action(() =>
      withDeps(async ({ pool }) => {
        for (const { file, lines } of await mergeRowsOfPairs(pool)) for (const row of [`# ${file}`, ...lines]) say(row);
      }),
    );
}

async function pairText(pool: PairsDeps['pool'], { id, sport, type, known, other }: Pair): Promise<string> {
  const { evidence } = await findPair(pool, id);
  const side = ({ id: participant, name, country, birth_date, matches }: Pair['known']) =>
    `${name} (${[`${participant}`, country, birth_date, `${matches} matches`].filter(Boolean).join(', ')})`;
  return `${id} ${sport} ${type}: ${side(known)} = ${side(other)}; ${evidence.common} matches in common, ${evidence.clashes} clashes`;
}
