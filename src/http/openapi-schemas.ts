/** JSON Schemas of the OpenAPI document, from zod: named ones become components. */
import { z } from 'zod';
import { MAX_INTEGER } from './query.ts';

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

const AUTOMATIC = '#/$defs/__schema';

/**
 * Inlines the parts of recursive schemas that zod has numbered (`__schema0`): the numbers differ between uses of a
 * schema.
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

/** Named schemas, collected from the `$defs` that zod writes for schemas with an id. */
export class Components {
  readonly schemas: JsonObject = {};

  /** Returns the schema with references to components in place of `$defs`. */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const written = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io, target: 'draft-2020-12' }))) as JsonObject;
    const { $schema: _, $defs = {}, ...root } = written;
    const defs = $defs as JsonObject;
    for (const [name, definition] of Object.entries(defs)) {
      if (!name.startsWith('__')) this.#register(name, this.#move(definition, defs));
    }
    return this.#move(root, defs);
  }

  #move(schema: Json, defs: JsonObject): JsonObject {
    const text = JSON.stringify(inline(schema, defs))
      .replaceAll('"#/$defs/', '"#/components/schemas/')
      // Every integer in JSON is within these bounds; repeated everywhere they would hide the meaningful ones.
      .replaceAll(`,"minimum":-${MAX_INTEGER},"maximum":${MAX_INTEGER}`, '');
    return JSON.parse(text) as JsonObject;
  }

  #register(name: string, { id: _, ...body }: JsonObject): void {
    const known = this.schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(body)) {
      throw new TypeError(`two different schemas have the id ${name}`);
    }
    this.schemas[name] = body;
  }
}
