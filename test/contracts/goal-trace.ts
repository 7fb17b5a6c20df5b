/**
 * Follows the trace of a goal, from a provider's request to the stream and a webhook. It is the same on each event log.
 */
import assert from 'node:assert/strict';
import { createKey } from '../support/accounts.ts';
import type { TestDatabase } from '../support/database.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { liveMatches } from '../support/live-matches.ts';
import { type CollectedSpan, type Collector, startCollector, traceTree } from '../support/otlp-collector.ts';
import { killAll, type Pod, type PodRole, podEnv, startPod } from '../support/pods.ts';
import { run } from '../support/process.ts';
import { openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE_MS = 20_000;
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PROVIDER_SPAN = 'b7ad6b7169203331';

export interface TracedStores {
  db: TestDatabase;
  env: Record<string, string>;
  /** The roles to start, in one process each. */
  roles: readonly PodRole[];
  /** Name of the span that moves an event into the log. */
  send: string;
}

/**
 * Defines the tests.
 * @param open opens the stores; called once
 */
export function goalTrace(open: () => Promise<TracedStores>): void {
  let stores: TracedStores;
  let collector: Collector;
  let receiver: Receiver;
  let env: Record<string, string>;
  let key: string;
  const pods = new Map<PodRole, Pod>();
  const pod = (role: PodRole) => pods.get(role) ?? pods.get('all')!;

  before(async () => {
    stores = await open();
    collector = await startCollector();
    receiver = await startReceiver();
    env = {
      ...podEnv(stores.db.url, stores.env),
      WEBHOOK_ALLOW: 'http://127.0.0.1:*',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=tests',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
    ({ key } = await createKey(stores.db.pool, { now: () => Date.now() }, { email: 'a@example.com', plan: 'pro' }));
    const account = ['--account', 'a@example.com', '--url', receiver.url, '--event-types', 'match.goal'];
    const made = await run(['webhook', 'create', ...account], { env });
    assert.equal(made.code, 0, made.err);
    await stores.db.pool.query('UPDATE webhook_subscription SET unconfirmed_since = NULL');
    for (const role of stores.roles) pods.set(role, await startPod(role, env));
  });
  after(async () => {
    await killAll(pods.values());
    await receiver?.close();
    await collector?.close();
  });

  const provider = 'tracer';
  let goals = 0;
  /** Sends the match's state with one more goal. */
  async function score(headers: Record<string, string>, token = FEED_TOKEN): Promise<number> {
    const [update] = liveMatches(provider, 1, goals);
    const incidents = Array.from({ length: goals }, (_, goal) => ({
      id: `g${goal}`,
      kind: 'goal',
      side: 'home',
      minute: goal + 1,
    }));
    const reply = await fetch(`${pod('ingest').url}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify([{ ...update!, match: { ...update!.match, incidents } }]),
    });
    return reply.status;
  }
  const collected = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
  const named = (spans: readonly CollectedSpan[], name: string) => spans.filter((span) => span.name === name);

  it('is one tree, in which webhook attempts are siblings', async function () {
    this.timeout(60_000);
    await score({});
    const stream = await openStream(`${pod('stream').url}/v1/stream?key=${key}`);
    try {
      let attempts = 0;
      receiver.answer = (request, response) => {
        if (request.type === 'match.goal') attempts += 1;
        response.writeHead(attempts === 1 ? 500 : 200).end();
      };
      goals = 1;
      assert.equal(await score({ traceparent: `00-${TRACE_ID}-${PROVIDER_SPAN}-01` }), 200);
      await stream.until('match.goal');
      const wanted = ['POST', 'POST', 'POST /feed/v1/updates', 'apply match', stores.send, 'stream write'];
      await until(
        'all spans of the goal have come',
        () => collected(TRACE_ID).length >= wanted.length,
        PATIENCE_MS,
      ).catch((error) => assert.fail(`${error.message}: ${traceTree(collected(TRACE_ID))}`));
      const spans = collected(TRACE_ID);
      assert.deepEqual(spans.map(({ name }) => name).sort(), wanted, traceTree(spans));
      const one = (name: string) => named(spans, name)[0]!;
      const request = one('POST /feed/v1/updates');
      const apply = one('apply match');
      const send = one(stores.send);
      assert.equal(request.parentId, PROVIDER_SPAN);
      assert.equal(apply.parentId, request.spanId);
      assert.equal(send.parentId, apply.spanId);
      assert.equal(one('stream write').parentId, send.spanId);
      const tries = named(spans, 'POST');
      assert.deepEqual(
        tries.map(({ parentId }) => parentId),
        [send.spanId, send.spanId],
      );
      assert.deepEqual(tries.map(({ attributes }) => attributes['touchline.attempt']).sort(), [1, 2]);
      assert.deepEqual(spans.map(({ name, kind }) => `${name}: ${kind}`).sort(), [
        'POST /feed/v1/updates: server',
        'POST: client',
        'POST: client',
        'apply match: internal',
        `${stores.send}: producer`,
        'stream write: consumer',
      ]);
      const sent = receiver.received.filter(({ type }) => type === 'match.goal');
      assert.deepEqual(
        sent.map(({ headers }) => headers.traceparent).sort(),
        tries.map(({ spanId }) => `00-${TRACE_ID}-${spanId}-01`).sort(),
      );
      assert.ok(!stream.text().includes('traceparent') && !stream.text().includes(TRACE_ID));
      assert.ok(sent.every(({ body }) => !body.includes(TRACE_ID)));
    } finally {
      stream.close();
    }
  });

  it('names its spans by the conventions, and has the status, the route and the process', async () => {
    const spans = collected(TRACE_ID);
    const { attributes, resource } = named(spans, 'POST /feed/v1/updates')[0]!;
    assert.equal(attributes['http.request.method'], 'POST');
    assert.equal(attributes['http.route'], '/feed/v1/updates');
    assert.equal(attributes['http.response.status_code'], 200);
    assert.equal(resource['service.name'], stores.roles.includes('all') ? 'touchline' : 'touchline-ingest');
    assert.equal(resource['deployment.environment.name'], 'tests');
    const [failed] = named(spans, 'POST').filter(({ isError }) => isError);
    assert.equal(failed!.attributes['http.response.status_code'], 500);
    assert.equal(failed!.attributes['server.port'], receiver.port);
    assert.equal(failed!.attributes['url.full'], `${new URL(receiver.url).origin}/REDACTED`);
    assert.equal(named(spans, 'stream write')[0]!.attributes['touchline.connections'], 1);
    assert.ok(collector.requests.every((headers) => headers['x-tenant'] === 'tests'));
  });

  it('names the request’s span in the request’s log line', () => {
    const lines = pod('ingest')
      .started.errors()
      .split('\n')
      .filter((line) => line.includes('/feed/v1/updates'))
      .map((line) => JSON.parse(line) as { trace_id?: string; span_id?: string });
    const request = named(collected(TRACE_ID), 'POST /feed/v1/updates')[0]!;
    assert.ok(lines.some(({ trace_id, span_id }) => trace_id === TRACE_ID && span_id === request.spanId));
    assert.ok(lines.every(({ trace_id }) => trace_id !== undefined));
  });

  it('does not exist if the sampler leaves it out', async () => {
    const traceId = TRACE_ID.replace('0af', '1af');
    goals += 1;
    const before = collector.spans.length;
    await score({ traceparent: `00-${traceId}-${PROVIDER_SPAN}-00` });
    await until(
      'the goal is sent',
      () => receiver.received.filter(({ type }) => type === 'match.goal').length === 3,
      PATIENCE_MS,
    );
    assert.equal(receiver.received.at(-1)!.headers.traceparent, undefined);
    // Sends a further goal. When its trace is complete, the earlier one would be complete too.
    goals += 1;
    await score({});
    await until(
      'the next goal is traced',
      () => named(collector.spans.slice(before), 'POST').length === 1,
      PATIENCE_MS,
    );
    assert.deepEqual(collected(traceId), []);
  });

  it('only links to the span of a sender who has no feed token or is no provider', async () => {
    const traceId = TRACE_ID.replace('0af', '2af');
    const traceparent = `00-${traceId}-${PROVIDER_SPAN}-01`;
    assert.equal(await score({ traceparent }, 'a-wrong-token-of-somebody'), 401);
    assert.equal(await score({ traceparent }, 'ft_live_a-wrong-token-of-somebody'), 401);
    await fetch(`${pod('stream').url}/v1/stream?key=wrong`, { headers: { traceparent } });
    const linked = () => collector.spans.filter(({ links }) => links.includes(PROVIDER_SPAN));
    await until('three spans have come', () => linked().length === 3, PATIENCE_MS);
    assert.ok(linked().every(({ parentId, traceId: own }) => parentId === '' && own !== traceId));
    assert.deepEqual(collected(traceId), []);
  });

  it('ignores a malformed traceparent', async () => {
    const bad = [
      'x',
      `00-${'0'.repeat(32)}-${PROVIDER_SPAN}-01`,
      `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
      `ff-${TRACE_ID}-${PROVIDER_SPAN}-01`,
      `00-${TRACE_ID.toUpperCase()}-${PROVIDER_SPAN}-01`,
      `00-${TRACE_ID}-${PROVIDER_SPAN}-01-${'x'.repeat(5_000)}`,
    ];
    const before = collector.spans.length;
    for (const traceparent of bad) assert.equal(await score({ traceparent }), 200);
    const requests = () => named(collector.spans.slice(before), 'POST /feed/v1/updates');
    await until('their spans have come', () => requests().length === bad.length, PATIENCE_MS);
    assert.ok(
      requests().every(({ parentId, links, traceId }) => parentId === '' && links.length === 0 && traceId !== TRACE_ID),
    );
  });

  it('includes the last spans, which are sent when the processes stop', async function () {
    this.timeout(60_000);
    await Promise.all([...pods.values()].map((one) => one.stop()));
    pods.clear();
    const slow = { ...env, OTEL_BSP_SCHEDULE_DELAY: '60000' };
    const role = stores.roles.includes('all') ? 'all' : 'ingest';
    pods.set(role, await startPod(role, slow));
    const before = collector.spans.length;
    assert.equal(await score({}), 200);
    assert.equal(collector.spans.length, before);
    await pod('ingest').stop();
    assert.equal(named(collector.spans.slice(before), 'POST /feed/v1/updates').length, 1);
  });
}
