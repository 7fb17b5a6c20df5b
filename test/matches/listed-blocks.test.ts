import assert from 'node:assert/strict';
import { pino } from 'pino';
import { Limiter } from '../../src/accounts/limits/limiter.ts';
import { plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { routes as catalogueRoutes } from '../../src/catalogue/routes.ts';
import { openMatchChanges } from '../../src/db/notices.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { createKey } from '../support/accounts.ts';
import { FOOTBALL_GIVEN } from '../support/blocks.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';
import { startApp, type TestApp, testConfig } from '../support/http.ts';
import { until } from '../support/until.ts';

const PLANS = {
  default: 'small',
  plans: [
    { name: 'small', title: 'Small', windows: { burst: 2 } },
    { name: 'daily', title: 'Daily', windows: { day: 20 } },
    { name: 'large', title: 'Large', windows: { day: 10_000 } },
    { name: 'pro', title: 'Pro' },
  ],
};
type Item = Record<string, unknown> & { id: number };
interface Page {
  count: number;
  events: Item[];
}
/** Number of matches. All are between the same sides, and live. */
const MATCHES = 12;

describe('lists of matches with blocks', () => {
  let bench: FeedBench;
  let app: TestApp;
  let limiter: Limiter;
  let close: () => Promise<void>;
  const clock = { now: () => Date.now() };
  const keys: Record<string, string> = {};
  const ids: number[] = [];
  let home: number;
  let away: number;

  before(async () => {
    bench = await openFeedBench();
    const logger = pino({ level: 'silent' });
    const changes = await openMatchChanges(bench.db.url, logger);
    for (let n = 0; n < MATCHES; n += 1) {
      bench.nextMatch();
      const sides = { home: { id: 'home', name: 'Home' }, away: { id: 'away', name: 'Away' } };
      ids.push(await bench.accept({ status: 'live', ...FOOTBALL_GIVEN, ...sides }));
    }
    const { participants } = await bench.card(ids[0]!);
    [home, away] = participants.map(({ participant_id }) => participant_id) as [number, number];
    const plans = new OfferedPlans(plansText.parse(JSON.stringify(PLANS)));
    limiter = new Limiter({ pool: bench.db.pool, clock, logger, plans });
    const deps = { config: testConfig, clock, logger, pool: bench.db.pool, reads: bench.db.pool };
    app = await startApp(
      [...matchRoutes, ...catalogueRoutes] as never[],
      { ...deps, caches: createReplyCaches(changes) } as never,
      { chargeRequest: limiter.charge },
    );
    for (const plan of ['small', 'daily', 'large'])
      keys[plan] = (await createKey(bench.db.pool, clock, { email: `${plan}@example.com`, plan }, plans)).key;
    close = async () => {
      await app.close();
      await limiter.close();
      await changes.close();
    };
  });
  after(async () => {
    await close();
    await bench.db.drop();
  });

  const read = async (path: string, key = keys.large!) => {
    const answer = await app.ask<Page>(path, { key });
    const left = Number(/"day";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
    return { ...answer, left };
  };
  const lists = () => [
    '/v1/events?status=live',
    '/v1/events/live?sport=football',
    `/v1/participant/${home}/events?when=all`,
    `/v1/h2h?participants=${home},${away}&limit=100`,
  ];

  it('add the blocks and fields that the card has', async () => {
    for (const list of lists()) {
      const { json, status, text } = await read(`${list}&blocks=incidents,lineups,referee,venue_city,meta,weather`);
      assert.equal(status, 200, text);
      assert.equal(json.count, MATCHES, list);
      for (const item of json.events) {
        const card = await bench.card(item.id);
        const { incidents, lineups, referee, venue_city, meta, weather } = card;
        const shown = { incidents, lineups, referee, venue_city, meta, weather };
        assert.deepEqual(Object.fromEntries(Object.keys(shown).map((name) => [name, item[name]])), shown, list);
        assert.ok(!('statistics' in item) && !('attendance' in item), list);
      }
    }
  });

  it('are as before without blocks, and have no empty members', async () => {
    for (const list of lists()) {
      const { json } = await read(list);
      assert.ok(!json.events.some((item) => 'incidents' in item || 'referee' in item), list);
    }
  });

  it('cost 1, and 1 more for each ten matches', async () => {
    const cost = async (path: string) => {
      const before = (await read('/v1/events?limit=1')).left;
      return before - (await read(path)).left;
    };
    for (const [index, list] of lists().entries()) {
      assert.equal(await cost(list), 1, list);
      // From the database, and then from memory.
      for (const _ of [1, 2, 3]) assert.equal(await cost(`${list}&blocks=coaches`), 3, list);
      const few = index === 3 ? list.replace('limit=100', 'limit=10') : `${list}&limit=10`;
      assert.equal(await cost(`${few}&blocks=coaches`), 2, few);
      const wrong = index === 3 ? `${list}&blocks=nothing` : `${list}&blocks=coaches&limit=101`;
      assert.equal(await cost(wrong), 1, wrong);
    }
    assert.equal(await cost('/v1/events?sport=tennis&blocks=coaches'), 1);
  });

  const LONG = '/v1/events/live?blocks=coaches&limit=100';

  it('are admitted by a burst that is smaller than the cost, as soon as it is full', async () => {
    const admit = () => until('the burst is full', async () => (await read(LONG, keys.small!)).status === 200, 20_000);
    await admit();
    // The debt is paid at the plan's rate.
    const { status, json } = await app.ask(LONG, { key: keys.small! });
    assert.deepEqual([status, json.code], [429, 'rate_limited']);
    await admit();
  });

  it('are refused if they may cost more than the day has left, and then cost nothing', async () => {
    // Different lists, because a list that is in memory costs what it has cost before.
    const list = (n: number) => app.ask(`/v1/events?status=live&offset=${n}&blocks=coaches`, { key: keys.daily! });
    // Twelve and eleven matches cost 3 each, ten and nine cost 2 each.
    for (const n of [0, 1, 2, 3]) assert.equal((await list(n)).status, 200);
    for (const n of [4, 5]) {
      const { status, json } = await list(n);
      assert.deepEqual([status, json.code], [429, 'quota_exceeded']);
    }
    assert.equal(
      (await read('/v1/events?status=live&limit=10&blocks=coaches', keys.daily!)).left,
      20 - 3 - 3 - 2 - 2 - 2,
    );
  });

  it('have at most 100 matches', async () => {
    const refused = { parameter: 'limit', code: 'out_of_range', detail: 'must be at most 100 with blocks' };
    for (const list of lists().slice(0, 3)) {
      const { status, json } = await app.ask(`${list}&blocks=incidents&limit=101`);
      assert.deepEqual([status, json.errors], [422, [refused]], list);
    }
    const { status } = await app.ask('/v1/events?blocks=incidents&limit=1000');
    assert.equal(status, 422);
    // Without a limit, a live list with blocks has 100, and one without has 1000.
    assert.equal((await read('/v1/events/live?blocks=incidents')).status, 200);
    assert.equal((await read('/v1/events/live?limit=1000')).status, 200);
  });

  it('refuse unknown and empty blocks, and CSV', async () => {
    for (const query of ['blocks=', 'blocks=goals', 'blocks=incidents,', 'blocks=incidents&format=csv']) {
      const { status, json } = await app.ask(`/v1/events?${query}`);
      assert.deepEqual([status, json.errors![0]!.parameter], [422, 'blocks'], query);
    }
  });

  it('have an entity tag for each choice of blocks, which changes with a match', async () => {
    const tag = async (query: string) => (await app.ask(`/v1/events?${query}`)).headers.get('etag');
    const tags = [
      await tag('status=live'),
      await tag('status=live&blocks=coaches'),
      await tag('status=live&blocks=odds'),
    ];
    assert.equal(new Set(tags).size, 3);
    await bench.accept({
      status: 'live',
      ...FOOTBALL_GIVEN,
      minute: 77,
      home: { id: 'home', name: 'Home' },
      away: { id: 'away', name: 'Away' },
    });
    await until('the reply is read again', async () => (await tag('status=live&blocks=coaches')) !== tags[1]);
    const { json } = await read('/v1/events?status=live&blocks=coaches');
    assert.equal(json.events.find(({ id }) => id === ids.at(-1))!.minute, 77);
  });

  it('take only the named fields of such a match', async () => {
    const { json } = await read('/v1/events?status=live&blocks=incidents&fields=id,incidents');
    for (const item of json.events) assert.deepEqual(Object.keys(item), ['id', 'incidents']);
  });
});
