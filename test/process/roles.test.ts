import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { RoleName } from '../../src/config/config.ts';
import type { ConfigError } from '../../src/config/variable.ts';
import { readRoleConfig } from '../../src/main.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killAll, type Pod, type PodRole, podEnv, startPod } from '../support/pods.ts';
import { run, start } from '../support/process.ts';
import { until } from '../support/until.ts';

/** An address where nothing listens. */
const NO_KAFKA = '127.0.0.1:1';

describe('roles as separate processes', function () {
  this.timeout(240_000);
  let db: TestDatabase;
  let env: Record<string, string>;
  const pods: Pod[] = [];
  const begin = async (role: PodRole, over: Record<string, string> = {}) => {
    const pod = await startPod(role, { ...env, ...over });
    pods.push(pod);
    return pod;
  };
  before(async () => {
    db = await createTestDatabase('template0');
    env = podEnv(db.url);
  });
  after(async () => {
    await killAll(pods);
    await db.drop();
  });

  it('need only the role’s configuration, and report all configuration errors at once', async () => {
    const faults = async (role: RoleName) => {
      try {
        await readRoleConfig(
          { DATABASE_URL: 'postgres://x@127.0.0.1/x', PORT: 'x', TRUSTED_PROXIES: '10.0.0.0/8,ten' },
          role,
        );
      } catch (error) {
        return (error as ConfigError).faults.map((fault) => fault.split(':')[0]);
      }
      return [];
    };
    const always = ['PORT', 'TRUSTED_PROXIES'];
    assert.deepEqual(await faults('relay'), always);
    for (const role of ['all', 'api'] as const) assert.deepEqual(await faults(role), [...always, 'SECRET_KEY']);
    assert.deepEqual(await faults('stream'), always);
    assert.deepEqual(await faults('ingest'), [...always, 'FEED_TOKEN']);
  });

  it('do not wait for a migration, but report that it must be run', async () => {
    const { code, err } = await run(['serve', '--role', 'stream'], { env });
    assert.equal(code, 1);
    assert.match(err, /^touchline: the database lacks 0001_[^\n]+: run touchline migrate first\n$/);
  });

  it('leave migrations to touchline migrate, as every command does', async () => {
    const { code, err } = await run(['link-players'], { env });
    assert.equal(code, 1);
    assert.match(err, /^touchline: the database lacks 0001_[^\n]+: run touchline migrate first\n$/);
  });

  it('a migration ends at SIGTERM while it waits for an earlier migration', async () => {
    const other = await db.pool.connect();
    // Holds the migration lock, as a migration by a different version would.
    await other.query('SELECT pg_advisory_lock(7345112)');
    const migration = start(['migrate'], { env: { DATABASE_URL: db.url } });
    await migration.until(/^Another process is migrating the database: waiting for it to finish\n/);
    migration.child.kill('SIGTERM');
    const { code, err } = await migration.finished;
    assert.deepEqual([code, err], [1, 'touchline: stopped before the end: run touchline migrate again to continue\n']);
    other.release(true);
  });

  it('find a migrated database, even if two processes migrated it at once', async () => {
    const both = await Promise.all([1, 2].map(() => run(['migrate'], { env: { DATABASE_URL: db.url } })));
    assert.deepEqual(
      both.map(({ code, err }) => [code, err]),
      [
        [0, ''],
        [0, ''],
      ],
    );
  });

  it('start if they have only the stores that they need', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const [api, ingest, relay] = await Promise.all([
      begin('api', { KAFKA_BROKERS: NO_KAFKA }),
      begin('ingest', { KAFKA_BROKERS: NO_KAFKA }),
      begin('relay', { PORT: `${port}` }),
      begin('stream'),
    ]);
    taken.close();
    assert.equal(relay.url, '');
    for (const pod of pods) assert.equal((await fetch(`${pod.adminUrl}/readyz`)).status, 200, pod.role);
    assert.equal(existsSync(env.DATA_DIR!), false);

    const { key } = await createKey(db.pool, systemClock, { email: 'roles@example.com', plan: 'pro' });
    const status = async (pod: Pod, path: string) =>
      (await fetch(pod.url + path, { headers: { 'X-API-Key': key } })).status;
    assert.deepEqual(
      await Promise.all(pods.filter(({ url }) => url !== '').map((pod) => status(pod, '/v1/stream/replay?since=0'))),
      pods.filter(({ url }) => url !== '').map(({ role }) => (role === 'stream' ? 200 : 404)),
    );
    assert.deepEqual([await status(api, '/v1/sync'), await status(ingest, '/v1/sync')], [200, 404]);
    const feed = (pod: Pod) => fetch(`${pod.url}/feed/v1/updates`, { method: 'POST', body: '[]' });
    assert.deepEqual([(await feed(ingest)).status, (await feed(api)).status], [401, 404]);
    // Each role's document covers the whole service.
    const document = (await (await fetch(`${api.url}/v1/openapi.json`)).json()) as { paths: object };
    for (const path of ['/v1/stream', '/v1/sync', '/feed/v1/updates']) assert.ok(path in document.paths, path);
  });

  it('are alive but not ready until the log has been read', async () => {
    const admin = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => admin.once('listening', resolve));
    const { port } = admin.address() as { port: number };
    await new Promise((resolve) => admin.close(resolve));
    const waiting = start(['serve', '--role', 'stream'], {
      env: { ...env, KAFKA_BROKERS: NO_KAFKA, ADMIN_PORT: `${port}`, LOG_LEVEL: 'silent' },
    });
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null))?.status;
    await until('it is alive', async () => (await ask('/livez')) === 200, 20_000);
    assert.equal(await ask('/readyz'), 503);
    waiting.child.kill('SIGKILL');
    await waiting.finished;
  });

  it('stop properly on SIGTERM, each by itself', async () => {
    const ends = await Promise.all(pods.splice(0).map(async (pod) => ({ role: pod.role, ...(await pod.stop()) })));
    for (const { role, code, err, out } of ends) {
      // Here the role api has no ClickHouse and says so on standard error, which is therefore ignored.
      assert.deepEqual([code, role === 'api' ? '' : err], [0, '']);
      assert.match(out, /Stopping\nStopped\n$/);
    }
  });
});
