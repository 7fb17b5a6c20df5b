/** Tests the search data besides names: aliases in the lists, prominence, and when both are refreshed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { drainCardRefresh } from '../../../src/apply/write/card-refresh.ts';
import { routes } from '../../../src/catalogue/routes.ts';
import { aliasLists, readAliasLists } from '../../../src/catalogue/search/alias-lists.ts';
import { storeProminence } from '../../../src/catalogue/search/prominence.ts';
import { refreshSearch, SearchRefresh } from '../../../src/catalogue/search/refresh.ts';
import { applyAliasLists } from '../../../src/catalogue/search/store-aliases.ts';
import { foldName } from '../../../src/db/fold-name.ts';
import { createLease, LeaseLost } from '../../../src/db/lease.ts';
import { BUILT_IN_NAMES } from '../../../src/importers/names/names.ts';
import { searchRefresh } from '../../../src/jobs/search-refresh.ts';
import { csvRows } from '../../../src/wire/csv-rows.ts';
import { startTestJob } from '../../support/jobs.ts';
import { until } from '../../support/until.ts';
import { type Fed, startFed } from '../feeding.ts';

const NOW = new Date('2024-06-01T12:00:00Z');
const HEADS = {
  'nations.csv': 'country,team,aliases',
  'teams.csv': 'sport,gender,country,team,aliases',
  'players.csv': 'sport,birth_date,name,name_ru,aliases',
  'tournaments.csv': 'sport,gender,country,name,aliases',
  'names.csv': 'entity,sport,gender,country,name,locale,text',
};
/** Latin letters that Russian names may contain: acronyms, and the numbers of second teams and kings. */
const LATIN_IN_RUSSIAN = /\b(?:ConIFA|VIVA|MLS|NWSL|II)\b/gu;
const repeated = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);
type Lines = Partial<Record<keyof typeof HEADS, string[]>>;
const listsOf = (lines: Lines) => readAliasLists((file) => [HEADS[file], ...(lines[file] ?? [])].join('\n'));

interface Reply {
  participants: {
    id: number;
    name_i18n: { en: string; ru?: string };
    gender: string;
    relevance: number;
    aliases: { name: string }[];
  }[];
}

const team = (name: string, country: string, gender: 'men' | 'women' = 'men') =>
  ({ type: 'team', sport: 'football', name, country, gender }) as const;

describe('refreshing the search data', () => {
  let fed: Fed;
  before(async () => {
    fed = await startFed(routes);
    await fed.participants(
      team('Barcelona', 'ES'),
      team('Barcelona SC', 'EC'),
      team('Spartak Moscow', 'RU'),
      team('Spartak Trnava', 'SK'),
      team('France', 'FR'),
      team('France', 'FR', 'women'),
      team('Germany', 'DE'),
      { type: 'player', sport: 'football', name: 'Lionel Messi', birth_date: '1987-06-24', country: 'AR' },
      { type: 'player', sport: 'football', name: 'Messi', birth_date: '1999-01-01', country: 'IT' },
      { type: 'player', sport: 'football', name: 'Erling Haaland', birth_date: '2000-07-21', country: 'NO' },
    );
    await fed.tournaments(
      { sport: 'football', country: 'GB-ENG', gender: 'men', name: 'Premier League', importance: 95 },
      { sport: 'football', country: 'RU', gender: 'men', name: 'Russian Premier League', importance: 72 },
      {
        sport: 'football',
        country: 'INT',
        gender: 'men',
        name: 'FIFA World Cup',
        importance: 100,
        name_ru: 'Чемпионат мира',
      },
      { sport: 'football', country: 'INT', gender: 'women', name: "FIFA Women's World Cup", importance: 92 },
    );
  });
  after(() => fed.close());

  const search = async (q: string) => {
    const { json, status } = await fed.app.ask<Reply>(`/v1/participants/search?q=${encodeURIComponent(q)}`);
    assert.equal(status, 200, q);
    return json.participants;
  };
  const names = async (q: string) => (await search(q)).map(({ name_i18n }) => name_i18n.en);
  const tournaments = async (q: string, query = '') => {
    const path = `/v1/tournaments?q=${encodeURIComponent(q)}${query}`;
    const { json, status } = await fed.app.ask<{ total: number; tournaments: { name: string }[] }>(path);
    assert.equal(status, 200, q);
    return json.tournaments.map(({ name }) => name);
  };
  const apply = (lines: Lines) => applyAliasLists(fed.db.pool, listsOf(lines));

  it('lets a tournament be found by name as soon as it exists', async () => {
    assert.deepEqual(await tournaments('чемпионат мира'), ['FIFA World Cup']);
    assert.equal((await tournaments('world cup'))[0], 'FIFA World Cup');
  });

  it('gives an existing catalogue the listed aliases', async () => {
    await fed.db.pool.query("UPDATE search_refresh SET lists = 'of an older release'");
    assert.deepEqual(await names('blaugrana'), []);
    assert.ok((await refreshSearch(fed.db.pool, { now: () => fed.now }))!.length > 0, 'most entities are unknown here');
    assert.equal((await names('barca'))[0], 'Barcelona');
    assert.equal((await names('Холанд'))[0], 'Erling Haaland');
    assert.equal((await names('Deutschland'))[0], 'Germany');
    assert.equal((await names('ФРГ'))[0], 'Germany');
    for (const q of ['EPL', 'АПЛ', 'epl']) assert.equal((await tournaments(q))[0], 'Premier League', q);
    assert.equal((await tournaments('РПЛ'))[0], 'Russian Premier League');
    assert.equal((await tournaments('ЧМ'))[0], 'FIFA World Cup');
    assert.equal((await tournaments('женский чемпионат мира'))[0], "FIFA Women's World Cup");
    assert.deepEqual(await tournaments('EPL', '&country=RU'), []);
    const [found] = await search('barca');
    assert.equal(found!.relevance, 1);
    assert.ok(found!.aliases.some(({ name }) => name === 'Barça'));
  });

  it('removes an alias that the lists no longer contain', async () => {
    await apply({ 'teams.csv': ['football,men,ES,Barcelona,Xyzzy | Plugh'] });
    assert.equal((await names('xyzzy'))[0], 'Barcelona');
    await apply({ 'teams.csv': ['football,men,ES,Barcelona,Plugh'] });
    assert.ok(!(await search('xyzzy')).some(({ aliases }) => aliases.some(({ name }) => name === 'Xyzzy')));
    assert.equal((await apply({ 'teams.csv': ['football,men,ES,Barcelona,Plugh'] })).changed, 0);
  });

  it('lets an alias that two entities share find both, the more prominent one first', async () => {
    const lines = {
      'teams.csv': ['football,men,SK,Spartak Trnava,Narodnaya', 'football,men,RU,Spartak Moscow,Narodnaya'],
    };
    const { unknown } = await apply(lines);
    assert.deepEqual(unknown, []);
    const prominent = async (name: string) => {
      await fed.db.pool.query('DELETE FROM participant_prominence');
      await fed.db.pool.query('INSERT INTO participant_prominence SELECT id, 0.5 FROM participant WHERE name = $1', [
        name,
      ]);
    };
    await prominent('Spartak Moscow');
    assert.deepEqual((await names('narodnaya')).slice(0, 2), ['Spartak Moscow', 'Spartak Trnava']);
    await prominent('Spartak Trnava');
    assert.deepEqual((await names('narodnaya')).slice(0, 2), ['Spartak Trnava', 'Spartak Moscow']);
  });

  it('looks up entities in the lists by name only, never by alias, so two entities may have each other’s names as aliases', async () => {
    const lines = {
      'teams.csv': [
        'football,men,RU,Spartak Moscow,Spartak Trnava',
        'football,men,SK,Spartak Trnava,Spartak Moscow',
        'football,men,RU,Krasnye,Belye',
        'football,men,RU,Belye,Krasnye',
      ],
      'players.csv': ['football,1987-06-25,Lionel Messi,Лионель Месси,Other day'],
      'tournaments.csv': ['football,men,FR,Premier League,Other country'],
    };
    const { unknown } = await apply(lines);
    assert.deepEqual(unknown, ['teams.csv:4', 'teams.csv:5', 'players.csv:2', 'tournaments.csv:2']);
    assert.deepEqual(await names('belye'), []);
    await fed.db.pool.query('DELETE FROM participant_prominence');
    const [first] = await names('spartak trnava');
    assert.equal(first, 'Spartak Trnava', 'the shown name is better than an alias');
  });

  it('reports the line of an error in an invalid list', () => {
    const fails = (lines: Lines, pattern: RegExp) => assert.throws(() => listsOf(lines), pattern);
    fails({ 'teams.csv': ['football,men,ES,Barcelona,Barca | | Culés'] }, /^Error: teams.csv:2: "" is not a name$/);
    fails({ 'teams.csv': ['football,men,ES,Barcelona,🔥'] }, /teams.csv:2: "🔥" is not a name/);
    fails({ 'nations.csv': ['DE,,Deutschland'] }, /nations.csv:2: team is empty/);
    assert.throws(() => readAliasLists(() => 'country,name\nDE,Germany'), /nations.csv:2: the column team is missing/);
  });

  it('finds at least 900 reviewed aliases in the built-in lists, each only once for an entity', () => {
    const { teams, players, tournaments } = aliasLists();
    const reviewed = [...teams, ...players, ...tournaments].filter(({ line }) => line !== null);
    assert.ok(reviewed.flatMap(({ aliases }) => aliases).length >= 900);
    assert.ok(players.length >= 2_200);
    // Names have to be as pages show them: without Latin letters, and with more than the surname.
    for (const { nameRu, name, line } of players) {
      assert.match(nameRu, /^[А-ЯЁ][А-Яа-яЁё' -]+$/u, line!);
      if (name.includes(' ')) assert.match(nameRu, /\S \S/u, line!);
    }
    for (const { line, aliases } of reviewed) assert.equal(new Set(aliases).size, aliases.length, line!);
    const rows = reviewed.map((entry) =>
      JSON.stringify({ ...entry, aliases: [], nameRu: null, isFamous: null, line: null }),
    );
    assert.deepEqual(repeated(rows), [], 'an entity stands in two lines');
  });

  it('finds only Russian text in the built-in Russian names, and one name for each entity', () => {
    const rows = csvRows(readFileSync(BUILT_IN_NAMES, 'utf8')).map(({ record }) => record);
    assert.deepEqual(repeated(rows.map((row) => Object.values({ ...row, text: '' }).join())), []);
    for (const { name, text } of rows.filter(({ locale }) => locale === 'ru')) {
      assert.match(text!, /^[А-ЯЁ0-9«]|^ConIFA/u, `${name}: ${text}`);
      assert.match(text!.replaceAll(LATIN_IN_RUSSIAN, ''), /^[^A-Za-z|]+$/u, `${name}: ${text}`);
    }
    // If a country had two clubs with one name, nobody could tell them apart. A club and a national team may share a name, as in Andorra.
    const { teams, tournaments } = aliasLists().russian;
    const clubs = teams.filter(({ sport }) => sport !== null);
    const ofClub = ({ sport, gender, key, nameRu }: (typeof clubs)[number]) =>
      [sport, gender, key.split('|')[0], nameRu].join();
    assert.deepEqual(repeated(clubs.map(ofClub)), []);
    const ofTournament = ({ sport, country, gender, nameRu }: (typeof tournaments)[number]) =>
      [sport, country, gender, nameRu].join();
    assert.deepEqual(repeated(tournaments.map(ofTournament)), []);
  });

  it('finds in the built-in lists no name that participant identity already has', () => {
    const { teams, tournaments } = aliasLists();
    const known = new Set<string>();
    const of = (key: string, name: string) => `${key} ${foldName(name)}`;
    for (const { line, key, aliases } of [...teams, ...tournaments])
      if (line === null) for (const name of aliases) known.add(of(key, name));
    const repeated = [...teams, ...tournaments].flatMap(({ line, key, aliases }) =>
      line === null ? [] : aliases.filter((name) => known.has(of(key, name))).map((name) => `${line} ${name}`),
    );
    assert.deepEqual(repeated, []);
  });

  it('does not change identities because of listed aliases', async () => {
    await apply({ 'teams.csv': ['football,men,ES,Barcelona,Los Cules'] });
    const { rows } = await fed.db.pool.query("SELECT FROM participant_alias WHERE name = 'Los Cules'");
    assert.equal(rows.length, 0);
    await fed.participants(team('Los Cules', 'ES'));
    const { rows: teams } = await fed.db.pool.query(
      "SELECT name FROM participant WHERE country = 'ES' AND type = 'team' ORDER BY name",
    );
    assert.deepEqual(teams, [{ name: 'Barcelona' }, { name: 'Los Cules' }]);
  });

  it("uses words for women and national teams to select the meaning, and otherwise puts men's teams first", async () => {
    await apply({});
    const kinds = async (q: string) => (await search(q)).map(({ name_i18n, gender }) => `${name_i18n.en} ${gender}`);
    assert.deepEqual((await kinds('france')).slice(0, 2), ['France men', 'France women']);
    for (const q of ['france women', "France women's", 'Frauen Frankreich', 'женская сборная Франции'])
      assert.equal((await kinds(q))[0], 'France women', q);
    for (const q of ['france national team', 'сборная Франции', 'équipe de france', 'seleccion de francia'])
      assert.equal((await kinds(q))[0], 'France men', q);
  });

  it('gives a match a prominence that comes from its tournament and fades with time', async () => {
    const match = (id: string, tournament: string, day: string, home: string, away: string) => ({
      id,
      sport: 'football',
      tournament: { name: tournament, country: tournament === 'Premier League' ? 'GB-ENG' : 'RU' },
      season: { label: day.slice(0, 4) },
      home: { name: home, country: 'GB-ENG' },
      away: { name: away, country: 'GB-ENG' },
      scheduled_start: `${day}T12:00:00Z`,
    });
    await fed.matches(
      match('1', 'Premier League', '2024-05-01', 'Recent Rovers', 'Recent Town'),
      match('2', 'Premier League', '1994-05-01', 'Former Rovers', 'Former Town'),
      match('3', 'Russian Premier League', '2024-05-01', 'Lesser Rovers', 'Lesser Town'),
    );
    await storeProminence(fed.db.pool, NOW, []);
    const { rows } = await fed.db.pool.query<{ name: string; value: number }>(
      "SELECT name, value FROM participant_prominence JOIN participant ON id = participant_id WHERE name LIKE '% Rovers' ORDER BY value DESC",
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Recent Rovers', 'Lesser Rovers', 'Former Rovers'],
    );
    // The value is ln(1 + 0.95² · recency) / ln(601). For a match a month ago, recency is 0.25 + 0.75 · 0.5^(31 / 365.25 / 8).
    const recency = 0.25 + 0.75 * 0.5 ** (31 / 365.25 / 8);
    assert.ok(
      Math.abs(rows[0]!.value - Math.log(1 + 0.95 ** 2 * recency) / Math.log(601)) < 1e-4,
      String(rows[0]!.value),
    );
    assert.deepEqual(await names('rovers'), ['Recent Rovers', 'Lesser Rovers', 'Former Rovers']);
    assert.deepEqual(await storeProminence(fed.db.pool, NOW, []), { participants: 0, tournaments: 0 });
  });

  it('shows a listed player under the Russian name, unless a provider has given one', async () => {
    const shown = async () =>
      (
        await fed.db.pool.query(
          "SELECT name, name_ru FROM participant WHERE type = 'player' AND birth_date < '2001-01-01' ORDER BY name",
        )
      ).rows.map(({ name, name_ru }) => `${name}: ${name_ru}`);
    await fed.participants({
      type: 'player',
      sport: 'football',
      name: 'Erling Haaland',
      birth_date: '2000-07-21',
      name_ru: 'Эрлинг Холанн',
    });
    const lines = (messi: string) => ({
      'players.csv': [
        `football,1987-06-24,Lionel Messi,${messi},La Pulga`,
        'football,2000-07-21,Erling Haaland,Эрлинг Холанд,Haaland',
      ],
    });
    await apply(lines('Лео Месси'));
    assert.deepEqual(await shown(), ['Erling Haaland: Эрлинг Холанн', 'Lionel Messi: Лео Месси', 'Messi: null']);
    const { changed } = await apply(lines('Лионель Месси'));
    assert.ok(changed > 0);
    assert.deepEqual(await shown(), ['Erling Haaland: Эрлинг Холанн', 'Lionel Messi: Лионель Месси', 'Messi: null']);
    assert.equal((await apply(lines('Лионель Месси'))).changed, 0);
    assert.equal((await search('Лионель Месси'))[0]!.name_i18n.en, 'Lionel Messi');
  });

  it('adds a listed Russian name to every match card, even if a provider gives the same name later', async () => {
    await fed.matches({
      id: 'russian',
      sport: 'football',
      tournament: { name: 'Premier League', country: 'GB-ENG' },
      season: { label: '2024/25' },
      home: { name: 'Nameless Rovers', country: 'GB-ENG' },
      away: { name: 'Nameless Town', country: 'GB-ENG' },
      scheduled_start: '2024-06-01T12:00:00Z',
    });
    const cards = async () => {
      const { rows } = await fed.db.pool.query<{ shown: (string | null)[] }>(
        `SELECT ARRAY(SELECT side ->> 'name_ru' FROM json_array_elements(item::json -> 'participants') side) AS shown
         FROM match_card WHERE item LIKE '%Nameless Rovers%'`,
      );
      return rows[0]!.shown;
    };
    await apply({
      'names.csv': [
        'participant,football,men,GB-ENG,Nameless Rovers,ru,Роверс',
        'participant,football,men,GB-ENG,Nameless Town,ru,Таун',
      ],
    });
    await fed.participants({
      type: 'team',
      sport: 'football',
      name: 'Nameless Town',
      country: 'GB-ENG',
      name_ru: 'Таун',
    });
    const clock = { now: () => fed.now };
    await drainCardRefresh({ pool: fed.db.pool, clock, changes: { publish: () => {} } });
    assert.deepEqual(await cards(), ['Роверс', 'Таун']);
    const { rows } = await fed.db.pool.query(
      "SELECT provenance ->> 'name_ru' AS owner FROM participant WHERE name = 'Nameless Town'",
    );
    assert.deepEqual(rows, [{ owner: 'tests' }]);
  });

  it('shows national teams, clubs and tournaments under reviewed Russian names, unless a provider has given one', async () => {
    const shown = async () =>
      (
        await fed.db.pool.query<{ shown: string }>(
          `SELECT concat_ws(' ', sport, gender, name) || ': ' || coalesce(name_ru, '-') AS shown FROM participant
           WHERE country = ANY ('{BE,KR,SK,SU,INT,AT}') AND type = 'team'
           UNION ALL SELECT concat_ws(' ', sport, gender, name) || ': ' || coalesce(name_ru, '-') FROM tournament
           WHERE country = 'AT'`,
        )
      ).rows
        .map((row) => row.shown)
        .sort();
    const basketball = { ...team('Belgium', 'BE', 'women'), sport: 'basketball' };
    await fed.participants(
      team('Belgium', 'BE'),
      basketball,
      team('South Korea', 'KR'),
      team('Occitania', 'INT'),
      team('Nameless Wien', 'AT'),
      { ...team('Austria', 'AT'), name_ru: 'Сборная Австрии' },
    );
    await fed.tournaments(
      { sport: 'football', country: 'AT', gender: 'men', name: 'ÖFB Cup', importance: 30 },
      { sport: 'football', country: 'AT', gender: 'men', name: 'Supercup', name_ru: 'Суперкубок', importance: 30 },
      { sport: 'football', country: 'AT', gender: 'men', name: 'Austrian Bundesliga', importance: 52 },
    );
    const lines = {
      'names.csv': [
        'participant,football,men,KR,South Korea,ru,Корея',
        'participant,football,men,INT,Occitania,ru,Окситания',
        'participant,football,men,SK,Spartak Trnava,ru,Спартак Трнава',
        'participant,football,women,AT,Nameless Wien,ru,Других полов нет',
        'participant,football,men,AT,Nameless Wien,en,Violets',
        'participant,football,men,AT,Austria,ru,Австрия',
        'tournament,football,men,AT,ÖFB Cup,ru,Кубок Австрии',
        'tournament,football,men,AT,Supercup,ru,Суперкубок Австрии',
      ],
    };
    await apply(lines);
    assert.deepEqual(await shown(), [
      'basketball women Belgium: Бельгия',
      'football men Austria: Сборная Австрии',
      'football men Austrian Bundesliga: Австрийская Бундеслига',
      'football men Belgium: Бельгия',
      'football men Nameless Wien: -',
      'football men Occitania: Окситания',
      'football men South Korea: Корея',
      'football men Spartak Trnava: Спартак Трнава',
      'football men Supercup: Суперкубок',
      'football men ÖFB Cup: Кубок Австрии',
    ]);
    assert.equal((await apply(lines)).changed, 0);
    assert.deepEqual((await search('Окситания'))[0]!.name_i18n, { en: 'Occitania', ru: 'Окситания' });
    // A provider's name replaces our name permanently.
    await fed.participants({ ...team('Spartak Trnava', 'SK'), name_ru: 'Трнавский Спартак' });
    assert.equal((await apply(lines)).changed, 0);
    assert.ok((await shown()).includes('football men Spartak Trnava: Трнавский Спартак'));
  });

  it('makes a listed player more prominent than an unlisted player with the same name', async () => {
    const { listedPlayers } = await apply({
      'players.csv': ['football,1987-06-24,Lionel Messi,Лионель Месси,La Pulga'],
    });
    assert.equal(listedPlayers.length, 1);
    await storeProminence(fed.db.pool, NOW, listedPlayers);
    assert.deepEqual((await names('messi')).slice(0, 2), ['Lionel Messi', 'Messi']);
  });
});

describe('the refresh of the search data', () => {
  let fed: Fed;
  const lease = createLease('search_refresh');
  let at = 0;
  beforeEach(async () => {
    fed = await startFed(routes);
    at = 0;
  });
  afterEach(() => fed.close());
  const begin = async () => {
    const generation = (await lease.take(fed.db.pool, 'tests'))!;
    return new SearchRefresh({ pool: fed.db.pool, clock: { now: () => fed.now } }, generation, () => at);
  };

  it('runs at once after an upgrade, then after each import, and once a day', async () => {
    const refresh = await begin();
    assert.equal(await refresh.look(), true, 'never done');
    assert.equal(await refresh.look(), false);
    const aliases = async () => (await fed.db.pool.query('SELECT FROM participant_search_alias')).rows.length;
    assert.equal(await aliases(), 0, 'the catalogue is empty');
    await fed.participants(team('Barcelona', 'ES'));
    assert.equal(await refresh.look(), false, 'an import may go on');
    at += 4_000;
    await fed.participants(team('Sevilla', 'ES'));
    assert.equal(await refresh.look(), false);
    at += 4_000;
    assert.equal(await refresh.look(), false);
    at += 1_000;
    assert.equal(await refresh.look(), true);
    assert.ok((await aliases()) > 0);
    assert.equal(await refresh.look(), false);
    fed.now += 86_400_000;
    assert.equal(await refresh.look(), true, 'a day later');
    await fed.db.pool.query("UPDATE search_refresh SET lists = 'of an older release'");
    assert.equal(await refresh.look(), true, 'new lists');
  });

  it('waits at most five minutes after a new entity, and a quarter of an hour after a changed match', async () => {
    const refresh = await begin();
    await refresh.look();
    let looks = 0;
    for (at = 0; at < 300_000; at += 4_000) {
      await fed.participants(team(`Team ${at}`, 'ES'));
      if (await refresh.look()) break;
      looks += 1;
    }
    assert.ok(looks === 75 || looks === 74, String(looks));
    at += 5_000;
    await refresh.look();
    at += 5_000;
    await refresh.look();
    await fed.db.pool.query('UPDATE relay SET change_seq = change_seq + 1');
    at += 60_000;
    fed.now += 60_000;
    assert.equal(await refresh.look(), false);
    fed.now += 840_000;
    assert.equal(await refresh.look(), true);
  });

  it('ends when a rival takes the lease', async () => {
    const refresh = await begin();
    await fed.db.pool.query("UPDATE search_refresh SET expires_at = '-infinity'");
    assert.notEqual(await lease.take(fed.db.pool, 'another'), null);
    await assert.rejects(refresh.look(), LeaseLost);
    assert.equal(await refreshSearch(fed.db.pool, { now: () => fed.now }), null, 'a command leaves it to the service');
  });

  it('runs in the background of the service', async () => {
    await fed.participants(team('Barcelona', 'ES'));
    const loop = startTestJob(searchRefresh, { pool: fed.db.pool, clock: { now: () => fed.now } });
    await until('the aliases are stored', async () => {
      const { rows } = await fed.db.pool.query("SELECT FROM participant_search_alias WHERE name = 'Barça'");
      return rows.length === 1;
    });
    await loop.stop();
    const { rows } = await fed.db.pool.query("SELECT FROM search_refresh WHERE expires_at = '-infinity'");
    assert.equal(rows.length, 1, 'the lease is released');
  });
});
