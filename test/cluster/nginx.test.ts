import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { playing, streamsOverPods } from '../contracts/streams-over-pods.ts';
import { type Cluster, openCluster } from '../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { canRunNginx, type Nginx, startNginx, type Upstreams } from '../support/nginx.ts';
import { killAll, type Pod } from '../support/pods.ts';
import { eventSource, openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { openWebSocket } from '../support/websocket-client.ts';

const PATIENCE_MS = 30_000;

describe('behind nginx, configured as k8s/nginx/touchline.conf', function () {
  this.timeout(240_000);
  let db: TestDatabase;
  let nginx: Nginx;
  let upstreams: Upstreams;
  let cluster: Cluster;
  before(async function () {
    if (!canRunNginx()) {
      console.log('nginx is not installed: its tests are skipped');
      this.skip();
    }
    db = await createTestDatabase();
  });
  after(() => db?.drop());

  streamsOverPods(async () => {
    cluster = await openCluster({
      db,
      roles: ['api'],
      env: { DRAIN_DELAY_SECONDS: '0.5', DRAIN_SPREAD_SECONDS: '1', TRUSTED_PROXIES: '127.0.0.1' },
      front: async (ports) => {
        upstreams = ports;
        nginx = await startNginx(ports);
        return nginx;
      },
    });
    return cluster;
  });

  const running = () =>
    cluster.streams.filter((pod): pod is Pod => pod !== undefined && pod.started.child.exitCode === null);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(nginx.url + path, { headers: { 'X-API-Key': cluster.key, ...headers } });
  const follow = () => eventSource(`${nginx.url}/v1/stream?key=${cluster.key}`, { hurry: 10 });

  it('an idle stream on either protocol gets keep-alives in time, uncompressed', async () => {
    const stream = await openStream(`${nginx.url}/v1/stream?key=${cluster.key}`, { 'Accept-Encoding': 'gzip' });
    const socket = openWebSocket(`${nginx.url}/v1/stream/ws?key=${cluster.key}`);
    await socket.next('connected');
    assert.equal(stream.headers['content-encoding'], undefined);
    assert.equal(stream.headers['x-accel-buffering'], 'no');
    await until('the stream has said something', () => stream.text().includes(': keep-alive'), 30_000);
    await until('the socket too', () => socket.texts.some((text) => text.includes('"heartbeat"')), 30_000);
    stream.close();
    socket.cut();
  });

  it('each path reaches the right role, and links contain the address that the client used', async () => {
    const document = (await (await ask('/v1/openapi.json')).json()) as { servers: { url: string }[] };
    assert.equal(document.servers[0]!.url, nginx.url);
    assert.equal((await ask('/v1/sync')).status, 200);
    assert.equal((await ask('/v1/stream/replay?since=0')).status, 200);
    assert.equal((await ask('/feed/v1/updates')).status, 405);
    const refused = await ask('/v1/stream', { 'X-API-Key': 'sk_live_wrong' });
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get('content-type')!, /problem\+json/);
  });

  it('a client always reaches the same process, and clients are spread over all processes', async () => {
    // nginx does not use an upstream that has just failed for a while. After a reload, it uses all of them.
    await nginx.reload({ ...upstreams, stream: running().map(({ port }) => port) });
    const { rows: before } = await db.pool.query('SELECT FROM stream_lease');
    const places = new Map<string, Set<string>>();
    for (let round = 0; round < 2; round += 1) {
      const names = Array.from({ length: 16 }, (_, i) => `sticky-client-${i}`);
      const sockets = names.map((client) =>
        openWebSocket(`${nginx.url}/v1/stream/ws?${new URLSearchParams({ key: cluster.key, client })}`),
      );
      await Promise.all(sockets.map((socket) => socket.next('connected')));
      // A holder's name consists of a process and a number.
      const { rows } = await db.pool.query<{ client: string; process: string }>(
        "SELECT client, left(holder, 12) AS process FROM stream_lease WHERE client LIKE 'sticky-%'",
      );
      assert.equal(rows.length, 16);
      for (const { client, process } of rows) places.set(client, (places.get(client) ?? new Set()).add(process));
      for (const socket of sockets) socket.cut();
      await until(
        'they have left',
        async () => (await db.pool.query('SELECT FROM stream_lease')).rows.length <= before.length,
      );
    }
    assert.ok([...places.values()].every((processes) => processes.size === 1));
    assert.ok(new Set([...places.values()].flatMap((processes) => [...processes])).size >= 2);
  });

  it('a reload loses no event, because existing streams continue and new streams use the new configuration', async () => {
    const [staying, other] = running() as [Pod, Pod];
    const before = follow();
    const socket = openWebSocket(`${nginx.url}/v1/stream/ws?key=${cluster.key}`);
    await Promise.all([until('it is live', () => before.lastEventId !== ''), socket.next('connected')]);
    await nginx.reload({ ...upstreams, stream: [staying.port] });
    const after = follow();
    await until('the new one is live', () => after.lastEventId !== '');
    const name = randomUUID();
    await playing(cluster.ingest.url, name).tell();
    for (const source of [before, after]) await until('the events are there', () => source.events.length > 0);
    await until('and over the WebSocket', () => socket.texts.some((text) => text.includes(name)));
    assert.deepEqual([before.connects, after.connects, socket.over()], [1, 1, null]);
    assert.deepEqual(before.events, after.events);
    for (const source of [before, after]) source.close();
    socket.cut();
    await nginx.reload(upstreams);
    assert.ok(other);
  });

  it('feed lines are accepted as they arrive, in any number', async () => {
    const name = randomUUID();
    const { body } = playing(cluster.ingest.url, name);
    const upload = request(`${nginx.url}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/x-ndjson' },
    });
    const answer = new Promise<string>((resolve, reject) => {
      upload.on('error', reject);
      upload.on('response', async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve(`${response.statusCode} ${text}`);
      });
    });
    const [first] = body();
    upload.write(`${JSON.stringify(first)}\n`);
    await until('the first is there before the last is sent', async () => {
      const { rows } = await db.pool.query('SELECT FROM tournament WHERE name = $1', [`League of ${name}`]);
      return rows.length === 1;
    });
    // The body has 6 MB with the same line repeated. That is more than any buffer, and more than other requests may have.
    const line = `${JSON.stringify(first)}${' '.repeat(60_000)}\n`;
    for (let i = 0; i < 100; i += 1)
      if (!upload.write(line)) await new Promise((resolve) => upload.once('drain', resolve));
    upload.end();
    const text = await answer;
    assert.match(text, /^200 /);
    const { accepted, unchanged } = JSON.parse(text.slice(4));
    assert.deepEqual([accepted, unchanged], [1, 100]);
  });

  it('a browser is asked to retry while no process runs, and does so', async () => {
    const source = follow();
    await until('it is live', () => source.lastEventId !== '');
    await killAll(running());
    const alone = await openStream(`${nginx.url}/v1/stream?key=${cluster.key}`);
    await alone.ended;
    assert.deepEqual(
      [alone.status, alone.headers['content-type'], alone.text()],
      [200, 'text/event-stream', 'retry: 1000\n\n'],
    );
    await sleep(500);
    await cluster.startStream(0);
    const name = randomUUID();
    await playing(cluster.ingest.url, name).tell();
    await until('it has gone on', () => source.events.some(({ data }) => data.includes(name)), PATIENCE_MS);
    assert.equal(source.failed, null);
    source.close();
  });
});
