import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../support/accounts.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';
import { type Service, startService } from '../support/service.ts';
import { cursorsOf, lastId } from '../support/sse.ts';
import { eventSource, type OpenStream, openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';

const address = (service: Service, query = '') => `${service.app.url}/v1/stream?key=${service.app.key}${query}`;
const many = (count: number) => Array.from({ length: count }, () => ({}));

describe('outages', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  async function start(options = {}): Promise<Service> {
    const service = await startService(options);
    open.push(service);
    return service;
  }
  async function connect(url: string, headers = {}): Promise<OpenStream> {
    const stream = await openStream(url, headers);
    open.push(stream);
    return stream;
  }

  it('without Postgres the service opens streams from memory if it can, asks the rest of the clients to retry, and recovers without help', async () => {
    let proxy!: PostgresProxy;
    const service = await start({
      databaseUrl: async (url: string) => {
        proxy = await openPostgresProxy(url);
        return proxy.url;
      },
    });
    open.push(proxy);
    await service.publish({}, {}, {});
    const before = await connect(address(service));
    await before.until('cursor=3');
    const { key: unknown } = await createKey(service.db.pool, service.clock, { email: 'x@example.com', plan: 'pro' });

    await proxy.down();
    const fresh = await connect(address(service));
    await fresh.until('connected cursor=3');
    const resumed = await connect(address(service), { 'Last-Event-ID': '1' });
    await resumed.until('id: 3\n');
    assert.deepEqual(cursorsOf(resumed.frames()), [2, 3]);
    const ahead = await connect(address(service), { 'Last-Event-ID': '4' });
    const stranger = await connect(`${service.app.url}/v1/stream?key=${unknown}`);
    for (const stream of [ahead, stranger]) {
      await stream.ended;
      assert.equal(stream.status, 200);
      assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8');
      assert.equal(stream.headers['cache-control'], 'no-cache, no-transform');
      assert.equal(stream.text(), 'retry: 1000\n\n');
    }
    assert.equal((await service.app.ask('/v1/stream', { key: unknown, method: 'HEAD' })).status, 200);
    assert.equal((await service.app.ask('/v1/stream?sport=x')).status, 422);
    assert.equal((await service.app.ask('/v1/stream', { key: 'sk_live_x' })).status, 401);

    await proxy.up();
    const written = await service.publish({}, { type: 'match.finished' });
    for (const stream of [before, fresh, resumed]) {
      await stream.until('match.finished');
      assert.deepEqual(
        stream
          .frames()
          .slice(-2)
          .map(({ data }) => data),
        written,
      );
    }
    const again = await connect(`${service.app.url}/v1/stream?key=${unknown}`, { 'Last-Event-ID': '4' });
    await again.until('match.finished');
    assert.deepEqual(cursorsOf(again.frames()), [5]);
  });

  it('a browser that is disconnected again and again misses no event', async () => {
    const service = await start();
    await service.publish({});
    const source = eventSource(address(service), { lastEventId: '1' });
    open.push(source);
    const written: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      written.push(...(await service.publish(...many(1 + (round % 7)))));
      if (round % 3 === 0) source.cut();
      if (round % 10 === 9) service.clock.advance(61 * 60_000);
      await sleep((round * 7) % 15);
    }
    const end = String(service.deps.hub.head());
    await until('it has the last event', () => source.lastEventId === end);
    assert.ok(source.connects > 10, `${source.connects} connections`);
    assert.equal(source.failed, null);
    assert.ok(source.events.every(({ type }) => type === 'match.goal'));
    const once = new Map(source.events.map(({ data }) => [JSON.parse(data).id as string, data]));
    assert.deepEqual([...once.values()], written);
  });

  it('a process that stops ends all streams with the cycle line, and the next process continues at the clients’ positions', async () => {
    const service = await start();
    await service.publish(...many(5));
    const all = await Promise.all([connect(address(service)), connect(address(service, '&sport=darts'))]);
    await service.publish({});
    await all[0]!.until('id: 6\n');
    await all[1]!.until('connected');
    await service.stop();
    for (const stream of all) {
      await stream.ended;
      assert.ok(stream.text().endsWith(': server-cycle; reconnect with Last-Event-Id\nid: 6\n\n'));
    }
    const next = await start({ databaseUrl: async () => service.db.url });
    const { key } = service.app;
    const written = await next.publish({ type: 'match.finished' });
    const again = await connect(`${next.app.url}/v1/stream?key=${key}`, {
      'Last-Event-ID': String(lastId(all[0]!.frames())),
    });
    await again.until('match.finished');
    assert.deepEqual(
      again
        .frames()
        .slice(1)
        .map(({ data }) => data),
      written,
    );
    await next.stop();
  });

  it('a client that connects while a process stops gets 200 and a reconnect request at once', async () => {
    const service = await start();
    await service.publish(...many(3));
    await service.deps.hub.close();
    const late = await connect(address(service), { 'Last-Event-ID': '2' });
    await late.ended;
    assert.equal(late.status, 200);
    assert.equal(
      late.text(),
      ': connected cursor=2\nretry: 1000\nid: 2\n\n: server-cycle; reconnect with Last-Event-Id\nid: 2\n\n',
    );
  });
});
