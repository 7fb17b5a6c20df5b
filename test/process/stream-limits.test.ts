import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';
import { type OpenStream, openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { type Client, openWebSocket } from '../support/websocket-client.ts';

/** How long a connection slot lives if it is not renewed. */
const SLOT_TTL_MS = 18_000;
const SLOT_RENEWAL_MS = 5_000;
/** Tolerance for a busy machine. */
const A_BUSY_MACHINE_MS = 10_000;

describe('stream connection slots over two processes', function () {
  this.timeout(120_000);
  let db: TestDatabase;
  let postgres: PostgresProxy;
  let pods: Pod[] = [];
  const opened: { end(): void }[] = [];
  before(async () => {
    db = await createTestDatabase();
    postgres = await openPostgresProxy(db.url);
    pods = await Promise.all([1, 2].map(() => startPod('stream', podEnv(postgres.url))));
  });
  after(async () => {
    for (const client of opened) client.end();
    await killAll(pods);
    await postgres.close();
    await db.drop();
  });

  let accounts = 0;
  async function account() {
    accounts += 1;
    const { key, accountId } = await createKey(db.pool, systemClock, {
      email: `p${accounts}@example.com`,
      plan: 'pro',
    });
    const subject = `account:${accountId}`;
    const rows = async () =>
      (
        await db.pool.query<{ holder: string; left: number }>(
          `SELECT l.holder, extract(epoch FROM p.expires_at - now()) * 1000 AS left
           FROM stream_lease l JOIN stream_process p ON p.process = left(l.holder, 12) WHERE subject = $1`,
          [subject],
        )
      ).rows;
    return {
      subject,
      rows,
      webSocket(pod: Pod, query: Record<string, string> = {}): Client {
        const client = openWebSocket(`${pod.url}/v1/stream/ws?${new URLSearchParams({ key, ...query })}`);
        opened.push({ end: client.cut });
        return client;
      },
      async sse(pod: Pod, query: Record<string, string> = {}): Promise<OpenStream> {
        const stream = await openStream(`${pod.url}/v1/stream?${new URLSearchParams({ key, ...query })}`);
        opened.push({ end: stream.close });
        return stream;
      },
    };
  }
  type Account = Awaited<ReturnType<typeof account>>;

  async function five({ webSocket, sse }: Account, from: [Pod, Pod, Pod, Pod, Pod]) {
    const sockets = from.slice(0, 3).map((pod) => webSocket(pod));
    await Promise.all(sockets.map((socket) => socket.next('connected')));
    const streams = await Promise.all(from.slice(3).map((pod) => sse(pod)));
    await Promise.all(streams.map((stream) => stream.until('connected')));
    return { sockets, streams };
  }
  const isRefused = async ({ webSocket, sse }: Account, pod: Pod) => {
    const stream = await sse(pod);
    assert.equal(stream.status, 429);
    assert.equal(Number(stream.headers['retry-after']), SLOT_TTL_MS / 1_000);
    assert.equal((await webSocket(pod).closed).code, 4429);
  };

  it('are limited to five per account for both protocols together, and a stream that ends frees one for the second process', async () => {
    const [one, two] = pods as [Pod, Pod];
    const mine = await account();
    const { streams } = await five(mine, [one, two, one, two, one]);
    await isRefused(mine, one);
    await isRefused(mine, two);
    streams[0]!.close();
    await until('it has left', async () => (await mine.rows()).length === 4);
    await mine.webSocket(one).next('connected');
    await isRefused(mine, two);
  });

  it('are taken over by the same client in a second process, and the connection to the first process ends', async () => {
    const [one, two] = pods as [Pod, Pod];
    const mine = await account();
    const before = mine.webSocket(one, { client: 'page-0123' });
    await before.next('connected');
    for (const pod of [one, two, one, two]) await mine.webSocket(pod).next('connected');
    const after = await mine.sse(two, { client: 'page-0123' });
    assert.equal(after.status, 200);
    const begun = performance.now();
    assert.deepEqual(await before.closed, { code: 4409, reason: 'replaced by a newer connection of this client' });
    assert.ok(performance.now() - begun < SLOT_RENEWAL_MS + A_BUSY_MACHINE_MS);
    assert.equal((await mine.rows()).length, 5);
    await isRefused(mine, one);
  });

  it('stay occupied during a Postgres outage, while each process counts new slots alone', async () => {
    const [one, two] = pods as [Pod, Pod];
    const mine = await account();
    const held = [mine.webSocket(one), mine.webSocket(two), mine.webSocket(two)];
    await Promise.all(held.map((socket) => socket.next('connected')));
    await postgres.down();
    const more = Array.from({ length: 4 }, () => mine.webSocket(one));
    await Promise.all(more.map((socket) => socket.next('connected')));
    assert.equal((await mine.webSocket(one).closed).code, 4429);
    assert.ok([...held, ...more].every((socket) => socket.over() === null));
    await postgres.up();
    const ends = () => [...held, ...more].flatMap((socket) => socket.over() ?? []);
    await until('those that are too many have left', () => ends().length === 2, SLOT_RENEWAL_MS + A_BUSY_MACHINE_MS);
    assert.deepEqual(ends(), [
      { code: 4429, reason: 'too_many_connections' },
      { code: 4429, reason: 'too_many_connections' },
    ]);
    assert.equal((await mine.rows()).length, 5);
  });

  it('become free at once if the process is killed', async () => {
    const [one, two] = pods as [Pod, Pod];
    const mine = await account();
    /** Waits until the slots are stored. After an outage, a process counts only in memory until the next renewal. */
    const haveRows = (count: number) =>
      until(
        `${count} have rows`,
        async () => (await mine.rows()).length === count,
        SLOT_RENEWAL_MS + A_BUSY_MACHINE_MS,
      );
    await mine.webSocket(two).next('connected');
    await haveRows(1);
    const [living] = await mine.rows();
    for (let i = 0; i < 4; i += 1) await mine.webSocket(one).next('connected');
    await haveRows(5);
    assert.ok(living!.left <= SLOT_TTL_MS, `${living!.left}`);
    await one.kill();
    const begun = performance.now();
    const again = [];
    while (again.length < 4) {
      const socket = mine.webSocket(two);
      const isOpen = await Promise.race([socket.next('connected').then(() => true), socket.closed.then(() => false)]);
      if (isOpen) again.push(socket);
      else await sleep(100);
    }
    assert.ok(performance.now() - begun < A_BUSY_MACHINE_MS, 'long before their time is over');
    await isRefused(mine, two);
  });
});
