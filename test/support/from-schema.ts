/**
 * Random values that a JSON Schema in the OpenAPI document allows. These are the requests of a careful client that
 * knows only the document.
 */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/http/openapi-schemas.ts';

const MAX = Number.MAX_SAFE_INTEGER;
/**
 * Characters for free text: letters of several alphabets, characters that escaping and URLs treat specially, and one
 * outside the basic plane.
 */
const CHARACTER = fc.constantFrom(...'aZ09éЖ字 -_.,:;/\\?&#%+="\'<>{}[]\u2028\u00a0😀');
/** Usual maximum length. Schemas allow more, and their limits are tried too. */
const USUAL_LENGTH = 12;

const sizes = (min: number, max: number | undefined) =>
  fc.oneof(
    fc.integer({ min, max: Math.max(min, Math.min(max ?? USUAL_LENGTH, USUAL_LENGTH)) }),
    ...(max === undefined ? [] : [fc.constantFrom(min, max)]),
  );

function text({ minLength = 0, maxLength, pattern, format }: JsonObject): fc.Arbitrary<string> {
  if (format === 'day-or-time') return fc.oneof(text({ format: 'date' }), text({ format: 'date-time' }));
  if (format === 'date')
    return fc
      .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
  if (format === 'date-time') {
    return fc
      .tuple(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2026-01-01'), noInvalidDate: true }),
        fc.constantFrom('Z', '+03:00', '-11:30'),
      )
      .map(([date, zone]) => `${date.toISOString().slice(0, 19)}${zone}`);
  }
  if (format === 'condition')
    return fc.constantFrom(
      'data.match.minute>=80',
      'data.incident.kind in goal|card',
      'data.changes exists',
      'type=match.goal',
    );
  if (format === 'time-zone') return fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'Europe/Kyiv', 'utc');
  if (format === 'uri')
    return fc.webUrl({ withQueryParameters: true, withFragments: true }).filter((url) => url.length < 2_000);
  const [min, max] = [minLength as number, maxLength as number | undefined];
  const matches = (value: string) => pattern === undefined || new RegExp(String(pattern), 'u').test(value);
  const fits = (value: string) => [...value].length >= min && (max === undefined || [...value].length <= max);
  // Text with a pattern is generated from the pattern.
  if (pattern !== undefined && !String(pattern).includes('\\u0000'))
    return fc.stringMatching(new RegExp(String(pattern).replaceAll('\\d', '[0-9]'))).filter(fits);
  // Random long text would almost always contain a comma, so commas are replaced.
  const allowed = (value: string) => (String(pattern).startsWith('^[^,') ? value.replaceAll(',', ';') : value);
  return sizes(min, max).chain((length) =>
    fc.string({ unit: CHARACTER, minLength: length, maxLength: length }).map(allowed).filter(matches),
  );
}

function numeric(schema: JsonObject): fc.Arbitrary<number> {
  const { type, minimum, maximum, exclusiveMinimum } = schema as Record<string, number | string | undefined>;
  if (type === 'integer') return fc.integer({ min: (minimum as number) ?? -MAX, max: (maximum as number) ?? MAX });
  return fc
    .double({
      min: (exclusiveMinimum as number) ?? (minimum as number) ?? -1e9,
      max: (maximum as number) ?? 1e9,
      minExcluded: exclusiveMinimum !== undefined,
      noNaN: true,
      noDefaultInfinity: true,
    })
    .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));
}

/** @param root the document, to resolve references */
export function fromSchema(schema: JsonObject, root: JsonObject): fc.Arbitrary<Json> {
  const of = (one: Json) => fromSchema(one as JsonObject, root);
  if (typeof schema.$ref === 'string') {
    const at = schema.$ref
      .slice(2)
      .split('/')
      .reduce<Json>((value, step) => (value as JsonObject)[step]!, root);
    return of(at);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  for (const keyword of ['anyOf', 'oneOf']) {
    const parts = schema[keyword];
    if (Array.isArray(parts)) return fc.oneof(...parts.map(of));
  }
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => of({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
    case 'number':
      return numeric(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const [min, max] = [(schema.minItems as number) ?? 0, (schema.maxItems as number) ?? 3];
      const list = schema.uniqueItems === true ? fc.uniqueArray : fc.array;
      return list(of(schema.items!), { minLength: min, maxLength: Math.max(min, Math.min(max, 3)) });
    }
    case 'object':
      return object(schema, root);
    default:
      throw new TypeError(`no values for ${JSON.stringify(schema)}`);
  }
}

/** Any value, for a schema that allows everything. */
const ANY = fc.oneof(fc.boolean(), fc.integer(), fc.string({ unit: CHARACTER, maxLength: 5 }), fc.constant(null));

function object(schema: JsonObject, root: JsonObject): fc.Arbitrary<Json> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const members = Object.entries(properties as JsonObject).map(
    ([name, one]) => [name, fromSchema(one as JsonObject, root)] as const,
  );
  const known = fc.record(Object.fromEntries(members), { requiredKeys: required as string[] });
  if (additionalProperties === false) return known;
  const isOpen = additionalProperties === undefined || Object.keys(additionalProperties as JsonObject).length === 0;
  const keys =
    propertyNames === undefined
      ? fc.constantFrom('rating', 'key_passes', 'ж')
      : fromSchema(propertyNames as JsonObject, root);
  const rest = fc.dictionary(
    keys as fc.Arbitrary<string>,
    isOpen ? ANY : fromSchema(additionalProperties as JsonObject, root),
    { maxKeys: 3, noNullPrototype: true },
  );
  return fc.tuple(known, rest).map(([one, more]) => ({ ...more, ...one }));
}
