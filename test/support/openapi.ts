/** Faults of an OpenAPI document: by the public validator, by our own rule that no object is open, and by rules of generators. */
import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenApiDocument } from '../../src/http/openapi.ts';
import type { Json, JsonObject } from '../../src/http/openapi-schemas.ts';

/** Members that depend on the sport or on the provider; no other may be open or untyped. */
const OPEN_MEMBERS = new Set(['extra', 'payload', 'stats', 'changes', 'previous', 'rules', 'details']);
const TYPING = ['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not'];

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns paths of schemas without a description of their content. */
function openSchemas(schema: Json | undefined, path: string, member: string): string[] {
  if (OPEN_MEMBERS.has(member)) return [];
  if (!isObject(schema) || !TYPING.some((keyword) => keyword in schema)) return [`${path} is untyped`];
  const found: string[] = [];
  const types = [schema.type].flat();
  if (types.includes('object')) {
    const rest = schema.additionalProperties;
    if (rest === undefined || rest === true) found.push(`${path} is open`);
    else if (rest !== false) found.push(...openSchemas(rest, `${path}/additionalProperties`, ''));
  }
  for (const [name, property] of Object.entries((schema.properties ?? {}) as JsonObject)) {
    found.push(...openSchemas(property, `${path}/${name}`, name));
  }
  if (types.includes('array')) found.push(...openSchemas(schema.items, `${path}/items`, ''));
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    for (const [i, part] of ((schema[keyword] ?? []) as Json[]).entries()) {
      found.push(...openSchemas(part, `${path}/${keyword}/${i}`, member));
    }
  }
  return found;
}

function collect(value: Json, visit: (object: JsonObject, path: string) => void, path = ''): void {
  if (Array.isArray(value)) for (const [i, item] of value.entries()) collect(item, visit, `${path}/${i}`);
  if (!isObject(value)) return;
  visit(value, path);
  for (const [name, member] of Object.entries(value)) collect(member, visit, `${path}/${name}`);
}

function resolves(document: OpenApiDocument, reference: string): boolean {
  let at: Json | undefined = document;
  for (const step of reference.replace(/^#\//, '').split('/')) at = isObject(at) ? at[step] : undefined;
  return at !== undefined;
}

/** Tells whether openapi-python-client would read other members after `d`, which fails. */
const overwritesUnread = ({ properties, additionalProperties }: JsonObject): boolean =>
  isObject(properties) &&
  'd' in properties &&
  (Object.keys(properties).at(-1) !== 'd' || additionalProperties !== false);

/** The Go, Java and Python clients of a document that breaks one of these rules do not compile, or lack types. */
function generatorFaults(schema: JsonObject, path: string): string[] {
  const found: string[] = [];
  const types = Array.isArray(schema.type) ? schema.type.filter((one) => one !== 'null') : [schema.type];
  if (types.length > 1) found.push(`${path} has several types`);
  if (types.includes('integer') && schema.format !== 'int64') found.push(`${path} is an integer without a format`);
  if (typeof schema.const === 'boolean') found.push(`${path} is a boolean with one value`);
  if (overwritesUnread(schema)) found.push(`${path} has a member d before others`);
  for (const choices of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(choices)) continue;
    const unnamed = choices.filter((one) => isObject(one) && 'properties' in one);
    if (unnamed.length > 1) found.push(`${path} is a choice between objects without a name`);
    if (
      choices.some((one) => isObject(one) && one.type === 'array') &&
      choices.length > 1 &&
      path.includes('/content/')
    )
      found.push(`${path} is a body that may be an array`);
    const texts = choices.filter((one) => isObject(one) && one.type === 'string');
    if (texts.length > 1) found.push(`${path} is a choice between texts`);
  }
  return found;
}

/** Members whose values are not schemas although they look alike. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-cost']);
/** Members that hold schemas by name: `type` in `properties` is a name. */
const MAPS = new Set(['properties', 'schemas', 'patternProperties']);

function collectSchemas(value: Json, path: string, isMap = false): string[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => collectSchemas(item, `${path}/${i}`));
  if (!isObject(value)) return [];
  const own = isMap ? [] : generatorFaults(value, path);
  const parts = Object.entries(value).filter(([name]) => isMap || !DATA.has(name));
  return [
    ...own,
    ...parts.flatMap(([name, part]) => collectSchemas(part, `${path}/${name}`, !isMap && MAPS.has(name))),
  ];
}

/** Returns no faults for a document that is valid, closed and without dangling references or repeated operation ids, from which
 * generators make clients that compile. */
export async function openApiFaults(document: OpenApiDocument): Promise<string[]> {
  const faults: string[] = [];
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  if (!valid) faults.push(`the validator says: ${JSON.stringify(errors)}`);
  const operationIds: Json[] = [];
  collect(document, (object, path) => {
    if (typeof object.$ref === 'string' && !resolves(document, object.$ref))
      faults.push(`${path}: ${object.$ref} dangles`);
    if (typeof object.operationId === 'string') operationIds.push(object.operationId);
    if (path.includes('/examples/')) return;
    if ('schema' in object && ('in' in object || path.includes('/content/'))) {
      faults.push(...openSchemas(object.schema, path, ''));
    }
  });
  for (const [name, schema] of Object.entries((document.components.schemas ?? {}) as JsonObject)) {
    faults.push(...openSchemas(schema, `/components/schemas/${name}`, ''));
  }
  faults.push(...collectSchemas(document, ''));
  faults.push(
    ...operationIds
      .filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(String(id)))
      .map((id) => `operation id ${id} is no name`),
  );
  const lowerCase = Object.keys(document.components.schemas ?? {}).map((name) => name.toLowerCase());
  faults.push(...lowerCase.filter((name, i) => lowerCase.indexOf(name) !== i).map((name) => `two schemas are ${name}`));
  const repeated = operationIds.filter((id, i) => operationIds.indexOf(id) !== i);
  return [...faults, ...repeated.map((id) => `operation id ${String(id)} is used twice`)];
}
