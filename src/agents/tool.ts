/** Derives a tool for models from each data route: name, description, arguments, and the requests that a call sends. */
import { z } from 'zod';
import { type AnyRoute, invalidParameter, MAX_INTEGER, memberSchemas, Problem, readParams } from '../http/index.ts';
import { replyShape } from './reply-shape.ts';

type Json = unknown;
type JsonObject = Record<string, Json>;

/** Tool definition, as the protocol lists it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [member: string]: unknown };
  outputSchema: { type: 'object'; [member: string]: unknown };
  annotations: { readOnlyHint: true; openWorldHint: false };
}

/** One request in a call. */
export interface Target {
  /** Value for the first placeholder in the path, as the call gave it. Null if the path has no placeholder. */
  id: unknown;
  /** Path and query. */
  url: string;
}

/** The arguments of a call. */
export interface Call {
  targets: readonly Target[];
  /** True if the call gave ids as a list. The result is then a list too, even for one id. */
  isList: boolean;
  /** Reply members to return. Null for all. */
  fields: readonly string[] | null;
  full: boolean;
  /** The `limit` value that is sent. Null if the route has none. */
  limit: number | null;
  /** Number of items before the page. Null if the route pages by a cursor instead of a number. */
  offset: number | null;
}

export interface Tool {
  definition: ToolDefinition;
  /** Query parameter names. */
  query: ReadonlySet<string>;
  /** Number of requests that are charged to the plan for each target. */
  cost: number;
  /**
   * @throws {Problem} invalid_parameter if no request can be made from the arguments; the route checks everything else
   */
  read(args: Readonly<Record<string, unknown>>): Call;
}

/** Number of items in a list, if the call has no `limit`. */
const STANDARD_LIMIT = 20;
/** Maximum `limit`. A longer list would be cut, because a model could not read it anyway. */
const MOST_ITEMS = 100;
/** Maximum number of requests in one call. */
const MOST_IDS = 10;

/** Maximum number of unknown arguments that an error names. */
const MOST_UNKNOWN = 10;
const LONGEST_NAME = 100;
/** Longest request target that Node accepts over HTTP. */
const LONGEST_URL = 16_384;

const FIELDS = 'fields';
const FULL = 'full_reply';

/** Whether a route is a tool. A tool reads data with a key and replies with a JSON document. */
export const isTool = ({ method, access, response, isStream }: AnyRoute): boolean =>
  method === 'GET' && access === 'key' && isStream !== true && !('contentType' in response);

/** `/v1/event/{id}/odds/history` → `event_odds_history`. */
export const toolName = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== 'v1' && !part.startsWith('{'))
    .join('_')
    .replaceAll(/[^A-Za-z0-9_]/g, '_');

const placeholders = (path: string): string[] => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);

/**
 * Removes schema parts that tell a model nothing, such as the bounds of every integer, patterns and examples of known formats, and
 * the patterns of texts with a limited length.
 */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      !(name === '$schema') &&
      !(name === 'maximum' && member === MAX_INTEGER) &&
      !(name === 'minimum' && member === -MAX_INTEGER) &&
      !(name === 'pattern' && ('format' in value || 'maxLength' in value)) &&
      !(name === 'examples' && 'format' in value) &&
      !(name === 'minLength' && member === 1),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, plain(member)]));
}

/**
 * The query parameters except the format, because a tool's reply is always JSON, and except the blocks of lists, because such a
 * list would be cut. A model asks for the blocks of one match.
 */
function queryMembers({ query, mostCost }: AnyRoute): Record<string, z.ZodType> {
  const { format: _, blocks, ...members } = query === undefined ? {} : memberSchemas(query);
  return { ...members, ...(blocks !== undefined && mostCost === undefined && { blocks }) };
}

/** Names of the reply's members. Empty if the schema does not list them. */
const replyMembers = ({ response }: AnyRoute): string[] =>
  response instanceof z.ZodObject ? Object.keys(response.shape) : [];

function inputSchema(route: AnyRoute): ToolDefinition['inputSchema'] {
  const query = queryMembers(route);
  const path = route.params === undefined ? {} : memberSchemas(route.params);
  const { properties, $defs } = plain(z.toJSONSchema(z.object({ ...path, ...query }), { io: 'output' })) as {
    properties: Record<string, JsonObject>;
    $defs?: JsonObject;
  };
  const names = placeholders(route.path);
  for (const name of names) properties[name] ??= { type: 'string' };
  const [only = ''] = names;
  const one = properties[only];
  if (one !== undefined && names.length === 1) {
    const description = `One, or up to ${MOST_IDS} in one call`;
    properties[only] = { anyOf: [one, { type: 'array', items: one, minItems: 1, maxItems: MOST_IDS }], description };
  }
  const { limit } = properties;
  if (typeof limit?.default === 'number') {
    limit.default = Math.min(limit.default, STANDARD_LIMIT);
    limit.maximum = Math.min(Number(limit.maximum ?? MOST_ITEMS), MOST_ITEMS);
  }
  const members = replyMembers(route);
  properties[FIELDS] = {
    type: 'array',
    items: { type: 'string', ...(members.length > 0 && { enum: members }) },
    description: 'Members to keep',
  };
  properties[FULL] = {
    type: 'boolean',
    default: false,
    description: 'All members, cut if long',
  };
  const required = Object.entries(query).flatMap(([name, schema]) =>
    schema.safeParse(undefined).success ? [] : [name],
  );
  return {
    type: 'object',
    properties,
    required: [...names, ...required],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
}

const describe = ({ method, path, summary, description }: AnyRoute): string =>
  [`${summary}.`, description, `REST: ${method} ${path}`].filter((part) => part !== undefined).join(' ');

/** @throws {Problem} invalid_parameter. Names the first unknown arguments, and lists the known ones once */
function checkNames(given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const errors = unknown.slice(0, MOST_UNKNOWN).map((name) => ({
    parameter: name.slice(0, LONGEST_NAME).toWellFormed(),
    code: 'unknown_parameter',
    detail: 'is unknown here',
  }));
  const details = errors.map(({ parameter, detail }) => `${parameter}: ${detail}`);
  if (unknown.length > errors.length) details.push(`${unknown.length - errors.length} more are unknown`);
  const detail = [...details, `the arguments are ${known.join(', ')}`].join('; ');
  throw new Problem('invalid_parameter', detail, { errors });
}

/** @throws {Problem} invalid_parameter */
function asText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => asText(name, item)).join(',');
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return String(value);
  throw invalidParameter(name, 'invalid_type', 'must be a text, a number, true or false, or a list of them');
}

/** @throws {Problem} invalid_parameter */
function readFields(value: unknown, members: readonly string[]): string[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string') || value.length === 0)
    throw invalidParameter(FIELDS, 'invalid_type', 'must be a list of names');
  const unknown = members.length === 0 ? [] : value.filter((name) => !members.includes(name));
  if (unknown.length > 0)
    throw invalidParameter(FIELDS, 'unknown_value', `has unknown names; the reply has ${members.join(', ')}`);
  return value;
}

/** @throws {Problem} invalid_parameter */
function readFull(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw invalidParameter(FULL, 'invalid_type', 'must be true or false');
  return value;
}

/**
 * Returns the path for each id in the arguments.
 * @throws {Problem} invalid_parameter
 */
function readPaths({ path, params }: AnyRoute, args: ReadonlyMap<string, unknown>): { id: unknown; path: string }[] {
  const names = placeholders(path);
  const [only] = names;
  if (only === undefined) return [{ id: null, path }];
  const given = args.get(only);
  const isList = names.length === 1 && Array.isArray(given);
  const ids: readonly unknown[] = isList ? [...new Set(given)] : [given];
  if (ids.length === 0 || ids.length > MOST_IDS)
    throw invalidParameter(only, 'invalid_size', `must have 1 to ${MOST_IDS} values`);
  return ids.map((id) => {
    const values: Record<string, string> = {};
    for (const name of names) {
      const value = name === only ? id : args.get(name);
      if (value === undefined || value === null) throw invalidParameter(name, 'required', 'is required');
      if (Array.isArray(value)) throw invalidParameter(name, 'invalid_type', 'must be one value');
      values[name] = asText(name, value);
    }
    // A value that is not an id, such as `..`, would make the path lead elsewhere.
    if (params !== undefined) readParams(params, values);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
    return { id, path: filled };
  });
}

function createTool(route: AnyRoute): Tool {
  const query = new Set(Object.keys(queryMembers(route)));
  const names = placeholders(route.path);
  const definition: ToolDefinition = {
    name: toolName(route.path),
    title: route.summary,
    description: describe(route),
    inputSchema: inputSchema(route),
    outputSchema: replyShape(route),
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  const { limit: limitSchema } = definition.inputSchema.properties as Record<string, JsonObject | undefined>;
  const standard = typeof limitSchema?.default === 'number' ? limitSchema.default : null;
  return {
    definition,
    query,
    cost: route.cost,
    read(given) {
      const args = new Map(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
      checkNames([...args.keys()], [...names, ...query, FIELDS, FULL]);
      const asked = new URLSearchParams();
      if (standard !== null && !args.has('limit')) asked.set('limit', String(standard));
      for (const [name, value] of args) {
        if (query.has(name)) asked.append(name, asText(name, value));
      }
      if (standard !== null && Number(asked.get('limit')) > MOST_ITEMS)
        throw invalidParameter('limit', 'too_big', `must be at most ${MOST_ITEMS} here`);
      const text = asked.toString();
      if (text.length > LONGEST_URL)
        throw new Problem('invalid_parameter', `The arguments are too long: at most ${LONGEST_URL} characters.`);
      return {
        isList: Array.isArray(args.get(names[0] ?? '')),
        targets: readPaths(route, args).map(({ id, path }) => ({ id, url: text === '' ? path : `${path}?${text}` })),
        fields: readFields(args.get(FIELDS), replyMembers(route)),
        full: readFull(args.get(FULL)),
        limit: standard === null ? null : Number(asked.get('limit')),
        offset: asked.has('after') || asked.has('cursor') ? null : Number(asked.get('offset') ?? 0),
      };
    },
  };
}

/** @throws {TypeError} if two routes have the same name */
export function createTools(routes: readonly AnyRoute[]): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const route of routes.filter(isTool)) {
    const tool = createTool(route);
    if (tools.has(tool.definition.name)) throw new TypeError(`two tools have the name ${tool.definition.name}`);
    tools.set(tool.definition.name, tool);
  }
  return tools;
}
