/** Texts for weather codes, from data/weather-codes.csv. */
import type { z } from 'zod';
import { dataRows } from '../wire/data-file.ts';
import type { nameI18n } from '../wire/match.ts';

type Texts = Required<z.infer<typeof nameI18n>>;

const CONDITIONS: ReadonlyMap<number, Texts> = new Map(
  dataRows('weather-codes.csv', ['code', 'en', 'ru']).map(({ code, ...texts }) => [Number(code), texts]),
);

/** Returns a code's texts; undefined for a code that is not in the table. */
export const describeCode = (code: number | null): Texts | undefined =>
  code === null ? undefined : CONDITIONS.get(code);
