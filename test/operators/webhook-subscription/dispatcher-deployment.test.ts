import assert from 'node:assert/strict';
import { dedicatedGroup } from '../../../operators/webhook-subscription/desired-state.ts';
import {
  deploymentFor,
  deploymentName,
  parseTemplate,
} from '../../../operators/webhook-subscription/dispatcher-deployment.ts';

const uid = '0f5c6f7e-6f0e-4f57-9a0b-6a3b2f0f7c11';
const template = parseTemplate({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'touchline-dispatcher', labels: { app: 'touchline' }, annotations: { note: 'x' } },
  spec: {
    replicas: 7,
    strategy: { type: 'RollingUpdate' },
    selector: { matchLabels: { app: 'touchline', role: 'dispatcher' } },
    template: {
      metadata: { labels: { app: 'touchline', role: 'dispatcher', version: '1' }, annotations: { sum: 'abc' } },
      spec: {
        securityContext: { runAsNonRoot: true },
        containers: [
          {
            name: 'dispatcher',
            image: 'touchline:1',
            env: [
              { name: 'DISPATCHER_GROUP', value: 'nonsense' },
              { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'db', key: 'url' } } },
            ],
            resources: { requests: { cpu: '100m' } },
          },
          { name: 'sidecar', image: 'other:1' },
        ],
      },
    },
  },
});

describe('the dispatcher Deployment', () => {
  it('has a name that is unique and short enough', () => {
    assert.equal(deploymentName('touchline-dispatcher', 'shared'), 'touchline-dispatcher');
    const long = 'a'.repeat(60);
    const names = new Set(['1', '2', '3'].map((end) => deploymentName(long, dedicatedGroup(uid.slice(0, -1) + end))));
    assert.equal(names.size, 3);
    for (const name of names) assert.match(name, /^[a-z][a-z0-9-]{1,46}$/);
  });

  it('is made from the template, with the group’s settings', () => {
    const group = dedicatedGroup(uid);
    const resources = { requests: { cpu: '1' }, limits: { memory: '1Gi' } };
    const owner = { apiVersion: 'touchline.dev/v1alpha1', kind: 'WebhookSubscription', name: 'goals', uid };
    const made = deploymentFor({ template, namespace: 'sports', group, replicas: 1, resources, owner });
    assert.equal(made.metadata.name, deploymentName('touchline-dispatcher', group));
    assert.deepEqual(made.metadata.ownerReferences, [owner]);
    assert.equal(made.spec.replicas, 1);
    assert.deepEqual(made.spec.strategy, { type: 'RollingUpdate' });
    // The selector matches only this group's pods, which have its labels.
    assert.deepEqual(made.spec.selector.matchLabels, {
      app: 'touchline',
      role: 'dispatcher',
      'touchline.dev/dispatcher-group': group,
    });
    const labels = made.spec.template.metadata!.labels!;
    for (const [name, value] of Object.entries(made.spec.selector.matchLabels)) assert.equal(labels[name], value);
    assert.equal(labels.version, '1');
    assert.deepEqual(made.spec.template.metadata!.annotations, { sum: 'abc' });
    const [first, sidecar] = made.spec.template.spec.containers;
    assert.deepEqual(first!.env, [
      { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'db', key: 'url' } } },
      { name: 'DISPATCHER_GROUP', value: group },
    ]);
    assert.deepEqual(first!.resources, resources);
    assert.deepEqual(sidecar, { name: 'sidecar', image: 'other:1' });
    assert.deepEqual(made.spec.template.spec.securityContext, { runAsNonRoot: true });
  });

  it('keeps the template’s storage for a dedicated dispatcher, because no resource sets storage', () => {
    const withResources = structuredClone(template);
    withResources.spec.template.spec.containers[0]!.resources = {
      requests: { cpu: '100m', 'ephemeral-storage': '64Mi' },
      limits: { memory: '512Mi', 'ephemeral-storage': '1Gi' },
    };
    const made = deploymentFor({
      template: withResources,
      namespace: 'sports',
      group: dedicatedGroup(uid),
      replicas: 1,
      resources: { requests: { cpu: '2' } },
    });
    assert.deepEqual(made.spec.template.spec.containers[0]!.resources, {
      requests: { cpu: '2', 'ephemeral-storage': '64Mi' },
      limits: { 'ephemeral-storage': '1Gi' },
    });
  });

  it('has the template’s resources for shared dispatchers, and never modifies the template', () => {
    const before = structuredClone(template);
    const made = deploymentFor({ template, namespace: 'sports', group: 'shared', replicas: 3 });
    assert.deepEqual(made.spec.template.spec.containers[0]!.resources, { requests: { cpu: '100m' } });
    assert.equal(made.metadata.name, 'touchline-dispatcher');
    assert.equal(made.spec.replicas, 3);
    assert.deepEqual(template, before);
  });

  for (const [what, bad] of [
    ['nothing in it', null],
    ['another kind', { ...template, kind: 'Pod' }],
    ['no name', { ...template, metadata: {} }],
    ['no container', { ...template, spec: { template: { spec: { containers: [] } } } }],
  ] as const) {
    it(`is refused for a template with ${what}`, () => {
      assert.throws(() => parseTemplate(bad), /template of dispatchers/);
    });
  }
});
