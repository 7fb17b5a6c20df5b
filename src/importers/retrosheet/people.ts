/** Reads the Baseball Databank's People.csv: players with dates and places of birth, by Retrosheet's ids. */

import { isDay } from '../../providers/index.ts';
import type { FeedUpdateInput } from '../../wire/feed-update.ts';
import { parseCountry } from '../country-codes.ts';
import { csvUpdates, integer, type Row } from '../csv.ts';
import { participantUpdate } from '../feed-updates.ts';
import type { InputFile } from '../files.ts';
import type { ImportItem } from '../importer.ts';
import { RETROSHEET } from './game.ts';

/** Countries that the file abbreviates. */
const COUNTRIES: Readonly<Record<string, string>> = { 'D.R.': 'DO', 'P.R.': 'PR', 'V.I.': 'VI', CAN: 'CA', USA: 'US' };
const CENTIMETRES_PER_INCH = 2.54;
const KILOGRAMS_PER_POUND = 0.453_592_37;

export const readPeople = (file: InputFile): AsyncGenerator<ImportItem> =>
  csvUpdates(file, ['retroID', 'nameFirst', 'nameLast', 'birthYear'], ({ row }) => {
    // Managers and owners who never played a game have no id.
    if (!row.retroID) return undefined;
    const name = [row.nameFirst, row.nameLast].filter(Boolean).join(' ');
    return name === '' ? 'the player has no name' : toUpdate(row, name, file);
  });

function toUpdate(row: Row, name: string, file: InputFile): FeedUpdateInput {
  const two = (text: string | undefined) => (text ?? '').padStart(2, '0');
  const born = `${row.birthYear}-${two(row.birthMonth)}-${two(row.birthDay)}`;
  const country = row.birthCountry ? (COUNTRIES[row.birthCountry] ?? parseCountry(row.birthCountry)) : undefined;
  const [inches, pounds] = [integer(row.height), integer(row.weight)];
  const extra = {
    ...(row.birthCity && { birth_place: row.birthCity }),
    ...(inches && { height_cm: Math.round(inches * CENTIMETRES_PER_INCH) }),
    ...(pounds && { weight_kg: Math.round(pounds * KILOGRAMS_PER_POUND) }),
    ...(row.bats && { bats: row.bats }),
    ...(row.throws && { throws: row.throws }),
  };
  return participantUpdate(RETROSHEET, file, {
    id: row.retroID!,
    type: 'player',
    sport: 'baseball',
    name,
    ...(country && { country }),
    ...(isDay(born) && { birth_date: born }),
    ...(Object.keys(extra).length > 0 && { extra }),
  });
}
