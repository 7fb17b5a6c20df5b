/** Describes in words what the feed update schema expects at a path. */
import { z } from 'zod';
import { feedUpdate } from '../wire/feed-update.ts';

type Schema = z.core.JSONSchema._JSONSchema;
type SchemaObject = Exclude<Schema, boolean>;

const root = z.toJSONSchema(feedUpdate, { io: 'input', unrepresentable: 'any' }) as SchemaObject;

const isObject = (schema: Schema | undefined): schema is SchemaObject => typeof schema === 'object';

function resolved(schema: Schema | undefined): SchemaObject | null {
  if (!isObject(schema)) return null;
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved(root.$defs?.[name]);
}

const choices = (schema: SchemaObject): SchemaObject[] =>
  ([...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as Schema[])
    .map(resolved)
    .filter((choice): choice is SchemaObject => choice !== null);

/** Returns the schema for updates of this kind, or null for an unknown kind. */
const updateOfKind = (kind: unknown): SchemaObject | null =>
  choices(resolved(root)!).find(({ properties }) => resolved(properties?.kind)?.const === kind) ?? null;

function memberAt(schema: SchemaObject, name: string): SchemaObject | null {
  if (/^\d+$/.test(name) && schema.items !== undefined) return resolved(schema.items as Schema);
  const own = resolved(schema.properties?.[name]);
  if (own !== null) return own;
  for (const choice of choices(schema)) {
    const found = memberAt(choice, name);
    if (found !== null) return found;
  }
  return null;
}

function schemaAt(kind: unknown, path: readonly string[]): SchemaObject | null {
  let schema = path[0] === 'kind' ? null : updateOfKind(kind);
  for (const name of path) schema = schema && memberAt(schema, name);
  return schema;
}

function fieldsIn(schema: SchemaObject): string {
  const required = new Set(schema.required ?? []);
  return Object.keys(schema.properties ?? {})
    .map((name) => (required.has(name) ? `${name} (required)` : name))
    .join(', ');
}

function rangeText({ minimum, maximum }: SchemaObject): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a time with its zone, 2024-05-19T15:00:00Z',
  date: 'a day, 2024-05-19',
  uri: 'an http or https address',
};

function describe(schema: SchemaObject): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  const alternatives = choices(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map(describe))].join(', or ');
  if (schema.type === 'integer' || schema.type === 'number')
    return `${schema.type === 'integer' ? 'an integer' : 'a number'}${rangeText(schema)}`;
  if (schema.type === 'array') return 'a list';
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'object')
    return schema.properties === undefined ? 'an object' : `an object with ${fieldsIn(schema)}`;
  if (schema.type !== 'string') return schema.type === 'null' ? 'null' : 'another value';
  return (
    FORMATS[schema.format ?? ''] ??
    (schema.maxLength === undefined ? 'a text' : `a text of at most ${schema.maxLength} characters`)
  );
}

/** @param kind the update's kind @param path the fault's path; empty for the whole update */
export function expectedAt(kind: unknown, path: string): string | null {
  const names = path === '' ? [] : path.split('.');
  if (updateOfKind(kind) === null) return `"kind" is one of match, participant, tournament, venue`;
  const schema = schemaAt(kind, names);
  if (schema !== null) return describe(schema);
  const parent = schemaAt(kind, names.slice(0, -1));
  return parent?.properties === undefined ? null : `fields here are ${fieldsIn(parent)}`;
}
