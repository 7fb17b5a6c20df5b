/** The countries in data/countries.csv. */
import { dataRows } from './data-file.ts';

export const COUNTRIES = dataRows('countries.csv', ['iso', 'name', 'name_ru']);
