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
    this.timeout(300_000);
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
      ['nhl-data', 'nhl-data'],
      ['fivethirtyeight-elo', 'fivethirtyeight-us'],
      ['fivethirtyeight-elo', 'wnba-paine'],
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

  const hockey = ({ name, wins, losses, draws, overtime_losses, scores_for, scores_against, points }: StandingsRow) =>
    `${name} ${wins}-${losses - overtime_losses}-${draws}-${overtime_losses} ${scores_for}:${scores_against} ${points}`;
  const inGroup = (rows: readonly StandingsRow[], name: string) => rows.filter(({ group }) => group === name);

  it('the 1992/93 NHL has the divisions, points and goals of the official table', async () => {
    const { table, groupings, complete } = await read('NHL', '1992/93');
    assert.deepEqual([groupings, complete], [['division', 'conference', 'overall'], true]);
    const line = ({ name, wins, losses, draws, scores_for, scores_against, points }: StandingsRow) =>
      `${name} ${wins}-${losses}-${draws} ${scores_for}:${scores_against} ${points}`;
    assert.deepEqual(lines(inGroup(table, 'Adams Division'), line), [
      'Boston Bruins 51-26-7 332:268 109',
      'Quebec Nordiques 47-27-10 351:300 104',
      'Montreal Canadiens 48-30-6 326:280 102',
      'Buffalo Sabres 38-36-10 335:297 86',
      'Hartford Whalers 26-52-6 284:369 58',
      'Ottawa Senators 10-70-4 202:395 24',
    ]);
    assert.deepEqual(lines(inGroup(table, 'Patrick Division'), line), [
      'Pittsburgh Penguins 56-21-7 367:268 119',
      'Washington Capitals 43-34-7 325:286 93',
      'New York Islanders 40-37-7 335:297 87',
      'New Jersey Devils 40-37-7 308:299 87',
      'Philadelphia Flyers 36-37-11 319:319 83',
      'New York Rangers 34-39-11 304:308 79',
    ]);
    assert.deepEqual(lines(inGroup(table, 'Norris Division'), line), [
      'Chicago Blackhawks 47-25-12 279:230 106',
      'Detroit Red Wings 47-28-9 369:280 103',
      'Toronto Maple Leafs 44-29-11 288:241 99',
      'St. Louis Blues 37-36-11 282:278 85',
      'Minnesota North Stars 36-38-10 272:293 82',
      'Tampa Bay Lightning 23-54-7 245:332 53',
    ]);
    assert.deepEqual(lines(inGroup(table, 'Smythe Division'), line), [
      'Vancouver Canucks 46-29-9 346:278 101',
      'Calgary Flames 43-30-11 322:282 97',
      'Los Angeles Kings 39-35-10 338:340 88',
      'Winnipeg Jets 40-37-7 322:320 87',
      'Edmonton Oilers 26-50-8 242:337 60',
      'San Jose Sharks 11-71-2 218:414 24',
    ]);
  });

  it('the 2008/09 NHL has the seeds and points of the official table, in which a shoot-out counts as a goal', async () => {
    const { table } = await read('NHL', '2008/09', '&grouping=conference');
    assert.deepEqual(lines(inGroup(table, 'Eastern Conference'), hockey).slice(0, 9), [
      'Boston Bruins 53-19-0-10 274:196 116',
      'Washington Capitals 50-24-0-8 272:245 108',
      'New Jersey Devils 51-27-0-4 244:209 106',
      'Pittsburgh Penguins 45-28-0-9 264:239 99',
      'Philadelphia Flyers 44-27-0-11 264:238 99',
      'Carolina Hurricanes 45-30-0-7 239:226 97',
      'New York Rangers 43-30-0-9 210:218 95',
      'Montreal Canadiens 41-30-0-11 249:247 93',
      'Florida Panthers 41-30-0-11 234:231 93',
    ]);
    assert.deepEqual(
      inGroup(table, 'Western Conference').map(({ name, points, zone }) => `${name} ${points} ${zone}`),
      [
        'San Jose Sharks 117 play_off',
        'Detroit Red Wings 112 play_off',
        'Vancouver Canucks 100 play_off',
        'Chicago Blackhawks 104 play_off',
        'Calgary Flames 98 play_off',
        'St. Louis Blues 92 play_off',
        'Columbus Blue Jackets 92 play_off',
        'Anaheim Ducks 91 play_off',
        'Minnesota Wild 89 null',
        'Nashville Predators 88 null',
        'Edmonton Oilers 85 null',
        'Dallas Stars 83 null',
        'Phoenix Coyotes 79 null',
        'Los Angeles Kings 79 null',
        'Colorado Avalanche 69 null',
      ],
    );
  });

  it('the 1976/77 and 2011/12 NHL have the records of the official table, also of sides with equal points', async () => {
    const record = ({ name, wins, losses, draws, overtime_losses, points }: StandingsRow) =>
      `${name} ${wins}-${losses - overtime_losses}-${draws + overtime_losses} ${points}`;
    const { table: old } = await read('NHL', '1976/77');
    assert.deepEqual(lines(inGroup(old, 'Norris Division'), record), [
      'Montreal Canadiens 60-8-12 132',
      'Los Angeles Kings 34-31-15 83',
      'Pittsburgh Penguins 34-33-13 81',
      'Washington Capitals 24-42-14 62',
      'Detroit Red Wings 16-55-9 41',
    ]);
    assert.deepEqual(lines(inGroup(old, 'Smythe Division'), record), [
      'St. Louis Blues 32-39-9 73',
      'Minnesota North Stars 23-39-18 64',
      'Chicago Black Hawks 26-43-11 63',
      'Vancouver Canucks 25-42-13 63',
      'Colorado Rockies 20-46-14 54',
    ]);
    const { table } = await read('NHL', '2011/12');
    assert.deepEqual(lines(inGroup(table, 'Central Division'), record), [
      'St. Louis Blues 49-22-11 109',
      'Nashville Predators 48-26-8 104',
      'Detroit Red Wings 48-28-6 102',
      'Chicago Blackhawks 45-26-11 101',
      'Columbus Blue Jackets 29-46-7 65',
    ]);
    assert.deepEqual(lines(inGroup(table, 'Southeast Division'), record), [
      'Florida Panthers 38-26-18 94',
      'Washington Capitals 42-32-8 92',
      'Tampa Bay Lightning 38-36-8 84',
      'Winnipeg Jets 37-35-10 84',
      'Carolina Hurricanes 33-33-16 82',
    ]);
  });

  it('the 2022/23 NHL has the wild cards of the official table', async () => {
    const { table } = await read('NHL', '2022/23');
    assert.deepEqual(lines(inGroup(table, 'Atlantic Division'), hockey).slice(0, 4), [
      'Boston Bruins 65-12-0-5 305:177 135',
      'Toronto Maple Leafs 50-21-0-11 279:222 111',
      'Tampa Bay Lightning 46-30-0-6 283:254 98',
      'Florida Panthers 42-32-0-8 290:273 92',
    ]);
    const wild = await read('NHL', '2022/23', '&grouping=wild_card');
    assert.deepEqual(
      inGroup(wild.table, 'Eastern Conference')
        .slice(0, 4)
        .map(({ name, points, zone }) => `${name} ${points} ${zone}`),
      [
        'New York Islanders 93 play_off',
        'Florida Panthers 92 play_off',
        'Pittsburgh Penguins 91 null',
        'Buffalo Sabres 91 null',
      ],
    );
  });

  it('in each NHL season since 1925 the rules select the sides that really played in the play-offs', async () => {
    const id = await fed.tournamentId('NHL');
    const { rows } = await fed.db.pool.query<{ id: number; label: string; played: string[] }>(
      `SELECT s.id, s.season_label AS label, array_agg(DISTINCT side.id::int ORDER BY side.id::int) AS played
       FROM season s JOIN match m ON m.season_id = s.id CROSS JOIN LATERAL (VALUES (m.home_id), (m.away_id)) side (id)
       WHERE s.tournament_id = $1 AND s.season_label >= '1925' AND m.round_name IS NOT NULL GROUP BY 1, 2 ORDER BY 2`,
      [id],
    );
    assert.equal(rows.length, 91);
    for (const { id: season, label, played } of rows) {
      const { json: body } = await fed.app.ask<Table>(`/v1/tournament/${id}/standings?season=${season}`);
      const sent = body.table.filter(({ zone }) => zone === 'play_off').map(({ participant_id }) => participant_id);
      assert.deepEqual(
        sent.sort((a, b) => a - b),
        played,
        label,
      );
    }
  });

  it('the NBA has the seeds of nba.com, with the play-in', async () => {
    const seeds = async (label: string, conference: string) =>
      inGroup((await read('NBA', label, '&grouping=conference')).table, conference).map(
        ({ name, wins, losses, zone }) => `${name} ${wins}-${losses} ${zone}`,
      );
    assert.deepEqual(await seeds('2021/22', 'Eastern Conference'), [
      'Miami Heat 53-29 play_off',
      'Boston Celtics 51-31 play_off',
      'Milwaukee Bucks 51-31 play_off',
      'Philadelphia 76ers 51-31 play_off',
      'Toronto Raptors 48-34 play_off',
      'Chicago Bulls 46-36 play_off',
      'Brooklyn Nets 44-38 play_in',
      'Cleveland Cavaliers 44-38 play_in',
      'Atlanta Hawks 43-39 play_in',
      'Charlotte Hornets 43-39 play_in',
      'New York Knicks 37-45 null',
      'Washington Wizards 35-47 null',
      'Indiana Pacers 25-57 null',
      'Detroit Pistons 23-59 null',
      'Orlando Magic 22-60 null',
    ]);
    assert.deepEqual((await seeds('2022/23', 'Western Conference')).slice(0, 11), [
      'Denver Nuggets 53-29 play_off',
      'Memphis Grizzlies 51-31 play_off',
      'Sacramento Kings 48-34 play_off',
      'Phoenix Suns 45-37 play_off',
      'Los Angeles Clippers 44-38 play_off',
      'Golden State Warriors 44-38 play_off',
      'Los Angeles Lakers 43-39 play_in',
      'Minnesota Timberwolves 42-40 play_in',
      'New Orleans Pelicans 42-40 play_in',
      'Oklahoma City Thunder 40-42 play_in',
      'Dallas Mavericks 38-44 null',
    ]);
    // The games in the bubble count, and sides played between 64 and 75 games.
    assert.deepEqual((await seeds('2019/20', 'Western Conference')).slice(6, 10), [
      'Dallas Mavericks 43-32 play_off',
      'Portland Trail Blazers 35-39 play_off',
      'Memphis Grizzlies 34-39 null',
      'Phoenix Suns 34-39 null',
    ]);
    const usual = await read('NBA', '2022/23');
    assert.deepEqual([usual.groupings, usual.complete], [['conference', 'division', 'overall'], true]);
    assert.equal(inGroup(usual.table, 'Western Conference').length, 15);
    const { table } = await read('NBA', '2022/23', '&grouping=division');
    assert.deepEqual(
      inGroup(table, 'Atlantic Division').map(({ name, games_behind }) => `${name} ${games_behind}`),
      ['Boston Celtics 0', 'Philadelphia 76ers 3', 'New York Knicks 10', 'Brooklyn Nets 12', 'Toronto Raptors 16'],
    );
  });

  it('the WNBA has the seeds of wnba.com, whatever the conference', async () => {
    const seeds = async (label: string) =>
      (await read('WNBA', label, '&grouping=overall')).table.map(
        ({ name, wins, losses, zone }) => `${name} ${wins}-${losses} ${zone}`,
      );
    assert.deepEqual(await seeds('2022'), [
      'Las Vegas Aces 26-10 play_off',
      'Chicago Sky 26-10 play_off',
      'Connecticut Sun 25-11 play_off',
      'Seattle Storm 22-14 play_off',
      'Washington Mystics 22-14 play_off',
      'Dallas Wings 18-18 play_off',
      'New York Liberty 16-20 play_off',
      'Phoenix Mercury 15-21 play_off',
      'Minnesota Lynx 14-22 null',
      'Atlanta Dream 14-22 null',
      'Los Angeles Sparks 13-23 null',
      'Indiana Fever 5-31 null',
    ]);
    assert.deepEqual((await seeds('2023')).slice(0, 9), [
      'Las Vegas Aces 34-6 play_off',
      'New York Liberty 32-8 play_off',
      'Connecticut Sun 27-13 play_off',
      'Dallas Wings 22-18 play_off',
      'Atlanta Dream 19-21 play_off',
      'Minnesota Lynx 19-21 play_off',
      'Washington Mystics 19-21 play_off',
      'Chicago Sky 18-22 play_off',
      'Los Angeles Sparks 17-23 null',
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
