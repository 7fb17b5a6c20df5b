import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { mock } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { WebSocket } from 'ws';
import {
  backOffMs,
  openStream,
  type StreamEvent,
  type StreamOptions,
  type StreamState,
} from '../../src/client/stream.ts';
import { Ended, sseParser, toEnded, watchdog, webSocketTransport } from '../../src/client/stream-connection.ts';
import { writeOutbox } from '../../src/events/outbox.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { routes as streamRoutes } from '../../src/stream/routes.ts';
import { createKey } from '../support/accounts.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { eventWriter } from '../support/events.ts';
import { randomNumbers } from '../support/random.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { openWebSocket } from '../support/websocket-client.ts';

const PATIENCE_MS = 20_000;
const routes = [...streamRoutes, ...matchRoutes];
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ match: (index % 7) + 1 }));
const idOf = (envelope: string) => JSON.parse(envelope).id as string;

/** Stores a cursor that outlives its client. */
function stored(first: number | null = null) {
  const saved: number[] = [];
  return {
    saved,
    load: () => saved.at(-1) ?? first,
    save: (cursor: number) => void saved.push(cursor),
  };
}

function follow(options: Partial<StreamOptions> & { url: string }) {
  const events: StreamEvent[] = [];
  const states: StreamState[] = [];
  const handle = openStream({
    key: 'sk_live_x',
    WebSocket,
    onEvent: (event) => void events.push(event),
    ...options,
    onState: (state) => {
      states.push(state);
      options.onState?.(state);
    },
  });
  const ids = () => events.map(({ id }) => id);
  const has = (phase: StreamState['phase']) => states.some((state) => state.phase === phase);
  return {
    handle,
    events,
    states,
    ids,
    has,
    until: (what: string, holds: () => boolean) => until(what, holds, PATIENCE_MS),
    live: () => until('it is live', () => has('live'), PATIENCE_MS),
    got: (count: number) => until(`${count} events`, () => events.length >= count, PATIENCE_MS),
    async close() {
      handle.close();
      await handle.done;
    },
    lastWait: () => states.filter((state) => state.phase === 'waiting').at(-1)!,
  };
}
type Following = ReturnType<typeof follow>;

/** Starts a server that answers each request with the next answer in the list, and then repeats the last one. */
async function startAnswers(...answers: ((response: ServerResponse) => void)[]) {
  let asked = 0;
  const server = createServer((_request, response) => {
    answers[Math.min(asked, answers.length - 1)]!(response);
    asked += 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
    asked: () => asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const transport of ['sse', 'websocket'] as const) {
  describe(`the stream client over ${transport}`, function () {
    this.timeout(60_000);
    let service: Service;
    const clients: Following[] = [];
    before(async () => {
      service = await startService({ routes });
    });
    after(() => service.close());
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.close();
    });

    const open = (options: Partial<StreamOptions> = {}): Following => {
      const client = follow({ url: service.app.url, key: service.app.key, transport, ...options });
      clients.push(client);
      return client;
    };
    const head = () => service.deps.hub.head();

    it('passes on each event once, in order, and stores the cursor from the start', async () => {
      const storage = stored();
      const client = open({ storage });
      await client.live();
      assert.equal(storage.load(), head());
      const published = await service.publish(...many(30));
      await client.got(30);
      await client.close();
      assert.deepEqual(client.ids(), published.map(idOf));
      assert.equal(storage.load(), client.events.at(-1)!.cursor);
      assert.deepEqual(
        client.states.map(({ phase }) => phase),
        ['connecting', 'live', 'closed'],
      );
    });

    it('gets only events that pass the filters', async () => {
      const client = open({ filters: { event_type: ['match.card', 'match.var'], league: [7], sport: [] } });
      await client.live();
      await service.publish(
        { type: 'match.goal' },
        { type: 'match.card' },
        { type: 'match.goal' },
        { type: 'match.var' },
      );
      await client.got(2);
      assert.deepEqual(
        client.events.map(({ type }) => type),
        ['match.card', 'match.var'],
      );
    });

    for (const [missed, paged] of [
      [0, false],
      [1, false],
      [500, false],
      [501, true],
      [1_700, true],
      [5_000, true],
    ] as const) {
      it(`catches up on all of ${missed} missed events${paged ? ', through replay' : ''}`, async () => {
        const storage = stored(head());
        const published = await service.publish(...many(missed));
        const client = open({ storage });
        await client.live();
        published.push(...(await service.publish({})));
        await client.got(missed + 1);
        assert.deepEqual(client.ids(), published.map(idOf));
        assert.equal(client.has('replaying'), paged);
      });
    }

    it('continues with the first unhandled event if it crashes in the middle of a gap', async () => {
      const storage = stored(head());
      const published = await service.publish(...many(1_300));
      for (const until of [3, 500, 740, 1_180]) {
        const got: string[] = [];
        const before = storage.load()!;
        const first = open({
          storage,
          onEvent: ({ id, cursor }) => {
            got.push(id);
            // Closes the page here, so that it gets no later events.
            if (cursor === before + until) first.handle.close();
          },
        });
        await first.handle.done;
        assert.equal(storage.load(), before + until);
        assert.deepEqual(got, published.slice(0, until).map(idOf), 'and no event is handled after the close');
        storage.save(before);
      }
      const whole = open({ storage });
      await whole.got(1_300);
      assert.deepEqual(whole.ids(), published.map(idOf));
    });

    it('loses and repeats nothing while connections end at random bytes', async () => {
      const random = randomNumbers(11);
      const proxy = await startCuttingProxy(service.app.port);
      const client = open({ url: proxy.url });
      await client.live();
      proxy.cutAfter(() => 300 + Math.floor(random() * 30_000));
      proxy.cut();
      const published: string[] = [];
      for (let round = 0; round < 40; round += 1) {
        published.push(...(await service.publish(...many(25))));
        await sleep(50);
      }
      proxy.cutAfter(null);
      await client.got(published.length);
      await client.close();
      assert.ok(proxy.cuts() >= 3, `${proxy.cuts()} cuts`);
      await proxy.close();
      assert.deepEqual(client.ids(), published.map(idOf));
    });

    it('moves to the next server after a silence', async () => {
      const proxy = await startCuttingProxy(service.app.port);
      const client = open({ url: proxy.url });
      await client.live();
      const published = await service.publish(...many(3));
      await client.got(3);
      await service.stop();
      const next = await startService({ db: service.db, routes });
      try {
        await client.until('it waits', () => client.has('waiting'));
        published.push(...(await next.publish({ match: 91 }, { match: 92 })));
        proxy.leadTo(next.app.port);
        await client.got(5);
        assert.deepEqual(client.ids(), published.map(idOf));
      } finally {
        await client.close();
        await next.stop();
        await proxy.close();
        service = await startService({ db: service.db, routes });
      }
    });

    it('passes on an event once even if the log has its id twice', async () => {
      const client = open();
      await client.live();
      const writer = eventWriter();
      const rows = Array.from({ length: 5 }, () => writer.row({ match: 500 }));
      const before = head();
      await writeOutbox(service.deps.pool, [...rows, ...rows.slice(1, 4), writer.row({ match: 500 })]);
      await until('all is in the log', () => head() === before + 9, PATIENCE_MS);
      await client.got(6);
      assert.deepEqual(
        client.ids(),
        [1, 2, 3, 4, 5, 6].map((n) => `evt_500_${n}`),
      );
      assert.equal(client.handle.cursor(), before + 9);
    });

    it('waits for the handler and advances the cursor only afterwards', async () => {
      const storage = stored(head());
      await service.publish({}, {});
      const seen: number[] = [];
      const client = open({
        storage,
        onEvent: async (event) => {
          await turn();
          seen.push(storage.load()!);
          assert.ok(storage.load()! < event.cursor);
        },
      });
      await client.until('both', () => seen.length === 2);
    });

    it('passes an event to the handler again if the handler failed', async () => {
      const storage = stored(head());
      const published = await service.publish({}, {}, {});
      const got: string[] = [];
      let failures = 0;
      const client = open({
        storage,
        onEvent: ({ id }) => {
          if (got.length === 1 && failures < 2) {
            failures += 1;
            throw new Error('the disk is full');
          }
          got.push(id);
        },
      });
      await client.until('all', () => got.length === 3);
      assert.deepEqual(got, published.map(idOf));
      assert.equal(failures, 2);
      assert.match((client.lastWait() as { reason: string }).reason, /the disk is full/);
    });

    it('reports the reason if it is refused, and does not retry', async () => {
      const { key: trial } = await createKey(service.deps.pool, service.clock, {
        email: 't@example.com',
        plan: 'trial',
      });
      for (const [options, reason] of [
        [{ key: 'sk_live_wrong' }, /^(4401|401) key_invalid: /],
        [{ key: trial }, /^(4402|402) plan_required: /],
        [{ filters: { sport: ['quidditch'] } }, /^(4422|422) invalid_parameter: sport: /],
      ] as const) {
        const client = open(options);
        await client.handle.done;
        const last = client.states.at(-1)!;
        assert.equal(last.phase, 'failed');
        assert.match((last as { reason: string }).reason, reason);
        assert.equal(client.states.filter(({ phase }) => phase === 'connecting').length, 1);
      }
    });

    it('waits when the account has no connection slot left', async () => {
      const { key } = await createKey(service.deps.pool, service.clock, { email: 'five@example.com', plan: 'pro' });
      const first = Array.from({ length: 5 }, () => open({ key }));
      for (const one of first) await one.live();
      const sixth = open({ key });
      await sixth.until('it waits', () => sixth.has('waiting'));
      const { reason, retryInMs } = sixth.lastWait() as { reason: string; retryInMs: number };
      assert.match(reason, /^(4429|429) too_many_connections: /);
      if (transport === 'sse') assert.ok(retryInMs >= 18_000, `${retryInMs}`);
      else {
        await first[2]!.close();
        await sixth.live();
      }
    });

    it('reconnects when a connection has lasted 60 minutes', async () => {
      const client = open();
      await client.live();
      const published = await service.publish({});
      service.clock.advance(61 * 60_000 + 1_000);
      await client.until('it waits', () => client.has('waiting'));
      published.push(...(await service.publish({}, {})));
      await client.got(3);
      assert.deepEqual(client.ids(), published.map(idOf));
      const wait = client.lastWait() as { retryInMs: number };
      assert.ok(wait.retryInMs >= 500 && wait.retryInMs <= 1_000, `${wait.retryInMs}`);
    });

    it('begins at the end of the log if its cursor is beyond that end', async () => {
      const storage = stored(9_000_000);
      const client = open({ storage });
      await client.until(
        'it is live at the head',
        () => client.handle.cursor() === head() && client.states.at(-1)?.phase === 'live',
      );
      const skipped = client.states.find((state) => state.phase === 'skipped');
      assert.deepEqual(skipped, { phase: 'skipped', from: 9_000_000, to: head(), reason: 'ahead' });
      assert.equal(storage.load(), head());
      const [envelope] = await service.publish({});
      await client.got(1);
      assert.deepEqual(client.ids(), [idOf(envelope!)]);
    });

    it('passes on no more events once it is closed', async () => {
      const client = open({ onEvent: () => client.handle.close() });
      await client.live();
      const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
      const before = sockets();
      await service.publish(...many(20));
      await client.handle.done;
      assert.deepEqual(client.states.at(-1), { phase: 'closed' });
      await until('its connection is gone', () => sockets() < before, PATIENCE_MS);
    });
  });

  describe(`the stream client over ${transport} that was disconnected for more than seven days`, function () {
    this.timeout(60_000);
    let service: Service;
    const clients: Following[] = [];
    before(async () => {
      service = await startService({ routes });
      await service.publish(...many(40));
      // The relay drops records that are older than the retention time. A process that starts now therefore has no old records.
      service.clock.advance(Date.now() - service.clock.now() + 7 * 24 * 3_600_000 + 3_600_000);
      await until('the events are gone', async () => (await service.deps.eventLog.range()).oldest === 40, PATIENCE_MS);
      await service.stop();
      service = await startService({ db: service.db, routes });
    });
    after(() => service.close());
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.close();
    });
    const open = (options: Partial<StreamOptions>): Following => {
      const client = follow({ url: service.app.url, key: service.app.key, transport, ...options });
      clients.push(client);
      return client;
    };

    it('reads the matches by sync, and then continues', async () => {
      const storage = stored(7);
      const pages: { at: number; more: boolean; stream: number }[] = [];
      let broken = 1;
      const client = open({
        storage,
        onSync: ({ has_more: more, stream_cursor: stream }) => {
          if (broken-- > 0) throw new Error('crash');
          pages.push({ at: storage.load()!, more, stream });
        },
      });
      await client.until(
        'it is live behind the hole',
        () => storage.load()! >= 40 && client.states.at(-1)?.phase === 'live',
      );
      // Until the last page was applied, the stored position stays before the hole, even after the failed page.
      assert.deepEqual(pages, [{ at: 7, more: false, stream: 40 }]);
      const published = await service.publish({ match: 80 });
      await client.got(1);
      assert.deepEqual(client.ids(), published.map(idOf));
      assert.ok(!client.has('skipped'));
    });

    it('reports the gap and continues if it has no onSync', async () => {
      const storage = stored(7);
      const client = open({ storage });
      await client.until('it is live', () => client.states.at(-1)?.phase === 'live' && client.handle.cursor()! >= 40);
      assert.deepEqual(
        client.states.map(({ phase }) => phase),
        ['connecting', 'live', 'skipped', 'connecting', 'live'],
      );
      assert.equal(storage.load(), service.deps.hub.head());
    });
  });
}

describe('the stream client with a delay', function () {
  this.timeout(30_000);
  let service: Service;
  before(async () => {
    service = await startService({ routes, hub: { clock: systemClock } });
  });
  after(() => service.close());

  for (const transport of ['sse', 'websocket'] as const)
    it(`gets missed and new events when they are due over ${transport}, through replay as well`, async () => {
      const from = service.deps.hub.head();
      await service.publish(...many(600));
      const client = follow({ url: service.app.url, key: service.app.key, transport, delay: 1, storage: stored(from) });
      await client.live();
      const begun = Date.now();
      await service.publish({}, {});
      // The client begins before anything is due, so it is sent everything by the stream.
      await client.got(602);
      assert.ok(Date.now() - begun >= 1_000);
      await client.close();
      const late = follow({ url: service.app.url, key: service.app.key, transport, delay: 2, storage: stored(from) });
      await until('600 are due', async () => (await service.deps.hub.lastDue(2)) >= from + 600);
      await late.got(602);
      assert.equal(new Set(late.ids()).size, 602);
      await late.close();
      const again = follow({ url: service.app.url, key: service.app.key, transport, delay: 1, storage: stored(from) });
      await again.got(602);
      assert.deepEqual(again.ids(), client.ids());
      assert.ok(again.has('replaying'));
      await again.close();
    });

  it('refuses onSync, which would show the present state', () => {
    const url = 'http://127.0.0.1:1';
    assert.throws(() => openStream({ url, key: 'sk_live_x', delay: 5, onEvent() {}, onSync() {} }), {
      name: 'TypeError',
      message: /delay and onSync/,
    });
  });

  it('reports a delay that the service refuses', async () => {
    const client = follow({ url: service.app.url, key: service.app.key, delay: 601 });
    await client.handle.done;
    assert.equal(client.states.at(-1)!.phase, 'failed');
  });
});

describe('stream clients that are all disconnected every second', function () {
  this.timeout(90_000);
  const KICKS = 5;
  const PER_ACCOUNT = 5;

  it('have no hole in any match’s sequence, and no event twice', async () => {
    const service = await startService({ routes });
    const proxy = await startCuttingProxy(service.app.port);
    const clients: Following[] = [];
    try {
      for (const transport of ['sse', 'websocket'] as const) {
        const { key } = await createKey(service.deps.pool, service.clock, {
          email: `${transport}@example.com`,
          plan: 'pro',
        });
        clients.push(...Array.from({ length: PER_ACCOUNT }, () => follow({ url: proxy.url, key, transport })));
      }
      for (const client of clients) await client.live();
      const published: string[] = [];
      for (let kick = 0; kick < KICKS; kick += 1) {
        for (const end = Date.now() + 1_000; Date.now() < end; await sleep(20))
          published.push(...(await service.publish(...many(8))));
        proxy.cut();
      }
      for (const client of clients) {
        await client.got(published.length);
        const next = new Map<number, number>();
        for (const { data } of client.events) {
          const expected = (next.get(data.match.id) ?? 0) + 1;
          assert.equal(data.sequence, expected);
          next.set(data.match.id, expected);
        }
        assert.deepEqual([client.events.length, new Set(client.ids()).size], [published.length, published.length]);
      }
      assert.ok(proxy.cuts() >= KICKS * PER_ACCOUNT, `${proxy.cuts()} cuts`);
    } finally {
      for (const client of clients) await client.close();
      await proxy.close();
      await service.close();
    }
  });
});

describe('the stream client and the server', function () {
  this.timeout(30_000);
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  const open = (url: string): Following => {
    const client = follow({ url });
    ends.push(client.close);
    return client;
  };
  const answer = async (...answers: Parameters<typeof startAnswers>) => {
    const server = await startAnswers(...answers);
    ends.push(server.close);
    return server;
  };

  it('the client tries again while no server listens, with longer and longer pauses', async () => {
    const client = open('http://127.0.0.1:1');
    const waits = () => client.states.flatMap((state) => (state.phase === 'waiting' ? [state.retryInMs] : []));
    await client.until('two waits', () => waits().length >= 2);
    assert.ok(waits()[0]! >= 500 && waits()[0]! <= 1_000 && waits()[1]! >= 1_000 && waits()[1]! <= 2_000, `${waits()}`);
  });

  it('the pauses grow to 5 s while the service cannot be reached, and to 30 s if it answers with a limit', async () => {
    const proxyAway = new Response('Bad Gateway', { status: 502 });
    const limit = new Response('{"code":"rate_limited"}', { status: 429 });
    const busy = new Response('', { status: 503, headers: { 'Retry-After': '12' } });
    const random = mock.method(Math, 'random', () => 0);
    ends.push(() => random.mock.restore());
    for (const [end, shortest, spread] of [
      [new Ended('lost', 'fetch failed'), 2_500, 2_500],
      [await toEnded(proxyAway), 2_500, 2_500],
      [await toEnded(busy), 12_000, 2_500],
      [await toEnded(limit), 15_000, 15_000],
      [new Ended('lost', '4429 too_many_connections', { isAnswer: true }), 15_000, 15_000],
      [null, 15_000, 15_000],
    ] as const) {
      random.mock.mockImplementation(() => 0);
      assert.equal(backOffMs(end, 20), shortest, end?.message);
      random.mock.mockImplementation(() => 1);
      assert.equal(backOffMs(end, 20), shortest + spread, end?.message);
    }
  });

  it('a WebSocket that the service closes with an application code counts as an answer, but one that breaks does not', async () => {
    const service = await startService({ routes });
    ends.push(service.close);
    const url = new URL(`${service.app.url}/v1/stream/ws?client=one`);
    const connect = (key: string, from: URL) =>
      webSocketTransport(WebSocket)({ url: from, key, signal: new AbortController().signal });
    const endOf = async (signals: AsyncIterable<unknown>) => {
      try {
        for await (const _signal of signals);
      } catch (error) {
        return error as Ended;
      }
      throw new Error('it has not ended');
    };
    assert.equal((await endOf(connect('sk_live_unknown', url))).isAnswer, true);
    assert.equal((await endOf(connect('sk_live_unknown', new URL('http://127.0.0.1:1/v1/stream/ws')))).isAnswer, false);
  });

  it('a client whose name a newer connection has taken over stops and reports it', async () => {
    const service = await startService();
    ends.push(service.close);
    const names: string[] = [];
    /** Records the name of each client that connects. */
    class Noting extends WebSocket {
      constructor(url: string, protocols?: string[]) {
        super(url, protocols);
        names.push(new URL(url).searchParams.get('client')!);
      }
    }
    const { url, key } = service.app;
    const client = follow({ url, key, transport: 'websocket', WebSocket: Noting });
    ends.push(client.close);
    await client.live();
    const newer = openWebSocket(`${url}/v1/stream/ws?client=${names[0]}`, { 'x-api-key': key });
    ends.push(newer.cut);
    await newer.next('connected');
    await client.until('it has stopped', () => client.has('failed'));
    await client.handle.done;
    assert.match(JSON.stringify(client.states.at(-1)), /4409 replaced by a newer connection/);
    assert.equal(newer.over(), null);
    assert.equal(names.length, 1);
  });

  it('the client waits for Retry-After, in seconds or as a date', async () => {
    const busy = (header: string) => (response: ServerResponse) => {
      response.writeHead(429, { 'Retry-After': header }).end('{"code":"rate_limited","detail":"slowly"}');
    };
    for (const [header, least] of [
      ['7', 7_000],
      [new Date(Date.now() + 9_000).toUTCString(), 7_000],
      ['2592000', 3_600_000],
    ] as const) {
      const server = await answer(busy(header));
      const client = open(server.url);
      await client.until('it waits', () => client.has('waiting'));
      const { reason, retryInMs } = client.lastWait() as { reason: string; retryInMs: number };
      assert.equal(reason, '429 rate_limited: slowly');
      assert.ok(retryInMs >= least && retryInMs <= least + 3_000, `${retryInMs} for ${header}`);
    }
  });

  it('the client remembers the newest 20,000 ids', async () => {
    const frames = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, n) => {
        const envelope = JSON.stringify({ id: `evt_1_${from + n}`, type: 'match.goal', data: {} });
        return `id: ${from + n}\nevent: match.goal\ndata: ${envelope}\n\n`;
      }).join('');
    const server = await answer((response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(frames(1, 20_001) + frames(20_001, 20_001) + frames(1, 1) + frames(3, 3) + frames(20_002, 20_002));
    });
    const client = open(server.url);
    await client.got(20_003);
    assert.deepEqual(client.ids().slice(20_000), ['evt_1_20001', 'evt_1_1', 'evt_1_20002']);
  });

  it('the client pauses if it meets the same gap again', async () => {
    const page = (response: ServerResponse) => response.end('{"events":[],"next_cursor":9,"has_more":false}');
    const gap = (response: ServerResponse) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end('event: stream.gap\ndata: {"from":1,"to":9,"reason":"limit"}\n\n');
    };
    const server = await answer(gap, page, gap, page, gap, page);
    const client = open(server.url);
    await client.until('it waits', () => client.has('waiting'));
    assert.equal(server.asked(), 4);
  });

  it('the watchdog ends a silent connection, without counting the time that the handler takes', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    ends.push(() => mock.timers.reset());
    const watch = watchdog(new AbortController().signal, 60);
    watch.wait();
    mock.timers.tick(59);
    watch.rest();
    mock.timers.tick(120);
    watch.wait();
    mock.timers.tick(59);
    assert.equal(watch.signal.aborted, false);
    mock.timers.tick(1);
    assert.equal(watch.signal.aborted, true);
  });
});

describe('the server-sent events parser', () => {
  const text =
    ': connected cursor=5\nretry: 1000\nid: 5\n\nid: 6\nevent: match.goal\ndata: {"id":"evt_1_1","type":"match.goal","data":{"a":"é:\\n"}}\n\nevent: stream.gap\ndata: {"from":6,"to":9,"reason":"limit","replay":"x"}\n\n: keep-alive 1 cursor=9\nid: 9\n\n';
  const expected = [
    { kind: 'position', cursor: 5 },
    { kind: 'event', event: { cursor: 6, id: 'evt_1_1', type: 'match.goal', data: { a: 'é:\n' } } },
    { kind: 'gap', from: 6, to: 9, reason: 'limit', replay: 'x' },
    { kind: 'position', cursor: 9 },
  ];

  it('gives the same signals however the stream is split into chunks', () => {
    for (let size = 1; size <= text.length; size += 1) {
      const parse = sseParser();
      const signals = [];
      for (let at = 0; at < text.length; at += size) signals.push(...parse(text.slice(at, at + size)));
      assert.deepEqual(signals, expected, `pieces of ${size}`);
    }
  });
});
