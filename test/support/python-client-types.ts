/**
 * Writes the generated files in the Python client: the reply types (models.py), and a method for each operation
 * (_operations.py). With `--check`, compares the files instead of writing them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '../../src/http/openapi-schemas.ts';
import { type ClientOperation, clientDocument } from './client-operations.ts';
import { argument, docOf, PythonModels, pascal } from './python-models.ts';

const FOLDER = new URL('../../clients/python/src/touchline/', import.meta.url);

const head = (what: string, imports: string) => `"""${what}

Generated from the API document by \`make generated\`. Do not edit.
"""

from __future__ import annotations

${imports}

`;

const VERBS = { GET: '', POST: 'post_', PATCH: 'patch_', DELETE: 'delete_' };
/** Parameters that choose a page. */
const PAGE_PARAMS = new Set(['cursor', 'after', 'offset', 'since']);
const singular = (name: string) => name.replace(/ies$/, 'y').replace(/s$/, '');

/** Returns `account_webhook_delivery` for GET /v1/account/webhooks/{id}/deliveries/{delivery_id}. */
function methodName({ method, path }: ClientOperation): string {
  const parts = path.split('/').slice(2);
  const words = parts.flatMap((part, index) => {
    if (part.startsWith('{')) return [];
    return parts[index + 1]?.startsWith('{') ? singular(part) : part;
  });
  return VERBS[method] + words.join('_').replaceAll('-', '_');
}

/** An operation as Python code. */
interface Method {
  name: string;
  operation: ClientOperation;
  /** Arguments, first as in a signature, then as they are passed on. */
  signature: string;
  passed: string;
  doc: string;
  reply: string;
  /**
   * For lists with several pages: the member that contains the items, and their type. Null if several members are
   * lists.
   */
  pages?: { list: string; item: string } | null;
}

type Param = ClientOperation['params'][number];

/**
 * Returns the type for an argument. It accepts more than the type in a reply: a single value for a list, dates and
 * times, and a season's label.
 */
function argumentType({ name, schema }: Param, models: PythonModels): string {
  // The names differ by operation, and a type for each would only repeat the reply's members.
  if (name === 'fields') return 'str | Sequence[str]';
  if (schema.type === 'array') {
    const item = argumentType({ name, schema: schema.items as JsonObject } as Param, models);
    return `${item} | Sequence[${item}]`;
  }
  if (typeof schema.format === 'string' && /^(date|date-time|day-or-time)$/.test(schema.format)) return 'str | date';
  if (name === 'season' && schema.type === 'integer') return 'int | str';
  return models.typeOf(schema, `${pascal(name)}Param`);
}

function documentation({ summary, params }: ClientOperation): string {
  const described = params.filter(({ schema, name }) => typeof schema.description === 'string' && name !== 'format');
  const lines = described.map(({ name, schema }) => `        ${argument(name)}: ${schema.description}\n`);
  if (lines.length === 0) return docOf(`${summary}.`, '        ');
  const text = lines.join('').replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  return `        """${summary}.\n\n${text}        """\n`;
}

/** Returns the member that contains a reply's items, if exactly one member is a list. */
function listOf(reply: JsonObject, schemas: Record<string, JsonObject>): string | null {
  const name = typeof reply.$ref === 'string' ? reply.$ref.slice(reply.$ref.lastIndexOf('/') + 1) : null;
  const { properties = {} } = name === null ? reply : schemas[name]!;
  const lists = Object.entries(properties as Record<string, JsonObject>).filter(([, { type }]) => type === 'array');
  return lists.length === 1 ? lists[0]![0] : null;
}

function methodOf(operation: ClientOperation, models: PythonModels, schemas: Record<string, JsonObject>): Method {
  const name = methodName(operation);
  const { method, body, reply } = operation;
  // Leaves out the format, since the client reads only JSON.
  const params = operation.params.filter((one) => one.name !== 'format');
  const inPath = params.filter((one) => one.in === 'path');
  const inQuery = params.filter((one) => one.in === 'query');
  const owner = pascal(name);
  const keywords = inQuery.map((one) => {
    const type = argumentType(one, models);
    return one.isRequired ? `${argument(one.name)}: ${type}` : `${argument(one.name)}: ${type} | None = None`;
  });
  if (body !== undefined) {
    const type = models.typeOf(body.schema, `${owner}Body`);
    keywords.unshift(body.isRequired ? `body: ${type}` : `body: ${type} | None = None`);
  }
  if (method === 'POST') keywords.push('idempotency_key: str | None = None');
  const signature = [
    'self',
    ...inPath.map((one) => `${argument(one.name)}: ${argumentType(one, models)}`),
    ...(keywords.length > 0 ? ['*', ...keywords] : []),
  ];
  const passed = [
    `"${method}"`,
    `"${operation.path}"`,
    `{${params.map((one) => `"${one.name}": ${argument(one.name)}`).join(', ')}}`,
    ...(body !== undefined ? ['body=body'] : []),
    ...(method === 'POST' ? ['idempotency_key=idempotency_key'] : []),
  ];
  const made: Method = {
    name,
    operation,
    signature: signature.map((one) => `        ${one},\n`).join(''),
    passed: passed.join(', '),
    doc: documentation(operation),
    reply: reply === undefined ? 'None' : models.typeOf(reply, `${owner}Reply`),
  };
  if (method === 'GET' && reply !== undefined && inQuery.some((one) => PAGE_PARAMS.has(one.name))) {
    const list = listOf(reply, schemas);
    made.pages = list === null ? null : { list, item: itemType(reply, list, models, schemas, made.reply) };
  }
  return made;
}

function itemType(
  reply: JsonObject,
  list: string,
  models: PythonModels,
  schemas: Record<string, JsonObject>,
  owner: string,
): string {
  const name = typeof reply.$ref === 'string' ? reply.$ref.slice(reply.$ref.lastIndexOf('/') + 1) : null;
  const { properties } = name === null ? reply : schemas[name]!;
  const items = (properties as Record<string, JsonObject>)[list]!.items as JsonObject;
  // The class for items without a name was written together with the class that contains them.
  return typeof items.$ref === 'string' || items.type !== 'object'
    ? models.typeOf(items, owner)
    : models.inlineName(owner + pascal(list));
}

function methodText({ name, signature, passed, doc, reply, pages }: Method, isAsync: boolean): string {
  const [def, wait] = isAsync ? ['async def', 'await '] : ['def', ''];
  const iterator = isAsync ? 'AsyncIterator' : 'Iterator';
  const call =
    reply === 'None'
      ? `        ${wait}self._call(${passed})\n`
      : `        reply: ${reply} = ${wait}self._call(${passed})\n        return reply\n`;
  const texts = [`    ${def} ${name}(\n${signature}    ) -> ${reply}:\n${doc}${call}`];
  if (pages === undefined) return texts.join('\n');
  const path = passed.replace(/^"GET", /, '');
  const pageDoc = docOf(`Yields this page of \`${name}\` and all following ones.`, '        ');
  texts.push(
    `    def ${name}_pages(\n${signature}    ) -> ${iterator}[${reply}]:\n${pageDoc}        return self._pages(${path})\n`,
  );
  if (pages !== null) {
    const itemDoc = docOf(
      `Yields the ${pages.list} of \`${name}\`, from this page and all following ones.`,
      '        ',
    );
    texts.push(
      `    def ${name}_all(\n${signature}    ) -> ${iterator}[${pages.item}]:\n${itemDoc}        return self._items("${pages.list}", ${path})\n`,
    );
  }
  return texts.join('\n');
}

function classText(name: string, isAsync: boolean, methods: readonly Method[]): string {
  const def = isAsync ? 'async def' : 'def';
  const iterator = isAsync ? 'AsyncIterator' : 'Iterator';
  return `class ${name}(ABC):
    """One method for each operation; the subclass sends the requests."""

    @abstractmethod
    ${def} _call(
        self,
        method: str,
        path: str,
        params: Mapping[str, object],
        body: object = None,
        idempotency_key: str | None = None,
    ) -> Any: ...

    @abstractmethod
    def _pages(self, path: str, params: Mapping[str, object]) -> ${iterator}[Any]: ...

    @abstractmethod
    def _items(self, list_name: str, path: str, params: Mapping[str, object]) -> ${iterator}[Any]: ...

${methods.map((one) => methodText(one, isAsync)).join('\n')}`;
}

/**
 * Returns each generated file's text, by file name.
 * @throws {TypeError} if two operations have the same name
 */
export function pythonClient(): Record<string, string> {
  const { operations, schemas } = clientDocument();
  const models = new PythonModels(schemas);
  for (const name of ['Problem', 'EventFrame', 'Match']) models.typeOf({ $ref: `#/${name}` }, '');
  const methods = operations.map((one) => methodOf(one, models, schemas));
  const names = methods.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new TypeError(`two operations are called ${repeated}`);
  const types = (schemas.EventFrame!.properties as Record<string, JsonObject>).type!.enum as string[];
  const matchEvents = `MatchEventType = Literal[${types
    .filter((type) => type.startsWith('match.'))
    .map((type) => JSON.stringify(type))
    .join(', ')}]\n`;
  const classes = `${classText('Operations', false, methods)}\n\n${classText('AsyncOperations', true, methods)}`;
  const used = models.names().filter((name) => new RegExp(`\\b${name}\\b`).test(classes));
  const typing = `import sys
from typing import Any, Literal

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict`;
  const imports = `from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Literal

from .models import (
${used
  .sort()
  .map((name) => `    ${name},\n`)
  .join('')})`;
  return {
    'models.py':
      head('Types of replies and bodies. A newer service may add members.', typing) +
      [models.text(), matchEvents].join('\n\n'),
    '_operations.py': head('The operations of the REST API.', imports) + classes,
  };
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of Object.entries(pythonClient())) {
    const file = new URL(name, FOLDER);
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) {
      console.error(`clients/python/src/touchline/${name} does not fit the API document: run \`make generated\``);
      process.exitCode = 1;
    }
  }
}
