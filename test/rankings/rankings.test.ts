import { strict as assert } from 'node:assert';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApplyDeps } from '../../src/apply/update-outcomes.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { findImporter } from '../../src/importers/formats.ts';
import { type ImportSummary, runImport } from '../../src/importers/run.ts';
import { KIND_NAMES, marginKind } from '../../src/rankings/kinds.ts';
import { routes } from '../../src/rankings/routes.ts';
import { SPORTS } from '../../src/sports/sports.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { filesOf, removeFiles } from '../importers/fixture.ts';

interface Entry {
  rank: number;
  participant: { id: number; name: string; name_ru: string | null; country: string | null };
  points: number | null;
  movement: number | null;
}
interface Rankings {
  kind: string;
  published_at: string | null;
  previous_published_at: string | null;
  count: number;
  total: number;
  rankings: Entry[];
  reason?: string;
  first_published_at?: string;
}

const PLAYERS = `player_id,name_first,name_last,hand,dob,ioc,height,wikidata_id
104925,Novak,Djokovic,R,19870522,SRB,188,Q5812
207989,Carlos,Alcaraz,R,20030505,ESP,183,Q85518537
206173,Jannik,Sinner,R,20010816,ITA,188,Q54812588
100001,Félix,Mantilla,R,19740923,ESP,,
100002,No,Birthday,U,19000000,UNK,,
`;

describe('rankings', () => {
  let fed: Fed;
  let deps: ApplyDeps;
  beforeEach(async () => {
    fed = await startFed(routes, '2024-06-20T12:00:00Z');
    deps = {
      pool: fed.db.pool,
      clock: { now: () => fed.now },
      changes: { publish: () => undefined },
      entities: new EntityCache(),
    };
  });
  afterEach(() => fed.close());
  after(removeFiles);

  const importPath = (format: string, path: string): Promise<ImportSummary> =>
    runImport(deps, findImporter(format)!, path, { progress: false });
  const importFiles = (format: string, files: Record<string, string | Buffer>) => importPath(format, filesOf(files));
  const importCsv = (...rows: string[]) => importFiles('rankings', { 'list.csv': `${rows.join('\n')}\n` });
  const ask = async (query: string) => {
    const { status, json } = await fed.app.ask<Rankings>(`/v1/rankings?${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    return json;
  };
  const placesOf = ({ rankings }: Rankings) =>
    rankings.map(({ rank, participant, movement }) => [rank, participant.name, movement]);
  const counts = ({ read, changed, unchanged, rejected }: ImportSummary) => [read, changed, unchanged, rejected];
  const reasons = ({ faults }: ImportSummary) => faults.map((fault) => fault.replace(/^.*?\.csv(\.gz)?:/u, ''));

  it('have the specified kinds and the computed kinds', () => {
    const specified =
      'fifa uefa_clubs uefa_countries atp_singles atp_doubles atp_singles_race atp_doubles_race wta_singles wta_doubles wta_singles_race wta_doubles_race';
    const computed =
      'elo_national_teams elo_clubs elo_american_football elo_basketball elo_baseball elo_rugby elo_ice_hockey elo_aussie_rules elo_cricket elo_volleyball';
    assert.deepEqual(KIND_NAMES, `${specified} ${computed}`.split(' '));
    for (const { slug, rating } of SPORTS) assert.equal(marginKind(slug) !== undefined, rating !== undefined, slug);
  });

  it('are empty with a reason for a kind without a ranking, and bad parameters are refused', async () => {
    for (const kind of KIND_NAMES)
      assert.deepEqual(await ask(`kind=${kind}`), {
        kind,
        published_at: null,
        previous_published_at: null,
        count: 0,
        total: 0,
        rankings: [],
        reason: kind.startsWith('elo_') ? 'not_computed' : 'not_imported',
      });
    const refused = ['', 'kind=', 'kind=elo', 'kind=fifa&kind=fifa', 'kind=fifa&date=2024-02-30', 'kind=fifa&date=x'];
    for (const query of [...refused, 'kind=fifa&limit=1001', 'kind=fifa&limit=0', 'kind=fifa&offset=-1']) {
      const { status } = await fed.app.ask(`/v1/rankings?${query}`);
      assert.equal(status, 422, query);
    }
    const { json } = await fed.app.ask('/v1/rankings?kind=ranking');
    assert.match(JSON.stringify(json.errors), /must be one of fifa, uefa_clubs/);
  });

  it('are empty before the first ranking and name that ranking’s day, and a page beyond the end needs no reason', async () => {
    await importCsv('kind,published_at,rank,name', 'fifa,2024-06-20,1,Argentina', 'fifa,2024-04-04,1,France');
    const early = await ask('kind=fifa&date=2024-04-03');
    assert.deepEqual(
      [early.published_at, early.total, early.reason, early.first_published_at],
      [null, 0, 'published_later', '2024-04-04'],
    );
    const there = await ask(`kind=fifa&date=${early.first_published_at}`);
    assert.deepEqual([there.count, there.reason, there.first_published_at], [1, undefined, undefined]);
    const behind = await ask('kind=fifa&offset=5');
    assert.deepEqual([behind.count, behind.total, behind.reason], [0, 1, undefined]);
    assert.equal((await ask('kind=uefa_clubs')).reason, 'not_imported', 'another kind is published');
  });

  it('come from tennis files with players, rankings, movement, pages and days', async () => {
    const folder = filesOf({
      'atp_players.csv': PLAYERS,
      'atp_rankings_current.csv':
        'ranking_date,rank,player,points\n20240610,1,206173,9525\n20240610,2,207989,8580\n20240610,3,104925,8360\n20240603,1,104925,9960\n20240603,2,206173,8770\n20240603,3,207989,7300\n',
      'atp_rankings_70s.csv': 'ranking_date,rank,player,points\n19730827,1,100001,\n19730827,2,100002,\n',
    });
    const first = await importPath('tennis-atp', folder);
    assert.deepEqual(counts(first), [13, 13, 0, 0]);
    assert.deepEqual(counts(await importPath('tennis-atp', folder)), [13, 0, 13, 0]);

    const now = await ask('kind=atp_singles');
    assert.deepEqual([now.published_at, now.previous_published_at, now.total], ['2024-06-10', '2024-06-03', 3]);
    assert.deepEqual(placesOf(now), [
      [1, 'Jannik Sinner', 1],
      [2, 'Carlos Alcaraz', 1],
      [3, 'Novak Djokovic', -2],
    ]);
    const { participant, points } = now.rankings[0]!;
    assert.deepEqual([participant.name_ru, participant.country, points], [null, 'IT', 9525]);

    const page = await ask('kind=atp_singles&limit=1&offset=1');
    assert.deepEqual([page.count, page.total, placesOf(page)], [1, 3, [[2, 'Carlos Alcaraz', 1]]]);
    assert.equal((await ask('kind=atp_singles&date=2024-06-09')).published_at, '2024-06-03');
    const oldest = await ask('kind=atp_singles&date=2024-06-02');
    assert.deepEqual([oldest.published_at, oldest.previous_published_at], ['1973-08-27', null]);
    assert.deepEqual(
      oldest.rankings.map(({ points }) => points),
      [null, null],
    );
    assert.deepEqual(placesOf(await ask('kind=atp_singles&date=1973-08-26')), []);

    const { rows } = await fed.db.pool.query(
      "SELECT extra, birth_date::text FROM participant WHERE name = 'Novak Djokovic'",
    );
    assert.deepEqual(rows, [
      { extra: { height_cm: 188, plays: 'right', wikidata_id: 'Q5812' }, birth_date: '1987-05-22' },
    ]);
    const events = await fed.db.pool.query('SELECT count(*)::int AS n FROM outbox');
    assert.equal(events.rows[0].n, 0);
  });

  it('recognize players from a file that was imported before, and report unknown ones with line numbers', async () => {
    await importFiles('tennis-wta', {
      'wta_players.csv':
        'player_id,name_first,name_last,hand,dob,ioc,height,wikidata_id\n216347,Iga,Swiatek,R,20010531,POL,176,\n202458,Karolina,Pliskova,R,19920321,CZE,186,\n202459,Kristyna,Pliskova,L,19920321,CZE,184,\n',
    });
    const summary = await importFiles('tennis-wta', {
      'wta_rankings_current.csv.gz':
        'ranking_date,rank,player,points,tours\n20240610,1,216347,11695,18\n20240610,2,999999,8173,17\n20240610,9,202458,3000,17\n20240610,80,202459,900,17\n',
    });
    assert.deepEqual(counts(summary), [4, 3, 0, 1]);
    assert.deepEqual(reasons(summary), [
      '3: the player 999999 of tennis-wta is not known: import the file of its players as well',
    ]);
    // Twins are two different people.
    assert.deepEqual(placesOf(await ask('kind=wta_singles')), [
      [1, 'Iga Swiatek', null],
      [9, 'Karolina Pliskova', null],
      [80, 'Kristyna Pliskova', null],
    ]);
  });

  it('can be written by an operator for nations, clubs by name or country, and identified players', async () => {
    await fed.participants(
      {
        type: 'team',
        sport: 'football',
        name: 'Real Madrid',
        country: 'ES',
        aliases: [{ name: 'Los Blancos', locale: 'en' }],
      },
      {
        type: 'player',
        sport: 'tennis',
        name: 'Iga Swiatek',
        birth_date: '2001-05-31',
        country: 'PL',
        gender: 'women',
      },
      { type: 'player', sport: 'tennis', name: 'Anna Smith', birth_date: '1990-01-01', gender: 'women' },
      { type: 'player', sport: 'tennis', name: 'Anna Smith', birth_date: '1995-01-01', gender: 'women' },
    );
    const smiths = (
      await fed.db.pool.query("SELECT id FROM participant WHERE name = 'Anna Smith' ORDER BY id")
    ).rows.map(({ id }) => id);
    const madrid = await fed.participantId('Real Madrid');
    const summary = await importCsv(
      'kind,published_at,rank,name,country,birth_date,points,participant_id,id',
      'fifa,2024-04-04,1,Argentina,ARG,,1858.00,,',
      'fifa,2024-04-04,2,,FR,,1840.59,,',
      'fifa,2024-04-04,3,Beligum,,,1795.23,,',
      'fifa,2024-04-04,4,England,DE,,1794.9,,',
      'uefa_countries,20240601,1,England,,,109.57,,',
      'uefa_clubs,2024-06-01,1,Los Blancos,ESP,,136,,',
      `uefa_clubs,2024-06-01,2,anything,,,125,${madrid},`,
      'uefa_clubs,2024-06-01,3,Shakhtar Donetsk,UKR,,63,,',
      'uefa_clubs,2024-06-01,4,Nowhere City,,,60,,',
      'uefa_clubs,2024-06-01,5,Germany,DE,,60,,',
      'uefa_clubs,2024-06-01,6,Nowhere,Atlantis,,60,,',
      'wta_doubles,2024-06-01,1,Iga Swiatek,,,1000,,',
      'wta_doubles,2024-06-01,2,Anna Smith,,,900,,',
      `wta_doubles,2024-06-01,2,Anna Smith,,,900,${smiths[1]},`,
      'wta_doubles,2024-06-01,4,Nobody Known,,,800,,',
      'wta_doubles,2024-06-01,5,Somebody New,US,1999-01-02,700,,',
      'wta_doubles,2024-06-01,6,Other Person,US,,600,,op-7',
      `wta_doubles,2024-06-01,7,x,,,600,${madrid},`,
      'wta_doubles,2024-06-01,8,x,,,600,4711000,',
    );
    assert.deepEqual(reasons(summary), [
      '12: the country "Atlantis" is not known: write its ISO 3166-1 code, such as ES or GB-ENG',
      '4: Beligum is not the name of a country; its other names are in data/identity/nations.csv',
      '5: England is the team of GB-ENG, not of DE',
      `8: Real Madrid is already listed, with rank 1`,
      '10: the club Nowhere City is not known, and without its country it cannot be created',
      '11: Germany (DE) is a national team, not a club: give the country in whose league the club plays',
      '14: the player Anna Smith may be {a} or {b}: say which in the column participant_id'
        .replace('{a}', smiths[0])
        .replace('{b}', smiths[1]),
      '16: the player Nobody Known is not known, and without its birth_date or id it cannot be created',
      `19: participant ${madrid} is the team Real Madrid (football, men), not a player (tennis, women)`,
      '20: there is no participant 4711000',
    ]);
    assert.deepEqual(placesOf(await ask('kind=uefa_clubs')), [
      [1, 'Real Madrid', null],
      [3, 'Shakhtar Donetsk', null],
    ]);
    assert.deepEqual(placesOf(await ask('kind=wta_doubles')), [
      [1, 'Iga Swiatek', null],
      [2, 'Anna Smith', null],
      [5, 'Somebody New', null],
      [6, 'Other Person', null],
    ]);
    assert.deepEqual(
      (await ask('kind=fifa')).rankings.map(({ participant }) => participant.country),
      ['AR', 'FR'],
    );
    assert.deepEqual(summary.created.names.toSorted(), [
      'Argentina',
      'England',
      'France',
      'Other Person',
      'Shakhtar Donetsk',
      'Somebody New',
    ]);
  });
  it('add up to the whole list over pages, even if places are shared', async () => {
    const nations = ['Spain,10', 'France,10', 'Italy,', 'Brazil,9', 'Ghana,', 'Japan,8', 'Chile,10'];
    const ranks = [1, 2, 2, 2, 2, 6, 6];
    await importCsv(
      'kind,published_at,rank,name,points',
      ...nations.map((nation, index) => `fifa,2024-06-20,${ranks[index]},${nation}`),
    );
    const whole = placesOf(await ask('kind=fifa'));
    assert.deepEqual(
      whole.map(([, name]) => name),
      ['Spain', 'France', 'Brazil', 'Ghana', 'Italy', 'Chile', 'Japan'],
    );
    for (const limit of [1, 2, 3, 4, 7]) {
      const pages = [];
      for (let offset = 0; offset < 7; offset += limit)
        pages.push(...placesOf(await ask(`kind=fifa&limit=${limit}&offset=${offset}`)));
      assert.deepEqual(pages, whole, `limit ${limit}`);
    }
    assert.deepEqual(placesOf(await ask('kind=fifa&offset=7')), []);
  });

  it('report bad rows with line numbers and import the rest, with ties, a byte order mark, CRLF and Latin-1', async () => {
    const rows = [
      'kind,date,rank,name,points',
      'fifa,2024-04-04,1,Argentina,1858',
      'fifa,2024-04-04,2,France,1840.5',
      'fifa,2024-04-04,2,Belgium,1840.5',
      'fifa,2024-04-04,0,Brazil,1784',
      'fifa,2024-04-04,-1,Brazil,1784',
      'fifa,2024-04-04,1.5,Brazil,1784',
      'fifa,2024-04-04,,Brazil,1784',
      'fifa,2024-04-04,5,,1784',
      'fifa,2024-04-04,6,Spain,"1,784"',
      'fifa,2024-04-04,6,Spain,-3',
      'fifa,2024-04-04,6,France,1700',
      'fifa,04/04/2024,7,Italy,1700',
      'fifa,2024-02-30,7,Italy,1700',
      'fifa,2024-06-22,7,Italy,1700',
      'elo_clubs,2024-04-04,1,Arsenal,1700',
      'fifaa,2024-04-04,1,Arsenal,1700',
      'fifa,2024-02-15,1,Argentina,1855',
    ];
    const bom = Buffer.from(`\ufeff${rows.join('\r\n')}\r\n`);
    const summary = await importFiles('rankings', { 'list.csv': bom });
    assert.deepEqual(counts(summary), [17, 4, 0, 13]);
    assert.deepEqual(reasons(summary), [
      '5: the rank "0" is not a whole number from 1',
      '6: the rank "-1" is not a whole number from 1',
      '7: the rank "1.5" is not a whole number from 1',
      '8: the rank "" is not a whole number from 1',
      '10: the points "1,784" are not a number such as 1250 or 1250.5',
      '11: the points "-3" are not a number such as 1250 or 1250.5',
      '12: is listed already for 2024-04-04, in line 3',
      '13: published_at "04/04/2024" is not a day such as 2024-06-10',
      '14: published_at "2024-02-30" is not a day such as 2024-06-10',
      `16: elo_clubs is computed by \`touchline ratings\``,
      `17: the kind "fifaa" is not one of ${KIND_NAMES.slice(0, 11).join(', ')}`,
      '9: the name is missing',
      '15: the day 2024-06-22 is in the future',
    ]);
    assert.deepEqual(placesOf(await ask('kind=fifa')), [
      [1, 'Argentina', 0],
      [2, 'Belgium', null],
      [2, 'France', null],
    ]);
    const latin = await importFiles('rankings', {
      'latin.csv': Buffer.from('kind,date,rank,name,country\nuefa_clubs,2024-06-01,1,Málaga,ES\n', 'latin1'),
    });
    assert.deepEqual(counts(latin), [1, 1, 0, 0]);
    assert.deepEqual(placesOf(await ask('kind=uefa_clubs')), [[1, 'Málaga', null]]);
  });

  it('are not created from an empty file, wrong columns or a truncated file, and the reason is reported', async () => {
    const bad = async (content: string) => {
      const { changed, endedEarly, faults } = await importFiles('rankings', { 'list.csv': content });
      assert.deepEqual([changed, endedEarly], [0, 1]);
      return faults.map((fault) => fault.replace(/^.*?\.csv/u, ''));
    };
    assert.deepEqual(await bad(''), [':1: is empty']);
    assert.deepEqual(await bad('name;rank\nx;1\n'), [
      ':1: not the expected columns: kind, published_at or date, rank, name or participant_id or country missing',
    ]);
    await importCsv('kind,date,rank,name', 'fifa,2024-04-04,1,Argentina', 'fifa,2024-04-04,2,France');
    // A correction that is cut off must not replace the whole ranking.
    assert.deepEqual(await bad('kind,date,rank,name\nfifa,2024-04-04,1,France\nfifa,2024-04-04,2'), [
      ':3: the row is cut: the file ends in the middle',
      ':2: fifa of 2024-04-04 is left out, since the file could not be read to its end',
    ]);
    assert.equal((await ask('kind=fifa')).total, 2);
  });

  it('are replaced as a whole by a correction for the same day, and an older ranking that arrives late changes the next movement', async () => {
    await importCsv(
      'kind,date,rank,name',
      'fifa,2024-04-04,1,Argentina',
      'fifa,2024-04-04,2,France',
      'fifa,2024-04-04,3,Spain',
    );
    const corrected = await importCsv('kind,date,rank,name', 'fifa,2024-04-04,1,France', 'fifa,2024-04-04,3,Spain');
    assert.deepEqual(counts(corrected), [2, 1, 1, 0]);
    assert.deepEqual(placesOf(await ask('kind=fifa')), [
      [1, 'France', null],
      [3, 'Spain', null],
    ]);
    await importCsv('kind,date,rank,name', 'fifa,2024-02-15,3,France', 'fifa,2024-02-15,1,Spain');
    assert.deepEqual(placesOf(await ask('kind=fifa')), [
      [1, 'France', 2],
      [3, 'Spain', -2],
    ]);
    await importCsv('kind,date,rank,name', 'fifa,2024-03-15,1,France');
    assert.deepEqual(placesOf(await ask('kind=fifa')), [
      [1, 'France', 0],
      [3, 'Spain', null],
    ]);
    // A file with only wrong rows does not remove a ranking.
    await importCsv('kind,date,rank,name', 'fifa,2024-04-04,1,Nowhere');
    assert.equal((await ask('kind=fifa')).total, 2);
  });

  it('appear to readers either as the old or as the new ranking, never as a mixture', async () => {
    const list = (names: string[]) => names.map((name, at) => `fifa,2024-04-04,${at + 1},${name}`);
    const nations = ['Argentina', 'France', 'Spain', 'England', 'Brazil', 'Belgium', 'Portugal', 'Italy'];
    await importCsv('kind,date,rank,name', ...list(nations));
    const seen = new Set<string>();
    const reading = (async () => {
      for (let times = 0; times < 40; times++)
        seen.add(JSON.stringify((await ask('kind=fifa')).rankings.map(({ participant }) => participant.name)));
    })();
    for (const names of [nations.toReversed(), nations, nations.toReversed()])
      await importCsv('kind,date,rank,name', ...list(names));
    await reading;
    const allowed = new Set([nations, nations.toReversed()].map((names) => JSON.stringify(names)));
    assert.deepEqual(
      [...seen].filter((names) => !allowed.has(names)),
      [],
    );
  });

  it('come from the newer file if two have the same day, and a second import changes no data', async () => {
    const folder = filesOf({ 'atp_players.csv': PLAYERS });
    const write = (name: string, rows: string, modified: string) => {
      const path = join(folder, name);
      writeFileSync(path, `ranking_date,rank,player,points\n${rows}`);
      utimesSync(path, new Date(modified), new Date(modified));
    };
    write('atp_rankings_20s.csv', '20240603,1,104925,9960\n20240610,1,104925,9000\n', '2024-06-11T00:00:00Z');
    write('atp_rankings_current.csv', '20240603,1,104925,9960\n20240610,1,206173,9525\n', '2024-06-12T00:00:00Z');
    for (const changed of [true, false]) {
      const summary = await importPath('tennis-atp', folder);
      assert.equal(summary.changed > 0, changed);
      assert.deepEqual(reasons(summary), [
        `3: atp_singles of 2024-06-10 is left out: ${join(folder, 'atp_rankings_current.csv')}, which is newer, has a different list`,
      ]);
      assert.deepEqual(placesOf(await ask('kind=atp_singles')), [[1, 'Jannik Sinner', null]]);
    }
  });

  it("are not replaced by a worse source's rankings if an operator has written them", async () => {
    await importFiles('tennis-atp', { 'atp_players.csv': PLAYERS });
    await importCsv('kind,date,rank,name', 'atp_singles,2024-06-10,1,Jannik Sinner');
    const file = { 'atp_rankings_current.csv': 'ranking_date,rank,player,points\n20240610,1,104925,9960\n' };
    assert.deepEqual(counts(await importFiles('tennis-atp', file)), [1, 0, 1, 0]);
    assert.deepEqual(placesOf(await ask('kind=atp_singles')), [[1, 'Jannik Sinner', null]]);
  });

  it('show the names used on the ranking’s day', async () => {
    await fed.participants({
      type: 'team',
      sport: 'football',
      name: 'DR Congo',
      country: 'CD',
      former_names: [{ name: 'Zaire', name_ru: 'Заир', from: '1971-10-27', to: '1997-05-17' }],
    });
    await importCsv('kind,date,rank,name', 'fifa,1993-08-08,60,DR Congo', 'fifa,2024-04-04,63,DR Congo');
    assert.deepEqual(placesOf(await ask('kind=fifa&date=1995-01-01')), [[60, 'Zaire', null]]);
    assert.deepEqual(placesOf(await ask('kind=fifa')), [[63, 'DR Congo', -3]]);
  });

  it('that were computed are the only ones that show a team’s rating over time', async () => {
    await fed.participants(
      { type: 'team', sport: 'football', name: 'Arsenal', country: 'GB-ENG' },
      { type: 'team', sport: 'football', name: 'Unrated', country: 'GB-ENG' },
    );
    const arsenal = await fed.participantId('Arsenal');
    for (const [kind, day, points] of [
      ['elo_clubs', '2024-02-29', 1790.5],
      ['elo_clubs', '2024-01-31', 1800],
      ['elo_clubs', '2024-04-30', 1810],
      ['uefa_clubs', '2024-03-31', 99],
    ])
      await fed.db.pool.query(
        `WITH made AS (INSERT INTO ranking (kind, published_at, provider) VALUES ($1, $2, 'tests') RETURNING id)
         INSERT INTO ranking_entry (ranking_id, participant_id, rank, points) SELECT id, $3, 2, $4 FROM made`,
        [kind, day, arsenal, points],
      );
    interface Rating {
      kind: string | null;
      count: number;
      ratings: { date: string; points: number; rank: number }[];
    }
    const read = async (path: string) => (await fed.app.ask<Rating>(path)).json;
    const entry = (day: string, points: number) => ({ date: day, points, rank: 2 });
    assert.deepEqual(await read(`/v1/participant/${arsenal}/rating`), {
      participant_id: arsenal,
      kind: 'elo_clubs',
      count: 3,
      ratings: [entry('2024-01-31', 1800), entry('2024-02-29', 1790.5), entry('2024-04-30', 1810)],
    });
    const part = await read(`/v1/participant/${arsenal}/rating?from=2024-02-01&to=2024-02-29`);
    assert.deepEqual(part.ratings, [entry('2024-02-29', 1790.5)]);
    const unrated = await read(`/v1/participant/${await fed.participantId('Unrated')}/rating`);
    assert.deepEqual([unrated.kind, unrated.count], [null, 0]);
    assert.equal((await fed.app.ask('/v1/participant/999999/rating')).status, 404);
    assert.equal((await fed.app.ask(`/v1/participant/${arsenal}/rating?from=2024-02-30`)).status, 422);
  });
});
