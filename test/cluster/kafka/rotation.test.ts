/**
 * Rotates users, passwords and authorities of all stores under load. Each role has its own user in Postgres, with its rights only, and
 * in Kafka only the relay may write.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import pg from 'pg';
import { plansText } from '../../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../../src/accounts/plans/plans.ts';
import { postgresUrl } from '../../../src/config/postgres-url.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createKey } from '../../support/accounts.ts';
import { type Authority, makeAuthority } from '../../support/certificates.ts';
import { startClickHouseServer } from '../../support/clickhouse-server.ts';
import { freePorts } from '../../support/free-ports.ts';
import { FEED_TOKEN } from '../../support/http.ts';
import { type Kafka, sharedKafka, stopSharedKafka } from '../../support/kafka.ts';
import { PASSWORD, STRANGER, USER } from '../../support/kafka-listeners.ts';
import { killAll, type Pod, podEnv, startPod } from '../../support/pods.ts';
import { startPostgresOn } from '../../support/postgres-standby.ts';
import { run, temporaryFolder } from '../../support/process.ts';
import { scoreUpdate } from '../../support/replicated-service.ts';
import { type SecuredPostgres, securePostgres } from '../../support/secured-postgres.ts';
import { openStream } from '../../support/stream-client.ts';
import { until } from '../../support/until.ts';

const { Kafka: Client } = createRequire(import.meta.url)('kafkajs') as typeof import('kafkajs');

const HOST = '127.0.0.1';
const ROLES = ['ingest', 'relay', 'loader', 'stream', 'api'] as const;
type Role = (typeof ROLES)[number];
const STORES = ['postgres', 'clickhouse', 'kafka'] as const;
type Store = (typeof STORES)[number];
/** A plan without windows. */
const PLANS = JSON.stringify({ default: 'open', plans: [{ name: 'open', title: 'Open', stream: true }] });
const OPEN = new OfferedPlans(plansText.parse(PLANS));
/** A session of the listener lasts 2 s, and is renewed earlier. */
const SESSIONS_MS = 4_000;
/** A logged error. The test ends connections to Postgres in the middle of what relay and loader do, and they may say so. */
const LOGGED = /"level":[56]0(?!.*(is not queryable|onnection terminated|terminating connection))/;
const BROKER = { type: 4, name: '1' };

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
  let secured: SecuredPostgres;
  let kafka: Kafka;
  /** The authorities of the stores at the start. */
  let former: Record<Store, Authority>;
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
  /** Writes the file with the authorities that a role trusts. */
  const trust = (role: Role, store: Store, authorities: Authority[]) =>
    write(role, `${store}.pem`, authorities.map((one) => one.ca).join(''));
  const urlFor = (role: Role, user: string, password: string) =>
    secured
      .url({ sslmode: 'verify-full', sslrootcert: join(folder.path, role, 'postgres.pem') })
      .replace(/\/\/[^@]*@/, `//${role}_${user}:${password}@`);
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
    former = { postgres: authority, clickhouse: authority, kafka: kafka.secured!.authority };
    const [port] = (await freePorts(1)) as [number];
    const settings = ['fsync=off', 'shared_buffers=64MB', `listen_addresses=${HOST}`];
    const server = await startPostgresOn(port, folder.path, settings);
    undo.push(() => server.stop());
    const at = { folder: folder.path, host: HOST, port, network: '127.0.0.1/32', authority, ca: '' };
    secured = await securePostgres(server.url, at);
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
    kafka = await sharedKafka();
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
      KAFKA_SASL: 'scram-sha-512',
      LOG_LEVEL: 'warn',
      PLANS,
    });
    const { DATABASE_URL: _, CLICKHOUSE_URL: __, ...env } = common;
    for (const role of ROLES) {
      await login(role, 'one', 'p1');
      trust(role, 'postgres', [former.postgres]);
      pods.set(
        role,
        await startPod(role, {
          ...env,
          DATABASE_URL_FILE: write(role, 'database', urlFor(role, 'one', 'p1')),
          CLICKHOUSE_URL_FILE: write(role, 'clickhouse', clickhouseUrl('c1')),
          CLICKHOUSE_CA_FILE: trust(role, 'clickhouse', [former.clickhouse]),
          KAFKA_CA_FILE: trust(role, 'kafka', [former.kafka]),
          KAFKA_USERNAME_FILE: write(role, 'username', role === 'relay' ? USER : STRANGER),
          KAFKA_PASSWORD_FILE: write(role, 'password', PASSWORD),
        }),
      );
    }
    undo.push(() => killAll(pods.values()));
    // The usage on these days is in ClickHouse, which api therefore asks at each request for usage.
    await admin.query('INSERT INTO usage_moved SELECT current_date + days, 1 FROM generate_series(-1, 1) days');
    const usage = () => request(`${url('api')}/v1/account/usage`, { headers: { 'X-API-Key': key } });
    await until('ClickHouse is open', async () => (await usage()).text.includes('"complete":true'), 60_000);
  });
  after(async () => {
    for (const step of undo.reverse()) await step();
    folder.remove();
  });

  const url = (role: Role) => pods.get(role)!.url;
  let goals = 0;
  /** Number of requests that have not ended. */
  let open = 0;
  let isPaused = false;
  async function request(address: string, init: RequestInit): Promise<{ status: number; text: string }> {
    open += 1;
    const reply = await fetch(address, init);
    const text = await reply.text();
    open -= 1;
    return { status: reply.status, text };
  }
  async function send(): Promise<void> {
    const start = new Date(Date.now() - 600_000).toISOString().replace(/\.\d+/, '');
    const { status, text } = await request(`${url('ingest')}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
      body: scoreUpdate({ match: 1, goals, observed: Date.now(), start }),
    });
    goals += 1;
    if (status !== 200 || !text.includes('"rejected":[]')) errors.push(`feed: ${status} ${text}`);
  }
  async function read(path: string): Promise<void> {
    const { status, text } = await request(url('api') + path, { headers: { 'X-API-Key': key } });
    // Without ClickHouse, the usage is incomplete.
    if (status !== 200 || text.includes('"complete":false')) errors.push(`${path}: ${status} ${text}`);
  }

  /** Ends the connections of these roles to Postgres. The roles then open new ones with the files of that time. */
  async function reconnect(roles: readonly Role[]): Promise<void> {
    isPaused = true;
    await until('no request is open', () => open === 0, 20_000);
    const ended = await admin.query<{ pid: number }>(
      'SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename ~ $1',
      [`^(${roles.join('|')})_`],
    );
    const pids = ended.rows.map(({ pid }) => pid);
    await until('the connections have ended', async () => {
      const { rowCount } = await admin.query('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [pids]);
      return rowCount === 0;
    });
    // The process learns of that a moment later.
    await sleep(500);
    isPaused = false;
  }

  /** Reads and sends goals while `rotate` runs. Checks that no request fails, and that each goal arrives once. */
  async function underLoad(rotate: () => Promise<void>): Promise<void> {
    const stream = await openStream(`${url('stream')}/v1/stream`, { 'X-API-Key': key });
    assert.equal(stream.status, 200);
    const first = Math.max(goals, 1);
    let isOver = false;
    const feeding = (async () => {
      while (!isOver) {
        if (!isPaused) await send();
        await sleep(20);
      }
    })();
    const reading = ['/v1/events/live', '/v1/account/usage', '/v1/sync', '/v1/search?q=home'].map(async (path) => {
      while (!isOver) {
        await Promise.all(Array.from({ length: isPaused ? 0 : 4 }, () => read(path)));
        // An account may send at most 600 requests in a minute about itself.
        await sleep(path === '/v1/account/usage' ? 500 : 50);
      }
    });
    try {
      await sleep(1_000);
      await rotate();
    } finally {
      isOver = true;
      await Promise.all([feeding, ...reading]);
    }
    assert.deepEqual(errors.slice(0, 5), []);
    const arrived = () => stream.frames().filter(({ event }) => event === 'match.score_changed').length;
    await until('all goals have arrived', () => arrived() >= goals - first, 20_000);
    assert.equal(arrived(), goals - first);
    const ids = stream.frames().flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
    const increasing = [...new Set(ids)].toSorted((one, other) => one - other);
    assert.deepEqual(ids, increasing);
    stream.close();
    for (const [role, { started }] of pods) {
      assert.equal(started.child.exitCode, null, role);
      assert.doesNotMatch(`${role}: ${started.output()}${started.errors()}`, LOGGED);
    }
  }

  it('users and passwords change without an error or a lost event', async () => {
    await underLoad(async () => {
      // Passwords: the file first, then the store.
      for (const role of ROLES) write(role, 'database', urlFor(role, 'one', 'p2'));
      for (const role of ROLES) write(role, 'clickhouse', clickhouseUrl('c2'));
      await reconnect(['api']);
      await sleep(1_000);
      for (const role of ROLES) await admin.query(`ALTER ROLE ${role}_one PASSWORD 'p2'`);
      await clickhouse.setUsers({ touchline: ['c2'] });
      await reconnect(['api']);
      await sleep(2_000);

      // Users: the new ones get their rights first, and the former ones lose them at the end.
      for (const role of ROLES) {
        await login(role, 'two', 'p3');
        write(role, 'database', urlFor(role, 'two', 'p3'));
        write(role, 'username', USER);
      }
      await reconnect(['api']);
      await sleep(SESSIONS_MS);
      for (const role of ROLES) await admin.query(`ALTER ROLE ${role}_one NOLOGIN`);
      await kafkaAdmin.deleteAcls({ filters: acls([3, 8, 10]) });
      await sleep(SESSIONS_MS);
    });
    const { rowCount } = await admin.query("SELECT FROM pg_stat_activity WHERE usename = 'api_two'");
    assert.ok(rowCount);
  });

  /** Connects to a store as a client that trusts only this authority. */
  async function connectTrusting({ ca }: Authority, store: Store): Promise<void> {
    if (store === 'postgres') {
      const file = write('api', 'check.pem', ca);
      const client = new pg.Client(postgresUrl.parse(secured.url({ sslmode: 'verify-full', sslrootcert: file })));
      await client.connect();
      await client.end();
      return;
    }
    const { port } = new URL(store === 'clickhouse' ? clickhouse.url : `kafka://${kafka.secured!.brokers.short}`);
    const socket = tls.connect({ host: HOST, port: Number(port), ca });
    await once(socket, 'secureConnect');
    socket.destroy();
  }
  // Postgres sends the authority with its certificate if it knows the authority, the others do not.
  const code = /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN)$/;
  const assertRefused = (authority: Authority, store: Store) =>
    assert.rejects(connectTrusting(authority, store), { code });

  /** Gives each server a certificate of this authority. */
  async function renewCertificates(authority: Authority): Promise<void> {
    const sign = () => authority.sign(`IP:${HOST}`);
    await secured.renew(sign());
    await clickhouse.renew(sign());
    const name = 'listener.name.short.ssl.keystore.location';
    const value = kafka.secured!.keyStore('renewed.pem', sign());
    const configure = (configEntries: { name: string; value: string }[]) =>
      kafkaAdmin.alterConfigs({ validateOnly: false, resources: [{ ...BROKER, configEntries }] });
    await configure([{ name, value }]);
    // Other tests use the same broker.
    undo.push(() => configure([]));
    for (const store of STORES) {
      const isAccepted = async () =>
        (await Promise.allSettled([connectTrusting(authority, store)]))[0].status === 'fulfilled';
      await until(`${store} has the new certificate`, isAccepted);
    }
  }

  it('authorities and certificates change without an error or a lost event', async () => {
    const next = makeAuthority();
    undo.push(() => next.remove());
    const trustAll = (authorities: (store: Store) => Authority[]) => {
      for (const role of ROLES) for (const store of STORES) trust(role, store, authorities(store));
    };
    await underLoad(async () => {
      for (const store of STORES) await connectTrusting(former[store], store);
      for (const store of STORES) await assertRefused(next, store);
      trustAll((store) => [former[store], next]);
      await reconnect(['api']);
      await sleep(SESSIONS_MS);

      await renewCertificates(next);
      await reconnect(['api']);
      await sleep(SESSIONS_MS);

      trustAll(() => [next]);
      const { rows } = await admin.query<{ now: Date }>('SELECT now()');
      await reconnect(ROLES);
      await sleep(SESSIONS_MS);
      for (const store of STORES) await assertRefused(former[store], store);
      await until('all roles have connected anew', async () => {
        const connected = await admin.query<{ role: string; since: Date }>(
          `SELECT split_part(usename, '_', 1) AS role, min(backend_start) AS since
           FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE ssl AND usename LIKE '%\\_%' GROUP BY role`,
        );
        const anew = connected.rows.filter(({ since }) => since > rows[0]!.now).map(({ role }) => role);
        return ROLES.every((role) => anew.includes(role));
      });
    });
  });
});
