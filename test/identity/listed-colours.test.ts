import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { identifyParticipant, isNationalTeam, storedKey } from '../../src/identity/entity-keys.ts';
import { colourRows, teamColours } from '../../src/identity/listed-colours.ts';
import { COUNTRIES } from '../../src/wire/countries.ts';
import { dataRows } from '../../src/wire/data-file.ts';
import { SHIRT_PATTERNS } from '../../src/wire/team-colours.ts';

const NBA_SEASON = join(import.meta.dirname, '../../../shared/datasets/fivethirtyeight-us/nba_elo_2022-23.csv');
const NBA = Object.fromEntries(
  dataRows('identity/nba-teams.csv', ['code', 'name']).map(({ code, name }) => [code, name]),
);

const rows = colourRows();
const nameOf = ({ sport, country, team }: { sport: string; country: string; team: string }) =>
  `${sport}|${country}|${team}`;

interface Recorded {
  match: { sport: string; home: { name: string }; away: { name: string } };
}

/** The demo's teams, from the list of its league's matches and from the first line of each recorded match. */
function demoTeams(): string[] {
  const folder = new URL('../../data/demo/', import.meta.url);
  const lines = (file: string) =>
    gunzipSync(readFileSync(new URL(file, folder)))
      .toString()
      .trim()
      .split('\n');
  const recordings = readdirSync(new URL('sports/', folder)).map((file) => lines(`sports/${file}`)[0]!);
  return [...lines('fixtures.ndjson.gz'), ...recordings].flatMap((line) => {
    const { sport, home, away } = (JSON.parse(line) as Recorded).match;
    return [home, away].map(({ name }) => `${sport}|INT|${name}`);
  });
}

/** Teams by sport, country and name, from all files that decide which teams the catalogue has under which names. */
function namedTeams(): Set<string> {
  const coded = (file: string, sport: string) =>
    dataRows(`identity/${file}`, ['name', 'country']).map(({ name, country }) => `${sport}|${country}|${name}`);
  return new Set([
    ...dataRows('names.csv', ['entity', 'sport', 'country', 'name'])
      .filter(({ entity }) => entity === 'participant')
      .map(({ sport, country, name }) => `${sport}|${country}|${name}`),
    ...dataRows('identity/teams.csv', ['sport', 'country', 'name']).map(
      ({ sport, country, name }) => `${sport}|${country}|${name}`,
    ),
    ...dataRows('identity/nations.csv', ['country', 'team']).map(({ country, team }) => `football|${country}|${team}`),
    ...COUNTRIES.flatMap(({ iso, name }) => [`football|${iso}|${name}`, `cricket|${iso}|${name}`]),
    ...coded('nhl-teams.csv', 'ice-hockey'),
    ...coded('mlb-teams.csv', 'baseball'),
    ...dataRows('identity/afl-clubs.csv', ['name']).map(({ name }) => `aussie-rules|AU|${name}`),
    ...dataRows('identity/volleystat-clubs.csv', ['name']).map(({ name }) => `volleyball|DE|${name}`),
    ...coded('euroleague-clubs.csv', 'basketball'),
    ...coded('rugby-teams.csv', 'rugby'),
    ...dataRows('identity/nfl-teams.csv', ['name']).map(({ name }) => `american-football|US|${name}`),
    ...demoTeams(),
    ...coded('nba-teams.csv', 'basketball'),
    ...coded('wnba-teams.csv', 'basketball'),
    ...coded('nhl-clubs.csv', 'ice-hockey'),
  ]);
}

describe('data/identity/colours.csv', () => {
  it('names teams of the catalogue under their own names, each once', () => {
    const named = namedTeams();
    assert.deepEqual(
      rows.map(nameOf).filter((name) => !named.has(name)),
      [],
    );
    const keys = rows.map(({ sport, gender, country, team: name }) => {
      const identity = identifyParticipant({ type: 'team', sport, country, name });
      assert.equal(identity.name, name, `${name} is another name of ${identity.name}`);
      return `${sport}|${gender}|${storedKey(identity)}`;
    });
    assert.deepEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
    );
  });

  it('has a known pattern and two or three different colours in each row', () => {
    for (const row of rows) {
      const { gender, pattern, colour1, colour2, colour3 } = row;
      assert.match(gender, /^(\*|men|women)$/, nameOf(row));
      assert.ok(
        SHIRT_PATTERNS.some((known) => known === pattern),
        `${nameOf(row)}: ${pattern}`,
      );
      const colours = [colour1, colour2, ...(colour3 === '' ? [] : [colour3])];
      for (const colour of colours) assert.match(colour, /^#[0-9a-f]{6}$/, nameOf(row));
      assert.equal(new Set(colours).size, colours.length, nameOf(row));
    }
  });

  it('has 220 national teams, and all teams of the leagues whose teams are listed in data/identity', () => {
    const nations = rows.filter(({ sport, country, team: name }) =>
      isNationalTeam(identifyParticipant({ type: 'team', sport, country, name })),
    );
    assert.ok(nations.length >= 210, `${nations.length} teams of countries`);
    const demo = new Set(demoTeams());
    const listed = rows.filter((row) => !demo.has(nameOf(row)));
    const regions = listed.filter(({ sport, country }) => sport === 'football' && country === 'INT');
    assert.ok(nations.length + regions.length >= 220, `${nations.length} and ${regions.length}`);

    const counts: Record<string, number> = {};
    for (const { sport } of listed) counts[sport] = (counts[sport] ?? 0) + 1;
    assert.deepEqual(
      [counts['american-football'], counts['ice-hockey'], counts['aussie-rules'], counts.rugby, counts.baseball],
      [32, 40, 21, 37, 30],
    );
    const basketball = new Set(listed.filter(({ sport }) => sport === 'basketball').map(({ team }) => team));
    for (const name of Object.values(NBA)) assert.ok(basketball.has(name), name);
    const clubs = dataRows('identity/euroleague-clubs.csv', ['name']).map(({ name }) => name);
    // The colours of these clubs are not known for sure.
    assert.deepEqual([...new Set(clubs.filter((name) => !basketball.has(name)))].sort(), [
      'Dubai Basketball',
      'London Towers',
      'Ural Great',
    ]);
  });

  it('has the demo’s teams, so that a new installation has colours too', () => {
    const listed = new Set(rows.map(nameOf));
    const teams = demoTeams().filter((name) => !/^(darts|mma|snooker|table-tennis|tennis)\|/.test(name));
    assert.ok(teams.length > 100);
    assert.deepEqual(
      teams.filter((name) => !listed.has(name)),
      [],
    );
  });

  it('has the teams of all codes in an NBA season', function () {
    if (!existsSync(NBA_SEASON)) {
      console.error(`      SKIPPED: there is no ${NBA_SEASON}`);
      this.skip();
    }
    const [, ...lines] = readFileSync(NBA_SEASON, 'utf8').trim().split('\n');
    const codes = new Set(lines.flatMap((line) => line.split(',').slice(4, 6)));
    assert.deepEqual([...codes].sort(), Object.keys(NBA).sort());
  });

  it('is found by sport, gender and stored key, and * stands for any gender', () => {
    const ask = (gender: string, key: string, sport = 'football') => teamColours({ sport, gender, key })?.pattern;
    assert.equal(ask('men', 'IT|juventus'), 'stripes');
    assert.equal(ask('women', 'IT|juventus'), 'stripes');
    assert.equal(ask('men', 'HR|national team croatia'), 'checks');
    assert.equal(ask('women', 'US|orlando pride'), 'plain');
    assert.equal(ask('men', 'US|orlando pride'), undefined);
    assert.equal(ask('men', 'IT|juventus', 'basketball'), undefined);
    assert.equal(ask('men', 'IE|pine town'), undefined);
  });
});
