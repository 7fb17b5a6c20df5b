/**
 * Writes src/client/api.ts, with the REST client's requests and the types of replies, from the OpenAPI document. With
 * `--check`, compares the file instead of writing it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Json, JsonObject } from '../../src/http/openapi-schemas.ts';
import { type ClientOperation, clientDocument } from './client-operations.ts';

const FILE = new URL('../../src/client/api.ts', import.meta.url);
const HEAD = `/** The types of the REST API, generated from its OpenAPI document by \`make generated\`. Do not edit. */
`;

/**
 * Schema keywords that the types take into account. Bounds on numbers and texts are ignored, since a type cannot
 * express them.
 */
const KNOWN = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'oneOf', 'items', 'properties', 'required', 'additionalProperties'],
  ...['$ref', 'propertyNames', 'description', 'default', 'examples', 'format', 'pattern', 'title', 'id'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...[
    'minItems',
    'maxItems',
    'uniqueItems',
    'minProperties',
    'maxProperties',
    'readOnly',
    'writeOnly',
    'deprecated',
    'contentEncoding',
    'discriminator',
  ],
]);

const quoted = (value: Json) =>
  JSON.stringify(value).replace(/^"(.*)"$/s, (_, text: string) => `'${text.replaceAll("'", "\\'")}'`);
const nameOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const union = (types: readonly string[]) => [...new Set(types)].join(' | ');
const grouped = (type: string) => (type.includes(' | ') ? `(${type})` : type);
const comment = ({ description }: JsonObject, indent: string) =>
  typeof description === 'string' ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : '';

/**
 * Returns the TypeScript type for a schema. `indent` is the indentation of the line on which the type begins.
 * @throws {TypeError} for an unknown keyword
 */
function typeOf(schema: JsonObject, indent = ''): string {
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword)) throw new TypeError(`no type is known for the keyword ${keyword}`);
  }
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return quoted(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(quoted));
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return union(choices.map((one) => typeOf(one as JsonObject, indent)));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `${grouped(typeOf((schema.items ?? {}) as JsonObject, indent))}[]`;
    case 'object':
      return objectType(schema, indent);
    case undefined:
      return 'unknown';
    default:
      throw new TypeError(`no type is known for ${schema.type}`);
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: JsonObject, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties as Record<string, JsonObject>).map(([name, schema]) => {
    const optional = (required as Json[]).includes(name) ? '' : '?';
    return `${comment(schema, inner)}${inner}${nameOf(name)}${optional}: ${typeOf(schema, inner)};\n`;
  });
  const more = typeof additionalProperties === 'object' ? typeOf(additionalProperties as JsonObject, inner) : null;
  if (members.length === 0) return more === null ? 'Record<string, never>' : `Record<string, ${more}>`;
  // TypeScript requires that the type for additional members includes the types of the named members.
  if (more !== null) members.push(`${inner}[member: string]: unknown;\n`);
  return `{\n${members.join('')}${indent}}`;
}

function operationType({ params, reply, body, summary }: ClientOperation): string {
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  for (const { name, schema, isRequired } of params) {
    properties[name] = schema;
    if (isRequired) required.push(name);
  }
  if (body !== undefined) {
    properties.body = body.schema;
    if (body.isRequired) required.push('body');
  }
  const type = objectType({ properties, required, additionalProperties: false }, '    ');
  const answer = reply === undefined ? 'undefined' : typeOf(reply, '    ');
  return `{\n    /** ${summary} */\n    params: ${type};\n    reply: ${answer};\n  }`;
}

/** Returns the components that these types name, and all components that those components name in turn. */
function named(text: string, types: ReadonlyMap<string, string>, found = new Set<string>()): Set<string> {
  for (const [word] of text.matchAll(/\b[A-Z]\w+\b/g)) {
    const type = types.get(word);
    if (type === undefined || found.has(word)) continue;
    found.add(word);
    named(type, types, found);
  }
  return found;
}

export function clientTypes(): string {
  const { operations: found, schemas } = clientDocument();
  const operations = found.map((one) => `  '${one.method} ${one.path}': ${operationType(one)};\n`);
  const all = `/** By method and path. */\nexport interface Operations {\n${operations.join('')}}\n`;
  const types = new Map(
    Object.entries(schemas).map(([name, schema]) => {
      const type = typeOf(schema);
      const head = type.startsWith('{') ? `export interface ${name} ${type}` : `export type ${name} = ${type};`;
      return [name, `${comment(schema, '')}${head}\n`];
    }),
  );
  const used = named(`${all} Problem EventFrame`, types);
  return [HEAD, ...[...types].filter(([name]) => used.has(name)).map(([, text]) => text), all].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const text = clientTypes();
  if (!process.argv.includes('--check')) writeFileSync(FILE, text);
  else if (readFileSync(FILE, 'utf8') !== text) {
    console.error('src/client/api.ts does not fit the OpenAPI document: run `make generated`');
    process.exitCode = 1;
  }
}
