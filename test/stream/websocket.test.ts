import assert from 'node:assert/strict';
import { request } from 'node:http';
import { ENVELOPE_MAX_BYTES } from '../../src/wire/envelope.ts';
import { createKey } from '../support/accounts.ts';
import { timersChecked } from '../support/hub-tick.ts';
import { type Service, startService } from '../support/service.ts';
import { openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { type Client, openRawWebSocket, openWebSocket } from '../support/websocket-client.ts';

const TEXT = 1;

describe('the stream over a WebSocket', () => {
  let service: Service;
  let clients: Client[] = [];
  /** A key that allows dozens of concurrent streams. */
  let crowd: string;
  before(async () => {
    service = await startService();
    ({ key: crowd } = await newKey({ kind: 'pk' }));
  });
  after(() => service.close());
  afterEach(async () => {
    for (const client of clients) client.cut();
    clients = [];
    await until('all slots are released', () => service.deps.admission.held() === 0);
    await until('the hub stores nothing', () => service.deps.hub.held() === 0);
  });

  let accounts = 0;
  function newKey(over: Partial<Parameters<typeof createKey>[2]> = {}) {
    accounts += 1;
    return createKey(service.db.pool, service.clock, { email: `n${accounts}@example.com`, plan: 'pro', ...over });
  }
  function open(query: Record<string, string | number> = {}, headers: Record<string, string> = {}): Client {
    const asked = new URLSearchParams({ key: crowd });
    for (const [name, value] of Object.entries(query)) asked.set(name, `${value}`);
    if (query.key === '') asked.delete('key');
    const client = openWebSocket(`${service.app.url}/v1/stream/ws?${asked}`, headers);
    clients.push(client);
    return client;
  }
  /**
   * Waits until the timers have run and their output has arrived, which is the case when a later request has been
   * answered.
   */
  async function ticked(): Promise<void> {
    await timersChecked(service.deps.hub, service.clock);
    await service.app.ask('/v1/stream/ws');
  }
  const head = () => service.deps.hub.head();
  const many = (count: number, sketch = {}) => Array.from({ length: count }, () => sketch);
  const frameOf = (cursor: number, envelope: string) => `{"cursor":${cursor},${envelope.slice(1)}`;

  describe('frames', () => {
    it('a stream begins with the position, and each event consists of the cursor and the stored envelope', async () => {
      const from = head();
      const client = open();
      await client.next('connected');
      const [goal, card] = await service.publish({ name: 'Спартак "M" \u2028' }, { type: 'match.card' });
      await client.next('match.card');
      assert.deepEqual(client.texts, [
        `{"type":"connected","cursor":${from}}`,
        frameOf(from + 1, goal!),
        frameOf(from + 2, card!),
      ]);
      assert.deepEqual(Object.keys(client.messages()[1]!), ['cursor', 'id', 'type', 'data']);
    });

    it('frames carry the same bytes as SSE and replay', async () => {
      const from = head();
      const sse = await openStream(`${service.app.url}/v1/stream?key=${crowd}`);
      const client = open();
      await client.next('connected');
      const previous = { big: 9_007_199_254_740_991, ключ: '😀\u2028\u0000</script>', b: 1, a: 1.5e-7 };
      const [envelope] = await service.publish({ type: 'match.correction', name: 'Zażółć "gęślą" \\ jaźń', previous });
      await client.next('match.correction');
      await sse.until(`data: ${envelope}\n\n`);
      const { text } = await service.app.ask(`/v1/stream/replay?since=${from}`);
      assert.equal(client.texts[1], frameOf(from + 1, envelope!));
      assert.equal(text, `{"events":[${client.texts[1]}],"next_cursor":${from + 1},"has_more":false}`);
      sse.close();
    });

    it('a frame of any length arrives complete', async () => {
      const client = open();
      await client.next('connected');
      const noted = (length: number) => ({
        type: 'match.correction' as const,
        match: 77,
        previous: { note: 'x'.repeat(length) },
      });
      const written = await service.publish(noted(0));
      const most = ENVELOPE_MAX_BYTES - Buffer.byteLength(written[0]!);
      written.push(...(await service.publish(noted(100), noted(60_000), noted(most))));
      await client.next('match.correction', written.length);
      assert.deepEqual(
        client.texts.slice(1).map((text) => text.slice(text.indexOf('"id"'))),
        written.map((text) => text.slice(1)),
      );
      assert.ok(Buffer.byteLength(client.texts.at(-1)!) > 0xffff);
    });

    it('frames are not compressed, whatever the client offers', async () => {
      const client = open();
      await client.next('connected');
      assert.equal(client.ws.extensions, '');
    });

    it('a client gets one frame for each event that passes the filter', async () => {
      const client = open({ sport: 'tennis,football', league: 7, event_type: 'match.goal' });
      await client.next('connected');
      const from = head();
      await service.publish({ sport: 'tennis' }, { sport: 'tennis', tournament: 8 }, { type: 'match.card' }, {});
      await client.next('match.goal', 2);
      assert.deepEqual(
        client
          .messages()
          .slice(1)
          .map(({ cursor }) => cursor - from),
        [1, 4],
      );
    });
  });

  describe('time', () => {
    it('a stream without events gets a heartbeat with the position after 15 s', async () => {
      const client = open({ league: 99 });
      await client.next('connected');
      await service.publish({}, {});
      service.clock.advance(14_999);
      await ticked();
      assert.equal(client.texts.length, 1);
      service.clock.advance(1);
      await client.next('heartbeat');
      assert.equal(
        client.texts[1],
        `{"type":"heartbeat","ts":${Math.floor(service.clock.now() / 1_000)},"cursor":${head()}}`,
      );
    });

    it('a stream gets a reconnect frame and 1012 after 60 minutes, not at 59:59, and at most a minute later', async () => {
      const all = Array.from({ length: 20 }, () => open());
      await Promise.all(all.map((client) => client.next('connected')));
      service.clock.advance(59 * 60_000 + 59_000);
      await ticked();
      assert.ok(all.every((client) => client.over() === null && !client.texts.at(-1)!.includes('reconnect')));
      service.clock.advance(1_000 + 60_000);
      const ends = await Promise.all(all.map(({ closed }) => closed));
      assert.deepEqual(new Set(ends.map(({ code }) => code)), new Set([1012]));
      for (const client of all) assert.equal(client.texts.at(-1), `{"type":"reconnect","cursor":${head()}}`);
    });

    it('a client that is silent for 30 s is pinged, and is disconnected 30 s later, which frees its slot', async () => {
      const { key } = await newKey();
      const path = `/v1/stream/ws?key=${key}`;
      const half = await openRawWebSocket(service.app.port, path);
      const alive = open({ key });
      await alive.next('connected');
      await until('both are connected', () => service.deps.hub.connections() === 2);
      const pings = () => half.frames().filter(({ opcode }) => opcode === 9).length;
      service.clock.advance(29_999);
      await ticked();
      assert.equal(pings(), 0);
      service.clock.advance(1);
      await until('it is pinged', () => pings() === 1);
      await ticked();
      service.clock.advance(29_999);
      await ticked();
      assert.equal(service.deps.hub.connections(), 2);
      service.clock.advance(1);
      await half.ended;
      assert.equal(pings(), 1);
      await until('its slot is free', async () => {
        const { rows } = await service.db.pool.query('SELECT FROM stream_lease');
        return rows.length === 1;
      });
      assert.equal(service.deps.hub.connections(), 1);
      assert.equal(alive.over(), null);
    });
  });

  describe('a reconnect', () => {
    for (const missed of [0, 1, 500]) {
      it(`a reconnecting client gets ${missed} missed events first, then live events`, async () => {
        const from = head();
        const written = missed === 0 ? [] : await service.publish(...many(missed));
        const client = open({ cursor: from });
        await client.next('connected');
        written.push(...(await service.publish({ type: 'match.finished' })));
        await client.next('match.finished');
        assert.deepEqual(client.texts, [
          `{"type":"connected","cursor":${from}}`,
          ...written.map((envelope, index) => frameOf(from + 1 + index, envelope)),
        ]);
      });
    }

    for (const missed of [501, 5_000]) {
      it(`a client that has missed ${missed} events gets 500 of them, then a gap frame, then live events`, () =>
        beyond(missed));
    }
    async function beyond(missed: number): Promise<void> {
      const from = head();
      await service.publish(...many(missed));
      const client = open({ cursor: from });
      await client.next('gap');
      await service.publish({ type: 'match.finished' });
      await client.next('match.finished');
      assert.equal(client.texts.length, 503);
      assert.equal(
        client.texts[501],
        `{"type":"gap","cursor":${from + 500},"from":${from + 500},"to":${from + missed},"reason":"limit"}`,
      );
      assert.equal(client.messages()[502]!.cursor, from + missed + 1);
    }

    it('a client whose cursor is beyond the log’s end gets a gap frame and starts at the end', async () => {
      const client = open({ cursor: head() + 5 });
      await client.next('gap');
      assert.deepEqual(client.texts, [
        `{"type":"connected","cursor":${head()}}`,
        `{"type":"gap","cursor":${head()},"from":${head() + 5},"to":${head()},"reason":"ahead"}`,
      ]);
      await service.publish({});
      await client.next('match.goal');
    });
  });

  describe('authentication', () => {
    it('each kind of key opens a stream, in the query or the header', async () => {
      const { key } = await newKey();
      for (const [query, headers] of [
        [{ key }, {}],
        [{ key: '' }, { 'x-api-key': key }],
        [{ key: crowd }, {}],
      ] as const) {
        const client = open(query, headers);
        await client.next('connected');
      }
    });

    /** Asserts that the upgrade is accepted but the first frame closes the connection. */
    async function refused(code: number, reason: RegExp, ...given: Parameters<typeof open>): Promise<void> {
      const client = open(...given);
      let upgraded = false;
      client.ws.once('open', () => {
        upgraded = true;
      });
      const end = await client.closed;
      assert.deepEqual([end.code, upgraded, client.texts], [code, true, []], end.reason);
      assert.match(end.reason, reason);
      assert.ok(Buffer.byteLength(end.reason) <= 123);
    }

    it('a connection without a valid key is closed with 4401', async () => {
      await refused(4401, /^key_missing/, { key: '' });
      await refused(4401, /^key_invalid/, { key: 'sk_live_nonsense' });
      const { key, keyId } = await newKey();
      await service.db.pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [keyId]);
      await refused(4401, /^key_revoked/, { key });
    });

    const offer = (...keys: string[]) => ({
      'Sec-WebSocket-Protocol': ['touchline.v1', ...keys.map((key) => `key.${encoded(key)}`)].join(', '),
    });
    const encoded = (key: string) => Buffer.from(key).toString('base64url');

    it('a key sent as a subprotocol opens a stream, and the reply selects touchline.v1', async () => {
      const { key } = await newKey();
      const published = await newKey({ kind: 'pk', origins: ['https://fans.example'] });
      for (const [query, headers] of [
        [{ key: '' }, offer(key)],
        [{ key: '' }, { 'Sec-WebSocket-Protocol': `key.${encoded(key)},touchline.v1` }],
        [{ key }, offer(key)],
        [{ key: '' }, { ...offer('sk_live_other'), 'x-api-key': key }],
        [{ key: '' }, { ...offer(published.key), Origin: 'https://fans.example' }],
        [{ key }, { 'Sec-WebSocket-Protocol': 'touchline.v1' }],
      ] as const) {
        const client = open(query, headers);
        await client.next('connected');
        assert.equal(client.ws.protocol, 'touchline.v1');
        client.cut();
      }
      const other = open({ key }, { 'Sec-WebSocket-Protocol': 'any.v2, touchline.v2' });
      await other.next('connected');
      assert.equal(other.ws.protocol, 'any.v2');
    });

    it('a wrong key sent as a subprotocol is refused like one in the query, and a malformed or repeated key gets a reason', async () => {
      const { key } = await newKey();
      const { key: other } = await newKey();
      const { key: published } = await newKey({ kind: 'pk', origins: ['https://fans.example'] });
      const protocols = (text: string) => ({ 'Sec-WebSocket-Protocol': text });
      const none = { key: '' };
      await refused(4401, /^key_invalid: The API key/, none, offer('sk_live_nonsense'));
      await refused(4401, /^key_invalid: .* not a key in base64url/, none, protocols('touchline.v1, key.a%b'));
      await refused(4401, /^key_invalid: .* not a key in base64url/, none, protocols('touchline.v1, key.'));
      // This key was not encoded, but happens to be valid base64url for a different text.
      await refused(4401, /^key_invalid: /, none, protocols(`touchline.v1, key.${key}`));
      await refused(4401, /^key_missing: .* a subprotocol key\./, none, protocols('touchline.v1'));
      await refused(4422, /^bad_request: .* not several/, none, offer(key, other));
      await refused(4422, /^bad_request: .* different keys/, { key: other }, offer(key));
      await refused(4403, /^origin_not_allowed/, none, { ...offer(published), Origin: 'https://thief.example' });
    });

    it('no handshake reply contains the key, whatever the client offers', async () => {
      const { key } = await newKey();
      const nonce = 'dGhlIHNhbXBsZSBub25jZQ==';
      const answerTo = (offers: string, over = '') =>
        service.app.raw(
          `GET /v1/stream/ws HTTP/1.1\r\nHost: 127.0.0.1:${service.app.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${nonce}\r\nSec-WebSocket-Protocol: ${offers}\r\n${over}\r\n`,
        );
      const own = `key.${encoded(key)}`;
      for (const [offers, expected] of [
        [own, /^HTTP\/1.1 101 .*touchline\.v1 in addition to the key/s],
        [key, /^HTTP\/1.1 101 .*key_missing/s],
        [`${own}, ${own}`, /^HTTP\/1.1 400 /],
        [`touchline.v1, ${own}, ${own}`, /^HTTP\/1.1 400 /],
        [`touchline.v1, ${own}=`, /^HTTP\/1.1 400 /],
        [`touchline.v1, ${own}x`, /^HTTP\/1.1 101 .*key_invalid/s],
        [`touchline.v1;${own}`, /^HTTP\/1.1 400 /],
        [`touchline.v1\r\nSec-WebSocket-Protocol: ${own}`, /^HTTP\/1.1 101 .*"connected"/s],
      ] as const) {
        const answer = await answerTo(offers);
        assert.match(answer, expected, offers);
        assert.ok(!answer.includes(key) && !answer.includes(encoded(key).slice(0, 30)), answer);
      }
    });

    it('a connection on a plan without streams is closed with 4402', async () => {
      const { key } = await newKey({ plan: 'starter' });
      await refused(4402, /^plan_required/, { key });
      await refused(4402, /^plan_required/, { key, sport: 'nonsense' });
    });

    it('a connection from another origin is closed with 4403', async () => {
      const { key } = await newKey({ kind: 'pk', origins: ['https://fans.example'] });
      await refused(4403, /^origin_not_allowed/, { key }, { Origin: 'https://thief.example' });
      await open({ key }, { Origin: 'https://fans.example' }).next('connected');
    });

    it('a connection with an invalid filter, cursor or client name is closed with 4422', async () => {
      const bad: Record<string, string | number>[] = [
        { sport: 'quidditch' },
        { sport: '' },
        { league: 'x'.repeat(500) },
        { league: 'Ж'.repeat(70) },
        { event_type: 'match.none' },
        { cursor: 'x' },
        { cursor: -1 },
        { cursor: '9007199254740992' },
        { cursor: '9007199254740993' },
        { cursor: '1.5' },
        { client: 'short' },
        { client: 'not a name!' },
      ];
      for (const query of bad) await refused(4422, /^invalid_parameter: /, query);
    });

    it('an account’s sixth connection is closed with 4429, whether SSE or WebSocket', async () => {
      const { key } = await newKey();
      const three = [open({ key }), open({ key }), open({ key })];
      await Promise.all(three.map((client) => client.next('connected')));
      const two = await Promise.all([1, 2].map(() => openStream(`${service.app.url}/v1/stream`, { 'X-API-Key': key })));
      assert.deepEqual(
        two.map(({ status }) => status),
        [200, 200],
      );
      await refused(4429, /^too_many_connections/, { key });
      const sixth = await service.app.ask('/v1/stream', { key });
      assert.deepEqual([sixth.status, sixth.json.code], [429, 'too_many_connections']);
      assert.match(sixth.headers.get('retry-after')!, /^\d+$/);
      three[0]!.ws.close();
      await three[0]!.closed;
      await until('the slot is free', () => service.deps.hub.connections() === 4);
      await open({ key }).next('connected');
      for (const stream of two) stream.close();
    });
  });

  it('a plain HTTP request gets a reply that names the protocol to upgrade to', async () => {
    const { status, json, headers } = await service.app.ask('/v1/stream/ws');
    assert.deepEqual([status, json.code, headers.get('upgrade')], [400, 'bad_request', 'websocket']);
    assert.equal((await service.app.ask('/v1/stream/ws', { key: null })).status, 401);
  });

  it('an invalid handshake is refused', async () => {
    const ask = (headers: Record<string, string>, path = '/v1/stream/ws') =>
      new Promise<number>((resolve, reject) => {
        const asked = request(`${service.app.url}${path}?key=${crowd}`, {
          headers: {
            Connection: 'Upgrade',
            Upgrade: 'websocket',
            'Sec-WebSocket-Version': '13',
            'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
            ...headers,
          },
        });
        asked.on('response', (response) => {
          response.resume();
          resolve(response.statusCode!);
        });
        asked.on('upgrade', (response, socket) => {
          socket.destroy();
          resolve(response.statusCode!);
        });
        asked.on('error', reject);
        asked.end();
      });
    assert.equal(await ask({}), 101);
    assert.equal(await ask({ Upgrade: 'WebSocket' }), 101);
    assert.equal(await ask({ 'Sec-WebSocket-Version': '7' }), 400);
    assert.equal(await ask({ 'Sec-WebSocket-Key': 'short' }), 400);
    assert.equal(await ask({ Upgrade: 'h2c' }), 400);
    assert.equal(await ask({ Host: 'evil.example' }), 400);
    assert.equal(await ask({}, '/v1/nothing'), 404);
    assert.equal(await ask({}, '/v1/stream/ws/'), 404);
    await until('no stream is left', () => service.deps.hub.held() === 0);
  });

  it('a client that does not read gets a reconnect frame and 4413, and clients that read do not', async () => {
    const { key } = await newKey();
    const slow = await openRawWebSocket(service.app.port, `/v1/stream/ws?key=${key}`);
    const quick = open();
    await quick.next('connected');
    await until('both are connected', () => service.deps.hub.connections() === 2);
    slow.socket.pause();
    const large = { type: 'match.correction' as const, previous: { note: 'x'.repeat(60_000) } };
    for (let round = 0; round < 6; round += 1) await service.publish(...many(30, large));
    await quick.next('match.correction', 180);
    service.clock.advance(30_000);
    await until('it is no longer written to', () => service.deps.hub.connections() === 1);
    slow.socket.resume();
    assert.equal(await slow.closeCode(), 4413);
    const texts = slow.frames().flatMap(({ opcode, payload }) => (opcode === TEXT ? [payload.toString()] : []));
    const last = JSON.parse(texts.at(-2)!).cursor;
    assert.equal(texts.at(-1), `{"type":"reconnect","cursor":${last}}`);
    assert.ok(last < head());
    slow.socket.destroy();
    assert.equal(quick.over(), null);
  });

  it('a process that stops asks all clients to reconnect, even one that connects late', async () => {
    const own = await startService();
    const url = `${own.app.url}/v1/stream/ws?key=${own.app.key}`;
    const client = openWebSocket(url);
    const deaf = await openRawWebSocket(own.app.port, `/v1/stream/ws?key=${own.app.key}`);
    await client.next('connected');
    const [envelope] = await own.publish({});
    await client.next('match.goal');
    await own.deps.hub.close();
    assert.deepEqual(await client.closed, { code: 1012, reason: 'reconnect' });
    assert.deepEqual(client.texts.slice(1), [frameOf(1, envelope!), '{"type":"reconnect","cursor":1}']);
    const late = openWebSocket(url);
    assert.equal((await late.closed).code, 1012);
    assert.deepEqual(late.texts, ['{"type":"connected","cursor":1}', '{"type":"reconnect","cursor":1}']);
    // Closing the process does not wait for a client that never answers the close frame.
    await own.close();
    await deaf.ended;
  });

  it('a client whose cursor is older than seven days gets the instruction to sync, then live events', async () => {
    const own = await startService();
    await own.publish(...many(3));
    await own.db.pool.query('UPDATE event_log_floor SET floor = 2');
    await own.db.pool.query('DELETE FROM event_log WHERE cursor <= 2');
    await own.stop();
    const again = await startService({ db: own.db });
    const client = openWebSocket(`${again.app.url}/v1/stream/ws?key=${again.app.key}&cursor=1`);
    await client.next('gap');
    assert.equal(client.texts[1], '{"type":"gap","cursor":1,"from":1,"to":3,"reason":"expired"}');
    await again.publish({ match: 2 });
    assert.equal((await client.next('match.goal')).cursor, 4);
    client.cut();
    await again.close();
    await own.db.drop();
  });
});
