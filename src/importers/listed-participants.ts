/** Reads the columns in which operators' lists name teams and players. */
import type { ListedParticipant } from '../identity/index.ts';
import { parseCountry } from './country-codes.ts';
import type { Row } from './csv.ts';
import { parseDay } from './ranking-lists/ranking-rows.ts';

const LONGEST_NAME = 200;

/**
 * @param prefix column prefix, such as `from_` for from_name, from_country, …
 * @returns an error text if the columns are wrong
 */
export function readParticipant(row: Row, prefix = ''): ListedParticipant | string {
  const cell = (column: string) => row[`${prefix}${column}`] || undefined;
  const who: ListedParticipant = {};
  const ours = cell('participant_id');
  if (ours !== undefined) {
    if (!/^[1-9]\d{0,14}$/u.test(ours)) return `${prefix}participant_id ${JSON.stringify(ours)} is not an id`;
    who.participant_id = Number(ours);
  }
  const [id, name, country, born] = [cell('id'), cell('name'), cell('country'), cell('birth_date')];
  if ([id, name].some((text) => text !== undefined && text.length > LONGEST_NAME))
    return `a name or id has more than ${LONGEST_NAME} characters`;
  if (id !== undefined) who.id = id;
  if (name !== undefined) who.name = name;
  if (country !== undefined) {
    const code = parseCountry(country);
    if (code === undefined)
      return `the ${prefix}country ${JSON.stringify(country)} is not known: write its ISO 3166-1 code, such as ES or GB-ENG`;
    who.country = code;
  }
  if (born !== undefined) {
    const birth_date = parseDay(born);
    if (birth_date === undefined) return `${prefix}birth_date ${JSON.stringify(born)} is not a day such as 1998-12-20`;
    who.birth_date = birth_date;
  }
  return who;
}
