/**
 * Computes a person's key. It consists of birth date, initial and last name ("2000-07-21|e|haaland"), so that "E. Haaland"
 * and "Erling Haaland" are the same person. For namesakes, and for countries where the family name comes first, it has all
 * names. A player without a birth date has a key only if a provider gives an id (see `isIdentified`).
 */
import { foldName } from '../db/fold-name.ts';
import { readMerges } from './merges.ts';

export interface PlayerRecord {
  sport: string;
  country?: string | null | undefined;
  name: string;
  /** YYYY-MM-DD; players only. */
  birth_date?: string | null | undefined;
  /** True if the same list has another player with this birth date, initial and last name, such as a twin. */
  hasTwin?: boolean | undefined;
  /** The provider and the provider's id. They identify a player without a birth date. */
  provider?: string | undefined;
  id?: string | undefined;
}

export interface ParticipantIdentity {
  /** Part of a team's identity. Null for players, because sources may assign different countries to the same person. */
  country: string | null;
  key: string;
  /** The name for a new entity: the canonical name if a merge file gives one, otherwise the record's. */
  name: string;
}

export const normalize = (name: string) => name.normalize('NFC').replace(/\s+/gu, ' ').trim();

/**
 * Countries for which sources disagree about the name order. The key of such a player has all names, in no particular order.
 * One name would not be enough, because these countries have few family names.
 */
export const FAMILY_NAME_FIRST = new Set(['CN', 'HK', 'KP', 'KR', 'MO', 'TW', 'VN']);

const SUFFIXES = new Set(['jr', 'junior', 'sr', 'filho', 'neto', 'ii', 'iii']);

/** Returns a player's birth date. If a source's date is known to be wrong, returns the right one. */
export function storedBirthDate({ sport, name, birth_date }: Pick<PlayerRecord, 'sport' | 'name' | 'birth_date'>) {
  return birth_date && (readMerges().birthDates.get(`${sport}|${birth_date}|${foldName(name)}`) ?? birth_date);
}

export function identifyPlayer(record: PlayerRecord): ParticipantIdentity {
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
