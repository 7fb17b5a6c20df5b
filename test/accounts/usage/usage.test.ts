import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { moveUsage } from '../../../src/accounts/usage/move-to-clickhouse.ts';
import { readUsage, type UsageQuestion, type UsageStores } from '../../../src/accounts/usage/read-usage.ts';
import { usageRoutes } from '../../../src/accounts/usage/routes.ts';
import { countWebhooks, removeOldUsage } from '../../../src/accounts/usage/usage-queries.ts';
import { UsageRecorder } from '../../../src/accounts/usage/usage-recorder.ts';
import { openClickHouse } from '../../../src/db/clickhouse.ts';
import { migrateClickHouse } from '../../../src/db/clickhouse-migrations.ts';
import { openPool } from '../../../src/db/postgres.ts';
import { bindRoutes } from '../../../src/http/route.ts';
import { fakeDeps, fakeRoutes } from '../../http/fake-routes.ts';
import { BUILT_IN_PLANS, createKey } from '../../support/accounts.ts';
import { type ClickHouseServer, startClickHouseServer } from '../../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type ProblemReply, startApp, type TestApp } from '../../support/http.ts';

const silent = pino({ level: 'silent' });
const DAY_MS = 86_400_000;
/** Today by the real clock, since ClickHouse expires rows by it. */
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

describe('usage', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let now = TODAY;
  const clock = { now: () => now };
  let app: TestApp;
  let recorder: UsageRecorder;
  let clickhouse: Awaited<ReturnType<typeof openClickHouse>>;
  let server: ClickHouseServer;
  let stores: UsageStores;

  before(async () => {
    db = await createTestDatabase();
    server = await startClickHouseServer();
    clickhouse = await openClickHouse({ clickhouseUrl: server.url, dataDir: '', clickhouseQueryMemoryMb: 256 });
    await migrateClickHouse(clickhouse);
    stores = { pool: db.pool, clickhouse };
    recorder = new UsageRecorder({ pool: db.pool, clock, logger: silent, flushMs: 20 });
    const deps = fakeDeps(db.pool, { clock });
    app = await startApp(
      [...fakeRoutes, ...bindRoutes(usageRoutes, { ...deps, clickhouse, plans: BUILT_IN_PLANS } as never)],
      deps,
      {
        recordRequest: recorder.record,
      },
    );
  });
  after(async () => {
    await app.close();
    await recorder.close();
    await clickhouse.close();
    await server.stop();
    await db.drop();
  });
  beforeEach(() => {
    now = TODAY;
  });

  let accounts = 0;
  async function account() {
    accounts += 1;
    return createKey(db.pool, clock, { email: `usage${accounts}@example.com`, plan: 'pro' });
  }
  const flushed = () => sleep(80);
  const ask = (accountId: number, groups: UsageQuestion['groups'] = [], from = now - 20 * DAY_MS, to = now) =>
    readUsage(stores, { accountId, from: dayOf(from), to: dayOf(to), groups });

  it('counts requests by day, key, endpoint and status, and does not bill for 304 replies and failures', async () => {
    const [one, two] = [await account(), await createKey(db.pool, clock, { email: 'usage1@example.com' })];
    const first = await app.ask('/v1/club/5', { key: one.key });
    await app.ask('/v1/club/6', { key: one.key });
    await app.ask('/v1/club/5', { key: one.key, headers: { 'If-None-Match': first.headers.get('etag')! } });
    await app.ask('/v1/club/404', { key: two.key });
    await app.ask('/v1/club/x', { key: two.key });
    await app.ask('/v1/club/6', { key: two.key, headers: { 'If-None-Match': '*' } });
    // These two requests belong to no account.
    await app.ask('/v1/club/5', { key: null });
    await app.ask('/v1/card', { key: null });
    now += DAY_MS;
    await app.ask('/v1/clubs', { key: two.key });
    await flushed();
    const { rows, totals, complete } = await ask(one.accountId, ['day', 'key', 'endpoint', 'status']);
    const none = { not_modified: 0, rejected: 0 };
    assert.deepEqual(rows, [
      {
        day: dayOf(TODAY),
        key_id: one.keyId,
        endpoint: '/v1/club/{id}',
        status: 200,
        requests: 2,
        billable: 2,
        ...none,
      },
      {
        day: dayOf(TODAY),
        key_id: one.keyId,
        endpoint: '/v1/club/{id}',
        status: 304,
        requests: 1,
        billable: 0,
        not_modified: 1,
        rejected: 0,
      },
      {
        day: dayOf(TODAY),
        key_id: two.keyId,
        endpoint: '/v1/club/{id}',
        status: 304,
        requests: 1,
        billable: 1,
        not_modified: 1,
        rejected: 0,
      },
      {
        day: dayOf(TODAY),
        key_id: two.keyId,
        endpoint: '/v1/club/{id}',
        status: 404,
        requests: 1,
        billable: 1,
        ...none,
      },
      {
        day: dayOf(TODAY),
        key_id: two.keyId,
        endpoint: '/v1/club/{id}',
        status: 422,
        requests: 1,
        billable: 1,
        ...none,
      },
      { day: dayOf(now), key_id: two.keyId, endpoint: '/v1/clubs', status: 200, requests: 1, billable: 1, ...none },
    ]);
    assert.deepEqual(totals, { requests: 7, billable: 6, not_modified: 2, rejected: 0 });
    assert.equal(complete, true);
    assert.deepEqual(
      (await ask(one.accountId, ['key'])).rows.map(({ key_id, requests }) => [key_id, requests]),
      [
        [one.keyId, 3],
        [two.keyId, 4],
      ],
    );
  });

  it('includes the time of a key’s last use, which is the newest time that any process recorded', async () => {
    const { key, keyId } = await account();
    await app.ask('/v1/club/5', { key });
    await flushed();
    const used = async () =>
      (await db.pool.query('SELECT last_used_at, last_used_from FROM api_key WHERE id = $1', [keyId])).rows[0];
    assert.deepEqual(await used(), { last_used_at: new Date(now), last_used_from: '127.0.0.1' });
    now -= 60_000;
    await app.ask('/v1/club/5', { key });
    await flushed();
    assert.deepEqual((await used()).last_used_at, new Date(TODAY));
  });

  it('stays in memory if it cannot be stored, and is stored when the process stops', async () => {
    const { accountId, keyId } = await account();
    const away = openPool('postgres://127.0.0.1:1/nowhere', silent);
    const pool = { current: away };
    const proxy = new Proxy(away, {
      get(_, name) {
        const member = Reflect.get(pool.current, name);
        return typeof member === 'function' ? member.bind(pool.current) : member;
      },
    });
    const other = new UsageRecorder({ pool: proxy, clock, logger: silent, flushMs: 20 });
    const principal = { kind: 'sk', accountId, keyId, plan: 'pro', origins: null, addresses: null } as const;
    const facts = { principal, route: '/v1/events', cost: 1, address: '::1' };
    for (let n = 0; n < 3; n += 1) other.record(facts as never, 200);
    await flushed();
    other.record({ ...facts, cost: 0 } as never, 429);
    pool.current = db.pool;
    await other.close();
    await away.end();
    const { rows } = await ask(accountId, ['status']);
    assert.deepEqual(rows, [
      { status: 200, requests: 3, billable: 3, not_modified: 0, rejected: 0 },
      { status: 429, requests: 1, billable: 0, not_modified: 0, rejected: 1 },
    ]);
  });

  it('counts streams by peak and by delivered events, and webhooks by attempt', async () => {
    const { accountId } = await account();
    const use = recorder.streams(accountId);
    use.opened();
    use.opened();
    use.delivered(7);
    use.closed();
    await flushed();
    use.delivered(5);
    use.closed();
    await flushed();
    const { rows } = await db.pool.query<{ id: number }>(
      `INSERT INTO webhook_subscription (account_id, url, event_types, sports, leagues, dispatcher_group, secret, created_at, position)
       VALUES ($1, 'https://example.com', '{}', '{}', '{}', 'shared', 'x', now(), 0) RETURNING id`,
      [accountId],
    );
    const subscription_id = rows[0]!.id;
    await countWebhooks(db.pool, [
      { subscription_id, at: now, failure: null },
      { subscription_id, at: now, failure: 'timeout' },
      { subscription_id, at: now - DAY_MS, failure: null },
    ]);
    const { activity } = await ask(accountId);
    assert.deepEqual(activity, [
      { day: dayOf(now - DAY_MS), streams_peak: 0, events_delivered: 0, webhook_attempts: 1, webhook_deliveries: 1 },
      { day: dayOf(now), streams_peak: 2, events_delivered: 12, webhook_attempts: 2, webhook_deliveries: 1 },
    ]);
  });

  describe('usage in ClickHouse', () => {
    const DATABASE = '11111111-2222-3333-4444-555555555555';
    const move = (to: Pick<typeof clickhouse, 'insert'> = clickhouse) => moveUsage(db.pool, to, DATABASE, dayOf(TODAY));
    const add = (accountId: number, ageDays: number, requests: number, endpoint = '/v1/events') =>
      db.pool.query(
        `INSERT INTO account_usage VALUES ($1, $2, 1, $3, 200, $4, $4) ON CONFLICT (account_id, day, key_id, endpoint, status)
         DO UPDATE SET requests = account_usage.requests + $4, billable = account_usage.billable + $4`,
        [accountId, dayOf(TODAY - ageDays * DAY_MS), endpoint, requests],
      );
    const stored = async (accountId: number) =>
      (await db.pool.query('SELECT FROM account_usage WHERE account_id = $1', [accountId])).rowCount;
    const requests = async (accountId: number) => (await ask(accountId)).totals.requests;
    before(() => db.pool.query('UPDATE analytics_loader SET database_id = $1', [DATABASE]));
    before(() => db.pool.query('DELETE FROM account_usage'));

    it('receives each day once that day is over, is read together with Postgres, and moving a day again changes no row', async () => {
      const { accountId } = await account();
      for (const age of [0, 1, 2, 10]) await add(accountId, age, 5);
      await add(accountId, 10, 3, "/v1/a\tb\\'x");
      assert.equal(await requests(accountId), 23);
      // Fails after the insert, as if the process had died.
      const dying = {
        insert: async (table: string, lines: string) => {
          await clickhouse.insert(table, lines);
          throw new Error('killed');
        },
      };
      await assert.rejects(move(dying), /killed/);
      assert.equal(await stored(accountId), 5);
      assert.equal(await move(), true);
      assert.equal(await move(), true);
      assert.equal(await move(), false);
      // Only today and yesterday are left in Postgres.
      assert.equal(await stored(accountId), 2);
      assert.equal(await requests(accountId), 23);
      const { rows } = await ask(accountId, ['endpoint']);
      assert.deepEqual(
        rows.map((row) => [row.endpoint, row.requests]),
        [
          ["/v1/a\tb\\'x", 3],
          ['/v1/events', 20],
        ],
      );
      // A different process adds to that day late, because it could not reach Postgres before.
      await add(accountId, 10, 2);
      assert.equal(await requests(accountId), 25);
      assert.equal(await move(), true);
      assert.equal(await requests(accountId), 25);
      const byDay = await ask(accountId, ['day']);
      assert.deepEqual(
        byDay.rows.map((row) => [row.day, row.requests]),
        [10, 2, 1, 0].map((age) => [dayOf(TODAY - age * DAY_MS), age === 10 ? 10 : 5]),
      );
    });

    it('is left out while ClickHouse is unavailable, and a reply then has only recent days and says that it is incomplete', async () => {
      const { accountId } = await account();
      await add(accountId, 0, 5);
      const question = { accountId, from: dayOf(TODAY - 20 * DAY_MS), to: dayOf(TODAY), groups: [] };
      const away = { pool: db.pool, clickhouse: { query: () => Promise.reject(new Error('away')) } };
      const { totals, complete } = await readUsage(away, question);
      assert.deepEqual([totals.requests, complete], [5, false]);
      const recent = await readUsage(away, { ...question, from: dayOf(TODAY) });
      assert.deepEqual([recent.totals.requests, recent.complete], [5, true]);
    });

    it('is removed after 400 days, or with the account', async () => {
      const { accountId } = await account();
      await add(accountId, 400, 1);
      await add(accountId, 401, 1);
      await add(987_654, 0, 1);
      await removeOldUsage(db.pool, dayOf(TODAY));
      assert.deepEqual([await stored(accountId), await stored(987_654)], [1, 0]);
    });
  });

  describe('GET /v1/account/usage', () => {
    interface UsageReply extends ProblemReply {
      from: string;
      to: string;
      count: number;
      usage: { requests: number }[];
      windows: { used: number | null }[];
      publishable_windows: { used: number | null }[];
    }
    it('returns the usage of the key’s account', async () => {
      const [mine, other] = [await account(), await account()];
      await app.ask('/v1/club/5', { key: mine.key });
      await app.ask('/v1/club/5', { key: other.key });
      await flushed();
      for (const [table, used] of [
        ['account_window', 123],
        ['publishable_window', 45],
      ] as const)
        await db.pool.query(`INSERT INTO ${table} (account_id, kind, starts, used) VALUES ($1, 'day', $2, $3)`, [
          mine.accountId,
          dayOf(now),
          used,
        ]);
      const { status, json } = await app.ask<UsageReply>('/v1/account/usage?group=endpoint,status', { key: mine.key });
      assert.equal(status, 200);
      const { from, to, windows, publishable_windows, usage } = json;
      assert.deepEqual([from, to], [dayOf(now - 29 * DAY_MS), dayOf(now)]);
      assert.deepEqual(windows, [
        { name: 'burst', limit: 20, used: null, remaining: null, resets_at: null },
        {
          name: 'day',
          limit: 500_000,
          used: 123,
          remaining: 499_877,
          resets_at: `${dayOf(now + DAY_MS)}T00:00:00Z`,
        },
      ]);
      assert.deepEqual(publishable_windows, [windows[0], { ...windows[1], used: 45, remaining: 499_955 }]);
      assert.deepEqual(usage, [
        { endpoint: '/v1/club/{id}', status: 200, requests: 1, billable: 1, not_modified: 0, rejected: 0 },
      ]);
    });

    it('refuses an invalid day or group', async () => {
      const { key } = await account();
      for (const [query, parameter] of [
        ['from=yesterday', 'from'],
        ['from=2026-02-30', 'from'],
        ['from=2026-03-02&to=2026-03-01', 'from'],
        ['group=colour', 'group.0'],
        ['group=', 'group.0'],
        ["to=2026-01-01'--", 'to'],
      ] as const) {
        const { status, json } = await app.ask(`/v1/account/usage?${query}`, { key });
        assert.equal(status, 422, query);
        assert.equal(json.errors![0]!.parameter.split('.')[0], parameter.split('.')[0], query);
      }
      assert.equal((await app.ask('/v1/account/usage', { key: null })).status, 401);
      assert.equal((await app.ask('/v1/account/usage?to=0001-01-01', { key })).status, 200);
    });
  });
});
