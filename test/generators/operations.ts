/** Lists every operation in the API document, each with a request to the sample service. */
import { allRoutes } from '../../src/all-roles.ts';
import { aliasLists } from '../../src/catalogue/search/alias-lists.ts';
import { applyAliasLists } from '../../src/catalogue/search/store-aliases.ts';
import type { Json, JsonObject } from '../../src/http/openapi-schemas.ts';
import type { SampleService } from '../support/sample-service.ts';
import { until } from '../support/until.ts';

export interface Operation {
  id: string;
  tag: string;
  method: string;
  path: string;
  /** Values for the parameters in the path and in the query, by name. */
  inPath: JsonObject;
  query: JsonObject;
  /** Names of the required parameters, in the document's order. */
  required: Json[];
  /** The body; null if there is none. */
  body: Json;
  /** Name of the body's schema; null if it has none. */
  bodyType: string | null;
  /** Headers with credentials. */
  headers: Record<string, string>;
  /** Whether the operation returns the same JSON each time. */
  isRead: boolean;
  status: number;
  /** The reply to an operation that reads, otherwise null. */
  reply: Json;
}

type Documented = JsonObject & {
  operationId: string;
  tags: string[];
  parameters: JsonObject[];
  requestBody?: { content: Record<string, { schema?: { $ref?: string }; examples?: { sample?: { value: Json } } }> };
};

/** Webhook URL in the examples. */
const RECEIVER = 'https://example.com/hooks/touchline';
/** An id that does not exist, so that a deletion can be repeated. */
const MISSING = 9_007_199_254_740_991;

/** Left out of the comparison, because its cursors change. */
const SYNC = '/v1/sync';
/** Left out, because the stream does not end and generated clients would wait forever. */
const STREAM = '/v1/stream';
const WRONG_KEY = { 'x-api-key': 'none' };

const IDEMPOTENCY = 'Idempotency-Key';

function typed(text: string, { type, items }: JsonObject): Json {
  if (type === 'array') return text.split(',').map((item) => typed(item, items as JsonObject));
  if (type === 'integer') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

/** Returns the request for each operation, without a reply. */
function requests(document: JsonObject, service: SampleService): Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, Documented>>).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, { operationId: id, tags, parameters, requestBody }]) => {
      const method = verb.toUpperCase() as 'GET';
      const route = allRoutes.find((one) => one.method === method && one.path === path);
      const isStream = path === STREAM;
      const [target = '', asked = ''] = service.targetOf(isStream || route === undefined ? { path } : route).split('?');
      const schemaOf = (name: string) => (parameters.find((one) => one.name === name)?.schema ?? {}) as JsonObject;
      const parts = target.split('/');
      const inPath = path.split('/').flatMap((part, at): [string, Json][] => {
        if (!part.startsWith('{')) return [];
        const name = part.slice(1, -1);
        return [[name, verb === 'delete' ? MISSING : typed(parts[at]!, schemaOf(name))]];
      });
      const query = [...new URLSearchParams(asked)].map(([name, text]) => [name, typed(text, schemaOf(name))] as const);
      const json = requestBody?.content['application/json'];
      const example = json?.examples?.sample?.value ?? null;
      return {
        id,
        tag: tags[0]!,
        method,
        path,
        inPath: Object.fromEntries(inPath),
        query: Object.fromEntries(query),
        required: parameters.filter((one) => one.required === true && one.in !== 'header').map(({ name }) => name!),
        body: JSON.parse(JSON.stringify(example).replaceAll(RECEIVER, service.receiverUrl)) as Json,
        bodyType: json?.schema?.$ref?.split('/').at(-1) ?? null,
        headers: {
          ...(isStream ? WRONG_KEY : service.credentialsOf({ access: route?.access ?? 'public', method })),
          // Every client uses the same idempotency key, so that the item is created once and no limit is reached.
          ...(parameters.some((one) => one.name === IDEMPOTENCY) && { [IDEMPOTENCY]: 'every-operation' }),
        },
        isRead: method === 'GET' && path !== SYNC && route?.access === 'key' && !('contentType' in route.response),
        status: 0,
        reply: null,
      };
    }),
  );
}

async function ask({ url }: SampleService, { method, path, inPath, query, body, headers }: Operation) {
  const target = new URL(url + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(inPath[name])));
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
  const response = await fetch(target, {
    method,
    signal: AbortSignal.timeout(10_000),
    headers: { ...headers, ...(body !== null && { 'Content-Type': 'application/json' }) },
    ...(body !== null && { body: JSON.stringify(body) }),
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const text = await response.text();
  return { status: response.status, json: isJson && text !== '' ? (JSON.parse(text) as Json) : null };
}

/**
 * Derives the names for participants that the feed has created. Otherwise the service would do so while clients send
 * requests.
 */
async function settleNames({ running }: SampleService): Promise<void> {
  const { pool } = running.deps;
  await applyAliasLists(pool, aliasLists());
  await until(
    'every card shows the names, and the relay has moved every change',
    async () => {
      const { rows } = await pool.query(
        `SELECT NOT EXISTS (SELECT FROM card_refresh) AND NOT EXISTS (SELECT FROM outbox)
           AND NOT EXISTS (SELECT FROM match_touch) AS done`,
      );
      return rows[0].done;
    },
    120_000,
  );
}

/**
 * Requests each operation three times. After the first time, everything that operations store exists, so replies no
 * longer change.
 */
export async function listOperations(document: JsonObject, service: SampleService): Promise<Operation[]> {
  const operations = requests(document, service);
  for (const one of [...operations, ...operations]) await ask(service, one);
  await settleNames(service);
  for (const one of operations) {
    const { status, json } = await ask(service, one);
    Object.assign(one, { status, reply: one.isRead ? json : null });
  }
  return operations;
}

const DATE = /^\d{4}-\d\d-\d\d(T[\d:.]+Z|[T ][\d:.]+\+00:00)?$/;

/** Returns all values in a reply, in order. Leaves out null, and names that a client changes. */
export function leavesOf(value: Json): string[] {
  if (typeof value === 'object')
    return Object.values(value ?? {})
      .flatMap((member) => leavesOf(member))
      .sort();
  return [typeof value === 'string' && DATE.test(value) ? new Date(value).toISOString() : String(value)];
}
