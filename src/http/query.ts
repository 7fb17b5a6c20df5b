/**
 * Schemas for path and query parameters. They convert text to typed values, and appear in OpenAPI with the schema of
 * the typed value.
 */
import { z } from 'zod';
import { SPORT_SLUGS } from '../sports/sports.ts';

/** Largest integer that JSON represents exactly. */
export const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

/** Accepts decimal digits only. `1.5`, `1e3`, `+1`, `007` and an empty value are errors. */
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

/** How many items a page has. A number above the maximum is an error; it is not lowered silently. */
export const limit = (standard: number, max: number, min = 1) => integer(min, max).default(standard);
export const offset = integer(0, MAX_INTEGER).default(0);
/** A position in the event log. */
export const cursor = integer(0, MAX_INTEGER);

export const bool = z
  .enum(['true', 'false', '1', '0'], 'must be true, false, 1 or 0')
  .transform((value) => value === 'true' || value === '1')
  .pipe(z.boolean().meta({ description: 'true or false; 1 and 0 are accepted as well' }));

/** An existing day, YYYY-MM-DD, from year 1 on. In the document, the schema can only restrict the year. */
export const date = z
  .string()
  .pipe(z.iso.date('must be an existing date, YYYY-MM-DD'))
  .refine((value) => !value.startsWith('0000'), 'must be an existing date, YYYY-MM-DD');

const zonedTime = z.iso.datetime({ offset: true }).or(z.iso.date());
const isTime = (value: string) =>
  zonedTime.safeParse(value).success && /^(?!0000)\d{4}-/.test(new Date(value).toISOString());

/** A format name of our own. In Java clients, a choice between `date` and `date-time` would have no type. */
const DAY_OR_TIME = 'day-or-time';

/** A time with a zone, or a day, which stands for that day's start in UTC. Parsed to YYYY-MM-DDTHH:MM:SS.sssZ. */
export const timeParam = z
  .string()
  .refine(isTime, {
    error: 'must be a day (2024-05-19) or a time with its zone (2024-05-19T15:00:00Z)',
    abort: true,
  })
  .transform((value) => new Date(value).toISOString())
  .pipe(
    z.string().meta({
      format: DAY_OR_TIME,
      description:
        'A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted',
    }),
  );

/**
 * True for old and new names from the IANA database, in upper or lower case. An offset such as +01:00 is not accepted.
 */
const isTimeZone = (name: string): boolean => {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
};
export const timeZone = z
  .string()
  .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
  // No enum, because the database gains names and a client would refuse new ones.
  .meta({
    format: 'time-zone',
    pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
    examples: ['Europe/Kyiv', 'Asia/Kolkata', 'UTC'],
  });

/** Schema for a text with `min` to `max` characters, without surrounding white space. */
export function text(min: number, max: number) {
  const length = `must have ${min} to ${max} characters`;
  return z
    .string()
    .transform((value) => value.trim())
    .pipe(
      z
        .string()
        // Counts code points, as people do; `length` counts UTF-16 units.
        .refine((value) => [...value].length >= min && [...value].length <= max, length)
        .meta({ minLength: min, maxLength: max, pattern: TRIMMED }),
    );
}

/** Matches a trimmed text without NUL. */
const TRIMMED = '^[^\\s\\u0000]([^\\u0000]*[^\\s\\u0000])?$';

export const oneValue = <const V extends readonly string[]>(values: V) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/** A list such as `a,b,c`, with at least `min` and at most `max` values. Duplicates count once. */
export const commaList = <T extends z.ZodType<unknown, string>>(item: T, max = 100, min = 1) =>
  z
    .string()
    .transform((value) => [...new Set(value.split(',').map((part) => part.trim()))])
    .pipe(
      z
        .array(item)
        .min(min, `must have at least ${min} different values`)
        .max(max, `must have at most ${max} values`)
        // Generators make a set from it, where a list is more convenient.
        .meta(min > 1 ? { uniqueItems: true } : {}),
    );

/** A list such as `1,2,3`, with at most 100 ids, each counted once. */
export const idList = commaList(idParam, 100);

/** For routes that have `csv`. */
export const format = oneValue(['json', 'csv']).default('json').meta({
  description:
    '`csv`: the reply is `text/csv` (RFC 4180) with one row for each item; text that begins like a formula has an apostrophe before it. Generated clients always read JSON',
});

/** Parameter for replies about one thing. If true, they contain `external_ids`. */
export const externalIdsParam = bool
  .default(false)
  .meta({ description: 'Adds `external_ids`: the ids at each provider' });

/** Text language. The default comes from Accept-Language. */
export const lang = oneValue(['en', 'ru']).optional();

/** A sport filter. The error for an unknown sport lists the known ones. */
export const sportSlug = oneValue(SPORT_SLUGS).meta({ description: 'A sport, by slug' });
