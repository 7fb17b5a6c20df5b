/** Compares the tables for whole seasons of open data with the tables that the leagues have published. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ApplyDeps } from '../../src/apply/update-outcomes.ts';
import { routes } from '../../src/competitions/routes.ts';
import type { StandingsRow } from '../../src/competitions/standings.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { findImporter } from '../../src/importers/formats.ts';
import { runImport } from '../../src/importers/run.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

const DATA = join(import.meta.dirname, '../../../shared/datasets');

describe('tables for whole seasons', () => {
  let fed: Fed;
  before(async function () {
    this.timeout(120_000);
    if (!existsSync(DATA)) {
      console.warn(`      SKIPPED: ${DATA} is not there`);
      this.skip();
    }
    fed = await startFed(routes, '2025-08-01T12:00:00Z');
    const { pool } = fed.db;
    const deps = {
      pool,
      clock: { now: () => fed.now },
      entities: new EntityCache(),
      changes: { publish: () => undefined },
    } as unknown as ApplyDeps;
    for (const [format, path] of [
      ['tournaments', ''],
      ['nfl', 'fivethirtyeight'],
      ['rugby-data', 'rugby'],
      ['euroleague', 'euroleague/gameresults.csv.gz'],
      ['retrosheet', 'baseball/retrosplits-teams-2024.csv.gz'],
    ] as const) {
      const { rejected, faults } = await runImport(deps, findImporter(format)!, join(DATA, path), { progress: false });
      assert.equal(rejected, 0, `${format}: ${faults.join('; ')}`);
    }
  });
  after(() => fed?.close());

  interface Table {
    groupings: string[];
    table: StandingsRow[];
    complete: boolean;
  }
  const read = async (tournament: string, label: string, query = '') => {
    const id = await fed.tournamentId(tournament);
    const { rows } = await fed.db.pool.query<{ id: number }>(
      'SELECT id FROM season WHERE tournament_id = $1 AND season_label = $2',
      [id, label],
    );
    const { status, json: body } = await fed.app.ask<Table>(
      `/v1/tournament/${id}/standings?season=${rows[0]!.id}${query}`,
    );
    assert.equal(status, 200);
    return body;
  };
  const lines = (rows: readonly StandingsRow[], line: (row: StandingsRow) => string) => rows.map(line);

  it('the 2020 NFL has the divisions, records and seeds that nfl.com shows', async () => {
    const { table, groupings, complete } = await read('NFL', '2020');
    assert.deepEqual([groupings, complete], [['division', 'conference', 'wild_card', 'overall'], true]);
    const record = ({ name, wins, losses, draws }: StandingsRow) =>
      `${name} ${wins}-${losses}${draws > 0 ? `-${draws}` : ''}`;
    const division = (group: string) =>
      lines(
        table.filter((row) => row.group === group),
        record,
      );
    assert.deepEqual(division('AFC North'), [
      'Pittsburgh Steelers 12-4',
      'Baltimore Ravens 11-5',
      'Cleveland Browns 11-5',
      'Cincinnati Bengals 4-11-1',
    ]);
    assert.deepEqual(division('NFC East'), [
      'Washington Football Team 7-9',
      'New York Giants 6-10',
      'Dallas Cowboys 6-10',
      'Philadelphia Eagles 4-11-1',
    ]);
    assert.deepEqual(
      table
        .filter(({ group }) => group === 'AFC West')
        .map(({ win_percentage, games_behind }) => [win_percentage, games_behind]),
      [
        [0.875, 0],
        [0.5, 6],
        [0.438, 7],
        [0.313, 9],
      ],
    );
    const seeds = await read('NFL', '2020', '&grouping=conference');
    assert.deepEqual(
      lines(
        seeds.table.filter(({ group }) => group === 'AFC').slice(0, 8),
        ({ position, name, zone }) => `${position} ${name} ${zone}`,
      ),
      [
        '1 Kansas City Chiefs play_off',
        '2 Buffalo Bills play_off',
        '3 Pittsburgh Steelers play_off',
        '4 Tennessee Titans play_off',
        '5 Baltimore Ravens play_off',
        '6 Cleveland Browns play_off',
        '7 Indianapolis Colts play_off',
        '8 Miami Dolphins null',
      ],
    );
  });

  it('in each NFL season since 1970 the rules select the sides that really played in the play-offs', async () => {
    const id = await fed.tournamentId('NFL');
    const { rows } = await fed.db.pool.query<{ id: number; label: string; played: string[] }>(
      `SELECT s.id, s.season_label AS label, array_agg(DISTINCT side.id::int ORDER BY side.id::int) AS played
       FROM season s JOIN match m ON m.season_id = s.id CROSS JOIN LATERAL (VALUES (m.home_id), (m.away_id)) side (id)
       WHERE s.tournament_id = $1 AND s.season_label >= '1970' AND m.round_name IS NOT NULL GROUP BY 1, 2 ORDER BY 2`,
      [id],
    );
    assert.equal(rows.length, 51);
    for (const { id: season, label, played } of rows) {
      const { json: body } = await fed.app.ask<Table>(`/v1/tournament/${id}/standings?season=${season}`);
      const { table } = body;
      const sent = table.filter(({ zone }) => zone === 'play_off').map(({ participant_id }) => participant_id);
      assert.deepEqual(
        sent.sort((a, b) => a - b),
        played,
        label,
      );
    }
  });

  it('the NFL ignores ties before 1972, and counts them as half a win since then', async () => {
    const percentage = async (label: string, name: string) =>
      (await read('NFL', label)).table.find((row) => row.name === name)!;
    const chiefs = await percentage('1970', 'Kansas City Chiefs');
    assert.deepEqual([chiefs.wins, chiefs.losses, chiefs.draws, chiefs.win_percentage], [7, 5, 2, 0.583]);
    const packers = await percentage('1972', 'Detroit Lions');
    assert.deepEqual([packers.wins, packers.losses, packers.draws, packers.win_percentage], [8, 5, 1, 0.607]);
  });

  it('the 2024 MLB has the divisions and wild cards that mlb.com shows', async () => {
    const { table, complete } = await read('MLB', '2024');
    assert.equal(complete, true, 'one game was cancelled');
    const line = ({ name, wins, losses, games_behind }: StandingsRow) => `${name} ${wins}-${losses} ${games_behind}`;
    const division = (group: string) =>
      lines(
        table.filter((row) => row.group === group),
        line,
      );
    assert.deepEqual(division('NL East'), [
      'Philadelphia Phillies 95-67 0',
      'Atlanta Braves 89-73 6',
      'New York Mets 89-73 6',
      'Washington Nationals 71-91 24',
      'Miami Marlins 62-100 33',
    ]);
    assert.deepEqual(division('AL Central'), [
      'Cleveland Guardians 92-69 0',
      'Kansas City Royals 86-76 6.5',
      'Detroit Tigers 86-76 6.5',
      'Minnesota Twins 82-80 10.5',
      'Chicago White Sox 41-121 51.5',
    ]);
    const wild = await read('MLB', '2024', '&grouping=wild_card');
    assert.deepEqual(lines(wild.table.filter(({ group }) => group === 'National League').slice(0, 5), line), [
      'San Diego Padres 93-69 -4',
      'Atlanta Braves 89-73 0',
      'New York Mets 89-73 0',
      'Arizona Diamondbacks 89-73 0',
      'St. Louis Cardinals 83-79 6',
    ]);
  });

  it('the 2024/25 United Rugby Championship and Premiership have the right points, bonus points included', async () => {
    const line = ({ name, wins, draws, losses, bonus_points, points }: StandingsRow) =>
      `${name} ${wins} ${draws} ${losses} ${bonus_points} ${points}`;
    // Sources: unitedrugby.com and premiershiprugby.com.
    assert.deepEqual(lines((await read('United Rugby Championship', '2024/25')).table, line), [
      'Leinster 16 0 2 12 76',
      'Bulls 14 0 4 12 68',
      'Sharks 13 0 5 10 62',
      'Glasgow Warriors 11 0 7 15 59',
      'Stormers 10 0 8 15 55',
      'Munster 9 0 9 15 51',
      'Edinburgh 8 1 9 15 49',
      'Scarlets 9 1 8 10 48',
      'Cardiff 8 1 9 13 47',
      'Benetton 9 1 8 8 46',
      'Lions 8 0 10 8 40',
      'Ospreys 7 1 10 10 40',
      'Connacht 6 0 12 15 39',
      'Ulster 7 0 11 10 38',
      'Zebre Parma 5 1 12 7 29',
      'Dragons 1 0 17 5 9',
    ]);
    assert.deepEqual(lines((await read('Premiership Rugby', '2024/25')).table, line), [
      'Bath 14 0 4 16 72',
      'Leicester Tigers 11 1 6 15 61',
      'Sale Sharks 12 0 6 10 58',
      'Bristol Bears 10 0 8 18 58',
      'Gloucester 10 0 8 16 56',
      'Saracens 10 0 8 16 56',
      'Harlequins 8 1 9 14 48',
      'Northampton Saints 8 0 10 12 44',
      'Exeter Chiefs 4 0 14 13 29',
      'Newcastle Falcons 2 0 16 5 13',
    ]);
  });

  it('the 2016/17 Euroleague has the same order as on euroleaguebasketball.net', async () => {
    const { table } = await read('Euroleague', '2016/17');
    assert.deepEqual(
      lines(table, ({ wins, losses }) => `${wins}-${losses}`),
      '23-7 22-8 19-11 19-11 18-12 17-13 17-13 16-14 16-14 14-16 12-18 11-19 10-20 10-20 8-22 8-22'.split(' '),
    );
    assert.deepEqual(
      table.slice(0, 9).map(({ name }) => name.split(' ')[0]),
      ['Real', 'CSKA', 'Olympiacos', 'Panathinaikos', 'Fenerbahçe', 'Anadolu', 'Baskonia', 'Darüşşafaka', 'Crvena'],
    );
  });

  it('a grouping that a season does not have is 404, and an unknown grouping 422', async () => {
    const id = await fed.tournamentId('Premiership Rugby');
    const status = async (query: string) => (await fed.app.ask(`/v1/tournament/${id}/standings?${query}`)).status;
    assert.equal(await status('grouping=division'), 404);
    assert.equal(await status('grouping=continent'), 422);
    const nfl = await fed.tournamentId('NFL');
    const { table } = (await fed.app.ask<Table>(`/v1/tournament/${nfl}/standings?grouping=overall&type=home`)).json;
    assert.deepEqual([table.length, table[0]!.group, table[0]!.zone], [32, null, null]);
  });
});
