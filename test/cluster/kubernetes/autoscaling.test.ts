/**
 * Tests the chart's autoscalers on a real control plane. Its controller reads our metrics from a real Prometheus, by
 * the rules that the chart ships. Streams neither lose nor repeat events while pods come and go. The installation was
 * upgraded from the previous release. At the end it loses its stores, and the commands in docs/operations.md restore
 * it.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import type pg from 'pg';
import { pino } from 'pino';
import { migratePostgres } from '../../../src/db/migrate.ts';
import { openPool } from '../../../src/db/postgres.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createKey } from '../../support/accounts.ts';
import { RELEASE_0_1_0 } from '../../support/chart.ts';
import type { Resource } from '../../support/kube-api.ts';
import { type KubeCluster, NAMESPACE, needKubeCluster, startKubeCluster } from '../../support/kube-cluster.ts';
import { liveMatches } from '../../support/live-matches.ts';
import { LONG_FORMS } from '../../support/long-forms.ts';
import { type MetricsAdapter, startMetricsAdapter } from '../../support/metrics-adapter.ts';
import { type Prometheus, startPrometheus, whyNoPrometheus } from '../../support/prometheus.ts';
import { restoreRunbook } from '../../support/restore-runbook.ts';
import { eventSource, type Received, type Source } from '../../support/stream-client.ts';
import { testMigrations } from '../../support/test-migrations.ts';
import { until } from '../../support/until.ts';

const CLIENTS = LONG_FORMS ? 10_000 : 200;
/** Number of clients that connect within a tenth of a second. */
const ARRIVALS = 50;
const MATCHES = 4;
const PATIENCE_MS = LONG_FORMS ? 600_000 : 180_000;
/** The autoscaler changes the number of pods at once. */
const AT_ONCE = { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 100, periodSeconds: 5 }] };
/** The autoscaler does not remove pods during an update, in which twice as many pods share the same streams. */
const behavior = { scaleUp: AT_ONCE };
const PLAN = {
  // This plan replaces the built-in plan with that name, and allows more streams.
  name: 'business',
  title: 'A crowd',
  price: { amount: 0, currency: 'EUR' },
  stream: true,
  connections: 20_000,
  publishable_connections: 20_000,
};

const LAST_MIGRATION_OF_0_1_0 = '0062_participant_pairs.sql';
/** First four pods are needed, and later only two. */
const BUSY = { targets: { cpu: null, connections: CLIENTS / 4 } };
const QUIET = { targets: { cpu: null, connections: CLIENTS }, behavior: { scaleUp: AT_ONCE, scaleDown: AT_ONCE } };

describe('autoscaling', function () {
  // The programs may have to be built first, which takes minutes.
  this.timeout(2_400_000);
  let cluster: KubeCluster;
  let prometheus: Prometheus;
  let adapter: MetricsAdapter;
  let pool: pg.Pool;
  let key: string;
  let secret: string;
  const clients: Source[] = [];

  const valuesOf = (stream: object, more: object = {}) => ({
    drain: { delaySeconds: 1, spreadSeconds: LONG_FORMS ? 20 : 3 },
    plans: { default: PLAN.name, plans: [PLAN] },
    roles: {
      api: { replicas: 1, autoscaling: { enabled: true, minReplicas: 1, behavior } },
      stream: { autoscaling: { enabled: true, maxReplicas: 4, behavior, ...stream } },
      ingest: {
        autoscaling: {
          enabled: true,
          minReplicas: 1,
          maxReplicas: 3,
          targets: { cpu: null, batchesInWork: 0.01 },
          behavior,
        },
      },
      dispatcher: { autoscaling: { enabled: true, behavior } },
      relay: { replicas: 1 },
      loader: { enabled: false },
      jobs: { enabled: false },
    },
    ...more,
  });

  before(async function () {
    needKubeCluster(this, whyNoPrometheus());
    cluster = await startKubeCluster({ log: (line) => process.env.LOG_LEVEL === 'debug' && console.log(line) });
    prometheus = await startPrometheus(cluster.api, NAMESPACE);
    adapter = await startMetricsAdapter(cluster.api, prometheus, cluster.network.host);
    pool = openPool(cluster.databaseUrl, pino({ level: 'silent' }));
    await upgradeFromPrevious();
    const account = { email: 'crowd@example.com', plan: PLAN.name };
    ({ key } = await createKey(pool, systemClock, { ...account, kind: 'pk' }));
    ({ key: secret } = await createKey(pool, systemClock, account));
  });
  /** Installs the previous release's chart, with its schema, and upgrades to this one. */
  async function upgradeFromPrevious(): Promise<void> {
    const { folder, remove } = testMigrations({}, LAST_MIGRATION_OF_0_1_0);
    await migratePostgres(pool, { folder }).finally(remove);
    const { drain, plans } = valuesOf(BUSY);
    const roles = {
      api: { replicas: 1 },
      relay: { replicas: 1 },
      loader: { enabled: false },
      jobs: { enabled: false },
    };
    await cluster.install({ drain, plans, roles }, RELEASE_0_1_0);
    assert.deepEqual(await replicasDuring(['stream'], () => cluster.install(valuesOf(BUSY))), { stream: [2] });
  }
  /** Returns how many pods the Deployments of these roles should have had while `work` ran. */
  async function replicasDuring(roles: string[], work: () => Promise<void>) {
    let working = true;
    const watch = async (role: string) => {
      const seen = new Set<number>();
      while (working) {
        seen.add((await deployment(role)).spec.replicas);
        await sleep(50);
      }
      return [role, [...seen]] as const;
    };
    const watching = Promise.all(roles.map(watch));
    await work().finally(() => {
      working = false;
    });
    return Object.fromEntries(await watching);
  }
  after(async () => {
    for (const client of clients) client.close();
    await pool?.end();
    adapter?.close();
    await prometheus?.stop();
    await cluster?.stop();
  });

  const at = (pod: Resource) => `http://${pod.status.podIP}:8080`;
  const deployment = (role: string): Promise<Resource> =>
    cluster.api('GET', `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/touchline-${role}`);
  const ready = async (role: string) => (await cluster.pods(role)).length;

  /** Chooses the ready pods of `stream` in turn, as a load balancer does. */
  let streams: Resource[] = [];
  let turn = 0;
  let following = true;
  const nextUrl = () => `${at(streams[turn++ % streams.length])}/v1/stream?key=${key}`;
  async function followPods(): Promise<void> {
    while (following) {
      streams = await cluster.pods('stream');
      await sleep(100);
    }
  }

  let goals = 0;
  async function tell(): Promise<void> {
    goals += 1;
    const [pod] = await cluster.pods('ingest');
    const reply = await fetch(`${at(pod)}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${cluster.feedToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(liveMatches('crowd', MATCHES, goals)),
    });
    assert.equal(reply.status, 200, await reply.text());
  }

  it('has an autoscaler for each role, and each autoscaler can read its metrics', async () => {
    const reasons = async () => {
      const { items } = await cluster.api(
        'GET',
        `/apis/autoscaling/v2/namespaces/${NAMESPACE}/horizontalpodautoscalers`,
      );
      return items.map(({ metadata, status }: Resource) => {
        const active = status.conditions?.find(({ type }: Resource) => type === 'ScalingActive');
        return `${metadata.labels['app.kubernetes.io/component']}: ${active?.reason ?? 'new'}`;
      });
    };
    const wanted = ['api', 'dispatcher', 'ingest', 'stream'].map((role) => `${role}: ValidMetricFound`);
    let seen: string[] = [];
    await until(
      'all of them are active',
      async () => {
        seen = (await reasons()).sort();
        return seen.join() === wanted.join();
      },
      PATIENCE_MS,
    ).catch(() => assert.deepEqual(seen, wanted));
    // The operator manages the Deployment, and the autoscaler manages the number of its pods.
    await until('there are two dispatchers', async () => (await ready('dispatcher')) === 2, PATIENCE_MS);
    assert.deepEqual([...adapter.asked].sort(), [
      'touchline_ingest_batches_in_work',
      'touchline_stream_connections',
      'touchline_webhook_load',
      'touchline_webhook_subscriptions',
      'touchline_webhook_wait_seconds',
    ]);
  });

  it('adds `stream` pods as streams open, and an upgrade does not change their number', async () => {
    assert.equal(await ready('stream'), 2);
    void followPods();
    await until('there are pods', () => streams.length === 2, PATIENCE_MS);
    while (clients.length < CLIENTS) {
      for (let n = 0; n < ARRIVALS; n++) clients.push(eventSource(nextUrl, { hurry: 10 }));
      await sleep(100);
    }
    await until('all are connected', () => clients.every(({ lastEventId }) => lastEventId !== ''), PATIENCE_MS);
    assert.deepEqual(new Set(clients.map(({ failed }) => failed)), new Set([null]));
    await until('there are four pods', async () => (await ready('stream')) === 4, PATIENCE_MS);

    const upgrade = () => cluster.install(valuesOf(BUSY, { commonLabels: { 'example.com/round': 'two' } }));
    assert.deepEqual(await replicasDuring(['stream', 'dispatcher'], upgrade), { stream: [4], dispatcher: [2] });
    // Helm waits for the chart's Deployments, and the operator may still be replacing the dispatchers.
    await until('there are two dispatchers', async () => (await ready('dispatcher')) === 2, PATIENCE_MS);
  });

  it('reduces four pods to two while goals arrive, and no client loses or repeats an event', async () => {
    await tell();
    await until('all have the first goals', () => clients.every(({ events }) => events.length >= MATCHES), PATIENCE_MS);
    let playing = true;
    const play = (async () => {
      while (playing) {
        await tell();
        await sleep(LONG_FORMS ? 2_000 : 250);
      }
    })();
    await cluster.install(valuesOf(QUIET, { commonLabels: { 'example.com/round': 'two' } }));
    await until('there are two pods', async () => (await deployment('stream')).status.replicas === 2, PATIENCE_MS);
    await until('work adds pods of `ingest`', async () => (await ready('ingest')) > 1, PATIENCE_MS).finally(() => {
      playing = false;
    });
    await play;
    const { rows } = await pool.query<{ events: number }>('SELECT sum(sequence)::int AS events FROM match');
    const { events } = rows[0]!;
    assert.ok(goals > 10 && events >= goals * MATCHES, `${goals} rounds, ${events} events`);
    await until('all have all', () => clients.every((client) => client.events.length >= events), PATIENCE_MS);
    assert.deepEqual(new Set(clients.map(({ failed }) => failed)), new Set([null]));
    const order = clients[0]!.events.map(({ id }) => id);
    assert.equal(new Set(order).size, order.length);
    const whole = order.join();
    for (const client of clients) assert.equal(client.events.map(({ id }) => id).join(), whole);
    const moved = clients.filter(({ connects }) => connects > 1).length;
    assert.ok(moved >= CLIENTS / 3, `${moved} clients have moved`);
    following = false;
  });

  describe('the restore runbook', () => {
    const sources: Source[] = [];
    afterEach(() => {
      for (const source of sources.splice(0)) source.close();
    });
    const eventsIn = ({ events }: Source) => events.filter(({ type }) => type.startsWith('match.'));
    async function follow(lastEventId = ''): Promise<Source> {
      const pods = await cluster.pods('stream');
      const source = eventSource(`${at(pods[0]!)}/v1/stream?key=${key}`, { lastEventId });
      sources.push(source);
      await until('the stream is open', () => source.connects === 1, PATIENCE_MS);
      return source;
    }
    /** Waits until a pod with the role `api` lists all matches with this score. */
    const serves = (score: number) =>
      until(
        `the score is ${score}`,
        async () => {
          const [pod] = await cluster.pods('api');
          const reply = await fetch(`${at(pod)}/v1/events/live`, { headers: { 'X-API-Key': secret } });
          const { events } = (await reply.json()) as { events: { participants: { score: number }[] }[] };
          return events.length === MATCHES && events.every(({ participants }) => participants[0]!.score === score);
        },
        PATIENCE_MS,
      );
    async function loseKafka(): Promise<void> {
      const admin = new Kafka({ brokers: [cluster.kafka.broker], logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
      const topics = (await admin.listTopics()).filter((topic) => !topic.startsWith('__'));
      assert.equal(topics.length, 1);
      await admin.deleteTopics({ topics });
      await admin.disconnect();
    }
    async function everyRoleIsBack(): Promise<void> {
      const missing = async () => {
        const found: string[] = [];
        for (const [role, least] of Object.entries({
          api: 1,
          stream: 2,
          ingest: 1,
          relay: 1,
          operator: 1,
          dispatcher: 2,
        }))
          if ((await ready(role)) < least) found.push(role);
        return found;
      };
      let lacking: string[] = [];
      await until(
        'every role has its pods',
        async () => {
          lacking = await missing();
          return lacking.length === 0;
        },
        PATIENCE_MS,
      ).catch(() => assert.deepEqual(lacking, []));
    }

    const ALL = [
      ['a point in time', 'lost'],
      ['a copy of the disk', 'kept'],
      ['a point in time', 'kept'],
      ['a copy of the disk', 'lost'],
    ] as const;
    for (const [from, kafka] of LONG_FORMS ? ALL : ALL.slice(0, 2))
      it(`brings every role back from ${from}, with Kafka ${kafka}`, async () => {
        const isCopy = from === 'a copy of the disk';
        const { postgres, kube } = cluster;
        const runbook = restoreRunbook();
        for (const client of clients.splice(0)) client.close();
        const before = await follow();
        if (!isCopy) await postgres.backup();
        await tell();
        await until('the goals are there', () => eventsIn(before).length >= MATCHES, PATIENCE_MS);
        const kept = goals;
        await serves(kept);
        const since = new Date(Date.now() - 60_000).toISOString();
        const time = isCopy ? await postgres.snapshot() : await postgres.mark();
        await tell();
        await until('the lost goals are there', () => eventsIn(before).length >= 2 * MATCHES, PATIENCE_MS);
        await serves(goals);

        await kube.shell(runbook.stop, NAMESPACE);
        const { items } = await cluster.api('GET', `/api/v1/namespaces/${NAMESPACE}/pods`);
        assert.deepEqual(
          items.filter(({ status }: Resource) => status.phase === 'Running'),
          [],
        );
        before.close();
        await postgres.lose();
        if (kafka === 'lost') await loseKafka();
        if (time === undefined) await postgres.restoreSnapshot();
        else await postgres.restoreTo(time);
        if (isCopy) await kube.shell(runbook.restored(since), NAMESPACE);
        await kube.shell(runbook.start, NAMESPACE);

        await everyRoleIsBack();
        await serves(kept);
        const after = await follow(before.lastEventId);
        await tell();
        await until('the next goals are there', () => eventsIn(after).length >= MATCHES, PATIENCE_MS);
        assert.equal(
          after.events.some(({ type }) => type === 'stream.gap'),
          kafka === 'lost',
        );
        const idIn = ({ data }: Received) => (JSON.parse(data) as { id: string }).id;
        const known = new Set(eventsIn(before).map(idIn));
        for (const event of eventsIn(after)) {
          assert.ok(Number(event.id) > Number(before.lastEventId), `${event.id} is the cursor of a lost event`);
          assert.ok(!known.has(idIn(event)), `${event.data} has the id of a lost event`);
        }
      });
  });
});
