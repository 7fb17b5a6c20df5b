/**
 * The merge files, read once per process. Each row is a decision that people can review:
 * teams.csv    sport, country, name, alias_country, alias: `alias` in `alias_country` is the team `name` from `country`
 * nations.csv  country, team, alias: other names for a national team (and a country)
 * players.csv  sport, birth_date, name, alias: `alias` is the player `name`; if both are equal, the row is for one of two
 *              namesakes born on the same day, such as twins, who are told apart by full name
 * birth-dates.csv  sport, name, birth_date, correct: a source has a wrong birth date for the player with that name
 * named-players.csv  sport, team_country, team, name, birth_date, player: the player that a name without an id means in a
 *              team; an empty player excludes all candidates
 * coaches.csv  sport, gender, team_country, team, name, coach, valid_from, valid_to: on these days, that name on a team's card is
 *              the coach's or an assistant's; see identity/listed-coaches
 * referees.csv sport, country, name, alias_country, alias: `alias`, in competitions of `alias_country`, is the referee `name`, who is
 *              identified with the competitions of `country`; see identity/staff-names
 * venues.csv   country, name, city, alias, alias_city: an empty alias_city means a record without a city, * means any city
 * cities.csv   country, city, alias: `alias` is the city's name in another language
 * sides.csv    tournament, date, home, away; see providers/sides
 * former-names.csv  former team names, which are club aliases; see identity/participant-names
 */
import { foldName } from '../db/fold-name.ts';
import { COUNTRIES } from '../wire/countries.ts';
import { dataRows } from '../wire/data-file.ts';

export interface MergedTeam {
  country: string | null;
  key: string;
  name: string;
}
interface Merges {
  /** sport|country|folded alias */
  teams: Map<string, MergedTeam>;
  /** sport|folded name, if only one team has it. For records without a country */
  teamsByName: Map<string, MergedTeam>;
  /** sport|birth date|folded alias -> canonical name */
  players: Map<string, string>;
  /** sport|wrong birth date|folded name -> the right one */
  birthDates: Map<string, string>;
  /** sport|birth date|folded name, for two players who share birth date, initial and last name */
  namesakes: Set<string>;
  /** sport|country of the competitions|folded alias */
  referees: Map<string, { country: string; key: string; name: string }>;
  /** country|folded alias|folded city, * for any city */
  venues: Map<string, { name: string; city: string }>;
  /** country|folded alias -> folded city */
  cities: Map<string, string>;
}

let merges: Merges | undefined;

export function readMerges(): Merges {
  merges ??= {
    ...readTeams(),
    ...readPlayers(),
    birthDates: readBirthDates(),
    referees: readReferees(),
    venues: readVenues(),
    cities: readCities(),
  };
  return merges;
}

const COLUMNS = {
  'teams.csv': ['sport', 'country', 'name', 'alias_country', 'alias'],
  'nations.csv': ['country', 'team', 'alias'],
  'players.csv': ['sport', 'birth_date', 'name', 'alias'],
  'birth-dates.csv': ['sport', 'name', 'birth_date', 'correct'],
  'named-players.csv': ['sport', 'team_country', 'team', 'name', 'birth_date', 'player'],
  'coaches.csv': ['sport', 'gender', 'team_country', 'team', 'name', 'valid_from', 'valid_to'],
  'referees.csv': ['sport', 'country', 'name', 'alias_country', 'alias'],
  'venues.csv': ['country', 'name', 'city', 'alias', 'alias_city'],
  'cities.csv': ['country', 'city', 'alias'],
  'sides.csv': ['tournament', 'date', 'home', 'away'],
  'former-names.csv': ['sport', 'gender', 'country', 'team', 'name', 'name_ru', 'valid_from', 'valid_to'],
} as const;
type MergeFile = keyof typeof COLUMNS;
export type MergeRow<File extends MergeFile> = Record<(typeof COLUMNS)[File][number], string>;

/** Returns a merge file's rows. */
export const mergeRows = <File extends MergeFile>(file: File): MergeRow<File>[] =>
  dataRows<(typeof COLUMNS)[File][number]>(`identity/${file}`, COLUMNS[file]);

/**
 * Returns a folded name without the usual football club abbreviations, such as "arsenal" for "arsenal fc". Among 3,481 clubs
 * from 76 countries, no two clubs in one country have the same key.
 */
export function teamKey(folded: string): string {
  const plain = folded.replace(/^(?:fc|fk) /u, '').replace(/ (?:fc|afc|cf|fk)$/u, '');
  return plain === '' ? folded : plain;
}

function readTeams(): Pick<Merges, 'teams' | 'teamsByName'> {
  const teams = new Map<string, MergedTeam>();
  const byName = new Map<string, MergedTeam | null>();
  const add = (sport: string, country: string, alias: string, team: MergedTeam) => {
    const folded = foldName(alias);
    teams.set(`${sport}|${country}|${folded}`, team);
    const other = byName.get(`${sport}|${folded}`);
    const same = other === undefined || (other?.key === team.key && other.country === team.country);
    // A team that has the name today comes before teams that had it earlier.
    if (!same && other?.key === teamKey(folded)) return;
    byName.set(`${sport}|${folded}`, same ? team : null);
  };
  for (const row of mergeRows('teams.csv')) {
    const team = { country: row.country, key: teamKey(foldName(row.name)), name: row.name };
    add(row.sport, row.country, row.name, team);
    add(row.sport, row.alias_country, row.alias, team);
  }
  for (const row of mergeRows('former-names.csv')) {
    const [sport, country, name] = [row.sport, row.country, row.team];
    if (row.gender === '*') continue; // A national team, if nations.csv lists the name.
    const team = teams.get(`${sport}|${country}|${foldName(name)}`) ?? { country, key: teamKey(foldName(name)), name };
    if (!teams.has(`${sport}|${country}|${foldName(row.name)}`)) add(sport, country, row.name, team);
  }
  const teamsByName = new Map<string, MergedTeam>();
  for (const [name, team] of byName) if (team) teamsByName.set(name, team);
  return { teams, teamsByName };
}

function readPlayers(): Pick<Merges, 'players' | 'namesakes'> {
  const players = new Map<string, string>();
  const namesakes = new Set<string>();
  for (const { sport, birth_date, name, alias } of mergeRows('players.csv')) {
    players.set(`${sport}|${birth_date}|${foldName(alias)}`, name);
    if (alias === name) namesakes.add(`${sport}|${birth_date}|${foldName(name)}`);
  }
  return { players, namesakes };
}

const readBirthDates = (): Merges['birthDates'] =>
  new Map(
    mergeRows('birth-dates.csv').map((row) => [`${row.sport}|${row.birth_date}|${foldName(row.name)}`, row.correct]),
  );

const readReferees = (): Merges['referees'] =>
  new Map(
    mergeRows('referees.csv').flatMap(({ sport, country, name, alias_country, alias }) => {
      const referee = { country, key: foldName(name), name };
      return [
        [`${sport}|${country}|${referee.key}`, referee],
        [`${sport}|${alias_country}|${foldName(alias)}`, referee],
      ];
    }),
  );

function readVenues(): Merges['venues'] {
  return new Map(
    mergeRows('venues.csv').map((row) => [
      `${row.country}|${foldName(row.alias)}|${row.alias_city === '*' ? '*' : foldName(row.alias_city)}`,
      { name: row.name, city: row.city },
    ]),
  );
}

const readCities = (): Merges['cities'] =>
  new Map(mergeRows('cities.csv').map((row) => [`${row.country}|${foldName(row.alias)}`, foldName(row.city)]));

export interface Nation {
  country: string;
  name: string;
}
let nations: Map<string, Nation> | undefined;

function readNations(): Map<string, Nation> {
  if (nations) return nations;
  nations = new Map(COUNTRIES.map(({ iso, name }) => [foldName(name), { country: iso, name }]));
  for (const row of mergeRows('nations.csv')) {
    const nation = { country: row.country, name: row.team };
    nations.set(foldName(row.team), nation);
    nations.set(foldName(row.alias), nation);
  }
  return nations;
}

/** Returns the national team with this name, in any spelling, and the country. */
export function nationTeam(name: string): Nation | undefined {
  return readNations().get(foldName(name));
}

/** Returns the national team if `folded` is a name for that country. A former state's code (SU) gives the successor's team. */
export function nationOfCountry(country: string, folded: string): Nation | undefined {
  const nation = readNations().get(folded);
  if (nation === undefined || nation.country === country) return nation;
  return successors().get(country) === nation.country ? nation : undefined;
}

let successorsByCountry: Map<string, string> | undefined;
function successors(): Map<string, string> {
  successorsByCountry ??= new Map(
    COUNTRIES.flatMap(({ iso, name }) => {
      const nation = readNations().get(foldName(name));
      return nation && nation.country !== iso ? [[iso, nation.country] as const] : [];
    }),
  );
  return successorsByCountry;
}
