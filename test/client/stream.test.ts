import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStream, type StreamEvent, type StreamOptions, type StreamState } from '../../src/client/stream.ts';
import { sseParser } from '../../src/client/transport.ts';
import { type Service, startService } from '../support/service.ts';

/** Passes bytes on, and cuts connections when it is told to. */
async function cuttingProxy(port: number): Promise<{ url: string; cut(): void; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('the stream client', function () {
  this.timeout(30_000);
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ match: (index % 7) + 1 }));
  const idOf = (envelope: string) => JSON.parse(envelope).id as string;

  function follow(over: Partial<StreamOptions> = {}) {
    const events: StreamEvent[] = [];
    const states: StreamState[] = [];
    const handle = openStream({
      url: service.app.url,
      key: service.app.key,
      onEvent: (event) => void events.push(event),
      onState: (state) => void states.push(state),
      ...over,
    });
    const until = async (what: () => boolean) => {
      for (const begun = Date.now(); !what(); await sleep(5)) {
        assert.ok(
          Date.now() - begun < 20_000,
          `waited in vain; ${events.length} events, last state ${JSON.stringify(states.at(-1))}`,
        );
      }
    };
    return { handle, events, states, until, live: () => until(() => states.some(({ phase }) => phase === 'live')) };
  }
  /** A cursor that outlives its client. */
  function stored(first: number | null = null) {
    let held = first;
    return {
      load: () => held,
      save: (cursor: number) => {
        held = cursor;
      },
    };
  }

  it('gives each event once, in order, and stores its cursor', async () => {
    const storage = stored();
    const client = follow({ storage });
    await client.live();
    const published = await service.publish(...many(30));
    await client.until(() => client.events.length >= 30);
    client.handle.close();
    await client.handle.done;
    assert.deepEqual(
      client.events.map(({ id }) => id),
      published.map(idOf),
    );
    assert.equal(storage.load(), client.events.at(-1)!.cursor);
    assert.deepEqual(client.states.at(-1), { phase: 'closed' });
  });

  it('filters', async () => {
    const client = follow({ filters: { event_type: ['match.card'] } });
    await client.live();
    await service.publish({ type: 'match.goal' }, { type: 'match.card' }, { type: 'match.goal' });
    await client.until(() => client.events.length >= 1);
    client.handle.close();
    assert.deepEqual(
      client.events.map(({ type }) => type),
      ['match.card'],
    );
  });

  it('pages through more than the stream replays', async () => {
    const storage = stored(service.deps.hub.head());
    const published = await service.publish(...many(1_700));
    const client = follow({ storage });
    await client.until(() => client.events.length >= 1_700);
    client.handle.close();
    assert.ok(client.states.some(({ phase }) => phase === 'replaying'));
    assert.deepEqual(
      client.events.map(({ id }) => id),
      published.map(idOf),
    );
  });

  it('goes on after a crash in the middle of a replay: nothing is lost', async () => {
    const storage = stored(service.deps.hub.head());
    const published = await service.publish(...many(1_300));
    const got: string[] = [];
    const first = follow({
      storage,
      onEvent: ({ id }) => {
        if (got.length === 700) first.handle.close();
        got.push(id);
      },
    });
    await first.handle.done;
    const behind = storage.load();
    const second = follow({ storage, onEvent: ({ id }) => void got.push(id) });
    await second.until(() => new Set(got).size >= 1_300);
    second.handle.close();
    assert.ok(behind! < service.deps.hub.head());
    assert.deepEqual([...new Set(got)], published.map(idOf));
  });

  it('loses nothing and repeats nothing while its connection is cut again and again', async () => {
    const proxy = await cuttingProxy(service.app.port);
    const client = follow({ url: proxy.url });
    await client.live();
    const published: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      published.push(...(await service.publish(...many(40))));
      if (round % 2 === 0) proxy.cut();
      await sleep(150);
    }
    await client.until(() => client.events.length >= published.length);
    client.handle.close();
    await client.handle.done;
    await proxy.close();
    assert.deepEqual(
      client.events.map(({ id }) => id),
      published.map(idOf),
    );
    assert.ok(client.states.some(({ phase }) => phase === 'waiting'));
  });

  it('waits for a handler, and moves its cursor only after it', async () => {
    const storage = stored(service.deps.hub.head());
    const [, second] = await service.publish({}, {});
    const seen: number[] = [];
    const client = follow({
      storage,
      onEvent: async (event) => {
        await sleep(20);
        seen.push(storage.load()!);
        assert.ok(storage.load()! < event.cursor);
      },
    });
    await client.until(() => seen.length === 2);
    assert.ok(second);
    client.handle.close();
  });

  it('says that it was refused, and does not ask again', async () => {
    const client = follow({ key: 'sk_live_wrong' });
    await client.handle.done;
    assert.equal(client.states.at(-1)!.phase, 'failed');
    assert.match((client.states.at(-1) as { reason: string }).reason, /^401 /);
    const badFilter = follow({ filters: { sport: ['quidditch'] } });
    await badFilter.handle.done;
    assert.match((badFilter.states.at(-1) as { reason: string }).reason, /^422 /);
  });

  it('tries again while nobody listens', async () => {
    const client = follow({ url: 'http://127.0.0.1:1' });
    await client.until(() => client.states.filter(({ phase }) => phase === 'waiting').length >= 2);
    const waits = client.states.flatMap((state) => (state.phase === 'waiting' ? [state.retryInMs] : []));
    assert.ok(waits[0]! >= 500 && waits[0]! <= 1_000 && waits[1]! >= 1_000 && waits[1]! <= 2_000, `${waits}`);
    client.handle.close();
    await client.handle.done;
  });

  it('begins at the head when its cursor is beyond the log', async () => {
    const client = follow({ storage: stored(9_000_000) });
    await client.until(() => client.handle.cursor() !== null && client.handle.cursor()! < 9_000_000);
    await sleep(50);
    const [envelope] = await service.publish({});
    await client.until(() => client.events.length === 1);
    client.handle.close();
    assert.equal(client.events[0]!.id, idOf(envelope!));
  });
});

describe('the reader of server-sent events', () => {
  const text =
    ': connected cursor=5\nretry: 1000\nid: 5\n\nid: 6\nevent: match.goal\ndata: {"id":"evt_1_1","type":"match.goal","data":{"a":"é:\\n"}}\n\nevent: stream.gap\ndata: {"from":6,"to":9,"reason":"limit","replay":"x"}\n\n: keep-alive 1 cursor=9\nid: 9\n\n';
  const expected = [
    { kind: 'position', cursor: 5 },
    { kind: 'event', event: { cursor: 6, id: 'evt_1_1', type: 'match.goal', data: { a: 'é:\n' } } },
    { kind: 'gap', from: 6, to: 9, reason: 'limit', replay: 'x' },
    { kind: 'position', cursor: 9 },
  ];

  it('reads the same whatever the pieces', () => {
    for (let size = 1; size <= text.length; size += 1) {
      const parse = sseParser();
      const signals = [];
      for (let at = 0; at < text.length; at += size) signals.push(...parse(text.slice(at, at + size)));
      assert.deepEqual(signals, expected, `pieces of ${size}`);
    }
  });
});
