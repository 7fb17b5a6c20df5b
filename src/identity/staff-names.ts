/** Identifies referees and coaches, whom sources give only by name. Pure. */
import { foldName } from '../db/fold-name.ts';
import { readMerges } from './merges.ts';
import { normalize, type ParticipantIdentity } from './person-key.ts';

export type StaffRole = 'referee' | 'coach';

/** Matches initials after a family name, as in "Dean, M. L" and "Fröhlich, L.-M.". */
const INITIALS = /^\p{Lu}\.?(?:[\s.-]+\p{Lu}\.?)*$/u;

/**
 * Returns the referees in a text from a source, in its order. A comma stands between two people, or between a family name
 * and its initials.
 * @example refereeNames('S Ravi, RJ Tucker') // ['S Ravi', 'RJ Tucker']
 * @example refereeNames('Dean, M. L') // ['M. L Dean']
 */
export function refereeNames(text: string): string[] {
  const names: string[] = [];
  for (const part of text.split(',').map(normalize)) {
    const family = INITIALS.test(part) ? names.pop() : undefined;
    names.push(family === undefined ? part : `${part} ${family}`);
  }
  return [...new Set(names)].filter((name) => foldName(name) !== '');
}

/** The gender of every referee and coach. It is no part of the identity: a referee may have matches of men and of women. */
export const STAFF_GENDER = 'mixed';

/**
 * Identifies a referee or coach by sport, country and folded name, after the merges in data/identity/referees.csv.
 * @param country the country of the competitions, or INT: people in different countries who share a name may be different
 */
export function identifyStaff(
  role: StaffRole,
  { sport, country, name }: { sport: string; country: string; name: string },
): ParticipantIdentity & { country: string } {
  const written = normalize(name);
  const folded = foldName(written);
  const merged = role === 'referee' ? readMerges().referees.get(`${sport}|${country}|${folded}`) : undefined;
  return merged ?? { country, key: folded, name: written };
}
