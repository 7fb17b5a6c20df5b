/**
 * Tests `touchline withdraw`, which runs before an uninstall, with the rights in the operator's Role, on a real API
 * server.
 */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { loadConfig, openKubeApi } from '../../../operators/runtime/kube-api.ts';
import { withdraw } from '../../../operators/withdraw.ts';
import { listAccounts } from '../../../src/accounts/accounts.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { needKube, stopSharedKube } from '../../support/kube.ts';
import type { Resource } from '../../support/kube-api.ts';
import { openKubeProxy } from '../../support/kube-proxy.ts';
import { ACCOUNT, createOperatorFixture, type OperatorFixture, type Replica } from '../../support/operator.ts';
import { start } from '../../support/process.ts';
import { until } from '../../support/until.ts';

const PATIENCE_MS = 60_000;
const DEPLOYMENT = 'touchline-operator';
const CLAIM = 'webhooksubscriptions.touchline.dev';

after(stopSharedKube);

describe('touchline withdraw', function () {
  this.timeout(180_000);
  let fixture: OperatorFixture;
  let other: string;
  let replica: Replica;
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
    other = `${fixture.namespace}-served`;
    await fixture.grant({ namespaces: [fixture.namespace, other] });
    await fixture.kubectl(['create', 'deployment', DEPLOYMENT, '--image=touchline:1', '--replicas=2']);
    replica = await fixture.start({
      OPERATOR_DEPLOYMENT: DEPLOYMENT,
      OPERATOR_NAMESPACES: `${fixture.namespace},${other}`,
    });
    await fixture.apply('shared');
    await fixture.apply('dedicated', { isolation: 'Dedicated' });
    await fixture.apply('elsewhere', {}, other);
    const account = {
      apiVersion: 'touchline.dev/v1beta1',
      kind: 'Account',
      metadata: { name: 'kept', namespace: fixture.namespace },
      spec: { email: ACCOUNT, deletionPolicy: 'Delete' },
    };
    await fixture.kubectl(['apply', '-f', '-'], JSON.stringify(account));
    await fixture.condition('shared', 'Accepted=True');
    await fixture.condition('dedicated', 'Accepted=True');
    await until(
      'the account is declared',
      async () => (await fixture.get('Account kept')).status?.reason === 'Applied',
      PATIENCE_MS,
    );
    await until(
      'elsewhere is served',
      async () => (await fixture.get('whs elsewhere', other)).status?.installation,
      PATIENCE_MS,
    );
  });
  after(() => fixture?.close());

  const names = async (kind: string, namespace = fixture.namespace): Promise<string[]> =>
    (await fixture.get(kind, namespace)).items.map(({ metadata }: Resource) => metadata.name).sort();
  const conditions = ({ status }: Resource) =>
    status.conditions.map((one: Resource) => `${one.type}=${one.status} ${one.reason}`);
  const ready = ['Accepted=Unknown', 'Ready=False', 'Delivering=False', 'Stalled=True'].map(
    (one) => `${one} NotServed`,
  );

  it('changes nothing, and says so, while the leader is a replica that it cannot stop', async () => {
    const api = openKubeApi(loadConfig(await fixture.kubeconfig(fixture.kube.server)));
    const lines: string[] = [];
    const { namespace } = fixture;
    const given = { api, namespace, namespaces: [namespace], name: 'touchline', deployment: undefined };
    const isComplete = await withdraw({
      ...given,
      logger: pino({ level: 'silent' }),
      patienceMs: 500,
      say: (line) => lines.push(line),
    });
    api.close();
    assert.equal(isComplete, false);
    assert.deepEqual(lines, [
      'The operator may still run, so the status of its resources was not changed: the operator did not release its Lease within 0.5 s',
    ]);
    assert.equal((await fixture.status('shared'))!.installation, `${namespace}/touchline`);
    assert.deepEqual(await names('lease'), [DEPLOYMENT, CLAIM]);
  });

  it('ends in time if the API server does not answer, and lists what is left', async () => {
    const proxy = await openKubeProxy(fixture.kube);
    const api = openKubeApi(loadConfig(await fixture.kubeconfig(proxy)));
    await proxy.close();
    const lines: string[] = [];
    const { namespace } = fixture;
    const isComplete = await withdraw({
      api,
      namespace,
      namespaces: [namespace],
      name: 'touchline',
      deployment: DEPLOYMENT,
      logger: pino({ level: 'silent' }),
      patienceMs: 500,
      say: (line) => lines.push(line),
    });
    api.close();
    assert.equal(isComplete, false);
    assert.deepEqual(
      lines.map((line) => line.split(':')[0]),
      [
        'The operator was not stopped',
        'The operator may still run, so the status of its resources was not changed',
        'The Lease touchline-operator was not removed',
      ],
    );
  });

  it('stops the operator, marks the resources, and removes Leases and dedicated dispatchers', async () => {
    const before = await names('deployment');
    assert.equal(before.length, 3, before.join());
    const command = start(['withdraw'], {
      env: {
        KUBECONFIG: await fixture.kubeconfig(fixture.kube.server),
        OPERATOR_DEPLOYMENT: DEPLOYMENT,
        OPERATOR_INSTALLATION: 'touchline',
        OPERATOR_NAMESPACES: `${fixture.namespace},${other}`,
      },
    });
    // The Deployment's pods would end now. Here the operator is a process.
    const scaled = async () => (await fixture.get(`deployment ${DEPLOYMENT}`)).spec.replicas === 0;
    await until('the operator is scaled down', scaled, PATIENCE_MS);
    await replica.process.interrupt();
    const { code, out, err } = await command.finished;
    assert.equal(code, 0, err);
    const { namespace } = fixture;
    assert.deepEqual(out.trim().split('\n'), [
      `${namespace}: 3 resources are no longer served`,
      `${other}: 1 resource is no longer served`,
      `The installation ${namespace}/touchline no longer serves any namespace`,
    ]);
    for (const one of [
      await fixture.get('whs shared'),
      await fixture.get('whs dedicated'),
      await fixture.get('whs elsewhere', other),
    ]) {
      assert.deepEqual(conditions(one), ready);
      const { reason, installation, dispatcher, subscription } = one.status;
      assert.deepEqual([reason, installation, dispatcher], ['NotServed', undefined, undefined]);
      assert.match(subscription, /^\d+$/);
    }
    const account = await fixture.get('Account kept');
    assert.deepEqual(conditions(account), ['Ready=False NotServed', 'Stalled=True NotServed']);
    // Without the finalizer, the resource can be deleted. What it declares stays.
    assert.equal(account.metadata.finalizers, undefined);
    assert.equal((await listAccounts(fixture.db.pool, systemClock, ACCOUNT)).length, 1);
    assert.deepEqual(await names('lease'), []);
    assert.deepEqual(await names('lease', other), []);
    assert.deepEqual(await names('deployment'), ['touchline-dispatcher', DEPLOYMENT]);
    // Runs it a second time, as a second `helm uninstall` would.
    const again = await start(['withdraw'], {
      env: { KUBECONFIG: await fixture.kubeconfig(fixture.kube.server), OPERATOR_DEPLOYMENT: DEPLOYMENT },
    }).finished;
    assert.deepEqual([again.code, again.out.split('\n')[0]], [0, `${namespace}: 0 resources are no longer served`]);
  });

  it('lets a new installation serve the same resources with the same subscriptions afterwards', async () => {
    const row = (await fixture.status('shared'))!.subscription;
    const second = await createOperatorFixture({ release: 'touchline-two', beside: fixture, database: fixture.db });
    const replica = await second.start();
    await second.leader([replica]);
    await second.condition('shared', 'Accepted=True');
    const { installation, subscription } = (await second.status('shared'))!;
    assert.deepEqual([installation, subscription], [`${second.namespace}/touchline-two`, row]);
    await second.close();
  });
});
