/** Tests HEAD on every path that has GET. It has the same status and headers, and no body. */
import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { allRoutes } from '../../src/all-roles.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type SampleService, startSampleService } from '../support/sample-service.ts';

/** Headers whose values differ between two equal requests. */
const OF_A_MOMENT = new Set(['date', 'x-request-id', 'ratelimit', 'set-cookie', 'expires', 'keep-alive', 'connection']);

describe('HEAD', function () {
  this.timeout(120_000);
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let service: SampleService;
  before(async () => {
    db = await createTestDatabase();
    clickhouse = await startClickHouseServer();
    service = await startSampleService({ DATABASE_URL: db.url, CLICKHOUSE_URL: clickhouse.url });
  });
  after(async () => {
    await service?.stop();
    await clickhouse?.stop();
    await db?.drop();
  });

  /** Returns status, headers and body. If the body is endless, returns its beginning. */
  function ask(
    method: string,
    route: AnyRoute,
  ): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
    return new Promise((resolve, reject) => {
      const { access } = route;
      // For visitors, account pages are requested as a member.
      const headers = service.credentialsOf({ method: 'GET', access: access === 'visitor' ? 'member' : access });
      const sent = request(service.url + service.targetOf(route), { method, headers }, (answer: IncomingMessage) => {
        let body = '';
        const kept = Object.entries(answer.headers).filter(([name]) => !OF_A_MOMENT.has(name));
        const done = () => resolve({ status: answer.statusCode!, headers: Object.fromEntries(kept), body });
        answer.setEncoding('latin1').on('data', (text) => {
          body += text;
          if (route.isStream === true) answer.destroy();
        });
        answer.once('close', done);
      });
      sent.on('error', reject).end();
    });
  }

  async function askBoth(route: AnyRoute): Promise<{ status: number; one: string; other: string }> {
    const head = await ask('HEAD', route);
    const get = await ask('GET', route);
    assert.equal(head.body, '', route.path);
    for (const { headers } of [head, get]) {
      // HEAD does not know the length of a reply that is sent in parts.
      delete headers['transfer-encoding'];
      // The forms on these pages contain a token that differs in each reply.
      if (route.path.startsWith('/account')) headers.etag = 'a tag';
    }
    const [one, other] = [head, get].map(({ status, headers }) => JSON.stringify({ status, headers }));
    return { status: head.status, one: one!, other: other! };
  }

  it('gets the same reply as GET, on every route', async () => {
    const routes = allRoutes.filter(({ method }) => method === 'GET');
    assert.ok(routes.length > 60);
    const failures: string[] = [];
    let answered = 0;
    for (const route of routes) {
      let pair = await askBoth(route);
      // Tries again, since use that a page shows may have been stored between the two requests.
      if (pair.one !== pair.other) pair = await askBoth(route);
      if (pair.status === 200) answered += 1;
      if (pair.one !== pair.other) failures.push(`${route.path}\n  HEAD ${pair.one}\n  GET  ${pair.other}`);
    }
    assert.equal(failures.join('\n'), '');
    assert.ok(answered > routes.length / 2);
  });

  it('gets a problem without a body, with the problem’s headers', async () => {
    for (const [path, headers, status] of [
      ['/v1/sports', {}, 401],
      ['/v1/event/999999', { 'x-api-key': service.key }, 404],
      ['/nowhere', {}, 404],
      ['/mcp', { 'x-api-key': service.key }, 405],
    ] as const) {
      const answer = await fetch(service.url + path, { method: 'HEAD', headers });
      assert.deepEqual([answer.status, await answer.text()], [status, ''], path);
      assert.match(answer.headers.get('content-type')!, /problem\+json|text\/html/);
    }
  });
});
