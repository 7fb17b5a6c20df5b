/** Compares tables and finals of Australian football and German volleyball, from the open data, with the official ones. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { ApplyDeps } from '../../src/apply/update-outcomes.ts';
import type { bracket } from '../../src/competitions/bracket/schema.ts';
import { routes } from '../../src/competitions/routes.ts';
import type { StandingsRow } from '../../src/competitions/standings.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { findImporter } from '../../src/importers/formats.ts';
import { runImport } from '../../src/importers/run.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

const DATA = join(import.meta.dirname, '../../../shared/datasets');
type Bracket = z.infer<typeof bracket>;

describe('seasons of Australian football and of German volleyball', () => {
  let fed: Fed;
  before(async function () {
    this.timeout(120_000);
    if (!existsSync(join(DATA, 'afl-akareen'))) {
      console.warn(`      SKIPPED: ${DATA} is not there`);
      this.skip();
    }
    fed = await startFed(routes, '2025-08-01T12:00:00Z');
    const deps = {
      pool: fed.db.pool,
      clock: { now: () => fed.now },
      entities: new EntityCache(),
      changes: { publish: () => undefined },
    } as unknown as ApplyDeps;
    for (const [format, path, refused] of [
      ['tournaments', '', 0],
      ['afl-tables-csv', 'afl-akareen', 0],
      ['volleystat', 'volleystat', 0],
    ] as const) {
      const { rejected, faults } = await runImport(deps, findImporter(format)!, join(DATA, path), { progress: false });
      assert.equal(rejected, refused, `${format}: ${faults.join('; ')}`);
    }
  });
  after(() => fed?.close());

  const seasonOf = async (name: string, label: string, gender = 'men') => {
    const { rows } = await fed.db.pool.query<{ tournament: number; season: number }>(
      `SELECT t.id AS tournament, s.id AS season FROM tournament t JOIN season s ON s.tournament_id = t.id
       WHERE t.name = $1 AND t.gender = $2 AND s.season_label = $3`,
      [name, gender, label],
    );
    return rows[0]!;
  };
  const ask = async <Reply>(what: string, name: string, label: string, gender?: string) => {
    const { tournament, season } = await seasonOf(name, label, gender);
    const { status, json } = await fed.app.ask<Reply>(`/v1/tournament/${tournament}/${what}?season=${season}`);
    assert.equal(status, 200);
    return json;
  };
  interface Table {
    table: StandingsRow[];
    complete: boolean;
  }
  const ladder = async (label: string, group: string | null = null) => {
    const { table } = await ask<Table>('standings', 'AFL', label);
    return table
      .filter((row) => row.group === group)
      .map(({ name, played, points, scores_for, scores_against }) => {
        const percentage = ((100 * scores_for) / scores_against).toFixed(1);
        return `${name} ${played} ${points} ${percentage}`;
      });
  };
  const finals = async (name: string, label: string, gender?: string) => {
    const { rounds } = await ask<Bracket>('bracket', name, label, gender);
    return rounds.map(({ name: round, matchups }) => {
      const ties = matchups.map(({ teams, winner_id, result }) => {
        const won = teams.find(({ participant_id }) => participant_id === winner_id)?.name;
        const lost = teams.find(({ participant_id }) => participant_id !== winner_id)?.name;
        return `${won} – ${lost} (${result})`;
      });
      return [round, ...ties.sort()];
    });
  };

  it('the AFL ladders of 1983, 2016 and 2017 have the official order, points and percentages', async () => {
    assert.deepEqual(await ladder('1983'), [
      'North Melbourne 22 64 127.8',
      'Hawthorn 22 60 128.7',
      'Fitzroy 22 60 126.7',
      'Essendon 22 60 120.3',
      'Carlton 22 52 105.2',
      'Collingwood 22 48 103.0',
      'Footscray 22 40 86.6',
      'Melbourne 22 36 86.8',
      'Geelong 22 32 87.9',
      'Richmond 22 28 88.8',
      'Sydney 22 28 77.5',
      'St Kilda 22 20 78.6',
    ]);
    assert.deepEqual((await ladder('2016')).slice(0, 8), [
      'Sydney 22 68 151.2',
      'Geelong 22 68 143.8',
      'Hawthorn 22 68 118.6',
      'Greater Western Sydney 22 64 143.1',
      'Adelaide 22 64 138.3',
      'West Coast 22 64 130.0',
      'Western Bulldogs 22 60 115.4',
      'North Melbourne 22 48 105.2',
    ]);
    assert.deepEqual(await ladder('2017'), [
      'Adelaide 22 62 136.0',
      'Geelong 22 62 117.4',
      'Richmond 22 60 118.3',
      'Greater Western Sydney 22 60 114.8',
      'Port Adelaide 22 56 129.7',
      'Sydney 22 56 126.8',
      'Essendon 22 48 106.5',
      'West Coast 22 48 105.7',
      'Melbourne 22 48 105.2',
      'Western Bulldogs 22 44 97.1',
      'St Kilda 22 44 96.9',
      'Hawthorn 22 42 90.7',
      'Collingwood 22 38 99.0',
      'Fremantle 22 32 74.4',
      'North Melbourne 22 24 87.6',
      'Carlton 22 24 78.2',
      'Gold Coast 22 24 76.0',
      'Brisbane Lions 22 20 74.3',
    ]);
  });

  it('the match that was cancelled in 2015 gives each side two points', async () => {
    const { table, complete } = await ask<Table>('standings', 'AFL', '2015');
    assert.deepEqual(
      table
        .filter(({ name }) => ['Adelaide', 'Geelong'].includes(name))
        .map(({ position, name, played, points, points_deducted }) => [
          position,
          name,
          played,
          points,
          points_deducted,
        ]),
      [
        [7, 'Adelaide', 21, 54, -2],
        [10, 'Geelong', 21, 48, -2],
      ],
    );
    assert.equal(complete, true);
  });

  it('the ladder of 1900 ends before the sectional rounds, in which Melbourne came from sixth place to the premiership', async () => {
    const before = await ladder('1900');
    assert.deepEqual([before[0], before[5], before.length], ['Fitzroy 14 44 168.0', 'Melbourne 14 24 101.7', 8]);
    assert.equal((await ladder('1900', 'Section B'))[0]?.split(' ')[0], 'Melbourne');
    const { complete } = await ask<Table>('standings', 'AFL', '1900');
    assert.equal(complete, true);
    assert.deepEqual((await finals('AFL', '1900')).at(-1), ['Grand Final', 'Melbourne – Fitzroy (30:34)']);
  });

  it('the premierships of 1897 and 1924 were won in a round robin without a Grand Final', async () => {
    for (const label of ['1897', '1924']) {
      assert.match((await ladder(label, 'Finals'))[0]!, /^Essendon 3 /);
      assert.deepEqual(await finals('AFL', label), []);
    }
    const { table } = await ask<Table>('standings', 'AFL', '1924');
    assert.deepEqual(
      table.filter(({ group }) => group === null).map(({ played }) => played),
      Array(9).fill(16),
    );
  });

  it('finals are the stages of their time, with replays and byes', async () => {
    assert.deepEqual(await finals('AFL', '1948'), [
      ['Semi-finals', 'Collingwood – Footscray (119:84)', 'Essendon – Melbourne (94:58)'],
      ['Preliminary finals', 'Melbourne – Collingwood (166:101)'],
      ['Grand Final', 'Melbourne – Essendon (69:69; 50:89 in the replay)'],
    ]);
    const fiveSides = await finals('AFL', '1977');
    assert.deepEqual(
      fiveSides.map(([name, ...ties]) => [name, ties.length]),
      [
        ['Qualifying and elimination finals', 2],
        ['Semi-finals', 2],
        ['Preliminary finals', 1],
        ['Grand Final', 1],
      ],
    );
    assert.deepEqual(fiveSides.at(-1), ['Grand Final', 'North Melbourne – Collingwood (76:76; 124:151 in the replay)']);
    assert.deepEqual((await finals('AFL', '2010')).at(-1), [
      'Grand Final',
      'Collingwood – St Kilda (68:68; 108:52 in the replay)',
    ]);
    assert.deepEqual((await finals('AFL', '2007'))[1], [
      'Semi-finals',
      'Collingwood – West Coast (74:93 after extra time)',
      'Kangaroos – Hawthorn (93:60)',
    ]);
    const { rounds } = await ask<Bracket>('bracket', 'AFL', '2024');
    assert.deepEqual(
      rounds.map(({ name, matchups }) => [name, matchups.length]),
      [
        ['Qualifying and elimination finals', 4],
        ['Semi-finals', 2],
        ['Preliminary finals', 2],
        ['Grand Final', 1],
      ],
    );
  });

  it('the finals select the first sides of the ladder in each season', async () => {
    const { tournament } = await seasonOf('AFL', '2024');
    const { rows } = await fed.db.pool.query<{ label: string; played: number[] }>(
      `SELECT s.season_label AS label, array_agg(DISTINCT side.id::int) AS played
       FROM season s JOIN match m ON m.season_id = s.id CROSS JOIN LATERAL (VALUES (m.home_id), (m.away_id)) side (id)
       WHERE s.tournament_id = $1 AND m.round_num IS NULL AND s.season_label NOT IN ('1897', '1898', '1899', '1900', '1924')
       GROUP BY 1 ORDER BY 1`,
      [tournament],
    );
    assert.equal(rows.length, 123);
    for (const { label, played } of rows) {
      const { table } = await ask<Table>('standings', 'AFL', label);
      const sent = table.filter(({ zone }) => zone === 'play_off').map(({ participant_id }) => participant_id);
      assert.deepEqual(
        sent.sort((one, other) => one - other),
        played.sort((one, other) => one - other),
        label,
      );
    }
  });

  it('the premiers of each decade are the official ones', async () => {
    const premiers: Record<string, string> = {
      1898: 'Fitzroy',
      1907: 'Carlton',
      1916: 'Fitzroy',
      1927: 'Collingwood',
      1930: 'Collingwood',
      1933: 'South Melbourne',
      1954: 'Footscray',
      1964: 'Melbourne',
      1966: 'St Kilda',
      1970: 'Carlton',
      1983: 'Hawthorn',
      1990: 'Collingwood',
      1992: 'West Coast',
      1999: 'Kangaroos',
      2003: 'Brisbane Lions',
      2004: 'Port Adelaide',
      2005: 'Sydney',
      2016: 'Western Bulldogs',
      2021: 'Melbourne',
      2024: 'Brisbane Lions',
    };
    for (const [label, premier] of Object.entries(premiers)) {
      const [, final] = (await finals('AFL', label)).at(-1)!;
      assert.equal(final!.split(' – ')[0], premier, label);
    }
  });

  it('volleyball tables order by points, wins, and the quotients of sets and of points', async () => {
    const { table, complete } = await ask<Table>('standings', 'Bundesliga', '2016/17');
    assert.deepEqual(
      table.slice(0, 2).map(({ name }) => name),
      ['VfB Friedrichshafen', 'Berlin Recycling Volleys'],
    );
    assert.equal(complete, true);
    for (const [label, gender] of [
      ['2016/17', 'men'],
      ['2014/15', 'women'],
    ] as const) {
      const { table: rows } = await ask<Table>('standings', 'Bundesliga', label, gender);
      const sum = (read: (row: StandingsRow) => number) => rows.reduce((total, row) => total + read(row), 0);
      const matches = sum(({ played }) => played) / 2;
      assert.equal(
        sum(({ points }) => points),
        3 * matches,
        'three points a match',
      );
      assert.equal(
        sum(({ scores_for }) => scores_for),
        sum(({ scores_against }) => scores_against),
      );
      assert.equal(
        sum((row) => row.set_points_for!),
        sum((row) => row.set_points_against!),
      );
      for (const row of rows)
        assert.equal(row.points, 3 * row.wins - row.overtime_wins + row.overtime_losses, row.name);
    }
  });

  it('volleyball seasons end in series for the title, and in 2016/17 with play-downs', async () => {
    const champions: [label: string, gender: string, name: string][] = [
      ['2013/14', 'men', 'Berlin Recycling Volleys'],
      ['2014/15', 'men', 'VfB Friedrichshafen'],
      ['2015/16', 'men', 'Berlin Recycling Volleys'],
      ['2016/17', 'men', 'Berlin Recycling Volleys'],
      ['2017/18', 'men', 'Berlin Recycling Volleys'],
      ['2018/19', 'men', 'Berlin Recycling Volleys'],
      ['2013/14', 'women', 'Dresdner SC'],
      ['2014/15', 'women', 'Dresdner SC'],
      ['2015/16', 'women', 'Dresdner SC'],
      ['2016/17', 'women', 'SSC Palmberg Schwerin'],
      ['2017/18', 'women', 'SSC Palmberg Schwerin'],
      ['2018/19', 'women', 'Allianz MTV Stuttgart'],
    ];
    for (const [label, gender, champion] of champions) {
      const [name, final] = (await finals('Bundesliga', label, gender)).at(-1)!;
      assert.equal(name, 'Final');
      assert.equal(final!.split(' – ')[0], champion, `${label} ${gender}`);
    }
    const stages = (await finals('Bundesliga', '2016/17')).map(([name]) => name);
    assert.deepEqual(stages, ['Pre-play-offs', 'Quarter-finals', 'Semi-finals', 'Play-downs', 'Final']);
  });
});
