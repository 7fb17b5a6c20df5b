/** Sends requests with keys that have one scope to every route that takes a key. */
import assert from 'node:assert/strict';
import { allRoutes } from '../../src/all-roles.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { createKey } from '../support/accounts.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type SampleService, startSampleService } from '../support/sample-service.ts';

const SCOPES = ['read', 'stream', 'webhooks', 'account'] as const;
type Scope = (typeof SCOPES)[number];

/** Returns the scope that the documentation names for a path. */
function documentedScope(path: string): Scope {
  if (path.startsWith('/v1/stream')) return 'stream';
  if (/^\/v1\/account\/(webhooks|stored-event|trigger)/.test(path)) return 'webhooks';
  return path.startsWith('/v1/account') ? 'account' : 'read';
}

describe('key scopes', function () {
  this.timeout(120_000);
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let service: SampleService;
  const keys = {} as Record<Scope | 'all', string>;
  before(async () => {
    db = await createTestDatabase();
    clickhouse = await startClickHouseServer();
    service = await startSampleService({ DATABASE_URL: db.url, CLICKHOUSE_URL: clickhouse.url });
    const { running, plans } = service;
    const { pool, clock } = running.deps;
    for (const name of [...SCOPES, 'all'] as const) {
      const scopes = name === 'all' ? undefined : [name];
      const settings = { email: 'scopes@example.com', plan: 'sample', scopes };
      keys[name] = (await createKey(pool, clock, settings, plans)).key;
    }
  });
  after(async () => {
    await service?.stop();
    await clickhouse?.stop();
    await db?.drop();
  });

  /** Returns the reply's status and problem. If the reply is a stream, reads only its head. */
  async function ask(route: Pick<AnyRoute, 'method' | 'path' | 'example' | 'body' | 'exampleBody'>, key: string) {
    const aborted = new AbortController();
    const response = await fetch(service.url + service.targetOf(route), {
      method: route.method,
      headers: { 'x-api-key': key, ...(route.body && { 'content-type': 'application/json' }) },
      ...(route.body && { body: JSON.stringify(route.exampleBody ?? {}) }),
      signal: aborted.signal,
    });
    const type = response.headers.get('content-type') ?? '';
    const problem = type.startsWith('application/problem+json')
      ? ((await response.json()) as { code?: string; detail?: string })
      : {};
    aborted.abort();
    return { status: response.status, code: problem.code, detail: problem.detail ?? '' };
  }

  for (const scope of SCOPES)
    it(`a key that has only the scope ${scope} opens the routes of this scope, and no others`, async () => {
      const asked = new Map<boolean, number>();
      for (const route of allRoutes.filter(({ access }) => access === 'key' || access === 'account')) {
        const needed = documentedScope(route.path);
        const isPermitted = needed === scope;
        const { status, code, detail } = await ask(route, keys[scope]);
        const said = `${route.method} ${route.path}: ${status} ${code} ${detail}`;
        if (isPermitted) assert.ok(status < 500 && code !== 'key_not_permitted', said);
        else {
          assert.deepEqual([status, code], [403, 'key_not_permitted'], said);
          assert.equal(detail, `This requires the scope ${needed}, and this key has only ${scope}.`);
        }
        asked.set(isPermitted, (asked.get(isPermitted) ?? 0) + 1);
      }
      assert.ok(asked.get(true)! > 1 && asked.get(false)! > 10, JSON.stringify([...asked]));
    });

  it('a reply that is kept in memory is sent only to keys with the scope', async () => {
    const route = { method: 'GET', path: '/v1/sports' } as const;
    for (let i = 0; i < 3; i += 1) assert.equal((await ask(route, keys.all)).status, 200);
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await ask(route, keys.stream)).status, 403);
      assert.equal((await ask(route, keys.read)).status, 200);
    }
  });

  it('the OpenAPI document names the scope of each route', async () => {
    const response = await fetch(`${service.url}/v1/openapi.json`);
    const { paths } = (await response.json()) as {
      paths: Record<string, Record<string, { security?: Record<string, string[]>[] }>>;
    };
    for (const [path, operations] of Object.entries(paths))
      for (const { security = [] } of Object.values(operations))
        for (const { ApiKey: scopes } of security)
          if (scopes !== undefined) assert.deepEqual(scopes, [documentedScope(path)], path);
  });
});
