/**
 * Tests pods that are stopped by SIGTERM. Each is a process with one role, and a proxy moves their clients to other
 * pods.
 */
import assert from 'node:assert/strict';
import { openStream, type StreamEvent } from '../../src/client/stream.ts';
import { readConfig } from '../../src/config/config.ts';
import { STOP_GRACE_MS } from '../../src/main.ts';
import { openBalancer } from '../support/balancer.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { type Service, startService } from '../support/service.ts';
import { eventSource, openStream as openRaw } from '../support/stream-client.ts';
import { until } from '../support/until.ts';

/** Grace period in a cluster, between SIGTERM and SIGKILL. */
const GRACE_MS = 90_000;
/** Time in which the stores close. */
const REST_MS = 10_000;
const DELAY_MS = 5_000;
const SPREAD_MS = 3_000;
const PATIENCE_MS = 30_000;

const ready = async (pod: Pod) => (await fetch(`${pod.adminUrl}/readyz`)).ok;

describe('a stopping pod', function () {
  this.timeout(120_000);
  /** Owns the database, and writes the events. */
  let service: Service;
  let pods: Pod[];
  const undo: (() => unknown)[] = [];

  before(async () => {
    service = await startService();
    const env = podEnv(service.db.url, {
      DRAIN_DELAY_SECONDS: String(DELAY_MS / 1_000),
      DRAIN_SPREAD_SECONDS: String(SPREAD_MS / 1_000),
    });
    pods = await Promise.all([1, 2].map(() => startPod('stream', env)));
    undo.push(() => killAll(pods));
  });
  after(async () => {
    for (const one of undo.reverse()) await one();
    await service.close();
  });

  it('stays within a cluster’s default grace period', () => {
    const { drainDelayMs, drainSpreadMs } = readConfig({});
    assert.deepEqual([drainDelayMs, drainSpreadMs], [10_000, 45_000]);
    assert.ok(drainDelayMs + drainSpreadMs + STOP_GRACE_MS + REST_MS <= GRACE_MS);
  });

  it('continues to serve, asks its streams to reconnect one by one, and then ends, and no client misses an event', async () => {
    const [going, staying] = pods as [Pod, Pod];
    /** The endpoints that an ingress would know. */
    const endpoints = pods.map(({ port }) => port);
    const balancer = await openBalancer(endpoints);
    undo.push(() => balancer.close());
    const { url } = balancer;
    const address = `${url}/v1/stream?key=${service.app.key}`;
    const browsers = [eventSource(address), eventSource(address)];
    for (const browser of browsers) undo.push(() => browser.close());
    const events: StreamEvent[] = [];
    const client = openStream({ url, key: service.app.key, onEvent: (event) => void events.push(event) });
    undo.push(() => client.close());
    // Waits until every stream has a start position. A stream gets its slot earlier, and would miss an event that is written in between.
    await until(
      'all have a start position',
      () => client.cursor() !== null && browsers.every(({ lastEventId }) => lastEventId !== ''),
    );
    const written: string[] = await service.publish({}, {});
    await until('all have it', () => events.length === 2 && browsers.every((one) => one.events.length === 2));

    const told = performance.now();
    const stopped = going.stop();
    await until('it is not ready any more', async () => !(await ready(going)));
    // The proxy does not know yet that the pod is stopping, so a client that still arrives here is served.
    const early = await openRaw(`http://127.0.0.1:${going.port}/v1/stream?key=${service.app.key}`);
    await early.until('connected cursor=2');
    written.push(...(await service.publish({})));
    await early.until('id: 3\n');
    assert.ok(performance.now() - told < DELAY_MS, 'the machine is too slow for this test');
    endpoints.splice(endpoints.indexOf(going.port), 1);

    const ended = stopped.then(({ code }) => code);
    let over = false;
    void ended.then(() => {
      over = true;
    });
    for (let match = 2; !over; match += 1) {
      written.push(...(await service.publish({ match })));
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.ok(performance.now() - told < PATIENCE_MS, 'it does not end');
    }
    assert.equal(await ended, 0);
    assert.ok(performance.now() - told >= DELAY_MS);
    await early.ended;
    assert.match(early.text(), /: server-cycle; reconnect with Last-Event-Id\nid: \d+\n\n$/);

    const last = written.at(-1)!;
    await until(
      'all have the last one',
      () =>
        events.at(-1)?.id === JSON.parse(last).id && browsers.every((browser) => browser.events.at(-1)?.data === last),
      PATIENCE_MS,
    );
    assert.deepEqual(
      events.map(({ id }) => id),
      written.map((envelope) => JSON.parse(envelope).id),
    );
    for (const browser of browsers) {
      assert.deepEqual(
        browser.events.map(({ data }) => data),
        written,
      );
      assert.equal(browser.failed, null);
    }
    assert.ok(browsers.some(({ connects }) => connects > 1));
    await until('only those that stay hold slots', async () => {
      const { rowCount } = await service.db.pool.query('SELECT FROM stream_lease');
      return rowCount === 3;
    });
    assert.equal(await ready(staying), true);
  });

  it('ends at once on a second signal', async () => {
    const [, staying] = pods as [Pod, Pod];
    staying.started.child.kill('SIGTERM');
    await until('it has heard', async () => !(await ready(staying)));
    staying.started.child.kill('SIGTERM');
    assert.equal((await staying.started.finished).code, 1);
  });
});
