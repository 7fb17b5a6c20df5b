/**
 * Values in a feed update: texts, times, countries, links. `.meta` describes in JSON Schema what a refinement checks.
 */
import { z } from 'zod';
import { SPORT_SLUGS } from '../sports/sports.ts';

/** Returns the fault in a text that Postgres cannot store or people cannot read. */
function textFault(value: string): string | undefined {
  if (value.includes('\0')) return 'must not contain NUL';
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  return value.trim() === '' ? 'must not be blank' : undefined;
}
const NOT_BLANK = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';
/** Counts characters as JSON Schema and people do, since `length` counts a character outside the basic plane twice. */
export const upTo = (max: number) =>
  z
    .string()
    .check((ctx) => {
      const { value, issues } = ctx;
      if (value.length <= max || [...value].length <= max) return;
      const message = `must have at most ${max} characters`;
      issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value, message });
    })
    .meta({ maxLength: max });
const text = (max: number) =>
  upTo(max)
    .min(1)
    .refine((value) => textFault(value) === undefined, { error: ({ input }) => textFault(input as string) })
    .meta({ maxLength: max, pattern: NOT_BLANK });
export const name = text(200);
export const externalId = text(200);
/** Range of plausible years. Years outside are mistakes, and Postgres does not accept some of them as dates. */
const [FIRST_YEAR, LAST_YEAR] = [1800, 2200];
const inCalendar = (value: string) => {
  const year = new Date(value).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
};
export const CALENDAR = `From ${FIRST_YEAR} to ${LAST_YEAR} (UTC)`;
export const at = z.iso
  .datetime({ offset: true })
  .refine(inCalendar, `must be from ${FIRST_YEAR} to ${LAST_YEAR}`)
  .meta({ description: CALENDAR });
export const date = z.iso
  .date()
  .refine(inCalendar, `must be from ${FIRST_YEAR} to ${LAST_YEAR}`)
  .meta({ description: CALENDAR });
export const country = z
  .string()
  .regex(/^([A-Z]{2}|GB-(ENG|SCT|WLS|NIR)|INT)$/, 'must be ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR or INT');
/** Sports are rows in the database and are checked there. The document lists the initial ones. */
export const sport = z.string().max(50).meta({ enum: SPORT_SLUGS });

const URL_MAX_CHARACTERS = 2_000;
/**
 * Only http and https, because a client's link must not run as a script in its page. No user name or password, which
 * would be published.
 */
const HTTP_URL = /^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/i;
export const httpUrl = upTo(URL_MAX_CHARACTERS)
  .refine((value) => HTTP_URL.test(value) && URL.canParse(value), 'must be an http or https URL, without a user name')
  .meta({
    format: 'uri',
    maxLength: URL_MAX_CHARACTERS,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\]+([/?#]\\S*)?$',
  });

export const gender = z.enum(['men', 'women', 'mixed']);
export const smallInt = z.int().min(0).max(32_767);

/** Size limit for any list in an update. A longer one is refused before the schema runs (feed/validation.ts). */
export const MAX_ITEMS = 5_000;
