/** Tests the imported Euroleague: identities, the order of files, and the official tables. */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ApplyDeps } from '../../src/apply/update-outcomes.ts';
import { seasonBracket } from '../../src/competitions/bracket/season-bracket.ts';
import { findSeason } from '../../src/competitions/queries.ts';
import { seasonTables } from '../../src/competitions/standings.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { euroleague } from '../../src/importers/euroleague/euroleague.ts';
import { footballData } from '../../src/importers/football-data/football-data.ts';
import type { Importer } from '../../src/importers/importer.ts';
import { runImport } from '../../src/importers/run.ts';
import { exportCatalogue } from '../support/catalogue-export.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { filesOf, removeFiles } from './fixture.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const OPEN_DATA = fileURLToPath(new URL('../../../shared/datasets/euroleague', import.meta.url));

const depsOf = ({ pool }: TestDatabase): ApplyDeps => ({
  pool,
  clock: { now: () => NOW },
  changes: { publish: () => undefined },
  entities: new EntityCache(),
});

describe('Euroleague imports together with football', () => {
  let databases: TestDatabase[] = [];
  afterEach(async () => {
    for (const database of databases) await database.drop();
    databases = [];
  });
  after(removeFiles);

  const COLUMNS =
    'season,phase,round_name,team_home,points_home,team_away,points_away,game_code,date,round_code,team_code_home,team_code_away';
  const FILES: readonly (readonly [Importer, string, string])[] = [
    [
      euroleague,
      'gameresults.csv',
      `${COLUMNS}
2018,RS,Round 1,FC Barcelona Lassa,80,Real Madrid,70,1,October 11 20:00 CET,1,BAR,MAD
2018,RS,Round 2,Real Madrid,81,FC Barcelona Lassa,70,2,October 18 20:00 CET,2,MAD,BAR
`,
    ],
    [euroleague, 'teaminfo.csv', 'season,team_code,team_name\n2018,BAR,FC Barcelona Lassa\n2018,MAD,Real Madrid\n'],
    [
      euroleague,
      'plays/gameresults.csv',
      `${COLUMNS}
2018,RS,Round 1,FC Barcelona Lassa,80,Real Madrid,70,1,October 11 20:00 CET,1,BAR,MAD
`,
    ],
    [footballData, 'SP1.csv', 'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\nSP1,28/10/2018,Barcelona,Real Madrid,5,1,H\n'],
  ];

  async function imported(files: typeof FILES) {
    const database = await createTestDatabase();
    databases.push(database);
    const deps = depsOf(database);
    const summaries = [];
    for (const [importer, name, content] of files) {
      const folder = filesOf({ [name]: content });
      summaries.push(await runImport(deps, importer, folder, { progress: false }));
    }
    for (const { faults } of summaries) assert.deepEqual(faults, []);
    return { database, deps, summaries };
  }

  it('keep clubs with the same name separate, in any file order, and keep each season’s club names', async () => {
    const first = await imported(FILES);
    const { rows } = await first.database.pool.query(
      "SELECT sport, name, key FROM participant WHERE type = 'team' ORDER BY sport, name",
    );
    assert.deepEqual(rows, [
      { sport: 'basketball', name: 'FC Barcelona', key: 'ES|barcelona' },
      { sport: 'basketball', name: 'Real Madrid', key: 'ES|real madrid' },
      { sport: 'football', name: 'Barcelona', key: 'ES|barcelona' },
      { sport: 'football', name: 'Real Madrid', key: 'ES|real madrid' },
    ]);
    const shown = await first.database.pool.query(
      `SELECT n.name, n.name_ru FROM match m CROSS JOIN LATERAL names_at(m.home_id, m.scheduled_start) n WHERE m.sport = 'basketball' ORDER BY 1`,
    );
    assert.deepEqual(shown.rows, [
      { name: 'FC Barcelona Lassa', name_ru: 'Барселона' },
      { name: 'Real Madrid', name_ru: 'Реал Мадрид' },
    ]);
    const second = await imported(FILES.toReversed());
    assert.deepEqual(await exportCatalogue(second.database.pool), await exportCatalogue(first.database.pool));
  });

  it('change nothing when they are repeated', async () => {
    const { deps } = await imported(FILES);
    for (const [importer, name, content] of FILES) {
      const again = await runImport(deps, importer, filesOf({ [name]: content }), { progress: false });
      assert.deepEqual([again.changed, again.unchanged], [0, again.read], name);
    }
  });
});

describe('Euroleague tables', function () {
  this.timeout(120_000);
  let database: TestDatabase | undefined;
  before(async function () {
    if (!existsSync(OPEN_DATA)) {
      console.warn(`      SKIPPED: ${OPEN_DATA} is not there`);
      this.skip();
    }
    database = await createTestDatabase();
    const { faults, read } = await runImport(depsOf(database), euroleague, OPEN_DATA, { progress: false });
    assert.deepEqual([faults, read], [[], 4_253]);
  });
  after(() => database?.drop());

  const seasonOf = async (label: string) => {
    const { rows } = await database!.pool.query<{ tournament: number; id: number }>(
      'SELECT tournament_id AS tournament, id FROM season WHERE season_label = $1',
      [label],
    );
    return (await findSeason(database!.pool, rows[0]!.tournament, rows[0]!.id, '2026-01-01'))!;
  };
  async function tables(label: string): Promise<Record<string, string[]>> {
    const { table, complete } = await seasonTables(database!.pool, await seasonOf(label), 'total', NOW);
    assert.equal(complete, true, label);
    const groups: Record<string, string[]> = {};
    for (const { group, name, wins, losses } of table) {
      const rows = groups[group ?? ''] ?? [];
      groups[group ?? ''] = rows;
      rows.push(`${name} ${wins}-${losses}`);
    }
    return groups;
  }

  // Source: the regular seasons' standings on euroleaguebasketball.net.
  it('equal the official tables for 2016/17 and 2018/19', async () => {
    assert.deepEqual(await tables('2016/17'), {
      '': [
        'Real Madrid 23-7',
        'CSKA Moscow 22-8',
        'Olympiacos Piraeus 19-11',
        'Panathinaikos Superfoods Athens 19-11',
        'Fenerbahce Istanbul 18-12',
        'Anadolu Efes Istanbul 17-13',
        'Baskonia Vitoria Gasteiz 17-13',
        'Darussafaka Dogus Istanbul 16-14',
        'Crvena Zvezda mts Belgrade 16-14',
        'Zalgiris Kaunas 14-16',
        'FC Barcelona Lassa 12-18',
        'Galatasaray Odeabank Istanbul 11-19',
        'Brose Bamberg 10-20',
        'Maccabi FOX Tel Aviv 10-20',
        'Unics Kazan 8-22',
        'EA7 Emporio Armani Milan 8-22',
      ],
    });
    assert.deepEqual(await tables('2018/19'), {
      '': [
        'Fenerbahce Beko Istanbul 25-5',
        'CSKA Moscow 24-6',
        'Real Madrid 22-8',
        'Anadolu Efes Istanbul 20-10',
        'FC Barcelona Lassa 18-12',
        'Panathinaikos OPAP Athens 16-14',
        'KIROLBET Baskonia Vitoria-Gasteiz 15-15',
        'Zalgiris Kaunas 15-15',
        'Olympiacos Piraeus 15-15',
        'Maccabi FOX Tel Aviv 14-16',
        'FC Bayern Munich 14-16',
        'AX Armani Exchange Olimpia Milan 14-16',
        'Khimki Moscow Region 9-21',
        'Herbalife Gran Canaria 8-22',
        'Buducnost VOLI Podgorica 6-24',
        'Darussafaka Tekfen Istanbul 5-25',
      ],
    });
  });

  it('include every group in seasons with groups, and place the sides that advanced above the rest', async () => {
    const { 'Group A': first, 'Group E': fifth, ...others } = await tables('2010/11');
    assert.deepEqual(Object.keys(others), ['Group B', 'Group C', 'Group D', 'Group F', 'Group G', 'Group H']);
    // Source: the standings for 2010/11 on euroleaguebasketball.net. Three sides won five games each.
    assert.deepEqual(first, [
      'Maccabi Electra Tel Aviv 9-1',
      'Caja Laboral Vitoria 5-5',
      'Zalgiris Kaunas 5-5',
      'Partizan mt:s Belgrade 5-5',
      'Khimki Moscow Region 4-6',
      'Asseco Prokom Gdynia 2-8',
    ]);
    assert.deepEqual(fifth?.[0], 'Caja Laboral Vitoria 4-2');
    const labels = Array.from({ length: 15 }, (_, index) => 2001 + index).map(
      (year) => `${year}/${String(year + 1).slice(2)}`,
    );
    for (const label of labels) {
      const groups = await tables(label);
      assert.ok(Object.keys(groups).length >= 6 && !('' in groups), `${label}: ${Object.keys(groups)}`);
    }
  });

  it('come with a bracket that has the play-off series and the Final Four', async () => {
    const shown = async (label: string) => {
      const { rounds } = await seasonBracket(database!.pool, await seasonOf(label), NOW);
      return rounds.map(({ name, matchups }) => [
        name,
        matchups.map(({ result, teams, winner_id }) => {
          const winner = teams.find(({ participant_id }) => participant_id === winner_id);
          return `${winner?.name} ${result}`;
        }),
      ]);
    };
    assert.deepEqual(await shown('2018/19'), [
      [
        'Quarter-finals',
        [
          'Fenerbahce Beko Istanbul 3:1 in the series',
          'Anadolu Efes Istanbul 3:2 in the series',
          'CSKA Moscow 3:1 in the series',
          'Real Madrid 3:0 in the series',
        ],
      ],
      ['Semi-finals', ['Anadolu Efes Istanbul 73:92', 'CSKA Moscow 95:90']],
      ['Third place', ['Real Madrid 75:94']],
      ['Final', ['CSKA Moscow 83:91']],
    ]);
    // Until 2007/08, ties were best of three. The source lacks these semi-finals.
    assert.deepEqual(
      (await shown('2005/06')).map(([name, ties]) => [name, ties?.length]),
      [
        ['Quarter-finals', 4],
        ['Third place', 1],
        ['Final', 1],
      ],
    );
  });
});
