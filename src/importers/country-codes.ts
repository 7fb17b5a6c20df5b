/** Reads countries in the forms that sports files use: ISO codes, three-letter IOC or FIFA codes, and names. */
import { nationTeam } from '../identity/merges.ts';
import { COUNTRIES } from '../wire/countries.ts';
import { dataRows } from '../wire/data-file.ts';

/** Maps three-letter codes to our codes, and our codes to themselves. */
const CODES = new Map([
  ...dataRows('identity/country-codes.csv', ['code', 'country']).map(({ code, country }) => [code, country] as const),
  ...COUNTRIES.map(({ iso }) => [iso, iso] as const),
]);

/** @returns our code; undefined if the text names no country */
export const parseCountry = (text: string): string | undefined =>
  CODES.get(text.trim().toUpperCase()) ?? nationTeam(text)?.country;
