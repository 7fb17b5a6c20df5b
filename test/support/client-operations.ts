/** The operations in the API document that a client with a key can call and that reply with JSON. */

import { allRoutes } from '../../src/all-roles.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import type { Json, JsonObject } from '../../src/http/openapi-schemas.ts';

export interface ClientOperation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  /** Parameters in path and query, with descriptions. */
  params: { name: string; in: 'path' | 'query'; isRequired: boolean; schema: JsonObject }[];
  body?: { isRequired: boolean; schema: JsonObject };
  /** Schema of the reply. Undefined if the reply has no content. */
  reply?: JsonObject;
}

export interface ClientDocument {
  operations: ClientOperation[];
  /** Schemas by name. */
  schemas: Record<string, JsonObject>;
}

type Operation = JsonObject & {
  summary: string;
  parameters: JsonObject[];
  responses: Record<string, JsonObject>;
  security: JsonObject[];
};
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

const jsonSchema = (holder: JsonObject | undefined) =>
  ((holder?.content as JsonObject | undefined)?.['application/json'] as JsonObject | undefined)?.schema as
    | JsonObject
    | undefined;

function paramsOf({ parameters }: Operation): ClientOperation['params'] {
  return parameters.flatMap(({ name, in: location, schema, required, description }) => {
    if (location !== 'path' && location !== 'query') return [];
    const described = { ...(schema as JsonObject), ...(description !== undefined && { description }) };
    return [{ name: name as string, in: location, isRequired: required === true, schema: described }];
  });
}

/** Returns undefined for an operation that the client does not have. */
function clientOperation(method: ClientOperation['method'], path: string, operation: Operation) {
  const { responses, security, requestBody, summary } = operation;
  if (!security.some((one) => 'ApiKey' in one)) return undefined;
  const [status, answer] = Object.entries(responses).find(([code]) => /^20\d$/.test(code)) ?? [];
  const reply = jsonSchema(answer);
  if (status !== '204' && (reply === undefined || Object.keys(reply).length === 0)) return undefined;
  const schema = jsonSchema(requestBody as JsonObject | undefined);
  const found: ClientOperation = { method, path, summary, params: paramsOf(operation) };
  if (reply !== undefined) found.reply = reply;
  if (schema !== undefined) {
    const isRequired = ((schema.required ?? []) as Json[]).length > 0 || schema.$ref !== undefined;
    found.body = { isRequired, schema };
  }
  return found;
}

/**
 * Makes the members required that a reply without `fields` always has, and gives such schemas the names of whole ones. Few
 * requests have `fields`, and a check for each member would bother all the others.
 */
function whole(value: Json): Json {
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== 'object' || value === null) return value;
  const { 'x-required': always, ...rest } = value;
  const members = Object.entries(rest).map(([name, member]): [string, Json] => [
    name.replace(PARTIAL, ''),
    name === '$ref' ? (member as string).replace(PARTIAL_REFERENCE, '/') : whole(member),
  ]);
  return { ...Object.fromEntries(members), ...(always !== undefined && { required: always }) };
}
const PARTIAL = /^Partial(?=[A-Z])/;
const PARTIAL_REFERENCE = /\/Partial(?=[A-Z])/;

export function clientDocument(): ClientDocument {
  const document = whole(openApiDocument(allRoutes, '')) as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, JsonObject> };
  };
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method.toLowerCase()];
      return (operation && clientOperation(method, path, operation)) ?? [];
    }),
  );
  return { operations, schemas: document.components.schemas };
}
