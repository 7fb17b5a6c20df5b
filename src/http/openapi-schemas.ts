/** Converts zod schemas to JSON Schemas for the OpenAPI document. Schemas with a name become components. */
import { z } from 'zod';
import { MAX_INTEGER } from './query.ts';

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

export interface OpenApiDocument extends JsonObject {
  openapi: string;
  paths: JsonObject;
  components: JsonObject;
}

const AUTOMATIC = '#/$defs/__schema';

/**
 * zod makes numbered parts (`__schema0`) from recursive schemas, and their numbers differ between uses of a schema.
 * Replaces references to these parts by the parts themselves.
 */
function inline(value: Json, defs: JsonObject, within: readonly string[] = []): Json {
  if (Array.isArray(value)) return value.map((item) => inline(item, defs, within));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value;
  if (typeof $ref === 'string' && $ref.startsWith(AUTOMATIC)) {
    if (within.includes($ref)) throw new TypeError('a schema that refers to itself needs an id: .meta({ id })');
    return inline(defs[$ref.slice('#/$defs/'.length)]!, defs, [...within, $ref]);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inline(member, defs, within)]));
}

const LISTS = new Set(['anyOf', 'oneOf', 'allOf']);
const SINGLE = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNull = (schema: Json) => isObject(schema) && schema.type === 'null';

/** Rewrites a schema whose parts are already rewritten. */
function rewriteOne(schema: JsonObject): JsonObject {
  const { type, const: only, anyOf, ...rest } = schema;
  // Without a format, generators choose 32 bits for ids.
  if (type === 'integer' || Number.isInteger(only)) return { ...schema, type: 'integer', format: 'int64' };
  // Generated Java for a boolean with one value does not compile.
  if (typeof only === 'boolean') return { type: 'boolean', ...rest };
  if (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1)
    return { anyOf: type.map((one) => rewriteOne({ type: one })), ...rest };
  if (Array.isArray(anyOf) && anyOf.length === 2) {
    const other = anyOf.find((one) => !isNull(one));
    if (anyOf.some(isNull) && isObject(other) && typeof other.type === 'string') {
      const nullable = { ...other, type: [other.type, 'null'] };
      return { ...nullable, ...(Array.isArray(other.enum) && { enum: [...other.enum, null] }), ...rest };
    }
  }
  return schema;
}

/**
 * Moves a member `d` to the end. Code from openapi-python-client keeps the unread members in a variable `d`, and
 * overwrites it when it reads the member `d` (docs/generated-clients.md).
 */
const dLast = ([a]: readonly [string, Json], [b]: readonly [string, Json]) => Number(a === 'd') - Number(b === 'd');

/**
 * Returns a schema with the same meaning, in a form that client generators understand. Every integer has a format. A
 * nullable value is `[type, 'null']`. All other lists of types are replaced.
 */
export function forGenerators(schema: Json): Json {
  // `additionalProperties` may be a boolean.
  return isObject(schema) ? objectForGenerators(schema) : schema;
}

function objectForGenerators(schema: JsonObject): JsonObject {
  const parts = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (LISTS.has(keyword) && Array.isArray(value)) return [keyword, value.map(forGenerators)];
    if (SINGLE.has(keyword)) return [keyword, forGenerators(value)];
    if (keyword !== 'properties' || !isObject(value)) return [keyword, value];
    const members = Object.entries(value).map(([name, one]) => [name, forGenerators(one)] as const);
    return [keyword, Object.fromEntries(members.sort(dLast))];
  });
  return rewriteOne(Object.fromEntries(parts));
}

/** Collects named schemas from the `$defs` that zod writes for schemas with an id. */
export class Components {
  readonly schemas: JsonObject = {};

  /** Returns the JSON Schema. References to `$defs` become references to components. */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const written: JsonObject = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io, target: 'draft-2020-12' })));
    const { $schema: _, $defs, ...root } = written;
    const defs = isObject($defs) ? $defs : {};
    for (const [name, definition] of Object.entries(defs)) {
      if (!name.startsWith('__')) this.#register(name, this.#move(definition, defs));
    }
    return this.#move(root, defs);
  }

  #move(schema: Json, defs: JsonObject): JsonObject {
    const text = JSON.stringify(inline(schema, defs))
      .replaceAll('"#/$defs/', '"#/components/schemas/')
      // Every integer in JSON is within these bounds. Repeated everywhere, they would hide the meaningful ones.
      .replaceAll(`,"minimum":-${MAX_INTEGER},"maximum":${MAX_INTEGER}`, '');
    return objectForGenerators(JSON.parse(text));
  }

  #register(name: string, { id: _, ...body }: JsonObject): void {
    const known = this.schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(body)) {
      throw new TypeError(`two different schemas have the id ${name}`);
    }
    this.schemas[name] = body;
  }
}
