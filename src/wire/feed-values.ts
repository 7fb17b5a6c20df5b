/**
 * Values in a feed update: texts, times, countries, links. `.meta` describes in JSON Schema what a refinement checks.
 */
import { z } from 'zod';
import { SPORT_SLUGS } from '../sports/sports.ts';

/** Returns the fault if a text contains something that Postgres cannot store or people cannot read. */
function textFault(value: string): string | undefined {
  if (value.includes('\0')) return 'must not contain NUL';
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  return value.trim() === '' ? 'must not be blank' : undefined;
}
const NOT_BLANK = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';
/**
 * A limit in characters. Characters are counted as JSON Schema and people do; `length` would count one outside the basic
 * plane twice.
 */
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
/** Range of plausible years. Years outside it are mistakes, and some are not even valid in Postgres. */
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
/**
 * A sport's slug. Sports are rows in the database, so the slug is checked there. The OpenAPI document lists the initial sports.
 */
export const sport = z.string().max(50).meta({ enum: SPORT_SLUGS });

const URL_MAX_CHARACTERS = 2_000;
/**
 * Accepts only http and https, so that a link cannot run as a script in a client's page. Excludes user names and passwords,
 * which would be published.
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
