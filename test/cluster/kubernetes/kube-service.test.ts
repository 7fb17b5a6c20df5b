/**
 * Tests the whole service, installed with its chart, on a real control plane, a real Kafka and a real Postgres. Its
 * pods are processes on this machine.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { parseAllDocuments } from 'yaml';
import { openStream, type StreamEvent } from '../../../src/client/stream.ts';
import { verifyWebhook } from '../../../src/client/webhook.ts';
import { openPool } from '../../../src/db/postgres.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createKey } from '../../support/accounts.ts';
import type { Resource } from '../../support/kube-api.ts';
import { type KubeCluster, NAMESPACE, needKubeCluster, startKubeCluster } from '../../support/kube-cluster.ts';
import { liveMatches } from '../../support/live-matches.ts';
import { type Attempt, allows, type Party } from '../../support/network-policy.ts';
import { behindService, type ConnectionWatch, watchConnections } from '../../support/pod-connections.ts';
import { eventSource } from '../../support/stream-client.ts';
import { until } from '../../support/until.ts';
import { exampleResource, receiverValues, startVerifyingReceiver } from '../../support/webhook-example.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';

const PATIENCE_MS = 120_000;

const portsOf = ({ clickhouse, apiServer }: Record<'clickhouse' | 'apiServer', { ports: number[] }>) => ({
  clickhouse: clickhouse.ports[0]!,
  apiServer: apiServer.ports[0]!,
});
const ACCOUNT = 'cluster@example.com';
const MATCHES = 4;

describe('the service from its chart', function () {
  // The programs may have to be built first, which takes minutes.
  this.timeout(2_400_000);
  let cluster: KubeCluster;
  let pool: pg.Pool;
  let key: string;
  let receiver: Receiver | undefined;
  let connections: ConnectionWatch | undefined;
  let values: ReturnType<typeof valuesOf>;
  /** Everything outside the pods has this machine's address: stores, ingress controller, receivers and this test. */
  function valuesOf({ network: { host }, clickhouse, kube }: KubeCluster) {
    const here = [{ ipBlock: { cidr: `${host}/32` } }];
    const port = (url: string) => Number(new URL(url).port);
    return {
      config: { env: {} as Record<string, string> },
      drain: { delaySeconds: 1, spreadSeconds: 2 },
      // The receiver uses the API server's certificate. Every namespace has the authority that signed it.
      webhooks: receiverValues(host),
      networkPolicy: {
        enabled: true,
        httpFrom: here,
        adminFrom: here,
        postgres: { to: here },
        clickhouse: { ports: [port(clickhouse.url)], to: here },
        kafka: { to: here },
        apiServer: { ports: [port(kube.server.url)], to: here },
      },
    };
  }

  before(async function () {
    needKubeCluster(this);
    cluster = await startKubeCluster({ log: (line) => process.env.LOG_LEVEL === 'debug' && console.log(line) });
    connections = watchConnections(cluster.network.bridge, cluster.api);
    values = valuesOf(cluster);
    await cluster.install(values);
    pool = openPool(cluster.databaseUrl, pino({ level: 'silent' }));
    ({ key } = await createKey(pool, systemClock, { email: ACCOUNT, plan: 'business', kind: 'pk' }));
  });
  after(async () => {
    await connections?.stop();
    await receiver?.close();
    await pool?.end();
    await cluster?.stop();
  });

  /** Functions that close what a test has opened, which would keep the run from ending. */
  const open: (() => void)[] = [];
  afterEach(() => {
    for (const close of open.splice(0)) close();
  });

  /**
   * Sends a provider's state, in which each match has `goals` home goals. Repeats the request until there is an answer.
   */
  async function tell(url: string, name: string, goals: number, over: object = {}): Promise<void> {
    const incidents = Array.from({ length: goals }, (_, goal) => ({
      id: `g${goal}`,
      kind: 'goal',
      side: 'home',
      minute: goal + 1,
    }));
    const updates = liveMatches(name, MATCHES, goals).map(({ match, ...update }) => ({
      ...update,
      match: { ...match, incidents, ...over },
    }));
    await until(
      'the feed is taken',
      async () => {
        const reply = await fetch(`${url}/feed/v1/updates`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${cluster.feedToken}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(updates),
        }).catch(() => null);
        if (reply === null || [502, 503].includes(reply.status)) return false;
        const answer = (await reply.json()) as { accepted: number; unchanged: number };
        assert.equal(answer.accepted + answer.unchanged, MATCHES, JSON.stringify(answer));
        return true;
      },
      PATIENCE_MS,
    );
  }
  const at = (pod: { status: { podIP: string } }) => `http://${pod.status.podIP}:8080`;
  const goalsIn = (events: { type: string }[]) => events.filter(({ type }) => type === 'match.goal').length;

  it('prints working commands at the end of the installation', async () => {
    const { helm, kubectl } = cluster.kube;
    const notes = await helm(['get', 'notes', 'touchline', '--namespace', NAMESPACE]);
    const commands = notes
      .split('\n')
      .flatMap((line) => (/^ {2}(?:kubectl|curl) /.test(line) ? [line.trim().split(' ')] : []));
    const asked = (word: string) => commands.find((command) => command.includes(word))!.slice(1);
    assert.match(await kubectl(asked('pods')), /touchline-api/);
    await kubectl(asked('webhooksubscriptions'));
    const exec = asked('exec');
    const command = exec.splice(exec.indexOf('--')).slice(1);
    await kubectl(exec.map((word) => (word === 'exec' ? 'get' : word)));
    const [pod] = await cluster.pods('api');
    const made = /sk_live_\w+/.exec(cluster.exec(pod, command))![0];
    const curls = commands.filter(([program]) => program === 'curl');
    assert.equal(curls.length, 2);
    for (const curl of curls) {
      const url = curl.at(-1)!;
      assert.ok(url.startsWith(cluster.ingress.url), url);
      const reply = await fetch(url, { headers: { 'X-API-Key': made }, signal: AbortSignal.timeout(PATIENCE_MS) });
      assert.equal(reply.status, 200, url);
      await reply.body!.cancel();
    }
  });

  it('passes the ClickHouse configuration to the pods that read it', async () => {
    const pods = await cluster.pods('api');
    assert.ok(pods.length > 0);
    for (const { status } of pods) {
      const asked = () => cluster.clickhouse.asked.filter(({ from }) => from === status.podIP);
      await until('it has asked', () => asked().some(({ query }) => query.includes('version()')), PATIENCE_MS);
    }
  });

  it('lets a finished match reach every pod’s analytics through the loader', async () => {
    const [ingest] = await cluster.pods('ingest');
    assert.equal((await cluster.pods('loader')).length, 2);
    await tell(at(ingest!), 'over', 1, { status: 'finished', status_detail: 'ended', score: { home: 1, away: 0 } });
    const { rows } = await pool.query<{ tournament_id: number; matches: number }>(
      "SELECT tournament_id, count(*)::int AS matches FROM match WHERE status = 'finished' GROUP BY 1",
    );
    const { key: secret } = await createKey(pool, systemClock, { email: ACCOUNT, plan: 'business' });
    for (const pod of await cluster.pods('api'))
      for (const { tournament_id, matches } of rows)
        await until(
          'the profile has the matches',
          async () => {
            const url = `${at(pod)}/v1/tournament/${tournament_id}/profile`;
            const reply = await fetch(url, { headers: { 'X-API-Key': secret } });
            return reply.status === 200 && ((await reply.json()) as { matches: number }).matches === matches;
          },
          PATIENCE_MS,
        );
  });

  it('sends a goal that one pod receives to the clients on two stream pods', async () => {
    const streams = await cluster.pods('stream');
    assert.equal(streams.length, 2);
    const clients = streams.map((pod) => eventSource(`${at(pod)}/v1/stream?key=${key}&event_type=match.goal`));
    open.push(...clients.map((client) => () => client.close()));
    await until('both are connected', () => clients.every((client) => client.lastEventId !== ''), PATIENCE_MS);
    const [ingest] = await cluster.pods('ingest');
    await tell(at(ingest), 'one', 0);
    await tell(at(ingest), 'one', 1);
    await until('both have the goals', () => clients.every(({ events }) => events.length === MATCHES), PATIENCE_MS);
    assert.deepEqual(
      clients[0]!.events.map(({ data }) => data),
      clients[1]!.events.map(({ data }) => data),
    );
  });

  it('sends deliveries for a WebhookSubscription, from a dispatcher and signed with a Secret that the operator created', async () => {
    const certificate = (kind: string) =>
      readFileSync(join(cluster.kube.folder, 'certificates', `apiserver.${kind}`), 'utf8');
    receiver = await startReceiver(undefined, {
      host: cluster.network.host,
      tls: { key: certificate('key'), cert: certificate('crt') },
    });
    const resource = {
      apiVersion: 'touchline.dev/v1alpha1',
      kind: 'WebhookSubscription',
      metadata: { name: 'goals', namespace: NAMESPACE },
      spec: {
        url: receiver.url,
        account: ACCOUNT,
        eventTypes: ['match.goal'],
        secretRef: { name: 'touchline-webhooks' },
      },
    };
    const { kubectl } = cluster.kube;
    await kubectl(['apply', '-f', '-'], JSON.stringify(resource));
    await kubectl(['-n', NAMESPACE, 'wait', '--for=condition=Ready', 'whs/goals', `--timeout=${PATIENCE_MS / 1_000}s`]);
    await tell(cluster.ingress.url, 'two', 0);
    await tell(cluster.ingress.url, 'two', 1);
    await until('the goals are there', () => receiver!.events().length >= MATCHES, PATIENCE_MS);
    const read = ['get', 'secret', 'touchline-webhooks', '-o', 'jsonpath={.data.secret}'];
    const secret = await kubectl(['-n', NAMESPACE, ...read]);
    for (const { headers, body } of receiver.events()) {
      const { type } = verifyWebhook(headers, body, Buffer.from(secret, 'base64').toString());
      assert.equal(type, 'match.goal');
    }
    assert.equal((await cluster.pods('dispatcher')).length, 1);
  });

  it('sends deliveries to the receiver that `make cluster-up` starts, through the resource that it prints', async () => {
    const lines: string[] = [];
    const verifying = await startVerifyingReceiver(cluster, (line) => lines.push(line));
    open.push(() => void verifying.close());
    const resource = exampleResource(verifying.url, ACCOUNT)
      .replace('name: goals', 'name: example')
      .replace('/goals', '/example');
    const { kubectl } = cluster.kube;
    await kubectl(['-n', NAMESPACE, 'apply', '-f', '-'], resource);
    await kubectl([
      '-n',
      NAMESPACE,
      'wait',
      '--for=condition=Ready',
      'whs/example',
      `--timeout=${PATIENCE_MS / 1_000}s`,
    ]);
    await tell(cluster.ingress.url, 'example', 0);
    await tell(cluster.ingress.url, 'example', 1);
    await until('the goals are verified', () => lines.length >= MATCHES, PATIENCE_MS);
    for (const line of lines) assert.match(line, /^verified match\.goal evt_\d+_\d+, attempt 1: .+ 1:0 .+$/);
    const forged = request(`${verifying.url}/example`, { method: 'POST', ca: cluster.kube.server.ca });
    forged.end('{"type":"match.goal"}');
    const [reply] = (await once(forged, 'response')) as [IncomingMessage];
    reply.resume();
    assert.equal(reply.statusCode, 400);
    assert.match(lines.at(-1)!, /^REFUSED \/example: the timestamp is missing$/);
    await kubectl(['-n', NAMESPACE, 'delete', 'whs', 'example']);
  });

  it('loses no event in a rolling upgrade under load, and replaces killed pods', async () => {
    const followers = ['sse one', 'sse two'].map((name) => {
      const events: StreamEvent[] = [];
      let live = false;
      const handle = openStream({
        url: cluster.ingress.url,
        key,
        onEvent: (event) => void events.push(event),
        onState: ({ phase }) => {
          live ||= phase === 'live';
        },
      });
      open.push(() => handle.close());
      return { name, events, handle, live: () => live };
    });
    await until('both are live', () => followers.every((one) => one.live()), PATIENCE_MS);
    const delivered = goalsIn(receiver?.events() ?? []);
    const old = (await cluster.pods('stream')).map((pod) => pod.metadata.name);

    let goals = 0;
    let playing = true;
    open.push(() => {
      playing = false;
    });
    const play = (async () => {
      while (playing) {
        await tell(cluster.ingress.url, 'three', goals);
        goals += 1;
        await sleep(200);
      }
    })();
    // Kills the pod, as a power failure would.
    const [stream] = await cluster.pods('stream');
    const [relay] = await cluster.pods('relay');
    for (const pod of [stream, relay]) cluster.crash(pod);
    const restarted = async (role: string, name: string) =>
      (await cluster.pods(role)).some(
        (pod) => pod.metadata.name === name && pod.status.containerStatuses[0].restartCount === 1,
      );
    await until(
      'both are back',
      async () => (await restarted('stream', stream.metadata.name)) && restarted('relay', relay.metadata.name),
      PATIENCE_MS,
    );

    await cluster.install({ ...values, config: { env: { ROUND: '2' } } });
    const young = (await cluster.pods('stream')).map((pod) => pod.metadata.name);
    assert.equal(young.length, 2);
    assert.deepEqual(
      young.filter((name) => old.includes(name)),
      [],
    );
    playing = false;
    await play;

    const { rows } = await pool.query<{ id: number; sequence: number }>(
      `SELECT m.id, m.sequence FROM match m JOIN tournament t ON t.id = m.tournament_id WHERE t.name = 'League of three'`,
    );
    assert.equal(rows.length, MATCHES);
    assert.ok(goals > 10, `${goals} rounds`);
    // The table also has matches from earlier tests, whose events must have arrived too.
    const hasAll = ({ events }: { events: StreamEvent[] }) =>
      rows.every(({ id, sequence }) => events.some(({ data }) => data.match.id === id && data.sequence === sequence));
    await until('both have all', () => followers.every(hasAll), PATIENCE_MS);
    for (const { name, events, handle } of followers) {
      for (const { id, sequence } of rows)
        assert.deepEqual(
          events.filter(({ data }) => data.match.id === id).map(({ data }) => data.sequence),
          Array.from({ length: sequence }, (_, i) => i + 1),
          `${name}, match ${id}`,
        );
      handle.close();
      await handle.done;
    }
    if (receiver !== undefined) {
      const wanted = delivered + MATCHES * (goals - 1);
      const ids = () => new Set(receiver!.events().map(({ id }) => id));
      await until('the webhook has every goal', () => ids().size >= wanted, PATIENCE_MS);
    }
  });

  it("passes the chart's own test, which fails without pods", async () => {
    const { helm, kubectl } = cluster.kube;
    const test = () => helm(['test', 'touchline', '--namespace', NAMESPACE, '--timeout', '60s']);
    assert.match(await test(), /Phase: +Succeeded/);
    await kubectl(['-n', NAMESPACE, 'scale', 'deployment', 'touchline-ingest', '--replicas=0']);
    const ingest = ['pod', '--selector', 'app.kubernetes.io/component=ingest'];
    await kubectl(['-n', NAMESPACE, 'wait', '--for=delete', `--timeout=${PATIENCE_MS / 1_000}s`, ...ingest]);
    await assert.rejects(test, /failed/i);
  });

  it('has only connections that the NetworkPolicies allow, and the policies allow no more than these', async () => {
    const path = (group: string, kind: string) => `/${group}/namespaces/${NAMESPACE}/${kind}`;
    const { items } = await cluster.api('GET', path('apis/networking.k8s.io/v1', 'networkpolicies'));
    const hooks = parseAllDocuments(await cluster.kube.helm(['get', 'hooks', 'touchline', '--namespace', NAMESPACE]));
    const ofHooks = hooks.map((document) => document.toJS()).filter((one) => one?.kind === 'NetworkPolicy');
    const policies = [
      ...items,
      ...ofHooks.map((one) => ({ ...one, metadata: { ...one.metadata, namespace: NAMESPACE } })),
    ];
    const services: Resource[] = (await cluster.api('GET', path('api/v1', 'services'))).items;
    const pods = connections!.pods();
    const party = (ip: string): Party => ({ ip, pod: pods.get(ip) ?? null });
    const roleOf = ({ pod }: Party) => pod?.labels['app.kubernetes.io/component'] ?? 'this machine';
    const attempts = connections!
      .seen()
      .map((connection) => behindService(connection, services, pods))
      .map(({ from, to, port }): Attempt => ({ from: party(from), to: party(to), port }));
    const line = ({ from, to, port }: Attempt) => `${roleOf(from)} to ${roleOf(to)} ${to.ip}:${port}`;
    assert.deepEqual(attempts.filter((attempt) => !allows(policies, attempt)).map(line), []);
    const kinds = new Set(attempts.map(({ from, to }) => `${roleOf(from)} to ${roleOf(to)}`));
    for (const role of ['api', 'stream', 'ingest', 'relay', 'loader', 'dispatcher', 'operator', 'jobs', 'migrate'])
      assert.ok(kinds.has(`${role} to this machine`), `a connection of ${role} was seen`);
    assert.ok(kinds.has('test to api'), [...kinds].join(', '));

    // Each kind of pod can reach only the stores that it needs, and no other pod.
    const { host } = cluster.network;
    const of = (role: string) =>
      party([...pods].find(([, pod]) => pod.labels['app.kubernetes.io/component'] === role)![0]);
    const ports = {
      postgres: 5432,
      kafka: Number(cluster.kafka.secured!.brokers.sasl.split(':')[1]),
      ...portsOf(values.networkPolicy),
    };
    const reached: Record<string, (keyof typeof ports)[]> = {
      api: ['postgres', 'kafka', 'clickhouse'],
      stream: ['postgres', 'kafka'],
      ingest: ['postgres'],
      relay: ['postgres', 'kafka'],
      loader: ['postgres', 'clickhouse'],
      operator: ['postgres', 'apiServer'],
      jobs: ['postgres', 'clickhouse'],
      migrate: ['postgres'],
    };
    const outside = party('203.0.113.1');
    // Test events may go to every port on this machine, since webhooks.allow permits it.
    const mayReachHost = (role: string, store: string, own: readonly string[]) => role === 'api' || own.includes(store);
    for (const [role, own] of Object.entries(reached)) {
      const allowed = (to: Party, port: number) => allows(policies, { from: of(role), to, port });
      for (const [name, port] of Object.entries(ports))
        assert.equal(allowed(party(host), port), mayReachHost(role, name, own), `${role} to ${name}`);
      assert.ok(!allowed(of('api'), 8080) && !allowed(of('relay'), 9090), role);
      // Role `jobs` requests the weather, and role `api` sends test events.
      const isPublic = role === 'jobs' || role === 'api';
      assert.equal(allowed(party('93.184.216.34'), 443), isPublic, `${role} to a public address`);
      assert.ok(!allowed(party('169.254.169.254'), 80) && !allowed(party('93.184.216.34'), 22), role);
    }
    const dispatcher = (to: Party, port: number) => allows(policies, { from: of('dispatcher'), to, port });
    assert.ok(dispatcher(party('93.184.216.34'), 443) && dispatcher(party(host), 12_345));
    for (const ip of ['169.254.169.254', '10.0.0.1', '203.0.113.1']) assert.ok(!dispatcher(party(ip), 443), ip);
    assert.ok(!dispatcher(party('93.184.216.34'), 80) && !dispatcher(of('api'), 8080));
    for (const role of ['api', 'relay', 'dispatcher', 'operator'])
      for (const port of [8080, 9090]) assert.ok(!allows(policies, { from: outside, to: of(role), port }), role);
  });

  it('can be rolled back on a newer database, but refuses with a clear message if that database lacks data that the older version reads', async () => {
    const { helm } = cluster.kube;
    const rollback = () => helm(['rollback', 'touchline', '--namespace', NAMESPACE, '--wait', '--timeout', '300s']);
    const round = async () => {
      const [pod] = await cluster.pods('api');
      return pod.spec.containers[0].env.find(({ name }: Resource) => name === 'ROUND')?.value;
    };
    const file = '9999_of_a_later_release.sql';
    await pool.query('INSERT INTO schema_migration (file) VALUES ($1)', [file]);
    assert.equal(await round(), '2');
    await rollback();
    assert.equal(await round(), undefined);
    const pods = async () => (await cluster.pods('api')).map(({ metadata }) => metadata.name).sort();
    const before = await pods();
    await pool.query("UPDATE schema_migration SET oldest_release = '99.1.0' WHERE file = $1", [file]);
    await assert.rejects(rollback(), /job touchline-rollback failed: BackoffLimitExceeded/);
    assert.deepEqual(await pods(), before);
    const job = `/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=job-name%3Dtouchline-rollback`;
    const [{ metadata }] = (await cluster.api('GET', job)).items;
    const [folder] = readdirSync(cluster.podLogs).filter((name) => name.includes(metadata.name));
    const logs = readdirSync(join(cluster.podLogs, folder!), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name === 'log')
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    assert.match(
      logs.join(''),
      new RegExp(`${file} removed what versions before 99\\.1\\.0 read\\. Run 99\\.1\\.0 or later`),
    );
    await pool.query('DELETE FROM schema_migration WHERE file = $1', [file]);
    // Deletes the failed Job, which stays so that its log can be read.
    await cluster.kube.kubectl(['-n', NAMESPACE, 'delete', 'job', 'touchline-rollback']);
  });

  it('ends the operator first in an uninstall, so that the resource is no longer served, and leaves no Lease', async () => {
    const { helm, kubectl } = cluster.kube;
    await helm(['uninstall', 'touchline', '--namespace', NAMESPACE, '--timeout', '180s']);
    const { status } = JSON.parse(await kubectl(['-n', NAMESPACE, 'get', 'whs', 'goals', '-o', 'json']));
    const conditions = status.conditions.map((one: Resource) => `${one.type}=${one.status} ${one.reason}`);
    const wanted = ['Accepted=Unknown', 'Ready=False', 'Delivering=False', 'Stalled=True'];
    assert.deepEqual([conditions, status.installation], [wanted.map((one) => `${one} NotServed`), undefined]);
    const items = async (path: string) =>
      (await cluster.api('GET', `${path.replace('*', `namespaces/${NAMESPACE}`)}`)).items;
    assert.deepEqual(await items('/apis/coordination.k8s.io/v1/*/leases'), []);
    // The pod of the failed test stays too, so that its log can be read.
    const isOfService = ({ metadata }: Resource) => metadata.name !== 'touchline-test';
    const left = async () => (await items('/api/v1/*/pods')).filter(isOfService);
    await until('no pod is left', async () => (await left()).length === 0, PATIENCE_MS);
    assert.deepEqual(await items('/apis/apps/v1/*/deployments'), []);
  });
});
