/** Reads path and query from a request and validates them with the route's schemas. */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { readMember } from '../runtime/unknown-values.ts';
import { invalidParameters, type ParameterError, Problem } from './errors.ts';
import { withoutKeys } from './hidden-keys.ts';

/** A parameter that is sent more than once has an array as value. */
export type RawQuery = Record<string, string | string[]>;

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Problem('bad_request', 'The query contains a percent sequence that is not UTF-8.');
  }
}

/**
 * Maximum number of queries whose results are cached. The same queries are sent repeatedly, and parsing and checking a
 * query costs more than a look-up.
 */
const MAX_KNOWN_QUERIES = 5_000;
const MAX_KNOWN_QUERY_LENGTH = 200;
const knownQueries = new LRUCache<string, RawQuery>({ max: MAX_KNOWN_QUERIES });

/**
 * @returns the parsed query. As long as the result is cached, the same text gives the same object
 * @throws {Problem} bad_request for a malformed encoding.
 */
export function readQueryString(text: string): RawQuery {
  const known = knownQueries.get(text);
  if (known !== undefined) return known;
  const query = parseQueryString(text);
  if (text.length <= MAX_KNOWN_QUERY_LENGTH) knownQueries.set(text, query);
  return query;
}

function parseQueryString(text: string): RawQuery {
  const query: RawQuery = Object.create(null);
  if (text === '') return query;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else query[name] = [before, value];
  }
  return query;
}

/**
 * Returns the path (still encoded) and the query of a request target. Koa's `ctx.path` is not used, because the parser
 * behind it prints warnings for some malformed targets.
 * @throws {Problem} bad_request for a target that is not a path, a URL or `*`.
 */
export function readTarget(target: string): { path: string; querystring: string } {
  if (!target.startsWith('/') && target !== '*') {
    if (!URL.canParse(target)) throw new Problem('bad_request', 'The request target is not a URL.');
    const { pathname, search } = new URL(target);
    return { path: pathname, querystring: search.slice(1) };
  }
  const query = target.indexOf('?');
  if (query === -1) return { path: target, querystring: '' };
  return { path: target.slice(0, query), querystring: target.slice(query + 1) };
}

/** @throws {Problem} bad_request for a path with malformed encoding or NUL. */
export function checkPath(path: string): void {
  if (!path.includes('%')) return;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw new Problem('bad_request', 'The path contains a percent sequence that is not UTF-8.');
  }
  if (decoded.includes('\0')) throw new Problem('bad_request', 'The path contains NUL.');
}

function errorCode(issue: z.core.$ZodIssue, missing: boolean): string {
  if (issue.code === 'custom' && typeof issue.params?.code === 'string') return issue.params.code;
  return missing ? 'required' : issue.code;
}

/** Maximum number of errors that one reply lists. The client corrects these first, and then sees the rest. */
export const MAX_ERRORS = 100;

/** Returns one entry for each error. `input` is needed to distinguish missing values from wrong values. */
function parameterErrors(error: z.ZodError, input: unknown, root: string, depth: number): ParameterError[] {
  const all = error.issues.flatMap((issue): ParameterError[] => {
    const path = issue.path.slice(0, depth).map(String);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        parameter: [...path, key].join('.'),
        code: 'unknown_parameter',
        detail: 'is unknown',
      }));
    }
    const value = issue.path.reduce<unknown>(
      // A list parameter is sent as one text, so the path to an item ends at that text.
      (at, key) => (typeof at === 'object' && at !== null ? readMember(at, key) : at),
      input,
    );
    const missing = issue.code !== 'custom' && value === undefined;
    return [
      {
        parameter: path.join('.') || root,
        code: errorCode(issue, missing),
        detail: missing ? 'is required' : issue.message,
      },
    ];
  });
  // Two checks may find that an integer is too large. Only one error is reported.
  const distinct = new Map<string, ParameterError>();
  for (const one of all) {
    const name = `${one.code} ${one.parameter}`;
    if (!distinct.has(name)) distinct.set(name, one);
    if (distinct.size === MAX_ERRORS) break;
  }
  return [...distinct.values()];
}

/**
 * @param depth length of the paths that errors name
 * @throws {Problem} invalid_parameter
 */
export function parse<T>(schema: z.ZodType<T>, input: unknown, root: string, depth: number): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalidParameters(parameterErrors(result.error, input, root, depth));
}

/** Freezes an object that several requests share, and the lists in the object. */
function frozen<T>(values: T): T {
  for (const value of Object.values(values as object)) if (Array.isArray(value)) Object.freeze(value);
  return Object.freeze(values);
}

/**
 * Parsed values, by the object from the resource finder. The schema is stored as well, since each method on a path has
 * its own.
 */
const parsedParams = new WeakMap<object, { schema: z.ZodType; values: unknown }>();

/** @param params path parameters; the same object for as long as the resource finder caches the path */
export function readParams<T>(schema: z.ZodType<T> | undefined, params: Record<string, string>): T {
  if (schema === undefined) return params as T;
  const before = parsedParams.get(params);
  if (before?.schema === schema) return before.values as T;
  const values = frozen(parse(schema, params, 'path', 1));
  parsedParams.set(params, { schema, values });
  return values;
}

/** Returns the members that an object schema declares. Refinements and transforms around the object are ignored. */
export function memberSchemas(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  if (schema instanceof z.ZodPipe) return memberSchemas(schema.in as z.ZodType);
  throw new TypeError('The schema of a path or a query must be an object.');
}

export interface QueryReader<T> {
  /** Parameter names that the route declares. */
  known: ReadonlySet<string>;
  /**
   * @returns parsed values, in an object that several requests may share
   * @throws {Problem} invalid_parameter with one entry for each error.
   */
  read(raw: RawQuery | null, strict: boolean): T;
  /** Returns the members that the parameter `fields` names. Null for all. Call it after `read`. */
  fields(raw: RawQuery | null): readonly string[] | null;
  /**
   * Returns the names of at most 20 parameters that the route does not have, percent-encoded. Null if all parameters
   * are known.
   */
  ignored(raw: RawQuery | null): string | null;
}

/** Limits for the header that lists the ignored names, however many a client sends. */
const MOST_IGNORED = 20;
const LONGEST_NAME = 100;

/** Parameters that the HTTP layer reads, in addition to the route's own. */
interface OwnParameters {
  hasKey?: boolean;
  /** Schema of `fields`. Undefined if the route does not have this parameter. */
  fields?: z.ZodType<readonly string[] | undefined> | undefined;
}

export function queryReader<T>(
  schema: z.ZodType<T> | undefined,
  { hasKey = false, fields }: OwnParameters = {},
): QueryReader<T> {
  const extra = [...(hasKey ? ['key'] : []), ...(fields === undefined ? [] : ['fields'])];
  const own = z.object({ fields: fields ?? z.undefined().optional() });
  const checked: z.ZodType = schema ?? z.object({});
  const known = new Set(Object.keys(memberSchemas(checked)));
  // Most requests have no query, so the result for an empty query is computed once.
  const empty = checked.safeParse({});
  const defaults = empty.success ? Object.freeze(empty.data) : undefined;

  const shapeErrors = (raw: RawQuery, strict: boolean): ParameterError[] =>
    Object.entries(raw).flatMap(([parameter, value]) => {
      if (!known.has(parameter) && !extra.includes(parameter)) {
        return strict ? [{ parameter, code: 'unknown_parameter', detail: 'is unknown here' }] : [];
      }
      if (Array.isArray(value)) return [{ parameter, code: 'repeated', detail: 'must be given only once' }];
      return value.includes('\0') ? [{ parameter, code: 'invalid_text', detail: 'must not contain NUL' }] : [];
    });

  const isKnown = (name: string) => known.has(name) || extra.includes(name);

  function ignoredNames(raw: RawQuery): string | null {
    const names = Object.keys(raw).filter((name) => name !== '' && !isKnown(name));
    if (names.length === 0) return null;
    const shown = names.slice(0, MOST_IGNORED).map((name) => [...name].slice(0, LONGEST_NAME).join('').toWellFormed());
    return shown.map((name) => encodeURIComponent(withoutKeys(name))).join(', ');
  }

  /** Results by the query object that `readQueryString` caches. */
  const checkedBefore = new WeakMap<RawQuery, { values: T; ignored: string | null }>();
  /** The members that each query names. */
  const named = new WeakMap<RawQuery, readonly string[]>();
  const givenFields = ({ fields: given }: RawQuery) =>
    fields === undefined || given === undefined ? {} : { fields: given };
  return {
    known,
    fields: (raw) => (raw === null ? null : (named.get(raw) ?? null)),
    ignored(raw) {
      if (raw === null) return null;
      const before = checkedBefore.get(raw);
      return before === undefined ? ignoredNames(raw) : before.ignored;
    },
    read(raw, strict) {
      if (raw === null && defaults !== undefined) return defaults as T;
      const before = strict || raw === null ? undefined : checkedBefore.get(raw);
      if (before !== undefined) return before.values;
      const given = raw ?? {};
      const bad = shapeErrors(given, strict);
      const wrong = new Set(bad.map(({ parameter }) => parameter));
      const values: Record<string, unknown> = {};
      for (const name of known) if (given[name] !== undefined) values[name] = given[name];
      const result = checked.safeParse(values);
      const selected = own.safeParse(givenFields(given));
      if (result.success && selected.success && bad.length === 0) {
        const values = frozen(result.data as T);
        if (raw === null) return values;
        if (selected.data.fields !== undefined) named.set(raw, Object.freeze(selected.data.fields));
        checkedBefore.set(raw, { values, ignored: ignoredNames(raw) });
        return values;
      }
      const more = [result, selected].flatMap(({ error }) =>
        error === undefined ? [] : parameterErrors(error, { ...values, ...givenFields(given) }, 'query', 1),
      );
      throw invalidParameters([...bad, ...more.filter(({ parameter }) => !wrong.has(parameter))]);
    },
  };
}

/** True for `Prefer: handling=strict` (RFC 7240). */
export function prefersStrict(prefer: string | string[] | undefined): boolean {
  return prefer !== undefined && /(^|[,;])\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(String(prefer));
}
