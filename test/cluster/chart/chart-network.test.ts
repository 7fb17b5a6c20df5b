/**
 * Compares the chart's NetworkPolicies with the webhooks' address guard. kube-service.test.ts tests pods' real
 * connections.
 */
import assert from 'node:assert/strict';
import ipaddr from 'ipaddr.js';
import { createGuard, isPublicAddress } from '../../../src/outbound/address-guard.ts';
import { KAFKA_PORTS } from '../../../src/webhooks/destinations/kafka.ts';
import { MQTT_PORTS } from '../../../src/webhooks/destinations/mqtt.ts';
import { find, MINIMAL, render, workloads } from '../../support/chart.ts';
import { needKube } from '../../support/kube.ts';
import type { Resource } from '../../support/kube-api.ts';
import { allows, type Party } from '../../support/network-policy.ts';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Returns a network's first and last address, and the addresses just outside it. */
function borders(network: Range): string[] {
  const [address, bits] = network;
  const width = address.toByteArray().length * 8;
  const mask = ((1n << BigInt(width)) - 1n) ^ ((1n << BigInt(width - bits)) - 1n);
  const first = BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`) & mask;
  const last = first | (~mask & ((1n << BigInt(width)) - 1n));
  return [first - 1n, first, last, last + 1n]
    .filter((number) => number >= 0n && number < 1n << BigInt(width))
    .map((number) => {
      const bytes = Buffer.from(number.toString(16).padStart(width / 4, '0'), 'hex');
      return ipaddr.fromByteArray([...bytes]).toString();
    });
}

/** Usual ports for name servers over UDP and TCP, for Postgres, and for a pooler. */
const USUAL = [53, 53, 5353, 5353, 5432, 6432];

describe('the chart’s NetworkPolicies', function () {
  this.timeout(60_000);
  before(function () {
    this.timeout(1_800_000);
    needKube(this);
  });

  async function reachedBy(role: string, allow: string[]): Promise<(ip: string, port: number) => boolean> {
    const resources = await render(MINIMAL, { webhooks: { allow } });
    const policy = find(resources, 'NetworkPolicy', `one-touchline-${role}`);
    const policies = [{ ...policy, metadata: { ...policy.metadata, namespace: 'sports' } }];
    const pod = { labels: policy.spec.podSelector.matchLabels, namespace: 'sports' };
    return (ip, port) => allows(policies, { from: { ip: '10.0.0.5', pod }, to: { ip, pod: null }, port });
  }

  // The roles that send webhook requests. `api` sends test events.
  const SENDERS = ['dispatcher', 'api'];

  it('let dispatchers and REST reach only the addresses that the address guard considers public', async () => {
    const { SpecialRanges: four } = ipaddr.IPv4.prototype as unknown as { SpecialRanges: Record<string, Range[]> };
    const { SpecialRanges: six } = ipaddr.IPv6.prototype as unknown as { SpecialRanges: Record<string, Range[]> };
    const ranges = [...Object.values(four), ...Object.values(six)].flatMap((one) =>
      Array.isArray(one[0]) ? one : [one as unknown as Range],
    );
    const others = [
      '168.63.129.16/32',
      '2000::/3',
      '3fff::/20',
      '2001:db8::/32',
      '2001::/23',
      '5f00::/16',
      '64:ff9b::/96',
    ];
    const addresses = [...ranges, ...others.map((text) => ipaddr.parseCIDR(text) as Range)].flatMap(borders);
    assert.ok(addresses.length > 100);
    for (const role of SENDERS) {
      const reaches = await reachedBy(role, []);
      for (const address of addresses) {
        for (const port of [443, ...MQTT_PORTS, ...KAFKA_PORTS])
          assert.equal(reaches(address, port), isPublicAddress(address), `${address} ${port}`);
        // Database and name server ports are open for all addresses.
        assert.equal(reaches(address, 80), false, address);
      }
    }
  });

  it('let dispatchers and REST reach the addresses in webhooks.allow, at the ports that the address guard allows', async () => {
    const allow = [
      '10.9.0.0/16:8443',
      'http://192.168.7.7',
      'http://[fd00::1]:8080',
      '[fd00:1::/32]',
      '172.20.0.0/16:*',
    ];
    const guard = createGuard({ allow });
    const reaches = await reachedBy('dispatcher', allow);
    const hosts = [
      '10.9.1.1',
      '10.10.1.1',
      '192.168.7.7',
      '192.168.7.8',
      '[fd00::1]',
      '[fd00::2]',
      '[fd00:1::9]',
      '172.20.9.9',
      '172.21.0.1',
      '93.184.216.34',
    ];
    for (const host of hosts)
      for (const port of [80, 443, 8080, 8443, 12_345]) {
        const takes = ['http', 'https'].some((scheme) => {
          try {
            return guard.parse(`${scheme}://${host}:${port}/`) !== null;
          } catch {
            return false;
          }
        });
        assert.equal(reaches(host.replace(/^\[|\]$/g, ''), port), takes, `${host}:${port}`);
      }
    for (const role of SENDERS) {
      const named = await reachedBy(role, ['hooks.example.internal:8443']);
      assert.ok(named('10.1.1.1', 8443) && !named('10.1.1.1', 8444));
    }
  });

  it('let the feed reach the weather service and the pages reach the mail server, if these are configured', async () => {
    const rules = async (role: string, values: object) => {
      const resources = await render(MINIMAL, values);
      const { egress } = find(resources, 'NetworkPolicy', `one-touchline-${role}`).spec;
      return egress.flatMap(({ ports }: Resource) => ports.map(({ port }: Resource) => port));
    };
    assert.deepEqual(await rules('ingest', {}), USUAL);
    assert.deepEqual(await rules('jobs', {}), [...USUAL, 443]);
    // Without tenancy, no resource can declare a source.
    const operator = { tenancy: { enabled: false } };
    assert.deepEqual(await rules('jobs', { weather: { url: 'off' }, operator }), USUAL);
    assert.deepEqual(await rules('jobs', { weather: { url: 'off' } }), [...USUAL, 443]);
    const weather = { url: 'http://weather.internal:9000', archiveUrl: 'https://archive.internal' };
    assert.deepEqual(await rules('jobs', { weather, operator }), [...USUAL, 9000, 443]);
    const polled = { weather: { url: 'off' }, operator, roles: { jobs: { env: { PROVIDERS: 'openligadb:bl1' } } } };
    assert.deepEqual(await rules('jobs', polled), [...USUAL, 443]);
    const purge = { weather: { url: 'off' }, operator, cachePurge: { url: 'https://cache.internal:8443/' } };
    assert.deepEqual(await rules('jobs', { ...purge, webhooks: { allow: ['10.0.0.0/8:8443'] } }), [
      ...USUAL,
      443,
      8443,
    ]);
    const sends = [443, ...MQTT_PORTS, ...KAFKA_PORTS];
    assert.deepEqual(await rules('api', {}), [...USUAL, ...sends]);
    const all = {
      accounts: { mail: { secretName: 'mail' } },
      clickhouse: { secretName: 'c' },
      kafka: { brokers: ['a:9092', 'b:9092', 'c:9094'] },
    };
    assert.deepEqual(await rules('api', all), [...USUAL, 9092, 9094, 8123, 8443, 587, 465, 25, ...sends]);
    assert.deepEqual(await rules('jobs', { ...all, operator, weather: { url: 'off' } }), [...USUAL, 8123, 8443]);
    assert.deepEqual(await rules('operator', all), [...USUAL, 443, 6443, 8443, 16_443]);
    assert.deepEqual(await rules('ingest', { ...all, weather: { url: 'off' } }), USUAL);
    const tracing = { endpoint: 'http://collector:4318' };
    assert.deepEqual(await rules('ingest', { tracing }), [...USUAL, 4318]);
    assert.deepEqual(await rules('ingest', { tracing: { endpoint: 'https://traces.example.com/' } }), [...USUAL, 443]);
    assert.deepEqual(await rules('operator', { tracing }), [...USUAL, 443, 6443, 8443, 16_443]);
  });

  it('open the ports in the environment’s addresses, or the ports in the values', async () => {
    const ports = async (role: string, values: object) => {
      const { egress } = find(await render(MINIMAL, values), 'NetworkPolicy', `one-touchline-${role}`).spec;
      return egress[1].ports.map(({ port }: Resource) => port);
    };
    const at = (DATABASE_URL: string) => ({ config: { env: { DATABASE_URL } } });
    const cases: [address: string, ports: number[]][] = [
      ['postgresql://app:$(PASSWORD)@pgbouncer:7432/touchline', [7432]],
      ['postgresql://app:pw@a.example.com:5433,b.example.com,c.example.com:5434/touchline', [5433, 5432, 5434]],
      ['postgresql://app:1@[fd00::1]:6000/touchline?port=1', [6000]],
      ['postgres://db.example.com?sslmode=require', [5432]],
      ['postgresql://app@db.example.com:$(PORT)/touchline', [5432, 6432]],
      ['$(ADDRESS)', [5432, 6432]],
    ];
    for (const [address, expected] of cases) {
      assert.deepEqual(await ports('stream', at(address)), expected, address);
      assert.deepEqual(await ports('migrate', at(address)), expected, address);
    }
    const given = { networkPolicy: { postgres: { ports: [1, 2] } } };
    assert.deepEqual(await ports('stream', { ...at('postgresql://db:3/x'), ...given }), [1, 2]);
  });

  it('let the release and labelled namespaces read metrics, and let every client reach the http port', async () => {
    const source = (namespace: string, labels: Record<string, string> = {}) => ({
      ip: '10.1.2.3',
      pod: { labels: { app: 'prometheus' }, namespace, namespaceLabels: labels },
    });
    const prometheus = source('monitoring', { 'touchline.dev/metrics': 'true' });
    const strangers = [
      source('guests'),
      source('guests', { 'touchline.dev/metrics': 'false' }),
      { ip: '203.0.113.1', pod: null },
    ];
    const resources = await render(MINIMAL);
    const policies = resources
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map((one) => ({ ...one, metadata: { ...one.metadata, namespace: 'sports' } }));
    const roles = workloads(resources).filter(({ kind }) => kind === 'Deployment');
    assert.ok(roles.length >= 6);
    for (const { spec } of roles) {
      const { labels } = spec.template.metadata;
      const role = labels['app.kubernetes.io/component'];
      const reached = (from: Party, port: number) =>
        allows(policies, { from, to: { ip: '10.9.9.9', pod: { labels, namespace: 'sports' } }, port });
      for (const from of [source('sports'), prometheus]) assert.ok(reached(from, 9090), role);
      for (const from of strangers) assert.ok(!reached(from, 9090), role);
      const isServed = ['api', 'stream', 'ingest'].includes(role);
      for (const from of [prometheus, ...strangers]) assert.equal(reached(from, 8080), isServed, role);
    }
  });

  it('exist for every pod by default, and are absent if they are disabled', async () => {
    const policies = (resources: Resource[]) => resources.filter(({ kind }) => kind === 'NetworkPolicy');
    const resources = await render(MINIMAL);
    for (const { metadata } of [
      ...workloads(resources).map(({ spec }) => spec.template),
      ...resources.filter(({ kind }) => kind === 'Pod'),
    ]) {
      const selecting = policies(resources).filter(({ spec }) =>
        Object.entries(spec.podSelector.matchLabels).every(([name, value]) => metadata.labels[name] === value),
      );
      assert.deepEqual(
        selecting.map(({ spec }) => spec.policyTypes),
        [['Ingress', 'Egress']],
        metadata.labels['app.kubernetes.io/component'],
      );
    }
    assert.deepEqual(policies(await render(MINIMAL, { networkPolicy: { enabled: false } })), []);
  });
});
