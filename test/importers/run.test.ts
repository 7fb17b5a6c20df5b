import { strict as assert } from 'node:assert';
import type { ApplyDeps } from '../../src/apply/update-outcomes.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { footballData } from '../../src/importers/football-data/football-data.ts';
import { dataSets, findImporter, IMPORTERS, listDataSets } from '../../src/importers/formats.ts';
import type { Importer } from '../../src/importers/importer.ts';
import { openfootballJson } from '../../src/importers/openfootball/openfootball-json.ts';
import { type ImportSummary, runImport } from '../../src/importers/run.ts';
import { adjustmentsWithoutMatches } from '../../src/importers/tournaments/tournaments.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { filesOf, removeFiles } from './fixture.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

/** Two sources for a league that name clubs and days differently. One has scorers, the other halves and a referee. */
const DATA = {
  'football-datasets/premier-league/season-2324.csv': `Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR,Referee,HS,AS
2023-08-11,Burnley,Man City,0,3,A,0,2,A,C Pawson,6,17
2023-08-12,Nott'm Forest,Everton,2,1,H,1,1,D,M Oliver,8,9
`,
  'openfootball/football.json/2023-24/en.1.json': JSON.stringify({
    name: 'English Premier League 2023/24',
    matches: [
      {
        round: 'Matchday 1',
        date: '2023-08-11',
        time: '20:00',
        team1: 'Burnley FC',
        team2: 'Manchester City FC',
        score: { ft: [0, 3] },
      },
      // This match was moved by months, but is still the same match.
      { round: 'Matchday 1', date: '2023-12-02', time: '15:00', team1: 'Nottingham Forest FC', team2: 'Everton FC' },
      { round: 'Matchday 38', date: '2024-05-19', time: '16:00', team1: 'Everton FC', team2: 'Burnley FC' },
    ],
  }),
  'schochastics/england_premier-league-2023-2024.json': JSON.stringify([
    {
      home: 'burnley',
      away: 'manchester-city',
      GH: 0,
      GA: 3,
      date: '2023-08-11',
      incident: {
        incidents: [4, 36, 75].map((minute, index) => ({
          team: 'away',
          minute: `${minute}'`,
          incident_type: 'Goal',
          player_name: index < 2 ? 'Haaland E.' : 'Rodri',
          home_score: '0',
          away_score: String(index + 1),
        })),
      },
    },
  ]),
  'openfootball/clubs/europe/england/eng.clubs.txt':
    '= England\n\nManchester City FC, 1880, @ Etihad Stadium, Manchester\n  | Man City | Citizens\n',
  'openfootball/players/europe/norway/no.players.txt':
    '= Norway\n\nErling Haaland,  F,  1.94 m,  b. 21 Jul 2000 @ Leeds\n',
  'venues/stadiums.csv':
    'Team,FDCOUK,City,Stadium,Capacity,Latitude,Longitude,Country\nBurnley,Burnley,Burnley,Turf Moor,21401,53.789,-2.230,England\n',
};

describe('running imports', () => {
  let database: TestDatabase;
  let deps: ApplyDeps;
  beforeEach(async () => {
    database = await createTestDatabase();
    deps = {
      pool: database.pool,
      clock: { now: () => NOW },
      changes: { publish: () => undefined },
      entities: new EntityCache(),
    };
  });
  afterEach(() => database.drop());
  after(removeFiles);

  const quiet = { progress: false };
  const importOpenData = async (folder: string) => {
    const summaries: ImportSummary[] = [];
    for (const { importer, path } of await dataSets(folder))
      summaries.push(await runImport(deps, importer, path, quiet));
    return summaries;
  };
  const count = async (table: string) =>
    Number((await database.pool.query(`SELECT count(*) AS n FROM ${table}`)).rows[0].n);

  it('merges all sources in one match, each block from the best source', async () => {
    const summaries = await importOpenData(filesOf(DATA));
    assert.deepEqual(
      summaries.flatMap(({ faults }) => faults),
      [],
    );
    const { rows } = await database.pool.query(
      `SELECT h.name AS home, a.name AS away, m.scheduled_start, m.time_tbd, m.round_num, m.status, m.home_score, m.away_score, m.referee,
         (SELECT count(*)::int FROM external_ref r WHERE r.entity = 'match' AND r.entity_id = m.id) AS refs,
         (SELECT array_agg(block ORDER BY block) FROM match_block b WHERE b.match_id = m.id) AS blocks
       FROM match m JOIN participant h ON h.id = m.home_id JOIN participant a ON a.id = m.away_id ORDER BY h.name`,
    );
    assert.equal(rows.length, 3);
    const [burnley, everton, forest] = rows;
    assert.deepEqual([burnley.home, burnley.away, burnley.refs], ['Burnley', 'Manchester City', 3]);
    // The kick-off comes from openfootball, the referee from football-datasets, and the goals from schochastics.
    assert.equal(burnley.scheduled_start.toISOString(), '2023-08-11T19:00:00.000Z');
    assert.deepEqual([burnley.time_tbd, burnley.round_num, burnley.referee], [false, 1, 'C Pawson']);
    assert.deepEqual(burnley.blocks, ['incidents', 'statistics']);
    // The match counts as played, although one source still lists it as a fixture.
    assert.deepEqual(
      [forest.home, forest.refs, forest.status, forest.home_score],
      ['Nottingham Forest', 2, 'finished', 2],
    );
    assert.deepEqual([everton.status, everton.home_score], ['scheduled', null]);
    const season = await database.pool.query(
      'SELECT sum(points)::int AS points FROM points_decision GROUP BY season_id, participant_id',
    );
    assert.ok(season.rows.some(({ points }) => points === -8));
  });

  it('reports a points adjustment for a team that has no match in that league season', async () => {
    const adjusted = ['Everton', "Nott'm Forest"];
    const others = ['Arsenal', 'Brentford', 'Burnley', 'Chelsea', 'Fulham', 'Liverpool', 'Luton', 'Wolves'];
    const rows = [...adjusted, ...others].map((home, day) => `E0,${10 + day}/08/2023,${home},Tottenham,1,0`);
    const importSeason = (days: number) =>
      runImport(
        deps,
        footballData,
        filesOf({ 'E0.csv': ['Div,Date,HomeTeam,AwayTeam,FTHG,FTAG', ...rows.slice(0, days)].join('\n') }),
        quiet,
      );
    const adjust = () =>
      database.pool.query(
        `INSERT INTO points_decision (season_id, participant_id, decided_on, points)
         SELECT s.id, p.id, '-infinity', -3 FROM season s JOIN tournament t ON t.id = s.tournament_id, participant p
         WHERE t.name = 'Premier League' AND s.season_label IN ('2009/10', '2023/24') AND p.name = 'Portsmouth'
         ON CONFLICT DO NOTHING`,
      );
    await runImport(deps, findImporter('tournaments')!, '', quiet);
    // With only two of ten rows, the season looks as if it had just begun.
    await importSeason(2);
    await adjust();
    assert.deepEqual(await adjustmentsWithoutMatches(database.pool), []);
    await importSeason(rows.length);
    await adjust();
    // There are no matches in the season 2009/10 yet.
    assert.deepEqual(await adjustmentsWithoutMatches(database.pool), [
      'Premier League 2023/24: Portsmouth has adjusted points and no match in this season',
    ]);
  });

  it('reports what it read and changed, changes no data the second time, and creates no events', async () => {
    const folder = filesOf(DATA);
    const first = await runImport(deps, footballData, `${folder}/football-datasets`, quiet);
    assert.deepEqual(
      [first.format, first.read, first.changed, first.unchanged, first.rejected],
      ['football-data', 2, 2, 0, 0],
    );
    const again = await runImport(deps, footballData, `${folder}/football-datasets`, quiet);
    assert.deepEqual([again.read, again.changed, again.unchanged, again.rejected], [2, 0, 2, 0]);
    await importOpenData(folder);
    const twice = await importOpenData(folder);
    assert.deepEqual(
      twice.map(({ changed }) => changed),
      twice.map(() => 0),
    );
    assert.equal(await count('outbox'), 0);
    assert.equal(await count('event_log'), 0);
  });

  it('gives the same catalogue in any order', async function () {
    this.timeout(120_000);
    const folder = filesOf(DATA);
    const sets = await dataSets(folder);
    const exported: string[] = [];
    for (const order of [sets, [...sets].reverse(), [...sets.slice(3), ...sets.slice(0, 3)]]) {
      const fresh = await createTestDatabase();
      try {
        const other = { ...deps, pool: fresh.pool, entities: new EntityCache() };
        for (const { importer, path } of order) await runImport(other, importer, path, quiet);
        exported.push(await exportCatalogue(fresh));
      } finally {
        await fresh.drop();
      }
    }
    assert.equal(exported[1], exported[0]);
    assert.equal(exported[2], exported[0]);
  });

  it('gives a match the organiser’s official result, whatever the source says', async () => {
    const folder = filesOf({
      'serie-a/season-2021.csv':
        'Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR\n2020-09-19,Verona,Roma,0,0,D,0,0,D\n2020-09-27,Roma,Juventus,2,2,D,1,1,D\n',
    });
    const summary = await runImport(deps, footballData, folder, quiet);
    assert.deepEqual([summary.read, summary.changed, summary.faults], [2, 2, []]);
    const { rows } = await database.pool.query(
      'SELECT status, status_detail, home_score, away_score, period_scores FROM match ORDER BY scheduled_start',
    );
    assert.deepEqual(rows[0], {
      status: 'finished',
      status_detail: 'awarded',
      home_score: 3,
      away_score: 0,
      period_scores: [],
    });
    assert.equal(rows[1].status_detail, 'ended');
    assert.equal(rows.length, 2);
    assert.equal((await runImport(deps, footballData, folder, quiet)).changed, 0);
  });

  it('continues after invalid records, and lists the first of them', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `2023-08-11,Team ${index},Team ${index},1,1,D`).join('\n');
    const folder = filesOf({
      'premier-league/season-2324.csv': `Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\n${rows}\n2023-08-12,Arsenal,Chelsea,1,1,D\n`,
    });
    const summary = await runImport(deps, footballData, folder, quiet);
    assert.deepEqual([summary.read, summary.changed, summary.rejected, summary.faults.length], [31, 1, 30, 20]);
    assert.match(summary.faults[0]!, /season-2324\.csv:2: both sides are the same team/);
  });

  it('keeps what it committed before an interruption, and continues from there', async () => {
    const matches = Array.from({ length: 1_200 }, (_, index) => ({
      date: '2024-01-06',
      team1: `Club ${index}`,
      team2: `Club ${index + 5_000}`,
      score: { ft: [1, 0] },
    }));
    const folder = filesOf({ '2023-24/en.2.json': JSON.stringify({ name: 'English Championship 2023/24', matches }) });
    const stopped: Importer = {
      ...openfootballJson,
      async *read(path, meter) {
        let read = 0;
        for await (const item of openfootballJson.read(path, meter)) {
          if (++read > 1_100) throw new Error('the power is gone');
          yield item;
        }
      },
    };
    await assert.rejects(runImport(deps, stopped, folder, quiet), /the power is gone/);
    const stored = await count('match');
    assert.ok(stored >= 500 && stored <= 1_100, `${stored}`);
    const rest = await runImport(deps, openfootballJson, folder, quiet);
    assert.deepEqual([rest.changed, rest.unchanged], [1_200 - stored, stored]);
    assert.equal(await count('match'), 1_200);
  });

  it('applies a former-name file to existing teams, without renaming or creating any', async () => {
    const folder = filesOf({
      ...DATA,
      'former.csv':
        'country,team,name,name_ru,valid_from,valid_to\nGB-ENG,Nobody United,Nobody Heath,,,1902-04-23\nGB-ENG,Man City,Sky Blues,Голубые,2020-01-01,2023-12-31\nGB-ENG,Burnley FC,Burnley Rovers,,,1882-05-01\nXX,Burnley,Old,,,1882-05-01\n',
    });
    await importOpenData(folder);
    const teams = await count('participant');
    const again = async () => {
      const { changed, unchanged, rejected, faults } = await runImport(
        deps,
        findImporter('former-names')!,
        `${folder}/former.csv`,
        quiet,
      );
      return [changed, unchanged, rejected, faults.map((fault) => fault.slice(fault.indexOf('former.csv')))];
    };
    const faults = [
      'former.csv:2: participant the catalogue has no team Nobody United (football, men, GB-ENG)',
      'former.csv:5: participant.country XX is not a known country code',
    ];
    assert.deepEqual(await again(), [2, 0, 2, faults]);
    assert.deepEqual(await again(), [0, 2, 2, faults]);
    assert.equal(await count('participant'), teams);
    const { rows } = await database.pool.query(
      `SELECT c.item::json #>> '{participants,1,name}' AS shown, p.name FROM match m JOIN match_card c ON c.match_id = m.id
       JOIN participant p ON p.id = m.away_id WHERE p.key = 'GB-ENG|manchester city'`,
    );
    assert.deepEqual(rows, [{ shown: 'Sky Blues', name: 'Manchester City' }]);
  });

  it('lists each public data set with folder, licence and address', () => {
    const lines = listDataSets();
    assert.ok(lines.length >= 15);
    for (const line of lines)
      assert.match(line, /^\S+ +\S.* {2,}https:\/\/(github\.com\/[\w-]+\/[\w.-]+|cricsheet\.org\/downloads)$/);
    assert.ok(lines.some((line) => /^football-datasets +PDDL 1\.0 +https:.*\/datasets\/football-datasets$/.test(line)));
  });

  it('finds formats by name, and refuses a folder without data sets', async () => {
    assert.equal(new Set(IMPORTERS.map(({ format }) => format)).size, IMPORTERS.length);
    assert.equal(findImporter('football-data'), footballData);
    assert.equal(findImporter('nothing'), undefined);
    await assert.rejects(dataSets(filesOf({ 'x.txt': '' })), /no open data there/);
    await assert.rejects(runImport(deps, footballData, '/nowhere', quiet), /no such file or folder/);
  });
});

/** Returns the catalogue in a fixed order, with entities' names instead of ids. */
async function exportCatalogue({ pool }: TestDatabase): Promise<string> {
  const match = `FROM match m JOIN tournament t ON t.id = m.tournament_id JOIN season s ON s.id = m.season_id
    JOIN participant h ON h.id = m.home_id JOIN participant a ON a.id = m.away_id LEFT JOIN venue v ON v.id = m.venue_id`;
  const queries = [
    'SELECT type, sport, gender, country, key, name, name_ru, birth_date, extra FROM participant',
    'SELECT p.key AS who, l.name, l.locale FROM participant_alias l JOIN participant p ON p.id = l.participant_id',
    'SELECT sport, country, gender, key, name, name_ru, tier, importance, timezone, rules, single_home_fixture FROM tournament',
    'SELECT country, key, city_key, name, city, capacity, latitude, longitude FROM venue',
    'SELECT t.key, s.season_label, s.rules FROM season s JOIN tournament t ON t.id = s.tournament_id',
    `SELECT t.key AS t, s.season_label, h.key AS h, a.key AS a, v.key AS v, scheduled_start, time_tbd, start_time, round_num, round_name, group_name,
       status, status_detail, home_score, away_score, period_scores, referee, m.importance, lineup_confirmed, finalized ${match}`,
    `SELECT t.key AS t, s.season_label, h.key AS h, a.key AS a, b.block, regexp_replace(b.json, '"(id|[a-z_]*participant_id)":[0-9]+', '', 'g') AS json
       ${match} JOIN match_block b ON b.match_id = m.id`,
    'SELECT entity, provider, external_id FROM external_ref',
  ];
  const parts = await Promise.all(
    queries.map(async (sql) => (await pool.query(sql)).rows.map((row) => JSON.stringify(row)).sort()),
  );
  return JSON.stringify(parts, null, 1);
}
