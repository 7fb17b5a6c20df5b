import assert from 'node:assert/strict';
import { Counter, Registry } from 'prom-client';
import { createHealth } from '../../src/http/health.ts';
import { type ListeningServer, listen } from '../../src/http/server.ts';

describe('the admin port', () => {
  let server: ListeningServer;
  type Answer = 'throws' | 'hangs' | 'passes' | 'is late';
  const state = { database: false, log: 'throws' as Answer, details: 'passes' as Answer };
  const asked = { database: 0 };
  const registry = new Registry();
  const health = createHealth({
    registry,
    checks: {
      database: async () => {
        asked.database += 1;
        return state.database;
      },
      log: () => {
        if (state.log === 'throws') throw new Error('not yet');
        return state.log === 'passes' || new Promise<boolean>(() => {});
      },
    },
    async details() {
      if (state.details === 'throws') throw new Error('the database is down');
      const hangs = new Promise<never>(() => {});
      if (state.details === 'hangs') return hangs;
      const sources = Promise.resolve([{ name: 'openligadb' }]);
      return state.details === 'is late' ? { analytics: hangs, sources } : { sources };
    },
  });
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  before(async () => {
    server = await listen(health.handler, { host: '127.0.0.1', port: 0 });
  });
  after(() => server.close());

  it('the process is reported alive before it is ready', async () => {
    assert.equal((await ask('/livez')).status, 200);
    const { status, text } = await ask('/readyz');
    assert.equal(status, 503);
    assert.deepEqual(JSON.parse(text), { ready: false, draining: false, checks: { database: false, log: false } });
  });

  it('a check that hangs fails after one second', async () => {
    state.log = 'hangs';
    const start = Date.now();
    assert.equal((await ask('/readyz')).status, 503);
    assert.ok(Date.now() - start < 1_900);
  });

  it('the process is ready when each check has passed once, and stays ready when a store fails', async () => {
    state.database = true;
    await ask('/readyz');
    state.database = false;
    state.log = 'passes';
    const { status, text } = await ask('/readyz');
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text).checks, { database: true, log: true });
    const before = asked.database;
    assert.equal((await ask('/readyz')).status, 200);
    assert.equal(asked.database, before);
  });

  it('the readiness check gives details on request, with the same result', async () => {
    const verbose = async () => JSON.parse((await ask('/readyz?verbose')).text);
    assert.deepEqual((await verbose()).sources, [{ name: 'openligadb' }]);
    assert.equal('sources' in JSON.parse((await ask('/readyz')).text), false);
    state.details = 'is late';
    assert.deepEqual((await verbose()).sources, [{ name: 'openligadb' }], 'one that is late costs no other');
    for (const answer of ['throws', 'hangs'] as const) {
      state.details = answer;
      assert.deepEqual(await verbose(), { ready: true, draining: false, checks: { database: true, log: true } });
    }
  });

  it('the admin port serves the metrics', async () => {
    new Counter({ name: 'goals_total', help: 'x', registers: [registry] }).inc(3);
    const { status, text, headers } = await ask('/metrics');
    assert.equal(status, 200);
    assert.match(text, /^goals_total 3$/m);
    assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  });

  it('the admin port answers 404 on every unknown path', async () => {
    assert.equal((await ask('/')).status, 404);
    assert.equal((await ask('/livez/x')).status, 404);
    assert.equal((await ask('/livez', 'POST')).status, 405);
    const head = await ask('/livez?x=1', 'HEAD');
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  it('the process is no longer ready while it is stopping', async () => {
    health.drain();
    const { status, text } = await ask('/readyz');
    assert.equal(status, 503);
    assert.equal(JSON.parse(text).draining, true);
    assert.equal((await ask('/livez')).status, 200);
  });
});
