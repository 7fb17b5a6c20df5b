import assert from 'node:assert/strict';
import { createKey } from '../support/accounts.ts';
import { type Service, startService } from '../support/service.ts';
import { lastId } from '../support/sse.ts';
import { type OpenStream, openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { type Client, openWebSocket } from '../support/websocket-client.ts';

interface Page {
  events: { cursor: number; id: string }[];
  next_cursor: number;
  has_more: boolean;
}

describe('the parameter delay', () => {
  let service: Service;
  let key: string;
  /** How far the clock of the streams is ahead of this machine's clock, with which Postgres stamps events. */
  let ahead = 0;
  let start = 0;
  let opened: (() => void)[] = [];
  before(async () => {
    service = await startService({ hub: { clock: { now: () => Date.now() + ahead }, lookEveryMs: 1 } });
    ({ key } = await createKey(service.db.pool, service.clock, { email: 'a@example.com', plan: 'pro', kind: 'pk' }));
  });
  after(() => service.close());
  beforeEach(async () => {
    // What earlier tests have published has long been due.
    ahead += 3_600_000;
    start = service.deps.hub.head();
    await until('all is due', async () => (await service.deps.hub.lastDue(600)) === start);
  });
  afterEach(async () => {
    for (const end of opened) end();
    opened = [];
    await until('no stream is left', () => service.deps.hub.held() + service.deps.admission.held() === 0);
  });

  async function sse(query: string, headers: Record<string, string> = {}): Promise<OpenStream> {
    const stream = await openStream(`${service.app.url}/v1/stream?key=${key}&${query}`, headers);
    opened.push(stream.close);
    return stream;
  }
  async function socket(query: string): Promise<Client> {
    const client = openWebSocket(`${service.app.url}/v1/stream/ws?key=${key}&${query}`);
    opened.push(client.cut);
    await client.next('connected');
    return client;
  }
  async function replay(query: string): Promise<Page> {
    const { status, json, text } = await service.app.ask<Page>(`/v1/stream/replay?${query}`);
    assert.equal(status, 200, text);
    return json;
  }
  const events = (client: Client) => client.messages().filter(({ type }) => type.startsWith('match.'));
  const many = (count: number) => Array.from({ length: count }, () => ({}));
  for (const value of [
    '1e9',
    '-1',
    '1.5',
    'abc',
    '',
    '601',
    '007',
    '+5',
    ' 5',
    '0x10',
    '9007199254740993',
    'NaN',
    '5,5',
  ]) {
    it(`refuses ${JSON.stringify(value)} everywhere, without repeating it`, async () => {
      const query = `delay=${encodeURIComponent(value)}`;
      for (const path of [`/v1/stream?${query}`, `/v1/stream/replay?since=0&${query}`]) {
        const { status, json, text } = await service.app.ask<{ code: string; errors: { parameter: string }[] }>(path);
        assert.deepEqual([status, json.code, json.errors[0]!.parameter], [422, 'invalid_parameter', 'delay'], path);
        if (value.length > 5) assert.ok(!text.includes(value));
      }
      const refused = openWebSocket(`${service.app.url}/v1/stream/ws?key=${key}&${query}`);
      assert.equal((await refused.closed).code, 4422);
    });
  }

  it('is refused if it is given twice', async () => {
    for (const path of ['/v1/stream?delay=5&delay=5', '/v1/stream/replay?since=0&delay=5&delay=6'])
      assert.equal((await service.app.ask(path)).status, 422, path);
    const refused = openWebSocket(`${service.app.url}/v1/stream/ws?key=${key}&delay=5&delay=6`);
    assert.equal((await refused.closed).code, 4422);
  });

  it('delays SSE and the WebSocket alike, and 0 delays nothing', async () => {
    const [delayed, ws, live] = [await sse('delay=600'), await socket('delay=600'), await sse('delay=0')];
    ahead = 0;
    const [first] = await service.publish({}, {});
    await live.until(first!);
    ahead = 590_000;
    await replay(`since=${start}&delay=600`);
    assert.deepEqual([delayed.frames().length, events(ws).length], [1, 0]);
    ahead = 601_000;
    await delayed.until(first!);
    await until('both have arrived', () => events(ws).length === 2);
    assert.deepEqual(
      events(ws).map(({ cursor }) => cursor),
      [start + 1, start + 2],
    );
  });

  it('a stream begins at the newest event that is old enough, and tells of no later position', async () => {
    await socket('delay=50');
    ahead = 0;
    await service.publish(...many(3));
    for (const [seconds, position] of [
      [49, start],
      [52, start + 3],
    ] as const) {
      ahead = seconds * 1_000;
      await until('it is due', async () => (await service.deps.hub.lastDue(50)) === position);
      assert.equal((await socket('delay=50')).messages()[0]!.cursor, position);
      const stream = await sse('delay=50');
      assert.equal(await stream.until('\n\n'), `: connected cursor=${position}\nretry: 1000\nid: ${position}\n\n`);
    }
  });

  it('a client that reconnects with its last event id misses nothing', async () => {
    const first = await sse('delay=60');
    await first.until('connected');
    ahead = 0;
    await service.publish(...many(3));
    ahead = 61_000;
    await first.until((text) => text.split('data: ').length === 4);
    first.close();
    ahead = 0;
    await service.publish(...many(2));
    const again = await sse('delay=60', { 'Last-Event-ID': String(lastId(first.frames())) });
    await again.until('connected');
    assert.equal(lastId(again.frames()), start + 3);
    ahead = 61_000;
    await again.until((text) => text.split('data: ').length === 3);
    assert.equal(lastId(again.frames()), start + 5);
    assert.ok(!again.text().includes('gap'));
  });

  it('a cursor ahead of the position waits, and the answers to messages show the position', async () => {
    ahead = 0;
    await service.publish(...many(5));
    const ws = await socket(`delay=60&cursor=${start + 4}`);
    const behind = await socket(`delay=60&cursor=${start}`);
    for (const client of [ws, behind]) client.say({ type: 'ping', ref: 1 });
    assert.equal((await ws.next('pong')).cursor, start + 4);
    assert.equal((await behind.next('pong')).cursor, start);
    behind.say({ type: 'replay', since: start, limit: 100 });
    const { events: none, next_cursor, has_more, cursor } = await behind.next('replay');
    assert.deepEqual([none, next_cursor, has_more, cursor], [[], start, false, start]);
    behind.say({ type: 'replay', since: 2 ** 53 - 1, limit: 100 });
    assert.equal((await behind.next('replay', 2)).next_cursor, start);
    ahead = 61_000;
    await until('the rest is there', () => events(ws).length === 1 && events(behind).length === 5);
    assert.ok(![...ws.messages(), ...behind.messages()].some(({ type }) => type === 'gap'));
  });

  it('a subscribe message changes the delay, or leaves it as it is', async () => {
    const ws = await socket('delay=600');
    const filters = { event_type: ['match.goal'] };
    ahead = 0;
    await service.publish({ type: 'match.goal' }, { type: 'match.card' });
    ws.say({ type: 'subscribe', ref: 1, filters });
    assert.equal((await ws.next('subscribed')).delay, 600);
    ahead = 30_000;
    ws.say({ type: 'subscribe', ref: 2, filters, delay: 20 });
    assert.equal((await ws.next('subscribed', 2)).delay, 20);
    await until('the goal is there', () => events(ws).length === 1);
    ws.say({ type: 'subscribe', ref: 3, filters, delay: 0 });
    assert.equal((await ws.next('subscribed', 3)).delay, undefined);
    await service.publish({ type: 'match.goal' });
    await until('the next is there', () => events(ws).length === 2);
    for (const delay of [-1, 601, 1.5, '5', null, [5], 1e9]) ws.say({ type: 'subscribe', ref: 'bad', filters, delay });
    await ws.next(({ type, code }) => type === 'error' && code === 'invalid_parameter', 7);
    await service.publish({ type: 'match.goal' });
    await until('nothing has changed', () => events(ws).length === 3);
  });

  it('replay ends at the position, and continues when more is due', async () => {
    await socket('delay=70');
    ahead = 0;
    await service.publish(...many(5));
    ahead = 60_000;
    assert.deepEqual(await replay(`since=${start}&delay=70`), { events: [], next_cursor: start, has_more: false });
    assert.deepEqual(await replay(`since=${start + 3}&delay=70`), {
      events: [],
      next_cursor: start + 3,
      has_more: false,
    });
    assert.equal((await replay(`since=${start + 99}&delay=70`)).next_cursor, start);
    ahead = 71_000;
    await until('all is due', async () => (await service.deps.hub.lastDue(70)) === start + 5);
    const page = await replay(`since=${start}&delay=70&limit=3`);
    assert.deepEqual([page.events.length, page.next_cursor, page.has_more], [3, start + 3, true]);
    const last = await replay(`since=${start + 3}&delay=70`);
    assert.deepEqual([last.events.length, last.next_cursor, last.has_more], [2, start + 5, false]);
    ahead = 0;
    await service.publish(...many(2));
    assert.deepEqual(await replay(`since=${start + 3}&delay=70`), last);
  });

  it('the address in a gap frame has the delay, so that it does not lead to events that are not due', async () => {
    ahead = 0;
    await service.publish(...many(600));
    ahead = 71_000;
    const stream = await sse(`delay=70&sport=football&last_event_id=${start}`);
    const text = await stream.until('stream.gap');
    const gap = JSON.parse(/event: stream.gap\ndata: (.*)/.exec(text)![1]!);
    assert.deepEqual(
      [...new URL(gap.replay).searchParams],
      [
        ['since', String(start + 500)],
        ['sport', 'football'],
        ['delay', '70'],
      ],
    );
  });
});
