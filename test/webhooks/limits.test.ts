import assert from 'node:assert/strict';
import { pino } from 'pino';
import { verifyWebhook, webhookReply } from '../../src/client/webhook.ts';
import { openPostgresLog, type PostgresLog } from '../../src/events/postgres-log.ts';
import { createBuckets } from '../../src/http/token-buckets.ts';
import { routes } from '../../src/webhooks/api/routes.ts';
import type { WebhookDeps } from '../../src/webhooks/deps.ts';
import { openSender, type Sender } from '../../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../../src/webhooks/destinations/connections.ts';
import type { WebhookPolicy } from '../../src/webhooks/subscriptions/operator-limits.ts';
import { BUILT_IN_PLANS, createKey } from '../support/accounts.ts';
import { startApp, type TestApp, testConfig } from '../support/http.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { DEFAULT_POLICY } from '../support/webhook-policy.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATH = '/v1/account/webhooks';
const PATIENCE = 20_000;
const HOUR = 3_600_000;

// biome-ignore lint/suspicious/noExplicitAny: each test checks what it reads
type Json = any;

describe('webhook bounds', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  let log: PostgresLog;
  let sender: Sender;
  let app: TestApp;
  let second: string;
  const policy: WebhookPolicy = { ...DEFAULT_POLICY };

  beforeEach(async () => {
    Object.assign(policy, DEFAULT_POLICY);
    fixture = await createWebhookFixture(policy);
    receiver = await startReceiver();
    const { clock, guard } = fixture.deps;
    const { pool } = fixture.db;
    log = openPostgresLog(pool);
    sender = openSender({ guard });
    const logger = pino({ level: 'silent' });
    const hostBuckets = createBuckets(() => clock.now());
    const destinations = openDestinations({ guard, sender });
    const webhooks = { guard, policy, plans: BUILT_IN_PLANS, sender, destinations, hostBuckets };
    app = await startApp(routes, {
      config: { ...testConfig, secretKeys: fixture.deps.secretKeys },
      clock,
      pool,
      ...webhooks,
      log,
      logger,
    } as unknown as WebhookDeps);
    second = (await createKey(pool, clock, { email: 'second@example.com', plan: 'pro' })).key;
  });
  afterEach(async () => {
    await app.close();
    sender.close();
    await log.close();
    await fixture.close();
    await receiver.close();
  });

  const post = (path: string, body?: unknown, key?: string) =>
    app.ask<Json>(`${PATH}${path}`, { method: 'POST', ...(body !== undefined && { body }), ...(key && { key }) });
  const create = async (path = '', key?: string): Promise<Json> => {
    const { status, json, text } = await post('', { url: receiver.url + path }, key);
    assert.equal(status, 201, text);
    return json;
  };
  /** Requests a replay for one subscription after another, and resolves with the results. */
  const replays = async (ids: readonly number[], key?: string) => {
    const outcomes: number[] = [];
    for (const id of ids) outcomes.push((await post(`/${id}/replay`, { cursor: 0 }, key)).status);
    return outcomes;
  };

  it('allow at most 200 posts in a second for 100 subscriptions to one URL and 400 replays', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 100; n += 1) ids.push((await create()).id);
    const dispatcher = await fixture.dispatch();
    await until('all are leased', () => dispatcher.held() === 100, PATIENCE);
    await fixture.publish({}, {}, {}, {});
    await until('they are in the log', async () => (await fixture.read(ids[0]!)).lag === 4, PATIENCE);
    for (let second = 1; second <= 2; second += 1) {
      await dispatcher.settled();
      assert.equal(receiver.events().length, 200 * second);
      fixture.clock.advance(1_000);
    }
    const outcomes = await replays([...ids, ...ids, ...ids, ...ids]);
    const begun = outcomes.filter((status) => status === 200).length;
    assert.ok(begun >= 5 && begun <= 20, `${begun} replays`);
    assert.deepEqual(
      [...new Set(outcomes)].filter((status) => ![200, 409, 429].includes(status)),
      [],
    );
    await until('all replays are sent', () => receiver.events().length === 400 + 4 * begun, PATIENCE);
  });

  it('allow each account to begin 20 replays an hour, with 5 sent at the same time', async () => {
    await fixture.publish({});
    await until('it is in the log', async () => (await log.range()).head > 0, PATIENCE);
    const { id } = await create();
    const replayed = async () => {
      const { status, json, headers } = await post(`/${id}/replay`, { cursor: 0 });
      // Moves the position, as if all events had been sent by now.
      await fixture.db.pool.query('UPDATE webhook_subscription SET position = replay_to WHERE id = $1', [id]);
      return { status, json, retryAfter: headers.get('retry-after') };
    };
    for (let n = 0; n < 20; n += 1) {
      assert.equal((await replayed()).status, 200);
      fixture.clock.advance(60_000);
    }
    const refused = await replayed();
    assert.deepEqual([refused.status, refused.json.code, refused.retryAfter], [429, 'rate_limited', '2400']);
    assert.match(refused.json.detail, /At most 20 replays of an account can begin within an hour/);
    // Enabling a subscription with a cursor counts as a replay too.
    assert.equal((await post(`/${id}/enable`, { cursor: 0 })).status, 429);
    assert.equal((await post(`/${id}/enable`, {})).status, 200);
    fixture.clock.advance(HOUR - 20 * 60_000);
    assert.equal((await replayed()).status, 200);

    const others = [await create('', second), await create('', second)].map((one) => one.id as number);
    policy.replaysAtOnce = 1;
    assert.deepEqual(await replays(others, second), [200, 409]);
    const { json } = await post(`/${others[1]}/replay`, { cursor: 0 }, second);
    assert.match(json.detail, /At most 1 replays of an account can be sent at the same time/);
  });

  it('allow a host a fixed number of subscriptions, over all accounts', async () => {
    assert.deepEqual([DEFAULT_POLICY.accountSubscriptions, DEFAULT_POLICY.hostSubscriptions], [100, 500]);
    policy.hostSubscriptions = 2;
    const { id } = await create();
    await create('', second);
    const refused = await post('', { url: receiver.url }, second);
    assert.deepEqual([refused.status, refused.json.code], [409, 'conflict']);
    assert.match(
      refused.json.detail,
      /All accounts together may have at most 2 webhook subscriptions to 127\.0\.0\.1\./,
    );
    const elsewhere = await post('', { url: 'http://127.0.0.2:9/' }, second);
    assert.equal(elsewhere.status, 201);
    const moved = { method: 'PATCH', key: second, body: { url: receiver.url } };
    assert.equal((await app.ask(`${PATH}/${elsewhere.json.id}`, moved)).status, 409);
    const within = { method: 'PATCH', body: { url: `${receiver.url}/other` } };
    assert.equal((await app.ask(`${PATH}/${id}`, within)).status, 200);
    policy.hostFactors = new Map([['127.0.0.1', 2]]);
    await create('', second);
    // The limit also holds for concurrent requests.
    const answers = await Promise.all(Array.from({ length: 6 }, () => post('', { url: receiver.url }, second)));
    assert.deepEqual(answers.filter(({ status }) => status === 201).length, 1);
  });

  it('allow no test event to an unconfirmed URL, and a reply that repeats a requested challenge confirms the URL', async () => {
    policy.handshake = 'always';
    const { id, secret, state, unconfirmed } = await create();
    assert.equal(state, 'unconfirmed');
    assert.deepEqual(unconfirmed, {
      since: '2026-03-01T12:00:00Z',
      challenges: 0,
      challenged_at: null,
      failure: null,
    });
    const test = await post(`/${id}/test`);
    assert.deepEqual([test.status, test.json.code], [409, 'conflict']);
    assert.equal(receiver.received.length, 0);
    receiver.answer = (_request, response) => response.writeHead(500).end('down');
    const failed = await post(`/${id}/confirm`);
    assert.deepEqual([failed.status, failed.json.delivered, failed.json.failure], [200, false, 'status 500']);
    const shown = (await app.ask<Json>(`${PATH}/${id}`)).json;
    assert.deepEqual([shown.state, shown.unconfirmed.challenges], ['unconfirmed', 1]);
    assert.equal(shown.unconfirmed.failure, 'status 500');
    receiver.answer = ({ headers, body }, response) =>
      response.end(webhookReply(verifyWebhook(headers, body, secret, { now: fixture.clock.now() })));
    assert.equal((await post(`/${id}/confirm`)).json.delivered, true);
    const confirmed = (await app.ask<Json>(`${PATH}/${id}`)).json;
    assert.deepEqual([confirmed.state, confirmed.unconfirmed], ['active', null]);
    assert.equal((await post(`/${id}/test`)).json.delivered, true);
    // A challenge to a subscription that is already confirmed changes nothing.
    receiver.answer = (_request, response) => response.end();
    assert.equal((await post(`/${id}/confirm`)).json.failure, 'the reply does not repeat the challenge');
    assert.equal((await app.ask<Json>(`${PATH}/${id}`)).json.state, 'active');
    const { rows } = await fixture.db.pool.query(
      'SELECT action, details FROM audit_entry WHERE target = $1 ORDER BY id',
      [`webhook ${id}`],
    );
    assert.deepEqual(rows.map(({ action, details }) => [action, details.delivered]).slice(1), [
      ['webhook.challenged', false],
      ['webhook.challenged', true],
      ['webhook.tested', true],
      ['webhook.challenged', false],
    ]);
  });

  it('allow 30 test events and challenges a minute to one host, whoever requests them', async () => {
    const [first, other] = [(await create()).id, (await create('', second)).id];
    const asked = async (id: number, key?: string) => (await post(`/${id}/test`, undefined, key)).status;
    // The requesting address has the same limit as the host. Only the last request shows which of the two limits applied.
    for (let n = 0; n < 30; n += 1) await asked(n % 2 === 0 ? first : other, n % 2 === 0 ? undefined : second);
    assert.equal(receiver.received.length, 30);
    const refused = await post(`/${first}/confirm`);
    assert.deepEqual([refused.status, refused.json.code], [429, 'rate_limited']);
    assert.match(refused.json.detail, /30 test events and challenges in 60 s to one host/);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  });
});
