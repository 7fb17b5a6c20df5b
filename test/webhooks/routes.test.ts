import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { openPostgresLog, type PostgresLog } from '../../src/events/postgres-log.ts';
import { createBuckets } from '../../src/http/token-buckets.ts';
import { routes } from '../../src/webhooks/api/routes.ts';
import type { WebhookDeps } from '../../src/webhooks/deps.ts';
import { openSender, type Sender } from '../../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../../src/webhooks/destinations/connections.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { createKey } from '../support/accounts.ts';
import { type Answer, type ProblemReply, startApp, type TestApp, testConfig } from '../support/http.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, resourceOf, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATH = '/v1/account/webhooks';
const DAY = 24 * 3_600_000;
const PATIENCE = 20_000;

interface Item {
  id: number;
  url: string;
  state: string;
  paused: boolean;
  cursor: number;
  lag: number;
  pending: number;
  secret?: string;
  metadata: Record<string, string>;
  disabled: { code: string; reason: string; cursor: number } | null;
  managed: { namespace: string; name: string } | null;
  [member: string]: unknown;
}
interface DeliveryItem {
  id: string;
  state: string;
  event_type: string;
  body: string | null;
  log: { status: number; reply: string | null }[];
}

describe('webhooks over REST', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  let log: PostgresLog;
  let sender: Sender;
  let app: TestApp;
  let stranger: string;
  /** Lines that the service logs. */
  const lines: string[] = [];

  before(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
    const { clock, guard, policy, plans } = fixture.deps;
    const hostBuckets = createBuckets(() => clock.now());
    const { pool } = fixture.db;
    log = openPostgresLog(fixture.db.pool);
    sender = openSender({ guard });
    const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const destinations = openDestinations({ guard, sender });
    const webhooks = { guard, policy, plans, sender, destinations, hostBuckets };
    const deps = {
      config: { ...testConfig, secretKeys: fixture.deps.secretKeys },
      clock,
      pool,
      ...webhooks,
      log,
      logger,
    } as unknown as WebhookDeps;
    app = await startApp(routes, deps);
    stranger = (await createKey(fixture.db.pool, clock, { email: 'stranger@example.com', plan: 'pro' })).key;
  });
  after(async () => {
    await app.close();
    sender.close();
    await log.close();
    await fixture.close();
    await receiver.close();
  });
  beforeEach(() => {
    receiver.answer = (_request, response) => response.end('thanks');
    receiver.received.length = 0;
  });

  const send = <T = Item>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.ask<T>(`${PATH}${path}`, { method, headers, ...(body !== undefined && { body }) });
  const post = <T = Item>(path: string, body?: unknown, headers?: Record<string, string>) =>
    send<T>('POST', path, body, headers);
  const get = <T = Item>(path: string) => send<T>('GET', path);
  const create = async (over: Record<string, unknown> = {}): Promise<Item> => {
    const { status, json, text } = await post('', { url: receiver.url, ...over });
    assert.equal(status, 201, text);
    return json;
  };
  const refused = ({ status, json }: Answer<unknown>) => {
    const { code, errors } = json as ProblemReply;
    return [status, code, ...(errors ?? []).map(({ parameter }) => parameter)];
  };
  const actions = async (id: number) =>
    (
      await fixture.db.pool.query(
        'SELECT action, actor, address, details FROM audit_entry WHERE target = $1 ORDER BY id',
        [`webhook ${id}`],
      )
    ).rows;
  /** Polls slowly, because an account's requests about itself are limited and the test clock does not advance. */
  const untilShown = (what: string, holds: () => Promise<boolean>) =>
    until(
      what,
      async () => {
        await sleep(50);
        return holds();
      },
      PATIENCE,
    );
  const patch = (id: number, body: unknown) => send('PATCH', `/${id}`, body);

  it('a subscription is created with the given settings, and the secret is shown once', async () => {
    const settings = {
      url: `${receiver.url}?token=of-the-receiver`,
      description: 'Goals 🎾',
      metadata: { team: 'stadium', constructor: 'x' },
      event_types: ['match.*'],
      sports: ['football'],
      leagues: [7],
      match_ids: [1, 2],
      participant_ids: [3],
      conditions: ['data.match.minute >= 80', 'data.incident.kind in goal | card'],
      headers: [{ name: 'X-Team', value: 'stadium 1', secret: false }],
      ordering: 'match',
      max_per_second: 10_000,
      max_in_flight: 32,
      delay: 600,
      paused: true,
    };
    const made = await create(settings);
    assert.match(made.secret!, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...item } = made;
    assert.deepEqual({ ...item, ...settings }, item, 'as it was sent');
    assert.deepEqual([item.state, item.managed, item.disabled], ['paused', null, null]);
    assert.deepEqual((await get(`/${item.id}`)).json, item);
    const listed = await get<{ webhooks: Item[] }>('');
    assert.deepEqual(
      listed.json.webhooks.find(({ id }) => id === item.id),
      item,
    );
    const [created] = await actions(item.id);
    assert.equal(created.action, 'webhook.created');
    assert.match(created.actor, /^key \d+$/);
    assert.equal(created.address, '127.0.0.1');
    const rows = JSON.stringify((await fixture.db.pool.query('SELECT * FROM audit_entry')).rows);
    for (const hidden of [secret!.slice(6), 'of-the-receiver']) {
      assert.ok(!rows.includes(hidden) && !JSON.stringify(created).includes(hidden) && !lines.join().includes(hidden));
    }
    assert.ok(!listed.text.includes(secret!.slice(6)));
  });

  it('a repeated creation with the same Idempotency-Key makes one subscription, and does not show the secret again', async () => {
    const once = { 'Idempotency-Key': 'made-once' };
    const [one, two] = await Promise.all([
      post('', { url: receiver.url }, once),
      post('', { url: receiver.url }, once),
    ]);
    assert.deepEqual([one.status, two.status, one.json.id], [201, 201, two.json.id]);
    assert.equal([one, two].filter(({ json }) => json.secret !== undefined).length, 1);
    assert.equal([one, two].filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length, 1);
    assert.deepEqual(refused(await post('', { url: `${receiver.url}2` }, once)), [
      422,
      'invalid_parameter',
      'Idempotency-Key',
    ]);
    const { rows } = await fixture.db.pool.query('SELECT body FROM idempotent_request');
    const { secret } = [one, two].find(({ json }) => json.secret !== undefined)!.json;
    assert.ok(rows.length === 1 && !rows[0].body.includes(secret!.slice(6)));
    const rotated = { 'Idempotency-Key': 'rotated-once' };
    const first = await post(`/${one.json.id}/rotate`, undefined, rotated);
    const again = await post(`/${one.json.id}/rotate`, undefined, rotated);
    assert.ok(first.json.secret !== undefined && again.json.secret === undefined);
    assert.equal((await actions(one.json.id)).filter(({ action }) => action === 'webhook.rotated').length, 1);
  });

  it('unknown settings, and settings out of bounds, are refused by name', async () => {
    const { id } = await create();
    for (const field of [
      ...[
        'account_id',
        'accountId',
        'secret',
        'managed',
        'managed_by',
        'id',
        'state',
        'cursor',
        'position',
        'disabled',
      ],
      ...['dispatcher_group', 'dispatcherGroup', 'created_at', 'failures', 'plan', 'version', 'ended_at'],
    ]) {
      assert.deepEqual(refused(await post('', { url: receiver.url, [field]: 1 })), [422, 'invalid_parameter', field]);
      assert.deepEqual(refused(await patch(id, { [field]: 1 })), [422, 'invalid_parameter', field]);
    }
    const ids = Array.from({ length: 1_001 }, (_, index) => index + 1);
    const pairs = Object.fromEntries(ids.slice(0, 51).map((n) => [`k${n}`, '']));
    for (const [field, values] of [
      ['url', ['', 'nonsense', 'ftp://example.com/', 'https://10.0.0.1/', 'https://user:pw@example.com/', 7, null]],
      [
        'url',
        [
          'https://169.254.169.254/latest',
          'http://127.0.0.1.nip.io/',
          'https://[::1]/',
          `https://e.org/${'x'.repeat(2_100)}`,
        ],
      ],
      ['description', ['x'.repeat(501), 'a\0b', 5, null]],
      ['metadata', [pairs, [], 'x', null]],
      ['event_types', [['match.gaol'], ['*'], 'match.goal', [''], null]],
      ['sports', [['chess'], [1]]],
      ['leagues', [[0], ids.slice(0, 201), ['7'], [1.5]]],
      ['match_ids', [ids, [-1], [2 ** 53]]],
      ['participant_ids', [ids, [null]]],
      [
        'conditions',
        [
          ['data.match.minutes >= 1'],
          ['x'],
          [''],
          Array.from({ length: 11 }, () => 'data exists'),
          ['data.match.minute = x'],
          null,
        ],
      ],
      [
        'headers',
        [
          ...['host', 'Content-Length', 'webhook-id', 'X-Service-Signature', 'Connection', 'a b', 'ü', 'a:b'].map(
            (name) => [{ name, value: 'x' }],
          ),
          ...['a\r\nb: c', 'a\nb', ' a', 'a ', 'ü', 'a\0', '', 'x'.repeat(1_001), null].map((value) => [
            { name: 'x', value },
          ]),
          [{ name: 'x', value: null, secret: true }],
          [
            { name: 'x', value: '1' },
            { name: 'X', value: '2' },
          ],
          Array.from({ length: 21 }, (_, index) => ({ name: `x${index}`, value: 'x' })),
          [{ name: 'x', value: 'x', other: 1 }],
          {},
          null,
        ],
      ],
      ['ordering', ['league', '', 1, null]],
      ['max_per_second', [0, -1, 1.5, 10_001, 1e9, '5']],
      ['max_in_flight', [0, 33, 1e9, 'x']],
      ['delay', [-1, 601, 1.5, 1e9, '5', null, true]],
      ['paused', ['yes', 1, null]],
    ] as const) {
      for (const value of values) {
        const made = await post('', { url: receiver.url, [field]: value });
        assert.equal(made.status, 422, `${field} ${JSON.stringify(value)}`);
        const { errors } = made.json as unknown as ProblemReply;
        assert.equal(errors![0]!.parameter.split('.')[0], field);
        assert.equal((await patch(id, { [field]: value })).status, 422, `${field} ${JSON.stringify(value)}`);
      }
    }
    for (const metadata of [
      { '': 'x' },
      { ['k'.repeat(41)]: '' },
      { k: 'v'.repeat(501) },
      { k: 1 },
      { k: '\0' },
      { k: null },
    ])
      assert.equal((await patch(id, { metadata })).status, 422, JSON.stringify(metadata));
    assert.equal((await post('')).status, 415);
    assert.deepEqual((await get(`/${id}`)).json.metadata, {});
    // `__proto__` is an ordinary name here, and does not set an object's prototype.
    const raw = `{"metadata":{"__proto__":"x","toString":"y"}}`;
    const sent = await app.ask<Item>(`${PATH}/${id}`, {
      method: 'PATCH',
      body: raw,
      headers: { 'Content-Type': 'application/json' },
    });
    assert.ok([200, 422].includes(sent.status), sent.text);
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });

  it('a subscription has either a URL or a destination, whose settings are checked by name', async () => {
    const token = '123456:a-token-of-a-bot-of-the-tests';
    const chat = { kind: 'telegram', token, chat_id: '-1001', api: new URL(receiver.url).origin };
    const made = await post('', { destination: chat });
    assert.equal(made.status, 201, made.text);
    assert.ok(!made.text.includes(token));
    const { id, url, ordering, ...item } = made.json;
    const shown = (item as unknown as { destination: object }).destination;
    assert.deepEqual(shown, { ...chat, token: null, language: 'en' });
    assert.deepEqual([url, ordering], [`telegram://127.0.0.1:${new URL(receiver.url).port}/-1001`, 'match']);
    for (const [body, field] of [
      [{}, 'url'],
      [{ url: receiver.url, destination: chat }, 'destination'],
      [{ destination: null }, 'destination'],
      [{ destination: { ...chat, kind: 'fax' } }, 'destination'],
      [{ destination: { ...chat, token: null } }, 'destination'],
      [{ destination: { ...chat, token: 'x\ny' } }, 'destination'],
      [{ destination: { ...chat, extra: 1 } }, 'destination'],
      [{ destination: { ...chat, api: 'http://169.254.169.254' } }, 'destination'],
      [{ destination: { ...chat, api: 'https://api.telegram.org/a?b' } }, 'destination'],
      [{ destination: { kind: 'kafka', brokers: ['a'], topic: 'a' } }, 'destination'],
      [{ destination: { kind: 'kafka', brokers: ['127.0.0.1:70000'], topic: 'a' } }, 'destination'],
      [{ destination: { kind: 'kafka', brokers: ['[::1]:9093'], topic: 'a' } }, 'destination'],
      [{ destination: { kind: 'mqtt', broker: 'user@broker.example.com:8883' } }, 'destination'],
      [{ destination: { kind: 'mqtt', broker: '127.0.0.1:8883', prefix: 'a/#', tls: false } }, 'destination'],
      [{ destination: { kind: 'mqtt', broker: '127.0.0.1:8883', username: 'a', tls: false } }, 'destination'],
      [{ destination: { kind: 'slack', url: 'ftp://hooks.slack.com/' } }, 'destination'],
      [{ destination: chat, headers: [{ name: 'X-A', value: 'b' }] }, 'headers'],
    ] as const) {
      const { status, json, text } = await post<ProblemReply>('', body);
      assert.equal(status, 422, `${JSON.stringify(body)} ${text}`);
      assert.equal(json.errors![0]!.parameter.split('.')[0], field, JSON.stringify(body));
      assert.ok(!text.includes(token), text);
    }
    const changed = await patch(id, { destination: { ...chat, token: null, chat_id: '@results' } });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(refused(await patch(id, { destination: { ...chat, token: null, api: 'http://127.0.0.1:1' } })), [
      422,
      'invalid_parameter',
      'destination',
    ]);
    assert.deepEqual(refused(await patch(id, { url: receiver.url })), [422, 'invalid_parameter', 'url']);
    assert.equal((await post(`/${id}/confirm`)).status, 409);
    const { status, json } = await post<{ delivered: boolean }>(`/${id}/test`);
    assert.deepEqual([status, json.delivered], [200, true]);
    assert.equal(receiver.received.at(-1)!.path, `/bot${token}/sendMessage`);
    assert.equal((JSON.parse(receiver.received.at(-1)!.body) as { chat_id: string }).chat_id, '@results');
    assert.ok(!JSON.stringify(await actions(id)).includes(token));
    assert.deepEqual((await actions(id))[0].details, { destination: url });
  });

  it('the value of a secret header is sent, but never shown, and stays until another one is given', async () => {
    const first = { name: 'Authorization', value: 'Bearer of-the-receiver', secret: true };
    const made = await create({ headers: [first, { name: 'x-plain', value: 'seen' }] });
    const { id } = made;
    const shown = [
      { ...first, value: null },
      { name: 'x-plain', value: 'seen', secret: false },
    ];
    assert.deepEqual(made.headers, shown);
    const stored = JSON.stringify(
      (await fixture.db.pool.query('SELECT * FROM webhook_subscription WHERE id = $1', [id])).rows,
    );
    assert.ok(!stored.includes('of-the-receiver'));
    const sent = async () => {
      receiver.received.length = 0;
      assert.equal((await post<{ delivered: boolean }>(`/${id}/test`)).json.delivered, true);
      return receiver.received[0]!.headers;
    };
    assert.deepEqual([(await sent()).authorization, (await sent())['x-plain']], [first.value, 'seen']);
    assert.equal((await patch(id, { headers: [{ ...first, name: 'authorization', value: null }] })).status, 200);
    const headers = await sent();
    assert.deepEqual([headers.authorization, headers['x-plain']], [first.value, undefined]);
    assert.equal((await patch(id, { headers: [{ ...first, value: 'changed' }] })).status, 200);
    assert.equal((await sent()).authorization, 'changed');
    assert.equal((await patch(id, { headers: [] })).status, 200);
    assert.equal((await sent()).authorization, undefined);
    assert.deepEqual(refused(await patch(id, { headers: [{ ...first, value: null }] })), [
      422,
      'invalid_parameter',
      'headers',
    ]);
    const rows = JSON.stringify((await fixture.db.pool.query('SELECT * FROM audit_entry')).rows);
    assert.ok(!rows.includes('of-the-receiver') && !lines.join().includes('of-the-receiver'));
  });

  describe('stored events', () => {
    // An account of its own, because an account's requests about itself are limited.
    let key: string;
    before(async () => {
      const explorer = { email: 'explorer@example.com', plan: 'pro' };
      key = (await createKey(fixture.db.pool, fixture.clock, explorer)).key;
    });
    const ask = <T>(path: string, options: { method?: string; key?: string; body?: unknown } = {}) =>
      app.ask<T>(path, { key, ...options });
    const post = <T = Item>(path: string, body: unknown) => ask<T>(`${PATH}${path}`, { method: 'POST', body });

    it('can be used to try a filter before it is saved', async () => {
      await fixture.publish(
        { match: 81, type: 'match.goal' },
        { match: 82, type: 'match.card' },
        { match: 81, sport: 'tennis' },
      );
      const preview = (body: Record<string, unknown>) =>
        post<{ examined: number; passed: number; events: { id: string; passes: boolean }[] }>('/preview', body);
      await untilShown('they are in the log', async () => (await preview({ match_ids: [81, 82] })).json.passed === 3);
      const { json } = await preview({
        event_types: ['match.goal'],
        match_ids: [81, 82],
        conditions: ['data.match.sport = football'],
      });
      assert.ok(json.examined >= 3 && json.examined <= 100);
      assert.deepEqual(
        json.events.filter(({ passes }) => passes).map(({ id }) => id),
        ['evt_81_1'],
      );
      assert.equal(json.passed, 1);
      assert.deepEqual(refused(await preview({ conditions: ['data.match.minutes = 1'] })), [
        422,
        'invalid_parameter',
        'conditions',
      ]);
      assert.deepEqual(refused(await preview({ url: 'https://example.com/' })), [422, 'invalid_parameter', 'url']);
      await fixture.publish(...Array.from({ length: 150 }, () => ({ match: 83 })));
      await untilShown('a hundred are examined', async () => (await preview({ match_ids: [83] })).json.passed === 100);
      assert.equal((await preview({})).json.examined, 100);
    });

    it('can be searched, read with the subscriptions that got them, and sent again', async () => {
      const create = async (matches: number[]) => (await post('', { url: receiver.url, match_ids: matches })).json;
      const { id } = await create([91]);
      const other = await create([999]);
      const dispatcher = await fixture.dispatch();
      await fixture.publish(
        { match: 91 },
        { match: 92, type: 'match.card' },
        { match: 91, sport: 'tennis', tournament: 8 },
      );
      interface Found {
        events: { cursor: number; id: string }[];
        next_before: number | null;
      }
      const found = async (query: string) => (await ask<Found>(`/v1/account/stored-events?${query}`)).json;
      const idsOf = async (query: string) => (await found(query)).events.map((one) => one.id);
      await until(
        'both are delivered',
        async () => receiver.events().filter((one) => one.id.startsWith('evt_91_')).length === 2,
        PATIENCE,
      );
      assert.deepEqual(await idsOf('match_id=91'), ['evt_91_2', 'evt_91_1'], 'newest first');
      assert.deepEqual(await idsOf('match_id=91&sport=tennis'), ['evt_91_2']);
      assert.deepEqual(await idsOf('match_id=91&tournament=7'), ['evt_91_1']);
      assert.deepEqual(await idsOf('event_type=match.card&match_id=92'), ['evt_92_1']);
      assert.deepEqual(await idsOf('match_id=93'), []);
      assert.deepEqual(await idsOf(`since=${new Date(Date.now() + DAY).toISOString()}`), []);
      const all: string[] = [];
      for (let before: number | null = 2 ** 40; before !== null; ) {
        const page: Found = await found(`limit=50&before=${before}`);
        all.push(...page.events.map((one) => one.id));
        before = page.next_before;
      }
      assert.deepEqual(all.slice(0, 3), ['evt_91_2', 'evt_92_1', 'evt_91_1']);
      assert.equal(new Set(all).size, all.length, 'no event is on two pages');

      const { cursor } = (await found('match_id=91')).events[0]!;
      interface Stored {
        envelope: string;
        deliveries: { subscription_id: number; state: string; attempts: number; status: number }[];
      }
      const read = async () => (await ask<Stored>(`/v1/account/stored-event/${cursor}`)).json;
      await untilShown('the attempt is stored', async () => (await read()).deliveries.length === 1);
      const { rows } = await fixture.db.pool.query('SELECT envelope FROM event_log WHERE cursor = $1', [cursor]);
      const { envelope, deliveries } = await read();
      assert.equal(envelope, rows[0].envelope);
      assert.deepEqual(
        deliveries.map(({ subscription_id, state, attempts, status }) => [subscription_id, state, attempts, status]),
        [[id, 'delivered', 1, 200]],
      );
      // It does not pass the other subscription's filter, but its owner asks for it.
      receiver.received.length = 0;
      for (const target of [id, other.id]) {
        const sent = await post<{ delivery_id: string }>(`/${target}/send`, { cursor });
        assert.deepEqual([sent.status, sent.json.delivery_id], [200, `dlv_${target}_91_2`]);
      }
      const sentTo = (target: number) =>
        receiver.events().filter((one) => one.headers['x-service-delivery-id'] === `dlv_${target}_91_2`);
      await until('it comes twice', () => sentTo(id).length === 1 && sentTo(other.id).length === 1, PATIENCE);
      assert.deepEqual([sentTo(id)[0]!.body, sentTo(other.id)[0]!.body], [envelope, envelope]);
      await untilShown(
        'both have it',
        async () => (await read()).deliveries.map(({ state }) => state).join() === 'delivered,delivered',
      );
      assert.deepEqual(refused(await post(`/${id}/send`, { cursor: 2 ** 40 })), [404, 'not_found']);
      assert.deepEqual(refused(await ask(`/v1/account/stored-event/${2 ** 40}`)), [404, 'not_found']);
      assert.deepEqual(refused(await ask('/v1/account/stored-events?event_type=match.gaol')), [
        422,
        'invalid_parameter',
        'event_type',
      ]);
      await ask(`${PATH}/${other.id}`, { method: 'PATCH', body: { paused: true } });
      assert.deepEqual(refused(await post(`/${other.id}/send`, { cursor })), [409, 'conflict']);
      const theirs = await ask<Stored>(`/v1/account/stored-event/${cursor}`, { key: stranger });
      const shown = theirs.json.deliveries.map(({ subscription_id }) => subscription_id);
      assert.ok(!shown.includes(id) && !shown.includes(other.id), 'another account sees only its own subscriptions');
      await dispatcher.stop();
    });
  });

  it('another account’s subscription gets 404 on every route', async () => {
    const { id } = await create({ paused: true });
    await fixture.db.pool.query(
      `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, created_at, updated_at)
       VALUES ('dlv_' || $1::bigint || '_1_1', $1, 'evt_1_1', 'match.goal', '{}', 'failed', 7, now(), now())`,
      [id],
    );
    const before = (await fixture.db.pool.query('SELECT * FROM webhook_subscription WHERE id = $1', [id])).rows;
    let count = 0;
    for (const { method, path, exampleBody } of routes) {
      if (!path.includes('{id}')) continue;
      for (const other of [id, 999_999]) {
        const target = path.replace('{id}', String(other)).replace('{delivery_id}', `dlv_${other}_1_1`);
        const answer = await app.ask(target, { method, key: stranger, ...(exampleBody && { body: exampleBody }) });
        assert.deepEqual(refused(answer), [404, 'not_found'], `${method} ${path}: ${answer.text}`);
        assert.ok(!answer.text.includes(receiver.url));
        count += 1;
      }
    }
    assert.equal(count, 30);
    assert.deepEqual((await app.ask(PATH, { key: stranger })).json, { webhooks: [] });
    // Requests a delivery of a different account's subscription, through one of the stranger's subscriptions.
    const own = await app.ask<Item>(PATH, { method: 'POST', key: stranger, body: { url: receiver.url } });
    for (const [method, end] of [
      ['GET', ''],
      ['POST', '/retry'],
    ] as const) {
      const target = `${PATH}/${own.json.id}/deliveries/dlv_${id}_1_1${end}`;
      assert.deepEqual(refused(await app.ask(target, { method, key: stranger })), [404, 'not_found']);
    }
    const after = await fixture.db.pool.query('SELECT * FROM webhook_subscription WHERE id = $1', [id]);
    assert.deepEqual(after.rows, before);
    assert.equal(receiver.received.length, 0, 'nothing was sent');
    for (const [key, status] of [
      [null, 401],
      ['sk_live_wrong', 401],
    ] as const)
      assert.equal((await app.ask(PATH, { key })).status, status);
    const { key: publishable } = await createKey(fixture.db.pool, fixture.clock, {
      email: 'tests@example.com',
      kind: 'pk',
      plan: 'pro',
    });
    assert.deepEqual(refused(await app.ask(PATH, { key: publishable })), [403, 'key_not_permitted']);
  });

  it('a plan without webhooks cannot create or test subscriptions, but can change and delete existing ones', async () => {
    const email = 'downgraded@example.com';
    const { key } = await createKey(fixture.db.pool, fixture.clock, { email, plan: 'pro' });
    const made = await app.ask<Item>(PATH, { method: 'POST', key, body: { url: receiver.url } });
    await fixture.db.pool.query("UPDATE account SET plan = 'starter' WHERE email = $1", [email]);
    const asked = (method: string, path: string, body?: object) =>
      app.ask<Item>(`${PATH}${path}`, { method, key, ...(body && { body }) });
    assert.deepEqual(refused(await asked('POST', '', { url: receiver.url })), [402, 'plan_required']);
    assert.deepEqual(refused(await asked('POST', `/${made.json.id}/test`)), [402, 'plan_required']);
    assert.equal((await asked('GET', `/${made.json.id}`)).json.state, 'suspended');
    const retried = await asked('POST', `/${made.json.id}/deliveries/retry`, { since: '2026-03-01T00:00:00Z' });
    assert.deepEqual(refused(retried), [409, 'conflict']);
    assert.equal((await asked('PATCH', `/${made.json.id}`, { description: 'later' })).status, 200);
    assert.equal((await asked('DELETE', `/${made.json.id}`)).status, 204);
  });

  it('an account has at most 100 subscriptions, also under concurrent creation', async () => {
    const email = 'many@example.com';
    const { key } = await createKey(fixture.db.pool, fixture.clock, { email, plan: 'pro' });
    await fixture.db.pool.query(
      `INSERT INTO webhook_subscription (account_id, url, secret, created_at, position)
       SELECT a.id, 'https://example.com/', 'x', now(), 0 FROM account a, generate_series(1, 98) WHERE a.email = $1`,
      [email],
    );
    const body = { url: receiver.url };
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.ask(PATH, { method: 'POST', key, body })));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, 201, 409, 409, 409, 409]);
    assert.match(answers.find(({ status }) => status === 409)!.json.detail, /at most 100 .*Delete one/);
  });

  it('a change affects only the given fields, and the audit log names each pause, enabling, rotation and deletion', async () => {
    const { id, secret } = await create({ description: 'before', sports: ['football'] });
    assert.deepEqual((await patch(id, {})).status, 200);
    let item = (await patch(id, { description: 'after', match_ids: [5] })).json;
    assert.deepEqual([item.description, item.match_ids, item.sports], ['after', [5], ['football']]);
    item = (await patch(id, { paused: true })).json;
    assert.equal(item.state, 'paused');
    item = (await post(`/${id}/enable`, {})).json;
    assert.deepEqual([item.state, item.paused], ['active', false]);
    await patch(id, { paused: true });
    assert.equal((await patch(id, { paused: false })).json.state, 'active');
    await patch(id, { url: `${receiver.url}/other?token=secret` });
    const rotated = await post(`/${id}/rotate`);
    assert.equal(rotated.status, 201);
    assert.notEqual(rotated.json.secret, secret);
    assert.equal((await send('DELETE', `/${id}`)).status, 204);
    assert.equal((await send('DELETE', `/${id}`)).status, 404);
    assert.equal((await get(`/${id}`)).status, 404);
    const entries = await actions(id);
    assert.deepEqual(
      entries.map(({ action }) => action.replace('webhook.', '')),
      ['created', 'changed', 'paused', 'enabled', 'paused', 'enabled', 'changed', 'rotated', 'deleted'],
    );
    assert.deepEqual(entries[1].details, { fields: ['description', 'match_ids'] });
    assert.deepEqual(entries[6].details, { fields: ['url'], origin: new URL(receiver.url).origin });
  });

  it('a subscription of a custom resource can be read and used, but changed only in the cluster', async () => {
    const { id } = await createSubscription(fixture.deps, {
      account: 'tests@example.com',
      url: receiver.url,
      managedBy: resourceOf('sports', 'goals'),
    });
    const before = (await get(`/${id}`)).json;
    assert.deepEqual(before.managed, { namespace: 'sports', name: 'goals' });
    for (const answer of [
      await patch(id, { paused: true }),
      await send('DELETE', `/${id}`),
      await post(`/${id}/rotate`),
    ]) {
      assert.deepEqual(refused(answer), [409, 'conflict']);
      assert.match(
        (answer.json as unknown as ProblemReply).detail,
        /WebhookSubscription goals in the namespace sports/,
      );
    }
    assert.deepEqual((await get(`/${id}`)).json, before);
    assert.equal((await post<{ delivered: boolean }>(`/${id}/test`)).json.delivered, true);
    assert.equal((await post(`/${id}/enable`, {})).status, 200);
    assert.equal((await post(`/${id}/replay`, { cursor: 0 })).status, 200);
  });

  it('a test event is sent at once with a signature, and the reply contains the outcome', async () => {
    interface Tested {
      delivered: boolean;
      delivery_id: string;
      status: number | null;
      failure: string | null;
      cause: string | null;
      reply: string | null;
    }
    const { id, secret } = await create({ paused: true });
    const fine = await post<Tested>(`/${id}/test`);
    assert.deepEqual([fine.status, fine.json.delivered, fine.json.status, fine.json.reply], [200, true, 200, 'thanks']);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    assert.equal(verifyWebhook(headers, body, secret!, { now: fixture.clock.now() }).type, 'webhook.test');
    receiver.answer = (_request, response) => response.writeHead(500).end('<script>');
    const failed = (await post<Tested>(`/${id}/test`)).json;
    assert.deepEqual(
      [failed.delivered, failed.failure, failed.cause, failed.reply],
      [false, 'status 500', 'server_error', '<script>'],
    );
    const logged = (await get<DeliveryItem>(`/${id}/deliveries/${failed.delivery_id}`)).json;
    assert.deepEqual(
      [logged.state, logged.event_type, logged.body],
      ['failed', 'webhook.test', receiver.received[1]!.body],
    );
    assert.deepEqual(refused(await post(`/${id}/deliveries/${failed.delivery_id}/retry`)), [409, 'conflict']);
    // The address guard in the sending process applies, whatever URL is stored.
    await fixture.db.pool.query("UPDATE webhook_subscription SET url = 'https://10.0.0.1/' WHERE id = $1", [id]);
    const refusedAddress = (await post<Tested>(`/${id}/test`)).json;
    assert.deepEqual([refusedAddress.delivered, refusedAddress.status, refusedAddress.cause], [false, null, 'address']);
    const tested = (await actions(id)).filter(({ action }) => action === 'webhook.tested');
    assert.deepEqual(
      tested.map(({ details }) => details.delivered),
      [true, false, false],
    );
    let limited = 0;
    for (let n = 0; n < 40; n += 1) if ((await post(`/${id}/test`)).status === 429) limited += 1;
    assert.ok(limited > 5, 'not more than 30 a minute');
  });

  it('deliveries can be listed, read, retried and replayed', async () => {
    const { id } = await create();
    const dispatcher = await fixture.dispatch();
    receiver.answer = (_request, response) => response.writeHead(503).end('down');
    await fixture.publish({ match: 61 }, { match: 62 }, { match: 61, type: 'match.card' });
    const list = async (query = '') =>
      (await get<{ deliveries: DeliveryItem[]; next_cursor: string | null }>(`/${id}/deliveries${query}`)).json;
    await untilShown('their failures are logged', async () => (await list('?state=pending')).deliveries.length === 3);
    const pages = [await list('?limit=2')];
    pages.push(await list(`?limit=2&cursor=${pages[0]!.next_cursor}`));
    assert.deepEqual(pages.flatMap(({ deliveries }) => deliveries.map((one) => one.id)).sort(), [
      `dlv_${id}_61_1`,
      `dlv_${id}_61_2`,
      `dlv_${id}_62_1`,
    ]);
    assert.equal(pages[1]!.next_cursor, null);
    assert.deepEqual(
      (await list('?match_id=61&event_type=match.card')).deliveries.map((one) => one.id),
      [`dlv_${id}_61_2`],
    );
    assert.equal((await list(`?since=2026-03-01T12:00:00Z&until=2026-03-01T12:00:01Z`)).deliveries.length, 3);
    assert.equal((await list(`?since=2026-03-01T12:00:01Z`)).deliveries.length, 0);
    assert.deepEqual(refused(await get(`/${id}/deliveries?cursor=x`)), [422, 'invalid_cursor']);
    assert.deepEqual(refused(await get(`/${id}/deliveries?state=lost&limit=0`)), [
      422,
      'invalid_parameter',
      'state',
      'limit',
    ]);
    assert.deepEqual(refused(await get(`/${id}/deliveries/nonsense`)), [422, 'invalid_parameter', 'delivery_id']);
    assert.equal((await get(`/${id}/deliveries/retry`)).status, 405);
    // A match's later events have their own deliveries here, since the subscription has no order.
    const skipped = await post<DeliveryItem>(`/${id}/deliveries/dlv_${id}_61_2/skip`);
    assert.deepEqual([skipped.status, skipped.json.state], [200, 'failed']);
    assert.deepEqual(refused(await post(`/${id}/deliveries/dlv_${id}_61_2/skip`)), [409, 'conflict']);
    assert.deepEqual(refused(await post(`/${id}/deliveries/dlv_${id}_63_9/skip`)), [404, 'not_found']);
    receiver.answer = (_request, response) => response.end('up');
    const retried = await post<DeliveryItem>(`/${id}/deliveries/dlv_${id}_62_1/retry`);
    assert.deepEqual([retried.status, retried.json.state], [200, 'pending']);
    const read = async () => (await get<DeliveryItem>(`/${id}/deliveries/dlv_${id}_62_1`)).json;
    await untilShown('it is delivered', async () => (await read()).state === 'delivered');
    assert.deepEqual(
      (await read()).log.map(({ status, reply }) => [status, reply]),
      [
        [200, 'up'],
        [503, 'down'],
      ],
    );
    assert.deepEqual(refused(await post(`/${id}/deliveries/dlv_${id}_62_1/retry`)), [409, 'conflict']);
    await fixture.db.pool.query(
      "UPDATE webhook_delivery SET state = 'failed' WHERE subscription_id = $1 AND state = 'pending'",
      [id],
    );
    const all = await post<{ retried: number; has_more: boolean }>(`/${id}/deliveries/retry`, {
      since: '2026-03-01T12:00:00Z',
    });
    assert.deepEqual(all.json, { retried: 2, has_more: false });
    await untilShown('all are delivered', async () => (await list('?state=delivered')).deliveries.length === 3);
    await untilShown('it is saved', async () => (await get(`/${id}`)).json.lag === 0);
    receiver.received.length = 0;
    const { cursor } = (await get(`/${id}`)).json;
    assert.equal((await post(`/${id}/replay`, { cursor: cursor - 2 })).json.cursor, cursor - 2);
    await until('they come again', () => receiver.events().length === 2, PATIENCE);
    await dispatcher.stop();
    const noted = (await actions(id)).map(({ action }) => action);
    assert.deepEqual(
      noted,
      ['created', 'skipped', 'retried', 'retried', 'replayed'].map((name) => `webhook.${name}`),
    );
  });

  it('a disabled subscription gives the reason, and can be enabled from a cursor or a time that is still stored', async () => {
    const { id } = await create();
    const disable = () =>
      fixture.db.pool.query(
        "UPDATE webhook_subscription SET disabled_at = now(), disabled_reason = 'gone', last_failure = 'status 410', position = 1 WHERE id = $1",
        [id],
      );
    await disable();
    const { disabled, state } = (await get(`/${id}`)).json;
    assert.deepEqual([state, disabled!.code, disabled!.cursor], ['disabled', 'gone', 1]);
    assert.match(disabled!.reason, /answered 410/);
    assert.deepEqual(refused(await post(`/${id}/replay`, { cursor: 1 })), [409, 'conflict']);
    assert.deepEqual(refused(await post(`/${id}/deliveries/retry`, { since: '2026-03-01T00:00:00Z' })), [
      409,
      'conflict',
    ]);
    const at = (ms: number) => new Date(fixture.clock.now() + ms).toISOString();
    const old = await post(`/${id}/enable`, { since: at(-7 * DAY - 1_000) });
    assert.deepEqual(refused(old), [410, 'cursor_expired']);
    assert.equal(typeof (old.json as unknown as ProblemReply).oldest_cursor, 'number');
    assert.deepEqual(refused(await post(`/${id}/enable`, { since: at(60_000) })), [422, 'invalid_parameter', 'since']);
    assert.deepEqual(refused(await post(`/${id}/enable`, { since: at(0), cursor: 1 })), [
      422,
      'invalid_parameter',
      'since',
    ]);
    assert.deepEqual(refused(await post(`/${id}/enable`, { cursor: -1 })), [422, 'invalid_parameter', 'cursor']);
    assert.deepEqual(refused(await post(`/${id}/enable`, { from: 1 })), [422, 'invalid_parameter', 'from']);
    assert.deepEqual(refused(await post(`/${id}/replay`, {})), [422, 'invalid_parameter', 'cursor']);
    assert.equal((await get(`/${id}`)).json.state, 'disabled', 'nothing was changed');
    const enabled = await post(`/${id}/enable`, { cursor: disabled!.cursor });
    assert.deepEqual([enabled.json.state, enabled.json.cursor, enabled.json.disabled], ['active', 1, null]);
    await disable();
    assert.equal((await post(`/${id}/enable`, { since: at(-7 * DAY + 1_000) })).json.cursor, 0, 'all that is stored');
    await disable();
    const { head } = await log.range();
    assert.equal((await post(`/${id}/enable`, {})).json.cursor, head, 'new events only');
  });

  it('only a key with the scope account has the audit log sent somewhere, or changes where it is sent', async () => {
    const { clock } = fixture.deps;
    const narrow = await createKey(fixture.db.pool, clock, { email: 'tests@example.com', scopes: ['webhooks'] });
    const by = (key: string) => ({ 'X-API-Key': key });
    for (const types of [['account.changed'], ['match.goal', 'account.*']]) {
      const made = await post('', { url: receiver.url, event_types: types }, by(narrow.key));
      assert.deepEqual(refused(made), [403, 'role_not_permitted'], types.join());
    }
    const { id } = await create({ event_types: ['account.changed'] });
    const change = async (body: object, key?: string) =>
      (await send('PATCH', `/${id}`, body, key === undefined ? {} : by(key))).status;
    assert.equal(await change({ url: `${receiver.url}/mine` }, narrow.key), 403);
    assert.equal(await change({ description: 'mine' }, narrow.key), 403);
    assert.equal(await change({ paused: true }, narrow.key), 200);
    assert.equal(await change({ event_types: ['match.goal'] }, narrow.key), 200);
    assert.equal(await change({ event_types: ['account.*'] }, narrow.key), 403);
    assert.equal(await change({ event_types: ['account.*'] }), 200);
    await send('DELETE', `/${id}`);
  });
});
