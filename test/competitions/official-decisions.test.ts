import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { routes } from '../../src/competitions/routes.ts';
import type { StandingsRow } from '../../src/competitions/standings.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { footballData } from '../../src/importers/football-data/football-data.ts';
import { runImport } from '../../src/importers/run.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { filesOf, removeFiles } from '../importers/fixture.ts';

const data = fileURLToPath(new URL('../../../shared/datasets/football-datasets/', import.meta.url));
const FILES = [
  'serie-a/season-0405.csv.gz',
  'serie-a/season-0506.csv.gz',
  'ligue-1/season-1213.csv.gz',
  'ligue-1/season-1920.csv.gz',
];

describe('tables after the organizer’s decisions', function () {
  this.timeout(120_000);
  let fed: Fed | undefined;
  before(async function () {
    if (!existsSync(data)) {
      console.warn(`      SKIPPED: ${data} is not there`);
      this.skip();
    }
    fed = await startFed(routes, '2026-11-01T12:00:00Z');
    const folder = filesOf(Object.fromEntries(FILES.map((file) => [file, readFileSync(data + file)])));
    const deps = {
      pool: fed.db.pool,
      clock: { now: () => fed!.now },
      changes: { publish: () => {} },
      entities: new EntityCache(),
    };
    const { rejected } = await runImport(deps, footballData, folder, { progress: false });
    assert.equal(rejected, 0);
  });
  after(async () => {
    removeFiles();
    await fed?.close();
  });

  async function table(tournament: string, season: string) {
    const { rows } = await fed!.db.pool.query<{ id: number; season: number }>(
      'SELECT t.id, s.id AS season FROM tournament t JOIN season s ON s.tournament_id = t.id WHERE t.name = $1 AND s.season_label = $2',
      [tournament, season],
    );
    const path = `/v1/tournament/${rows[0]!.id}/standings?season=${rows[0]!.season}`;
    const { json } = await fed!.app.ask<{ table: StandingsRow[]; complete: boolean }>(path);
    assert.equal(json.complete, true);
    return json.table;
  }
  const brief = (rows: StandingsRow[]) => rows.map(({ name, points }) => `${name} ${points}`);

  it('show Juventus last in Serie A 2005/06 with the points won, and three clubs with 30 points deducted', async () => {
    const rows = await table('Serie A', '2005/06');
    assert.deepEqual(brief(rows), [
      ...['Internazionale 76', 'Roma 69', 'Milan 58', 'Chievo 54', 'Palermo 52', 'Livorno 49', 'Parma 45'],
      ...['Empoli 45', 'Fiorentina 44', 'Ascoli 43', 'Udinese 43', 'Sampdoria 41', 'Reggina 41', 'Cagliari 39'],
      ...['Siena 39', 'Lazio 32', 'Messina 31', 'Lecce 29', 'Treviso 21', 'Juventus 91'],
    ]);
    const deducted = rows.filter(({ points_deducted }) => points_deducted !== 0);
    assert.deepEqual(
      deducted.map(({ name, points_deducted }) => [name, points_deducted]),
      [
        ['Milan', 30],
        ['Fiorentina', 30],
        ['Lazio', 30],
      ],
    );
    assert.deepEqual([rows[19]!.position, rows[19]!.wins, rows[19]!.goal_difference], [20, 27, 47]);
  });

  it('show Juventus first in Serie A 2004/05, without the title, and Parma before Bologna after the play-off', async () => {
    const rows = await table('Serie A', '2004/05');
    assert.deepEqual(brief(rows).slice(0, 3), ['Juventus 86', 'Milan 79', 'Internazionale 72']);
    assert.deepEqual(brief(rows).slice(15), ['Fiorentina 42', 'Parma 42', 'Bologna 42', 'Brescia 41', 'Atalanta 35']);
  });

  it('rank Ligue 1 2019/20 by points per match, and then level clubs by their head-to-head matches', async () => {
    const rows = await table('Ligue 1', '2019/20');
    assert.deepEqual(brief(rows), [
      ...['Paris Saint-Germain 68', 'Marseille 56', 'Rennes 50', 'Lille 49', 'Nice 41', 'Reims 41', 'Lyon 40'],
      ...['Montpellier 40', 'AS Monaco 40', 'Strasbourg 38', 'Angers 39', 'Bordeaux 37', 'Nantes 37', 'Brest 34'],
      ...['Metz 34', 'Dijon 30', 'Saint-Étienne 30', 'Nîmes 27', 'Amiens 23', 'Toulouse 13'],
    ]);
  });

  it('deduct two points from Ajaccio in Ligue 1 2012/13', async () => {
    const ajaccio = (await table('Ligue 1', '2012/13')).find(({ name }) => name === 'AC Ajaccio')!;
    assert.deepEqual([ajaccio.position, ajaccio.points, ajaccio.points_deducted], [17, 40, 2]);
  });
});
