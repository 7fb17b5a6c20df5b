import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../support/accounts.ts';
import { type Service, startService } from '../support/service.ts';
import { cursorsOf, lastId } from '../support/sse.ts';
import { type OpenStream, openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { type Client, openWebSocket } from '../support/websocket-client.ts';

const SPREAD_MS = 45_000;
/** Longer than a tick of the hub's timers (250 ms). A draining process ends each stream at a random moment. */
const A_TICK_MS = 350;
const EACH = 20;

describe('draining', () => {
  let one: Service;
  let other: Service;
  let crowd: string;
  before(async () => {
    one = await startService();
    other = await startService({ db: one.db });
    ({ key: crowd } = await createKey(one.db.pool, one.clock, { email: 'crowd@example.com', plan: 'pro', kind: 'pk' }));
  });
  after(async () => {
    await other.stop();
    await one.close();
  });

  const sseAt = (service: Service, key: string, headers = {}): Promise<OpenStream> =>
    openStream(`${service.app.url}/v1/stream?key=${key}`, headers);
  const wsAt = (service: Service, key: string, query = ''): Client =>
    openWebSocket(`${service.app.url}/v1/stream/ws?key=${key}${query}`);
  const leases = async () => (await one.db.pool.query('SELECT FROM stream_lease')).rowCount;

  it('a process asks its streams one by one to reconnect, and they miss no event in the next process', async () => {
    const streams = await Promise.all(Array.from({ length: EACH }, () => sseAt(one, crowd)));
    const sockets = Array.from({ length: EACH }, () => wsAt(one, crowd));
    await Promise.all(streams.map((stream) => stream.until('connected')));
    await Promise.all(sockets.map((socket) => socket.next('connected')));
    const { hub, admission } = one.deps;
    // Opens as many streams as the account may have.
    const own = await Promise.all(Array.from({ length: 5 }, () => sseAt(one, one.app.key)));
    await until('all are connected', () => hub.connections() === 2 * EACH + 5);
    assert.equal(await leases(), 2 * EACH + 5);

    admission.drain();
    const drained = hub.close(SPREAD_MS);
    const written = await one.publish({}, {});
    await Promise.all(streams.map((stream) => stream.until('id: 2\n')));

    const late = await sseAt(one, one.app.key, { 'Last-Event-ID': '1' });
    await late.ended;
    assert.equal(late.status, 200);
    assert.equal(
      late.text(),
      ': connected cursor=1\nretry: 1000\nid: 1\n\n: server-cycle; reconnect with Last-Event-Id\nid: 1\n\n',
    );
    const lateSocket = wsAt(one, one.app.key, '&cursor=1');
    assert.deepEqual(await lateSocket.closed, { code: 1012, reason: 'reconnect' });
    assert.deepEqual(lateSocket.texts, ['{"type":"connected","cursor":1}', '{"type":"reconnect","cursor":1}']);

    const left: number[] = [];
    for (let third = 0; third < 3; third += 1) {
      one.clock.advance(SPREAD_MS / 3);
      await sleep(A_TICK_MS);
      left.push(hub.connections());
      written.push(...(await other.publish({ match: third + 2 })));
    }
    const [first, second, last] = left as [number, number, number];
    assert.ok(first < 2 * EACH + 5 && first > second && second > 0 && last === 0, `${left} are left`);
    await drained;
    await Promise.all([...streams, ...own].map((stream) => stream.ended));
    const closes = await Promise.all(sockets.map((socket) => socket.closed));
    assert.ok(closes.every(({ code }) => code === 1012));
    await until('all slots are free', async () => (await leases()) === 0);

    const head = 5;
    await until('the other process has all events', () => other.deps.hub.head() === head);
    for (const stream of streams) {
      const got = stream.frames();
      assert.equal(got.at(-1)!.comments[0], 'server-cycle; reconnect with Last-Event-Id');
      const again = await sseAt(other, crowd, { 'Last-Event-ID': String(lastId(got)) });
      if (lastId(got) !== head) await again.until(`id: ${head}\nevent`);
      const seen = [...got, ...again.frames()];
      assert.deepEqual(cursorsOf(seen), [1, 2, 3, 4, 5]);
      assert.deepEqual(
        seen.flatMap(({ data }) => data ?? []),
        written,
      );
      again.close();
    }
    for (const socket of sockets) {
      const { type, cursor } = socket.messages().at(-1)!;
      assert.equal(type, 'reconnect');
      const again = wsAt(other, crowd, `&cursor=${cursor}`);
      await again.next('connected');
      if (cursor !== head) await again.next((message) => message.cursor === head && 'id' in message);
      const seen = [...socket.messages(), ...again.messages()].filter(({ type: what }) => what.startsWith('match.'));
      assert.deepEqual(
        seen.map((message) => message.cursor),
        [1, 2, 3, 4, 5],
      );
      again.cut();
    }
  });

  it('a process without streams finishes at once', async () => {
    const empty = await startService({ db: one.db });
    await empty.deps.hub.close(SPREAD_MS);
    await empty.stop();
  });
});
