import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type TableRules, tableRules } from '../../src/competitions/rules.ts';
import { gamesBehind, lastResults, type Result, winPercentage } from '../../src/competitions/side-totals.ts';
import { computeTable, type Team } from '../../src/competitions/table.ts';
import { TIE_BREAKS } from '../../src/sports/table-defaults.ts';

type Match = [home: number, away: number, homeScore: number, awayScore: number, overtime?: boolean];

function results(matches: readonly Match[]): Result[] {
  return matches.flatMap(([home, away, homeScore, awayScore, overtime = false]) => {
    const outcome = (mine: number, theirs: number) => (mine > theirs ? 'W' : mine < theirs ? 'L' : 'D');
    return [
      {
        team: home,
        opponent: away,
        away: false,
        scored: homeScore,
        conceded: awayScore,
        outcome: outcome(homeScore, awayScore),
        overtime,
      },
      {
        team: away,
        opponent: home,
        away: true,
        scored: awayScore,
        conceded: homeScore,
        outcome: outcome(awayScore, homeScore),
        overtime,
      },
    ] as Result[];
  });
}
const football = (...tie_breaks: string[]): TableRules => tableRules('football', [{ tie_breaks }]);

describe('tables', () => {
  const teams: Team[] = [
    { id: 1, name: 'Alpha' },
    { id: 2, name: 'Beta' },
    { id: 3, name: 'Gamma' },
    { id: 4, name: 'Delta' },
  ];
  const NAME = Object.fromEntries(teams.map(({ id, name }) => [id, name]));
  const ranking = (matches: Match[], rules: TableRules, adjustments = new Map<number, number>()) =>
    computeTable(teams, results(matches), rules, { adjustments }).map(({ team }) => team);

  it('use head-to-head matches before or after goal difference, as the rules say', () => {
    // Sides 1 and 2 have 6 points. Side 2 won at 1, but 1 scored more goals against the rest.
    const matches: Match[] = [
      [1, 2, 0, 1],
      [1, 3, 5, 0],
      [1, 4, 4, 0],
      [2, 3, 1, 0],
      [4, 2, 1, 0],
      [3, 4, 0, 0],
    ];
    assert.deepEqual(ranking(matches, football('head_to_head_points', 'goal_difference')).slice(0, 2), [2, 1]);
    assert.deepEqual(ranking(matches, football('goal_difference', 'head_to_head_points')).slice(0, 2), [1, 2]);
  });

  it('order three level sides by a table of the matches between them, and two sides that stay level by a second table of their own', () => {
    // Sides 1, 2 and 3 all beat side 4. Between those three, 1 has 2:1 goals, 3 has 2:2, and 2 has 2:3. Side 2 won against 3.
    const matches: Match[] = [
      [1, 2, 2, 0],
      [2, 3, 2, 1],
      [3, 1, 1, 0],
      [1, 4, 1, 0],
      [2, 4, 1, 0],
      [3, 4, 1, 0],
    ];
    const steps = ['head_to_head_points', 'head_to_head_goal_difference', 'head_to_head_goals_for'];
    assert.deepEqual(ranking(matches, football(...steps)), [1, 3, 2, 4]);
    // The sides have 9, 4 and 4 points against each other. Sides 2 and 3 are level, so the matches between these two decide.
    const twice: Match[] = [
      [1, 2, 1, 0],
      [2, 1, 1, 0],
      [1, 3, 1, 0],
      [3, 1, 0, 1],
      [3, 2, 1, 0],
      [2, 3, 0, 0],
    ];
    const level = new Map([
      [2, 5],
      [3, 5],
    ]);
    const table = computeTable(teams, results(twice), football('head_to_head_points'), { adjustments: level });
    assert.deepEqual(
      table.map(({ team, points }) => [team, points]),
      [
        [1, 9],
        [3, 9],
        [2, 9],
        [4, 0],
      ],
    );
  });

  it('count away goals between two level sides', () => {
    const matches: Match[] = [
      [1, 2, 2, 1],
      [2, 1, 1, 0],
    ];
    assert.equal(ranking(matches, football('head_to_head_goal_difference', 'head_to_head_away_goals'))[0], 2);
    assert.equal(ranking(matches, football('head_to_head_goal_difference', 'away_goals_head_to_head'))[0], 2);
    assert.equal(ranking(matches, football('head_to_head_goal_difference'))[0], 1);
  });

  it('divide goals scored by goals conceded for goal average', () => {
    const matches: Match[] = [
      [1, 3, 6, 3],
      [2, 4, 1, 0],
      [2, 3, 0, 0],
      [1, 4, 0, 0],
    ];
    assert.equal(ranking(matches, football('goal_average'))[0], 2);
    assert.equal(ranking(matches, football('goal_difference'))[0], 1);
    const clean: Match[] = [
      [1, 3, 1, 0],
      [2, 4, 2, 0],
    ];
    assert.deepEqual(ranking(clean, football('goal_average')).slice(0, 2), [2, 1], 'no goal against: the more scored');
  });

  it('use a play-off only to decide between level sides', () => {
    const matches: Match[] = [
      [1, 3, 5, 0],
      [2, 4, 1, 0],
    ];
    const playOffs = results([
      [2, 1, 1, 0],
      [4, 2, 9, 0],
    ]);
    const table = computeTable(teams, results(matches), football('play_off', 'goal_difference'), { playOffs });
    assert.deepEqual(
      table.map(({ team, played, points }) => [team, played, points]),
      [
        [2, 1, 3],
        [1, 1, 3],
        [4, 1, 0],
        [3, 1, 0],
      ],
    );
  });

  it('give the points that the rules define for a win and for overtime', () => {
    const [row] = computeTable(
      teams,
      results([[1, 2, 1, 0]]),
      tableRules('football', [{}, { points: { win: 2, draw: 1, loss: 0 } }]),
    );
    assert.equal(row!.points, 2);
    const hockey = computeTable(
      teams,
      results([
        [1, 2, 3, 2, true],
        [3, 4, 3, 2],
      ]),
      tableRules('ice-hockey', []),
    );
    assert.deepEqual(
      hockey.map(({ team, points }) => [team, points]),
      [
        [3, 3],
        [1, 2],
        [2, 1],
        [4, 0],
      ],
    );
  });

  it('subtract deducted points before sides are compared', () => {
    const matches: Match[] = [
      [1, 2, 5, 0],
      [3, 4, 1, 0],
    ];
    assert.deepEqual(ranking(matches, football('goal_difference'), new Map([[1, -3]])), [3, 1, 4, 2]);
    const rows = computeTable(teams, results(matches), football(), { adjustments: new Map([[4, -8]]) });
    assert.equal(rows.at(-1)!.points, -8);
  });

  it('show each side’s last five matches as form', () => {
    const six: Match[] = [
      [1, 2, 0, 1],
      [1, 2, 1, 0],
      [2, 1, 1, 1],
      [1, 2, 1, 0],
      [1, 2, 1, 0],
      [1, 3, 2, 0],
    ];
    const [row] = computeTable(teams, lastResults(results(six)), football());
    assert.deepEqual([row!.played, row!.form], [5, 'WWWDW']);
    assert.equal(computeTable(teams, results(six), football()).find(({ team }) => team === 2)!.form, 'LLDLW');
  });

  it('use rules for a span of seasons in every season of the span, unless rules for one season override them', () => {
    const split = { after: 2, groups: [{ name: 'Top', places: [1, 2], meetings: 1 }] };
    const tournament = {
      tie_breaks: ['wins'],
      periods: [{ from: '1999/00', until: '2001/02', tie_breaks: ['away_goals'], split }],
    };
    const rules = (label: string | null, season: object = {}) =>
      tableRules('football', [tournament, season], { label, country: 'IT' });
    for (const [label, step] of [
      ['1998/99', 'wins'],
      ['1999/00', 'away_goals'],
      ['2001/02', 'away_goals'],
      ['2002/03', 'wins'],
      [null, 'wins'],
    ] as const)
      assert.equal(rules(label).tie_breaks[1], step, String(label));
    assert.equal(rules('2000/01').split?.after, 2);
    assert.equal(rules('2002/03').split, undefined);
    const own = rules('2000/01', { split: null, tie_breaks: ['goals_for'] });
    assert.deepEqual([own.split, own.tie_breaks], [undefined, ['points', 'goals_for']]);
  });

  it('give two points for a win between nations before 1995, unless the rules say otherwise', () => {
    const win = (label: string, country: string, rules: object = {}) =>
      tableRules('football', [rules], { label, country }).points.win;
    assert.deepEqual([win('1994', 'INT'), win('1994/95', 'INT'), win('1995', 'INT'), win('1994', 'IT')], [2, 2, 3, 3]);
    assert.equal(win('1994', 'INT', { points: { win: 3, draw: 1, loss: 0 } }), 3);
  });

  it('order sides by points per match if they have played different numbers of matches', () => {
    const matches: Match[] = [
      [1, 3, 1, 0],
      [1, 4, 1, 0],
      [1, 3, 0, 1],
      [2, 4, 1, 0],
    ];
    // Side 1 has 6 points from three matches, side 2 has 3 from one, and side 3 has 3 from two.
    assert.deepEqual(ranking(matches, football('points_per_match')), [2, 1, 3, 4]);
    assert.deepEqual(ranking(matches, football('goal_difference')), [1, 2, 3, 4]);
  });

  it('keep level sides in regular-season order after a split if the rules say so', () => {
    const carried = new Map([1, 2, 3, 4].map((team) => [team, { points: 10, rounding: 0, place: 5 - team }]));
    const order = (...steps: string[]) =>
      computeTable(teams, [], football(...steps), { carried }).map(({ team }) => team);
    assert.deepEqual(order('regular_season'), [4, 3, 2, 1]);
    assert.deepEqual(order(), [1, 2, 4, 3], 'else by name');
  });

  it('ignore invalid rules', () => {
    const rules = tableRules('football', [
      null,
      { points: 'many', tie_breaks: 'all', table: 1 },
      { tie_breaks: ['luck', 'wins', 3] },
    ]);
    assert.deepEqual(rules, {
      table: true,
      points: { win: 3, draw: 1, loss: 0 },
      tie_breaks: ['points', 'wins'],
      bonus: [],
      zones: [],
    });
    assert.equal(tableRules('football', [{ table: false }]).table, false);
    const endless = tableRules('football', [{ tie_breaks: Array.from({ length: 100_000 }, () => 'wins') }]);
    assert.deepEqual(endless.tie_breaks, ['points', 'wins'], 'a repeated step counts once');
    assert.deepEqual(tableRules('football', [{ tie_breaks: ['points_per_match', 'wins', 'points'] }]).tie_breaks, [
      'points_per_match',
      'wins',
      'points',
    ]);
  });

  describe('by percentage, bonus and overtime', () => {
    const rules = (sport: string, ...layers: object[]) => tableRules(sport, layers);
    const names = (table: { team: number }[]) => table.map(({ team }) => team);

    it('count a draw as half a win or not at all, as the rules say', () => {
      const matches: Match[] = [
        [1, 2, 20, 20],
        [1, 3, 20, 10],
        [2, 3, 10, 0],
        [2, 3, 10, 20],
      ];
      const half = rules('american-football', { tie_breaks: ['win_percentage'] });
      assert.deepEqual(half.tie_breaks[0], 'win_percentage');
      const played = computeTable(teams.slice(0, 3), results(matches), half);
      assert.deepEqual(
        played.map((row) => [row.team, winPercentage(row, half), gamesBehind(played[0]!, row)]),
        [
          [1, 0.75, 0],
          [2, 0.5, 0.5],
          [3, 1 / 3, 1],
        ],
      );
      const without = { ...half, draws_in_percentage: false };
      assert.deepEqual(
        played.map((row) => winPercentage(row, without)),
        [1, 0.5, 1 / 3],
      );
      assert.equal(winPercentage({ wins: 0, draws: 0, losses: 0 }, half), null);
      assert.equal(winPercentage({ wins: 0, draws: 3, losses: 0 }, without), null);
    });

    it('add bonus points to the points, and also report them separately', () => {
      const rugby = rules('rugby');
      const played = results([
        [1, 2, 30, 24],
        [3, 1, 12, 12],
      ]).map((result) => ({ ...result, bonus: result.team === 2 ? 2 : 0 }));
      assert.deepEqual(
        computeTable(teams.slice(0, 3), played, rugby).map(({ team, points, bonus }) => [team, points, bonus]),
        [
          [1, 6, 0],
          [3, 2, 0],
          [2, 2, 2],
        ],
        'level sides are ordered by wins, then by difference',
      );
    });

    it('treat wins in regular time and wins without shoot-outs as separate tie-breakers', () => {
      const nhl = (step: string) => rules('ice-hockey', { tie_breaks: [step], points: { win: 2, draw: 1, loss: 0 } });
      const played = [
        ...results([
          [1, 3, 2, 1, true],
          [2, 3, 2, 1, true],
          [3, 4, 2, 1],
          [4, 1, 0, 3, true],
        ]),
      ].map((result) => ({ ...result, shootOut: result.team === 1 && result.opponent === 4 }));
      assert.deepEqual(names(computeTable(teams, played, nhl('regulation_wins'))), [1, 3, 2, 4]);
      const [first] = computeTable(teams, played, nhl('regulation_overtime_wins'));
      assert.deepEqual([first!.team, first!.wins, first!.overtime_wins, first!.overtime_losses], [1, 2, 2, 0]);
    });

    it('separate level sides by a sweep, and by records within division and conference', () => {
      const alignment = new Map([
        [1, { conference: 'A', division: 'A1' }],
        [2, { conference: 'A', division: 'A1' }],
        [3, { conference: 'A', division: 'A2' }],
        [4, { conference: 'B', division: 'B1' }],
      ]);
      const by = (...steps: string[]) => rules('american-football', { tie_breaks: ['win_percentage', ...steps] });
      const order = (matches: Match[], ...steps: string[]) =>
        names(computeTable(teams, results(matches), by(...steps), { alignment }));
      // Sides 1 to 3 each have a win and a loss. Side 4 has neither.
      const even: Match[] = [
        [2, 1, 7, 3],
        [1, 4, 7, 3],
        [3, 2, 7, 3],
        [4, 3, 7, 3],
      ];
      assert.deepEqual(
        order(even, 'division_percentage', 'name').slice(0, 1),
        [2],
        'its record in its division is 1-0',
      );
      assert.deepEqual(order(even, 'conference_percentage', 'name'), [3, 2, 1, 4]);
      assert.deepEqual(
        order(even, 'head_to_head_sweep', 'name'),
        [1, 2, 3, 4].sort((a, b) => NAME[a]!.localeCompare(NAME[b]!)),
      );
      // Sides 1, 2 and 3 have won half of their matches.
      const swept: Match[] = [
        [3, 1, 7, 3],
        [3, 2, 7, 3],
        [1, 4, 7, 3],
        [2, 4, 7, 3],
        [5, 3, 7, 3],
        [5, 3, 7, 3],
      ];
      const five = [...teams, { id: 5, name: 'Epsilon' }];
      const steps = by('head_to_head_sweep', 'name');
      assert.deepEqual(names(computeTable(five, results(swept), steps)), [5, 3, 1, 2, 4]);
    });

    it('count common games as soon as each side has four, and measure strength by the opponents’ records', () => {
      const by = (...steps: string[]) => rules('american-football', { tie_breaks: ['win_percentage', ...steps] });
      const six: Team[] = [...teams, { id: 5, name: 'Epsilon' }, { id: 6, name: 'Zeta' }];
      // Sides 1 and 2 both have a 3-1 record. Both have played 3, 4, 5 and 6.
      const matches: Match[] = [
        [1, 3, 1, 0],
        [1, 4, 1, 0],
        [1, 5, 1, 0],
        [1, 6, 0, 1],
        [2, 3, 1, 0],
        [2, 4, 1, 0],
        [2, 5, 0, 1],
        [2, 6, 1, 0],
        [6, 3, 1, 0],
        [6, 4, 1, 0],
      ];
      const better = (played: Match[], ...steps: string[]) =>
        names(computeTable(six, results(played), by(...steps))).find((team) => team < 3);
      assert.equal(better(matches, 'name'), 1);
      assert.equal(better(matches, 'strength_of_victory', 'name'), 2, 'it has beaten 6, which won three of four');
      // Both sides are 4-2. Against 3, 4, 5 and 6, the first is 3-2 and the second 4-1. The remaining matches were between the two.
      const rest: Match[] = [
        [1, 3, 0, 1],
        [1, 2, 1, 0],
        [2, 3, 1, 0],
      ];
      assert.equal(better([...matches, ...rest], 'common_games_percentage', 'name'), 2);
      // Three matches against common opponents are too few.
      const few = matches.filter(([home, away]) => !(home < 3 && away === 6));
      assert.equal(better([...few, [2, 5, 1, 0], [1, 2, 1, 0]], 'common_games_percentage', 'name'), 1);
    });

    it('start the tie-breakers again for two sides once the best of three level sides is known', () => {
      const circle: Match[] = [
        [1, 2, 3, 0],
        [2, 3, 2, 0],
        [3, 1, 1, 0],
      ];
      const steps = ['win_percentage', 'head_to_head_win_percentage', 'goal_difference', 'name'];
      const usual = rules('baseball', { tie_breaks: steps });
      // By goal difference, side 1 (+2) is ahead of 2 (−1) and 3 (−1). Then 2 is ahead because it beat 3, whatever the names are.
      assert.deepEqual(names(computeTable(teams.slice(0, 3), results(circle), usual))[0], 1);
      const again = { ...usual, restart_tie_breaks: true };
      assert.deepEqual(names(computeTable(teams.slice(0, 3), results(circle), again)), [1, 2, 3]);
      const mirrored = teams.slice(0, 3).map(({ id }) => ({ id, name: String(9 - id) }));
      assert.deepEqual(names(computeTable(mirrored, results(circle), again)), [1, 2, 3]);
      assert.deepEqual(names(computeTable(mirrored, results(circle), usual)), [1, 3, 2]);
    });
  });

  describe('in any season', () => {
    const match = fc
      .tuple(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 0, max: 4 }),
      )
      .filter(([home, away]) => home !== away);
    const season = fc.array(match, { maxLength: 30 });
    const sides: Team[] = [1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `Side ${id % 4}` }));
    const steps = TIE_BREAKS.filter((step) => step !== 'points_per_match' && step !== 'win_percentage');
    const rules = fc.shuffledSubarray(steps).map((chosen) => football(...chosen));
    const check = (property: (matches: Match[], table: ReturnType<typeof computeTable>, rules: TableRules) => void) =>
      fc.assert(
        fc.property(season, rules, (matches, given) =>
          property(matches, computeTable(sides, results(matches), given), given),
        ),
        { numRuns: 300 },
      );

    it('have each side once, more points above fewer, and sums that balance', () => {
      check((matches, table) => {
        assert.deepEqual(table.map(({ team }) => team).sort(), [1, 2, 3, 4, 5, 6]);
        const total = (of: (row: (typeof table)[number]) => number) => table.reduce((sum, row) => sum + of(row), 0);
        assert.equal(
          total(({ played }) => played),
          matches.length * 2,
        );
        assert.equal(
          total(({ scored, conceded }) => scored - conceded),
          0,
        );
        assert.equal(
          total(({ wins, losses }) => wins - losses),
          0,
        );
        for (const [index, row] of table.entries()) {
          assert.equal(row.played, row.wins + row.draws + row.losses);
          assert.equal(row.points, 3 * row.wins + row.draws);
          if (index > 0) assert.ok(table[index - 1]!.points >= row.points);
        }
      });
    });

    it('do not depend on the order of sides or matches', () => {
      fc.assert(
        fc.property(season, rules, fc.shuffledSubarray(sides, { minLength: 6 }), (matches, given, shuffled) => {
          const order = (list: readonly Team[], played: readonly Match[]) =>
            computeTable(list, results(played), given).map(({ team }) => team);
          assert.deepEqual(order(shuffled, matches.toReversed()), order(sides, matches));
        }),
        { numRuns: 300 },
      );
    });

    it('order two level sides by the matches between them if nothing else counts', () => {
      fc.assert(
        fc.property(season, (matches) => {
          const two = football('head_to_head_points', 'head_to_head_goal_difference');
          const table = computeTable(sides, results(matches), two);
          for (const [index, above] of table.entries()) {
            const level = table.filter(({ points }) => points === above.points);
            const below = table[index + 1];
            if (level.length !== 2 || below?.points !== above.points) continue;
            const mutual = results(matches).filter(
              ({ team, opponent }) => team === above.team && opponent === below.team,
            );
            const gained = (outcome: string) => mutual.filter((one) => one.outcome === outcome).length;
            assert.ok(gained('W') >= gained('L'));
          }
        }),
        { numRuns: 300 },
      );
    });
  });
});
