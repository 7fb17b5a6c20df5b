import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ListeningServer, listen } from '../../src/http/server.ts';
import { leaveHttp } from '../../src/http/upgrade.ts';
import { until } from '../support/until.ts';

const MIB = 1_048_576;
/** Larger than the system's socket buffers. */
const LARGE = Buffer.alloc(16 * MIB, 'x');
const PATIENCE_MS = 400;
/** Timeout in tests, for slow machines. */
const WAIT_MS = 20_000;

describe('slow readers', function () {
  this.timeout(60_000);
  let server: ListeningServer;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });

  async function serve(
    handler: (request: IncomingMessage, response: ServerResponse) => void,
    times: NonNullable<Parameters<typeof listen>[1]['times']> = { patienceMs: PATIENCE_MS },
  ): Promise<void> {
    server = await listen(handler, { host: '127.0.0.1', port: 0, times, upgrade: () => false });
  }
  /** Sends requests and reads `bytes` at a time, with a pause after each. @returns the number of bytes read */
  async function ask(bytes: number, pauseMs: number, requests = 1) {
    const client = { read: 0 };
    const callback = (count: number): boolean => {
      client.read += count;
      if (pauseMs === 0) return true;
      setTimeout(() => socket.resume(), pauseMs).unref();
      return false;
    };
    const socket = connect({
      port: server.port,
      host: '127.0.0.1',
      onread: { buffer: Buffer.alloc(bytes), callback },
    } as never);
    sockets.push(socket);
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests));
    return client;
  }
  const connections = () =>
    new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
  const closed = (count = 0) =>
    until(`${count} connections are left`, async () => (await connections()) === count, WAIT_MS);

  for (const [kind, body] of [
    ['bytes', () => LARGE],
    ['text', () => LARGE.toString()],
    ['a stream of a file', () => Readable.from(Array.from({ length: 64 }, () => LARGE.subarray(0, 262_144)))],
  ] as const)
    it(`are disconnected in the middle of ${kind}, whether they read no data or a byte at a time`, async () => {
      await serve((_request, response) => {
        const sent = body();
        if (sent instanceof Readable) sent.pipe(response);
        else response.end(sent);
      });
      await ask(1, 3_600_000);
      await ask(1, 50);
      await closed();
    });

  it('are disconnected after more than 16 pipelined requests on one connection', async () => {
    let answered = 0;
    await serve((_request, response) => {
      answered += 1;
      response.end(LARGE);
    });
    await ask(1, 50, 100);
    await closed();
    assert.equal(answered, 16);
    // A client may send 16 requests without waiting for replies.
    const client = await ask(65_536, 0, 16);
    await until('all are read', () => client.read > 16 * LARGE.length, WAIT_MS);
    assert.equal(answered, 32);
  });

  it('get the whole reply if they read steadily, even if that takes longer than the time limit for stalled clients', async () => {
    await serve((_request, response) => response.end(LARGE));
    const begun = performance.now();
    const client = await ask(131_072, 10);
    await until('all is read', () => client.read > LARGE.length, WAIT_MS);
    assert.ok(performance.now() - begun > PATIENCE_MS);
    assert.equal(await connections(), 1);
  });

  it('are not disconnected while the service prepares a reply, or between requests', async () => {
    await serve((_request, response) => {
      response.write('first');
      setTimeout(() => response.end('last'), 3 * PATIENCE_MS);
    });
    const client = await ask(1_000, 0);
    await until('the end has come', () => client.read > 100 && client.read < 1_000, WAIT_MS);
    await sleep(2 * PATIENCE_MS);
    assert.equal(await connections(), 1);
  });

  it('are left alone after an upgrade from HTTP, because the stream ends slow clients itself', async () => {
    await serve((_request, response) => {
      // By then, the request is complete.
      setImmediate(() => leaveHttp(response.writeHead(200)).write(LARGE));
    });
    await ask(1, 3_600_000);
    await sleep(4 * PATIENCE_MS);
    assert.equal(await connections(), 1);
  });

  it('cannot fill the memory together, because the largest replies are aborted above a limit', async () => {
    const limits = { patienceMs: 3_000, maxUnreadBytes: 64 * MIB, graceMs: 200 };
    await serve((request, response) => response.end(request.url === '/' ? LARGE : 'small'), limits);
    for (let n = 0; n < 12; n += 1) await ask(1, 3_600_000);
    await until('some are given up', async () => (await connections()) <= 8, WAIT_MS);
    // Some connections stay, because data in the system's buffers does not count.
    assert.ok((await connections()) >= 4, `${await connections()} are left`);
    // Replies that wait behind another reply on the same connection count too.
    await ask(1, 3_600_000, 12);
    await sleep(1_000);
    assert.ok((await connections()) <= 5, `${await connections()} are left`);
    const reply = await fetch(`http://127.0.0.1:${server.port}/other`);
    assert.equal(await reply.text(), 'small');
  });
});
