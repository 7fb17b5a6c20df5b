/**
 * Tests several operator installations in one cluster. Each namespace belongs to one installation, which does not touch
 * resources in others.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSubscription, endSubscription } from '../../../src/webhooks/subscriptions/subscription.ts';
import {
  encryptedSecret,
  findSubscriptions,
  type ManagedBy,
} from '../../../src/webhooks/subscriptions/subscription-queries.ts';
import { needKube, stopSharedKube } from '../../support/kube.ts';
import {
  ACCOUNT,
  createOperatorFixture,
  type OperatorFixture,
  type Replica,
  SECRET_KEY,
} from '../../support/operator.ts';
import { until } from '../../support/until.ts';
import { webhookDeps } from '../../support/webhook-fixture.ts';

const PATIENCE_MS = 60_000;

after(stopSharedKube);

const rowsOf = async (fixture: OperatorFixture) => findSubscriptions(fixture.db.pool, { managed: true });
const namesOf = async (fixture: OperatorFixture) => (await rowsOf(fixture)).map(({ managedBy }) => managedBy!.name);

describe('two releases in one namespace', function () {
  this.timeout(180_000);
  let one: OperatorFixture;
  let two: OperatorFixture;
  let first: Replica;
  const deploymentOf = (release: string) => one.get(`deployment ${release}-dispatcher`);
  const started = (fixture: OperatorFixture, release: string) =>
    fixture.start({ OPERATOR_DEPLOYMENT: `${release}-operator` });

  before(async function () {
    needKube(this);
    one = await createOperatorFixture({ release: 'touchline-one' });
    two = await createOperatorFixture({ release: 'touchline-two', beside: one });
    // Deletes the object that owns a release's dispatchers and claim, as an uninstall does.
    for (const release of ['touchline-one', 'touchline-two'])
      await one.kubectl(['create', 'deployment', `${release}-operator`, '--image=touchline:1', '--replicas=0']);
    first = await started(one, 'touchline-one');
    await one.leader([first]);
    await one.apply('before');
    await one.condition('before', 'Accepted=True');
  });
  after(async () => {
    await two?.close();
    await one?.close();
  });

  it('both lead and have dispatchers, but only one serves the resources, and the second one reports that', async () => {
    const second = await started(two, 'touchline-two');
    await two.leader([second]);
    assert.equal(await first.leading(), true);
    await one.apply('after');
    await one.condition('after', 'Accepted=True');
    assert.equal((await one.status('after'))!.installation, `${one.namespace}/touchline-one`);
    for (const release of ['touchline-one', 'touchline-two'])
      assert.equal((await deploymentOf(release)).metadata.ownerReferences[0].name, `${release}-operator`);
    assert.deepEqual(await namesOf(one), ['before', 'after']);
    assert.deepEqual(await namesOf(two), []);
    assert.match(await second.metrics(), /^touchline_operator_namespaces_refused 1$/m);
    assert.match(await first.metrics(), /^touchline_operator_namespaces_refused 0$/m);
    const told = second.process.errors().match(/is served by the installation [^",]*/g);
    assert.deepEqual(told, [`is served by the installation ${one.namespace}/touchline-one`]);
    assert.deepEqual(
      second.proxy.asked.filter(({ method, path }) => method !== 'GET' && path.includes('webhooksubscriptions/')),
      [],
    );
  });

  it('a second release on the same database is refused in one line', async () => {
    const three = await createOperatorFixture({ release: 'touchline-three', beside: one, database: one.db });
    const { process } = await three.spawn({ LOG_LEVEL: 'info' });
    const { code } = await process.finished;
    assert.equal(code, 1);
    const lines = process.errors().trim().split('\n');
    assert.match(
      lines.at(-1)!,
      /is served by the installation [-\w]+\/touchline-one, .* says\. Both installations use the same database$/,
    );
    assert.equal(lines.filter((line) => !line.startsWith('{')).length, 1);
    await three.close();
    assert.deepEqual(await namesOf(one), ['before', 'after']);
  });

  it('pass the resources to the second release when the first is uninstalled, but not when it is only down', async () => {
    first.process.child.kill('SIGKILL');
    await first.process.finished;
    await one.kubectl(['get', 'lease', 'webhooksubscriptions.touchline.dev']);
    assert.deepEqual(await namesOf(two), []);
    await one.kubectl(['delete', 'deployment', 'touchline-one-operator']);
    await until('they have rows', async () => (await namesOf(two)).length === 2, PATIENCE_MS);
    for (const name of ['before', 'after']) {
      await one.condition(name, 'Accepted=True');
      await until(
        'the status says it',
        async () => (await one.status(name))!.installation === `${one.namespace}/touchline-two`,
        PATIENCE_MS,
      );
    }
    await until(
      'its dispatchers are gone',
      () =>
        deploymentOf('touchline-one').then(
          () => false,
          () => true,
        ),
      PATIENCE_MS,
    );
  });
});

describe('rows for deleted resources', function () {
  this.timeout(180_000);
  let fixture: OperatorFixture;
  let replica: Replica;
  let guests: string;
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
    guests = `${fixture.namespace}-guests`;
    await fixture.grant({ namespaces: [fixture.namespace, guests] });
  });
  after(() => fixture?.close());

  /** Stores a subscription as an operator does. */
  async function store(over: Partial<ManagedBy>): Promise<number> {
    const managedBy = {
      namespace: guests,
      name: 'x',
      installation: null,
      cluster: null,
      uid: `${Math.random()}`,
      ...over,
    };
    const input = { account: ACCOUNT, url: 'https://93.184.216.34/', managedBy };
    return (await createSubscription(webhookDeps(fixture.db.pool, [SECRET_KEY]), input)).id;
  }
  const ids = async () => (await rowsOf(fixture)).map(({ id }) => id);
  const start = async () => {
    const begun = await fixture.start({ OPERATOR_NAMESPACES: `${fixture.namespace},${guests}` });
    await fixture.leader([begun]);
    return begun;
  };

  it('are ended if the namespace was deleted while no operator ran, but another installation’s rows only if that deletion is certain', async () => {
    replica = await start();
    await fixture.apply('host');
    await fixture.apply('guest', {}, guests);
    await until('both have rows', async () => (await ids()).length === 2, PATIENCE_MS);
    const rows = await rowsOf(fixture);
    const host = rows.find(({ managedBy }) => managedBy!.name === 'host')!;
    const { installation, cluster } = host.managedBy!;
    assert.equal(installation, `${fixture.namespace}/touchline`);
    assert.match(cluster!, /^[-0-9a-f]{36}$/);
    replica.process.child.kill('SIGTERM');
    await replica.process.finished;
    await fixture.kubectl(['delete', 'namespace', guests, '--timeout=90s']);

    const other = 'elsewhere/touchline';
    const stays = [
      await store({ namespace: 'gone', installation: other, cluster: 'another-cluster' }),
      await store({ namespace: 'gone', installation: other }),
      await store({ namespace: 'gone' }),
      await store({ namespace: 'default', installation: other, cluster }),
      await store({ namespace: 'default', installation, cluster }),
      await store({ namespace: guests, installation, cluster: 'another-cluster' }),
    ];
    const seen = 'INSERT INTO operator_namespace VALUES ($1, $2, $3, now() - $4::interval)';
    await fixture.db.pool.query(seen, ['live-cluster', fixture.namespace, installation, '59 minutes']);
    await fixture.db.pool.query(seen, ['former-cluster', fixture.namespace, installation, '61 minutes']);
    stays.push(await store({ namespace: fixture.namespace, installation, cluster: 'live-cluster' }));
    stays.push(await store({ namespace: fixture.namespace, installation: other, cluster: 'former-cluster' }));
    const ends = [
      await store({ namespace: fixture.namespace, installation, cluster: 'former-cluster' }),
      await store({ namespace: 'gone', installation: other, cluster }),
      await store({ namespace: 'gone', installation, cluster }),
      await store({ namespace: guests, installation, cluster }),
      await store({ namespace: fixture.namespace, installation, cluster }),
      await store({ namespace: fixture.namespace }),
    ];
    replica = await start();
    await until('they have ended', async () => !(await ids()).some((id) => ends.includes(id)), PATIENCE_MS);
    assert.deepEqual(await ids(), [host.id, ...stays]);
    for (const id of stays) await endSubscription(webhookDeps(fixture.db.pool, [SECRET_KEY]), id);
  });

  it('are adopted if they come from an older version', async () => {
    await fixture.db.pool.query('UPDATE webhook_subscription SET managed_installation = NULL, managed_cluster = NULL');
    const [before] = await rowsOf(fixture);
    await fixture.apply('host', { sports: ['tennis'] });
    // The operator may adopt the row while it still handles the former resource, so wait until the new filter is stored.
    const isTennis = async () => (await rowsOf(fixture))[0]!.sports?.join() === 'tennis';
    await until('the filter is stored', isTennis, PATIENCE_MS);
    const [after] = await rowsOf(fixture);
    assert.equal(after!.id, before!.id);
    assert.equal(after!.managedBy!.installation, `${fixture.namespace}/touchline`);
  });

  it('stay if the operator may not read namespaces, and the cluster then counts as unknown', async () => {
    await fixture.kubectl(['delete', 'clusterrolebinding', `${fixture.namespace}-touchline-operator`]);
    replica.process.child.kill('SIGTERM');
    await replica.process.finished;
    const gone = await store({ namespace: 'gone', installation: `${fixture.namespace}/touchline` });
    replica = await start();
    await fixture.apply('unknown');
    await fixture.condition('unknown', 'Accepted=True');
    // By then, the sweep is done, because it waits in the same queue before new resources.
    await sleep(1_000);
    const rows = await rowsOf(fixture);
    assert.ok(rows.some(({ id }) => id === gone));
    assert.equal(rows.find(({ managedBy }) => managedBy!.name === 'unknown')!.managedBy!.cluster, null);
    assert.equal(replica.proxy.asked.filter(({ status }) => status >= 500).length, 0);
  });
});

describe('an operator with the least rights', function () {
  this.timeout(120_000);
  let fixture: OperatorFixture;
  let guests: string;
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
    guests = `${fixture.namespace}-guests`;
    const secrets = { create: false, names: ['signing'] };
    await fixture.grant({ namespaces: [guests], dedicated: false, readNamespaces: false, secrets });
    // Grants from the fixture.
    const own = `${fixture.namespace}-touchline-operator`;
    await fixture.kubectl(['delete', `rolebinding/${own}`, `clusterrolebinding/${own}`]);
  });
  after(() => fixture?.close());

  it('serves resources outside its own namespace, and may not read Secrets inside it', async () => {
    const replica = await fixture.start({ OPERATOR_NAMESPACES: guests, OPERATOR_DEDICATED: '0' });
    await fixture.leader([replica]);
    const signing = { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'signing' }, stringData: signing };
    await fixture.kubectl(['-n', guests, 'apply', '-f', '-'], JSON.stringify(secret));
    const wanted: [string, object, string][] = [
      ['named', { secretRef: { name: 'signing' } }, 'Accepted'],
      ['unnamed', {}, 'SecretNotListed'],
      ['alone', { secretRef: { name: 'signing' }, isolation: 'Dedicated' }, 'DispatcherRefused'],
    ];
    for (const [name, spec] of wanted) await fixture.apply(name, spec, guests);
    for (const [name, , reason] of wanted)
      await until(
        `${name} is ${reason}`,
        async () => {
          const { status } = await fixture.get(`whs ${name}`, guests);
          return status?.conditions?.some((one: { type: string; reason: string }) => one.reason === reason) ?? false;
        },
        PATIENCE_MS,
      );
    assert.equal((await fixture.get('deployment')).items.length, 1);
    // The operator reverts a manual change. It has the right to do so only for this name.
    await fixture.kubectl(['scale', 'deployment', 'touchline-dispatcher', '--replicas=9']);
    await until(
      'its size is put right',
      async () => (await fixture.get('deployment touchline-dispatcher')).spec.replicas === 1,
      PATIENCE_MS,
    );
    const kubeconfig = await fixture.kubeconfig(fixture.kube.server);
    const may = async (...args: string[]) => {
      const asked = ['--kubeconfig', kubeconfig, 'auth', 'can-i', ...args];
      return (await fixture.kubectl(asked).catch(() => 'no')).trim();
    };
    assert.equal(await may('get', 'secret/signing', '-n', guests), 'yes');
    for (const args of [
      ['get', 'secret/signing', '-n', fixture.namespace],
      ['get', 'secret/other', '-n', guests],
      ['list', 'secrets', '-n', guests],
      ['create', 'secrets', '-n', guests],
      ['patch', 'deployment/touchline-api', '-n', fixture.namespace],
      ['delete', 'deployment/touchline-dispatcher', '-n', fixture.namespace],
      ['get', 'whs', '-n', fixture.namespace],
      ['get', 'namespace/default'],
    ])
      assert.equal(await may(...args), 'no', args.join(' '));
  });
});

describe('an operator with access to named Secrets', function () {
  this.timeout(180_000);
  let fixture: OperatorFixture;
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
  });
  after(() => fixture?.close());

  const conditionOf = async (name: string) =>
    (await fixture.status(name))!.conditions!.find(({ type }) => type === 'Accepted')!;
  const row = async (name: string) =>
    (await findSubscriptions(fixture.db.pool, { managed: true })).find(({ managedBy }) => managedBy!.name === name)!;
  const secretOf = async (name: string) => (await encryptedSecret(fixture.db.pool, (await row(name)).id))!;

  it('keeps serving accepted resources after an upgrade that ends unrestricted access, and a refused resource names the value to change', async () => {
    const before = await fixture.start();
    await fixture.leader([before]);
    await fixture.apply('old');
    await fixture.condition('old', 'Accepted=True');
    const secret = await secretOf('old');
    await before.process.interrupt();

    // Grants the chart's default rights.
    await fixture.grant({ secrets: {} });
    const named = await fixture.start({ OPERATOR_SECRETS: 'touchline-webhooks' });
    await fixture.leader([named]);
    await fixture.apply('listed', { secretRef: { name: 'touchline-webhooks' } });
    await fixture.condition('listed', 'Accepted=True');
    assert.ok((await fixture.get('secret touchline-webhooks')).data.secret, 'it was created');
    await fixture.apply('unlisted', {});
    await fixture.condition('unlisted', 'Accepted=SecretNotListed');
    assert.equal((await conditionOf('unlisted')).status, 'False');
    assert.match(
      (await conditionOf('unlisted')).message,
      /Secret unlisted-webhook: add it to operator\.secrets\.names .*operator\.secrets\.access to any.*: touchline-webhooks\./,
    );
    await fixture.apply('old', { sports: ['tennis'] });
    await fixture.condition('old', 'Accepted=SecretNotListed');
    const kept = await row('old');
    assert.deepEqual([kept.endedAt, kept.paused, kept.sports, await secretOf('old')], [null, false, [], secret]);
    assert.equal(named.proxy.asked.filter(({ path }) => /secrets\/(un|old)/.test(path)).length, 0, 'nothing was asked');
    await named.process.interrupt();

    // Starts a replica without the list of namespaces, which has only its rights to go by.
    const unaware = await fixture.start();
    await fixture.leader([unaware]);
    await fixture.apply('forbidden', {});
    await fixture.condition('forbidden', 'Accepted=SecretNotListed');
    assert.match((await conditionOf('forbidden')).message, /add it to operator\.secrets\.names/);
    await unaware.process.interrupt();

    await fixture.grant({ secrets: { names: ['touchline-webhooks', 'old-webhook'] } });
    const more = await fixture.start({ OPERATOR_SECRETS: 'touchline-webhooks,old-webhook' });
    await fixture.leader([more]);
    await fixture.condition('old', 'Accepted=True');
    assert.deepEqual([(await row('old')).sports, await secretOf('old')], [['tennis'], secret]);
    await more.process.interrupt();
  });

  it('names the value to change if it may not create a Secret', async () => {
    await fixture.grant({ secrets: { names: ['given'], create: false } });
    const replica = await fixture.start({ OPERATOR_SECRETS: 'given' });
    await fixture.leader([replica]);
    await fixture.apply('missing', { secretRef: { name: 'given' } });
    await fixture.condition('missing', 'Accepted=SecretRefused');
    assert.match((await conditionOf('missing')).message, /Create it, or set operator\.secrets\.create/);
  });
});
