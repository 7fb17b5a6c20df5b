import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { pino } from 'pino';
import { deleteAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../support/accounts.ts';
import { heapInUse } from '../support/heap.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';
import { type Service, startService } from '../support/service.ts';
import { type OpenStream, openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { type Client, frame, openWebSocket } from '../support/websocket-client.ts';

const RENEWAL_MS = 200;
/** Maximum time until a revocation takes effect. */
const REVOKED_WITHIN_MS = 5_000;
/** Maximum time until a client is connected to a different process. */
const TAKEN_OVER_WITHIN_MS = 1_000;

type Leaving = 'at once' | 'when answered' | 'in order';

/** Opens and closes a connection with as little work as possible in this process. */
function comeAndGo(port: number, path: string, leaving: Leaving): Promise<void> {
  return new Promise((resolve, reject) => {
    const isSocket = path.includes('/ws');
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${isSocket ? upgrade : ''}\r\n`);
    let got = '';
    socket.once('connect', () => leaving === 'at once' && socket.destroy());
    socket.on('data', (chunk) => {
      got += chunk.toString('latin1');
      if (/^HTTP\/1.1 (?!101|200)/.test(got)) reject(new Error(got));
      if (!got.includes('connected') || socket.writableEnded) return;
      if (leaving === 'in order') socket.end(isSocket ? frame({ opcode: 8 }) : '');
      else socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

describe('stream admission', () => {
  /** Two processes on the same database. */
  let one: Service;
  let two: Service;
  let opened: { end(): void }[] = [];
  before(async () => {
    const admission = { ttlMs: 5 * RENEWAL_MS, renewalMs: RENEWAL_MS };
    one = await startService({ admission });
    two = await startService({ db: one.db, admission });
  });
  after(async () => {
    await two.close();
    await one.close();
  });
  afterEach(async () => {
    for (const client of opened) client.end();
    opened = [];
    for (const { deps } of [one, two]) {
      await until('all streams are closed', () => deps.admission.held() + deps.hub.held() === 0);
    }
    await until('no row is left', async () => (await rows()) === 0);
  });

  let accounts = 0;
  function newKey(over: Partial<Parameters<typeof createKey>[2]> = {}) {
    accounts += 1;
    return createKey(one.db.pool, one.clock, { email: `n${accounts}@example.com`, plan: 'pro', ...over });
  }
  const rows = async () => (await one.db.pool.query('SELECT FROM stream_lease')).rows.length;

  function webSocket(on: Service, query: Record<string, string>, headers: Record<string, string> = {}): Client {
    const client = openWebSocket(`${on.app.url}/v1/stream/ws?${new URLSearchParams(query)}`, headers);
    opened.push({ end: client.cut });
    return client;
  }
  async function sse(on: Service, query: Record<string, string>, headers = {}): Promise<OpenStream> {
    const stream = await openStream(`${on.app.url}/v1/stream?${new URLSearchParams(query)}`, headers);
    opened.push({ end: stream.close });
    return stream;
  }
  const problem = ({ text }: OpenStream) => JSON.parse(text()).code;

  it('an account has five streams, counted over both processes and both protocols', async () => {
    const { key } = await newKey();
    const sockets = [webSocket(one, { key }), webSocket(one, { key }), webSocket(two, { key })];
    await Promise.all(sockets.map((client) => client.next('connected')));
    const streams = [await sse(one, { key }), await sse(two, { key })];
    assert.deepEqual(
      streams.map(({ status }) => status),
      [200, 200],
    );
    for (const service of [one, two]) {
      assert.equal((await webSocket(service, { key }).closed).code, 4429);
      const sixth = await sse(service, { key });
      assert.deepEqual([sixth.status, sixth.headers['retry-after']], [429, '1']);
      await sixth.until('too_many_connections');
    }
    // A second account has separate slots, and so have the first account's publishable keys.
    const other = await newKey();
    await webSocket(two, { key: other.key }).next('connected');
    const { key: publishable } = await newKey({ email: `n${accounts - 1}@example.com`, kind: 'pk' });
    await Promise.all(Array.from({ length: 8 }, () => webSocket(two, { key: publishable }).next('connected')));
    streams[1]!.close();
    await until('the slot is free', async () => (await rows()) === 4 + 1 + 8);
    assert.equal((await sse(one, { key })).status, 200);
  });

  describe('with a client name', () => {
    it('a client gets its previous slot at once, which ends the earlier connection', async () => {
      const { key } = await newKey();
      const client = 'page-0123';
      for (let i = 0; i < 4; i += 1) await webSocket(one, { key }).next('connected');
      const before = webSocket(one, { key, client });
      await before.next('connected');
      const after = await sse(one, { key, client });
      assert.equal(after.status, 200);
      assert.deepEqual(await before.closed, { code: 4409, reason: 'replaced by a newer connection of this client' });
      const again = webSocket(one, { key, client });
      await again.next('connected');
      await after.ended;
      assert.doesNotMatch(after.text(), /server-cycle/);
      assert.equal(await rows(), 5);
    });

    it('a client that reconnects to another process ends the earlier connection within the renewal interval', async () => {
      const { key } = await newKey();
      const client = 'page-0123';
      for (let i = 0; i < 4; i += 1) await webSocket(two, { key }).next('connected');
      const before = webSocket(one, { key, client });
      await before.next('connected');
      await webSocket(two, { key, client }).next('connected');
      assert.equal((await before.closed).code, 4409);
      assert.equal((await webSocket(two, { key }).closed).code, 4429);
    });
  });

  it('the earlier connection of a client that reconnects to another process ends within a second, long before a renewal', async () => {
    const admission = { renewalMs: 600_000, ttlMs: 1_800_000 };
    const pair = [
      await startService({ db: one.db, admission }),
      await startService({ db: one.db, admission }),
    ] as const;
    try {
      const { key } = await newKey();
      const client = 'page-0123';
      for (const [from, to] of [pair, pair.toReversed()] as const) {
        const before = webSocket(from!, { key, client });
        await before.next('connected');
        const other = webSocket(from!, { key, client: 'page-4567' });
        await other.next('connected');
        const begun = performance.now();
        const after = webSocket(to!, { key, client });
        await after.next('connected');
        assert.equal((await before.closed).code, 4409);
        assert.ok(performance.now() - begun < TAKEN_OVER_WITHIN_MS);
        assert.deepEqual([after.over(), other.over()], [null, null]);
      }
    } finally {
      for (const client of opened.splice(0)) client.end();
      for (const { close } of pair) await close();
    }
  });

  describe('while Postgres is unavailable', () => {
    let proxy: PostgresProxy;
    let alone: Service;
    before(async () => {
      alone = await startService({
        db: one.db,
        databaseUrl: async (url) => {
          proxy = await openPostgresProxy(url);
          return proxy.url;
        },
        admission: { ttlMs: 5 * RENEWAL_MS, renewalMs: RENEWAL_MS },
      });
    });
    after(async () => {
      await alone.close();
      await proxy.close();
    });

    it('open streams continue and each process counts new streams alone, until Postgres returns and the processes count together again', async () => {
      const { key } = await newKey();
      const first = webSocket(alone, { key });
      await first.next('connected');
      const elsewhere = [webSocket(two, { key }), webSocket(two, { key })];
      await Promise.all(elsewhere.map((client) => client.next('connected')));
      await proxy.down();
      const more = Array.from({ length: 4 }, () => webSocket(alone, { key }));
      await Promise.all(more.map((client) => client.next('connected')));
      assert.equal((await webSocket(alone, { key }).closed).code, 4429);
      await until('its row has expired', async () => {
        const { rows: current } = await one.db.pool.query('SELECT FROM stream_lease WHERE expires_at >= now()');
        return current.length === elsewhere.length;
      });
      assert.equal(first.over(), null);
      assert.ok(more.every((client) => client.over() === null));
      await proxy.up();
      await until('five rows are left', async () => (await rows()) === 5);
      await until(
        'two streams over the limit have ended',
        () => more.filter((client) => client.over() !== null).length >= 2,
      );
      const ends = [first, ...more, ...elsewhere].flatMap((client) => client.over() ?? []);
      assert.deepEqual(
        ends.map(({ code, reason }) => [code, reason]),
        [
          [4429, 'too_many_connections'],
          [4429, 'too_many_connections'],
        ],
      );
      for (const client of [first, ...more]) client.cut();
      await until('no stream is left', () => alone.deps.admission.held() === 0);
    });
  });

  describe('stream ends', () => {
    it('streams end within 5 s when the key is revoked (WebSocket with 4401), and no new one opens', async () => {
      const { key, keyId } = await newKey();
      const other = await newKey();
      const socket = webSocket(one, { key });
      const stream = await sse(two, { key });
      const bystander = webSocket(one, { key: other.key });
      await Promise.all([socket.next('connected'), stream.until('connected'), bystander.next('connected')]);
      const begun = performance.now();
      await one.db.pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [keyId]);
      // Keys in the cache may be stale, but the stream is refused nevertheless.
      assert.equal((await webSocket(one, { key }).closed).code, 4401);
      const [end] = await Promise.all([socket.closed, stream.ended]);
      assert.ok(performance.now() - begun < REVOKED_WITHIN_MS);
      assert.deepEqual(end, { code: 4401, reason: 'key_revoked' });
      assert.doesNotMatch(stream.text(), /server-cycle/);
      const again = await sse(two, { key });
      await again.until('}');
      assert.deepEqual([again.status, problem(again)], [401, 'key_revoked']);
      assert.equal(bystander.over(), null);
    });

    it('streams end within 5 s when the key loses the scope stream, and no new one opens', async () => {
      const { key, keyId } = await newKey();
      const socket = webSocket(one, { key });
      const stream = await sse(two, { key });
      await Promise.all([socket.next('connected'), stream.until('connected')]);
      const begun = performance.now();
      await one.db.pool.query("UPDATE api_key SET scopes = '{read,webhooks}' WHERE id = $1", [keyId]);
      assert.equal((await webSocket(one, { key }).closed).code, 4401);
      const [end] = await Promise.all([socket.closed, stream.ended]);
      assert.ok(performance.now() - begun < REVOKED_WITHIN_MS);
      assert.deepEqual(end, { code: 4401, reason: 'key_revoked' });
      await one.db.pool.query("UPDATE api_key SET scopes = '{stream}' WHERE id = $1", [keyId]);
      await webSocket(one, { key }).next('connected');
    });

    it('a stream ends if the key expires or the plan loses streams, and gets a reconnect request if the plan changes', async () => {
      const service = await startService({ db: one.db, admission: { keysEveryMs: 50 } });
      const keys = await Promise.all([newKey(), newKey(), newKey(), newKey()]);
      const clients = keys.map(({ key }) => webSocket(service, { key }));
      await Promise.all(clients.map((client) => client.next('connected')));
      const [expired, downgraded, upgraded] = keys;
      const { pool } = one.db;
      await pool.query("UPDATE api_key SET expires_at = now() - interval '1 s' WHERE id = $1", [expired!.keyId]);
      await pool.query("UPDATE account SET plan = 'trial' WHERE id = $1", [downgraded!.accountId]);
      await pool.query("UPDATE account SET plan = 'business' WHERE id = $1", [upgraded!.accountId]);
      const codes = await Promise.all(clients.slice(0, 3).map(async ({ closed }) => (await closed).code));
      assert.deepEqual(codes, [4401, 4402, 1012]);
      assert.equal(clients[2]!.messages().at(-1)!.type, 'reconnect');
      assert.equal(clients[3]!.over(), null);
      clients[3]!.cut();
      await service.close();
    });
  });

  describe('while Postgres is busy', () => {
    /** Longer than a revocation may take to have an effect. */
    const BUSY_SECONDS = 9;

    /**
     * Uses all connections in the pool while another statement waits for one.
     * @returns a function that releases them
     */
    async function occupy({ deps: { pool } }: Service): Promise<() => Promise<unknown>> {
      const sleep = `SELECT pg_sleep(${BUSY_SECONDS})`;
      const asleep = Promise.allSettled(Array.from({ length: pool.options.max }, () => pool.query(sleep)));
      const waiting = pool.query('SELECT 1');
      await until('the pool is full', () => pool.waitingCount > 0 && pool.totalCount === pool.options.max);
      return async () => {
        await one.db.pool.query('SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = $1', [sleep]);
        await Promise.all([asleep, waiting]);
      };
    }

    it('streams end within 5 s when the key is revoked, although the pool has no free connection', async function () {
      this.timeout(60_000);
      const service = await startService({ db: one.db });
      const other = await newKey();
      const stays = webSocket(service, { key: other.key });
      await stays.next('connected');
      const ways = ['the key is revoked', 'the account is suspended', 'the account is deleted'] as const;
      const keys = await Promise.all(ways.map(() => newKey()));
      const sockets = keys.map(({ key }) => webSocket(service, { key }));
      await Promise.all(sockets.map((socket) => socket.next('connected')));
      const free = await occupy(service);
      const begun = performance.now();
      const { pool } = one.db;
      await pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [keys[0]!.keyId]);
      await pool.query('UPDATE account SET suspended_at = now() WHERE id = $1', [keys[1]!.accountId]);
      await deleteAccount(pool, keys[2]!.accountId);
      const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code));
      const took = performance.now() - begun;
      assert.deepEqual(codes, [4401, 4401, 4401]);
      assert.ok(took < REVOKED_WITHIN_MS, `${took} ms`);
      assert.equal(stays.over(), null);
      await free();
      stays.cut();
      await service.close();
    });

    it('streams also end within 5 s if each query takes 2.5 s and the connection for notices is lost', async function () {
      this.timeout(60_000);
      let proxy: PostgresProxy | undefined;
      const service = await startService({
        db: one.db,
        databaseUrl: async (url) => {
          proxy = await openPostgresProxy(url);
          return proxy.url;
        },
      });
      const { pool } = one.db;
      const revoked = async (during: () => Promise<unknown> | undefined) => {
        const { key, keyId } = await newKey();
        const socket = webSocket(service, { key });
        await socket.next('connected');
        await during();
        const begun = performance.now();
        await pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [keyId]);
        assert.equal((await socket.closed).code, 4401);
        return performance.now() - begun;
      };
      const slow = await revoked(async () => proxy!.slow(2_500));
      assert.ok(slow < REVOKED_WITHIN_MS, `${slow} ms`);
      proxy!.slow(0);
      const cut = await revoked(() =>
        pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '% changes'"),
      );
      assert.ok(cut < REVOKED_WITHIN_MS, `${cut} ms`);
      await service.close();
      await proxy!.close();
    });

    it('streams continue while Postgres does not answer, the outage is logged once, and streams with a revoked key end when Postgres answers', async function () {
      this.timeout(60_000);
      let proxy: PostgresProxy | undefined;
      const lines: string[] = [];
      const service = await startService({
        db: one.db,
        databaseUrl: async (url) => {
          proxy = await openPostgresProxy(url);
          return proxy.url;
        },
        logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
      });
      const { key, keyId } = await newKey();
      const socket = webSocket(service, { key });
      await socket.next('connected');
      await proxy!.down();
      await one.db.pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [keyId]);
      const logged = (text: string) => lines.filter((line) => line.includes(text)).length;
      await until('it is logged', () => logged('keys of open streams cannot be checked') > 0, 20_000);
      assert.equal(socket.over(), null);
      await proxy!.up();
      assert.equal((await socket.closed).code, 4401);
      assert.deepEqual([logged('cannot be checked'), logged('are checked again')], [1, 1]);
      await service.close();
      await proxy!.close();
    });
  });

  const rounds = LONG_FORMS ? 100 : 30;
  it(`${rounds * 100} connections that open and close leave no state behind`, async function () {
    this.timeout(300_000);
    const { key } = await newKey({ kind: 'pk', plan: 'business' });
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const idle = sockets();
    let heap = 0;
    for (let round = 0; round < rounds; round += 1) {
      const ways: Leaving[] = ['at once', 'when answered', 'in order'];
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => {
          const path = i % 4 === 0 ? '/v1/stream' : '/v1/stream/ws';
          const { port } = [one, two][i % 2]!.app;
          return comeAndGo(port, `${path}?key=${key}&league=${1 + (i % 7)}`, ways[i % 3]!);
        }),
      );
      if (round === 9) heap = heapInUse();
    }
    for (const { deps } of [one, two]) {
      await until('nothing is stored', () => deps.admission.held() + deps.hub.held() === 0);
    }
    await until('all slots are free', async () => (await rows()) === 0);
    await until('all sockets are closed', () => sockets() <= idle);
    const grown = heapInUse() - heap;
    assert.ok(grown < 4 * 1024 * 1024, `${grown} bytes more than after 1,000`);
  });
});
