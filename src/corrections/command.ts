/** The commands `touchline correct match|list|withdraw`, which correct matches by hand. */
import type { Command } from 'commander';
import { OPERATOR } from '../accounts/index.ts';
import { readCorrectedMatch } from './corrected-match.ts';
import {
  type CorrectionDeps,
  correctMatch,
  listCorrections,
  type StoredCorrection,
  withdrawCorrection,
} from './corrections.ts';
import { correctionText, goalText } from './describe-correction.ts';
import type { GivenCorrection } from './parse-correction.ts';

type WithDeps = (work: (deps: CorrectionDeps) => Promise<void>) => Promise<void>;
type Say = (line: string) => void;

/** @param id parses an id @param withDeps runs a command, and waits at the end until its changes are published */
export function addCorrectionCommands(
  program: Command,
  id: (text: string) => number,
  withDeps: WithDeps,
  say: Say,
): void {
  const correct = program
    .command('correct')
    .description('correct matches by hand; a correction overrides every provider until it is withdrawn')
    .exitOverride();
  correct
    .command('match')
    .description('correct values of a match; values that are not named still come from the providers')
    .argument('<match>', 'id of the match', id)
    .option('--score <home:away>', 'the score, home side first: 2:1')
    .option('--periods <list>', 'the scores of the periods: "1H 1:0, 2H 1:1"')
    .option(
      '--status <status>',
      'scheduled, live or finished, or more precisely: postponed, cancelled, after_penalties …',
    )
    .option('--kick-off <time>', 'a time with its zone, or a day if the time is not known')
    .option('--venue <venue>', 'id or name of the venue, or the word none to remove it')
    .option('--goal <id>', 'the goal whose scorer is corrected, as `touchline correct list` shows it')
    .option('--scorer <player>', 'the correct scorer: the name, or the participant id')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((match: number, options: GivenCorrection) =>
      withDeps(async (deps) => {
        const { outcome, id: made } = await correctMatch(deps, match, options, OPERATOR);
        say(
          outcome === 'corrected'
            ? `correction ${made} of match ${match}`
            : `unchanged: correction ${made} says the same`,
        );
      }),
    );
  correct
    .command('list')
    .description('show a match with goals and corrections, newest first')
    .argument('<match>', 'id of the match', id)
    .action((match: number) =>
      withDeps(async ({ pool }) => {
        const [shown, corrections] = [await readCorrectedMatch(pool, match), await listCorrections(pool, match)];
        if (shown === null && corrections.length === 0) throw new Error(`there is no match ${match}`);
        say(shown === null ? `match ${match} is deleted` : shown.text);
        for (const goal of shown?.goals ?? []) say(`  goal ${goalText(goal)}`);
        for (const one of corrections) say(correctionLine(one));
        if (corrections.length === 0) say('no corrections');
      }),
    );
  correct
    .command('withdraw')
    .description("withdraw a correction, so that the providers' present values are shown again")
    .argument('<correction>', 'its id', id)
    .option('--reason <text>', 'why, for the audit log')
    .action((correction: number, { reason }: { reason?: string }) =>
      withDeps(async (deps) => {
        const { match_id } = await withdrawCorrection(deps, correction, OPERATOR, reason);
        say(`correction ${correction} of match ${match_id} is withdrawn`);
      }),
    );
}

const correctionLine = (one: StoredCorrection): string =>
  `correction ${one.id}: ${correctionText(one)}; by ${one.actor} at ${one.at}: ${JSON.stringify(one.reason)}${
    one.withdrawn_at === null ? '' : `; withdrawn by ${one.withdrawn_by} at ${one.withdrawn_at}`
  }`;
