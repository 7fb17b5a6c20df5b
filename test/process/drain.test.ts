/** Pods of a cluster: processes of one role each, told to stop by SIGTERM, behind something that sends their clients on. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { openStream, type StreamEvent } from '../../src/client/stream.ts';
import { type Started, start, temporaryFolder } from '../support/process.ts';
import { type Service, startService } from '../support/service.ts';
import { eventSource, openStream as openRaw } from '../support/stream-client.ts';
import { until } from '../support/until.ts';

const READY = /ready after [\d.]+ s: http:\/\/127\.0\.0\.1:(\d+) \(health and metrics: http:\/\/127\.0\.0\.1:(\d+)\)/;
const DELAY_MS = 5_000;
const SPREAD_MS = 3_000;
const PATIENCE_MS = 30_000;

interface Pod {
  process: Started;
  port: number;
  ready(): Promise<boolean>;
}

describe('a pod that is told to stop', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  /** Has the database and writes the events. */
  let service: Service;
  let pods: Pod[];
  const undo: (() => unknown)[] = [];

  before(async () => {
    service = await startService();
    pods = await Promise.all([startPod(), startPod()]);
  });
  after(async () => {
    for (const one of undo.reverse()) await one();
    await service.close();
    folder.remove();
  });

  async function startPod(): Promise<Pod> {
    const process = start(['serve', '--role', 'stream'], {
      env: {
        DATABASE_URL: service.db.url,
        SECRET_KEY: 'a-secret-key-of-the-tests',
        DATA_DIR: folder.path,
        DRAIN_DELAY_SECONDS: String(DELAY_MS / 1_000),
        DRAIN_SPREAD_SECONDS: String(SPREAD_MS / 1_000),
      },
    });
    undo.push(() => process.child.kill('SIGKILL'));
    const [, port, adminPort] = await process.until(READY);
    const ready = async () => (await fetch(`http://127.0.0.1:${adminPort}/readyz`)).ok;
    await until('it is ready', ready);
    return { process, port: Number(port), ready };
  }

  /** What an ingress does: each connection to the next pod that is in the endpoints. */
  async function balance(endpoints: readonly Pod[]): Promise<string> {
    let turn = 0;
    const server = createServer((near) => {
      turn += 1;
      const far = connect(endpoints[turn % endpoints.length]!.port, '127.0.0.1');
      for (const [socket, peer] of [
        [near, far],
        [far, near],
      ] as const) {
        socket.on('error', () => {});
        socket.once('close', () => peer.destroySoon());
      }
      near.pipe(far).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    undo.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  }

  it('serves on, asks its streams to reconnect one after the other, ends, and nobody misses anything', async () => {
    const [going, staying] = pods as [Pod, Pod];
    const endpoints = [...pods];
    const url = await balance(endpoints);
    const address = `${url}/v1/stream?key=${service.app.key}`;
    const browsers = [eventSource(address), eventSource(address)];
    for (const browser of browsers) undo.push(() => browser.close());
    const events: StreamEvent[] = [];
    const client = openStream({ url, key: service.app.key, onEvent: (event) => void events.push(event) });
    undo.push(() => client.close());
    const { pool } = service.db;
    await until('all are there', async () => (await pool.query('SELECT FROM stream_lease')).rowCount === 3);
    const written: string[] = await service.publish({}, {});
    await until('all have it', () => events.length === 2 && browsers.every((one) => one.events.length === 2));

    const told = performance.now();
    going.process.child.kill('SIGTERM');
    await until('it is not ready any more', async () => !(await going.ready()));
    // Nobody has told the proxy yet: who is sent here is served.
    const early = await openRaw(`http://127.0.0.1:${going.port}/v1/stream?key=${service.app.key}`);
    await early.until('connected cursor=2');
    written.push(...(await service.publish({})));
    await early.until('id: 3\n');
    assert.ok(performance.now() - told < DELAY_MS, 'the machine is too slow for this test');
    endpoints.splice(endpoints.indexOf(going), 1);

    const ended = going.process.finished.then(({ code }) => code);
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
    await until('only those that stay hold places', async () => {
      const { rowCount } = await pool.query('SELECT FROM stream_lease');
      return rowCount === 3;
    });
    assert.equal(await staying.ready(), true);
  });

  it('ends at once when it is told twice', async () => {
    const [, staying] = pods as [Pod, Pod];
    staying.process.child.kill('SIGTERM');
    await until('it has heard', async () => !(await staying.ready()));
    staying.process.child.kill('SIGTERM');
    assert.equal((await staying.process.finished).code, 1);
  });
});
