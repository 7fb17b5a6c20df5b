import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { LeaseLost } from '../../src/db/lease.ts';
import { jobLease } from '../../src/jobs/job.ts';
import { addJob } from '../../src/jobs/queries.ts';
import { backoff } from '../../src/sources/backoff.ts';
import { requestJson } from '../../src/sources/request.ts';
import { type RequestResult, Source } from '../../src/sources/source.ts';
import { SourceError } from '../../src/sources/source-error.ts';
import { makeAuthority } from '../support/certificates.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a source’s back-off', () => {
  it('doubles the pause after each failure up to an hour, and respects Retry-After up to a day', () => {
    assert.deepEqual(
      [1, 2, 3, 6, 7, 50].map((failures) => Math.round(backoff(failures, null, HOUR, 0.5) / MINUTE)),
      [1, 2, 4, 32, 60, 60],
    );
    assert.deepEqual([backoff(1, null, HOUR, 0), backoff(1, null, HOUR, 1)].map(Math.round), [48_000, 72_000]);
    assert.equal(backoff(1, 2 * HOUR, HOUR, 0.5), 2 * HOUR);
    assert.equal(backoff(1, 40 * DAY, HOUR, 0.5), DAY);
    assert.equal(backoff(9, 1_000, HOUR, 0.5), HOUR);
  });
});

describe('requests to a source', () => {
  let server: ReturnType<typeof createServer>;
  let url: URL;
  let seen: IncomingHttpHeaders;
  let answer: (response: ServerResponse) => void;
  before(async () => {
    server = createServer(({ headers }, response) => {
      seen = headers;
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  after(() => new Promise((resolve) => server.close(resolve)));
  const ask = (options: Partial<Parameters<typeof requestJson>[1]> = {}) =>
    requestJson(url, { stopped: new AbortController().signal, ...options });
  const MODIFIED = 'Wed, 01 May 2024 12:00:00 GMT';

  it('return the JSON with the validators, and send the validators with the next request', async () => {
    answer = (response) => response.writeHead(200, { ETag: '"7"', 'Last-Modified': MODIFIED }).end('{"a":1}');
    const reply = await ask();
    const { sourceTime, ...rest } = reply!;
    assert.deepEqual(rest, { json: { a: 1 }, validators: { etag: '"7"', lastModified: MODIFIED } });
    assert.ok(Math.abs(sourceTime! - Date.now()) < 60_000);
    assert.deepEqual([seen['if-none-match'], seen['if-modified-since']], [undefined, undefined]);
    answer = (response) => response.writeHead(304).end();
    assert.equal(await ask({ previous: reply!.validators }), null);
    assert.deepEqual([seen['if-none-match'], seen['if-modified-since']], ['"7"', MODIFIED]);
  });

  it('fail if an unconditional request gets 304, or if the reply is larger than the limit', async () => {
    answer = (response) => response.writeHead(304).end();
    await assert.rejects(ask(), /status 304/);
    answer = (response) => response.end('[1,2,3]');
    await assert.rejects(ask({ maxBytes: 6 }), /more than 6 bytes/);
    assert.deepEqual((await ask({ maxBytes: 7 }))?.json, [1, 2, 3]);
  });
});

describe('a request over TLS', () => {
  it('treats a server with a wrong certificate as unreachable, and gives the reason', async () => {
    const authority = makeAuthority();
    const { key, cert } = authority.sign('DNS:other.example');
    const server = createSecureServer({ key, cert }, (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await assert.rejects(
      requestJson(url, { stopped: new AbortController().signal }),
      (error) => error instanceof SourceError && error.kind === 'unreachable' && /no answer: \S+/.test(error.message),
    );
    await new Promise((resolve) => server.close(resolve));
    authority.remove();
  });
});

describe('a source', () => {
  const LEASE = jobLease('asking');
  let db: TestDatabase;
  let now: number;
  let counted: RequestResult[];
  let lines: string[];
  before(async () => {
    db = await createTestDatabase();
    await addJob(db.pool, 'asking', Date.now());
  });
  after(() => db.drop());
  beforeEach(async () => {
    await db.pool.query('DELETE FROM source; DELETE FROM source_budget');
    now = Date.parse('2024-05-01T12:00:00Z');
    counted = [];
    lines = [];
  });

  /** Opens the source in a new process, which takes the lease. */
  async function open(name = 'one', dailyRequests = 4): Promise<Source> {
    await db.pool.query("UPDATE job SET expires_at = '-infinity'");
    const generation = (await LEASE.take(db.pool, 'test'))!;
    return new Source({
      name,
      dailyRequests,
      clock: { now: () => now },
      logger: pino({}, { write: (line: string) => lines.push(JSON.parse(line).msg) }),
      count: (outcome) => counted.push(outcome),
      failed: 'failed',
      recovered: 'recovered',
      transact: (work) => LEASE.transaction(db.pool, generation, work),
    });
  }
  const fail = (source: Source, ...fault: ConstructorParameters<typeof SourceError>) =>
    source.ask(async () => {
      throw new SourceError(...fault);
    });

  it('has its own daily budget, which a restart does not reset', async () => {
    let source = await open();
    assert.deepEqual(
      [await source.take(1, 0.5), await source.take(1, 0.5), await source.take(1, 0.5)],
      [true, true, false],
    );
    source = await open();
    assert.deepEqual([await source.take(3), await source.take(2), await source.take()], [false, true, false]);
    assert.equal(await (await open('two')).take(4), true);
    now += DAY;
    assert.equal(await (await open()).take(4), true);
  });

  it('backs off after a failure, also in another process, and recovers', async () => {
    await fail(await open(), 'unreachable', 'down');
    const source = await open();
    assert.equal(await source.isBlocked(), true);
    now += 2 * MINUTE;
    assert.equal(await source.isBlocked(), false);
    await fail(source, 'unreachable', 'down', 2 * HOUR);
    now += 2 * HOUR - 1;
    assert.equal(await source.isBlocked(), true);
    now += 1;
    assert.equal(await source.isBlocked(), false);
    assert.deepEqual(await source.ask(async () => 7), { reply: 7 });
    assert.deepEqual(await source.ask(async () => null), { reply: null });
    assert.equal(await source.isBlocked(), false);
    assert.deepEqual(counted, ['unreachable', 'unreachable', 'ok', 'unchanged']);
    assert.deepEqual(lines, ['failed', 'failed', 'recovered']);
  });

  it('is not blocked by a refusal, or by an error in the service itself', async () => {
    const source = await open();
    const answer = await fail(source, 'refused', 'no');
    assert.ok('fault' in answer && answer.fault.message === 'no');
    await assert.rejects(
      source.ask(async () => {
        throw new Error('ours');
      }),
      /ours/,
    );
    assert.equal(await source.isBlocked(), false);
    assert.deepEqual(counted, ['refused']);
  });

  it('accepts requests only from the process that holds the lease', async () => {
    const former = await open();
    const source = await open();
    await assert.rejects(former.isBlocked(), LeaseLost);
    await assert.rejects(former.take(), LeaseLost);
    await assert.rejects(fail(former, 'unreachable', 'down'), LeaseLost);
    assert.equal(await source.take(4), true);
  });
});
