/** Imports saved NHL replies. They are from a small league with every way to win a game. */
import { strict as assert } from 'node:assert';
import type { ApplyDeps } from '../../src/apply/update-outcomes.ts';
import { findSeason } from '../../src/competitions/queries.ts';
import { seasonTables } from '../../src/competitions/standings.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { nhl } from '../../src/importers/nhl/nhl.ts';
import { runImport } from '../../src/importers/run.ts';
import { exportCatalogue } from '../support/catalogue-export.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

type Last = 'REG' | 'OT' | 'SO';
const TEAMS = ['TOR', 'MTL', 'BOS', 'BUF'];
const NUMBERS: Record<Last, number> = { REG: 3, OT: 4, SO: 5 };

const game = (number: number, home: string, away: string, score: [number, number], last: Last = 'REG') => ({
  id: 2023020000 + number,
  season: 20232024,
  gameType: 2,
  startTimeUTC: `2023-11-${String(number).padStart(2, '0')}T00:00:00Z`,
  gameState: 'OFF',
  gameScheduleState: 'OK',
  homeTeam: { id: TEAMS.indexOf(home) + 1, abbrev: home, score: score[0] },
  awayTeam: { id: TEAMS.indexOf(away) + 1, abbrev: away, score: score[1] },
  periodDescriptor: { number: NUMBERS[last], periodType: last },
  gameOutcome: { lastPeriodType: last },
});
const schedule = (...games: object[]) => JSON.stringify({ gameWeek: [{ games }] });

/**
 * Toronto won three games in regular time, one after overtime and one in a shoot-out. Montreal won three in regular
 * time and lost two after it. Boston and Buffalo have the remaining games.
 */
const LEAGUE = [
  game(1, 'TOR', 'MTL', [3, 2], 'SO'),
  game(2, 'MTL', 'TOR', [1, 2], 'OT'),
  game(3, 'TOR', 'BOS', [4, 1]),
  game(4, 'BOS', 'TOR', [0, 1]),
  game(5, 'TOR', 'BUF', [5, 0]),
  game(6, 'BUF', 'TOR', [2, 1]),
  game(7, 'MTL', 'BOS', [3, 0]),
  game(8, 'BOS', 'MTL', [1, 2]),
  game(9, 'MTL', 'BUF', [2, 0]),
  game(10, 'BUF', 'MTL', [4, 0]),
  game(11, 'BOS', 'BUF', [3, 2], 'SO'),
  game(12, 'BUF', 'BOS', [1, 2], 'OT'),
];

describe('importer nhl', () => {
  let databases: TestDatabase[] = [];
  afterEach(async () => {
    for (const database of databases) await database.drop();
    databases = [];
  });
  after(removeFiles);

  async function open() {
    const database = await createTestDatabase();
    databases.push(database);
    const deps: ApplyDeps = {
      pool: database.pool,
      clock: { now: () => Date.parse('2024-06-01T00:00:00Z') },
      changes: { publish: () => undefined },
      entities: new EntityCache(),
    };
    return { database, deps };
  }
  const writeHalves = () => [
    filesOf({ 'schedule_a.json': schedule(...LEAGUE.slice(0, 6)) }),
    filesOf({ 'schedule_b.json.gz': schedule(...LEAGUE.slice(6)) }),
  ];

  it('produces a table with two points for a win, one for a defeat after regular time, and a goal for winning a shoot-out', async () => {
    const { database, deps } = await open();
    for (const folder of writeHalves()) {
      const { faults } = await runImport(deps, nhl, folder, { progress: false });
      assert.deepEqual(faults, []);
    }
    const { rows } = await database.pool.query('SELECT id, tournament_id FROM season');
    const season = await findSeason(database.pool, rows[0]!.tournament_id, rows[0]!.id, '2024-06-01');
    const { table } = await seasonTables(database.pool, season!, 'total', deps.clock.now());
    assert.deepEqual(
      table.map((row) => [
        row.name,
        row.played,
        row.wins,
        row.overtime_wins,
        row.losses,
        row.overtime_losses,
        `${row.scores_for}:${row.scores_against}`,
        row.points,
      ]),
      [
        ['Toronto Maple Leafs', 6, 5, 2, 1, 0, '16:6', 10],
        ['Montreal Canadiens', 6, 3, 0, 3, 2, '10:10', 8],
        ['Buffalo Sabres', 6, 2, 0, 4, 2, '9:13', 6],
        ['Boston Bruins', 6, 2, 2, 4, 0, '7:13', 4],
      ],
    );
  });

  it('gives the same result in any file order, and changes nothing the second time', async () => {
    const [one, other] = [await open(), await open()];
    const halves = writeHalves();
    for (const folder of halves) await runImport(one.deps, nhl, folder, { progress: false });
    for (const folder of halves.toReversed()) await runImport(other.deps, nhl, folder, { progress: false });
    assert.deepEqual(await exportCatalogue(other.database.pool), await exportCatalogue(one.database.pool));
    for (const folder of halves) {
      const { read, unchanged } = await runImport(one.deps, nhl, folder, { progress: false });
      assert.deepEqual([read, unchanged], [6, 6]);
    }
  });

  it('joins the replies for one game into one record, and takes the later state from two schedules', async () => {
    const postponed = { ...game(1, 'TOR', 'MTL', [0, 0]), gameState: 'FUT', gameScheduleState: 'PPD' };
    const landing = { ...game(1, 'TOR', 'MTL', [3, 2]), summary: { scoring: [], shootout: [], penalties: [] } };
    const folder = filesOf({
      'schedule_2.json': schedule(postponed, game(2, 'BOS', 'BUF', [1, 0])),
      'schedule_1.json': schedule(game(1, 'TOR', 'MTL', [3, 2])),
      'right-rail_2023020001.json': JSON.stringify({ gameInfo: { referees: [{ default: 'A. Referee' }] } }),
      'landing_2023020003.json': JSON.stringify(landing),
      'schedule_3_EDITED.json': schedule(game(2, 'BOS', 'BUF', [9, 0])),
    });
    const { matches, faults } = await readAll(nhl, folder);
    assert.deepEqual(
      matches.map(({ id, status, score, referee }) => [id, status, score, referee]),
      [
        ['2023020001', 'finished', { home: 3, away: 2 }, 'A. Referee'],
        ['2023020002', 'finished', { home: 1, away: 0 }, undefined],
      ],
    );
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      ['is the landing of game 2023020001, not of 2023020003'],
    );
  });

  it('rejects a damaged file, a file of the wrong kind and an impossible game, and reads the rest', async () => {
    const { matches, faults } = await readAll(
      nhl,
      filesOf({
        'landing_2023020007.json': '{"gamecode": 1}',
        'landing_2023020008.json': '{"id": 20230',
        'right-rail_2023020009.json': '{}',
        'schedule_1.json': schedule(game(1, 'TOR', 'MTL', [3, 3]), game(2, 'TOR', 'QUE', [3, 2]), { id: 3 }),
        'schedule_2.json': schedule(game(4, 'BOS', 'BUF', [1, 0])),
        'schedule_3.json': '[]',
      }),
    );
    assert.deepEqual(
      matches.map(({ id, status, score }) => [id, status, score]),
      [
        ['2023020001', undefined, undefined],
        ['2023020004', 'finished', { home: 1, away: 0 }],
      ],
    );
    assert.deepEqual(
      faults.map(
        ({ position, detail }) => `${position.split('/').at(-1)} ${detail.replace(/(?<=cannot be read): .*/, '')}`,
      ),
      [
        'landing_2023020007.json is not a landing reply: id: Invalid input: expected number, received undefined',
        'landing_2023020008.json cannot be read',
        'schedule_1.json#3 id: Too small: expected number to be >=1000000000',
        'schedule_3.json is not a schedule: the file: Invalid input: expected object, received array',
        'right-rail_2023020009.json#1 no schedule, landing or play-by-play tells which game it is',
        'schedule_1.json#1 left out in part: 3:3 is a tie, which the NHL does not have',
        'schedule_1.json#2 the team code "QUE" is not known; add it to data/identity/nhl-teams.csv',
      ],
    );
    await assert.rejects(
      readAll(nhl, filesOf({ 'gameresults.csv': 'season\n' })),
      /nothing to import; expected replies/,
    );
  });
});
