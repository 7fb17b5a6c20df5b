import assert from 'node:assert/strict';
import { openMatchChanges } from '../../src/db/notices.ts';
import { routes } from '../../src/webhooks/api/routes.ts';
import type { WebhookDeps } from '../../src/webhooks/deps.ts';
import { envelope as schema } from '../../src/wire/envelope.ts';
import { MATCH_EVENT_TYPES, sampleEvent } from '../../src/wire/sample-event.ts';
import { createKey } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';
import { lastId, parseSse } from '../support/sse.ts';
import { type OpenStream, openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { type Client, openWebSocket } from '../support/websocket-client.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('sample events', () => {
  /** Two processes with streams, and one that takes requests, on the same database. */
  let one: Service;
  let two: Service;
  let api: TestApp;
  let changes: Awaited<ReturnType<typeof openMatchChanges>>;
  let streams: OpenStream[] = [];
  let sockets: Client[] = [];
  before(async () => {
    one = await startService();
    two = await startService({ db: one.db });
    changes = await openMatchChanges(one.db.url, { warn: () => {} });
    const { config, clock, pool } = one.deps;
    api = await startApp(routes, { config, clock, pool, changes, logger: one.deps.logger } as unknown as WebhookDeps);
  });
  after(async () => {
    await api.close();
    await changes.close();
    await two.close();
    await one.close();
  });
  afterEach(async () => {
    for (const stream of streams) stream.close();
    for (const socket of sockets) socket.cut();
    streams = [];
    sockets = [];
    for (const { deps } of [one, two]) await until('all streams are closed', () => deps.admission.held() === 0);
  });

  const trigger = (body: unknown, key?: string | null) =>
    api.ask<{ id: string }>('/v1/account/trigger', { method: 'POST', body, ...(key !== undefined && { key }) });
  async function open(on: Service, query = '', key = api.key): Promise<OpenStream> {
    const stream = await openStream(`${on.app.url}/v1/stream?${query}`, { 'X-API-Key': key });
    streams.push(stream);
    await stream.until(': connected');
    return stream;
  }
  async function openSocket(on: Service, query: string): Promise<Client> {
    const socket = openWebSocket(`${on.app.url}/v1/stream/ws?key=${api.key}&${query}`);
    sockets.push(socket);
    await socket.next('connected');
    return socket;
  }
  const samplesIn = (stream: OpenStream) =>
    parseSse(stream.text()).filter(({ data }) => data?.includes('"sample":true'));

  it('reach the open streams of the account, on every process and over both protocols, and no other account', async () => {
    const { pool } = one.db;
    const stranger = await createKey(pool, one.clock, { email: 'stranger@example.com', plan: 'pro' });
    const visitors = await createKey(pool, one.clock, { email: 'tests@example.com', plan: 'pro', kind: 'pk' });
    const sse = await open(one);
    const ws = await openSocket(two, '');
    const others = [
      await open(one, '', stranger.key),
      await open(two, '', stranger.key),
      await open(two, '', visitors.key),
    ];
    const { status, json } = await trigger({ event_type: 'match.goal' });
    assert.equal(status, 200);
    await sse.until(json.id);
    const { cursor, ...event } = await ws.next('match.goal');
    const [{ event: type, data = '' } = {}] = samplesIn(sse);
    assert.equal(type, 'match.goal');
    assert.deepEqual(JSON.parse(data), event);
    assert.equal(cursor, two.deps.hub.head());
    assert.equal(schema.parse(event).data.sample, true);
    // A later event of the log shows that the sample would have come before.
    const [real] = await one.publish({});
    for (const stream of others) await stream.until(real!);
    for (const stream of others) assert.doesNotMatch(stream.text(), /sample/);
  });

  it('pass the filter of a stream as events do', async () => {
    const [cards, tennis, league, late, early] = [
      await open(one, 'event_type=match.card'),
      await open(one, 'sport=tennis'),
      await open(two, 'league=7'),
      await open(two, 'where=data.match.minute>=80'),
      await open(two, 'where=data.match.minute<=79'),
    ];
    await trigger({ event_type: 'match.goal' });
    await trigger({ event_type: 'match.card', sport: 'tennis', tournament: 7 });
    const [real] = await one.publish({ type: 'match.card', sport: 'tennis', tournament: 7 });
    for (const stream of [cards, tennis, league]) await stream.until(real!);
    await until('the last one has come', () => samplesIn(late!).length === 2);
    const types = (stream: OpenStream) => samplesIn(stream).map(({ event }) => event);
    assert.deepEqual(types(cards!), ['match.card']);
    assert.deepEqual(types(tennis!), ['match.card']);
    assert.deepEqual(types(league!), ['match.card']);
    assert.deepEqual(types(late!), ['match.goal', 'match.card']);
    assert.deepEqual(types(early!), []);
  });

  it('have the position of the stream, so that a client that resumes after one misses and repeats nothing', async () => {
    await one.publish({});
    const stream = await open(one);
    await trigger({ event_type: 'match.card' });
    await stream.until('"sample":true');
    const position = lastId(stream.frames());
    assert.equal(Number(position), one.deps.hub.head());
    stream.close();
    const [next] = await one.publish({});
    const resumed = await openStream(`${one.app.url}/v1/stream`, {
      'X-API-Key': api.key,
      'Last-Event-ID': String(position),
    });
    streams.push(resumed);
    await resumed.until(next!);
    assert.deepEqual(
      parseSse(resumed.text()).flatMap(({ data }) => (data === undefined ? [] : [data])),
      [next],
    );
  });

  it('are refused without a secret key, for an unknown type or sport, and above 30 a minute', async () => {
    const visitors = await createKey(one.db.pool, one.clock, { email: 'tests@example.com', plan: 'pro', kind: 'pk' });
    const refused = async (body: unknown, key?: string | null) => {
      const { status, json } = await trigger(body, key);
      return [status, (json as unknown as { errors?: { parameter: string }[] }).errors?.[0]?.parameter];
    };
    assert.deepEqual(await refused({ event_type: 'match.goal' }, null), [401, undefined]);
    assert.deepEqual(await refused({ event_type: 'match.goal' }, visitors.key), [403, undefined]);
    for (const type of ['match.*', 'webhook.test', 'match.gaol', '', null])
      assert.deepEqual(await refused({ event_type: type }), [422, 'event_type'], String(type));
    assert.deepEqual(await refused({ event_type: 'match.goal', sport: 'chess\n' }), [422, 'sport']);
    for (const tournament of [0, -1, 1.5, 1e300])
      assert.deepEqual(await refused({ event_type: 'match.goal', tournament }), [422, 'tournament']);
    let limited = 0;
    for (let n = 0; n < 40; n += 1) if ((await trigger({ event_type: 'match.goal' })).status === 429) limited += 1;
    assert.ok(limited >= 10 && limited < 40, String(limited));
  });

  it('that another release publishes in another form are ignored', async () => {
    const stream = await open(one);
    const { rows } = await one.db.pool.query("SELECT id FROM account WHERE email = 'tests@example.com'");
    for (const text of ['', 'null', '{"type":"match.goal"}', '{', '[]']) changes.publishSample(rows[0].id, text);
    changes.publishSample(rows[0].id, JSON.stringify(sampleEvent({ type: 'match.goal' }, 'evt_0_9', NOW)));
    await stream.until('evt_0_9');
    assert.equal(samplesIn(stream).length, 1);
  });

  it('exist for each type, conform to the schema, and are short enough for a notice', () => {
    assert.equal(MATCH_EVENT_TYPES.length, 35);
    for (const type of MATCH_EVENT_TYPES) {
      const sample = sampleEvent({ type }, 'evt_0_9007199254740991', NOW);
      const event = JSON.parse(sample.envelope);
      assert.deepEqual(schema.parse(event), event, type);
      assert.deepEqual([event.id, event.type, event.data.sample], ['evt_0_9007199254740991', type, true]);
      assert.deepEqual([sample.sport, sample.tournamentId], [event.data.match.sport, event.data.match.tournament_id]);
      assert.ok(Buffer.byteLength(JSON.stringify(sample)) < 4_000, type);
    }
    assert.equal(sampleEvent({ type: 'match.wicket' }, 'evt_0_1', NOW).sport, 'cricket');
    const { data } = JSON.parse(sampleEvent({ type: 'match.incident_deleted' }, 'evt_0_1', NOW).envelope);
    assert.deepEqual([data.incident.action, data.previous.kind], ['delete', 'goal']);
  });
});
