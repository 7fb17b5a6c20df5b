import assert from 'node:assert/strict';
import { allChannels, allRoutes } from '../../src/all-roles.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import type { JsonObject } from '../../src/http/openapi-schemas.ts';
import { openApiFaults } from '../support/openapi.ts';

describe('the service’s OpenAPI document', () => {
  const document = openApiDocument(allRoutes, 'https://api.example.com', { channels: allChannels });

  it('is valid, lists the members of every object except the open ones, and has no dangling references', async () => {
    assert.deepEqual(await openApiFaults(document), []);
  });

  it('does not require a header that only a repeated request receives', () => {
    const creating = allRoutes.filter(({ responseHeaders }) => responseHeaders?.['Idempotency-Replayed'] !== undefined);
    assert.ok(creating.length >= 3);
    for (const { path } of creating) {
      const item = document.paths[path] as Record<string, { responses: Record<string, { headers: JsonObject }> }>;
      const header = item.post!.responses['201']!.headers['Idempotency-Replayed'] as JsonObject;
      assert.notEqual(header.required, true, path);
    }
  });

  it('names each path parameter', () => {
    for (const route of allRoutes) {
      const placeholders = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const item = document.paths[route.path] as Record<string, { parameters: JsonObject[] }> | undefined;
      const named = item?.[route.method.toLowerCase()]?.parameters.filter((one) => one.in === 'path') ?? [];
      if (item !== undefined)
        assert.deepEqual(
          named.map((one) => one.name),
          placeholders,
          route.path,
        );
    }
  });
});
