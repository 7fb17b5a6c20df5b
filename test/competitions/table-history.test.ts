import assert from 'node:assert/strict';
import { routes } from '../../src/competitions/routes.ts';
import type { StandingsRow } from '../../src/competitions/standings.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

interface Standings {
  table: StandingsRow[];
  complete: boolean;
  groupings: string[];
  reason?: string;
}
interface History {
  steps: { round_num: number | null; round_name: string | null; last_day: string }[];
  rows: {
    participant_id: number;
    name: string;
    group: string | null;
    positions: (number | null)[];
    points: (number | null)[];
  }[];
  groupings: string[];
  reason?: string;
}
/** Time of the start, home side, away side, goals, and round. */
type Fixture = [start: string, home: string, away: string, score: [number, number] | null, over?: object];

const round = (round_num: number) => ({ round_num, round_name: `Matchday ${round_num}` });
/** North and West meet in the first round, but play in the week after the second. The third round is to come. */
const FIXTURES: Fixture[] = [
  ['2024-03-02T15:00:00Z', 'East', 'South', [2, 0], round(1)],
  ['2024-03-13T19:00:00Z', 'North', 'West', [1, 0], round(1)],
  ['2024-03-09T15:00:00Z', 'East', 'West', [1, 1], round(2)],
  ['2024-03-10T00:30:00Z', 'South', 'North', [0, 3], round(2)],
  ['2024-07-01T15:00:00Z', 'North', 'East', null, round(3)],
  ['2024-07-01T15:00:00Z', 'West', 'South', null, round(3)],
];

describe('tables of the past', () => {
  let fed: Fed;
  let serial = 0;
  before(async () => {
    fed = await startFed(routes, '2024-06-15T12:00:00Z');
  });
  after(() => fed.close());

  const side = (name: string) => ({ name, country: 'INT' });
  const feed = (name: string, fixtures: readonly Fixture[], { sport = 'football', season = '2023/24' } = {}) =>
    fed.matches(
      ...fixtures.map(([scheduled_start, home, away, score, over]) => ({
        id: `h${++serial}`,
        sport,
        tournament: { name, country: 'INT' },
        season: { label: season },
        home: side(home),
        away: side(away),
        scheduled_start,
        ...(score && {
          status: 'finished' as const,
          status_detail: 'ended' as const,
          score: { home: score[0], away: score[1] },
        }),
        ...over,
      })),
    );
  const league = (name: string, over: object = {}) =>
    fed.tournaments({ name, country: 'INT', sport: 'football', tier: 1, ...over });
  async function ask<T>(name: string, path: string) {
    return fed.app.ask<T & { detail: string }>(`/v1/tournament/${await fed.tournamentId(name)}/standings${path}`);
  }
  async function table(name: string, query: string) {
    const { status, json } = await ask<Standings>(name, `?${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    return json;
  }
  const brief = ({ table: rows }: Standings) =>
    rows.map((row) => `${row.position} ${row.name} ${row.played} ${row.points} ${row.movement}`);

  describe('of a league with rounds', () => {
    before(async () => {
      await league('Round League');
      await feed('Round League', FIXTURES);
    });

    it('count all matches of the rounds until then, whenever they were played', async () => {
      assert.deepEqual(brief(await table('Round League', 'round=1')), [
        ...['1 East 1 3 null', '2 North 1 3 null', '3 West 1 0 null', '4 South 1 0 null'],
      ]);
      const second = ['1 North 2 6 1', '2 East 2 4 -1', '3 West 2 1 0', '4 South 2 0 0'];
      assert.deepEqual(brief(await table('Round League', 'round=2')), second);
      assert.deepEqual(brief(await table('Round League', 'round=mAtchday%202')), second);
    });

    it('show the present for a round to come', async () => {
      const { table: rows, complete } = await table('Round League', 'round=3');
      assert.deepEqual(
        rows.map(({ name, points, played }) => [name, points, played]),
        [
          ['North', 6, 2],
          ['East', 4, 2],
          ['West', 1, 2],
          ['South', 0, 2],
        ],
      );
      assert.equal(complete, true);
    });

    it('count the matches that had begun by the end of a day, in its time zone', async () => {
      assert.deepEqual(brief(await table('Round League', 'date=2024-03-02')), [
        ...['1 East 1 3 null', '2 North 0 0 null', '3 West 0 0 null', '4 South 1 0 null'],
      ]);
      assert.deepEqual(brief(await table('Round League', 'date=2024-03-09')), [
        ...['1 East 2 4 0', '2 West 1 1 null', '3 North 0 0 null', '4 South 1 0 0'],
      ]);
      // The second match of the evening begins at half past midnight in UTC.
      assert.deepEqual(brief(await table('Round League', 'date=2024-03-09&tz=America/New_York')), [
        ...['1 East 2 4 0', '2 North 1 3 null', '3 West 1 1 null', '4 South 2 0 0'],
      ]);
      assert.deepEqual(
        brief(await table('Round League', 'date=2024-03-12')).map((row) => row.replace(/ \S+$/, '')),
        ['1 East 2 4', '2 North 1 3', '3 West 1 1', '4 South 2 0'],
      );
      const end = ['1 North 2 6 1', '2 East 2 4 -1', '3 West 2 1 0', '4 South 2 0 0'];
      for (const date of ['2024-03-13', '2024-05-01', '9999-12-31'])
        assert.deepEqual(brief(await table('Round League', `date=${date}`)), end, date);
    });

    it('are combined with the other kinds of tables', async () => {
      assert.deepEqual(brief(await table('Round League', 'date=2024-03-09&type=away')), [
        ...['1 West 1 1 null', '2 East 0 0 null', '3 North 0 0 null', '4 South 1 0 0'],
      ]);
    });

    it('have no movement without a day or a round', async () => {
      const { table: rows } = await table('Round League', '');
      assert.ok(rows.every((row) => !('movement' in row)));
    });

    it('have the movement as a column of the CSV', async () => {
      const id = await fed.tournamentId('Round League');
      const { text } = await fed.app.ask(`/v1/tournament/${id}/standings?round=2&format=csv`);
      const [head = '', first = ''] = text.split('\r\n');
      assert.equal(first.split(',')[head.split(',').indexOf('movement')], '1');
    });

    it('are refused for a day that does not exist, an unknown round, and both together', async () => {
      const bad: [string, number, RegExp][] = [
        ['?date=2024-02-30', 422, /existing date/],
        ['?date=2024-03-02&tz=Mars/Base', 422, /time zone/],
        ['?date=2024-03-02&round=1', 422, /cannot be combined/],
        ['?round=', 422, /1 to 80/],
        ['?round=4', 404, /no round 4/],
        ['?round=0', 404, /no round 0/],
        ['?round=Matchday', 404, /no round Matchday/],
        ['?round=null', 404, /no round null/],
        ['?round=1&grouping=conference', 404, /no conferences/],
      ];
      for (const [query, status, detail] of bad) {
        const { status: found, json } = await ask<object>('Round League', query);
        assert.equal(found, status, query);
        assert.match(json.detail, detail, query);
      }
    });

    it('are empty, with a reason, before the first result', async () => {
      const { table: rows, reason, complete } = await table('Round League', 'date=2024-03-01');
      assert.deepEqual([rows, reason, complete], [[], 'not_begun', true]);
      await feed('Later League', [['2024-08-01T15:00:00Z', 'North', 'East', null, round(1)]]);
      assert.equal((await table('Later League', 'round=1')).reason, 'no_table');
    });

    it('are listed from round to round, for one side or for all', async () => {
      const { status, json } = await ask<History>('Round League', '/history');
      assert.equal(status, 200);
      assert.deepEqual(json.steps, [
        { round_num: 1, round_name: 'Matchday 1', last_day: '2024-03-13' },
        { round_num: 2, round_name: 'Matchday 2', last_day: '2024-03-10' },
      ]);
      assert.deepEqual(
        json.rows.map(({ name, group, positions, points }) => [name, group, positions, points]),
        [
          ['North', null, [2, 1], [3, 6]],
          ['East', null, [1, 2], [3, 4]],
          ['West', null, [3, 3], [0, 1]],
          ['South', null, [4, 4], [0, 0]],
        ],
      );
      const west = json.rows[2]!;
      const { json: alone } = await ask<History>('Round League', `/history?participant=${west.participant_id}`);
      assert.deepEqual(alone, { ...json, rows: [west] });
      for (const [query, status] of [
        ['?participant=999999999', 404],
        ['?participant=x', 422],
        ['?season=999999999', 404],
        ['?grouping=division', 404],
        ['?grouping=x', 422],
      ] as const)
        assert.equal((await ask<object>('Round League', `/history${query}`)).status, status, query);
    });
  });

  it('follow a change of a result at once', async () => {
    await league('Changed League');
    await feed('Changed League', [['2024-03-02T15:00:00Z', 'East', 'South', [2, 0], round(1)]]);
    const points = async () => (await ask<History>('Changed League', '/history')).json.rows.map((row) => row.points[0]);
    assert.deepEqual(await points(), [3, 0]);
    serial -= 1;
    await feed('Changed League', [['2024-03-02T15:00:00Z', 'East', 'South', [2, 2], round(1)]]);
    fed.now += 1_100;
    assert.deepEqual(await points(), [1, 1]);
  });

  it('count a deduction from the first round after its day', async () => {
    const deduct = (points_adjustments: object[]) =>
      league('Strict League', { seasons: [{ label: '2023/24', points_adjustments }] });
    await deduct([
      { participant: side('East'), points: -4, decided_on: '2024-03-05' },
      { participant: side('South'), points: -1 },
    ]);
    await feed('Strict League', FIXTURES);
    const { json } = await ask<History>('Strict League', '/history');
    const east = json.rows.find(({ name }) => name === 'East')!;
    assert.deepEqual(
      [east.positions, east.points],
      [
        [1, 3],
        [3, 0],
      ],
    );
    assert.deepEqual(json.rows.find(({ name }) => name === 'South')!.points, [-1, -1]);
    const deducted = async (query: string) =>
      (await table('Strict League', query)).table.find(({ name }) => name === 'East')!.points_deducted;
    assert.deepEqual(
      [
        await deducted('round=1'),
        await deducted('round=2'),
        await deducted('date=2024-03-04'),
        await deducted('date=2024-03-05'),
      ],
      [0, 4, 0, 4],
    );
  });

  it('count an abandoned match only from its own round on', async () => {
    await league('Rain League', { sport: 'cricket' });
    const abandoned = { ...round(2), status: 'finished', status_detail: 'abandoned' };
    const fixtures: Fixture[] = [
      ['2024-03-02T15:00:00Z', 'East Xi', 'South Xi', [150, 140], round(1)],
      ['2024-03-03T15:00:00Z', 'North Xi', 'West Xi', [160, 120], round(1)],
      ['2024-03-09T15:00:00Z', 'East Xi', 'North Xi', null, abandoned],
      ['2024-03-10T15:00:00Z', 'South Xi', 'West Xi', [150, 130], round(2)],
    ];
    await feed('Rain League', fixtures, { sport: 'cricket' });
    const { json } = await ask<History>('Rain League', '/history');
    assert.deepEqual(
      json.rows.map(({ name, points }) => [name, points]),
      [
        ['East Xi', [2, 3]],
        ['North Xi', [2, 3]],
        ['South Xi', [0, 2]],
        ['West Xi', [0, 0]],
      ],
    );
  });

  it('go from week to week in a season without rounds, and from day to day in a short one', async () => {
    await league('Week League');
    await feed('Week League', [
      ['2024-01-07T15:00:00Z', 'East', 'South', [2, 0]],
      ['2024-01-08T15:00:00Z', 'North', 'West', [1, 0]],
      ['2024-01-14T15:00:00Z', 'West', 'East', [1, 0]],
      ['2024-04-14T15:00:00Z', 'South', 'North', [1, 1]],
    ]);
    const { json } = await ask<History>('Week League', '/history');
    assert.deepEqual(
      json.steps.map(({ round_num, last_day }) => [round_num, last_day]),
      [
        [null, '2024-01-07'],
        [null, '2024-01-14'],
        [null, '2024-04-14'],
      ],
    );
    const north = json.rows.find(({ name }) => name === 'North')!;
    assert.deepEqual(north.points, [null, 3, 4]);

    const stage = { group_name: 'Group A', round_name: 'Group stage' };
    await feed('Short Cup', [
      ['2024-06-01T15:00:00Z', 'East', 'South', [2, 0], stage],
      ['2024-06-01T18:00:00Z', 'North', 'West', [1, 0], stage],
      ['2024-06-05T15:00:00Z', 'East', 'North', [2, 0], stage],
      ['2024-06-05T18:00:00Z', 'West', 'South', [1, 0], stage],
      ['2024-06-10T15:00:00Z', 'East', 'West', [5, 0], { round_name: 'Final' }],
    ]);
    const cup = (await ask<History>('Short Cup', '/history')).json;
    assert.deepEqual(
      cup.steps.map(({ last_day }) => last_day),
      ['2024-06-01', '2024-06-05'],
    );
    assert.deepEqual(
      cup.rows.map(({ name, group, points }) => [name, group, points]),
      [
        ['East', 'Group A', [3, 6]],
        ['West', 'Group A', [0, 3]],
        ['North', 'Group A', [3, 3]],
        ['South', 'Group A', [0, 0]],
      ],
    );
    assert.equal((await table('Short Cup', 'round=group%20stage')).table.length, 4);
    assert.equal((await ask<object>('Short Cup', '?round=Final')).status, 404);
  });

  it('have a reason if there are none', async () => {
    await feed('Plain Cup', [['2024-06-01T15:00:00Z', 'East', 'South', [2, 0], { round_name: 'Final' }]]);
    const { json } = await ask<History>('Plain Cup', '/history');
    assert.deepEqual([json.steps, json.rows, json.reason], [[], [], 'no_table']);
    await league('Unplayed League');
    await feed('Unplayed League', [['2024-08-01T15:00:00Z', 'North', 'East', null, round(1)]]);
    assert.deepEqual((await ask<History>('Unplayed League', '/history')).json.reason, 'not_begun');
    assert.deepEqual((await table('Unplayed League', 'round=1')).reason, 'not_begun');
    await feed('Duel', [['2024-06-01T15:00:00Z', 'East', 'South', [2, 0]]], { sport: 'tennis' });
    assert.deepEqual((await ask<History>('Duel', '/history')).json.reason, 'no_table');
  });
});
