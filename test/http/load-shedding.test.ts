/** Tests with a Postgres whose statements wait for a lock, so that they are answered when a test releases it. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { participantImage } from '../../src/catalogue/participant-image.ts';
import { openPool } from '../../src/db/postgres.ts';
import { idParams } from '../../src/http/query.ts';
import { type RouteValue, routeFor } from '../../src/http/route.ts';
import { readCard } from '../../src/matches/read-card.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Answer, type ProblemReply, startApp, type TestApp, testConfig } from '../support/http.ts';
import { until } from '../support/until.ts';
import { type FakeDeps, fakeDeps } from './fake-routes.ts';

/** A store counts as slow once a statement has waited for longer than this. */
const SLOW_MS = 1_000;
/** More connections than any test has statements at a time, so that no statement waits for a connection. */
const CONNECTIONS = 90;
const PLANS = `default: free
plans:
  - { name: free, title: Free }
  - { name: small, title: Small }
  - { name: medium, title: Medium }
  - { name: large, title: Large }
  - { name: largest, title: Largest }
`;
/** There are 40 places. Shares grow in six steps, of which visitors have the first. */
const PLACES = { visitor: 7, free: 14, small: 20, largest: 40 };

const route = routeFor<FakeDeps>();
const standard = { summary: 'A slow one', tag: 'Slow', cost: 0, cache: 'no-store', method: 'GET' } as const;
const response = { contentType: 'text/plain' };
const read = async ({ pool }: FakeDeps) => {
  await pool.query('SELECT FROM slow_table');
  return { body: 'read' };
};
const all = (deps: FakeDeps, count: number) => Promise.all(Array.from({ length: count }, () => read(deps)));

let resume: () => void = () => {};
const resumed = new Promise<void>((resolve) => {
  resume = resolve;
});

const routes: RouteValue<FakeDeps>[] = [
  route({
    ...standard,
    path: '/pause',
    access: 'visitor',
    response,
    async handler(_, { pool }) {
      await pool.query('SELECT 1');
      await resumed;
      return { body: 'resumed' };
    },
  }),
  route({ ...standard, path: '/one', access: 'visitor', response, handler: (_, deps) => read(deps) }),
  route({ ...standard, path: '/v1/one', access: 'key', response, handler: (_, deps) => read(deps) }),
  route({
    ...standard,
    path: '/page',
    access: 'visitor',
    response,
    async handler(_, deps) {
      await all(deps, 9);
      await all(deps, 9);
      return { body: 'a page' };
    },
  }),
  route({
    ...standard,
    path: '/picture',
    access: 'visitor',
    response,
    weight: 1 / 8,
    handler: (_, deps) => read(deps),
  }),
  route({
    ...standard,
    path: '/v1/card/{id}',
    access: 'key',
    response,
    params: idParams,
    handler: async ({ params }, { pool }) => ({ body: String(await readCard(pool, params.id, null)) }),
  }),
  route({
    ...standard,
    path: '/crest/{id}',
    access: 'visitor',
    response,
    params: idParams,
    handler: async ({ params }, { pool }) => ({ body: String((await participantImage(pool, params.id))?.etag) }),
  }),
];

describe('requests that wait for a slow store', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let pool: pg.Pool;
  let app: TestApp;
  let locked: pg.PoolClient | null = null;
  let pending: Promise<Answer<ProblemReply>>[] = [];
  const plans = new OfferedPlans(plansText.parse(PLANS));
  const registry = new Registry();
  const lines: string[] = [];

  before(async () => {
    db = await createTestDatabase();
    await db.pool.query('CREATE TABLE slow_table ()');
    pool = openPool(db.url, pino({ level: 'silent' }), CONNECTIONS);
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const config = { ...testConfig, trustedProxies: ['127.0.0.1'] };
    app = await startApp(routes, fakeDeps(pool, { config, logger }), {
      registry,
      shareOf: (principal) => plans.shareOf(principal),
    });
  });
  after(async () => {
    await app.close();
    await pool.end();
    await db.drop();
  });
  beforeEach(() => {
    lines.length = 0;
  });
  afterEach(async () => {
    await release();
    pending = [];
  });

  const keyOf = async (email: string, plan: string) =>
    (await createKey(db.pool, systemClock, { email: `${email}@example.com`, plan }, plans)).key;

  /** From now on, statements on the table wait. */
  async function slow(): Promise<void> {
    locked = await db.pool.connect();
    await locked.query('BEGIN; LOCK TABLE slow_table, participant, match IN ACCESS EXCLUSIVE MODE');
  }
  async function release(): Promise<void> {
    if (locked === null) return;
    await locked.query('COMMIT');
    locked.release();
    locked = null;
    await Promise.all(pending);
  }
  /** Sends a visitor's request from an address, or a request with a key. */
  function ask(path: string, client: string): Promise<Answer<ProblemReply>> {
    const isAddress = /[.:]/.test(client);
    const headers: Record<string, string> = isAddress ? { 'X-Forwarded-For': client } : {};
    const asked = app.ask(path, { headers, key: isAddress ? null : client });
    pending.push(asked);
    return asked;
  }
  const askMany = (count: number, path: string, client: string) =>
    Array.from({ length: count }, () => ask(path, client));
  const waiting = async () =>
    (
      await db.pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    ).rows[0]!.count;
  const untilWaiting = (count: number) => until(`${count} statements wait`, async () => (await waiting()) >= count);
  /** Makes the store slow with a statement for a different account. */
  async function slowForOthers(): Promise<void> {
    const other = await keyOf(`other-${Math.random()}`, 'largest');
    await slow();
    void ask('/v1/one', other);
    await untilWaiting(1);
    await sleep(SLOW_MS + 100);
  }
  /** Returns the requests that are answered while the store is slow. These were refused. */
  async function refusedOf(asked: Promise<Answer<ProblemReply>>[], statements: number) {
    await untilWaiting(statements);
    const now = await Promise.all(asked.map((one) => Promise.race([one, sleep(50, null)])));
    return now.filter((answer) => answer !== null);
  }

  it('a request takes one place however many statements it needs, so four pages with nine statements each do not exceed a visitor’s places', async () => {
    await slow();
    const first = ask('/page', '203.0.113.1');
    await untilWaiting(9);
    await sleep(SLOW_MS + 100);
    const pages = [first, ...askMany(3, '/page', '203.0.113.1')];
    assert.deepEqual(await refusedOf(pages, 36), []);
    await release();
    for (const { status, text } of await Promise.all(pages)) assert.deepEqual([status, text], [200, 'a page']);
  });

  it('visitors can fill their share of the places, and the next visitor is then refused with Retry-After', async () => {
    await slow();
    const first = ask('/one', '203.0.113.1');
    await untilWaiting(1);
    await sleep(SLOW_MS + 100);
    const asked = [first, ...askMany(PLACES.visitor - 1, '/one', '203.0.113.1')];
    await untilWaiting(PLACES.visitor);
    const { status, headers, json } = await ask('/one', '203.0.113.1');
    assert.deepEqual([status, json.code], [503, 'unavailable']);
    assert.match(headers.get('retry-after')!, /^([5-9]|10)$/);
    await release();
    for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
  });

  it('an account that has taken all the plan’s places, with any key, leaves one for another account', async () => {
    const [hostile, second] = [await keyOf('hostile', 'free'), await keyOf('hostile', 'free')];
    const modest = await keyOf('modest', 'free');
    await slow();
    // All of these arrive before the store counts as slow.
    const flood = [...askMany(PLACES.free, '/v1/one', hostile), ...askMany(PLACES.free, '/v1/one', second)];
    await untilWaiting(flood.length);
    await sleep(SLOW_MS + 100);
    for (const key of [hostile, second]) assert.equal((await ask('/v1/one', key)).status, 503);
    const one = ask('/v1/one', modest);
    assert.deepEqual(await refusedOf([one], flood.length + 1), []);
    await release();
    assert.equal((await one).status, 200);
  });

  it('accounts on the same plan get equal parts of the plan’s places', async () => {
    const [first, second] = [await keyOf('first', 'small'), await keyOf('second', 'small')];
    await slowForOthers();
    // The account on the larger plan already has one place.
    const firsts = askMany(PLACES.small - 1, '/v1/one', first);
    assert.deepEqual(await refusedOf(firsts, PLACES.small), []);
    const seconds = askMany(PLACES.small, '/v1/one', second);
    await until('all others are refused', async () => (await refusedOf(seconds, 0)).length >= PLACES.small / 2);
    const served = PLACES.small - (await refusedOf(seconds, 0)).length;
    assert.ok(served >= PLACES.small / 2 - 1, `${served}`);
  });

  it('requests on a larger plan are served during a flood on a smaller plan, and take over places from the flood', async () => {
    const [free, largest] = [await keyOf('free', 'free'), await keyOf('largest', 'largest')];
    await slow();
    const flood = askMany(PLACES.largest + 5, '/v1/one', free);
    await untilWaiting(flood.length);
    await sleep(SLOW_MS + 100);
    const large = askMany(PLACES.free, '/v1/one', largest);
    assert.deepEqual(await refusedOf(large, flood.length + large.length), []);
    assert.equal((await ask('/v1/one', await keyOf('newcomer', 'free'))).status, 503);
    assert.equal((await ask('/one', '203.0.113.9')).status, 503);
  });

  it('visitors are counted by network, so that one subscriber’s many addresses do not crowd out the rest', async () => {
    await slow();
    const flood = Array.from({ length: 2 * PLACES.visitor }, (_, n) => ask('/one', `2001:db8:1:2::${n + 1}`));
    await untilWaiting(flood.length);
    await sleep(SLOW_MS + 100);
    assert.equal((await ask('/one', '2001:db8:1:2:ffff::1')).status, 503);
    const other = ask('/one', '2001:db8:1:3::1');
    assert.deepEqual(await refusedOf([other], flood.length + 1), []);
    await release();
    assert.equal((await other).status, 200);
  });

  it('a request keeps its place until it ends, even while it waits for something other than the store', async () => {
    await slowForOthers();
    const asked = askMany(PLACES.visitor, '/pause', '203.0.113.1');
    // The place that the largest plan occupies counts against the visitors' share too.
    await until('one is refused', async () => (await refusedOf(asked, 1)).length === 1);
    assert.equal((await ask('/one', '203.0.113.1')).status, 503);
    resume();
    await until('the others end', async () => (await refusedOf(asked, 1)).length === PLACES.visitor);
    const next = ask('/one', '203.0.113.1');
    assert.deepEqual(await refusedOf([next], 2), []);
  });

  it('all pictures on a page count together as one request', async () => {
    await slowForOthers();
    const pictures = askMany(3 * 8, '/picture', '203.0.113.1');
    assert.deepEqual(await refusedOf(pictures, 1 + 3 * 8), []);
    const pages = askMany(3, '/one', '203.0.113.1');
    assert.deepEqual(await refusedOf(pages, 1 + 3 * 8 + 3), []);
    assert.equal((await ask('/one', '203.0.113.1')).status, 503);
    await release();
    for (const { status } of await Promise.all(pictures)) assert.equal(status, 200);
  });

  it('two accounts whose cards are read in one statement are judged separately, so only one of them is refused', async () => {
    const [hostile, modest] = [await keyOf('cards', 'free'), await keyOf('card', 'free')];
    await slowForOthers();
    void askMany(PLACES.free - 1, '/v1/one', hostile);
    await untilWaiting(PLACES.free);
    const [refused, served] = [askMany(4, '/v1/card/1', hostile), ask('/v1/card/1', modest)];
    for (const { status } of await Promise.all(refused)) assert.equal(status, 503);
    assert.deepEqual(await refusedOf([served], PLACES.free + 1), []);
    await release();
    assert.equal((await served).status, 200);
  });

  it('a refused request is counted by plan, and some refusals are logged in a one-line warning without a stack', async () => {
    const small = await keyOf('logged', 'small');
    await slowForOthers();
    void askMany(PLACES.small, '/v1/one', small);
    await untilWaiting(PLACES.small);
    lines.length = 0;
    registry.resetMetrics();
    const refused = await Promise.all([...askMany(30, '/v1/one', small), ...askMany(10, '/one', '203.0.113.5')]);
    assert.ok(refused.every(({ status }) => status === 503));
    const text = await registry.metrics();
    assert.match(text, /touchline_http_refused_requests_total\{plan="small",reason="slow"\} 30/);
    assert.match(text, /touchline_http_refused_requests_total\{plan="visitor",reason="slow"\} 10/);
    const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const missing = () => logged().flatMap(({ requests }) => (requests === undefined ? [] : [Number(requests)]));
    await until('the missing lines are counted', async () => missing().length > 0);
    const own = logged().filter(({ msg }) => msg === 'request');
    assert.ok(own.length <= 20, `${own.length} lines`);
    assert.equal(own.length + missing().reduce((sum, count) => sum + count, 0), 40);
    for (const line of own) {
      assert.deepEqual([line.level, line.status], [40, 503]);
      assert.deepEqual(line.err, { type: 'StoreBusy', message: 'too many requests wait' });
    }
    assert.ok(lines.every((line) => line.length < 600));
  });

  it('pictures that are requested during a read share the next statement', async () => {
    await slow();
    const first = ask('/crest/1', '203.0.113.1');
    await untilWaiting(1);
    const next = Array.from({ length: 30 }, (_, n) => ask(`/crest/${n + 2}`, '203.0.113.1'));
    await sleep(200);
    assert.equal(await waiting(), 1);
    await release();
    for (const { status, text } of await Promise.all([first, ...next]))
      assert.deepEqual([status, text], [200, 'undefined']);
  });
});
