/** Schemas for path and query parameters: text in, typed values out, with the OpenAPI schema of the typed value. */
import { z } from 'zod';
import { SPORT_SLUGS } from '../wire/sports.ts';

/** Ids and cursors above this cannot be told apart in JSON. */
export const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

/** Decimal digits alone: `1.5`, `1e3`, `+1`, `007` and an empty value are faults. */
export function integer(min: number, max: number) {
  const range = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^(0|-?[1-9]\d*)$/, range)
    .transform(Number)
    .pipe(z.int(range).min(min, range).max(max, range));
}

export const idParam = integer(1, MAX_INTEGER);
export const idParams = z.object({ id: idParam });

/** Page size; over the maximum is a fault, for nothing is cut silently. */
export const limit = (standard: number, max: number, min = 1) => integer(min, max).default(standard);
export const offset = integer(0, MAX_INTEGER).default(0);
/** A position in the event log. */
export const cursor = integer(0, MAX_INTEGER);

export const bool = z
  .enum(['true', 'false', '1', '0'], 'must be true, false, 1 or 0')
  .transform((value) => value === 'true' || value === '1')
  .pipe(z.boolean());

/** A day that exists, YYYY-MM-DD, from the year 1 on. */
export const date = z
  .string()
  .pipe(z.iso.date('must be a date that exists, YYYY-MM-DD'))
  .refine((value) => !value.startsWith('0000'), 'must be a date that exists, YYYY-MM-DD');

const zonedTime = z.iso.datetime({ offset: true }).or(z.iso.date());
const isInstant = (value: string) =>
  zonedTime.safeParse(value).success && /^(?!0000)\d{4}-/.test(new Date(value).toISOString());

/** An instant with its zone, or a day, which means its start in UTC; given as YYYY-MM-DDTHH:MM:SS.sssZ. */
export const instant = z
  .string()
  .refine(isInstant, {
    error: 'must be a day (2024-05-19) or a time with its zone (2024-05-19T15:00:00Z)',
    abort: true,
  })
  .transform((value) => new Date(value).toISOString())
  .pipe(z.string().meta({ format: 'date-time' }));

/** Text of `min` to `max` characters, without surrounding white space. */
export function text(min: number, max: number) {
  const length = `must have ${min} to ${max} characters`;
  return z
    .string()
    .transform((value) => value.trim())
    .pipe(
      z
        .string()
        // Code points, as people count; `length` counts UTF-16 units.
        .refine((value) => [...value].length >= min && [...value].length <= max, length)
        .meta({ minLength: min, maxLength: max }),
    );
}

export const oneOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/** `a,b,c`, at most `max` of them; repeated ones count once. */
export const commaList = <T extends z.ZodType<unknown, string>>(item: T, max = 100) =>
  z
    .string()
    .transform((value) => [...new Set(value.split(',').map((part) => part.trim()))])
    .pipe(z.array(item).max(max, `must have at most ${max} values`));

/** The language of texts; without it Accept-Language decides. */
export const lang = oneOf(['en', 'ru']).optional();

/** A sport filter; an unknown one is a fault that names the known ones. */
export const sportSlug = oneOf(SPORT_SLUGS).meta({ description: 'A sport, by its slug' });
