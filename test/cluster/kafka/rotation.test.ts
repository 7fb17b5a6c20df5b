/**
 * Rotates users, passwords and authorities of all stores under load. Each role has its own user in Postgres, with its rights only, and
 * in Kafka only the relay may write.
 */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { plansText } from '../../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../../src/accounts/plans/plans.ts';
import { startPostgres } from '../../../src/db/embedded-postgres.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createKey } from '../../support/accounts.ts';
import { makeAuthority } from '../../support/certificates.ts';
import { startClickHouseServer } from '../../support/clickhouse-server.ts';
import { freePorts } from '../../support/free-ports.ts';
import { FEED_TOKEN } from '../../support/http.ts';
import { sharedKafka, stopSharedKafka } from '../../support/kafka.ts';
import { PASSWORD, STRANGER, USER } from '../../support/kafka-listeners.ts';
import { killAll, type Pod, podEnv, startPod } from '../../support/pods.ts';
import { run, temporaryFolder } from '../../support/process.ts';
import { scoreUpdate } from '../../support/replicated-service.ts';
import { securePostgres } from '../../support/secured-postgres.ts';
import { openStream } from '../../support/stream-client.ts';
import { until } from '../../support/until.ts';

const { Kafka: Client } = createRequire(import.meta.url)('kafkajs') as typeof import('kafkajs');

const HOST = '127.0.0.1';
const ROLES = ['ingest', 'relay', 'loader', 'stream', 'api'] as const;
type Role = (typeof ROLES)[number];
/** A plan without windows. */
const PLANS = JSON.stringify({ default: 'open', plans: [{ name: 'open', title: 'Open', stream: true }] });
const OPEN = new OfferedPlans(plansText.parse(PLANS));
/** A session of the listener lasts 2 s, and is renewed earlier. */
const SESSIONS_MS = 4_000;

after(stopSharedKafka);

(process.env.KAFKA_BROKERS ? describe.skip : describe)('rotation under load', function () {
  this.timeout(240_000);
  const folder = temporaryFolder();
  const topic = `touchline.rotation.${process.pid}`;
  const undo: (() => Promise<unknown> | unknown)[] = [];
  const pods = new Map<Role, Pod>();
  const errors: string[] = [];
  let admin: pg.Pool;
  let clickhouse: Awaited<ReturnType<typeof startClickHouseServer>>;
  let databaseUrl: string;
  let ca: string;
  let key: string;
  let kafkaAdmin: ReturnType<InstanceType<typeof Client>['admin']>;

  /** Writes a file of a role as a whole, as a kubelet does. */
  function write(role: Role, name: string, text: string): string {
    mkdirSync(join(folder.path, role), { recursive: true });
    const path = join(folder.path, role, name);
    writeFileSync(`${path}.next`, `${text}\n`);
    renameSync(`${path}.next`, path);
    return path;
  }
  const urlFor = (role: Role, user: string, password: string) =>
    databaseUrl.replace(/\/\/[^@]*@/, `//${role}_${user}:${password}@`);
  const clickhouseUrl = (password: string) => clickhouse.url.replace('//', `//touchline:${password}@`);
  const login = (role: Role, user: string, password: string) =>
    admin.query(`CREATE ROLE ${role}_${user} LOGIN PASSWORD '${password}' IN ROLE touchline_${role}`);
  const acls = (operations: readonly number[]) =>
    operations.map((operation) => ({
      resourceType: 2,
      resourceName: topic,
      resourcePatternType: 3,
      principal: `User:${STRANGER}`,
      host: '*',
      operation,
      permissionType: 3,
    }));

  async function startStores() {
    const authority = makeAuthority();
    undo.push(() => authority.remove());
    ca = join(folder.path, 'ca.pem');
    writeFileSync(ca, authority.ca);
    const [port] = (await freePorts(1)) as [number];
    const { PGPORT } = process.env;
    process.env.PGPORT = String(port);
    const settings = ['fsync=off', 'shared_buffers=64MB', `listen_addresses=${HOST}`];
    const server = await startPostgres(folder.path, settings);
    if (PGPORT === undefined) delete process.env.PGPORT;
    else process.env.PGPORT = PGPORT;
    undo.push(() => server.stop());
    const at = { folder: folder.path, host: HOST, port, network: '127.0.0.1/32', authority, ca };
    const secured = await securePostgres(`${server.url}&port=${port}`, at);
    databaseUrl = secured.url();
    const migrated = await run(['migrate', '--grants'], { env: { DATABASE_URL: secured.admin } });
    assert.equal(migrated.code, 0, migrated.err);
    admin = new pg.Pool({ connectionString: secured.admin, max: 2 });
    admin.on('error', () => {});
    undo.push(() => admin.end());
    clickhouse = await startClickHouseServer(HOST, authority.sign(`IP:${HOST}`));
    undo.push(() => clickhouse.stop());
    await clickhouse.setUsers({ touchline: ['c1'] });
  }

  before(async () => {
    const kafka = await sharedKafka();
    await startStores();
    ({ key } = await createKey(admin, systemClock, { email: 'r@example.com', plan: 'open' }, OPEN));
    kafkaAdmin = new Client({ brokers: [kafka.broker], logLevel: 0 }).admin();
    await kafkaAdmin.connect();
    undo.push(() => kafkaAdmin.disconnect());
    await kafkaAdmin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
    const [read, describe, describeConfigs] = [3, 8, 10];
    await kafkaAdmin.createAcls({ acl: acls([read, describe, describeConfigs]) });
    const common = podEnv('', {
      KAFKA_BROKERS: kafka.secured!.brokers.short,
      KAFKA_TOPIC: topic,
      KAFKA_TLS: '1',
      KAFKA_CA_FILE: kafka.secured!.tls.kafkaCaFile!,
      KAFKA_SASL: 'scram-sha-512',
      LOG_LEVEL: 'warn',
      PLANS,
    });
    const { DATABASE_URL: _, CLICKHOUSE_URL: __, ...env } = common;
    for (const role of ROLES) {
      await login(role, 'one', 'p1');
      pods.set(
        role,
        await startPod(role, {
          ...env,
          DATABASE_URL_FILE: write(role, 'database', urlFor(role, 'one', 'p1')),
          CLICKHOUSE_URL_FILE: write(role, 'clickhouse', clickhouseUrl('c1')),
          CLICKHOUSE_CA_FILE: ca,
          KAFKA_USERNAME_FILE: write(role, 'username', role === 'relay' ? USER : STRANGER),
          KAFKA_PASSWORD_FILE: write(role, 'password', PASSWORD),
        }),
      );
    }
    undo.push(() => killAll(pods.values()));
  });
  after(async () => {
    for (const step of undo.reverse()) await step();
    folder.remove();
  });

  const url = (role: Role) => pods.get(role)!.url;
  async function send(goals: number): Promise<void> {
    const start = new Date(Date.now() - 600_000).toISOString().replace(/\.\d+/, '');
    const reply = await fetch(`${url('ingest')}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
      body: scoreUpdate({ match: 1, goals, observed: Date.now(), start }),
    });
    const text = await reply.text();
    if (reply.status !== 200 || !text.includes('"rejected":[]')) errors.push(`feed: ${reply.status} ${text}`);
  }
  /** Number of reads that have not ended. */
  let open = 0;
  async function read(path: string): Promise<void> {
    open += 1;
    const reply = await fetch(url('api') + path, { headers: { 'X-API-Key': key } });
    const text = await reply.text();
    open -= 1;
    if (reply.status !== 200) errors.push(`${path}: ${reply.status} ${text}`);
  }

  it('of users and passwords causes no error, and no event is lost', async () => {
    const stream = await openStream(`${url('stream')}/v1/stream`, { 'X-API-Key': key });
    assert.equal(stream.status, 200);
    await until(
      'ClickHouse is open',
      async () => {
        const reply = await fetch(`${url('api')}/v1/account/usage`, { headers: { 'X-API-Key': key } });
        await reply.arrayBuffer();
        return reply.status === 200;
      },
      60_000,
    );
    let goals = 0;
    let isOver = false;
    let isPaused = false;
    /** Ends the connections of api, which then opens new ones with the credentials of that time. */
    const reconnect = async () => {
      isPaused = true;
      await until('no read is open', () => open === 0, 20_000);
      const ended = await admin.query<{ pid: number }>(
        "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'api\\_%'",
      );
      const pids = ended.rows.map(({ pid }) => pid);
      await until('the connections have ended', async () => {
        const { rowCount } = await admin.query('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [pids]);
        return rowCount === 0;
      });
      // The process learns of that a moment later.
      await sleep(500);
      isPaused = false;
    };
    const feeding = (async () => {
      while (!isOver) {
        await send(goals);
        goals += 1;
        await sleep(20);
      }
    })();
    const reading = ['/v1/events/live', '/v1/account/usage', '/v1/sync', '/v1/search?q=home'].map(async (path) => {
      while (!isOver) {
        await Promise.all(Array.from({ length: isPaused ? 0 : 4 }, () => read(path)));
        await sleep(50);
      }
    });
    await sleep(1_000);

    // Passwords: the file first, then the store.
    for (const role of ROLES) write(role, 'database', urlFor(role, 'one', 'p2'));
    for (const role of ROLES) write(role, 'clickhouse', clickhouseUrl('c2'));
    await reconnect();
    await sleep(1_000);
    for (const role of ROLES) await admin.query(`ALTER ROLE ${role}_one PASSWORD 'p2'`);
    await clickhouse.setUsers({ touchline: ['c2'] });
    await reconnect();
    await sleep(2_000);

    // Users: the new ones get their rights first, and the former ones lose them at the end.
    for (const role of ROLES) {
      await login(role, 'two', 'p3');
      write(role, 'database', urlFor(role, 'two', 'p3'));
      write(role, 'username', USER);
    }
    await reconnect();
    await sleep(SESSIONS_MS);
    for (const role of ROLES) await admin.query(`ALTER ROLE ${role}_one NOLOGIN`);
    await kafkaAdmin.deleteAcls({ filters: acls([3, 8, 10]) });
    await sleep(SESSIONS_MS);

    isOver = true;
    await Promise.all([feeding, ...reading]);
    assert.deepEqual(errors.slice(0, 5), []);
    const arrived = () => stream.frames().filter(({ event }) => event === 'match.score_changed').length;
    await until('all goals have arrived', () => arrived() >= goals - 1, 20_000);
    assert.equal(arrived(), goals - 1);
    const ids = stream.frames().flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => one - other),
    );
    stream.close();
    const { rows } = await admin.query("SELECT DISTINCT usename FROM pg_stat_activity WHERE usename LIKE '%\\_two'");
    assert.ok(
      rows.some(({ usename }) => usename === 'api_two'),
      JSON.stringify(rows),
    );
    for (const [role, { started }] of pods)
      assert.doesNotMatch(started.output() + started.errors(), /"level":[56]0/, role);
  });
});
