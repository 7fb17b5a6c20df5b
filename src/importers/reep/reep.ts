/** The Reep register (github.com/withqwerty/reep): teams.csv, competitions.csv and people.csv, with ids at many providers. */
import { isDay } from '../../providers/index.ts';
import type { RegisterEntity, RegisterEntry } from '../../register/index.ts';
import { csvRows, isRow, type Row } from '../csv.ts';
import { faultAt, type InputFile } from '../files.ts';
import { eachFile, fileImporter, type ImportItem } from '../importer.ts';
import { registerCountries } from './countries.ts';

const REGISTER = 'reep';
/** Files begin with these names. seasons.csv and names.csv are not read: seasons have no ids of ours, and names have no ids. */
const ENTITIES: Readonly<Record<string, RegisterEntity>> = {
  teams: 'team',
  competitions: 'tournament',
  people: 'player',
};
const LONGEST = 200;
const KEY = 'key_';
/** Columns that say something about another id, and have no id of their own. */
const NOT_IDS = new Set(['key_fbref_verified']);

const findEntity = ({ name }: InputFile): RegisterEntity | undefined =>
  /\.csv$/u.test(name) ? ENTITIES[/^[a-z]+/u.exec(name)?.[0] ?? ''] : undefined;

export const reep = fileImporter({
  format: REGISTER,
  provider: REGISTER,
  description: 'the Reep register: teams.csv, competitions.csv and people.csv with ids at many providers',
  expected: 'teams.csv, competitions.csv or people.csv of the Reep register',
  accepts: (file) => findEntity(file) !== undefined,
  readFiles: eachFile(readFile),
});

async function* readFile(file: InputFile): AsyncGenerator<ImportItem> {
  const entity = findEntity(file)!;
  for await (const item of csvRows(file, ['name', ['reep_id', 'key_wikidata']])) {
    if (!isRow(item)) {
      yield item;
      continue;
    }
    const entry = readEntry(item.row, entity);
    yield typeof entry === 'string' ? faultAt(item.position, entry) : { kind: 'entry', position: item.position, entry };
  }
}

/** @returns an error text if the row is wrong */
function readEntry(row: Row, entity: RegisterEntity): RegisterEntry | string {
  const register_id = row.reep_id || row.key_wikidata;
  if (!register_id) return 'the row has no id: reep_id and key_wikidata are empty';
  if (!row.name) return 'the name is missing';
  const ids = { [REGISTER]: register_id, ...readIds(row) };
  const long = [...Object.entries(ids), ['name', row.name], ['full_name', row.full_name ?? '']].find(
    ([, text]) => text!.length > LONGEST,
  );
  if (long !== undefined) return `${long[0]} has more than ${LONGEST} characters`;
  const since = readDay(row.date_of_birth || row.founded);
  if (since !== null && !isDay(since)) return `${JSON.stringify(since)} is not a day such as 1998-12-20`;
  return {
    register: REGISTER,
    entity,
    register_id,
    name: row.name,
    full_name: row.full_name || null,
    countries: registerCountries(row.nationality || row.country || ''),
    since,
    ids,
  };
}

/** Wikidata writes an address in place of a day that is not known. @returns null if the row has no day */
const readDay = (day: string | undefined): string | null =>
  !day || day.startsWith('http://www.wikidata.org/.well-known/genid/') ? null : day;

/** Reads the columns such as key_fbref. An address in place of an id says nothing about the entity, and is left out. */
function readIds(row: Row): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const [column, value] of Object.entries(row)) {
    if (!column.startsWith(KEY) || NOT_IDS.has(column) || value === '' || value.includes('://')) continue;
    ids[column.slice(KEY.length)] = value;
  }
  return ids;
}
