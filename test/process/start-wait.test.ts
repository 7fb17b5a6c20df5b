import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { checkPostgres, openPool } from '../../src/db/postgres.ts';
import { checkVersion, UnsupportedKafka } from '../../src/events/kafka-cluster.ts';
import { START_LIMIT_MS, StartWait } from '../../src/start-wait.ts';
import { freePorts } from '../support/free-ports.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts';
import { run, type Started, start, temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 20_000;
const SECRET_KEY = '0123456789abcdef';

describe('waiting for stores at the start', () => {
  const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  const logged: string[] = [];
  const log = (fields: object | string, text?: string) => void logged.push(text ?? String(fields));
  const logger = { info: log, warn: log };
  beforeEach(() => {
    logged.length = 0;
  });

  it('tries again until the store can be reached, and logs the outage once', async () => {
    const wait = new StartWait({ logger, retryMs: 1 });
    let calls = 0;
    const opened = wait.open('Postgres', async () => {
      calls += 1;
      if (calls < 5) throw refused();
      assert.deepEqual(wait.waitingFor(), { Postgres: 'connect ECONNREFUSED 127.0.0.1:5432' });
      return 'open';
    });
    assert.equal(await opened, 'open');
    assert.deepEqual(wait.waitingFor(), {});
    assert.deepEqual(logged, ['Postgres cannot be reached, waiting for it', 'Postgres can be reached']);
  });

  it('also gives the reason for a host with several addresses', async () => {
    const wait = new StartWait({ logger, limitMs: 0 });
    const error = Object.assign(new AggregateError([refused()], ''), { code: 'ECONNREFUSED' });
    await assert.rejects(
      wait.open('Postgres', () => Promise.reject(error)),
      /^Error: Postgres could not be reached for 0 minutes: connect ECONNREFUSED/,
    );
  });

  it('gives up after five minutes', async () => {
    assert.equal(START_LIMIT_MS, 5 * 60_000);
    const wait = new StartWait({ logger, limitMs: 30, retryMs: 10 });
    await assert.rejects(
      wait.open('Kafka', () => Promise.reject(refused())),
      /Kafka could not be reached for .* minutes: connect ECONNREFUSED/,
    );
  });

  it('does not wait if the configuration is wrong', async () => {
    const wait = new StartWait({ logger });
    const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' });
    await assert.rejects(
      wait.open('Postgres', () => Promise.reject(wrong)),
      /password authentication failed/,
    );
    assert.deepEqual(logged, []);
  });

  it('ends on a signal', async () => {
    const stop = new AbortController();
    const wait = new StartWait({ logger, signal: stop.signal });
    const waiting = wait.open('Postgres', () => Promise.reject(refused()));
    await until('it waits', () => 'Postgres' in wait.waitingFor());
    stop.abort();
    await assert.rejects(waiting, /stopped while waiting for Postgres/);
  });
});

describe('store versions', () => {
  const postgres = (version: number, recovering = false) =>
    ({ query: async () => ({ rows: [{ version, recovering }] }) }) as never;

  it('must be 15 or newer for Postgres', async () => {
    for (const version of [150_000, 150_018, 160_004, 180_001]) await checkPostgres(postgres(version));
    for (const version of [140_019, 90_624])
      await assert.rejects(checkPostgres(postgres(version)), {
        message: `Postgres ${Math.floor(version / 10_000)} is too old: Touchline needs Postgres 15 or newer`,
      });
    await assert.rejects(checkPostgres(postgres(170_000, true)), { code: '57P03' });
  });

  it('must be 2.8 or newer for Kafka, which is inferred from the requests that the broker supports', () => {
    checkVersion({ versions: { 3: { maxVersion: 11 } } });
    const older: Record<number, { maxVersion: number }>[] = [{ 3: { maxVersion: 9 } }, {}];
    for (const versions of [...older, null]) assert.throws(() => checkVersion({ versions }), UnsupportedKafka);
  });
});

describe('a role whose store is unavailable', () => {
  let postgres: OwnPostgres;
  const folder = temporaryFolder();
  const running: Started[] = [];
  before(async () => {
    postgres = await startOwnPostgres();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.interrupt()));
  });
  after(async () => {
    await postgres.close();
    folder.remove();
  });

  async function serve(env: Record<string, string>) {
    const [port] = await freePorts(1);
    const process = start(['serve', '--role', 'relay'], {
      env: { DATABASE_URL: postgres.url, SECRET_KEY, DATA_DIR: folder.path, ADMIN_PORT: String(port), ...env },
    });
    running.push(process);
    const readiness = async () => {
      const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      if (reply === null) return null;
      const state = (await reply.json()) as { ready: boolean; waiting_for?: Record<string, string> };
      return { status: reply.status, ...state };
    };
    const waitsFor = async (store: string) => {
      let reason: unknown;
      await until(
        `it waits for ${store}`,
        async () => {
          const state = await readiness();
          reason = state?.waiting_for?.[store];
          if (reason !== undefined) assert.deepEqual([state!.status, state!.ready], [503, false]);
          return reason !== undefined;
        },
        PATIENCE_MS,
      );
      return reason;
    };
    return { process, readiness, waitsFor };
  }
  const becomesReady = async ({ process, readiness }: Awaited<ReturnType<typeof serve>>) => {
    await process.until(/is ready/);
    const state = await readiness();
    assert.deepEqual([state!.status, state!.waiting_for], [200, undefined]);
  };
  const complaints = ({ process }: Awaited<ReturnType<typeof serve>>) =>
    process.errors().match(/cannot be reached/g)?.length;

  it('waits for Postgres, reports it at /readyz and once in the log, and starts when it is available', async () => {
    await postgres.stop();
    const relay = await serve({});
    assert.match(String(await relay.waitsFor('Postgres')), /connect ENOENT|ECONNREFUSED/);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await postgres.start();
    await becomesReady(relay);
    assert.equal(complaints(relay), 1);
  });

  it('waits for a standby until it is promoted', async () => {
    await postgres.stop();
    const data = join(dirname(postgres.log), 'postgres');
    writeFileSync(join(data, 'standby.signal'), '');
    await postgres.start();
    const relay = await serve({});
    assert.equal(await relay.waitsFor('Postgres'), 'Postgres is in recovery and takes no writes');
    const { code, err } = await run(['migrate'], { env: { DATABASE_URL: postgres.url } });
    assert.deepEqual(
      [code, err],
      [1, 'touchline: Postgres is in recovery and takes no writes\n'],
      'a command does not',
    );
    const pool = openPool(postgres.url, { warn: () => {} }, 1);
    await pool.query('SELECT pg_promote()');
    await pool.end();
    await becomesReady(relay);
  });

  it('ends at SIGTERM while it waits', async () => {
    const [port] = await freePorts(1);
    const relay = await serve({ DATABASE_URL: `postgres://x@127.0.0.1:${port}/x` });
    await relay.waitsFor('Postgres');
    relay.process.child.kill('SIGTERM');
    const { code, out } = await relay.process.finished;
    assert.equal(code, 0);
    assert.match(out, /Stopped/);
  });

  it('waits for Kafka', async () => {
    const [port] = await freePorts(1);
    const relay = await serve({ KAFKA_BROKERS: `127.0.0.1:${port}` });
    assert.match(String(await relay.waitsFor('Kafka')), /Kafka \(127\.0\.0\.1:\d+\) cannot be used: /);
  });

  it('ends at once if the database does not exist, or if the server is not a database', async () => {
    const url = new URL(postgres.url);
    url.pathname = '/nowhere';
    const { code, err } = await (await serve({ DATABASE_URL: url.href })).process.finished;
    assert.equal(code, 1);
    assert.match(err, /database "nowhere" does not exist/);
    assert.equal(err.trim().split('\n').length, 1);
    // A server that accepts connections but never answers counts as away, since nothing shows that it is the wrong server.
    const silent = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const relay = await serve({ DATABASE_URL: `postgres://x@127.0.0.1:${port}/x` });
    const reason = await Promise.race([relay.waitsFor('Postgres'), relay.process.finished]);
    assert.ok(reason);
    silent.close();
  });
});
