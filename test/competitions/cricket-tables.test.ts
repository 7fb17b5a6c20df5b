/** Tests tables of cricket: points, net run rate by the playing conditions, and whole seasons of the Indian Premier League. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { seasonBracket } from '../../src/competitions/bracket/season-bracket.ts';
import { type InningsTotals, netRunRate, runRate } from '../../src/competitions/net-run-rate.ts';
import { findSeason } from '../../src/competitions/queries.ts';
import { seasonTables } from '../../src/competitions/standings.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { cricsheet } from '../../src/importers/cricsheet/cricsheet.ts';
import { runImport } from '../../src/importers/run.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const ARCHIVE = fileURLToPath(new URL('../../../shared/datasets/ipl-cricsheet', import.meta.url));
const NOW = Date.parse('2026-11-01T00:00:00Z');

const innings = (
  batting: 'home' | 'away',
  runs: number,
  overs: string,
  more: Partial<InningsTotals> = {},
): InningsTotals => ({
  period: batting === 'home' ? 'I1' : 'I2',
  batting,
  runs,
  overs,
  balls_per_over: 6,
  all_out: false,
  max_overs: '20',
  target: null,
  ...more,
});

describe('net run rate', () => {
  it('counts runs per over, with a ball as a sixth of an over', () => {
    const rate = runRate([innings('home', 150, '20'), innings('away', 151, '18.3')])!;
    assert.deepEqual(rate, { scored: 150, faced: 20, conceded: 151, bowled: 18.5 });
    assert.equal(netRunRate(rate).toFixed(3), '-0.662');
  });

  it('counts a side that is all out with all its overs', () => {
    const rate = runRate([innings('home', 150, '20'), innings('away', 90, '12.1', { all_out: true })])!;
    assert.equal(rate.bowled, 20);
  });

  it('counts as many overs as a shortened match allowed', () => {
    const rate = runRate([innings('home', 60, '7', { all_out: true, max_overs: '9' }), innings('away', 61, '8')])!;
    assert.deepEqual(rate, { scored: 60, faced: 9, conceded: 61, bowled: 8 });
  });

  it('counts the first side with one run less than a revised target, in the overs of the other side', () => {
    const target = { runs: 171, overs: '15', method: 'D/L' };
    const rate = runRate([innings('home', 214, '20'), innings('away', 171, '15', { target, max_overs: '15' })])!;
    assert.deepEqual(rate, { scored: 170, faced: 15, conceded: 171, bowled: 15 });
    const early = runRate([innings('home', 214, '20'), innings('away', 171, '12.3', { target, max_overs: '15' })])!;
    assert.deepEqual([early.faced, early.bowled], [15, 12.5]);
  });

  it('is not known for two innings each, and not without innings', () => {
    assert.equal(runRate(null), null);
    assert.equal(runRate([innings('home', 150, '20')]), null);
    const test = ['I1', 'I2', 'I3'].map((period, index) =>
      innings(index === 1 ? 'away' : 'home', 200, '60', { period }),
    );
    assert.equal(runRate(test), null);
    const superOver = [
      innings('home', 150, '20'),
      innings('away', 150, '20'),
      innings('away', 9, '1', { period: 'SO1' }),
    ];
    assert.equal(runRate(superOver)!.conceded, 150);
  });
});

describe('seasons of the Indian Premier League', function () {
  this.timeout(300_000);
  let database: TestDatabase;
  before(async function () {
    if (!existsSync(ARCHIVE)) {
      console.warn(`      SKIPPED: ${ARCHIVE} is not there`);
      this.skip();
    }
    database = await createTestDatabase();
    const deps = {
      pool: database.pool,
      clock: { now: () => NOW },
      changes: { publish: () => undefined },
      entities: new EntityCache(),
    };
    const { rejected, changed } = await runImport(deps, cricsheet, ARCHIVE, { progress: false });
    // 1,241 files, and 12 matches that were abandoned without a ball.
    assert.deepEqual([changed, rejected], [1253, 0]);
  });
  after(() => database?.drop());

  const season = async (label: string) => {
    const { rows } = await database.pool.query<{ id: number; tournament_id: number }>(
      `SELECT s.id, s.tournament_id FROM season s JOIN tournament t ON t.id = s.tournament_id
       WHERE t.name = 'Indian Premier League' AND s.season_label = $1`,
      [label],
    );
    return (await findSeason(database.pool, rows[0]!.tournament_id, rows[0]!.id, '2026-11-01'))!;
  };
  const table = async (label: string) => {
    const { table: rows, complete } = await seasonTables(database.pool, await season(label), 'total', NOW);
    assert.equal(complete, true);
    return rows.map(
      (row) => `${row.name} ${row.wins}-${row.losses}-${row.no_results} ${row.points} ${row.net_run_rate!.toFixed(3)}`,
    );
  };

  it('2019 has the official table', async () => {
    assert.deepEqual(await table('2019'), [
      'Mumbai Indians 9-5-0 18 0.421',
      'Chennai Super Kings 9-5-0 18 0.131',
      'Delhi Capitals 9-5-0 18 0.044',
      'Sunrisers Hyderabad 6-8-0 12 0.577',
      'Kolkata Knight Riders 6-8-0 12 0.028',
      'Kings XI Punjab 6-8-0 12 -0.251',
      'Rajasthan Royals 5-8-1 11 -0.449',
      'Royal Challengers Bangalore 5-8-1 11 -0.607',
    ]);
  });

  it('2013 and 2016 have the official tables, in which a side with a bad run rate may be first', async () => {
    assert.deepEqual(await table('2013'), [
      'Chennai Super Kings 11-5-0 22 0.530',
      'Mumbai Indians 11-5-0 22 0.441',
      'Rajasthan Royals 10-6-0 20 0.322',
      'Sunrisers Hyderabad 10-6-0 20 0.003',
      'Royal Challengers Bangalore 9-7-0 18 0.457',
      'Kings XI Punjab 8-8-0 16 0.226',
      'Kolkata Knight Riders 6-10-0 12 -0.095',
      'Pune Warriors 4-12-0 8 -1.006',
      'Delhi Daredevils 3-13-0 6 -0.848',
    ]);
    assert.deepEqual(await table('2016'), [
      'Gujarat Lions 9-5-0 18 -0.374',
      'Royal Challengers Bangalore 8-6-0 16 0.932',
      'Sunrisers Hyderabad 8-6-0 16 0.245',
      'Kolkata Knight Riders 8-6-0 16 0.106',
      'Mumbai Indians 7-7-0 14 -0.146',
      'Delhi Daredevils 7-7-0 14 -0.155',
      'Rising Pune Supergiants 5-9-0 10 0.015',
      'Kings XI Punjab 4-10-0 8 -0.646',
    ]);
  });

  it('2023 has the official table', async () => {
    assert.deepEqual(await table('2023'), [
      'Gujarat Titans 10-4-0 20 0.809',
      'Chennai Super Kings 8-5-1 17 0.652',
      'Lucknow Super Giants 8-5-1 17 0.284',
      'Mumbai Indians 8-6-0 16 -0.044',
      'Rajasthan Royals 7-7-0 14 0.148',
      'Royal Challengers Bangalore 7-7-0 14 0.135',
      'Kolkata Knight Riders 6-8-0 12 -0.239',
      'Punjab Kings 6-8-0 12 -0.304',
      'Delhi Capitals 5-9-0 10 -0.808',
      'Sunrisers Hyderabad 4-10-0 8 -0.590',
    ]);
  });

  it('2015 puts the side with more wins above one with a better run rate and as many points', async () => {
    assert.deepEqual((await table('2015')).slice(0, 4), [
      'Chennai Super Kings 9-5-0 18 0.709',
      'Mumbai Indians 8-6-0 16 -0.043',
      'Royal Challengers Bangalore 7-5-2 16 1.037',
      'Rajasthan Royals 7-5-2 16 0.062',
    ]);
  });

  it('2023 has its play-offs in the bracket, with the winner of a final after a revised target', async () => {
    const { rounds } = await seasonBracket(database.pool, await season('2023'), NOW);
    const names = (one: (typeof rounds)[number]['matchups'][number]) =>
      one.teams.find(({ participant_id }) => participant_id === one.winner_id)?.name;
    assert.deepEqual(
      rounds.map(({ name, matchups }) => `${name}: ${names(matchups[0]!)}`),
      [
        'Qualifier 1: Chennai Super Kings',
        'Eliminator: Mumbai Indians',
        'Qualifier 2: Gujarat Titans',
        'Final: Chennai Super Kings',
      ],
    );
  });

  it('2010 has semi-finals, a match for third place, and a final', async () => {
    const { rounds } = await seasonBracket(database.pool, await season('2010'), NOW);
    assert.deepEqual(
      rounds.map(({ name, matchups }) => `${name} ${matchups.length}`),
      ['Semi-finals 2', 'Third place 1', 'Final 1'],
    );
  });

  it('an import of the same archive again changes nothing', async () => {
    const deps = {
      pool: database.pool,
      clock: { now: () => NOW },
      changes: { publish: () => undefined },
      entities: new EntityCache(),
    };
    const { changed, unchanged } = await runImport(deps, cricsheet, ARCHIVE, { progress: false });
    assert.deepEqual([changed, unchanged], [0, 1253]);
  });
});
