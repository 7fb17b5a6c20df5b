/**
 * Runs the chart's service with a streaming standby of Postgres (`database.readUrl`). Clients keep a ledger of what they have written
 * and seen through the ingress, and no reply may be older, whatever the standby and the pods do.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openPool } from '../../../src/db/postgres.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createKey } from '../../support/accounts.ts';
import { freePorts } from '../../support/free-ports.ts';
import { type KubeCluster, needKubeCluster, startKubeCluster } from '../../support/kube-cluster.ts';
import { LONG_FORMS } from '../../support/long-forms.ts';
import { type PostgresStandby, startPostgresStandby } from '../../support/postgres-standby.ts';
import { randomNumbers } from '../../support/random.ts';
import { ReplicaLedger } from '../../support/replica-ledger.ts';
import { OPEN, PLANS } from '../../support/replicated-service.ts';
import { until } from '../../support/until.ts';

const SEED = 5_903;
const CLIENTS = 8;
const READS = LONG_FORMS ? 100_000 : 5_000;
const LONGEST_LAG_MS = 3_000;
const ADMIN_PORT = 9090;
const PATIENCE_MS = 120_000;

describe('a ledger of writes and reads in a cluster with a standby of Postgres', function () {
  // The programs may have to be built first, which takes minutes.
  this.timeout(2_400_000);
  const random = randomNumbers(SEED);
  let cluster: KubeCluster;
  let standby: PostgresStandby;
  let key: string;
  let ledger: ReplicaLedger;
  before(async function () {
    needKubeCluster(this);
    cluster = await startKubeCluster();
    const [port] = (await freePorts(1)) as [number];
    const { adminUrl, folder } = cluster.postgres;
    standby = await startPostgresStandby(
      { url: adminUrl, data: `${folder}/postgres` },
      ['fsync=off', 'max_connections=400', 'shared_buffers=64MB', `listen_addresses=${cluster.network.host}`],
      port,
    );
    const readUrl = new URL(cluster.podDatabaseUrl);
    readUrl.port = String(port);
    const off = { enabled: false };
    await cluster.install({
      database: { readUrl: readUrl.href },
      plans: JSON.parse(PLANS),
      roles: {
        api: { replicas: 2 },
        ingest: { replicas: 1 },
        relay: { replicas: 1 },
        stream: off,
        loader: off,
        operator: off,
        jobs: off,
        dispatcher: off,
      },
    });
    const pool = openPool(cluster.databaseUrl, pino({ level: 'silent' }), 1);
    ({ key } = await createKey(pool, systemClock, { email: 'ledger@example.com', plan: 'open' }, OPEN));
    await pool.end();
    ledger = new ReplicaLedger({ feed: { url: cluster.ingress.url, token: cluster.feedToken }, ask, random });
    for (let client = 0; client < CLIENTS; client += 1) await ledger.addClient();
  });
  after(async () => {
    await standby?.close();
    await cluster?.stop();
  });

  /** True while a pod is away. Then the ingress may answer 502 or 503, and the client repeats the request. */
  let isPodAway = false;
  async function ask(path: string, position?: string): Promise<{ text: string; position: string }> {
    const headers = { 'X-API-Key': key, ...(position !== undefined && { 'Touchline-Position': position }) };
    for (;;) {
      const reply = await fetch(cluster.ingress.url + path, { headers });
      const text = await reply.text();
      if (reply.status === 200) return { text, position: reply.headers.get('touchline-position')! };
      assert.ok(isPodAway && [502, 503].includes(reply.status), `${path}: ${reply.status} ${text}`);
      await sleep(20);
    }
  }
  /** Returns how many reads the pods have sent to each target since they started. */
  async function reads(): Promise<{ replica: number; primary: number }> {
    const sum = { replica: 0, primary: 0 };
    for (const { status } of await cluster.pods('api')) {
      const text = await (await fetch(`http://${status.podIP}:${ADMIN_PORT}/metrics`)).text();
      for (const [, target, count] of text.matchAll(/^touchline_replica_reads_total\{target="(\w+)".*\} (\d+)$/gm))
        sum[target as keyof typeof sum] += Number(count);
    }
    return sum;
  }
  it('is read from the standby if the standby keeps up', async () => {
    await standby.caughtUp();
    await ledger.keep(() => ledger.reads >= 400);
    const { replica, primary } = await reads();
    assert.ok(replica > 0, `${primary} reads on the primary`);
  });

  it(`is never contradicted in ${READS} reads while the standby lags by up to ${LONGEST_LAG_MS} ms`, async () => {
    let isOver = false;
    const lagging = (async () => {
      while (!isOver) {
        await standby.delay(Math.floor(random() * LONGEST_LAG_MS));
        await sleep(500);
      }
      await standby.delay(0);
    })();
    const end = ledger.reads + READS;
    await ledger
      .keep(() => ledger.reads >= end)
      .finally(() => {
        isOver = true;
      });
    await lagging;
    console.log(`      ${ledger.goals} writes and ${ledger.reads} reads, ${JSON.stringify(await reads())}`);
  });

  it('is never contradicted while a pod of `api` is killed and replaced', async () => {
    const [pod] = await cluster.pods('api');
    isPodAway = true;
    let isOver = false;
    const keeping = ledger.keep(() => isOver);
    cluster.crash(pod!);
    await sleep(2_000);
    await until('both pods are ready', async () => (await cluster.pods('api')).length === 2, PATIENCE_MS).finally(
      () => {
        isOver = true;
      },
    );
    await keeping;
    isPodAway = false;
  });

  it('is never contradicted, and no request fails, while the standby stops replaying, ends, starts, and is promoted', async () => {
    let isOver = false;
    const keeping = ledger.keep(() => isOver);
    const causing = (async () => {
      await standby.pause();
      await sleep(1_000);
      await standby.resume();
      await sleep(500);
      await standby.stopStandby();
      await sleep(1_500);
      await standby.startStandby();
      await sleep(1_500);
      await standby.promote();
      await sleep(1_500);
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([keeping, causing]);
  });
});
