/**
 * Lists of names under which people search for catalogue entities: nicknames, abbreviations, former and foreign names. The
 * lists also have the Russian names that are shown. They never affect identity, because an alias is not looked up when an
 * update is applied. A line names its entity by the name that identity uses, never by an alias from the lists, so aliases
 * cannot form chains or cycles.
 *
 * nations.csv      country, team, aliases teams.csv        sport, gender, country, team, aliases players.csv      sport,
 * birth_date, name, name_ru, aliases tournaments.csv  sport, gender, country, name, aliases
 *
 * Aliases are separated by "|". The same alias may stand for several entities; search orders them by prominence. Spellings
 * that identity already knows (data/identity, data/tournaments.yaml) are aliases without being repeated here, and so are
 * foreign-language country names.
 */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { foldName } from '../../db/fold-name.ts';
import { knownTournaments } from '../../identity/canonical-tournaments.ts';
import { identifyParticipant, identifyTournament, storedKey } from '../../identity/entity-keys.ts';
import { mergeRows } from '../../identity/merges.ts';
import { type RussianNames, readRussianNames } from '../../identity/russian-names.ts';
import { VERSION } from '../../runtime/version.ts';
import { COUNTRIES } from '../../wire/countries.ts';
import { csvRows } from '../../wire/csv-rows.ts';

export interface Listed {
  aliases: string[];
  /** File and line of the entry. Null if the entry is derived. */
  line: string | null;
}
export interface ListedTeam extends Listed {
  /** Null for any sport, or any gender. */
  sport: string | null;
  gender: string | null;
  /** The entity's stored key. */
  key: string;
}
export interface ListedPlayer extends Listed {
  sport: string;
  birthDate: string;
  /** The folded name. */
  name: string;
  nameRu: string;
  /** True if the line has aliases. A Russian name alone does not count. */
  isFamous: boolean;
}
export interface ListedTournament extends Listed {
  sport: string;
  country: string;
  gender: string;
  key: string;
}
export interface AliasLists {
  teams: ListedTeam[];
  players: ListedPlayer[];
  tournaments: ListedTournament[];
  /** Russian names for teams and tournaments. A player's Russian name is in the player's line. */
  russian: RussianNames;
}

const COLUMNS = {
  'nations.csv': ['country', 'team', 'aliases'],
  'teams.csv': ['sport', 'gender', 'country', 'team', 'aliases'],
  'players.csv': ['sport', 'birth_date', 'name', 'name_ru', 'aliases'],
  'tournaments.csv': ['sport', 'gender', 'country', 'name', 'aliases'],
} as const;
type ListFile = keyof typeof COLUMNS;
const NAMES = 'names.csv';
type Row = Record<string, string> & { line: string };

/** Languages whose country names find national teams. */
const LANGUAGES = [
  'en',
  'ru',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'tr',
  'no',
  'sv',
  'da',
  'uk',
  'fi',
  'et',
  'lt',
  'lv',
  'cs',
  'sk',
  'hu',
  'ro',
  'hr',
  'sq',
  'el',
];
/** In identity, a national team is the same entity in every sport. */
const SOME_SPORT = 'football';
const SEPARATOR = '|';

const DATA = new URL('../../../data/', import.meta.url);
/** Files that the lists depend on, including identity's files. */
const SOURCES = ['search-aliases', 'identity', NAMES, 'tournaments.yaml'];

let digest: string | undefined;

/**
 * Returns a digest that changes with the built-in lists or the release. The lists are not parsed for it, which would take 0.4
 * s and 30 MB.
 */
export function aliasListsDigest(): string {
  digest ??= hash('sha256', [VERSION, ...SOURCES.map(readSource)].join('\n'), 'base64url');
  return digest;
}

function readSource(name: string): string {
  const url = new URL(name, DATA);
  if (!statSync(url).isDirectory()) return readFileSync(url, 'utf8');
  return readdirSync(url)
    .sort()
    .map((file) => readSource(`${name}/${file}`))
    .join('\n');
}

let lists: AliasLists | undefined;

/** Returns the built-in lists, which are read once per process. */
export function aliasLists(): AliasLists {
  lists ??= readAliasLists((file) => readSource(file === NAMES ? NAMES : `search-aliases/${file}`));
  return lists;
}

/**
 * Parses the lists.
 * @param read returns a list's text
 * @throws an Error that names the list and the line
 */
export function readAliasLists(read: (file: ListFile | typeof NAMES) => string): AliasLists {
  const rows = (file: ListFile) => parseRows(file, read(file));
  const teams = [...rows('nations.csv').map(nation), ...rows('teams.csv').map(team)];
  const players = rows('players.csv').map(player);
  const tournaments = rows('tournaments.csv').map(tournament);
  return {
    teams: [...teams, ...knownTeams()],
    players,
    tournaments: [...tournaments, ...namedTournaments()],
    russian: readRussianNames(read(NAMES)),
  };
}

function parseRows(file: ListFile, text: string): Row[] {
  return csvRows(text).map(({ record, info }) => {
    const line = `${file}:${info.lines}`;
    for (const column of COLUMNS[file]) {
      if (record[column] === undefined) throw new Error(`${line}: the column ${column} is missing`);
      const mayBeEmpty = column === 'country' || (column === 'aliases' && file === 'players.csv');
      if (record[column] === '' && !mayBeEmpty) throw new Error(`${line}: ${column} is empty`);
    }
    return { ...record, line };
  });
}

function splitAliases({ aliases, line }: Row): string[] {
  const names = aliases!.split(SEPARATOR).map((name) => name.trim());
  const wrong = names.find((name) => foldName(name) === '');
  if (wrong !== undefined) throw new Error(`${line}: ${JSON.stringify(wrong)} is not a name`);
  return names;
}

const identified = (sport: string, country: string | undefined, name: string) =>
  storedKey(identifyParticipant({ type: 'team', sport, country: country || undefined, name }));

const nation = (row: Row): ListedTeam => ({
  sport: null,
  gender: null,
  key: identified(SOME_SPORT, row.country, row.team!),
  aliases: splitAliases(row),
  line: row.line,
});

const team = (row: Row): ListedTeam => ({
  sport: row.sport!,
  gender: row.gender!,
  key: identified(row.sport!, row.country, row.team!),
  aliases: splitAliases(row),
  line: row.line,
});

const player = (row: Row): ListedPlayer => ({
  sport: row.sport!,
  birthDate: row.birth_date!,
  name: foldName(row.name!),
  nameRu: row.name_ru!,
  isFamous: row.aliases !== '',
  aliases: [...new Set([row.name_ru!, ...(row.aliases === '' ? [] : splitAliases(row))])],
  line: row.line,
});

const tournament = (row: Row): ListedTournament => {
  const { sport, country, gender } = row as Record<string, string>;
  const { key } = identifyTournament({ sport: sport!, country: country!, gender, name: row.name! });
  return { sport: sport!, country: country!, gender: gender!, key, aliases: splitAliases(row), line: row.line };
};

/** Returns teams with their aliases: the names in identity's files, and country names in more languages. */
function knownTeams(): ListedTeam[] {
  const merged = mergeRows('teams.csv').map(
    (row): ListedTeam => ({
      sport: row.sport,
      gender: null,
      key: identified(row.sport, row.country, row.name),
      aliases: [row.alias],
      line: null,
    }),
  );
  const nations = mergeRows('nations.csv').map((row) => nationAlso(row.country, row.team, [row.alias]));
  const translators = LANGUAGES.map(
    (language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }),
  );
  const countries = COUNTRIES.filter(({ iso }) => isPresentCountry(iso)).map(({ iso, name }) =>
    nationAlso(iso, name, [name, ...translators.flatMap((names) => names.of(iso) ?? [])]),
  );
  return [...merged, ...nations, ...countries];
}

/** False for a former state, such as East Germany. Its names belong to the successor. */
const isPresentCountry = (iso: string) => /^[A-Z]{2}$/.test(iso) && new Intl.Locale(`und-${iso}`).region === iso;

const nationAlso = (country: string, name: string, aliases: string[]): ListedTeam => ({
  sport: null,
  gender: null,
  key: identified(SOME_SPORT, country, name),
  aliases: [...new Set(aliases)],
  line: null,
});

const namedTournaments = (): ListedTournament[] =>
  knownTournaments().all.map(({ sport, country, gender, name, name_ru, aliases }) => ({
    sport,
    country,
    gender,
    key: identifyTournament({ sport, country, gender, name }).key,
    aliases: [...new Set([...aliases, ...(name_ru ? [name_ru] : [])])],
    line: null,
  }));
