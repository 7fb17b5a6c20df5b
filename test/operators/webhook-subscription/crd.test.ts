import assert from 'node:assert/strict';
import { customResourceDefinition, parseSpec } from '../../../operators/webhook-subscription/crd.ts';

type Json = { [key: string]: unknown };

const versions = (customResourceDefinition().spec as Json).versions as Json[];
const version = versions[0]!;
const schema = (version.schema as Json).openAPIV3Schema as Json;

function* nodes(node: Json, path = ''): Generator<[string, Json]> {
  yield [path, node];
  for (const [name, child] of Object.entries((node.properties ?? {}) as Record<string, Json>)) {
    yield* nodes(child, `${path}.${name}`);
  }
  if (node.items !== undefined) yield* nodes(node.items as Json, `${path}[]`);
}

describe('the CRD', () => {
  it('serves two versions that differ in name alone, and stores the one that the previous release has', () => {
    assert.deepEqual(
      versions.map(({ name, served, storage }) => ({ name, served, storage })),
      [
        { name: 'v1beta1', served: true, storage: false },
        { name: 'v1alpha1', served: true, storage: true },
      ],
    );
    const [newest, oldest] = versions.map(({ name: _, storage: __, ...rest }) => rest);
    assert.deepEqual(newest, oldest);
  });

  it('has a structural schema', () => {
    for (const [path, node] of nodes(schema)) {
      if (node['x-kubernetes-int-or-string'] === true) continue;
      assert.ok(typeof node.type === 'string', `${path} has no type`);
      for (const key of ['additionalProperties', 'anyOf', 'oneOf', '$ref', '$schema', 'const', 'propertyNames']) {
        assert.ok(!(key in node), `${path} has ${key}`);
      }
    }
  });

  it('has a limit for every text, list and number, so that the validation rules stay cheap', () => {
    for (const [path, node] of nodes(schema)) {
      if (/^\.(apiVersion|kind|metadata)/.test(path)) continue;
      if (node.type === 'string' && node.enum === undefined) assert.ok(Number(node.maxLength) > 0, path);
      if (node.type === 'array') assert.ok(Number(node.maxItems) > 0, path);
      if (node.type === 'integer') assert.ok(Number.isSafeInteger(node.maximum), path);
    }
  });

  it('has valid defaults', () => {
    const parsed = parseSpec({ url: 'https://example.com/', account: 'a@example.com' });
    assert.deepEqual(parsed.data, {
      url: 'https://example.com/',
      account: 'a@example.com',
      eventTypes: [],
      sports: [],
      leagues: [],
      matchIds: [],
      conditions: [],
      headers: [],
      delay: 0,
      participantIds: [],
      secretRef: { key: 'secret' },
      paused: false,
      isolation: 'Shared',
    });
    const { properties } = (schema.properties as Json).spec as { properties: Record<string, Json> };
    const defaults = Object.entries(properties).flatMap(([name, node]) =>
      'default' in node ? [[name, node.default]] : [],
    );
    assert.deepEqual(
      { url: 'https://example.com/', account: 'a@example.com', ...Object.fromEntries(defaults) },
      parsed.data,
    );
  });
});
