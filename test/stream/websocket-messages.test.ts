import assert from 'node:assert/strict';
import type { ChargeRequest } from '../../src/http/charge.ts';
import { Problem } from '../../src/http/errors.ts';
import { createKey } from '../support/accounts.ts';
import { timersChecked } from '../support/hub-tick.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import {
  type Client,
  type FrameParts,
  frame,
  openRawWebSocket,
  openWebSocket,
  type RawClient,
} from '../support/websocket-client.ts';

const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];
const closing = (code: number, reason: Buffer | string = '') => {
  const payload = Buffer.concat([Buffer.alloc(2), Buffer.from(reason)]);
  payload.writeUInt16BE(code);
  return { opcode: CLOSE, payload };
};
const ping = '{"type":"ping"}';
const BAD_UTF8 = Buffer.from([0x7b, 0xc3, 0x28, 0x7d]);

describe('messages from a WebSocket client', () => {
  let service: Service;
  let key: string;
  let clients: { cut(): void }[] = [];
  /** Number of requests charged to the plan. */
  let charged = 0;
  let isUsedUp = false;
  const chargeRequest: ChargeRequest = (_principal, cost) => {
    if (isUsedUp) throw new Problem('rate_limited');
    charged += cost;
    return { headers: [], refund: () => [] };
  };
  before(async () => {
    service = await startService({ chargeRequest });
    ({ key } = await createKey(service.db.pool, service.clock, {
      email: 'crowd@example.com',
      plan: 'pro',
      kind: 'pk',
    }));
  });
  after(() => service.close());
  afterEach(async () => {
    for (const client of clients) client.cut();
    clients = [];
    await until('no stream is left', () => service.deps.hub.held() + service.deps.admission.held() === 0);
  });

  async function open(query = ''): Promise<Client> {
    const client = openWebSocket(`${service.app.url}/v1/stream/ws?key=${key}${query}`);
    clients.push(client);
    await client.next('connected');
    return client;
  }
  async function openRaw(): Promise<RawClient> {
    const client = await openRawWebSocket(service.app.port, `/v1/stream/ws?key=${key}`);
    clients.push({ cut: () => client.socket.destroy() });
    await until('it is connected', () => client.frames().length === 1);
    return client;
  }
  const head = () => service.deps.hub.head();
  const pongs = (client: Client) => client.messages().filter(({ type }) => type === 'pong').length;
  const last = (client: Client) => client.texts.at(-1);

  describe('ping', () => {
    it('a ping message gets a pong with the message’s ref and the position', async () => {
      const client = await open('&league=99');
      await service.publish({}, {});
      for (const ref of ['"a"', '7', `"${'x'.repeat(128)}"`, '""', '"Ж\\u2028"']) {
        const before = client.texts.length;
        client.say(`{"type":"ping","ref":${ref}}`);
        await until('it is answered', () => client.texts.length > before);
        assert.equal(last(client), `{"type":"pong","ref":${JSON.stringify(JSON.parse(ref))},"cursor":${head()}}`);
      }
      client.say('{"type":"ping","more":1}');
      await client.next(({ ref }) => ref === null);
      assert.equal(last(client), `{"type":"pong","ref":null,"cursor":${head()}}`);
    });

    it('a ping frame gets a pong frame', async () => {
      const client = await open();
      const answered = new Promise<string>((resolve) => client.ws.once('pong', (data) => resolve(data.toString())));
      client.ws.ping('still there?');
      assert.equal(await answered, 'still there?');
    });
  });

  describe('subscribe', () => {
    it('a subscribe message replaces the filter without a new connection and without losing the position', async () => {
      const client = await open('&sport=tennis');
      await service.publish({ sport: 'tennis' }, {});
      await client.next('match.goal');
      client.say({
        type: 'subscribe',
        ref: 1,
        filters: { sport: ['football', 'tennis', 'football'], league: [9, 7], event_type: ['match.*', 'match.goal'] },
      });
      await client.next('subscribed');
      assert.equal(
        last(client),
        `{"type":"subscribed","ref":1,"filters":{"sport":["football","tennis"],"league":[7,9],"event_type":["match.*"]},"cursor":${head()}}`,
      );
      const at = head();
      await service.publish({ tournament: 8 }, { type: 'match.card' }, { sport: 'tennis', tournament: 9 });
      await client.next(({ cursor }) => cursor === at + 3);
      assert.deepEqual(
        client
          .messages()
          .slice(3)
          .map(({ cursor }) => cursor - at),
        [2, 3],
      );
      client.say({ type: 'subscribe', filters: { where: ['data.match.sport=darts', 'data.match.minute >= 10'] } });
      await client.next('subscribed', 2);
      assert.deepEqual(JSON.parse(last(client)!).filters.where, [
        'data.match.sport = "darts"',
        'data.match.minute >= 10',
      ]);
      await service.publish({ sport: 'tennis' }, { sport: 'darts' });
      await client.next(({ cursor, type }) => type === 'match.goal' && cursor === head());
      client.say({ type: 'subscribe', filters: {} });
      await client.next('subscribed', 3);
      assert.equal(
        last(client),
        `{"type":"subscribed","ref":null,"filters":{"sport":[],"league":[],"event_type":[]},"cursor":${head()}}`,
      );
      await service.publish({ sport: 'darts' });
      await client.next(({ cursor, type }) => type === 'match.goal' && cursor === head());
    });

    it('a subscribe message during a replay of missed events applies from the current position on', async () => {
      const from = head();
      await service.publish(...Array.from({ length: 400 }, () => ({ sport: 'tennis' })));
      const client = openWebSocket(`${service.app.url}/v1/stream/ws?key=${key}&cursor=${from}`);
      clients.push(client);
      client.ws.once('open', () => client.say({ type: 'subscribe', filters: { sport: ['football'] } }));
      const { cursor } = await client.next('subscribed');
      await service.publish({});
      await client.next(({ cursor: at }) => at === head());
      const events = client.messages().filter(({ type }) => type === 'match.goal');
      assert.equal(events.length, cursor - from + 1);
      assert.deepEqual(
        events.slice(0, -1).map((event) => event.cursor - from),
        Array.from({ length: cursor - from }, (_, index) => index + 1),
      );
    });
  });

  describe('replay', () => {
    it('a replay message gets a page of events that pass the filter, as over REST', async () => {
      const from = head();
      await service.publish({}, { sport: 'tennis' }, { name: 'Ж\u2028' }, {}, {});
      const client = await open('&sport=football');
      client.say({ type: 'replay', ref: 'r', since: from, limit: 2 });
      await client.next('replay');
      const rest = await service.app.ask(`/v1/stream/replay?sport=football&since=${from}&limit=2`);
      assert.equal(last(client), `{"type":"replay","ref":"r",${rest.text.slice(1, -1)},"cursor":${head()}}`);
      const seen: number[] = [];
      for (let since = from, more = true, page = 2; more; page += 1) {
        client.say({ type: 'replay', since, limit: 2 });
        const reply = await client.next('replay', page);
        seen.push(...(reply.events as { cursor: number }[]).map(({ cursor }) => cursor - from));
        since = reply.next_cursor as number;
        more = reply.has_more as boolean;
      }
      assert.deepEqual(seen, [1, 3, 4, 5]);
    });

    it('a replay message counts as a request, and is refused if the plan does not allow it', async () => {
      const client = await open();
      const before = charged;
      client.say({ type: 'ping' });
      await client.next('pong');
      for (let page = 1; page <= 2; page += 1) {
        client.say({ type: 'replay', since: head(), limit: 1 });
        await client.next('replay', page);
      }
      assert.equal(charged - before, 2);
      isUsedUp = true;
      client.say({ type: 'replay', ref: 'r', since: head(), limit: 1 });
      const { ref, code } = await client.next('error');
      assert.deepEqual([ref, code], ['r', 'rate_limited']);
      isUsedUp = false;
      client.say({ type: 'replay', since: head(), limit: 1 });
      await client.next('replay', 3);
    });

    it('a page with large events is at most 1 MiB', async () => {
      const from = head();
      const large = { type: 'match.correction' as const, previous: { note: 'x'.repeat(60_000) } };
      await service.publish(...Array.from({ length: 40 }, () => large));
      const client = await open();
      client.say({ type: 'replay', since: from, limit: 500 });
      const reply = await client.next('replay');
      assert.ok(Buffer.byteLength(last(client)!) < 1_100_000);
      const events = reply.events as { cursor: number }[];
      assert.ok(events.length > 5 && events.length < 40);
      assert.deepEqual([reply.next_cursor, reply.has_more], [from + events.length, true]);
    });

    it('messages are answered in order, even if the reader pauses', async () => {
      const from = head();
      const large = { type: 'match.correction' as const, previous: { note: 'x'.repeat(60_000) } };
      await service.publish(...Array.from({ length: 16 }, () => large));
      const client = await open();
      for (let ref = 0; ref < 20; ref += 1) {
        client.say(ref % 2 === 0 ? { type: 'replay', ref, since: from } : { type: 'ping', ref });
      }
      client.ws.pause();
      const answered = 'touchline_stream_examined_events_count{channel="replay"}';
      const answers = async () =>
        Number(
          (await service.registry.metrics())
            .split('\n')
            .find((line) => line.startsWith(answered))
            ?.split(' ')[1] ?? 0,
        );
      const before = await answers();
      await until('an answer waits for it', async () => (await answers()) > before);
      client.ws.resume();
      await client.next(({ ref }) => ref === 19);
      assert.deepEqual(
        client.messages().flatMap(({ ref }) => (ref === undefined ? [] : [ref])),
        Array.from({ length: 20 }, (_, ref) => ref),
      );
    });

    it('a replay message with a cursor before the oldest stored event gets cursor_expired', async () => {
      const own = await startService();
      await own.publish({}, {});
      await own.db.pool.query('UPDATE event_log_floor SET floor = 1');
      const client = openWebSocket(`${own.app.url}/v1/stream/ws?key=${own.app.key}`);
      await client.next('connected');
      client.say({ type: 'replay', ref: 1, since: 0 });
      await client.next('error');
      assert.equal(last(client), '{"type":"error","ref":1,"code":"cursor_expired","cursor":2}');
      client.cut();
      await own.close();
    });
  });

  it('an invalid message gets an error, and the connection stays open', async () => {
    const client = await open();
    const bad: [message: string, code: string, ref: unknown][] = [
      ['', 'bad_request', null],
      ['{', 'bad_request', null],
      ['ping', 'bad_request', null],
      ['null', 'bad_request', null],
      ['[{"type":"ping"}]', 'bad_request', null],
      ['"ping"', 'bad_request', null],
      ['{}', 'invalid_parameter', null],
      ['{"type":"hello","ref":"x"}', 'invalid_parameter', 'x'],
      ['{"type":"Ping","ref":1}', 'invalid_parameter', 1],
      ['{"type":["ping"],"ref":1}', 'invalid_parameter', 1],
      ['{"type":"ping","ref":{}}', 'invalid_parameter', null],
      ['{"type":"ping","ref":1.5}', 'invalid_parameter', null],
      [`{"type":"ping","ref":"${'x'.repeat(129)}"}`, 'invalid_parameter', null],
      ['{"type":"subscribe","ref":2}', 'invalid_parameter', 2],
      ['{"type":"subscribe","ref":2,"filters":[]}', 'invalid_parameter', 2],
      ['{"type":"subscribe","ref":2,"filters":{"sport":"football"}}', 'invalid_parameter', 2],
      ['{"type":"subscribe","ref":2,"filters":{"sport":["quidditch"]}}', 'invalid_parameter', 2],
      ['{"type":"subscribe","ref":2,"filters":{"sport":["football,tennis"]}}', 'invalid_parameter', 2],
      ['{"type":"subscribe","ref":2,"filters":{"sport":[""]}}', 'invalid_parameter', 2],
      ['{"type":"subscribe","ref":2,"filters":{"league":["7"]}}', 'invalid_parameter', 2],
      ['{"type":"subscribe","ref":2,"filters":{"league":[0]}}', 'invalid_parameter', 2],
      ['{"type":"subscribe","ref":2,"filters":{"event_type":["match.none"]}}', 'invalid_parameter', 2],
      ['{"type":"subscribe","ref":3,"filters":{"where":["data.match.minute > 1"]}}', 'invalid_parameter', 3],
      ['{"type":"replay","ref":3}', 'invalid_parameter', 3],
      ['{"type":"replay","ref":3,"since":-1}', 'invalid_parameter', 3],
      ['{"type":"replay","ref":3,"since":9007199254740992}', 'invalid_parameter', 3],
      ['{"type":"replay","ref":3,"since":"0"}', 'invalid_parameter', 3],
      ['{"type":"replay","ref":3,"since":0,"limit":0}', 'invalid_parameter', 3],
      ['{"type":"replay","ref":3,"since":0,"limit":501}', 'invalid_parameter', 3],
    ];
    for (const [message, code, ref] of bad) {
      const before = client.texts.length;
      client.say(message);
      await until(`${message} is answered`, () => client.texts.length > before);
      assert.equal(last(client), JSON.stringify({ type: 'error', ref, code, cursor: head() }), message);
    }
    client.say({ type: 'ping' });
    await client.next('pong');
  });

  describe('malformed frames', () => {
    const malformed: [code: number, what: string, ...frames: FrameParts[]][] = [
      [1002, 'a frame without a mask', { opcode: TEXT, payload: ping, masked: false }],
      [1002, 'a reserved bit', { opcode: TEXT, payload: ping, rsv: 2 }],
      [1002, 'compression that was not agreed on', { opcode: TEXT, payload: ping, rsv: 4 }],
      [1002, 'a reserved opcode', { opcode: 3, payload: ping }],
      [1002, 'a reserved control opcode', { opcode: 11 }],
      [1002, 'a control frame in fragments', { opcode: PING, fin: false, payload: 'x' }],
      [1002, 'a control frame of 126 bytes', { opcode: PING, payload: 'x'.repeat(126) }],
      [1002, 'a continuation of nothing', { opcode: CONTINUATION, payload: ping }],
      [1002, 'a message within a message', { opcode: TEXT, fin: false, payload: '{' }, { opcode: TEXT, payload: '}' }],
      [1002, 'a close frame of one byte', { opcode: CLOSE, payload: 'x' }],
      [1002, 'a close code that must not be sent', closing(1005)],
      [1002, 'a close code out of range', closing(999)],
      [1007, 'a close reason that is not UTF-8', closing(1000, BAD_UTF8)],
      [1007, 'text that is not UTF-8', { opcode: TEXT, payload: BAD_UTF8 }],
      [
        1007,
        'text in fragments that is not UTF-8',
        { opcode: TEXT, fin: false, payload: BAD_UTF8.subarray(0, 2) },
        { opcode: CONTINUATION, payload: BAD_UTF8.subarray(2) },
      ],
      [1003, 'a binary message', { opcode: BINARY, payload: ping }],
      [1003, 'an empty binary message', { opcode: BINARY }],
      [1009, 'a message of over 8 KB', { opcode: TEXT, payload: 'x'.repeat(8_193) }],
      [
        1009,
        'fragments of over 8 KB in all',
        { opcode: TEXT, fin: false, payload: 'x'.repeat(8_192) },
        { opcode: CONTINUATION, payload: 'x' },
      ],
      [1009, 'a length of 2^62', { opcode: TEXT, length: 2n ** 62n }],
      [1009, 'a length of 2^32, announced', { opcode: BINARY, length: 2n ** 32n }],
    ];
    for (const [code, what, ...frames] of malformed) {
      it(`the connection is closed with ${code} for ${what}`, async () => {
        const client = await openRaw();
        client.socket.write(Buffer.concat(frames.map(frame)));
        assert.equal(await client.closeCode(), code);
        // The close frame is the last frame.
        assert.equal(client.frames().at(-1)!.opcode, CLOSE);
        await until('the connection is removed', () => service.deps.hub.connections() === 0);
        client.socket.end(frame(closing(1000)));
        await client.ended;
      });
    }

    it('a client that closes the connection properly gets the same close code back', async () => {
      const client = await openRaw();
      client.socket.write(frame(closing(1000, 'bye')));
      assert.equal(await client.closeCode(), 1000);
      await client.ended;
      assert.deepEqual(
        client.frames().map(({ opcode }) => opcode),
        [TEXT, CLOSE],
      );
    });
  });

  it('a message up to 8 KB may be sent in fragments, between control frames, and byte by byte', async () => {
    const client = await openRaw();
    const bytes = Buffer.concat([
      frame({ opcode: TEXT, fin: false, payload: '{"type":"pi' }),
      frame({ opcode: PING, payload: 'x' }),
      frame({ opcode: CONTINUATION, fin: false }),
      frame({ opcode: PONG }),
      frame({ opcode: CONTINUATION, payload: 'ng","ref":"Ж"}' }),
    ]);
    for (const byte of bytes) {
      client.socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    const longest = `{"type":"ping","ref":"long","pad":"${'x'.repeat(8_192 - 37)}"}`;
    assert.equal(Buffer.byteLength(longest), 8_192);
    client.socket.write(frame({ opcode: TEXT, payload: longest }));
    await until('all are answered', () => client.frames().length === 4);
    assert.deepEqual(
      client.frames().map(({ opcode, payload }) => [opcode, payload.toString()]),
      [
        [TEXT, `{"type":"connected","cursor":${head()}}`],
        [PONG, 'x'],
        [TEXT, `{"type":"pong","ref":"Ж","cursor":${head()}}`],
        [TEXT, `{"type":"pong","ref":"long","cursor":${head()}}`],
      ],
    );
  });

  describe('rate limit', () => {
    it('a client may send 10 messages a second, and is closed with 1008 after 5 s at a higher rate', async () => {
      const client = await open();
      for (let second = 0; second < 12; second += 1) {
        for (let i = 0; i < 10; i += 1) client.say(ping);
        await client.next('pong', (second + 1) * 10);
        service.clock.advance(1_000);
      }
      assert.equal(client.over(), null);
      for (let second = 0; second < 5; second += 1) {
        for (let i = 0; i < 11; i += 1) client.say(ping);
        await client.next('pong', 120 + 11 * (second + 1));
        assert.equal(client.over(), null);
        service.clock.advance(1_000);
      }
      client.say(ping);
      assert.deepEqual(await client.closed, { code: 1008, reason: 'too many messages' });
    });

    it('a burst is answered, 50 messages at once and the rest within the next second, and the connection stays open', async () => {
      const client = await open();
      for (let ref = 0; ref < 51; ref += 1) client.say({ type: 'ping', ref });
      await client.next('pong', 50);
      await timersChecked(service.deps.hub, service.clock);
      assert.equal(pongs(client), 50);
      service.clock.advance(1_000);
      await client.next('pong', 51);
      service.clock.advance(5_000);
      client.say({ type: 'ping', ref: 51 });
      await client.next(({ ref }) => ref === 51);
      assert.deepEqual(
        client.messages().flatMap(({ ref }) => (ref === undefined ? [] : [ref])),
        Array.from({ length: 52 }, (_, ref) => ref),
      );
    });

    it('a continuous burst is closed with 1008 after 5 s', async () => {
      const client = await open();
      for (let second = 0; second < 5; second += 1) {
        for (let i = 0; i < 60; i += 1) client.say(ping);
        await client.next('pong', 50 * (second + 1));
        assert.equal(client.over(), null);
        service.clock.advance(1_000);
      }
      assert.deepEqual(await client.closed, { code: 1008, reason: 'too many messages' });
      assert.equal(pongs(client), 250);
    });

    it('control frames count as messages, so a burst is allowed, but a higher rate for 5 s is not', async () => {
      const client = await openRaw();
      const answered = () => client.frames().filter(({ opcode }) => opcode === PONG).length;
      const pings = (count: number) => Buffer.concat(Array.from({ length: count }, () => frame({ opcode: PING })));
      client.socket.write(pings(51));
      await until('all are answered', () => answered() === 51);
      for (let second = 0; second < 4; second += 1) {
        service.clock.advance(1_000);
        client.socket.write(pings(11));
        await until('they are answered', () => answered() === 51 + 11 * (second + 1));
      }
      service.clock.advance(1_000);
      client.socket.write(pings(1));
      assert.equal(await client.closeCode(), 1008);
    });

    it('a client that sends 500 messages at once is closed with 1008, because answering them would take more than 5 s', async () => {
      const client = await openRaw();
      client.socket.write(Buffer.concat(Array.from({ length: 500 }, () => frame({ opcode: TEXT, payload: ping }))));
      assert.equal(await client.closeCode(), 1008);
      assert.equal(client.frames().at(-1)!.opcode, CLOSE);
    });
  });

  it('a message that is sent too early waits until the connection is open', async () => {
    const client = openWebSocket(`${service.app.url}/v1/stream/ws?key=${key}`);
    clients.push(client);
    client.ws.once('open', () => client.say('{"type":"ping","ref":"early"}'));
    await client.next('pong');
    assert.deepEqual(
      client.messages().map(({ type }) => type),
      ['connected', 'pong'],
    );
  });
});
