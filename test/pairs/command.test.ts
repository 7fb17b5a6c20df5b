import assert from 'node:assert/strict';
import { Command } from 'commander';
import { applyUpdates } from '../../src/apply/apply.ts';
import { BUILT_IN } from '../../src/identity/precedence.ts';
import { addPairCommands } from '../../src/pairs/command.ts';
import { findPairs } from '../../src/pairs/find-pairs.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';

describe('the command touchline pairs', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
    bench.nextMatch();
    const lineup = (player: object) => ({ side: 'home', player, is_substitute: false });
    const german = { country: 'DE' };
    const history = bench.update(
      {
        home: { name: 'Sportfreunde "Lotte"', ...german },
        scheduled_start: '2023-05-01T14:00:00Z',
        lineups: [lineup({ name: 'Mark Uth', birth_date: '1991-08-24' })] as never,
      },
      { provider: 'openfootball' },
    );
    await applyUpdates(bench.deps, [feedUpdate.parse(history)], { events: false });
    bench.nextMatch();
    await bench.accept({
      home: { name: 'Sportfr. Lotte', ...german },
      lineups: [lineup({ name: 'Marc Utt', id: 'p', birth_date: '1991-08-24' })] as never,
    });
    await findPairs({ ...bench.deps, config: { precedence: BUILT_IN } });
  });
  after(() => bench.db.drop());

  async function pairs(...args: string[]): Promise<string[]> {
    const lines: string[] = [];
    const program = new Command().exitOverride();
    const deps = {
      ...bench.deps,
      changes: { ...bench.deps.changes, publishJoined: () => bench.deps.entities.clear() },
    };
    addPairCommands(
      program,
      Number,
      (work) => work(deps),
      (line) => lines.push(line),
    );
    await program.parseAsync(['pairs', ...args], { from: 'user' });
    return lines;
  }

  it('lists open pairs with evidence, decides them, exports rows for the merge file, and takes decisions back', async () => {
    const listed = await pairs('list');
    const team = listed.find((line) => line.includes('team'))!;
    const player = listed.find((line) => line.includes('player'))!;
    assert.match(
      team,
      /^\d+ football team: Sportfreunde "Lotte" \(\d+, DE, 1 matches\) = Sportfr\. Lotte \(\d+, DE, 1 matches\); 0 matches in common, 0 clashes$/,
    );
    assert.match(player, /football player: Mark Uth \(\d+, 1991-08-24, 1 matches\) = /);
    const [teamId, playerId] = [team, player].map((line) => /^\d+/.exec(line)![0]);
    assert.deepEqual(await pairs('same', teamId!, '--reason', 'one club'), [`pair ${teamId}: same`]);
    assert.deepEqual(await pairs('same', playerId!), [`pair ${playerId}: same`]);
    assert.deepEqual(await pairs('export'), [
      '# teams.csv',
      'football,DE,"Sportfreunde ""Lotte""",DE,Sportfr. Lotte',
      '# players.csv',
      'football,1991-08-24,Mark Uth,Marc Utt',
      '# referees.csv',
    ]);
    assert.deepEqual(await pairs('reopen', teamId!), [`pair ${teamId} is open`]);
    assert.deepEqual(await pairs('different', teamId!), [`pair ${teamId}: different`]);
    await assert.rejects(pairs('same', teamId!), /is already decided: different, by operator/);
    await assert.rejects(pairs('same', '999'), /There is no pair 999/);
  });
});
