/** Clubs by the names that the file has for them, from data/identity/afl-clubs.csv. */
import { dataRows } from '../../wire/data-file.ts';
import { grouped } from '../../wire/grouped.ts';

/** A club under its present or its last name. Names of their time are in former-names.csv. */
export interface Club {
  name: string;
  name_ru: string;
}

const ROWS = dataRows('identity/afl-clubs.csv', ['written', 'from', 'until', 'name', 'name_ru']);
const BY_NAME: ReadonlyMap<string, Club> = new Map(
  ROWS.map(({ written, name, name_ru }) => [written, { name, name_ru }]),
);
const SEASONS = grouped(ROWS, ({ name }) => name);

/**
 * Returns the club with a name. The name may be one from another time.
 * @returns undefined for an unknown name, and for a club that did not play in that season
 */
export function findClub(written: string, season: number): Club | undefined {
  const club = BY_NAME.get(written);
  const played = SEASONS.get(club?.name ?? '')?.some(
    ({ from, until }) => season >= Number(from) && (until === '' || season <= Number(until)),
  );
  return played ? club : undefined;
}
