import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../support/accounts.ts';
import { heapInUse } from '../support/heap.ts';
import { timersChecked } from '../support/hub-tick.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { type Service, startService } from '../support/service.ts';
import { cursorsOf, parseSse } from '../support/sse.ts';
import { until } from '../support/until.ts';
import { openWebSocket } from '../support/websocket-client.ts';

const READERS = LONG_FORMS ? 200 : 60;
/** Number of readers that start reading again. */
const RECOVERING = 10;
const RING_EVENTS = 600;
/** 8 MB for each reader. The kernel buffers at most half of it. */
const PENDING_EVENTS = 500;
const NAME = 'x'.repeat(16_000);
const AT_ONCE = 50;
/**
 * Maximum memory growth for all stalled readers together. If each of 200 readers had a copy of what the kernel does not
 * buffer, it would be 800 MB. The clients' buffers, some 50 to 90 MB, are in this process too. `make bench-stream
 * ONLY=stalled` measures only the service.
 */
const MAX_MORE_BYTES = 50_000_000 + READERS * 750_000;
/** Memory counts as settled after this many measurements in a row without a drop by a megabyte. */
const SETTLED_READINGS = 5;

interface Reader {
  stop(): void;
  go(): void;
  cursors(): number[];
  close(): void;
}

describe(`${READERS} readers that do not read`, () => {
  let service: Service;
  let key: string;
  let readers: Reader[] = [];
  before(async () => {
    service = await startService({ hub: { ringEvents: RING_EVENTS } });
    const made = { email: 'crowd@example.com', plan: 'business', kind: 'pk' } as const;
    ({ key } = await createKey(service.db.pool, service.clock, made));
  });
  after(() => service.close());
  afterEach(async () => {
    for (const reader of readers) reader.close();
    readers = [];
    await until('no stream is left', () => service.deps.hub.held() + service.deps.admission.held() === 0);
  });

  const open = {
    /** Opens a plain socket, because an HTTP client that is paused still reads a little. */
    async sse(): Promise<Reader> {
      const socket = connect(service.app.port, '127.0.0.1');
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        text += chunk;
      });
      socket.write(`GET /v1/stream?key=${key} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await until('it is connected', () => text.includes(': connected'));
      return {
        stop: () => socket.pause(),
        go: () => socket.resume(),
        cursors: () => cursorsOf(parseSse(text.slice(text.indexOf('\r\n\r\n') + 4))),
        close: () => socket.destroy(),
      };
    },
    async websocket(): Promise<Reader> {
      const client = openWebSocket(`${service.app.url}/v1/stream/ws?key=${key}`);
      await client.next('connected');
      return {
        stop: () => client.ws.pause(),
        go: () => client.ws.resume(),
        cursors: () => client.messages().flatMap(({ type, cursor }) => (type === 'connected' ? [] : [cursor])),
        close: client.cut,
      };
    },
  };

  async function publish(count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += AT_ONCE)
      await service.publish(...Array.from({ length: AT_ONCE }, () => ({ name: NAME })));
  }
  const pendingFrom = (first: number) => Array.from({ length: PENDING_EVENTS }, (_, index) => first + index);
  /** Returns by how many bytes this process grows until a reader that keeps up has all published events. */
  async function growth(openOne: () => Promise<Reader>): Promise<number> {
    const first = service.deps.hub.head() + 1;
    const healthy = await openOne();
    readers.push(healthy);
    const before = bytes();
    await publish(PENDING_EVENTS);
    await until('the reader has all events', () => healthy.cursors().length === PENDING_EVENTS);
    assert.deepEqual(healthy.cursors(), pendingFrom(first));
    return (await settledBytes()) - before;
  }
  /**
   * Returns the memory in use once it no longer falls. Buffers that were just written are freed in later turns of the
   * event loop.
   */
  async function settledBytes(): Promise<number> {
    let least = bytes();
    for (let reading = 0; reading < SETTLED_READINGS; reading += 1) {
      await sleep(100);
      const current = bytes();
      if (current < least - 1_000_000) reading = 0;
      least = Math.min(least, current);
    }
    return least;
  }
  function bytes(): number {
    const heap = heapInUse();
    return heap + process.memoryUsage().external;
  }

  for (const protocol of ['sse', 'websocket'] as const) {
    it(`${READERS} stalled readers over ${protocol} cause no copies, delay no active reader, miss no event if they read again, and are dropped after 30 s`, async () => {
      await publish(RING_EVENTS);
      const alone = await growth(open[protocol]);
      const stalled = await Promise.all(Array.from({ length: READERS }, open[protocol]));
      readers.push(...stalled);
      for (const reader of stalled) reader.stop();
      const first = service.deps.hub.head() + 1;
      const more = (await growth(open[protocol])) - alone;
      assert.ok(more < MAX_MORE_BYTES, `${more} bytes for ${READERS} stalled readers`);
      assert.equal(service.deps.hub.connections(), READERS + 2);

      const recovering = stalled.slice(0, RECOVERING);
      for (const reader of recovering) reader.go();
      for (const reader of recovering) {
        await until('it has caught up', () => reader.cursors().length === PENDING_EVENTS);
        assert.deepEqual(reader.cursors(), pendingFrom(first));
      }

      service.clock.advance(29_999);
      await timersChecked(service.deps.hub, service.clock);
      assert.equal(service.deps.hub.connections(), READERS + 2);
      service.clock.advance(1);
      await until(
        'readers that still do not read are dropped',
        () => service.deps.hub.connections() === RECOVERING + 2,
      );
    });
  }
});
