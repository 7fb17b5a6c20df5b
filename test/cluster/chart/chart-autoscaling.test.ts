/**
 * Tests the chart's autoscalers: their targets, their names in the rules for prometheus-adapter, and which values are
 * refused.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CHART, environment, find, MINIMAL, podOf, render } from '../../support/chart.ts';
import { chartNamespace } from '../../support/chart-namespace.ts';
import type { Resource } from '../../support/kube-api.ts';

const NAMESPACE = 'chart-autoscaling';
const ROLES = ['api', 'stream', 'ingest', 'dispatcher'];

/** Values that turn on autoscaling for all roles that support it. */
const scaled = (own: Record<string, object> = {}, autoscaling: object = {}) => ({
  autoscaling,
  roles: Object.fromEntries(ROLES.map((role) => [role, { autoscaling: { enabled: true, ...own[role] } }])),
});
const keda = { kind: 'keda', prometheus: { serverAddress: 'http://prometheus:9090' } };

const REFUSED: [what: string, values: object, message: RegExp][] = [
  [
    'of a role with standbys',
    { roles: { relay: { autoscaling: { enabled: true } } } },
    /roles\.relay\.autoscaling: pods of relay/,
  ],
  [
    'with fewer pods at most than at least',
    scaled({ api: { minReplicas: 3, maxReplicas: 2 } }),
    /minReplicas, 3, is more/,
  ],
  [
    'by a target of another role',
    scaled({ api: { targets: { connections: 5 } } }),
    /targets\.connections: no target of api, which has cpu/,
  ],
  [
    'by no target',
    scaled({ api: { targets: { cpu: null } } }),
    /roles\.api\.autoscaling\.targets: at least one is required/,
  ],
  ['by an unknown target', scaled({ stream: { targets: { clients: 5 } } }), /clients/],
  ['at no stream', scaled({ stream: { targets: { connections: 0 } } }), /connections/],
  ['at a CPU in words', scaled({ api: { targets: { cpu: 'much' } } }), /cpu/],
  ['to no pod', scaled({ api: { minReplicas: 0 } }), /minReplicas/],
  ['by an unknown autoscaler', scaled({}, { kind: 'vpa' }), /kind/],
  ['by KEDA without Prometheus', scaled({}, { kind: 'keda' }), /autoscaling\.prometheus\.serverAddress: required/],
  [
    'with a policy that there is not',
    scaled({ api: { behavior: { scaleUp: { policies: [{ type: 'Fast', value: 1, periodSeconds: 1 }] } } } }),
    /type/,
  ],
];

describe('the chart’s autoscaling', function () {
  this.timeout(60_000);
  const server = chartNamespace(NAMESPACE);

  const { dryRun } = server;
  const ofKind = (resources: Resource[], kind: string) => resources.filter((one) => one.kind === kind);

  it('is off by default', async () => {
    const resources = await render(MINIMAL);
    for (const kind of ['HorizontalPodAutoscaler', 'ScaledObject']) assert.deepEqual(ofKind(resources, kind), []);
    assert.equal(find(resources, 'Deployment', 'one-touchline-stream').spec.replicas, 2);
    assert.deepEqual(environment(podOf(resources, 'operator')).get('DISPATCHERS_AUTOSCALED'), {
      name: 'DISPATCHERS_AUTOSCALED',
      value: '0',
    });
  });

  it('has a HorizontalPodAutoscaler for each role, with metrics that the prometheus-adapter rules name', async () => {
    const resources = await render(MINIMAL, scaled());
    const scalers = ofKind(resources, 'HorizontalPodAutoscaler');
    assert.deepEqual(
      scalers.map(({ spec }) => spec.scaleTargetRef.name).sort(),
      ROLES.map((role) => `one-touchline-${role}`).sort(),
    );
    await dryRun(scalers);
    const { rules } = parse(readFileSync(`${CHART}/files/prometheus-adapter.yaml`, 'utf8'));
    const named = new Set(rules.custom.map(({ seriesQuery, name }: Resource) => name?.as ?? seriesQuery.split('{')[0]));
    const targets = scalers.flatMap(({ spec }) =>
      spec.metrics.map(({ type, pods, resource }: Resource) =>
        type === 'Resource'
          ? [resource.name, resource.target.averageValue]
          : [pods.metric.name, pods.target.averageValue],
      ),
    );
    for (const [metric] of targets) assert.ok(metric === 'cpu' || named.has(metric), metric);
    assert.deepEqual(Object.fromEntries(targets), {
      cpu: '700m',
      touchline_stream_connections: '5000',
      touchline_ingest_batches_in_work: '4',
      touchline_webhook_load: '600m',
      touchline_webhook_wait_seconds: '30',
      touchline_webhook_subscriptions: '100',
    });
  });

  it('omits the pod count, because the autoscaler sets it', async () => {
    const resources = await render(MINIMAL, scaled());
    for (const role of ['api', 'stream', 'ingest'])
      assert.equal(find(resources, 'Deployment', `one-touchline-${role}`).spec.replicas, undefined, role);
    assert.equal(environment(podOf(resources, 'operator')).get('DISPATCHERS_AUTOSCALED')!.value, '1');
    assert.equal(find(resources, 'Deployment', 'one-touchline-relay').spec.replicas, 2);
  });

  it('has KEDA ScaledObjects with the same targets', async () => {
    const objects = ofKind(
      await render(MINIMAL, scaled({}, { ...keda, prometheus: { ...keda.prometheus, authenticationName: 'reader' } })),
      'ScaledObject',
    );
    assert.equal(objects.length, ROLES.length);
    await dryRun(objects);
    const triggers = find(objects, 'ScaledObject', 'one-touchline-dispatcher').spec.triggers;
    assert.deepEqual(
      triggers.map(({ metadata, authenticationRef }: Resource) => [metadata.threshold, authenticationRef.name]),
      [
        ['0.6', 'reader'],
        ['100', 'reader'],
        ['30', 'reader'],
      ],
    );
    // Names of a dedicated dispatcher's pods have one part more.
    const pods = new RegExp(`^${/pod=~"([^"]+)"/.exec(triggers[0].metadata.query)![1]}$`);
    assert.match('one-touchline-dispatcher-7d4b9c6f5-x2x4z', pods);
    assert.doesNotMatch('one-touchline-dispatcher-0a1b2c3d4e-7d4b9c6f5-x2x4z', pods);
  });

  it('accepts behavior settings, and leaves out a null target', async () => {
    const resources = await render(
      MINIMAL,
      scaled({
        stream: {
          targets: { cpu: null, connections: 100 },
          behavior: {
            scaleDown: {
              stabilizationWindowSeconds: 0,
              policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
            },
          },
        },
      }),
    );
    const { spec } = find(resources, 'HorizontalPodAutoscaler', 'one-touchline-stream');
    assert.equal(spec.behavior.scaleDown.stabilizationWindowSeconds, 0);
    assert.equal(spec.metrics.length, 1);
    await dryRun(ofKind(resources, 'HorizontalPodAutoscaler'));
  });

  for (const [what, values, message] of REFUSED)
    it(`is refused ${what}`, () => assert.rejects(render(MINIMAL, values), message));
});
