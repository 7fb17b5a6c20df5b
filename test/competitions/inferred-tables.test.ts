import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { routes } from '../../src/competitions/routes.ts';
import type { StandingsRow } from '../../src/competitions/standings.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { fivethirtyeight } from '../../src/importers/fivethirtyeight/fivethirtyeight.ts';
import { internationalResults } from '../../src/importers/international-results/international-results.ts';
import { openfootballJson } from '../../src/importers/openfootball/openfootball-json.ts';
import { runImport } from '../../src/importers/run.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { filesOf, removeFiles } from '../importers/fixture.ts';

const shared = fileURLToPath(new URL('../../../shared/datasets/', import.meta.url));
const RESULTS = `${shared}international-results/results.csv.gz`;
const SPI = `${shared}fivethirtyeight/spi_matches_2016-2019.csv.gz`;
const CLUBS = `${shared}openfootball/worldcup.json/2025/clubworldcup.json.gz`;
const CHAMPIONS_LEAGUE = `${shared}openfootball/football.json/2024-25/uefa.cl.json.gz`;
const AUSTRIA = `${shared}openfootball/football.json/2024-25/at.1.json.gz`;
const SCOTLAND = `${shared}openfootball/football.json/2024-25/sco.1.json.gz`;
const PLAY_OFFS = `${shared}openfootball/worldcup.json/2026/worldcup.quali_playoffs.json.gz`;

describe('tables for competitions whose sources name no groups', function () {
  this.timeout(120_000);
  let fed: Fed | undefined;
  before(async function () {
    if (![RESULTS, SPI, CLUBS].every((file) => existsSync(file))) {
      console.warn(`      SKIPPED: ${shared} is not there`);
      this.skip();
    }
    fed = await startFed(routes, '2026-11-01T12:00:00Z');
    const wanted =
      /,(AFC Asian Cup|UEFA Euro|Copa América|African Cup of Nations|UEFA Nations League|British Home Championship|Confederations Cup),|^date|^20(1[5-9]|2).*,FIFA World Cup qualification,/;
    const folder = filesOf({
      'results/results.csv': lines(RESULTS, (line) => wanted.test(line)),
      'spi/spi_matches.csv': lines(SPI, (line) => /^date|,(1818|1837|1832|1827),/.test(line)),
      'clubs/clubworldcup.json': gunzipSync(readFileSync(CLUBS)).toString('utf8'),
      'clubs/2024-25/uefa.cl.json': gunzipSync(readFileSync(CHAMPIONS_LEAGUE)).toString('utf8'),
      'clubs/2024-25/at.1.json': gunzipSync(readFileSync(AUSTRIA)).toString('utf8'),
      'clubs/2024-25/sco.1.json': gunzipSync(readFileSync(SCOTLAND)).toString('utf8'),
      'clubs/2026/worldcup.quali_playoffs.json': gunzipSync(readFileSync(PLAY_OFFS)).toString('utf8'),
    });
    const deps = {
      pool: fed.db.pool,
      clock: { now: () => fed!.now },
      changes: { publish: () => {} },
      entities: new EntityCache(),
    };
    await runImport(deps, internationalResults, `${folder}/results`, { progress: false });
    await runImport(deps, fivethirtyeight, `${folder}/spi`, { progress: false });
    await runImport(deps, openfootballJson, `${folder}/clubs`, { progress: false });
  });
  after(async () => {
    removeFiles();
    await fed?.close();
  });

  const lines = (file: string, keep: (line: string) => boolean) =>
    gunzipSync(readFileSync(file)).toString('utf8').split(/\r?\n/).filter(keep).join('\n');

  interface Standings {
    table: StandingsRow[];
    complete: boolean;
    reason?: string;
  }
  async function standings(tournament: string, label: string, query = ''): Promise<Standings> {
    const { rows } = await fed!.db.pool.query<{ id: number; season: number }>(
      'SELECT t.id, s.id AS season FROM tournament t JOIN season s ON s.tournament_id = t.id WHERE t.name = $1 AND s.season_label = $2',
      [tournament, label],
    );
    assert.equal(rows.length, 1, `${tournament} ${label}`);
    const [{ id, season }] = rows as [{ id: number; season: number }];
    const { status, json } = await fed!.app.ask<Standings>(`/v1/tournament/${id}/standings?season=${season}${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    return json;
  }
  const groups = ({ table }: Standings) => {
    const found = new Map<string | null, string[]>();
    for (const { group, name, points } of table) found.set(group, [...(found.get(group) ?? []), `${name} ${points}`]);
    return [...found];
  };

  it('the 2023 Asian Cup has six groups of four, with points from three matches', async () => {
    const cup = await standings('AFC Asian Cup', '2023');
    assert.deepEqual([cup.complete, cup.reason], [true, undefined]);
    assert.deepEqual(groups(cup), [
      ['Group A', ['Qatar 9', 'Tajikistan 4', 'China 2', 'Lebanon 1']],
      ['Group B', ['Australia 7', 'Uzbekistan 5', 'Syria 4', 'India 0']],
      ['Group C', ['Iran 9', 'United Arab Emirates 4', 'Palestine 4', 'Hong Kong 0']],
      ['Group D', ['Iraq 9', 'Japan 6', 'Indonesia 3', 'Vietnam 0']],
      ['Group E', ['Bahrain 6', 'South Korea 5', 'Jordan 4', 'Malaysia 1']],
      ['Group F', ['Saudi Arabia 7', 'Thailand 5', 'Oman 2', 'Kyrgyzstan 1']],
    ]);
  });

  it('the European Championships from 1996 to 2012 have the right four groups', async () => {
    for (const year of ['1996', '2000', '2004', '2008', '2012']) {
      const found = groups(await standings('UEFA Euro', year));
      assert.deepEqual(
        found.map(([name, rows]) => [name, rows.length]),
        [
          ['Group A', 4],
          ['Group B', 4],
          ['Group C', 4],
          ['Group D', 4],
        ],
        year,
      );
    }
    const [greece] = groups(await standings('UEFA Euro', '2004')).filter(([, rows]) =>
      rows.some((row) => row.startsWith('Greece')),
    );
    assert.deepEqual(greece![1], ['Portugal 6', 'Greece 4', 'Spain 4', 'Russia 3']);
    const { table } = await standings('UEFA Euro', '1988');
    const italy = table.find(({ name }) => name === 'Italy')!;
    assert.deepEqual([italy.wins, italy.draws, italy.points], [2, 1, 5], 'two points for a win');
  });

  it('groups have the official names if all groups are listed, and numbers otherwise', async () => {
    const leagues = await standings('UEFA Nations League', '2024/25');
    const names = new Map(leagues.table.map(({ name, group }) => [name, group]));
    assert.deepEqual(
      ['Portugal', 'Spain', 'Georgia', 'Kosovo', 'Moldova', 'San Marino'].map((name) => names.get(name)),
      ['Group A1', 'Group A4', 'Group B1', 'Group C2', 'Group D2', 'Group D1'],
    );
    assert.deepEqual([...new Set(names.values())].length, 14);
    const cup = new Map((await standings('Copa América', '2019')).table.map(({ name, group }) => [name, group]));
    assert.deepEqual([cup.get('Peru'), cup.get('Colombia'), cup.get('Japan')], ['Group A', 'Group B', 'Group C']);
    const afc = new Map((await standings('AFC Asian Cup', '1976')).table.map(({ name, group }) => [name, group]));
    assert.deepEqual([afc.get('Malaysia'), afc.get('Iraq')], ['Group A', 'Group B']);
    assert.equal((await standings('Copa América', '1987')).table[0]!.group, '1');
  });

  it('the match that Kosovo abandoned is awarded to Romania', async () => {
    const { rows } = await fed!.db.pool.query(
      `SELECT m.status_detail, m.home_score, m.away_score FROM match m JOIN participant h ON h.id = m.home_id
         JOIN participant a ON a.id = m.away_id WHERE h.name = 'Romania' AND a.name = 'Kosovo' AND m.scheduled_start::date = '2024-11-15'`,
    );
    assert.deepEqual(rows, [{ status_detail: 'awarded', home_score: 3, away_score: 0 }]);
    const { table } = await standings('UEFA Nations League', '2024/25');
    const romania = table.find(({ name }) => name === 'Romania')!;
    assert.deepEqual([romania.points, romania.wins, romania.scores_for, romania.scores_against], [18, 6, 18, 3]);
  });

  it('cup rounds that no source names form a bracket, with shoot-outs', async () => {
    const finals = async (tournament: string, label: string) => {
      const { rows } = await fed!.db.pool.query<{ id: number; season: number }>(
        'SELECT t.id, s.id AS season FROM tournament t JOIN season s ON s.tournament_id = t.id WHERE t.name = $1 AND s.season_label = $2',
        [tournament, label],
      );
      const { json } = await fed!.app.ask<{
        rounds: { name: string; matchups: { teams: { name: string }[]; winner_id: number | null }[] }[];
      }>(`/v1/tournament/${rows[0]!.id}/bracket?season=${rows[0]!.season}`);
      return json.rounds.map(({ name, matchups }) => [
        name,
        matchups.length,
        ...(name === 'Final' ? matchups[0]!.teams.map((team) => team.name) : []),
      ]);
    };
    assert.deepEqual(await finals('UEFA Euro', '1988'), [
      ['Semi-finals', 2],
      ['Final', 1, 'Soviet Union', 'Netherlands'],
    ]);
    assert.deepEqual(await finals('Copa América', '2011'), [
      ['Quarter-finals', 4],
      ['Semi-finals', 2],
      ['Third place', 1],
      ['Final', 1, 'Uruguay', 'Paraguay'],
    ]);
    assert.deepEqual(await finals('African Cup of Nations', '2019'), [
      ['Round of 16', 8],
      ['Quarter-finals', 4],
      ['Semi-finals', 2],
      ['Third place', 1],
      ['Final', 1, 'Senegal', 'Algeria'],
    ]);
    assert.deepEqual(await finals('UEFA Champions League', '2018/19'), [
      ['Round of 16', 8],
      ['Quarter-finals', 4],
      ['Semi-finals', 2],
      ['Final', 1, 'Tottenham Hotspur', 'Liverpool'],
    ]);
    assert.deepEqual(await finals('Copa América', '1989'), []);
  });

  it('the 2018/19 Champions League has eight groups of four', async () => {
    const league = await standings('UEFA Champions League', '2018/19');
    assert.equal(groups(league).length, 8);
    assert.ok(league.table.every(({ played }) => played === 6));
    assert.deepEqual(
      league.table
        .filter(({ name }) => name === 'Barcelona')
        .map(({ position, points, played }) => [position, points, played]),
      [[1, 14, 6]],
    );
  });

  it('the 2024/25 league phase is ranked by goal difference, not by head-to-head matches', async () => {
    const { table, complete } = await standings('UEFA Champions League', '2024/25');
    assert.ok(complete);
    assert.deepEqual(
      table.slice(0, 25).map(({ name }) => name.replace(' FC', '')),
      [
        ...['Liverpool', 'Barcelona', 'Arsenal', 'Internazionale', 'Atlético Madrid', 'Bayer Leverkusen', 'Lille'],
        ...['Aston Villa', 'Atalanta', 'Borussia Dortmund', 'Real Madrid', 'Bayern München', 'Milan', 'PSV Eindhoven'],
        ...['Paris Saint-Germain', 'Benfica', 'AS Monaco', 'Brest', 'Feyenoord', 'Juventus', 'Celtic'],
        ...['Manchester City', 'Sporting CP', 'Club Brugge', 'Dinamo Zagreb'],
      ],
    );
  });

  it('a final group stage is a separate stage, and a nations league has one table', async () => {
    const names = (cup: Standings) => groups(cup).map(([name, rows]) => [name, rows.length]);
    assert.deepEqual(names(await standings('African Cup of Nations', '1976')), [
      ['1.1', 4],
      ['1.2', 4],
      ['2.1', 4],
    ]);
    assert.deepEqual(names(await standings('Copa América', '1989')), [
      ['1.1', 5],
      ['1.2', 5],
      ['2.1', 4],
    ]);
    assert.deepEqual(names(await standings('Copa América', '1957')), [[null, 7]]);
    assert.deepEqual(names(await standings('British Home Championship', '1938/39')), [[null, 4]]);
  });

  it('the 1980/81 British Home Championship, which lacks two matches, has an incomplete table', async () => {
    const { table, complete } = await standings('British Home Championship', '1980/81');
    assert.deepEqual([table.length, complete], [4, false]);
  });

  it('a season with knock-outs or several formats has no table', async () => {
    for (const [tournament, season] of [
      ['UEFA Euro', '1960'],
      ['UEFA Euro', '1976'],
      ['FIFA World Cup Qualification', '2018'],
      ['FIFA World Cup Qualification', '2022'],
      ['African Cup of Nations', '1957'],
    ] as const) {
      const { table, reason, complete } = await standings(tournament, season);
      assert.deepEqual([table, reason, complete], [[], 'no_table', true], `${tournament} ${season}`);
    }
  });

  it('a qualifying match and play-off paths are not shown as groups', async () => {
    const clubs = await standings('FIFA Club World Cup', '2025');
    assert.deepEqual(
      groups(clubs).map(([name, rows]) => [name, rows.length]),
      [...'ABCDEFGH'].map((letter) => [`Group ${letter}`, 4]),
    );
    const paths = await standings('FIFA World Cup Qualification', '2026');
    assert.deepEqual([paths.table, paths.reason], [[], 'no_table']);
  });

  it('Belgium, Austria and Denmark in 2018/19 are split by each league’s rules', async () => {
    const division = async (tournament: string) => {
      const all = await standings(tournament, '2018/19');
      const [regular, ...later] = groups(all);
      assert.deepEqual([regular![0], all.complete], [null, true], tournament);
      return { all, later };
    };
    const belgium = await division('Belgian Pro League');
    assert.deepEqual(belgium.later, [
      [
        'Championship',
        ['Genk 52', 'Club Brugge 50', 'Standard Liège 40', 'Antwerp 39', 'KAA Gent 35', 'Anderlecht 32'],
      ],
    ]);
    const starts = belgium.all.table
      .filter(({ group }) => group === 'Championship')
      .map(({ points, wins, draws, played }) => [points - 3 * wins - draws, played]);
    assert.deepEqual(
      starts,
      [
        [32, 10],
        [28, 10],
        [27, 10],
        [25, 10],
        [25, 10],
        [26, 10],
      ],
      'halved, and rounded up',
    );
    const austria = await division('Austrian Bundesliga');
    assert.deepEqual(
      austria.later.map(([name, rows]) => [name, rows.length, rows[0]]),
      [
        ['Championship', 6, 'RB Salzburg 52'],
        ['Relegation', 6, 'Rapid Wien 32'],
      ],
    );
    const denmark = await division('Danish Superliga');
    assert.deepEqual(
      denmark.later.map(([name, rows]) => [name, rows.length]),
      [
        ['Championship', 6],
        ['Relegation 1', 4],
        ['Relegation 2', 4],
      ],
    );
    assert.equal(denmark.later[0]![1][0], 'FC København 82');
  });

  it('Austria and Scotland in 2024/25 are split by each league’s rules too', async () => {
    const austria = groups(await standings('Austrian Bundesliga', '2024/25')).slice(1);
    const [championship, relegation] = austria.map(([, rows]) => rows);
    // Austria Wien and Wolfsberger AC have equal points, even without rounding. Austria is first because it won the matches between them.
    assert.deepEqual(championship!.slice(0, 5), [
      ...['Sturm Graz 40', 'RB Salzburg 38', 'Austria Wien 37', 'Wolfsberger AC 37', 'Rapid Wien 27'],
    ]);
    assert.deepEqual([relegation![0], relegation!.at(-1)!.replace(/ \d+$/, '')], ['LASK 38', 'Austria Klagenfurt']);
    // St Mirren has fewer points than Hearts, but ranks above because it was sixth at the split.
    const { table } = await standings('Scottish Premiership', '2024/25');
    assert.deepEqual(
      table.map(({ group, position, points, played }) => [group, position, points, played].join(' ')),
      [92, 75, 58, 53, 53, 50, 52, 49, 44, 41, 37, 32].map((points, index) => ` ${index + 1} ${points} 38`),
    );
  });
});
