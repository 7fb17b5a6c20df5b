import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { routes } from '../../src/competitions/routes.ts';
import type { StandingsRow } from '../../src/competitions/standings.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

interface Standings {
  tournament: string;
  season_id: number | null;
  season_label: string | null;
  standing_type: string;
  table: StandingsRow[];
  complete: boolean;
  reason?: 'no_table';
}
type Fixture = [day: string, home: string, away: string, homeScore?: number, awayScore?: number];

describe('standings', () => {
  let fed: Fed;
  let serial = 0;
  before(async () => {
    fed = await startFed(routes, '2024-06-15T12:00:00Z');
  });
  after(() => fed.close());

  interface Where {
    tournament: string;
    country?: string;
    season?: string;
    sport?: string;
    over?: object;
  }
  const feed = (where: Where, fixtures: Fixture[], over: (index: number) => object = () => ({})) =>
    fed.matches(
      ...fixtures.map(([day, home, away, homeScore, awayScore], index) => ({
        id: `s${++serial}`,
        sport: where.sport ?? 'football',
        tournament: { name: where.tournament, country: where.country ?? 'INT' },
        season: { label: where.season ?? '2023/24' },
        home: { name: home, country: where.country ?? 'INT' },
        away: { name: away, country: where.country ?? 'INT' },
        scheduled_start: `${day}T15:00:00Z`,
        ...(homeScore !== undefined && {
          status: 'finished' as const,
          status_detail: 'ended' as const,
          score: { home: homeScore, away: awayScore! },
        }),
        ...where.over,
        ...over(index),
      })),
    );
  const read = async (tournament: string, query = '') => {
    const id = await fed.tournamentId(tournament);
    const { status, json } = await fed.app.ask<Standings>(`/v1/tournament/${id}/standings?${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    return json;
  };
  const league = (name: string, over: object = {}) =>
    fed.tournaments({ name, country: 'INT', sport: 'football', tier: 1, ...over });
  const brief = ({ table }: Standings) =>
    table.map(
      (row) =>
        `${row.position} ${row.name} ${row.played} ${row.wins}-${row.draws}-${row.losses} ${row.scores_for}:${row.scores_against} ${row.points}`,
    );

  it('group H at the 2022 World Cup has standings without the knockout matches', async () => {
    const where = { tournament: 'World Cup H', season: '2022' };
    await feed({ ...where, over: { group_name: 'Group H' } }, [
      ['2022-11-24', 'Uruguay', 'South Korea', 0, 0],
      ['2022-11-24', 'Portugal', 'Ghana', 3, 2],
      ['2022-11-28', 'South Korea', 'Ghana', 2, 3],
      ['2022-11-28', 'Portugal', 'Uruguay', 2, 0],
      ['2022-12-02', 'Ghana', 'Uruguay', 0, 2],
      ['2022-12-02', 'South Korea', 'Portugal', 2, 1],
    ]);
    await feed({ ...where, over: { round_name: 'Round of 16' } }, [
      ['2022-12-05', 'Brazil', 'South Korea', 4, 1],
      ['2022-12-06', 'Portugal', 'Switzerland', 6, 1],
    ]);
    const standings = await read('World Cup H');
    assert.deepEqual(
      [standings.tournament, standings.season_label, standings.standing_type],
      ['World Cup H', '2022', 'total'],
    );
    assert.deepEqual(brief(standings), [
      '1 Portugal 3 2-0-1 6:4 6',
      '2 South Korea 3 1-1-1 4:4 4',
      '3 Uruguay 3 1-1-1 2:2 4',
      '4 Ghana 3 1-0-2 5:7 3',
    ]);
    const korea = standings.table[1]!;
    assert.deepEqual([korea.group, korea.goal_difference, korea.points_deducted, korea.form], ['Group H', 0, 0, 'WLD']);
    assert.deepEqual(brief(await read('World Cup H', 'type=home')), [
      '1 Portugal 2 2-0-0 5:2 6',
      '2 South Korea 2 1-0-1 4:4 3',
      '3 Uruguay 1 0-1-0 0:0 1',
      '4 Ghana 1 0-0-1 0:2 0',
    ]);
    assert.deepEqual(brief(await read('World Cup H', 'type=away')), [
      '1 Ghana 2 1-0-1 5:5 3',
      '2 Uruguay 2 1-0-1 2:2 3',
      '3 South Korea 1 0-1-0 0:0 1',
      '4 Portugal 1 0-0-1 1:2 0',
    ]);
  });

  it('each group has its own table, and groups are ordered by name in each stage', async () => {
    const where = { tournament: 'Grouped Cup', season: '1974' };
    await feed({ ...where, over: { group_name: 'Group 10' } }, [['1974-06-01', 'North', 'South', 1, 0]]);
    await feed({ ...where, over: { group_name: 'Group 2' } }, [['1974-06-01', 'East', 'West', 1, 0]]);
    await feed({ ...where, over: { group_name: 'Group A' } }, [['1974-07-01', 'North', 'East', 0, 1]]);
    const { table } = await read('Grouped Cup');
    assert.deepEqual(
      table.map(({ group, position, name, played }) => [group, position, name, played]),
      [
        ['Group 2', 1, 'East', 1],
        ['Group 2', 2, 'West', 1],
        ['Group 10', 1, 'North', 1],
        ['Group 10', 2, 'South', 1],
        ['Group A', 1, 'East', 1],
        ['Group A', 2, 'North', 1],
      ],
    );
  });

  it('a side has the name under which it played its last match in the season', async () => {
    const names = (...former_names: { name: string; name_ru?: string; from: string; to: string }[]) =>
      ({ type: 'team', sport: 'football', country: 'DE', former_names }) as const;
    await fed.participants(
      { ...names({ name: 'Works', name_ru: 'Завод', from: '1990-01-01', to: '1995-06-30' }), name: 'Renamed Between' },
      { ...names({ name: 'Before', from: '1990-01-01', to: '1995-03-15' }), name: 'Renamed Within', name_ru: 'Новое' },
    );
    const where = { tournament: 'League of Names', country: 'DE' };
    const fixtures = (year: number): Fixture[] => [
      [`${year}-03-01`, 'Renamed Within', 'Constant', 1, 0],
      [`${year}-03-08`, 'Constant', 'Renamed Between', 0, 1],
      [`${year}-04-01`, 'Renamed Between', 'Renamed Within', 1, 0],
    ];
    for (const year of [1994, 1995, 1996]) await feed({ ...where, season: `${year}` }, fixtures(year));
    const seasons = await fed.db.pool.query<{ id: number }>(
      "SELECT s.id FROM season s JOIN tournament t ON t.id = s.tournament_id WHERE t.name = 'League of Names' ORDER BY s.season_label",
    );
    const shown = [];
    for (const { id } of seasons.rows)
      shown.push((await read(where.tournament, `season=${id}`)).table.map(({ name, name_ru }) => [name, name_ru]));
    assert.deepEqual(shown, [
      [
        ['Works', 'Завод'],
        ['Before', null],
        ['Constant', null],
      ],
      [
        ['Works', 'Завод'],
        ['Renamed Within', 'Новое'],
        ['Constant', null],
      ],
      [
        ['Renamed Between', null],
        ['Renamed Within', 'Новое'],
        ['Constant', null],
      ],
    ]);
  });

  it('groups with the same name in two stages are distinguished', async () => {
    const where = { tournament: 'Two-stage Cup', season: '1982' };
    const stage = (round_name: string, group_name = 'Group 1') => ({ ...where, over: { round_name, group_name } });
    await feed(stage('Second group stage'), [['1982-07-01', 'Poland', 'Belgium', 3, 0]]);
    await feed(stage('Group stage'), [['1982-06-14', 'Italy', 'Poland', 0, 0]]);
    await feed(stage('Group stage', 'Group 2'), [['1982-06-15', 'Belgium', 'Austria', 0, 0]]);
    const { table } = await read('Two-stage Cup');
    assert.deepEqual(
      table.map(({ group, position, name, played, points }) => [group, position, name, played, points]),
      [
        ['Group 2', 1, 'Austria', 1, 1],
        ['Group 2', 2, 'Belgium', 1, 1],
        ['Group stage, Group 1', 1, 'Italy', 1, 1],
        ['Group stage, Group 1', 2, 'Poland', 1, 1],
        ['Second group stage, Group 1', 1, 'Poland', 1, 2],
        ['Second group stage, Group 1', 2, 'Belgium', 1, 0],
      ],
    );
  });

  it('a group’s play-off decides positions but gives no points', async () => {
    const where = { tournament: 'Play-off Cup', season: '1958' };
    await fed.tournaments({
      name: 'Play-off Cup',
      country: 'INT',
      sport: 'football',
      rules: { tie_breaks: ['points', 'play_off', 'goal_difference'] },
    });
    await feed({ ...where, over: { group_name: 'Group 3', round_name: 'Group stage' } }, [
      ['1958-06-08', 'Hungary', 'Wales', 1, 1],
      ['1958-06-12', 'Hungary', 'Mexico', 4, 0],
      ['1958-06-11', 'Wales', 'Mexico', 1, 0],
    ]);
    await feed({ ...where, over: { round_name: 'Group play-off' } }, [['1958-06-17', 'Wales', 'Hungary', 2, 1]]);
    assert.deepEqual(brief(await read('Play-off Cup')), [
      '1 Wales 2 1-1-0 2:1 3',
      '2 Hungary 2 1-1-0 5:1 3',
      '3 Mexico 2 0-0-2 0:5 0',
    ]);
  });

  it('a season starts with every side at zero', async () => {
    await league('New League');
    await feed({ tournament: 'New League', season: '2024/25' }, [
      ['2024-08-10', 'Rook', 'Crow'],
      ['2024-08-17', 'Crow', 'Jay'],
    ]);
    assert.deepEqual(brief(await read('New League')), [
      '1 Crow 0 0-0-0 0:0 0',
      '2 Jay 0 0-0-0 0:0 0',
      '3 Rook 0 0-0-0 0:0 0',
    ]);
  });

  it('finished and awarded matches and walkovers count, while abandoned, cancelled and live ones do not', async () => {
    const states = [
      { status: 'finished', status_detail: 'ended' },
      { status: 'finished', status_detail: 'awarded' },
      { status: 'finished', status_detail: 'walkover' },
      { status: 'finished', status_detail: 'abandoned' },
      { status: 'live', status_detail: 'in_play' },
      { status: 'finished', status_detail: 'cancelled', score: null },
    ];
    await league('States League');
    await feed(
      { tournament: 'States League' },
      states.map((_, index) => [`2024-05-0${index + 1}`, 'Lark', `Bird ${index}`, 3, 0]),
      (index) => states[index]!,
    );
    const { table } = await read('States League');
    assert.deepEqual([table[0]!.name, table[0]!.played, table[0]!.points], ['Lark', 3, 9]);
    assert.ok(table.some(({ name, played }) => name === 'Bird 4' && played === 0));
    assert.ok(!table.some(({ name }) => name === 'Bird 5'), 'a side of cancelled matches alone has no place');
  });

  it('the table is empty for a cup, or if the rules disable it', async () => {
    for (const [tournament, over] of [
      ['Knockout Cup', { round_name: 'Quarter-finals' }],
      ['Old Cup', { round_name: 'Third round' }],
      ['Numbered Cup', { round_name: 'Semi-finals', round_num: 5 }],
    ] as const) {
      await feed({ tournament, over }, [['2024-05-01', 'Gull', 'Tern', 1, 0]]);
      const { table, reason, complete } = await read(tournament);
      assert.deepEqual([table, reason, complete], [[], 'no_table', true], tournament);
    }
    await fed.tournaments({ name: 'Cup of Friends', country: 'INT', sport: 'football', rules: { table: false } });
    await feed({ tournament: 'Cup of Friends' }, [['2024-05-01', 'Gull', 'Tern', 1, 0]]);
    assert.deepEqual((await read('Cup of Friends')).table, []);
  });

  /** Makes one match for each pair, at the first side's ground. The side that is named first wins 1:0. */
  const roundRobin = (sides: string[], month: string): Fixture[] =>
    sides
      .flatMap((home, index) => sides.slice(index + 1).map((away) => [home, away] as const))
      .map(([home, away], index) => [`${month}-${String(index + 1).padStart(2, '0')}`, home, away, 1, 0]);

  it('a single match or a two-leg tie has no table', async () => {
    await feed({ tournament: 'Challenge Match' }, [['2024-05-01', 'Gull', 'Tern', 1, 0]]);
    await feed({ tournament: 'Challenge Tie' }, [
      ['2024-05-01', 'Gull', 'Tern', 1, 0],
      ['2024-05-08', 'Tern', 'Gull', 1, 0],
    ]);
    for (const tournament of ['Challenge Match', 'Challenge Tie']) {
      const { table, reason } = await read(tournament);
      assert.deepEqual([table, reason], [[], 'no_table'], tournament);
    }
  });

  it('groups inferred from fixtures are numbered by the first side name in each group', async () => {
    const tournament = 'Nameless Cup';
    await feed({ tournament }, [
      ...roundRobin(['Wren', 'Rook', 'Finch'], '2024-01'),
      ...roundRobin(['Lark', 'Swift', 'Crow', 'Tit'], '2024-01'),
      ['2024-02-01', 'Wren', 'Lark', 3, 0],
    ]);
    const { table, complete, reason } = await read(tournament);
    assert.deepEqual([complete, reason], [true, undefined]);
    assert.deepEqual(
      table.map(({ group, position, name, points }) => [group, position, name, points]),
      [
        ['1', 1, 'Lark', 9],
        ['1', 2, 'Swift', 6],
        ['1', 3, 'Crow', 3],
        ['1', 4, 'Tit', 0],
        ['2', 1, 'Wren', 6],
        ['2', 2, 'Rook', 3],
        ['2', 3, 'Finch', 0],
      ],
    );
  });

  it('a league phase has one table even if some sides never meet', async () => {
    const pairs: [string, string][][] = [
      [
        ['A', 'B'],
        ['C', 'D'],
        ['E', 'F'],
      ],
      [
        ['B', 'C'],
        ['D', 'E'],
        ['F', 'A'],
      ],
    ];
    const fixtures = pairs.flat().map(([home, away], index): Fixture => [`2024-09-1${index}`, home, away, 1, 0]);
    await feed({ tournament: 'Swiss Cup', season: '2024/25' }, fixtures, (index) => ({
      round_num: index < 3 ? 1 : 2,
      round_name: `Matchday ${index < 3 ? 1 : 2}`,
    }));
    await feed({ tournament: 'Swiss Cup', season: '2024/25', over: { round_name: 'Play-offs' } }, [
      ['2024-12-01', 'A', 'C', 1, 0],
    ]);
    await feed({ tournament: 'Phase Cup', season: '2024/25', over: { round_name: 'League phase' } }, fixtures);
    await feed({ tournament: 'Phase Cup', season: '2024/25', over: { round_name: 'Final' } }, [
      ['2024-12-01', 'A', 'C', 1, 0],
    ]);
    for (const tournament of ['Swiss Cup', 'Phase Cup']) {
      const { table } = await read(tournament);
      assert.deepEqual(
        table.map(({ group, name, played }) => [group, name, played]),
        [...'ABCDEF'].map((name) => [null, name, 2]),
        tournament,
      );
    }
  });

  it('matchdays whose sides do not play one another are separate groups', async () => {
    const days: [string, string][][] = [
      [
        ['A', 'B'],
        ['C', 'D'],
        ['E', 'F'],
        ['G', 'H'],
      ],
      [
        ['A', 'C'],
        ['B', 'D'],
        ['E', 'G'],
        ['F', 'H'],
      ],
      [
        ['A', 'D'],
        ['B', 'C'],
        ['E', 'H'],
        ['F', 'G'],
      ],
    ];
    const fixtures = days.flatMap((pairs, day) =>
      pairs.map(([home, away]): Fixture => [`2024-01-0${day + 1}`, home, away, 1, 0]),
    );
    await feed({ tournament: 'Matchday Cup' }, fixtures, (index) => ({ round_num: Math.floor(index / 4) + 1 }));
    assert.deepEqual(
      (await read('Matchday Cup')).table.map(({ group, name }) => `${group} ${name}`),
      ['1 A', '1 B', '1 C', '1 D', '2 E', '2 F', '2 G', '2 H'],
    );
  });

  it('numbered rounds are not a league phase if half the sides drop out in the next one', async () => {
    const fixtures: Fixture[] = [
      ['2024-01-01', 'A', 'B', 1, 0],
      ['2024-01-01', 'C', 'D', 1, 0],
      ['2024-01-08', 'A', 'C', 1, 0],
    ];
    await feed({ tournament: 'Rounds Cup' }, fixtures, (index) => ({ round_num: index < 2 ? 1 : 2 }));
    assert.equal((await read('Rounds Cup')).reason, 'no_table');
  });

  it('qualifying rounds and paths that a source calls groups have no tables', async () => {
    const where = { tournament: 'Paths Cup' };
    await feed({ ...where, over: { group_name: 'Group A' } }, [['2024-01-01', 'Gull', 'Tern', 1, 0]]);
    for (const [index, group_name] of [
      'Qualification',
      'Play-off path B',
      'Inter-confederation Play-offs',
      'Path A',
      'Preliminary round',
      'Knockout phase',
    ].entries())
      await feed({ ...where, over: { group_name } }, [[`2024-02-0${index + 1}`, 'Rook', 'Crow', 1, 0]]);
    const { table } = await read('Paths Cup');
    assert.deepEqual(
      table.map(({ group, name }) => [group, name]),
      [
        ['Group A', 'Gull'],
        ['Group A', 'Tern'],
      ],
    );
  });

  describe('a league that is split', () => {
    const SIDES = ['Ant', 'Bee', 'Cat', 'Dog'];
    const split = {
      after: 3,
      groups: [
        {
          name: 'Top',
          places: [1, 2],
          meetings: 2,
          points: 'halve_up',
          results: false,
          tie_breaks: ['points', 'unrounded_points'],
        },
        { name: 'Bottom', places: [3, 4], meetings: 2, points: 'keep' },
      ],
    };
    const later: Fixture[] = [
      ['2024-03-01', 'Ant', 'Bee', 0, 2],
      ['2024-03-08', 'Bee', 'Ant', 1, 1],
      ['2024-03-01', 'Dog', 'Cat', 2, 0],
      ['2024-03-08', 'Cat', 'Dog', 0, 1],
      // A knock-out tie after the group stage.
      ['2024-04-01', 'Bee', 'Dog', 5, 0],
    ];
    const rows = (table: StandingsRow[]) =>
      table.map(({ group, position, name, played, scores_for, points }) =>
        [group, position, name, played, scores_for, points].join(' '),
      );
    const regular = [' 1 Ant 3 3 9', ' 2 Bee 3 2 6', ' 3 Cat 3 1 3', ' 4 Dog 3 0 0'];
    const divided = async (tournament: string, rules: object, fixtures: Fixture[]) => {
      await league(tournament, { rules: { split: rules } });
      await feed({ tournament }, [...roundRobin(SIDES, '2024-01'), ...fixtures]);
    };

    it('the groups follow the regular season, and the sides keep their share of the points', async () => {
      await divided('Split League', split, later);
      const { table, complete } = await read('Split League');
      // Ant has 9 points, halved to 5 by rounding, and draws once. Bee has 6, halved to 3, and wins and draws once. Dog passes Cat.
      assert.deepEqual(rows(table), [
        ...regular,
        'Top 1 Bee 2 3 7',
        'Top 2 Ant 2 1 6',
        'Bottom 1 Dog 5 3 6',
        'Bottom 2 Cat 5 1 3',
      ]);
      assert.equal(complete, true);
      const home = (await read('Split League', 'type=home')).table;
      assert.deepEqual(rows(home.slice(4)), [
        'Top 1 Bee 1 1 1',
        'Top 2 Ant 1 0 0',
        'Bottom 1 Dog 1 2 3',
        'Bottom 2 Cat 2 1 3',
      ]);
    });

    it('a side whose points were not rounded up after the halving ranks above a level side if the rules say so', async () => {
      await divided('Rounding League', split, [
        ['2024-03-01', 'Ant', 'Bee', 0, 2],
        ['2024-03-08', 'Bee', 'Ant', 0, 1],
        ['2024-03-15', 'Cat', 'Dog', 0, 0],
      ]);
      await fed.tournaments({
        name: 'Rounding League',
        country: 'INT',
        sport: 'football',
        seasons: [
          { label: '2023/24', points_adjustments: [{ participant: { name: 'Ant', country: 'INT' }, points: -4 }] },
        ],
      });
      // Bee has 6 points, and Ant has 9 - 4 = 5. Both are halved to 3, Ant's by rounding half a point up. Then each wins once.
      const { table } = await read('Rounding League');
      assert.deepEqual(rows(table).slice(0, 6), [
        ' 1 Bee 3 2 6',
        ' 2 Ant 3 3 5',
        ' 3 Cat 3 1 3',
        ' 4 Dog 3 0 0',
        'Top 1 Bee 2 2 6',
        'Top 2 Ant 2 1 6',
      ]);
      assert.deepEqual(table.map(({ points_deducted }) => points_deducted).slice(0, 6), [0, 4, 0, 0, 0, 0]);
    });

    it('one common table keeps the later groups below the earlier groups', async () => {
      const groups = [
        { name: 'Top', places: [1, 2], meetings: 1 },
        { name: 'Bottom', places: [3, 4], meetings: 1 },
      ];
      await divided('One Table League', { after: 3, one_table: true, groups }, [
        ['2024-03-01', 'Ant', 'Bee', 0, 2],
        ['2024-03-01', 'Cat', 'Dog', 9, 0],
      ]);
      await fed.tournaments({
        name: 'One Table League',
        country: 'INT',
        sport: 'football',
        seasons: [
          { label: '2023/24', points_adjustments: [{ participant: { name: 'Bee', country: 'INT' }, points: -5 }] },
        ],
      });
      // Bee is third after the deduction, but plays Dog instead. The fixtures contradict the places.
      const contradicted = await read('One Table League');
      assert.equal(contradicted.complete, false);
      await fed.tournaments({
        name: 'One Table League',
        country: 'INT',
        sport: 'football',
        seasons: [
          { label: '2023/24', points_adjustments: [{ participant: { name: 'Bee', country: 'INT' }, points: -2 }] },
        ],
      });
      const { table, complete } = await read('One Table League');
      assert.deepEqual(rows(table), [' 1 Ant 4 3 9', ' 2 Bee 4 4 7', ' 3 Cat 4 10 6', ' 4 Dog 4 0 0']);
      assert.deepEqual([table[1]!.points_deducted, complete], [2, true]);
    });

    it('a split without rules or without groups makes the table incomplete', async () => {
      await league('Unruled League');
      await feed({ tournament: 'Unruled League' }, roundRobin(SIDES, '2024-01'), (index) => ({ round_num: index + 1 }));
      await feed({ tournament: 'Unruled League', over: { group_name: 'Top' } }, [['2024-03-01', 'Ant', 'Bee', 1, 0]]);
      assert.equal((await read('Unruled League')).complete, false);
      await divided('Half League', split, []);
      assert.deepEqual(rows((await read('Half League')).table), regular);
      const now = fed.now;
      assert.equal((await read('Half League')).complete, false, 'it ended in January');
      fed.now = Date.parse('2024-03-01T00:00:00Z');
      assert.equal((await read('Half League')).complete, true, 'its groups are to come');
      fed.now = now;
    });

    it('invalid split rules are ignored', async () => {
      await divided('Invalid League', { after: 3, groups: [{ ...split.groups[0]!, places: [1, 1] }] }, later);
      const { table } = await read('Invalid League');
      assert.deepEqual(
        table.map(({ name, played }) => [name, played]),
        [
          ['Bee', 6],
          ['Ant', 5],
          ['Dog', 6],
          ['Cat', 5],
        ],
      );
    });
  });

  describe('completeness', () => {
    const SIDES = ['Ant', 'Bee', 'Cat', 'Dog', 'Elk'];
    const completeOf = async (name: string) => (await read(name)).complete;

    it('a table is complete while the season is in progress, and incomplete afterwards if pairings are missing', async () => {
      const now = fed.now;
      await league('Progress League');
      await feed({ tournament: 'Progress League' }, roundRobin(SIDES, '2024-05').slice(1));
      assert.equal(await completeOf('Progress League'), true);
      fed.now = Date.parse('2024-05-10T15:00:00Z') + 120 * 86_400_000;
      assert.equal(await completeOf('Progress League'), true, '120 days after the last match');
      fed.now += 1;
      assert.equal(await completeOf('Progress League'), false);
      await fed.tournaments({
        name: 'Progress League',
        country: 'INT',
        sport: 'football',
        seasons: [{ label: '2023/24', rules: { curtailed: true } }],
      });
      assert.equal(await completeOf('Progress League'), true, 'it ended early');
      await fed.tournaments({
        name: 'Progress League',
        country: 'INT',
        sport: 'football',
        seasons: [{ label: '2023/24', rules: { complete: false } }],
      });
      assert.equal(await completeOf('Progress League'), false, 'its sources are known to be incomplete');
      fed.now = now;
    });

    it('a match without a result counts as missing a day after the start, unless it was postponed', async () => {
      await league('Overdue League');
      const fixtures: Fixture[] = [
        ['2024-06-10', 'Ant', 'Bee', 1, 0],
        ['2024-06-14', 'Bee', 'Cat'],
      ];
      const states = [{}, { id: 'overdue' }];
      await feed({ tournament: 'Overdue League' }, fixtures, (index) => states[index]!);
      const now = fed.now;
      fed.now = Date.parse('2024-06-15T15:00:00Z');
      assert.equal(await completeOf('Overdue League'), true, 'a day later');
      fed.now += 1000;
      assert.equal(await completeOf('Overdue League'), false);
      await feed({ tournament: 'Overdue League' }, [fixtures[1]!], () => ({
        id: 'overdue',
        status_detail: 'postponed',
      }));
      assert.equal(await completeOf('Overdue League'), true, 'postponed');
      fed.now = now;
    });

    it('a season in which nearly all sides have played equally many matches is incomplete while a match is missing', async () => {
      await league('Uneven League');
      // A ring in which each side meets two other sides, and one match is missing.
      const ring = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
      const fixtures = ring.map((home, index): Fixture => ['2024-01-01', home, ring[(index + 1) % ring.length]!, 1, 0]);
      await feed({ tournament: 'Uneven League' }, fixtures.slice(1));
      assert.equal(await completeOf('Uneven League'), false);
      await feed({ tournament: 'Uneven League' }, fixtures.slice(0, 1));
      assert.equal(await completeOf('Uneven League'), true);
    });
  });

  it('a position that the organizer sets moves a side, and the following sides move up', async () => {
    await league('Placed League');
    await feed({ tournament: 'Placed League' }, roundRobin(['Ant', 'Bee', 'Cat', 'Dog'], '2024-05'));
    const place = (position: number | undefined) =>
      fed.tournaments({
        name: 'Placed League',
        country: 'INT',
        sport: 'football',
        seasons: [
          {
            label: '2023/24',
            points_adjustments: [
              { participant: { name: 'Ant', country: 'INT' }, points: 0, ...(position && { position }) },
            ],
          },
        ],
      });
    const names = async (query = '') =>
      (await read('Placed League', query)).table.map(({ position, name, points }) => `${position} ${name} ${points}`);
    await place(4);
    assert.deepEqual(await names(), ['1 Bee 6', '2 Cat 3', '3 Dog 0', '4 Ant 9']);
    assert.equal((await names('type=home'))[0], '1 Ant 9', 'in the total table alone');
    await place(99);
    assert.deepEqual((await names()).at(-1), '4 Ant 9', 'beyond the table: last');
    await place(undefined);
    assert.deepEqual((await names())[0], '1 Ant 9');
  });

  it('a league’s play-offs do not count, but all matchdays do', async () => {
    const where = { tournament: 'League with Play-offs' };
    await league(where.tournament);
    await feed(where, [['2024-04-01', 'Wren', 'Finch', 2, 0]], () => ({ round_num: 1, round_name: 'Round 1' }));
    await feed(where, [['2024-05-01', 'Finch', 'Wren', 2, 0]], () => ({ round_name: 'Play-offs' }));
    await feed(where, [['2024-05-09', 'Finch', 'Wren', 2, 0]], () => ({ round_name: 'Final' }));
    assert.deepEqual(brief(await read('League with Play-offs')), ['1 Wren 1 1-0-0 2:0 3', '2 Finch 1 0-0-1 0:2 0']);
  });

  it('ice hockey gives points for overtime according to the final result', async () => {
    const where = { tournament: 'Ice League', sport: 'ice-hockey' };
    await feed(
      where,
      [
        ['2024-01-01', 'Bears', 'Wolves', 3, 2],
        ['2024-01-02', 'Wolves', 'Foxes', 2, 2],
        ['2024-01-03', 'Foxes', 'Bears', 4, 1],
      ],
      (index) =>
        [
          { status_detail: 'after_extra_time', period_scores: [{ period: 'OT', home: 1, away: 0 }] },
          { status_detail: 'after_penalties', period_scores: [{ period: 'SO', home: 1, away: 2 }] },
          {},
        ][index]!,
    );
    assert.deepEqual(brief(await read('Ice League')), [
      '1 Foxes 2 2-0-0 6:3 5',
      '2 Bears 2 1-0-1 4:6 2',
      '3 Wolves 2 0-0-2 4:5 2',
    ]);
  });

  it('season rules override tournament rules', async () => {
    await league('Old League', {
      rules: { points: { win: 3, draw: 1, loss: 0 }, tie_breaks: ['points', 'goals_for'] },
      seasons: [{ label: '1993/94', rules: { points: { win: 2, draw: 1, loss: 0 } } }, { label: '1994/95' }],
    });
    for (const season of ['1993/94', '1994/95']) {
      await feed({ tournament: 'Old League', season }, [[`${season.slice(0, 4)}-09-01`, 'Stork', 'Heron', 1, 0]]);
    }
    const id = await fed.tournamentId('Old League');
    const { rows } = await fed.db.pool.query<{ id: number; season_label: string }>(
      'SELECT id, season_label FROM season WHERE tournament_id = $1',
      [id],
    );
    const points = async (label: string) => {
      const season = rows.find((row) => row.season_label === label)!.id;
      const standings = await read('Old League', `season=${season}`);
      assert.deepEqual([standings.season_id, standings.season_label], [season, label]);
      return standings.table[0]!.points;
    };
    assert.deepEqual([await points('1993/94'), await points('1994/95')], [2, 3]);
    assert.equal((await read('Old League')).season_label, '1994/95', 'the most recent');
  });

  it('the form table has each side’s last five matches', async () => {
    const days = ['01', '02', '03', '04', '05', '06'];
    await league('Form League');
    await feed({ tournament: 'Form League' }, [
      ...days.map(
        (day, index): Fixture => [
          `2024-01-${day}`,
          'Swift',
          `Opponent ${index}`,
          index === 0 ? 9 : 1,
          index === 0 ? 0 : 2,
        ],
      ),
      ['2024-01-20', 'Opponent 0', 'Opponent 1', 1, 1],
    ]);
    const total = (await read('Form League')).table.find(({ name }) => name === 'Swift')!;
    assert.deepEqual([total.played, total.points, total.form], [6, 3, 'LLLLL']);
    const form = (await read('Form League', 'type=form')).table.find(({ name }) => name === 'Swift')!;
    assert.deepEqual([form.played, form.points, form.scores_for], [5, 0, 5]);
  });

  it('invalid requests for standings are 422 or 404', async () => {
    const id = await fed.tournamentId('Form League');
    const other = (await read('Ice League')).season_id;
    for (const [path, status] of [
      [`${id}/standings?type=best`, 422],
      [`${id}/standings?season=0`, 422],
      [`${id}/standings?season=x`, 422],
      [`${id}/standings?season=424242`, 404],
      [`${id}/standings?season=${other}`, 404],
      ['424242/standings', 404],
      ['424242/scorers', 404],
      ['9007199254740992/standings', 422],
      [`${id}/scorers?limit=501`, 422],
      [`${id}/scorers?limit=500`, 200],
    ] as const) {
      assert.equal((await fed.app.ask(`/v1/tournament/${path}`)).status, status, path);
    }
  });

  it('standings and scorers may be cached for 60 s', async () => {
    const id = await fed.tournamentId('Form League');
    for (const list of ['standings', 'scorers']) {
      const { headers } = await fed.app.ask(`/v1/tournament/${id}/${list}`);
      assert.equal(headers.get('cache-control'), 'private, max-age=60', list);
    }
  });

  it('a tournament without seasons has an empty table', async () => {
    await fed.tournaments({ name: 'Empty League', country: 'INT', sport: 'football' });
    const { season_id, season_label, table, reason } = await read('Empty League');
    assert.deepEqual([season_id, season_label, table, reason], [null, null, [], 'no_table']);
  });

  describe('whole real seasons', () => {
    const folder = fileURLToPath(new URL('../../../shared/datasets/football-datasets/', import.meta.url));
    before(function () {
      if (existsSync(folder)) return;
      console.warn(`      SKIPPED: ${folder} is not there`);
      this.skip();
    });
    /** A country for which no merge file renames clubs. */
    const UNRELATED = 'TV';
    /** Reads all of a season's matches from the columns Date, HomeTeam, AwayTeam, FTHG and FTAG. */
    const seasonOf = (league: string, file: string): Fixture[] =>
      gunzipSync(readFileSync(`${folder}${league}/season-${file}.csv.gz`))
        .toString('utf8')
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.split(','))
        .map(([day, home, away, homeScore, awayScore]) => [day!, home!, away!, Number(homeScore), Number(awayScore)]);

    it('La Liga 2006/07 has Real Madrid before Barcelona by head-to-head matches, in spite of goal difference', async () => {
      await fed.tournaments({
        name: 'La Liga',
        country: UNRELATED,
        sport: 'football',
        rules: {
          tie_breaks: ['points', 'head_to_head_points', 'head_to_head_goal_difference', 'goal_difference', 'goals_for'],
        },
      });
      await feed({ tournament: 'La Liga', country: UNRELATED, season: '2006/07' }, seasonOf('la-liga', '0607'));
      const { table } = await read('La Liga');
      assert.deepEqual(
        table.map(({ name, points }) => `${name} ${points}`),
        [
          'Real Madrid 76',
          'Barcelona 76',
          'Sevilla 71',
          'Valencia 66',
          'Villarreal 62',
          'Zaragoza 60',
          'Ath Madrid 60',
          'Recreativo 54',
          'Getafe 52',
          'Santander 50',
          'Espanol 49',
          'Mallorca 49',
          'La Coruna 47',
          'Osasuna 46',
          'Levante 42',
          'Betis 40',
          'Ath Bilbao 40',
          'Celta 39',
          'Sociedad 35',
          'Gimnastic 28',
        ],
      );
      assert.ok(table[1]!.goal_difference > table[0]!.goal_difference);
    });

    it('the 2023/24 Premier League has eight points deducted from Everton and four from Nottingham Forest', async () => {
      const team = (name: string) => ({ name, country: UNRELATED });
      await feed({ tournament: 'The Premier League', country: UNRELATED }, seasonOf('premier-league', '2324'));
      await fed.tournaments({
        name: 'The Premier League',
        country: UNRELATED,
        sport: 'football',
        seasons: [
          {
            label: '2023/24',
            points_adjustments: [
              { participant: team('Everton'), points: -8, reason: 'profit and sustainability rules' },
              { participant: team("Nott'm Forest"), points: -4 },
            ],
          },
        ],
      });
      const { table } = await read('The Premier League');
      assert.deepEqual(
        table.map(
          ({ name, points, points_deducted: deducted }) => `${name} ${points}${deducted === 0 ? '' : ` -${deducted}`}`,
        ),
        [
          ...[
            'Man City 91',
            'Arsenal 89',
            'Liverpool 82',
            'Aston Villa 68',
            'Tottenham 66',
            'Chelsea 63',
            'Newcastle 60',
          ],
          ...[
            'Man United 60',
            'West Ham 52',
            'Crystal Palace 49',
            'Brighton 48',
            'Bournemouth 48',
            'Fulham 47',
            'Wolves 46',
          ],
          ...['Everton 40 -8', 'Brentford 39', "Nott'm Forest 32 -4", 'Luton 26', 'Burnley 24', 'Sheffield United 16'],
        ],
      );
      const city = table[0]!;
      assert.deepEqual(
        [city.wins, city.draws, city.losses, city.scores_for, city.scores_against, city.form],
        [28, 7, 3, 96, 34, 'WWWWW'],
      );
      const home = (await read('The Premier League', 'type=home')).table.find(({ name }) => name === 'Everton')!;
      const away = (await read('The Premier League', 'type=away')).table.find(({ name }) => name === 'Everton')!;
      assert.deepEqual([home.points_deducted, home.points + away.points], [0, 48], 'deducted from the total alone');
    });
  });
});
