/** Checks in a whole service that a plan which is declared while it runs applies, and so does its changed definition. */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { changePlan } from '../../src/accounts/accounts.ts';
import { declarePlan } from '../../src/accounts/plans/declared-plans.ts';
import { type Running, readRoleConfig, serve } from '../../src/main.ts';
import { systemClock as clock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type OpenStream, openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';

const PATIENCE = 20_000;
const EMAIL = 'ann@example.com';
const GOLD = {
  name: 'gold',
  title: 'Gold',
  windows: { burst: 100_000, day: 700_000 },
  publishable_windows: { day: 70 },
  stream: true,
  connections: 1,
};

describe('a service on which a plan is declared', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let running: Running;
  let key = '';
  const streams: OpenStream[] = [];
  before(async () => {
    db = await createTestDatabase();
    const env = {
      ...{ DATABASE_URL: db.url, CLICKHOUSE_URL: 'http://127.0.0.1:1', SECRET_KEY: 'a-secret-key-of-the-tests' },
      ...{ FEED_TOKEN: 'feed-token-of-the-tests', PORT: '0', ADMIN_PORT: '0' },
      PLANS: JSON.stringify({ default: 'basic', plans: [{ name: 'basic', title: 'Basic', windows: { day: 9_000 } }] }),
    };
    running = await serve(await readRoleConfig(env, 'all'), pino({ level: 'silent' }), { role: 'all' });
    ({ key } = await createKey(db.pool, clock, { email: EMAIL }, running.plans));
  });
  after(async () => {
    for (const stream of streams) stream.close();
    await running?.stop();
    await db.drop();
  });

  const declare = (over: object) =>
    declarePlan(
      { pool: db.pool, clock, configured: { list: running.plans.list.slice(0, 1), default: 'basic' } },
      { ...GOLD, ...over },
    );
  /** Does not wait until the process reads the plans itself. */
  const redeclare = async (over: object) => {
    await declare(over);
    await running.plans.refresh(db.pool);
  };
  const get = (path: string) => fetch(running.address + path, { headers: { 'X-API-Key': key } });
  const policy = async () => (await get('/v1/sports')).headers.get('ratelimit-policy');
  async function stream(): Promise<OpenStream> {
    const one = await openStream(`${running.address}/v1/stream?key=${key}`);
    streams.push(one);
    return one;
  }

  it('applies it to requests, streams and pages without a restart', async () => {
    assert.equal(await policy(), '"day";q=9000;w=86400');
    assert.equal((await stream()).status, 402);
    await declare({});
    await until('the process has read the plan', () => running.plans.has('gold'), PATIENCE);
    await changePlan({ pool: db.pool, clock, plans: running.plans }, EMAIL, 'gold');
    await until(
      'it applies',
      async () => (await policy()) === '"burst";q=100000;w=1, "day";q=700000;w=86400',
      PATIENCE,
    );
    const { plan } = (await (await get('/v1/account')).json()) as { plan: Record<string, unknown> };
    assert.deepEqual([plan.name, plan.title, plan.connections], ['gold', 'Gold', 1]);
    assert.deepEqual(plan.publishable_windows, [{ name: 'day', quota: 70 }]);
    assert.match(await (await fetch(`${running.address}/docs/guides/limits`)).text(), /Gold/);
    const first = await stream();
    await first.until('connected');
    assert.equal((await stream()).status, 429);
  });

  it('lets streams connect again if the changed definition concerns them, and only then', async () => {
    const open = streams.find(({ status }) => status === 200)!;
    await redeclare({ title: 'Golden', windows: { day: 800_000 } });
    assert.equal(await policy(), '"day";q=800000;w=86400');
    await redeclare({ windows: { day: 900_000 }, connections: 2, access: { sports: ['tennis'] } });
    assert.equal(await policy(), '"day";q=900000;w=86400');
    await open.until('server-cycle');
    const [first, second] = [await stream(), await stream()];
    assert.deepEqual([first.status, second.status, (await stream()).status], [200, 200, 429]);
    assert.equal(open.frames().filter(({ comments }) => comments.some((text) => text.includes('cycle'))).length, 1);
    await redeclare({ stream: false });
    await Promise.all([first.ended, second.ended]);
    assert.equal((await stream()).status, 402);
  });
});
