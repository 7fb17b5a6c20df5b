import assert from 'node:assert/strict';
import { Command } from 'commander';
import { addCorrectionCommands } from '../../src/corrections/command.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';

describe('the command touchline correct', () => {
  let bench: FeedBench;
  let id: number;
  before(async () => {
    bench = await openFeedBench();
    bench.nextMatch();
    const goal = { kind: 'goal', minute: 31, side: 'home', player: { name: 'Ana' }, payload: {} } as const;
    id = await bench.accept({ status: 'live', score: { home: 1, away: 0 }, incidents: [goal] });
  });
  after(() => bench.db.drop());

  /** Returns the printed lines. */
  async function correct(...args: string[]): Promise<string> {
    const lines: string[] = [];
    const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
    addCorrectionCommands(
      program,
      Number,
      (work) => work(bench.deps),
      (line) => lines.push(line),
    );
    for (const command of program.commands[0]!.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
    await program.parseAsync(['correct', ...args], { from: 'user' });
    return lines.join('\n');
  }

  it('corrects a match, lists the match with goals and corrections, and withdraws a correction', async () => {
    const made = await correct('match', `${id}`, '--score', '2:1', '--status', 'after_penalties', '--reason', 'report');
    const [, correction] = /^correction (\d+) of match \d+$/.exec(made)!;
    assert.equal(
      await correct('match', `${id}`, '--score', '2:1', '--reason', 'report'),
      `unchanged: correction ${correction} says the same`,
    );
    const [match, goal, listed] = (await correct('list', `${id}`)).split('\n');
    assert.match(
      match!,
      new RegExp(`^match ${id}: Home \\d+ v Away \\d+ 2:1, after_penalties, First League, 2024-05-01T14:00:00Z$`),
    );
    assert.match(goal!, /^ {2}goal \d+: 31' home Ana$/);
    assert.match(
      listed!,
      /^correction \d+: score 2:1, status finished \(after_penalties\); by operator at 2024-\S+Z: "report"$/,
    );
    assert.equal(await correct('withdraw', correction!), `correction ${correction} of match ${id} is withdrawn`);
    assert.match(await correct('list', `${id}`), /1:0, in_play.*\n.*\n.*; withdrawn by operator at 2024-\S+Z$/);
  });

  it('names the wrong value, and requires a reason', async () => {
    await assert.rejects(correct('match', `${id}`, '--score', 'two', '--reason', 'r'), /score: must be two numbers/);
    await assert.rejects(correct('match', `${id}`, '--score', '1:1'), /required option '--reason <text>'/);
    await assert.rejects(correct('match', `${id}`, '--reason', 'r'), /name at least one value to correct/);
    await assert.rejects(correct('list', '999999'), /there is no match 999999/);
    await assert.rejects(correct('withdraw', '999999'), /There is no correction 999999/);
  });
});
