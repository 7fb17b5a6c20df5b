import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pino } from 'pino';
import { readConfig } from '../../src/config/config.ts';
import { isTracing } from '../../src/runtime/tracing.ts';
import { startTracing } from '../../src/start-tracing.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { liveMatches } from '../support/live-matches.ts';
import { type Collector, startCollector } from '../support/otlp-collector.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 20_000;

describe('a process with a trace collector', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let collector: Collector;
  const pods: Pod[] = [];
  before(async () => {
    db = await createTestDatabase();
    collector = await startCollector();
  });
  afterEach(() => killAll(pods.splice(0)));
  after(async () => {
    await collector.close();
    await db.drop();
  });

  async function begin(env: Record<string, string>): Promise<Pod> {
    const pod = await startPod('ingest', { ...podEnv(db.url), OTEL_BSP_SCHEDULE_DELAY: '50', ...env });
    pods.push(pod);
    return pod;
  }
  let goals = 0;
  async function feed({ url }: Pod): Promise<void> {
    goals += 1;
    const reply = await fetch(`${url}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(liveMatches('traced', 1, goals)),
    });
    assert.deepEqual([reply.status, await reply.json()], [200, { accepted: 1, unchanged: 0, rejected: [] }]);
  }
  const linesOf = ({ started }: Pod, text: RegExp) =>
    started
      .errors()
      .split('\n')
      .filter((line) => text.test(line));

  it('works while the collector is unavailable, logs that once, and logs when it is back', async () => {
    collector.status = 400;
    const pod = await begin({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'info' });
    for (let exports = 1; exports <= 3; exports += 1) {
      await feed(pod);
      await until('the spans are refused', () => collector.requests.length >= exports, PATIENCE_MS);
    }
    collector.status = 200;
    await until(
      'the spans are taken',
      async () => {
        await feed(pod);
        return linesOf(pod, /spans reach the trace collector/).length === 1;
      },
      PATIENCE_MS,
    );
    assert.equal(linesOf(pod, /spans do not reach the trace collector/).length, 1);
    assert.equal((await pod.stop()).code, 0);
  });

  it('stops properly even if the collector does not answer, or nothing listens there', async () => {
    collector.status = null;
    for (const endpoint of [collector.url, 'http://127.0.0.1:1']) {
      const pod = await begin({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
      await feed(pod);
      assert.equal((await pod.stop()).code, 0);
    }
  });

  it('works without traces if the collector’s address cannot be used', async () => {
    const pod = await begin({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' });
    await feed(pod);
    assert.equal(linesOf(pod, /tracing is off: collector:4318 is not an http:\/\//).length, 1);
    assert.equal((await pod.stop()).code, 0);
  });

  it('sends the traces that the sampler selects, or none if tracing is disabled', async () => {
    collector.status = 200;
    const all = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` };
    for (const [env, count] of [
      [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
      [{ OTEL_SDK_DISABLED: 'true' }, 0],
      [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' }, 2],
    ] as const) {
      collector.spans.length = 0;
      const pod = await begin({ ...all, ...env });
      await feed(pod);
      await pod.stop();
      assert.equal(collector.spans.length, count, JSON.stringify(env));
    }
    const { rows } = await db.pool.query('SELECT traceparent IS NULL AS untraced FROM outbox ORDER BY id DESC LIMIT 3');
    assert.deepEqual(
      rows.map(({ untraced }) => untraced),
      [false, true, true],
    );
  });

  it('loads the OpenTelemetry SDK, and a process without a collector does not', async () => {
    await startTracing(readConfig({ DATABASE_URL: db.url }), pino({ level: 'silent' }), 'api');
    assert.equal(isTracing(), false);
    const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('/sdk-trace'));
    assert.deepEqual(loaded, []);
  });
});
