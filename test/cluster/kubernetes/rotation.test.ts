/** Changes Secrets of stores under load in a cluster. Pods read them from files, so none restarts. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { openPool } from '../../../src/db/postgres.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createKey } from '../../support/accounts.ts';
import { type KubeCluster, needKubeCluster, startKubeCluster } from '../../support/kube-cluster.ts';
import { liveMatches } from '../../support/live-matches.ts';
import { openStream } from '../../support/stream-client.ts';
import { until } from '../../support/until.ts';

const ROLES = ['api', 'stream', 'ingest', 'relay', 'loader'] as const;
const PATIENCE_MS = 120_000;

describe('changed Secrets in a cluster', function () {
  // The programs may have to be built first, which takes minutes.
  this.timeout(2_400_000);
  let cluster: KubeCluster;
  let pool: pg.Pool;
  let key: string;
  const errors: string[] = [];
  before(async function () {
    needKubeCluster(this);
    cluster = await startKubeCluster();
    const off = { enabled: false };
    await cluster.install({
      roles: {
        ...Object.fromEntries(ROLES.map((role) => [role, { replicas: 1 }])),
        operator: off,
        jobs: off,
        dispatcher: off,
      },
    });
    pool = openPool(cluster.databaseUrl, pino({ level: 'silent' }), 1);
    ({ key } = await createKey(pool, systemClock, { email: 'rotation@example.com', plan: 'business' }));
  });
  after(async () => {
    await pool?.end();
    await cluster?.stop();
  });

  const pods = async () =>
    (await Promise.all(ROLES.map((role) => cluster.pods(role)))).flat().map(({ metadata, status }) => ({
      uid: metadata.uid,
      restarts: status.containerStatuses.map(({ restartCount }: { restartCount: number }) => restartCount),
    }));
  async function read(path: string): Promise<void> {
    const reply = await fetch(cluster.ingress.url + path, { headers: { 'X-API-Key': key } });
    const text = await reply.text();
    if (reply.status !== 200) errors.push(`${path}: ${reply.status} ${text}`);
  }
  async function send(goals: number): Promise<void> {
    const reply = await fetch(`${cluster.ingress.url}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${cluster.feedToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(liveMatches('rotation', 1, goals)),
    });
    const text = await reply.text();
    if (reply.status !== 200 || !text.includes('"rejected":[]')) errors.push(`feed: ${reply.status} ${text}`);
  }
  /** Runs a command in the pod of api, which connects with what the files have then. */
  async function command(): Promise<void> {
    const [pod] = await cluster.pods('api');
    cluster.exec(pod!, ['/node/node', '/app/bin/touchline.js', 'migrate', '--check']);
  }

  it('reach the pods without a restart, an error or a lost event', async () => {
    const before = await pods();
    assert.equal(before.length, ROLES.length);
    await until(
      'ClickHouse is open',
      async () => {
        const { status } = await fetch(`${cluster.ingress.url}/v1/account/usage`, { headers: { 'X-API-Key': key } });
        return status === 200;
      },
      PATIENCE_MS,
    );
    const stream = await openStream(`${cluster.ingress.url}/v1/stream`, { 'X-API-Key': key });
    assert.equal(stream.status, 200);
    let goals = 0;
    let isOver = false;
    const load = [
      async () => {
        await send(goals);
        goals += 1;
      },
      () => read('/v1/events/live'),
      () => read('/v1/account/usage'),
      () => read('/v1/sync'),
    ].map(async (work) => {
      while (!isOver) {
        await work();
        await sleep(200);
      }
    });
    const postgresUrl = new URL(cluster.podDatabaseUrl);
    const clickhouseUrl = (password: string) => cluster.clickhouse.url.replace('//', `//touchline:${password}@`);
    await cluster.changeSecret('touchline-clickhouse', { url: clickhouseUrl('c1') });
    await cluster.clickhouse.setUsers({ touchline: ['c1'] });
    await sleep(1_000);

    postgresUrl.password = 'a-new-password';
    await cluster.changeSecret('touchline-postgres', { url: postgresUrl.href });
    await cluster.changeSecret('touchline-clickhouse', { url: clickhouseUrl('c2') });
    await sleep(1_000);
    await pool.query("ALTER ROLE CURRENT_USER PASSWORD 'a-new-password'");
    await cluster.clickhouse.setUsers({ touchline: ['c2'] });
    await sleep(1_000);
    await command();

    isOver = true;
    await Promise.all(load);
    assert.deepEqual(errors.slice(0, 5), []);
    assert.deepEqual(await pods(), before);
    const missing = () =>
      Array.from({ length: goals }, (_, count) => `"score":${count}}`).filter((one) => !stream.text().includes(one));
    await until('all goals have arrived', () => missing().length === 0, 30_000);
    stream.close();
  });
});
