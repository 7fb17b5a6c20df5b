import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { foldName } from '../../src/db/fold-name.ts';
import {
  checkSeasons,
  findTournament,
  type KnownTournament,
  knownTournaments,
  seasonOn,
  tournamentBySource,
  tournamentNamed,
} from '../../src/identity/canonical-tournaments.ts';
import { decidedPlayers } from '../../src/identity/decided-players.ts';
import {
  identifyParticipant,
  identifyTournament,
  identifyVenue,
  isIdentified,
  storedKey,
} from '../../src/identity/entity-keys.ts';
import { mergeRows, teamKey } from '../../src/identity/merges.ts';
import { listedFormerNames } from '../../src/identity/participant-names.ts';
import { storedBirthDate } from '../../src/identity/person-key.ts';
import { COUNTRIES } from '../../src/wire/countries.ts';
import { type FormerName, formerName, overlappingNames } from '../../src/wire/former-names.ts';

const team = (country: string | null, name: string, gender = 'men', sport = 'football') =>
  identifyParticipant({ type: 'team', sport, gender, country, name });
const player = (birth_date: string | undefined, name: string, country?: string, id?: string) =>
  identifyParticipant({ type: 'player', sport: 'football', birth_date, name, country, provider: 'p', id });
const same = (a: { country: string | null; key: string }, b: { country: string | null; key: string }) =>
  assert.deepEqual([a.country, a.key], [b.country, b.key]);
const different = (a: { country: string | null; key: string }, b: { country: string | null; key: string }) =>
  assert.notDeepEqual([a.country, a.key], [b.country, b.key]);

describe('identity', () => {
  describe('teams', () => {
    it('all spellings of a team in the sources have one identity', () => {
      const spellings: [string, ...string[]][] = [
        [
          'GB-ENG',
          'Man United',
          'Manchester United',
          'Manchester United FC',
          'MANCHESTER  UNITED',
          'FC Manchester United',
        ],
        ['GB-ENG', "Nott'm Forest", 'Nottingham Forest', 'Nottingham Forest FC'],
        ['DE', "M'gladbach", 'Borussia Mönchengladbach', 'Borussia Monchengladbach'],
        ['DE', 'FC Koln', '1. FC Köln', 'FC Cologne', 'Köln', '1 FC Koln'],
        ['ES', 'Ath Madrid', 'Atlético Madrid', 'Club Atlético de Madrid', 'Atletico Madrid'],
        ['ES', 'Sociedad', 'Real Sociedad', 'Real Sociedad SAN Sebastian'],
        ['IT', 'AC Florenz', 'Fiorentina', 'ACF Fiorentina'],
        ['IT', 'Inter', 'Internazionale', 'FC Internazionale Milano', 'Inter Mailand'],
        ['FR', 'Paris SG', 'Paris Saint-Germain', 'PSG', 'Paris Saint-Germain FC'],
        ['RU', 'Spartak Moscow', 'Spartak Moskva'],
      ];
      for (const [country, first, ...others] of spellings)
        for (const other of others) same(team(country, first!), team(country, other));
    });

    it('different teams have different identities', () => {
      different(team('FR', 'Paris FC'), team('FR', 'Paris SG'));
      different(team('GB-ENG', 'Wimbledon'), team('GB-ENG', 'AFC Wimbledon'));
      different(team('DE', 'Leipzig'), team('DE', 'RB Leipzig'));
      different(team('GB-SCT', 'Dundee'), team('GB-SCT', 'Dundee United'));
      different(team('JP', 'Yokohama FC'), team('JP', 'Yokohama F. Marinos'));
      different(team('GB-ENG', 'Arsenal'), team('AR', 'Arsenal'));
      different(team('BG', 'CSKA 1948 Sofia'), team('BG', 'PFC CSKA Sofia'));
    });

    it('a club gets the country in which it is based or plays', () => {
      same(team('GB-ENG', 'Swansea'), team('GB-WLS', 'Swansea City AFC'));
      same(team('GB-ENG', 'Cardiff City'), team('GB-WLS', 'Cardiff City FC'));
      same(team('FR', 'Monaco'), team('MC', 'AS Monaco FC'));
      same(team('US', 'Toronto FC'), team('CA', 'Toronto FC'));
      assert.equal(team('AU', 'Wellington Phoenix').country, 'NZ');
    });

    it('a team without a country is found if only one team has that name', () => {
      same(team(null, 'Manchester United'), team('GB-ENG', 'Man United'));
      same(team('INT', 'Barcelona'), team('ES', 'FC Barcelona'));
      same(team('INT', 'Red Star Belgrade'), team('RS', 'Crvena Zvezda'));
      assert.equal(team(null, 'Nobody Knows United').country, null);
    });

    it('former states follow FIFA’s succession, and a national team is not a club with the same name', () => {
      for (const name of ['West Germany', 'Germany', 'GER']) same(team('INT', name), team('DE', 'Germany'));
      same(team('SU', 'Soviet Union'), team('RU', 'Russia'));
      same(team('INT', 'Yugoslavia'), team('RS', 'Serbia'));
      same(team('INT', 'Serbia and Montenegro'), team('RS', 'Serbia'));
      same(team('KR', 'Korea Republic'), team('INT', 'South Korea'));
      same(team('INT', 'Zaire'), team('CD', 'DR Congo'));
      different(team('INT', 'East Germany'), team('DE', 'Germany'));
      different(team('INT', 'Czechoslovakia'), team('CZ', 'Czech Republic'));
      different(team('AD', 'Andorra'), team('ES', 'FC Andorra'));
      different(team('MC', 'Monaco'), team('FR', 'Monaco'));
      assert.deepEqual([team('INT', 'Catalonia').country, team('INT', 'Catalonia').name], ['INT', 'Catalonia']);
    });

    it('a name and its canonical name have the same identity', () => {
      for (const row of mergeRows('teams.csv')) {
        const merged = team(row.alias_country!, row.alias!, 'men', row.sport!);
        assert.deepEqual(merged, { country: row.country, key: teamKey(foldName(row.name!)), name: row.name });
        same(team(row.country!, row.name!, 'men', row.sport!), merged);
      }
    });

    it('the identity does not depend on case, accents, spaces or earlier calls', () => {
      const rows = mergeRows('teams.csv');
      fc.assert(
        fc.property(fc.constantFrom(...rows), fc.boolean(), fc.nat(3), (row, upper, spaces) => {
          const written = `${' '.repeat(spaces)}${upper ? row.alias!.toUpperCase() : row.alias!.toLowerCase()} `;
          const { sport } = row;
          same(team(row.alias_country!, written, 'men', sport!), team(row.country!, row.name!, 'men', sport!));
        }),
      );
    });
  });

  describe('players', () => {
    it('a player is identified by birth date, initial and last name, whatever the country', () => {
      const haaland = player('2000-07-21', 'Erling Haaland', 'NO');
      assert.deepEqual(haaland, { country: null, key: '2000-07-21|e|haaland', name: 'Erling Haaland' });
      same(haaland, player('2000-07-21', 'E. Haaland', 'GB-ENG'));
      same(haaland, player('2000-07-21', 'Erling Håland'));
      same(player('1992-02-05', 'Neymar Jr'), player('1992-02-05', 'Neymar'));
      different(haaland, player('2000-07-22', 'Erling Haaland'));
    });

    it('names from some countries may have either word order', () => {
      same(player('1992-07-08', 'Son Heung-Min', 'KR'), player('1992-07-08', 'Heung-min Son', 'KR'));
    });

    it('the merge file joins spellings, and distinguishes twins', () => {
      same(player('1992-10-02', 'Alisson'), player('1992-10-02', 'Alisson Becker'));
      different(player('1995-02-24', 'Jacob Murphy'), player('1995-02-24', 'Josh Murphy'));
      same(player('1995-10-17', 'Al. Miranchuk'), player('1995-10-17', 'Aleksey Miranchuk'));
    });

    it('a player without a birth date is identified by the provider’s id, and has no identity without that id', () => {
      assert.equal(player(undefined, 'J. Smith', 'GB-ENG', '12').key, 'p:12');
      different(player(undefined, 'J. Smith', undefined, '12'), player(undefined, 'J. Smith', undefined, '13'));
      assert.equal(isIdentified({ id: '12' }), true);
      assert.equal(isIdentified({ birth_date: '2000-01-01' }), true);
      assert.equal(isIdentified({}), false);
    });
  });

  it('a tournament alias has the same identity as the canonical name', () => {
    const premierLeague = identifyTournament({ sport: 'football', country: 'GB-ENG', name: 'Premier League' });
    for (const name of ['EPL', 'English Premier League', 'premier league', 'Barclays Premier League']) {
      assert.deepEqual(identifyTournament({ sport: 'football', country: 'GB-ENG', name }), premierLeague);
    }
    assert.equal(
      identifyTournament({ sport: 'football', country: 'RU', name: 'Premier League' }).name,
      'Russian Premier League',
    );
    assert.equal(identifyTournament({ sport: 'rugby', country: 'GB-ENG', name: 'Premiership' }).name, 'Premiership');
  });

  it('a venue is identified by name and city, in any known language', () => {
    const key = (country: string, name: string, city?: string) => {
      const { key, city_key } = identifyVenue({ country, name, city });
      return `${key}|${city_key}`;
    };
    assert.equal(key('DE', 'Allianz Arena', 'München'), key('DE', 'Allianz Arena', 'Munich'));
    assert.equal(key('DE', 'Signal-Iduna-Park'), key('DE', 'Westfalenstadion', 'Dortmund'));
    assert.equal(key('GB-ENG', 'Stamford Bridge'), key('GB-ENG', 'Stamford Bridge', 'London (Fulham)'));
    assert.notEqual(key('DE', 'Olympiastadion', 'Berlin'), key('DE', 'Olympiastadion', 'München'));
    assert.notEqual(key('IT', 'Stadio Olimpico'), key('IT', 'Stadio Olimpico', 'Torino'));
  });
});

describe('the merge files', () => {
  const countries = new Set(COUNTRIES.map(({ iso }) => iso));

  it('name existing countries, and give each alias one meaning', () => {
    const teams = new Map<string, string>();
    for (const row of mergeRows('teams.csv')) {
      for (const country of [row.country!, row.alias_country!])
        assert.ok(countries.has(country), `${country} of ${row.alias}`);
      const alias = `${row.sport}|${row.alias_country}|${foldName(row.alias!)}`;
      const canonical = `${row.country}|${row.name}`;
      assert.equal(teams.get(alias) ?? canonical, canonical, `${row.alias} of ${row.alias_country} is two teams`);
      teams.set(alias, canonical);
    }
    for (const file of ['nations.csv', 'venues.csv', 'cities.csv'] as const) {
      for (const row of mergeRows(file)) assert.ok(countries.has(row.country!), `${file}: ${row.country}`);
    }
  });

  it('give each wrong birth date in birth-dates.csv one right date, which is not itself listed as wrong', () => {
    const wrong = new Map<string, string>();
    const at = (name: string, date: string) => `${foldName(name)}|${date}`;
    const rows = mergeRows('birth-dates.csv');
    for (const { name, birth_date, correct } of rows) {
      for (const date of [birth_date!, correct!])
        assert.equal(new Date(date).toISOString().slice(0, 10), date, `${name}: ${date}`);
      assert.equal(wrong.get(at(name!, birth_date!)), undefined, `${name} ${birth_date} stands twice`);
      wrong.set(at(name!, birth_date!), correct!);
    }
    for (const { name, correct } of rows)
      assert.ok(!wrong.has(at(name!, correct!)), `${name}: ${correct} is wrong too`);
  });

  it('assign a wrong birth date from a source to the right player', () => {
    const of = (name: string, birth_date: string) =>
      identifyParticipant({ type: 'player', sport: 'football', name, birth_date });
    assert.deepEqual(of('Franck Ribéry', '1983-04-01'), of('Franck Ribéry', '1983-04-07'));
    assert.equal(storedBirthDate({ sport: 'football', name: 'Franck Ribery', birth_date: '1983-04-01' }), '1983-04-07');
    // A different person who was born on the same day.
    assert.equal(
      storedBirthDate({ sport: 'football', name: 'François Ribéry', birth_date: '1983-04-01' }),
      '1983-04-01',
    );
    assert.equal(
      storedBirthDate({ sport: 'basketball', name: 'Franck Ribéry', birth_date: '1983-04-01' }),
      '1983-04-01',
    );
    assert.notDeepEqual(of('Ibrahima Conté', '1996-04-03'), of('Ibrahima Conté', '1991-04-03'));
  });

  it('decide each team’s name only once in named-players.csv', () => {
    const rows = mergeRows('named-players.csv');
    assert.equal(decidedPlayers().size, rows.length);
    for (const { team_country, player, birth_date, name } of rows) {
      assert.ok(countries.has(team_country!), team_country);
      assert.equal(Boolean(player), /^\d{4}-\d\d-\d\d$/u.test(birth_date!), name);
    }
  });

  it('have valid names in former-names.csv, never two for a team on one day, and at least 20 clubs', () => {
    const lists = new Map<string, FormerName[]>();
    const clubs = new Set<string>();
    for (const { sport, gender, country, team, name, name_ru, valid_from, valid_to } of mergeRows('former-names.csv')) {
      assert.ok(countries.has(country!), `${country} of ${team}`);
      assert.match(gender!, /^(\*|men|women)$/);
      const parsed = formerName.safeParse({ name, name_ru, from: valid_from || null, to: valid_to || null });
      assert.ok(parsed.success, `${team}, ${name}: ${parsed.error?.message}`);
      assert.match(name_ru!, /[А-яЁё]/u, `the Russian name of ${name}`);
      const of = {
        sport: sport === '*' ? 'football' : sport!,
        gender: gender === '*' ? 'men' : gender!,
        country: country!,
      };
      const key = storedKey(identifyParticipant({ type: 'team', ...of, name: team! }));
      lists.set(key, listedFormerNames({ ...of, key }).names as FormerName[]);
      if (gender !== '*') clubs.add(key);
      assert.ok(
        lists.get(key)!.some((listed) => listed.name === name),
        `${name} is not a name of ${team}`,
      );
    }
    for (const [key, names] of lists) assert.deepEqual(overlappingNames(names), [], key);
    assert.ok(clubs.size >= 20, `${clubs.size} clubs`);
  });

  /** Names that two clubs in a sport have had at different times. */
  const SHARED = new Set([
    'Baltimore Colts',
    'Brooklyn Dodgers',
    'Buffalo Bills',
    'Buffalo Bisons',
    'Cleveland Indians',
    'Dallas Texans',
    'New York Yankees',
    'Ottawa Senators',
    'Washington Senators',
  ]);

  it('assign a former name to the same team as its current name', () => {
    for (const { sport, gender, country, team: name, name: former } of mergeRows('former-names.csv')) {
      const named = (one: string) => team(country!, one, 'men', sport === '*' ? 'football' : sport!);
      // Leaves out Ireland, which is a different team today, and shared names, which belong to the club that had them for longer.
      if (former !== 'Ireland' && !SHARED.has(former!)) same(named(former!), named(name!));
      if (gender === '*' && former !== 'Ireland') same(team('INT', former!), team(country!, name!));
    }
    same(team('INT', 'Ireland'), team('IE', 'Ireland'));
    same(team('RU', 'Zenit Leningrad'), team('RU', 'Zenit'));
    same(team('INT', 'Rhodesia'), team('ZW', 'Zimbabwe'));
  });

  it('list conference teams under known names, each in only one division', () => {
    const read = (path: string) =>
      parse(readFileSync(new URL(`../../data/${path}`, import.meta.url), 'utf8'), {
        columns: true,
        comment: '#',
        comment_no_infix: true,
      }) as Record<string, string>[];
    const known = new Set([...read('names.csv'), ...read('identity/nhl-teams.csv')].map(({ name }) => name));
    let leagues = 0;
    for (const { name, rules, season_rules } of knownTournaments().all) {
      const layers = [...(rules?.periods ?? []), ...Object.values(season_rules)];
      for (const { conferences = [] } of layers) {
        leagues += 1;
        const teams = conferences.flatMap(({ teams: own = [], divisions = [] }) => [
          ...own,
          ...divisions.flatMap((division) => division.teams),
        ]);
        assert.deepEqual(new Set(teams).size, teams.length, `${name}: a team is in two divisions`);
        for (const team of teams) assert.ok(known.has(team), `${name}: ${team} has no name in names.csv`);
      }
    }
    assert.ok(leagues > 8);
  });

  it('use canonical team names and known tournaments in sides.csv', () => {
    const tournaments = new Map(knownTournaments().all.map((entry) => [entry.name, entry]));
    for (const row of mergeRows('sides.csv')) {
      const { country, sport } = tournaments.get(row.tournament!)!;
      for (const name of [row.home!, row.away!]) assert.equal(team(country, name, 'men', sport).name, name);
      assert.match(row.date!, /^\d{4}-\d\d-\d\d$/);
    }
  });
});

describe('the tournament list', () => {
  it('refers to listed tournaments and existing time zones, and gives no code twice', () => {
    const codes = new Set<string>();
    for (const entry of knownTournaments().all) {
      const others = [
        ...Object.values(entry.rounds),
        entry.repeated,
        entry.outsiders,
        ...Object.keys(entry.windows_to),
      ];
      for (const name of others) if (name) tournamentNamed(name, entry);
      if (entry.timezone) new Intl.DateTimeFormat('en', { timeZone: entry.timezone });
      for (const [provider, written] of Object.entries(entry.sources)) {
        for (const code of [written].flat()) {
          assert.ok(!codes.has(`${provider}|${code}`), `${provider} ${code}`);
          codes.add(`${provider}|${code}`);
        }
      }
      for (const adjusted of Object.values(entry.adjustments)) {
        for (const name of Object.keys(adjusted))
          assert.equal(team(entry.country, name).name, name, `${name} of ${entry.name}`);
      }
    }
  });

  it('reports a season that a tournament cannot have, with the tournament’s name', () => {
    const entry = (country: string, name: string) => findTournament('football', country, 'men', name)!;
    const rules = { table: true };
    const [league, cup, qualification] = [
      entry('IT', 'Serie A'),
      entry('INT', 'FIFA World Cup'),
      entry('INT', 'UEFA Euro Qualification'),
    ];
    for (const [known, part, season] of [
      [league, { season_rules: { 2005: rules } }, '2005'],
      [league, { adjustments: { '2005/07': {} } }, '2005/07'],
      [league, { groups: { 2005: {} } }, '2005'],
      [league, { awarded: { 2005: [] } }, '2005'],
      [league, { rules: { periods: [{ from: '2004/05', until: '2006' }] } }, '2006'],
      [cup, { season_rules: { '2005/06': rules } }, '2005/06'],
      [qualification, { season_rules: { 2025: rules } }, '2025'],
    ] as const) {
      assert.throws(() => checkSeasons({ ...known, ...part } as KnownTournament), {
        message: `tournaments.yaml: ${known.name} has no season ${season}`,
      });
    }
    checkSeasons({ ...league, season_rules: { '1999/00': rules } } as KnownTournament);
    checkSeasons({ ...qualification, season_rules: { 2024: rules } } as KnownTournament);
  });

  it('assigns a day to the tournament’s right season', () => {
    const season = (provider: string, code: string, day: string) => seasonOn(tournamentBySource(provider, code)!, day);
    assert.equal(season('football-data', 'E0', '2024-05-19'), '2023/24');
    assert.equal(season('football-data', 'E0', '1999-08-07'), '1999/00');
    assert.equal(season('fivethirtyeight', '1951', '2018-03-04'), '2018');
    assert.equal(season('international-results', 'UEFA Euro', '2021-06-19'), '2020');
    assert.equal(season('international-results', 'UEFA Euro', '2016-06-19'), '2016');
    assert.equal(season('international-results', 'FIFA World Cup qualification', '2021-06-03'), '2022');
    assert.equal(season('international-results', 'African Cup of Nations', '2026-01-18'), '2025');
    assert.equal(season('international-results', 'British Home Championship', '1884-02-09'), '1883/84');
    assert.equal(season('fivethirtyeight', '1818', '2018-05-26'), '2017/18');
  });
});
