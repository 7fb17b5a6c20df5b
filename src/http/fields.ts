/** The parameter `fields`, which selects members of a reply, or of the items of a list. */
import { z } from 'zod';
import { itemSchema } from '../wire/table-columns.ts';
import { weakEtag } from './etag.ts';
import { JoinedBody } from './joined-body.ts';
import { commaList, oneValue } from './query.ts';
import type { AnyRoute, Reply } from './route.ts';

/** The part of a reply from which `fields` selects. */
interface Selection {
  /** Name of the reply's list from whose items members are selected. Null if they are selected from the reply itself. */
  list: string | null;
  /** Schema of the selected object. */
  schema: z.ZodObject;
}

const isList = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodArray && (schema.element as z.ZodType) instanceof z.ZodObject;

/** Returns the name of the reply's list. Null if the reply describes one thing. */
function listName({ csv }: Pick<AnyRoute, 'csv'>, { shape }: z.ZodObject): string | null {
  if (csv !== undefined) return csv;
  const members = Object.entries(shape as Record<string, z.ZodType>);
  const isCounted = 'count' in shape || members.length === 1;
  return (isCounted && members.findLast(([, schema]) => isList(schema))?.[0]) || null;
}

/** Returns null for a route without `fields`: one that changes data, sends no JSON object, or is always sent whole. */
function selection(route: AnyRoute): Selection | null {
  const { method, access, isStream, isWhole, response } = route;
  if (method !== 'GET' || access !== 'key' || isStream || isWhole || !(response instanceof z.ZodObject)) return null;
  const list = listName(route, response);
  return { list, schema: list === null ? response : itemSchema((response.shape as Record<string, z.ZodType>)[list]) };
}

/** Returns the schema of the parameter. Undefined for a route without it. */
export function fieldsParam(route: AnyRoute): z.ZodType<readonly string[] | undefined> | undefined {
  const selected = selection(route);
  if (selected === null) return undefined;
  const of = selected.list === null ? 'the reply' : `each item of \`${selected.list}\``;
  return commaList(oneValue(Object.keys(selected.schema.shape)), 100)
    .optional()
    .meta({
      description: `Only these members of ${of}, comma-separated. The entity tag changes only if one of them does`,
    });
}

/**
 * Returns an object schema whose members are all optional. `x-required` lists the members that are always there without
 * `fields`. A named schema gets a name of its own, since other replies use the whole one.
 */
function partial(schema: z.ZodObject): z.ZodObject {
  const { id, ...meta } = schema.meta() ?? {};
  const members = Object.entries(schema.shape as Record<string, z.ZodType>);
  const always = members.filter(([, member]) => !member.safeParse(undefined).success).map(([name]) => name);
  return schema.partial().meta({ ...meta, ...(id && { id: `Partial${id}` }), 'x-required': always });
}

/** Returns the schema of the reply to a request that may have `fields`, for the document. */
export function documentedResponse(route: AnyRoute): AnyRoute['response'] {
  const selected = selection(route);
  if (selected === null) return route.response;
  const { list, schema } = selected;
  if (list === null) return partial(schema);
  const whole = route.response as z.ZodObject;
  const items = (whole.shape as Record<string, z.ZodType>)[list]!;
  return whole.extend({ [list]: z.array(partial(schema)).meta(items.meta() ?? {}) }).meta(whole.meta() ?? {});
}

export type FieldSelector = (reply: Reply, fields: readonly string[]) => Reply;

type Members = Readonly<Record<string, unknown>>;

/** Returns the reply's JSON value. */
export function readJson({ body }: Reply): unknown {
  const isText = typeof body === 'string' || Buffer.isBuffer(body) || body instanceof JoinedBody;
  return isText ? JSON.parse(String(body)) : body;
}

/** Maximum number of selections that are kept with a cached reply. */
const MOST_KEPT = 8;

/** @returns undefined for a route without `fields` */
export function fieldSelector(route: AnyRoute): FieldSelector | undefined {
  const selected = selection(route);
  if (selected === null) return undefined;
  const { list } = selected;
  /** Selections of cached replies, which are the same object for each request. */
  const kept = new WeakMap<Reply, Map<string, Reply>>();

  function select(reply: Reply, fields: readonly string[]): Reply {
    const wanted = new Set(fields);
    const only = (members: Members) => Object.fromEntries(Object.entries(members).filter(([name]) => wanted.has(name)));
    const whole = readJson(reply) as Members;
    const value = list === null ? only(whole) : { ...whole, [list]: (whole[list] as Members[]).map(only) };
    const body = Buffer.from(JSON.stringify(value));
    return { ...reply, body, etag: weakEtag(body).slice('W/"'.length, -1) };
  }

  return (reply, fields) => {
    if (reply.isFresh === undefined) return select(reply, fields);
    const before = kept.get(reply) ?? new Map<string, Reply>();
    const name = fields.join();
    const made = before.get(name) ?? select(reply, fields);
    if (before.size < MOST_KEPT) kept.set(reply, before.set(name, made));
    return made;
  };
}
