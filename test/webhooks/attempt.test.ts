import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createGuard } from '../../src/outbound/address-guard.ts';
import { judged } from '../../src/webhooks/delivery/handshake.ts';
import { type AttemptResult, openSender, type Sender } from '../../src/webhooks/destinations/attempt.ts';
import { FAILURE_CAUSES } from '../../src/webhooks/destinations/failure-cause.ts';
import { type Authority, makeAuthority } from '../support/certificates.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

/** Timeout in tests. The service waits for 8 s. */
const TIMEOUT_MS = 1_500;
const BODY = Buffer.from('{"id":"evt_1_1","type":"match.goal","data":{}}');

describe('a webhook attempt', function () {
  this.timeout(60_000);
  const guard = createGuard({ allow: ['http://127.0.0.1:*', '127.0.0.1:*'] });
  let sender: Sender;
  let receiver: Receiver;
  let raw: Server;
  let onSocket: (socket: Socket) => void = () => {};
  const sockets = new Set<Socket>();
  let rawUrl: URL;

  before(async () => {
    sender = openSender({ guard, timeoutMs: TIMEOUT_MS });
    receiver = await startReceiver();
    raw = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
      onSocket(socket);
    });
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    rawUrl = new URL(`http://127.0.0.1:${(raw.address() as { port: number }).port}/`);
  });
  after(async () => {
    sender.close();
    await receiver.close();
    for (const socket of sockets) socket.destroy();
    raw.close();
  });

  const send = (url: string | URL = receiver.url, headers: Record<string, string> = {}) =>
    sender.send(new URL(url), headers, BODY, 1);
  const answered = (answer: (response: ServerResponse) => void) => {
    receiver.answer = (_request, response) => answer(response);
    return send();
  };
  /** Replies with raw bytes. */
  const answeredRaw = (text: string, then: (socket: Socket) => void = (socket) => socket.end()) => {
    onSocket = (socket) => {
      socket.once('data', () => {
        socket.write(text, 'latin1');
        then(socket);
      });
    };
    return send(rawUrl);
  };
  const failedWith = (outcome: AttemptResult, failure: string, status: number | null = null) =>
    assert.deepEqual([outcome.status, outcome.failure], [status, failure]);

  it('succeeds only if the reply has a 2xx status', async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      const { failure, status: got } = await answered((response) => response.writeHead(status).end());
      assert.deepEqual([got, failure], [status, null]);
    }
    for (const status of [300, 304, 400, 401, 404, 410, 429, 500, 502, 503, 599]) {
      failedWith(await answered((response) => response.writeHead(status).end('no')), `status ${status}`, status);
    }
  });

  it('reports one of a fixed set of causes if it fails', async () => {
    const causes: Record<string, AttemptResult> = {
      redirect: await answered((response) => response.writeHead(302, { Location: '/' }).end()),
      client_error: await answered((response) => response.writeHead(404).end()),
      server_error: await answered((response) => response.writeHead(503).end()),
      other: await answeredRaw('HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n'),
      reply: await answeredRaw('SSH-2.0-OpenSSH_9.6\r\n'),
      connect: await send('http://127.0.0.1:1/'),
      address: await send('https://10.0.0.1/'),
      dns: await send('https://does-not-exist.invalid.example.com/'),
      tls: await send(`https://127.0.0.1:${receiver.port}/`),
      timeout: await answeredRaw('', () => {}),
      challenge: judged(await answered((response) => response.end('another text')), 'the challenge'),
    };
    for (const [cause, outcome] of Object.entries(causes)) assert.equal(outcome.cause, cause, String(outcome.failure));
    // Only a destination that is not a URL rejects an event.
    const expected = FAILURE_CAUSES.filter((cause) => cause !== 'rejected');
    assert.deepEqual(Object.keys(causes).sort(), expected.sort(), 'every cause is seen');
    const { cause } = await answered((response) => response.end());
    assert.equal(cause, null);
    const broken = await answeredRaw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    assert.equal(broken.cause, 'reply');
  });

  it('records the reply’s first 1,024 bytes, as text that can be stored', async () => {
    const replyTo = async (body: Buffer | string, status = 200) =>
      (await answered((response) => response.writeHead(status).end(body))).reply;
    assert.equal(await replyTo(''), null);
    assert.equal(await replyTo('{"ok":true}'), '{"ok":true}');
    assert.equal(await replyTo('no such route', 404), 'no such route');
    assert.equal(await replyTo('x'.repeat(5_000)), 'x'.repeat(1_024));
    assert.equal(await replyTo(`x${'é'.repeat(1_000)}`), `x${'é'.repeat(511)}`, 'no half of a character');
    assert.equal(await replyTo(Buffer.from([0x61, 0, 0xff, 0xfe, 0x62])), 'a\ufffd\ufffd\ufffdb');
    const long = await answered((response) => response.end('y'.repeat(200_000)));
    assert.deepEqual([long.status, long.reply], [200, 'y'.repeat(1_024)], 'also where reading stops early');
  });

  it('does not follow redirects', async () => {
    const other = await startReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const outcome = await answered((response) => response.writeHead(status, { Location: other.url }).end());
      failedWith(outcome, `status ${status}`, status);
    }
    assert.equal(other.connections(), 0);
    await other.close();
  });

  it('records the reply’s Retry-After', async () => {
    const { retryAfter } = await answered((response) => response.writeHead(429, { 'Retry-After': '17' }).end());
    assert.equal(retryAfter, '17');
  });

  it('fails if the connection is reset in the headers or in the body, or ends early', async () => {
    failedWith(await answeredRaw('', (socket) => socket.resetAndDestroy()), 'connection broken');
    failedWith(
      await answeredRaw('HTTP/1.1 200 OK\r\nContent-', (socket) => socket.resetAndDestroy()),
      'connection broken',
    );
    failedWith(
      await answeredRaw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', (socket) => socket.resetAndDestroy()),
      'connection broken',
    );
    failedWith(await answeredRaw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'), 'connection broken');
    failedWith(
      await answeredRaw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'),
      'connection broken',
    );
    failedWith(await answeredRaw(''), 'connection broken');
  });

  it('fails if the reply is not HTTP, or has endless headers', async () => {
    failedWith(await answeredRaw('SSH-2.0-OpenSSH_9.6\r\n'), 'the reply is not HTTP');
    failedWith(await answeredRaw('HTTP/1.1 2xx Well\r\n\r\n'), 'the reply is not HTTP');
    failedWith(
      await answeredRaw(`HTTP/1.1 200 OK\r\n${'X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(10_000)}`),
      'the reply is not HTTP',
    );
    const upgraded = await answeredRaw('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
    assert.notEqual(upgraded.failure, null);
  });

  it('fails at the deadline if headers, a body or interim replies arrive too slowly, or if nothing arrives', async () => {
    const drip = (text: string) => (socket: Socket) => {
      const timer = setInterval(() => socket.write(text), 20);
      socket.on('close', () => clearInterval(timer));
    };
    const late = `no reply within ${TIMEOUT_MS / 1_000} s`;
    failedWith(await answeredRaw('', () => {}), late);
    failedWith(await answeredRaw('HTTP/1.1 200 OK\r\n', drip('X: y\r\n')), late);
    failedWith(await answeredRaw('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', drip('x')), late);
    failedWith(await answeredRaw('', drip('HTTP/1.1 102 Processing\r\n\r\n')), late);
    await until('its connections are gone', () => sockets.size === 0);
  });

  it('stops reading a 1 GB reply, and closes the connection', async () => {
    let written = 0;
    const chunk = Buffer.alloc(65_536, 'x');
    let closed = false;
    const outcome = await answered((response) => {
      response.writeHead(200, { 'Content-Length': 1_073_741_824 });
      response.on('close', () => {
        closed = true;
      });
      const more = () => {
        while (!closed && written < 1_073_741_824) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    });
    assert.deepEqual([outcome.status, outcome.failure], [200, null]);
    await until('the connection is closed', () => closed);
    assert.ok(written < 50 * 1_048_576, `${written} bytes were taken`);
  });

  it('reads at most 16 KiB, so a longer reply ends the attempt, and a shorter reply is read to its end', async () => {
    const reply = (bytes: number) => `HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(bytes)}`;
    failedWith(await answeredRaw(reply(16_384), () => {}), `no reply within ${TIMEOUT_MS / 1_000} s`);
    const { status, failure } = await answeredRaw(reply(16_385), () => {});
    assert.deepEqual([status, failure], [200, null]);
    await until('its connections are closed', () => sockets.size === 0);
  });

  it('fails after 8 s by default', async () => {
    let isConnected = false;
    onSocket = () => {
      isConnected = true;
    };
    const patient = openSender({ guard });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let outcome: AttemptResult | null = null;
      const sending = patient.send(rawUrl, {}, BODY, 1).then((one) => {
        outcome = one;
      });
      while (!isConnected) await turn();
      mock.timers.tick(7_999);
      await turn();
      assert.equal(outcome, null);
      mock.timers.tick(1);
      await sending;
      failedWith(outcome!, 'no reply within 8 s');
    } finally {
      mock.timers.reset();
      patient.close();
    }
  });

  it('does not unpack a gzip bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1_048_576));
    const before = process.memoryUsage().rss;
    const outcome = await answered((response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb));
    assert.deepEqual([outcome.status, outcome.failure], [200, null]);
    assert.ok(process.memoryUsage().rss - before < 48 * 1_048_576);
  });

  it('reuses an idle connection, and opens a new one if that was closed meanwhile', async () => {
    const fresh = await startReceiver();
    for (let i = 0; i < 5; i += 1) assert.equal((await send(fresh.url)).failure, null);
    assert.equal(fresh.connections(), 1);
    await fresh.close();
    let served = 0;
    // Closes each connection when it is used a second time, as a server does whose idle timeout has passed.
    onSocket = (socket) => {
      let first = true;
      let got = '';
      socket.on('data', (chunk) => {
        if (!first) return socket.resetAndDestroy();
        got += chunk;
        if (!got.endsWith(BODY.toString())) return;
        first = false;
        served += 1;
        socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    };
    for (let i = 0; i < 4; i += 1) assert.equal((await send(rawUrl)).failure, null);
    assert.equal(served, 4);
  });

  it('fails if the port is closed', async () => {
    failedWith(await send('http://127.0.0.1:1/'), 'connection refused');
  });

  it('sends a request with the URL’s host, path and query, and the whole body', async () => {
    receiver.answer = (_request, response) => response.end();
    const before = receiver.received.length;
    await send(`${receiver.url}/a%0d%0aX-Evil:%201?b=%0d%0ac&d="e"`, { 'X-Own': '1' });
    const got = receiver.received[before]!;
    assert.equal(got.path, '/hook/a%0d%0aX-Evil:%201?b=%0d%0ac&d=%22e%22');
    assert.equal(got.headers.host, `127.0.0.1:${receiver.port}`);
    assert.equal(got.headers['x-evil'], undefined);
    assert.deepEqual(
      [got.headers['content-length'], got.headers['x-own'], got.body],
      [String(BODY.length), '1', BODY.toString()],
    );
  });

  describe('over TLS', () => {
    let authority: Authority;
    let names: NameServer;
    let trusting: Sender;
    const open: Receiver[] = [];

    before(async () => {
      authority = makeAuthority();
      names = await startNameServer();
      names.answer('hooks.example.com', { a: ['127.0.0.1'] });
      const named = createGuard({ allow: ['127.0.0.1:*'], nameServers: [names.address] });
      trusting = openSender({ guard: named, timeoutMs: TIMEOUT_MS, ca: authority.ca });
    });
    after(async () => {
      trusting.close();
      for (const one of open) await one.close();
      await names.close();
      authority.remove();
    });

    async function listens(subject: string, days?: number): Promise<Receiver> {
      const one = await startReceiver(undefined, { tls: authority.sign(subject, days) });
      open.push(one);
      return one;
    }
    const sendTo = (host: string, port: number, with_ = trusting) =>
      with_.send(new URL(`https://${host}:${port}/hook`), {}, BODY, 1);

    it('accepts a valid certificate, by name and by address', async () => {
      const named = await listens('DNS:hooks.example.com');
      assert.equal((await sendTo('hooks.example.com', named.port)).failure, null);
      assert.equal(named.received[0]!.headers.host, `hooks.example.com:${named.port}`);
      const numbered = await listens('IP:127.0.0.1');
      assert.equal((await sendTo('127.0.0.1', numbered.port)).failure, null);
    });

    it('refuses a certificate that has expired, names another host or is not trusted', async () => {
      const expired = await listens('DNS:hooks.example.com', 0);
      failedWith(await sendTo('hooks.example.com', expired.port), 'the certificate has expired');
      const other = await listens('DNS:other.example.com');
      failedWith(await sendTo('hooks.example.com', other.port), 'the certificate is for another name');
      const address = await listens('DNS:hooks.example.com');
      failedWith(await sendTo('127.0.0.1', address.port), 'the certificate is for another name');
      failedWith(await send(`https://127.0.0.1:${address.port}/`), 'the certificate is not trusted');
      for (const one of [expired, other, address]) assert.equal(one.received.length, 0);
    });

    it('fails at the deadline if the handshake hangs, and fails at a port without TLS', async () => {
      onSocket = () => {};
      failedWith(await send(`https://127.0.0.1:${rawUrl.port}/`), `no reply within ${TIMEOUT_MS / 1_000} s`);
      const { failure } = await send(`https://127.0.0.1:${receiver.port}/`);
      assert.notEqual(failure, null);
    });
  });
});
