/** Reads Cricsheet's format: kinds of matches, extras, wickets, super overs, revised targets, and what a source may lack. */
import { strict as assert } from 'node:assert';
import { cricsheet } from '../../../src/importers/cricsheet/cricsheet.ts';
import { filesOf, readAll, removeFiles } from '../fixture.ts';
import { ball, extra, file, out, over, overs, south, southOvers, TEAMS } from './made-files.ts';

const north = (own: object[], more: object = {}) => ({ team: 'North', overs: own, ...more });
const southern = (own: object[], more: object = {}) => ({ team: 'South', overs: own, ...more });

async function read(info: Record<string, unknown>, innings: object[]) {
  const { matches, faults } = await readAll(cricsheet, filesOf({ '1.json': file(info, innings) }));
  assert.deepEqual(faults, []);
  return matches[0]!;
}

async function findFault(info: Record<string, unknown>, innings: object[]): Promise<string> {
  const { matches, faults } = await readAll(cricsheet, filesOf({ '1.json': file(info, innings) }));
  assert.equal(matches.length, 0);
  assert.match(faults[0]!.position, /1\.json$/u);
  return faults[0]!.detail;
}

describe('import of Cricsheet', () => {
  after(removeFiles);

  it('reads a Twenty20 match with totals, figures and incidents', async () => {
    const first = [
      over(0, [
        ball(4),
        ball(6),
        extra('wides', 1),
        extra('noballs', 1, 2),
        ball(0),
        ball(1),
        ball(0),
        out('caught', 'N One', { fielders: [{ name: 'S Two' }] }),
      ]),
      over(1, [
        ball(0, { batter: 'N Three' }),
        ball(4, { batter: 'N Three', runs: { batter: 4, extras: 0, total: 4, non_boundary: true } }),
      ]),
    ];
    const match = await read({ outcome: { winner: 'North', by: { runs: 12 } } }, [
      north(first),
      southern(southOvers(1, 1)),
    ]);
    assert.deepEqual(match.score, { home: 19, away: 6 });
    assert.deepEqual(match.period_scores, [
      { period: 'I1', home: 19, away: 0, innings: { batting: 'home', wickets: 1, overs: '1.2' } },
      { period: 'I2', home: 0, away: 6, innings: { batting: 'away', wickets: 0, overs: '1' } },
    ]);
    const [card] = match.innings!;
    assert.deepEqual(card!.extras, { byes: 0, leg_byes: 0, wides: 1, no_balls: 1, penalty: 0 });
    assert.deepEqual(card!.batters[0], {
      player_name: 'N One',
      runs: 13,
      balls: 7,
      fours: 1,
      sixes: 1,
      dismissal: { kind: 'caught', bowler_name: 'S Eleven', fielder_names: ['S Two'] },
    });
    assert.deepEqual(card!.bowlers, [
      { player_name: 'S Eleven', overs: '1.2', maidens: 0, runs: 19, wickets: 1, wides: 1, no_balls: 1 },
    ]);
    assert.deepEqual(card!.fall_of_wickets, [{ wicket: 1, runs: 15, overs: '0.6', player_name: 'N One' }]);
    assert.deepEqual(card!.by_over, [
      {
        runs: 15,
        wickets: 1,
        deliveries: [
          { runs: 4 },
          { runs: 6 },
          { runs: 1, extra: 'wide' },
          { runs: 3, extra: 'no_ball' },
          { runs: 0 },
          { runs: 1 },
          { runs: 0 },
          { runs: 0, wickets: 1 },
        ],
      },
      { runs: 4, wickets: 0, deliveries: [{ runs: 0 }, { runs: 4 }] },
    ]);
    assert.deepEqual(
      match.incidents!.map(({ kind, side }) => `${kind} ${side}`),
      [
        'boundary home',
        'boundary home',
        'wicket away',
        'over_end home',
        'period_end null',
        'over_end away',
        'period_end null',
      ],
    );
    const keeper = match.player_stats!.find(({ player }) => player.name === 'S Two')!;
    assert.equal(keeper.stats.catches, 1);
    assert.deepEqual(keeper.player, { id: 'id-S Two', name: 'S Two' });
    assert.equal(match.winner, null);
  });

  it('reads a Test match with a declaration, a follow-on and a draw', async () => {
    const match = await read(
      {
        match_type: 'Test',
        team_type: 'international',
        overs: undefined,
        event: { name: 'The Ashes (ICC World Test Championship)' },
        teams: ['England', 'Australia'],
        players: { England: TEAMS.North, Australia: TEAMS.South },
        outcome: { result: 'draw' },
        dates: ['2023-06-16', '2023-06-17'],
        season: '2023',
      },
      [
        { team: 'England', overs: overs(3, 6), declared: true },
        { team: 'Australia', overs: southOvers(1, 1) },
        { team: 'Australia', overs: southOvers(2, 1) },
      ],
    );
    assert.deepEqual(
      [match.tournament.name, match.tournament.country, match.season.label, match.status_detail, match.winner],
      ['The Ashes', 'INT', '2023', 'ended', 'draw'],
    );
    assert.deepEqual([match.home.country, match.away.country], ['GB-ENG', 'AU']);
    assert.deepEqual(match.score, { home: 108, away: 18 });
    assert.deepEqual(
      match.period_scores!.map(({ period, innings }) => `${period} ${innings!.batting} ${innings!.declared ?? false}`),
      ['I1 home true', 'I2 away false', 'I3 away false'],
    );
    assert.equal(match.innings![0]!.max_overs, null);
  });

  it('reads a revised target, after which the side with fewer runs has won', async () => {
    const match = await read(
      { match_type: 'ODI', overs: 50, outcome: { winner: 'South', by: { wickets: 10 }, method: 'D/L' } },
      [north(overs(3, 2)), southern(southOvers(2, 2), { target: { runs: 21, overs: 2 } })],
    );
    assert.deepEqual(match.score, { home: 36, away: 24 });
    assert.equal(match.winner, 'away');
    assert.deepEqual(match.innings![1]!.target, { runs: 21, overs: '2', method: 'D/L' });
    assert.equal(match.innings![1]!.max_overs, '2');
  });

  it('gives a shortened match without a revised target as few overs in both innings', async () => {
    const match = await read({ outcome: { winner: 'North' } }, [
      north(overs(3, 2)),
      southern(southOvers(3, 1), { target: { runs: 37, overs: 3 } }),
    ]);
    assert.deepEqual(
      match.innings!.map(({ max_overs }) => max_overs),
      ['3', '3'],
    );
  });

  it('reads concussion substitutes and impact players as substitutions, also of the fielding side', async () => {
    const players = { North: [...TEAMS.North, 'N Twelve'], South: [...TEAMS.South, 'S Twelve'] };
    const deliveries = [
      ball(0, { replacements: { match: [{ in: 'S Twelve', out: 'S Ten', team: 'South', reason: 'impact_player' }] } }),
      ball(1, {
        batter: 'N Twelve',
        replacements: { match: [{ in: 'N Twelve', out: 'N One', team: 'North', reason: 'concussion_substitute' }] },
      }),
    ];
    const match = await read({ players }, [north([over(0, deliveries)]), southern(southOvers(1, 0))]);
    const changes = match.incidents!.filter(({ kind }) => kind === 'subst');
    assert.deepEqual(
      changes.map(({ side, payload }) => [side, payload.player_in, payload.player_out, payload.reason]),
      [
        ['away', 'S Twelve', 'S Ten', 'impact_player'],
        ['home', 'N Twelve', 'N One', 'concussion_substitute'],
      ],
    );
    const bench = match.lineups!.filter((one) => one.is_substitute).map(({ player }) => player.name);
    assert.deepEqual(bench, ['N Twelve', 'S Twelve']);
    assert.equal(match.lineups!.filter((one) => !one.is_substitute).length, 22);
  });

  it('adds penalty runs before and after an innings, and during it, to the side that bats', async () => {
    const match = await read({}, [
      north([over(0, [ball(1), extra('penalty', 5)])], { penalty_runs: { pre: 5, post: 5 } }),
      southern(southOvers(1, 1)),
    ]);
    assert.equal(match.score!.home, 16);
    assert.equal(match.innings![0]!.extras.penalty, 15);
    // Neither penalty runs nor byes count against the bowler.
    assert.equal(match.innings![0]!.bowlers[0]!.runs, 1);
  });

  it('reads a super over as a period of its own, and the last of two as the one that decided', async () => {
    const one = (team: string, deliveries: object[]) => ({ team, super_over: true, overs: [over(0, deliveries)] });
    const match = await read({ outcome: { result: 'tie', eliminator: 'South' } }, [
      north(overs(1, 1)),
      southern(southOvers(1, 1)),
      one('North', [ball(5)]),
      one('South', [south(ball(5))]),
      one('South', [south(ball(6))]),
      one('North', [ball(2)]),
    ]);
    assert.deepEqual(match.score, { home: 6, away: 6 });
    assert.equal(match.status_detail, 'after_extra_time');
    assert.equal(match.winner, 'away');
    assert.deepEqual(match.period_scores!.at(-1), { period: 'SO', home: 2, away: 6 });
    assert.deepEqual(
      match.innings!.map(({ period }) => period),
      ['I1', 'I2', 'SO1', 'SO2', 'SO3', 'SO4'],
    );
    // Runs of a super over are in nobody's figures.
    assert.equal(match.player_stats!.find(({ player }) => player.name === 'N One')!.stats.runs, 6);
  });

  it('reads a match without a result as abandoned', async () => {
    const match = await read({ outcome: { result: 'no result' } }, [north(overs(2, 1))]);
    assert.deepEqual([match.status, match.status_detail, match.winner], ['finished', 'abandoned', null]);
  });

  it("puts a women's match into a tournament for women", async () => {
    const match = await read({ gender: 'female', event: { name: "Women's Premier League" } }, [
      north(overs(1, 2)),
      southern(southOvers(1, 1)),
    ]);
    assert.deepEqual(match.tournament, { name: "Women's Premier League", country: 'IN', gender: 'women' });
  });

  it('counts a miscounted over as one over, and a player who retires hurt neither as out nor as a wicket', async () => {
    const match = await read({}, [
      north(
        [
          over(0, [ball(1), ball(1), ball(1), ball(1), ball(1)]),
          over(1, [
            ball(0),
            out('retired hurt'),
            ball(0, { batter: 'N Three' }),
            out('retired out', 'N Three', {}),
            out('obstructing the field', 'N Two'),
            ball(0, { batter: 'N Four', non_striker: 'N Five' }),
            ball(0, { batter: 'N Four', non_striker: 'N Five' }),
          ]),
        ],
        { miscounted_overs: { 0: { balls: 5 }, 1: { balls: 7 } } },
      ),
      southern(southOvers(1, 0)),
    ]);
    const [card] = match.innings!;
    assert.deepEqual([card!.overs, card!.wickets, card!.all_out], ['2', 2, false]);
    assert.deepEqual(
      card!.batters.map(({ player_name, dismissal }) => [player_name, dismissal?.kind ?? null]),
      [
        ['N One', null],
        ['N Two', 'obstructing_the_field'],
        ['N Three', 'retired_out'],
        ['N Four', null],
        ['N Five', null],
      ],
    );
    assert.equal(card!.bowlers[0]!.wickets, 0);
    assert.equal(card!.bowlers[0]!.overs, '2');
  });

  it('counts a side as all out if the rest are hurt', async () => {
    const wickets = Array.from({ length: 8 }, (_, index) => out('bowled', TEAMS.North[index + 1]!));
    const match = await read({}, [
      north([over(0, wickets.slice(0, 6)), over(1, wickets.slice(6))], { absent_hurt: ['N Ten', 'N Eleven'] }),
      southern(southOvers(1, 0)),
    ]);
    assert.deepEqual([match.innings![0]!.wickets, match.innings![0]!.all_out], [8, true]);
  });

  it('gives a match of the Indian Premier League the year of its day, its ground and the side at home', async () => {
    const teams = ['Mumbai Indians', 'Chennai Super Kings'];
    const match = await read(
      {
        event: { name: 'Indian Premier League', stage: 'Semi Final' },
        season: '2007/08',
        dates: ['2008-05-30'],
        teams,
        players: { [teams[0]!]: TEAMS.North, [teams[1]!]: TEAMS.South },
        outcome: { winner: teams[0] },
        venue: 'MA Chidambaram Stadium, Chepauk, Chennai',
        city: 'Chennai',
      },
      [
        { team: teams[0], overs: overs(1, 2) },
        { team: teams[1], overs: southOvers(1, 1) },
      ],
    );
    assert.deepEqual(
      [match.season.label, match.round_name, match.home.name, match.neutral],
      ['2008', 'Semi-finals', teams[1], false],
    );
    assert.deepEqual(match.venue, { name: 'MA Chidambaram Stadium', city: 'Chennai', country: 'IN' });
    assert.deepEqual(match.score, { home: 6, away: 12 });
  });

  it('finds the city of a ground without one in its name, and leaves it open otherwise', async () => {
    const innings = [north(overs(1, 2)), southern(southOvers(1, 1))];
    const dubai = await read({ venue: 'Dubai International Cricket Stadium' }, innings);
    assert.deepEqual(dubai.venue, { name: 'Dubai International Cricket Stadium', city: 'Dubai', country: 'AE' });
    const unknown = await read({ venue: 'Made-up Ground' }, innings);
    assert.deepEqual(unknown.venue, { name: 'Made-up Ground', country: 'INT' });
  });

  it('adds the matches that the archive lacks in a season', async () => {
    const teams = ['Mumbai Indians', 'Chennai Super Kings'];
    const content = file(
      {
        event: { name: 'Indian Premier League' },
        season: '2009',
        dates: ['2009-05-01'],
        teams,
        players: { [teams[0]!]: TEAMS.North, [teams[1]!]: TEAMS.South },
        outcome: { winner: teams[0] },
      },
      [
        { team: teams[0], overs: overs(1, 2) },
        { team: teams[1], overs: southOvers(1, 1) },
      ],
    );
    const { matches } = await readAll(cricsheet, filesOf({ '1.json': content }));
    const absent = matches.filter(({ status_detail }) => status_detail === 'abandoned');
    assert.deepEqual(
      absent.map(({ id }) => id),
      [
        'absent/2009-04-21/Mumbai Indians/Rajasthan Royals',
        'absent/2009-04-25/Chennai Super Kings/Kolkata Knight Riders',
      ],
    );
  });

  describe('bad files', () => {
    it('names the delivery of an unknown player', async () => {
      const detail = await findFault({}, [north([over(3, [ball(1), ball(1, { bowler: 'Nobody' })])])]);
      assert.equal(detail, 'innings 1, over 3, delivery 2: the player "Nobody" is in neither team');
    });

    it('refuses negative runs and runs that do not add up', async () => {
      assert.match(
        await findFault({}, [north([over(0, [ball(-1)])])]),
        /innings\.0\.overs\.0\.deliveries\.0\.runs\.batter: Too small/u,
      );
      const wrong = ball(1, { runs: { batter: 1, extras: 0, total: 2 } });
      assert.equal(
        await findFault({}, [north([over(0, [wrong])])]),
        'innings 1, over 0, delivery 1: 1 and 0 runs are not 2',
      );
    });

    it('refuses a match with 100,000 deliveries', async () => {
      const many = Array.from({ length: 1000 }, (_, index) =>
        over(
          index,
          Array.from({ length: 100 }, () => ball(1)),
        ),
      );
      assert.equal(await findFault({}, [north(many)]), 'the match has more than 10000 deliveries');
    });

    it('refuses an innings without overs that was neither declared nor forfeited', async () => {
      assert.equal(await findFault({}, [{ team: 'North' }]), 'innings 1: there are no overs');
      const match = await read({ outcome: { result: 'draw' } }, [
        north(overs(1, 1)),
        { team: 'South', forfeited: true },
      ]);
      assert.deepEqual([match.innings![1]!.forfeited, match.innings![1]!.overs], [true, '0']);
    });

    it('refuses a team or a winner that does not play, a match without an outcome, and a side against itself', async () => {
      assert.equal(
        await findFault({}, [{ team: 'West', overs: overs(1, 1) }]),
        'innings 1: "West" is not one of the teams',
      );
      assert.equal(
        await findFault({ outcome: { winner: 'West' } }, [north(overs(1, 1))]),
        'the winner "West" is not one of the teams',
      );
      assert.equal(await findFault({ outcome: {} }, [north(overs(1, 1))]), 'there is no outcome');
      assert.equal(await findFault({ teams: ['North', 'North'] }, []), 'North cannot play itself');
      assert.equal(await findFault({ players: { North: [] } }, []), 'there are no players of South');
    });

    it('names the member that is missing, and a file that is not JSON', async () => {
      assert.match(await findFault({ dates: [] }, []), /is not a match of Cricsheet: info\.dates/u);
      const { faults } = await readAll(
        cricsheet,
        filesOf({ '1.json': '{"info": {', '2.json': file({}, [north(overs(1, 1))]) }),
      );
      assert.match(faults[0]!.detail, /^is not JSON/u);
    });
  });
});
