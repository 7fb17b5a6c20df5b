/**
 * The identity of participants, tournaments and venues: a pure function of the record and the reviewed files in
 * data/identity, never of stored data, so that the order of imports cannot change which entities exist. `data/identity` is data
 * that people review and correct; a name that is not listed there is its own key.
 */
import { foldName } from '../db/fold-name.ts';
import { findTournament } from './canonical-tournaments.ts';
import { nationOfCountry, nationTeam, readMerges, teamKey } from './merges.ts';

export interface ParticipantRecord {
  type: 'team' | 'player';
  sport: string;
  gender?: string | undefined;
  country?: string | null | undefined;
  name: string;
  /** YYYY-MM-DD; players only. */
  birth_date?: string | null | undefined;
  /** Whether the same list has another player of this birth date, initial and last name: a twin. */
  hasTwin?: boolean | undefined;
  /** The provider and its id: the last resort for a player without a birth date. */
  provider?: string | undefined;
  id?: string | undefined;
}

export interface ParticipantIdentity {
  /** Part of a team's identity. Null for players, who are the same person whatever country a source assigns. */
  country: string | null;
  key: string;
  /** The name for a new entity: the canonical one if a merge names it, otherwise the record's. */
  name: string;
}

/** The stored form of `key`, which includes a team's country. */
export const storedKey = ({ country, key }: Pick<ParticipantIdentity, 'country' | 'key'>): string =>
  `${country ?? ''}|${key}`;

/**
 * A team is its sport, gender, country and folded name without "FC", after merges (another spelling, or a club that
 * plays in another country's league). A player is the birth date, the initial and the last name
 * ("2000-07-21|e|haaland"), so that "E. Haaland" and "Erling Haaland" are one. A player without a birth date is known
 * only by a provider's id; see `isIdentified`.
 */
export function identifyParticipant(record: ParticipantRecord): ParticipantIdentity {
  return record.type === 'player' ? identifyPlayer(record) : identifyTeam(record);
}

/** False for a player with neither birth date nor id: the person is unknown, and the name stays text. */
export function isIdentified(record: { id?: string | undefined; birth_date?: string | null | undefined }): boolean {
  return record.id !== undefined || Boolean(record.birth_date);
}

/** Key of a player known only by name and team, without the country that begins every stored key: see player-links. */
export const NAMED_ONLY = 'name:';
export const IS_NAMED_ONLY = `key LIKE '|${NAMED_ONLY}%'`;

function identifyTeam(record: ParticipantRecord): ParticipantIdentity {
  const name = normalize(record.name);
  const folded = foldName(name);
  const key = teamKey(folded);
  const country = record.country ?? null;
  const anywhere = country === null || country === 'INT';
  const { teams, teamsByName } = readMerges();
  const find = (alias: string) =>
    teams.get(`${record.sport}|${country ?? ''}|${alias}`) ??
    (anywhere ? teamsByName.get(`${record.sport}|${alias}`) : undefined);
  const merged = find(folded);
  if (merged) return merged;
  const nation = anywhere ? nationTeam(name) : nationOfCountry(country, folded);
  if (nation) return { country: nation.country, key: nationalKey(nation.name), name: nation.name };
  // Without "FC" a name is compared with canonical names only: "Paris FC" is not the "Paris" that is PSG.
  const plain = find(key);
  return plain?.key === key ? plain : { country, key, name };
}

/** A national team is never the club of the same name: Andorra, Monaco. */
const nationalKey = (name: string) => `${NATIONAL}${foldName(name)}`;
const NATIONAL = 'national team ';
export const isNationalTeam = ({ key }: Pick<ParticipantIdentity, 'key'>): boolean => key.startsWith(NATIONAL);

/**
 * Countries for which sources disagree about the order of names: a player's key there has all of them, unordered. They
 * share few family names.
 */
export const FAMILY_NAME_FIRST = new Set(['CN', 'HK', 'KP', 'KR', 'MO', 'TW', 'VN']);

const SUFFIXES = new Set(['jr', 'junior', 'sr', 'filho', 'neto', 'ii', 'iii']);

/** Returns the birth date of a player, corrected if the source is known to have it wrong. */
export function storedBirthDate({ sport, name, birth_date }: Pick<ParticipantRecord, 'sport' | 'name' | 'birth_date'>) {
  return birth_date && (readMerges().birthDates.get(`${sport}|${birth_date}|${foldName(name)}`) ?? birth_date);
}

function identifyPlayer(record: ParticipantRecord): ParticipantIdentity {
  const written = normalize(record.name);
  const birthDate = storedBirthDate(record);
  if (!birthDate) {
    const known = record.provider && record.id;
    const key = known ? `${record.provider}:${record.id}` : foldName(written);
    return { country: known ? null : (record.country ?? null), key, name: written };
  }
  const { players, namesakes } = readMerges();
  const folded = foldName(written);
  const name = players.get(`${record.sport}|${birthDate}|${folded}`) ?? written;
  const full = foldName(name);
  const isNamesake = record.hasTwin || namesakes.has(`${record.sport}|${birthDate}|${full}`);
  const key = isNamesake ? full : shortKey(full.split(' '), record.country);
  return { country: null, key: `${birthDate}|${key}`, name };
}

function shortKey(tokens: string[], country: string | null | undefined): string {
  if (country && FAMILY_NAME_FIRST.has(country) && tokens.length > 1) return tokens.sort().join(' ');
  while (tokens.length > 1 && SUFFIXES.has(tokens.at(-1) ?? '')) tokens.pop();
  return `${tokens[0]?.charAt(0) ?? ''}|${tokens.at(-1) ?? ''}`;
}

export interface TournamentRecord {
  sport: string;
  country: string;
  gender?: string | undefined;
  name: string;
}
export interface TournamentIdentity {
  country: string;
  gender: string;
  key: string;
  name: string;
}

/** A tournament is its sport, country, gender and folded name, after the aliases in data/tournaments.yaml. */
export function identifyTournament(record: TournamentRecord): TournamentIdentity {
  const gender = record.gender ?? 'men';
  const name = normalize(record.name);
  const known = findTournament(record.sport, record.country, gender, name);
  const shown = known?.name ?? name;
  return { country: record.country, gender, key: foldName(shown), name: shown };
}

/**
 * A venue is its country, folded name and folded city ("London (Highbury)" is London, "München" Munich), after
 * data/identity/venues.csv, which also supplies the city for names without one.
 */
export function identifyVenue(record: { country: string; name: string; city?: string | null | undefined }): {
  key: string;
  city_key: string;
  name: string;
  /** The city's canonical name if a merge has it, otherwise the record's. */
  city: string | null;
} {
  const name = normalize(record.name);
  const key = foldName(name);
  const { venues, cities } = readMerges();
  const canonical = (city: string) => cities.get(`${record.country}|${city}`) ?? city;
  const written = foldName((record.city ?? '').replace(/\(.*/u, ''));
  const find = (city: string) => venues.get(`${record.country}|${key}|${city}`);
  const merged = find(written) ?? find(canonical(written)) ?? find('*');
  if (!merged) return { key, city_key: canonical(written), name, city: record.city ?? null };
  return {
    key: foldName(merged.name),
    city_key: canonical(foldName(merged.city)),
    name: merged.name,
    city: merged.city,
  };
}

const normalize = (name: string) => name.normalize('NFC').replace(/\s+/gu, ' ').trim();
