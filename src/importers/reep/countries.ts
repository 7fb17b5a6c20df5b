/** Reads countries as Wikidata names them, by the state in which a club plays or of which a person is a citizen. */
import { parseCountry } from '../country-codes.ts';

const HOME_NATIONS = ['GB-ENG', 'GB-SCT', 'GB-WLS', 'GB-NIR'];

/**
 * Names that our list lacks, and states that have fallen apart. A club of such a state may be in any of several countries now, so
 * the state says nothing.
 */
const STATES: Readonly<Record<string, readonly string[]>> = {
  'United Kingdom': HOME_NATIONS,
  'United Kingdom of Great Britain and Ireland': [...HOME_NATIONS, 'IE'],
  "People's Republic of China": ['CN'],
  'The Bahamas': ['BS'],
  'Kingdom of the Netherlands': ['NL'],
  'Kingdom of Denmark': ['DK'],
  'Kingdom of Italy': ['IT'],
  'Kingdom of Romania': ['RO'],
  'Kingdom of Bulgaria': ['BG'],
  "Hungarian People's Republic": ['HU'],
  'German Reich': ['DE'],
  'German Empire': ['DE'],
  'Nazi Germany': ['DE'],
  'German Democratic Republic': ['DE'],
  'Second Polish Republic': ['PL'],
  'Soviet Union': [],
  Yugoslavia: [],
  Czechoslovakia: ['CZ', 'SK'],
  // Citizens of one country may play for a club, or a national team, of the other.
  Monaco: ['MC', 'FR'],
  Liechtenstein: ['LI', 'CH'],
};

/** @returns our codes; none for an unknown name */
export const registerCountries = (name: string): string[] => {
  const known = STATES[name];
  if (known !== undefined) return [...known];
  const code = parseCountry(name);
  return code === undefined ? [] : [code];
};
