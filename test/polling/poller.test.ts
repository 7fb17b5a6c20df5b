/**
 * Tests the poller with a provider that the test controls: when it sends requests, and how it handles every kind of
 * reply.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { transaction } from '../../src/db/postgres.ts';
import { Poller, type PollerDeps } from '../../src/polling/poller.ts';
import {
  defineProvider,
  type PlannedRequest,
  type Provider,
  type ProviderUpdate,
} from '../../src/providers/provider.ts';
import { polledSources } from '../../src/sources/queries.ts';
import { type FeedBench, openFeedBench, types } from '../support/feed.ts';
import { until } from '../support/until.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface Known {
  replies: number;
  plan: PlannedRequest[];
}

describe('the source poller', () => {
  let bench: FeedBench;
  let server: ReturnType<typeof createServer>;
  let asked: IncomingMessage[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let plan: PlannedRequest[];
  let logged: string[];
  let counted: { changed: number; notUnderstood: number; outcomes: string[] };
  /** Updates that the provider reads from the next replies. */
  let updates: ProviderUpdate[];
  before(async () => {
    bench = await openFeedBench();
    server = createServer((request, response) => {
      asked.push(request);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await bench.db.drop();
  });
  beforeEach(async () => {
    await bench.db.pool.query('DELETE FROM source; DELETE FROM source_budget; DELETE FROM source_scope');
    bench.nextMatch();
    bench.now = Date.parse('2024-05-01T14:00:00Z');
    await bench.events();
    asked = [];
    logged = [];
    updates = [];
    counted = { changed: 0, notUnderstood: 0, outcomes: [] };
    plan = [{ path: '/live', everyMs: 20 * SECOND, isLive: true }];
    answer = (_, response) => response.end('{}');
  });

  const provider = (over: Partial<Provider> = {}): Provider => ({
    ...defineProvider<Known>({
      name: 'testsource',
      title: 'Test Source',
      baseUrl: '',
      dailyRequests: 100,
      notice: '',
      knownVersion: 1,
      start: () => ({ replies: 0, plan: [] }),
      requests: () => plan,
      updates: ({ body }, known) => {
        if (body === 'unusable') return 'is unusable';
        if (body === 'surprise') throw new TypeError('nobody thought of this');
        return {
          known: { ...known, replies: known.replies + 1 },
          updates,
          unknown: body === 'odd' ? [{ path: 'state', value: 'ODD' }] : [],
        };
      },
    }),
    ...over,
  });
  const open = (over: Partial<Provider> = {}, deps: Partial<PollerDeps> = {}) => {
    const write = (text: string) => void logged.push((JSON.parse(text) as { msg: string }).msg);
    const poller = new Poller(
      {
        apply: bench.deps,
        clock: bench.deps.clock,
        logger: pino({ level: 'info' }, { write }),
        metrics: {
          request: (outcome) => void counted.outcomes.push(outcome),
          changed: (count) => {
            counted.changed += count;
          },
          notUnderstood: () => {
            counted.notUnderstood += 1;
          },
        },
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`,
        dailyRequests: over.dailyRequests ?? 100,
        transact: (work) => transaction(bench.db.pool, work),
        ...deps,
      },
      provider(over),
      [null],
    );
    return { turn: () => poller.turn(new AbortController().signal), end: () => poller.end() };
  };
  const pass = async (poller: { turn(): Promise<unknown> }, ms: number, step = 5 * SECOND) => {
    for (const end = bench.now + ms; bench.now < end; bench.now += step) await poller.turn();
  };
  const known = async () => {
    const { rows } = await bench.db.pool.query<{ known: Known }>('SELECT known FROM source_scope');
    return rows[0]?.known;
  };
  const liveMatch = (score: { home: number; away: number }): ProviderUpdate => {
    const { schema: _, provider: __, observed_at: ___, ...update } = bench.update({ status: 'live', score });
    bench.now -= SECOND;
    return update;
  };

  it('asks below the configured base path, names itself and the contact, and follows the intervals with jitter', async () => {
    plan = [
      { path: '/live?x=1', everyMs: 20 * SECOND, isLive: true },
      { path: '/calendar', everyMs: 6 * HOUR },
    ];
    const poller = open({}, { contact: 'ops@example.com' });
    await pass(poller, 10 * MINUTE, SECOND);
    const paths = asked.map(({ url }) => url);
    assert.deepEqual([paths[0], paths[1]], ['/base/live?x=1', '/base/calendar']);
    assert.match(asked[0]!.headers['user-agent']!, /^Touchline\/\d+\.\d+\.\d+ \(ops@example\.com\)$/);
    const live = paths.filter((path) => path === '/base/live?x=1').length;
    // 600 s, with pauses from 18 to 22 s.
    assert.ok(live >= 27 && live <= 34, `${live} requests`);
    assert.equal(paths.filter((path) => path === '/base/calendar').length, 1);
  });

  it('asks at once if the version changes, but not while a request for that version is running', async () => {
    plan = [{ path: '/group', everyMs: HOUR, version: 'a' }];
    const poller = open();
    await pass(poller, MINUTE);
    assert.equal(asked.length, 1);
    plan = [{ path: '/group', everyMs: HOUR, version: 'b' }];
    await pass(poller, MINUTE);
    assert.equal(asked.length, 2);
  });

  it('sends validators only for the version that the source last returned, and asks for the whole reply now and then', async () => {
    answer = ({ headers }, response) => {
      if (headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { ETag: '"1"' }).end('{}');
    };
    const poller = open();
    await pass(poller, 10 * MINUTE);
    const conditional = asked.filter(({ headers }) => headers['if-none-match'] !== undefined).length;
    assert.ok(conditional > 20, `${conditional} conditional requests`);
    assert.ok(
      asked.length - conditional >= 2 && asked.length - conditional <= 4,
      `${asked.length - conditional} whole ones`,
    );
  });

  it('keeps the daily budget across restarts, and reserves the rest of it for live matches', async () => {
    plan = [
      { path: '/calendar', everyMs: 20 * SECOND },
      { path: '/free', everyMs: 20 * SECOND, cost: 0 },
      { path: '/live', everyMs: 20 * SECOND, isLive: true },
    ];
    for (let run = 0; run < 3; run += 1) await pass(open({ dailyRequests: 60 }), 10 * MINUTE);
    const count = (path: string) => asked.filter(({ url }) => url === `/base${path}`).length;
    const counted = count('/calendar') + count('/live');
    assert.ok(counted > 45 && counted <= 60, `${counted} requests`);
    assert.ok(count('/calendar') <= 42, 'seven tenths');
    assert.ok(count('/free') > 60);
    const [source] = await polledSources(bench.db.pool, bench.now);
    assert.equal(source!.requests_left, 60 - counted);
    bench.now = Date.parse('2024-05-02T00:00:05Z');
    asked = [];
    await pass(open({ dailyRequests: 60 }), MINUTE);
    assert.ok(count('/live') > 0, 'a new day');
  });

  it('asks less often when the budget runs low, so that the budget lasts, except for requests that cost nothing', async () => {
    plan = [
      { path: '/live', everyMs: 20 * SECOND, isLive: true },
      { path: '/free', everyMs: 20 * SECOND, isLive: true, cost: 0 },
    ];
    const poller = open({ dailyRequests: 100 });
    const each: number[] = [];
    for (let part = 0; part < 4; part += 1) {
      asked = [];
      await pass(poller, 17 * MINUTE);
      each.push(asked.filter(({ url }) => url === '/base/live').length);
      assert.ok(asked.filter(({ url }) => url === '/base/free').length > 40);
    }
    assert.ok(each[0]! > 40 && each[1]! < 32 && each[2]! < 20 && each[3]! < 12, each.join());
  });

  it('counts simultaneous requests by cost, and sends only as many as the budget allows', async () => {
    plan = Array.from({ length: 40 }, (_, index) => ({ path: `/${index}`, everyMs: HOUR, isLive: true, cost: 3 }));
    await open({ dailyRequests: 50 }).turn();
    assert.equal(asked.length, 16);
  });

  for (const [name, respond, message] of [
    ['is HTML', (response: ServerResponse) => response.end('<html>'), 'not JSON'],
    ['is too large', (response: ServerResponse) => response.end(' '.repeat(5_000_000)), 'more than 1048576 bytes'],
    ['is unusable', (response: ServerResponse) => response.end('"unusable"'), 'is unusable'],
    ['breaks the provider', (response: ServerResponse) => response.end('"surprise"'), 'nobody thought of this'],
    [
      'is cut',
      (response: ServerResponse) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(Buffer.from('1f8b0800', 'hex'));
      },
      'not JSON',
    ],
    [
      'ends early',
      (response: ServerResponse) => {
        response.writeHead(200, { 'Content-Length': '100' }).write('{');
        response.socket!.destroy();
      },
      'no answer',
    ],
    ['is a redirect', (response: ServerResponse) => response.writeHead(302, { Location: '/x' }).end(), 'status 302'],
    ['is an error', (response: ServerResponse) => response.writeHead(500).end(), 'status 500'],
  ] as const) {
    // biome-ignore format: a table
    it(`keeps the stored data if a reply ${name}, tells the operator, and continues`, async () => {
      const poller = open();
      await poller.turn();
      answer = (_, response) => void respond(response);
      await pass(poller, MINUTE);
      const [source] = await polledSources(bench.db.pool, bench.now);
      assert.match(source!.fault!, new RegExp(message));
      assert.equal(source!.answered_at, '2024-05-01T14:00:00Z');
      assert.ok(logged.includes('Test Source did not answer as expected, will ask again'), logged.join());
      assert.equal((await known())!.replies, 1);
      answer = (_, response) => response.end('{}');
      const failed = asked.length;
      await pass(poller, MINUTE);
      assert.ok(asked.length > failed);
      assert.ok(logged.includes('Test Source answers again'));
      assert.equal((await polledSources(bench.db.pool, bench.now))[0]!.fault, null);
    });
  }

  it('continues with the rest of the paths while one fails, and asks for that path less and less often', async () => {
    plan = [
      { path: '/good', everyMs: 20 * SECOND, isLive: true },
      { path: '/bad', everyMs: 6 * HOUR },
    ];
    answer = ({ url }, response) => response.writeHead(url === '/base/bad' ? 500 : 200).end('{}');
    await pass(open({ dailyRequests: 1_000 }), HOUR);
    const bad = asked.filter(({ url }) => url === '/base/bad').length;
    assert.ok(bad >= 5 && bad <= 8, `${bad} requests`);
    assert.ok(asked.length - bad > 150, `the others are not delayed: ${asked.length - bad}`);
  });

  it('waits as long as the source demands, and 20 s if it names no time', async () => {
    const poller = open();
    answer = (_, response) => response.writeHead(429, { 'Retry-After': '300' }).end();
    await pass(poller, 4 * MINUTE);
    assert.equal(asked.length, 1);
    answer = (_, response) => response.writeHead(429).end();
    await pass(poller, 2 * MINUTE);
    assert.ok(asked.length >= 3 && asked.length <= 5, `${asked.length} requests`);
  });

  it('continues after a path that does not exist', async () => {
    plan = [{ path: '/none', everyMs: MINUTE }, ...plan];
    answer = ({ url }, response) => response.writeHead(url === '/base/none' ? 404 : 200).end('{}');
    await pass(open(), MINUTE);
    assert.ok(counted.outcomes.includes('refused') && counted.outcomes.includes('ok'));
  });

  it('reports each unknown value once, but counts every occurrence', async () => {
    answer = (_, response) => response.end('"odd"');
    await pass(open(), 2 * MINUTE);
    assert.ok(counted.notUnderstood > 3);
    assert.equal(logged.filter((line) => /a value is not understood/.test(line)).length, 1);
    const [source] = await polledSources(bench.db.pool, bench.now);
    assert.deepEqual(source!.not_understood, [{ path: '/live state', value: '"ODD"', at: '2024-05-01T14:00:00.000Z' }]);
  });

  it('applies updates with events, and reports a live match as alive while the source has no news about it', async () => {
    updates = [liveMatch({ home: 1, away: 0 })];
    plan = [
      { path: '/live', everyMs: HOUR, isLive: true },
      { path: '/changed', everyMs: 20 * SECOND, isLive: true },
    ];
    const poller = open();
    await poller.turn();
    updates = [];
    const lead = async () => {
      const { rows } = await bench.db.pool.query<{ at: number }>(
        "SELECT (provenance #>> '{lead,1}')::float8 AS at FROM match ORDER BY id DESC LIMIT 1",
      );
      return rows[0]!.at;
    };
    const first = await lead();
    await pass(poller, 4 * MINUTE);
    assert.ok((await lead()) - first > 2 * MINUTE, 'the leader is not silent');
    assert.deepEqual(types(await bench.events()), ['match.created']);
    answer = (_, response) => response.writeHead(503).end();
    const last = await lead();
    await pass(poller, 4 * MINUTE);
    assert.ok((await lead()) - last < MINUTE, 'the source is silent');
  });

  it('treats old matches as history when it first reads them, and as news later', async () => {
    const {
      schema: _,
      provider: __,
      observed_at: ___,
      ...old
    } = bench.update({
      scheduled_start: '2024-04-20T14:00:00Z',
      status: 'finished',
      score: { home: 1, away: 0 },
    });
    updates = [old];
    const poller = open();
    await poller.turn();
    assert.deepEqual(types(await bench.events()), []);
    assert.equal(counted.changed, 1);
    updates = [{ ...old, match: { ...old.match, score: { home: 1, away: 1 } } } as ProviderUpdate];
    await pass(poller, MINUTE);
    assert.deepEqual(types(await bench.events()), ['match.correction']);
  });

  it('loses no update if the database fails, and the next process continues after the updates that were applied', async () => {
    updates = [liveMatch({ home: 0, away: 0 })];
    let isDown = false;
    const refuse = () => Promise.reject(new Error('the database is down'));
    const dead = { options: {}, connect: refuse, query: refuse } as unknown as FeedBench['db']['pool'];
    const apply = {
      ...bench.deps,
      get pool() {
        return isDown ? dead : bench.db.pool;
      },
    };
    const poller = open({}, { apply });
    await pass(poller, 10 * SECOND);
    const before = (await known())!.replies;
    updates = [liveMatch({ home: 1, away: 0 })];
    isDown = true;
    bench.now += 20 * SECOND;
    await assert.rejects(poller.turn(), /the database is down/);
    assert.equal((await known())!.replies, before, 'what could not be applied is not known');
    isDown = false;
    await pass(poller, 30 * SECOND);
    assert.deepEqual(types(await bench.events()), ['match.created', 'match.score_changed']);
  });

  it('continues with the stored data after a restart, and asks about live matches at once', async () => {
    plan = [{ path: '/calendar', everyMs: HOUR }, ...plan];
    await pass(open(), 30 * SECOND);
    const { replies } = (await known())!;
    asked = [];
    const restarted = open();
    await restarted.turn();
    assert.deepEqual(
      asked.map(({ url }) => url),
      ['/base/live'],
    );
    await pass(restarted, 10 * SECOND);
    assert.ok((await known())!.replies > replies);
    asked = [];
    await open({ knownVersion: 2 }).turn();
    assert.equal(asked.length, 2, 'a state of another version is dropped');
  });

  it('rejects an update that is not valid, and reports it', async () => {
    updates = [{ ...liveMatch({ home: 0, away: 0 }), match: { id: 'x' } } as unknown as ProviderUpdate];
    const poller = open();
    await pass(poller, 10 * SECOND);
    const [source] = await polledSources(bench.db.pool, bench.now);
    assert.ok(
      source!.not_understood.some(({ path }) => path === 'update match.sport'),
      JSON.stringify(source),
    );
  });

  describe('server-sent events', () => {
    let streams: ServerResponse[];
    let wanted: { path: string }[];
    beforeEach(() => {
      streams = [];
      wanted = [{ path: '/events' }];
      plan = [];
      answer = (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': hello\n\n');
        streams.push(response);
      };
    });
    const openStreams = () =>
      open(
        {
          streams: () => wanted,
          updates: ({ body, event, path }, known) => {
            if (event !== 'game') return `is a ${event} at ${path}`;
            return { known: { ...(known as Known), replies: body as number }, updates, unknown: [] };
          },
        },
        { eventsUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse` },
      );
    const connected = (count: number) => until(`${count} streams are open`, () => streams.length === count);

    it('are read while they are needed, and become updates and events', async () => {
      const poller = openStreams();
      await poller.turn();
      await connected(1);
      assert.deepEqual(
        asked.map(({ url, headers }) => [url, headers.accept]),
        [['/sse/events', 'text/event-stream']],
      );
      updates = [liveMatch({ home: 1, away: 0 })];
      streams[0]!.write('event: game\ndata: 7\n\nevent: odd\ndata: 8\n\ndata: not JSON\n\n');
      await until('the update is applied', () => counted.changed === 1);
      await pass(poller, 10 * SECOND);
      assert.equal((await known())!.replies, 7);
      assert.equal(counted.notUnderstood, 2);
      assert.deepEqual(types(await bench.events()), ['match.created']);
      assert.equal(streams.length, 1);
      wanted = [];
      const ended = once(streams[0]!, 'close');
      await poller.turn();
      await ended;
    });

    it('are requested again after a pause if they end, and closed when the process stops leading', async () => {
      const poller = openStreams();
      await poller.turn();
      await connected(1);
      streams[0]!.end();
      await pass(poller, 30 * SECOND);
      assert.equal(streams.length, 1);
      await until('it is opened again', async () => {
        await pass(poller, 10 * SECOND);
        return streams.length === 2;
      });
      const ended = once(streams[1]!, 'close');
      poller.end();
      await ended;
    });

    it('are reported if the reply is not an event stream, and do not disturb the polling', async () => {
      plan = [{ path: '/live', everyMs: 20 * SECOND }];
      answer = ({ url }, response) => response.writeHead(url === '/sse/events' ? 404 : 200).end('{}');
      const poller = openStreams();
      await poller.turn();
      await until('the fault is known', async () => {
        await pass(poller, 5 * SECOND);
        return (await polledSources(bench.db.pool, bench.now)).some(({ fault }) =>
          /events: status 404/.test(fault ?? ''),
        );
      });
    });
  });
});
