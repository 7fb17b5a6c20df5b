/** Countries in the notations of sports files: ISO codes, the three letters of the IOC or of FIFA, or names. */
import { nationTeam } from '../identity/merges.ts';
import { COUNTRIES } from '../wire/countries.ts';
import { dataRows } from '../wire/data-file.ts';

/** Codes of three letters, and our own, with our codes. */
const CODES = new Map([
  ...dataRows('identity/country-codes.csv', ['code', 'country']).map(({ code, country }) => [code, country] as const),
  ...COUNTRIES.map(({ iso }) => [iso, iso] as const),
]);

/** @returns our code; undefined for a text that names no country */
export const parseCountry = (text: string): string | undefined =>
  CODES.get(text.trim().toUpperCase()) ?? nationTeam(text)?.country;
