/**
 * Computes the identity of participants, tournaments and venues. Identity is a pure function of the record and the reviewed
 * files in data/identity. It never depends on stored data, so the set of entities does not depend on the import order. A name
 * that is not in the files is used as the key.
 */
import { foldName } from '../db/fold-name.ts';
import { findTournament } from './canonical-tournaments.ts';
import { nationOfCountry, nationTeam, readMerges, teamKey } from './merges.ts';
import { identifyPlayer, normalize, type ParticipantIdentity, type PlayerRecord } from './person-key.ts';

export interface ParticipantRecord extends PlayerRecord {
  type: 'team' | 'player';
  gender?: string | undefined;
}

/** Returns the stored form of `key`, which includes a team's country. */
export const storedKey = ({ country, key }: Pick<ParticipantIdentity, 'country' | 'key'>): string =>
  `${country ?? ''}|${key}`;

/**
 * Identifies a participant. A team's identity is sport, gender, country and folded name without "FC", after merges. A merge
 * covers another spelling, or a club that plays in a foreign league. A player's identity is birth date, initial and last name
 * (see person-key.ts).
 */
export function identifyParticipant(record: ParticipantRecord): ParticipantIdentity {
  return record.type === 'player' ? identifyPlayer(record) : identifyTeam(record);
}

/** False for a player with neither birth date nor id. The name may mean anyone, so only its text is stored. */
export function isIdentified(record: { id?: string | undefined; birth_date?: string | null | undefined }): boolean {
  return record.id !== undefined || Boolean(record.birth_date);
}

/** Start of the key for a player known only by name and team. In the stored key, the country comes first (see player-links). */
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
  // After "FC" is removed, the name is compared with canonical names only. "Paris FC", for example, is not the "Paris" that is
  // an alias for PSG.
  const plain = find(key);
  return plain?.key === key ? plain : { country, key, name };
}

/** National teams have a key of their own, because some countries, such as Andorra and Monaco, have a club with the same name. */
const nationalKey = (name: string) => `${NATIONAL}${foldName(name)}`;
const NATIONAL = 'national team ';
export const isNationalTeam = ({ key }: Pick<ParticipantIdentity, 'key'>): boolean => key.startsWith(NATIONAL);

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

/** Identifies a tournament by sport, country, gender and folded name, after the aliases in data/tournaments.yaml. */
export function identifyTournament(record: TournamentRecord): TournamentIdentity {
  const gender = record.gender ?? 'men';
  const name = normalize(record.name);
  const known = findTournament(record.sport, record.country, gender, name);
  const shown = known?.name ?? name;
  return { country: record.country, gender, key: foldName(shown), name: shown };
}

/**
 * Identifies a venue by country, folded name and folded city, after the merges in data/identity/venues.csv, which also gives
 * the city for names without one. "London (Highbury)" is London, and "München" is Munich.
 */
export function identifyVenue(record: { country: string; name: string; city?: string | null | undefined }): {
  key: string;
  city_key: string;
  name: string;
  /** The city's canonical name if a merge gives one, otherwise the record's. */
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
