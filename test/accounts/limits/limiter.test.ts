import assert from 'node:assert/strict';
import { pino } from 'pino';
import { z } from 'zod';
import { removeOldWindows } from '../../../src/accounts/limits/count-exchange.ts';
import { Limiter } from '../../../src/accounts/limits/limiter.ts';
import { BUILT_IN, plansText } from '../../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../../src/accounts/plans/plans.ts';
import { openPool } from '../../../src/db/postgres.ts';
import type { WindowNotice } from '../../../src/http/charge.ts';
import { Problem } from '../../../src/http/errors.ts';
import type { KeyPrincipal } from '../../../src/http/key-cache.ts';
import { routeFor } from '../../../src/http/route.ts';
import { type FakeDeps, fakeDeps, fakeRoutes } from '../../http/fake-routes.ts';
import { createKey } from '../../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startApp, type TestApp } from '../../support/http.ts';
import { until } from '../../support/until.ts';

const PLANS = plansText.parse(`
default: daily
plans:
  - { name: daily, title: Daily, windows: { day: 1000 } }
  - { name: tiny, title: Tiny, windows: { burst: 100, day: 5, month: 500 } }
  - { name: slow, title: Slow, windows: { burst: 2, day: 1000 } }
  - { name: open, title: Open }
  - { name: shared, title: Shared, windows: { day: 1000 }, publishable_windows: { day: 100 }, publishable_per_address: { day: 8 } }
`);
const common = { method: 'GET', summary: 'A fake', tag: 'Fake', access: 'key', cache: 'no-store' } as const;
const ownRoutes = [
  routeFor<FakeDeps>()({
    ...common,
    path: '/v1/fails',
    cost: 1,
    response: z.strictObject({}),
    handler: () => {
      throw new Error('a bug');
    },
  }),
  routeFor<FakeDeps>()({
    ...common,
    path: '/v1/large',
    cost: 1,
    response: z.strictObject({ text: z.string() }),
    handler: () => ({ body: LARGE, etag: 'v1' }),
  }),
  routeFor<FakeDeps>()({
    ...common,
    method: 'POST',
    path: '/v1/batch',
    cost: 1,
    mostCost: (_, body) => body.length,
    body: z.array(z.number()),
    response: z.strictObject({}),
    handler: () => ({ body: {} }),
  }),
  routeFor<FakeDeps>()({
    ...common,
    path: '/v1/free',
    cost: 0,
    response: z.strictObject({}),
    handler: () => ({ body: {} }),
  }),
];
/** A body that costs 100 requests, since a free 304 covers 64 KiB. */
const LARGE = JSON.stringify({ text: 'x'.repeat(100 * 65_536 - 11) });
const silent = pino({ level: 'silent' });
const address = () => '192.0.2.7';
const DAY_MS = 86_400_000;

describe('account limits', () => {
  let db: TestDatabase;
  let now = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => now };
  let account = 0;
  let open: Limiter[] = [];

  before(async () => {
    db = await createTestDatabase();
  });
  after(async () => {
    await db.drop();
  });
  beforeEach(() => {
    account += 1;
  });
  afterEach(async () => {
    await Promise.all(open.map((limiter) => limiter.close()));
    open = [];
  });

  /** Starts a limiter, as one process does. */
  function pod(over: Partial<ConstructorParameters<typeof Limiter>[0]> = {}): Limiter {
    const limiter = new Limiter({ pool: db.pool, clock, logger: silent, plans: new OfferedPlans(PLANS), ...over });
    open.push(limiter);
    return limiter;
  }
  const key = (plan: string, kind: 'sk' | 'pk' = 'sk'): KeyPrincipal => ({
    kind,
    accountId: 100 + account,
    keyId: 1,
    awaitsVerification: false,
    plan,
    origins: null,
    addresses: null,
    scopes: null,
    permissions: null,
  });
  /** Returns whether the request is admitted. */
  async function charge(limiter: Limiter, plan: string): Promise<boolean> {
    try {
      await limiter.charge(key(plan), 1, address);
      return true;
    } catch (error) {
      assert.ok(error instanceof Problem && error.status === 429);
      return false;
    }
  }
  async function used(kind: string, starts = '2026-03-01', table = 'account_window'): Promise<number | undefined> {
    const { rows } = await db.pool.query<{ used: number }>(
      `SELECT used FROM ${table} WHERE account_id = $1 AND kind = $2 AND starts = $3`,
      [100 + account, kind, starts],
    );
    return rows[0]?.used;
  }

  it('allow at most 1 % above the daily quota from three processes under full load', async () => {
    const pods = [pod(), pod(), pod()];
    let admitted = 0;
    await Promise.all(
      pods.flatMap((limiter, index) =>
        Array.from({ length: 8 }, async () => {
          // The first process gets most of the requests.
          for (let n = 0; n < [400, 60, 10][index]!; n += 1) if (await charge(limiter, 'daily')) admitted += 1;
        }),
      ),
    );
    // On a slow machine, slightly fewer requests are admitted.
    assert.ok(admitted >= 950 && admitted <= 1_010, `${admitted} of 1000`);
  });

  it('include, in a process that has just started, the usage that earlier processes counted', async () => {
    const first = pod();
    for (let n = 0; n < 1_000; n += 1) assert.ok(await charge(first, 'daily'));
    await first.close();
    assert.equal(await used('day'), 1_000);
    assert.equal(await charge(pod(), 'daily'), false);
  });

  it('lose less than 1 % of a daily quota when a process is killed', async () => {
    const killed = pod();
    for (let n = 0; n < 500; n += 1) assert.ok(await charge(killed, 'daily'));
    const lost = 500 - ((await used('day')) ?? 0);
    assert.ok(lost <= 10, `${lost} lost`);
  });

  it('start anew each day and each month, at midnight UTC', async () => {
    const limiter = pod();
    for (let n = 0; n < 5; n += 1) assert.ok(await charge(limiter, 'tiny'));
    assert.equal(await charge(limiter, 'tiny'), false);
    now = Date.parse('2026-03-31T23:59:59.999Z');
    for (let n = 0; n < 5; n += 1) assert.ok(await charge(limiter, 'tiny'));
    assert.equal(await charge(limiter, 'tiny'), false);
    now += 1;
    const { headers } = (await limiter.charge(key('tiny'), 1, address))!;
    assert.deepEqual(Object.fromEntries(headers), {
      'RateLimit-Policy': '"burst";q=100;w=1, "day";q=5;w=86400, "month";q=500;w=2592000',
      RateLimit: `"burst";r=${/r=(\d+)/.exec(headers[1]![1])![1]};t=1, "day";r=4;t=86400, "month";r=499;t=2592000`,
    });
    await limiter.close();
    assert.equal(await used('day', '2026-03-31'), 5);
    assert.equal(await used('month', '2026-03-01'), 10);
    assert.equal(await used('day', '2026-04-01'), 1);
    now = Date.parse('2026-03-01T12:00:00Z');
  });

  it('follow a plan change at once and keep the usage', async () => {
    const limiter = pod();
    for (let n = 0; n < 5; n += 1) assert.ok(await charge(limiter, 'tiny'));
    assert.equal(await charge(limiter, 'tiny'), false);
    const { headers } = (await limiter.charge(key('daily'), 1, address))!;
    assert.match(headers[1]![1], /^"day";r=994;/);
    assert.equal(await limiter.charge(key('open'), 1, address), undefined);
  });

  it('refuse no request while Postgres is unavailable, and counting continues', async () => {
    const away = openPool('postgres://127.0.0.1:1/nowhere', silent);
    const limiter = pod({ pool: away });
    let admitted = 0;
    for (let n = 0; n < 1_100; n += 1) if (await charge(limiter, 'daily')) admitted += 1;
    assert.equal(admitted, 1_000);
    await limiter.close();
    await away.end();
  });

  it('send an account one notice at 80 % and one at 100 %, whichever process counts the request', async () => {
    const notices: WindowNotice[] = [];
    const notifyWindow = (notice: WindowNotice) => void notices.push(notice);
    const pods = [pod({ notifyWindow }), pod({ notifyWindow }), pod({ notifyWindow })];
    for (let n = 0; n < 1_010; n += 1) await charge(pods[n % 3]!, 'daily');
    await Promise.all(pods.map((limiter) => limiter.close()));
    assert.deepEqual(
      notices.map(({ accountId, window, percent, quota, resetsAt }) => [accountId, window, percent, quota, resetsAt]),
      [80, 100].map((percent) => [100 + account, 'day', percent, 1_000, new Date('2026-03-02T00:00:00Z')]),
    );
    assert.ok(notices[0]!.used >= 800 && notices[0]!.used < 820, `${notices[0]!.used}`);
    // A process that starts later sees the same usage.
    const late = pod({ notifyWindow });
    assert.equal(await charge(late, 'daily'), false);
    await late.close();
    assert.equal(notices.length, 2);
  });

  /**
   * Sends a request with a publishable key.
   * @returns the limit that refuses it, or that it was admitted
   */
  async function visit(limiter: Limiter, from: string, plan = 'shared'): Promise<string> {
    try {
      await limiter.charge(key(plan, 'pk'), 1, () => from);
      return 'admitted';
    } catch (error) {
      assert.ok(error instanceof Problem && error.status === 429);
      return String(error.options.members?.['violated-policies']);
    }
  }
  const times = async (count: number, ask: () => Promise<string>) => {
    const seen = new Map<string, number>();
    for (let n = 0; n < count; n += 1) {
      const answer = await ask();
      seen.set(answer, (seen.get(answer) ?? 0) + 1);
    }
    return Object.fromEntries(seen);
  };

  it('have separate windows for publishable keys, and all processes share these windows', async () => {
    const pods = [pod(), pod()];
    let visitor = 0;
    const spread = await times(120, () => visit(pods[visitor % 2]!, `192.0.2.${visitor++}`));
    assert.ok(spread.admitted! >= 95 && spread.admitted! <= 101, JSON.stringify(spread));
    assert.equal(spread.day, 120 - spread.admitted!);
    // The account's secret keys are not affected.
    for (let n = 0; n < 500; n += 1) assert.ok(await charge(pods[n % 2]!, 'shared'));
    await Promise.all(pods.map((limiter) => limiter.close()));
    assert.equal(await used('day'), 500);
    assert.equal(await used('day', '2026-03-01', 'publishable_window'), spread.admitted);
  });

  it('keep one visitor from using up the publishable window, because each address, or IPv6 /64, has a share', async () => {
    const limiter = pod();
    assert.deepEqual(await times(20, () => visit(limiter, '192.0.2.7')), { admitted: 8, 'address-day': 12 });
    let host = 0;
    const sameNetwork = () => visit(limiter, `2001:db8:0:1:${(host++).toString(16)}::1`);
    assert.deepEqual(await times(20, sameNetwork), { admitted: 8, 'address-day': 12 });
    assert.equal(await visit(limiter, '2001:db8:0:2::1'), 'admitted');
    await limiter.close();
    // A refused request costs the account nothing.
    assert.equal(await used('day', '2026-03-01', 'publishable_window'), 17);
    assert.equal(await used('day'), undefined);
  });

  it('give a visitor’s address one share that all processes count together, and a new share the next day', async () => {
    const pods = [pod(), pod()];
    let others = 0;
    await until('each process knows that there are two', async () => {
      now += 6_000;
      others += 1;
      for (const limiter of pods) await visit(limiter, `198.51.100.${others}`);
      const known = await Promise.all(pods.map((limiter) => limiter.charge(key('shared', 'pk'), 0, address)));
      return known.every((charged) => /"address-day";r=4;/.test(charged!.headers[1]![1]));
    });
    for (const limiter of pods)
      assert.deepEqual(await times(20, () => visit(limiter, '192.0.2.99')), { admitted: 4, 'address-day': 16 });
    now = Date.parse('2026-03-02T12:00:00Z');
    assert.equal(await visit(pods[0]!, '192.0.2.99'), 'admitted');
    now = Date.parse('2026-03-01T12:00:00Z');
  });

  it('refund a request with a publishable key to the account and to the visitor’s address', async () => {
    const limiter = pod();
    for (let n = 0; n < 30; n += 1) {
      const charged = await limiter.charge(key('shared', 'pk'), 1, address);
      charged!.refund();
    }
    assert.deepEqual(await times(10, () => visit(limiter, '192.0.2.7')), { admitted: 8, 'address-day': 2 });
  });

  it('set no publishable window or address limit if the plan has none', async () => {
    const free = plansText.parse(`
default: a
plans:
  - { name: a, title: A, windows: { day: 1000 }, publishable_windows: {} }
  - { name: b, title: B, windows: { day: 10 }, publishable_per_address: {} }
`);
    const limiter = pod({ plans: new OfferedPlans({ ...PLANS, list: [...PLANS.list, ...free.list] }) });
    assert.equal(await limiter.charge(key('a', 'pk'), 1, address), undefined);
    assert.deepEqual(await times(12, () => visit(limiter, '192.0.2.7', 'b')), { admitted: 10, day: 2 });
  });

  it('send different notices about publishable keys and about secret keys', async () => {
    const notices: WindowNotice[] = [];
    const pods = [1, 2].map(() => pod({ notifyWindow: (notice) => void notices.push(notice) }));
    let visitor = 0;
    await times(110, () => visit(pods[visitor % 2]!, `192.0.2.${visitor++}`));
    for (let n = 0; n < 1_001; n += 1) await charge(pods[n % 2]!, 'shared');
    await Promise.all(pods.map((limiter) => limiter.close()));
    assert.deepEqual(
      notices.map(({ keys, window, percent, quota }) => `${keys} ${window} ${percent} ${quota}`).sort(),
      ['pk day 100 100', 'pk day 80 100', 'sk day 100 1000', 'sk day 80 1000'],
    );
  });

  it('remove old windows', async () => {
    for (const keys of ['account', 'publishable']) {
      await db.pool.query(
        `INSERT INTO ${keys}_window (account_id, kind, starts, used) VALUES (1, 'day', '2026-02-26', 1), (1, 'day', '2026-02-28', 1), (1, 'month', '2026-02-01', 1), (1, 'month', '2025-12-01', 1)`,
      );
      await db.pool.query(`INSERT INTO ${keys}_demand VALUES (1, 'dead', 1, now() - interval '2 minutes')`);
      await db.pool.query(`INSERT INTO ${keys}_bucket VALUES (1, 1, 1, now() - interval '2 hours')`);
    }
    await removeOldWindows(db.pool, now);
    for (const keys of ['account', 'publishable']) {
      const { rows } = await db.pool.query(
        `SELECT kind, starts::text FROM ${keys}_window WHERE account_id = 1 ORDER BY 1, 2`,
      );
      assert.deepEqual(rows, [
        { kind: 'day', starts: '2026-02-28' },
        { kind: 'month', starts: '2026-02-01' },
      ]);
      assert.equal((await db.pool.query(`SELECT FROM ${keys}_demand WHERE pod = 'dead'`)).rowCount, 0);
      assert.equal((await db.pool.query(`SELECT FROM ${keys}_bucket WHERE account_id = 1`)).rowCount, 0);
    }
  });

  describe('limits over HTTP', () => {
    const plans = new OfferedPlans({ ...PLANS, list: [...PLANS.list, ...BUILT_IN.list] });
    let app: TestApp;
    let limiter: Limiter;
    const make = async (plan: string, kind: 'sk' | 'pk' = 'sk') =>
      (await createKey(db.pool, clock, { email: `${plan}${account}@example.com`, plan, kind }, plans)).key;
    before(async () => {
      limiter = new Limiter({ pool: db.pool, clock, logger: silent, plans });
      app = await startApp([...fakeRoutes, ...ownRoutes], fakeDeps(db.pool, { clock }), {
        chargeRequest: limiter.charge,
      });
    });
    after(async () => {
      await app.close();
      await limiter.close();
    });
    const leftOf = (headers: Headers) =>
      [...(headers.get('ratelimit') ?? '').matchAll(/"(\w+)";r=(\d+)/g)]
        .map(([, name, left]) => `${name} ${left}`)
        .join();

    it('every reply to an account states the account’s limits, even 404, 422, 304 and 429', async () => {
      const mine = await make('tiny');
      const first = await app.ask('/v1/club/5', { key: mine });
      assert.equal(
        first.headers.get('ratelimit-policy'),
        '"burst";q=100;w=1, "day";q=5;w=86400, "month";q=500;w=2678400',
      );
      assert.equal(first.headers.get('ratelimit'), '"burst";r=99;t=1, "day";r=4;t=43200, "month";r=499;t=2635200');
      const etag = first.headers.get('etag')!;
      const unchanged = await app.ask('/v1/club/5', { key: mine, headers: { 'If-None-Match': etag } });
      assert.equal(unchanged.status, 304);
      assert.match(leftOf(unchanged.headers), /^burst \d+,day 4,month 499$/);
      for (const [path, status, left] of [
        ['/v1/club/404', 404, 3],
        ['/v1/club/x', 422, 2],
        ['/v1/club/6', 200, 1],
        ['/v1/club/7', 200, 0],
        ['/v1/club/8', 429, 0],
      ] as const) {
        const answer = await app.ask(path, { key: mine });
        assert.equal(answer.status, status, path);
        assert.match(leftOf(answer.headers), new RegExp(`^burst \\d+,day ${left},month ${495 + left}$`));
      }
      const refused = await app.ask('/v1/club/8', { key: mine });
      assert.equal(refused.json.code, 'quota_exceeded');
      assert.deepEqual(refused.json['violated-policies'], ['day']);
      assert.match(refused.json.detail, /policy "day"/);
      assert.equal(refused.headers.get('retry-after'), '43200');
      // A request with an invalid key belongs to no account.
      assert.equal((await app.ask('/v1/club/5', { key: null })).headers.get('ratelimit'), null);
    });

    it('a request above the burst gets rate_limited and costs no daily quota', async () => {
      const mine = await make('slow');
      const answers = await Promise.all(Array.from({ length: 10 }, () => app.ask('/v1/club/5', { key: mine })));
      const refused = answers.filter(({ status }) => status === 429);
      assert.ok(refused.length >= 7, `${refused.length} refused`);
      for (const { json, headers } of refused) {
        assert.equal(json.code, 'rate_limited');
        assert.deepEqual(json['violated-policies'], ['burst']);
        assert.match(headers.get('retry-after')!, /^[12]$/);
      }
      assert.match(leftOf(refused.at(-1)!.headers), new RegExp(`day ${1_000 - 10 + refused.length}$`));
    });

    it('a batch costs what it does, may leave a debt in the burst, and needs room for all of it in the day', async () => {
      const mine = await make('slow');
      const post = (rows: number) =>
        app.ask('/v1/batch', { method: 'POST', key: mine, body: Array.from({ length: rows }, () => 1) });
      const first = await post(10);
      assert.equal(first.status, 200, first.text);
      assert.match(leftOf(first.headers), /day 990$/);
      const second = await post(1);
      assert.deepEqual([second.status, second.json.code], [429, 'rate_limited']);
      assert.equal(second.headers.get('retry-after'), '5', 'the refill of 2 a second pays the debt of 8 first');
      assert.match(leftOf(second.headers), /day 990$/);
      now += 5_000;
      const third = await post(991);
      assert.deepEqual([third.status, third.json.code], [429, 'quota_exceeded']);
      assert.match(leftOf(third.headers), /day 990$/);
      const invalid = await app.ask('/v1/batch', { method: 'POST', key: mine, body: ['x'] });
      assert.equal(invalid.status, 422);
      assert.match(leftOf(invalid.headers), /day 989$/);
      now -= 5_000;
    });

    it("an account's secret keys share one set of windows, and its publishable keys share a second one", async () => {
      const [secret, other] = [await make('tiny'), await make('tiny')];
      const [publishable, second] = [await make('tiny', 'pk'), await make('tiny', 'pk')];
      for (const [mine, left] of [
        [secret, 'day 4,month 499'],
        [other, 'day 3,month 498'],
        [publishable, 'day 4,month 499'],
        [secret, 'day 2,month 497'],
      ] as const) {
        const { headers } = await app.ask('/v1/club/5/image', { key: mine });
        assert.ok(leftOf(headers).includes(left), `${mine}: ${leftOf(headers)}`);
      }
      // One address may send one of the five requests a day.
      const refused = await app.ask('/v1/club/5/image', { key: second });
      assert.deepEqual([refused.status, refused.json.code], [429, 'quota_exceeded']);
      assert.deepEqual(refused.json['violated-policies'], ['address-day']);
      assert.match(refused.json.detail, /Requests of one address are limited to 1 a day/);
      assert.equal(refused.headers.get('retry-after'), '43200');
      assert.equal(
        refused.headers.get('ratelimit-policy'),
        '"burst";q=100;w=1, "day";q=5;w=86400, "month";q=500;w=2678400, "address-burst";q=50;w=1, "address-day";q=1;w=86400, "address-month";q=50;w=2678400',
      );
      assert.match(refused.headers.get('ratelimit')!, /"day";r=4;t=43200.*"address-day";r=0;t=43200/);
    });

    it('a request that the service fails to answer, and a route that costs 0, are free', async () => {
      const mine = await make('tiny');
      await app.ask('/v1/club/5', { key: mine });
      const failed = await app.ask('/v1/fails', { key: mine });
      assert.equal(failed.status, 500);
      assert.match(leftOf(failed.headers), /day 4,/);
      const free = await app.ask('/v1/free', { key: mine });
      assert.match(leftOf(free.headers), /day 4,/);
      assert.match(leftOf((await app.ask('/v1/free', { key: await make('daily') })).headers), /^day 1000$/);
    });

    it('a read with If-None-Match: * costs the full price, because the client need not have the body', async () => {
      const mine = await make('tiny');
      for (const left of [4, 3]) {
        const { status, headers } = await app.ask('/v1/club/5', { key: mine, headers: { 'If-None-Match': '*' } });
        assert.equal(status, 304);
        assert.match(leftOf(headers), new RegExp(`day ${left},`));
      }
      const head = await app.ask('/v1/club/5', { key: mine, method: 'HEAD', headers: { 'If-None-Match': ' * ' } });
      assert.match(leftOf(head.headers), /day 2,/);
    });

    it('a read with a matching tag is free within a window for such reads, and costs the full price beyond it', async () => {
      const mine = await make('daily');
      const ask = () => app.ask('/v1/large', { key: mine, headers: { 'If-None-Match': '"v1"' } });
      for (let n = 0; n < 30; n += 1) {
        const { status, headers } = await ask();
        assert.deepEqual([status, leftOf(headers)], [304, 'day 1000']);
      }
      for (const left of [999, 998]) {
        const { status, headers } = await ask();
        assert.deepEqual([status, leftOf(headers)], [304, `day ${left}`]);
      }
      now += 60_000;
      assert.equal(leftOf((await ask()).headers), 'day 998');
      now -= 60_000;
    });
  });

  it('the test clock is set back to its start', () => assert.equal(now % DAY_MS, DAY_MS / 2));
});
