/** Tests how the operator, as a process on a real API server, handles resources. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { customResourceDefinition } from '../../../operators/webhook-subscription/crd.ts';
import { dedicatedGroup } from '../../../operators/webhook-subscription/desired-state.ts';
import { deploymentName } from '../../../operators/webhook-subscription/dispatcher-deployment.ts';
import { decryptSecret } from '../../../src/accounts/stored-secret.ts';
import { checkSecret, generateSecret } from '../../../src/webhooks/subscriptions/secret.ts';
import {
  encryptedSecret,
  findSubscriptions,
  type Subscription,
} from '../../../src/webhooks/subscriptions/subscription-queries.ts';
import { argoCdHealth } from '../../support/argocd-health.ts';
import { needKube, stopSharedKube } from '../../support/kube.ts';
import {
  ACCOUNT,
  createOperatorFixture,
  type OperatorFixture,
  type Replica,
  SECRET_KEY,
} from '../../support/operator.ts';
import { until } from '../../support/until.ts';

const PATIENCE_MS = 60_000;

after(stopSharedKube);

describe('the CRD on an API server', function () {
  this.timeout(120_000);
  let fixture: OperatorFixture;
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
  });
  after(() => fixture?.close());

  it('has a structural schema and sets the defaults', async () => {
    const crd = JSON.parse(await fixture.kubectl(['get', 'crd', 'webhooksubscriptions.touchline.dev', '-o', 'json']));
    const conditions = crd.status.conditions.map(
      ({ type, status }: { type: string; status: string }) => `${type}=${status}`,
    );
    assert.deepEqual(conditions.sort(), ['Established=True', 'NamesAccepted=True']);
    await fixture.apply('defaults');
    assert.deepEqual((await fixture.get('whs defaults')).spec, {
      url: 'https://93.184.216.34/defaults',
      account: ACCOUNT,
      eventTypes: [],
      sports: [],
      leagues: [],
      matchIds: [],
      participantIds: [],
      conditions: [],
      headers: [],
      delay: 0,
      secretRef: { key: 'secret' },
      paused: false,
      isolation: 'Shared',
    });
  });

  const refused: [string, object, RegExp][] = [
    ['plain HTTP', { url: 'http://93.184.216.34/' }, /must be an https address/],
    ['another scheme', { url: 'ftp://93.184.216.34/' }, /must be an https address/],
    ['a text that is not a URL', { url: '93.184.216.34' }, /must be an https address/],
    ['a URL without a host', { url: 'https://' }, /must name a host/],
    ['a user name', { url: 'https://user@93.184.216.34/' }, /may not contain a user name or a password/],
    ['a password', { url: 'https://:pw@93.184.216.34/' }, /may not contain a user name or a password/],
    ['a port that is too large', { url: 'https://93.184.216.34:65536/' }, /the port may be at most 65535/],
    ['a port that is absurd', { url: 'https://93.184.216.34:99999999999999999999/' }, /the port may be at most 65535/],
    ['a URL that is too long', { url: `https://93.184.216.34/${'x'.repeat(2_048)}` }, /Too long/],
    ['no account', { account: undefined }, /spec.account: Required/],
    ['neither a URL nor a destination', { url: undefined }, /must have a url or a destination, not both/],
    ['a URL and a destination', { destination: { kind: 'MQTT' } }, /must have a url or a destination, not both/],
    ['an unknown destination', { url: undefined, destination: { kind: 'Fax' } }, /Unsupported value: "Fax"/],
    ['resources of shared dispatchers', { resources: { requests: { cpu: 1 } } }, /isolation: Dedicated/],
    ['an invalid quantity', { isolation: 'Dedicated', resources: { limits: { memory: 'much' } } }, /should match/],
    ['another isolation', { isolation: 'Alone' }, /Unsupported value/],
    ['a sport twice', { sports: ['tennis', 'tennis'] }, /Duplicate value/],
    ['too many leagues', { leagues: Array.from({ length: 201 }, (_, i) => i + 1) }, /Too many/],
    ['a league of zero', { leagues: [0] }, /greater than or equal to 1/],
    ['an invalid name of a Secret', { secretRef: { name: 'Not_A_Name' } }, /should match/],
    ['the name of a Secret with an empty label', { secretRef: { name: 'a..b' } }, /should match/],
    ['the name of a Secret with a label that ends in a hyphen', { secretRef: { name: 'a-.b' } }, /should match/],
    ['another order', { ordering: 'League' }, /Unsupported value/],
    ['a delay of more than ten minutes', { delay: 601 }, /less than or equal to 600/],
    ['a rate of zero', { maxPerSecond: 0 }, /greater than or equal to 1/],
    ['too many conditions', { conditions: Array.from({ length: 11 }, (_, i) => `data.match.id = ${i}`) }, /Too many/],
    ['a header without a value', { headers: [{ name: 'x' }] }, /must have a value or valueFrom/],
    ['a header twice', { headers: ['1', '2'].map((value) => ({ name: 'x', value })) }, /Duplicate value/],
    ['an unknown field', { retries: 9 }, /unknown field "spec.retries"/],
  ];
  for (const [what, spec, message] of refused) {
    it(`refuses ${what}`, () => assert.rejects(fixture.apply('refused', spec), message));
  }

  it('accepts values that only resemble a user name or a large port', async () => {
    for (const url of ['https://93.184.216.34:65535/a@b', 'https://93.184.216.34/?q=a@b', 'https://93.184.216.34?@b'])
      await fixture.apply('taken', { url });
    await fixture.apply('taken', { secretRef: { name: 'a.b-c.d' } });
  });

  it('refuses a name that is too long for a label, and a change to the account', async () => {
    await assert.rejects(fixture.apply('n'.repeat(64)), /at most 63 characters/);
    await fixture.apply('immutable');
    await assert.rejects(fixture.apply('immutable', { account: 'other@example.com' }), /is immutable/);
  });

  it('shows its columns in a list', async () => {
    const [header, line] = (await fixture.kubectl(['get', 'whs', 'defaults'])).trim().split('\n');
    const columns = ['NAME', 'URL', 'ACCEPTED', 'READY', 'DELIVERING', 'REASON', 'AGE'];
    assert.deepEqual(header!.split(/\s{2,}/), columns);
    assert.match(line!, /^defaults +https:\/\/93\.184\.216\.34\/defaults +/);
    const [wide] = (await fixture.kubectl(['get', 'whs', 'defaults', '-o', 'wide'])).trim().split('\n');
    assert.deepEqual(wide!.split(/\s{2,}/).slice(-3), ['ISOLATION', 'DISPATCHER', 'AGE']);
  });

  it('serves each resource in both versions, and checks both alike', async () => {
    const spec = { url: 'https://93.184.216.34/newest', account: ACCOUNT };
    const resource = { apiVersion: 'touchline.dev/v1beta1', kind: 'WebhookSubscription', metadata: { name: 'newest' } };
    await fixture.kubectl(['apply', '-f', '-'], JSON.stringify({ ...resource, spec }));
    const read = async (version: string) =>
      JSON.parse(await fixture.kubectl(['get', `webhooksubscriptions.${version}.touchline.dev/newest`, '-o', 'json']));
    const [newest, oldest] = [await read('v1beta1'), await read('v1alpha1')];
    assert.equal(newest.apiVersion, 'touchline.dev/v1beta1');
    assert.equal(oldest.apiVersion, 'touchline.dev/v1alpha1');
    assert.deepEqual(newest.spec, oldest.spec);
    assert.equal(newest.metadata.uid, oldest.metadata.uid);
    const refused = { ...resource, spec: { ...spec, url: 'http://93.184.216.34/' } };
    await assert.rejects(fixture.kubectl(['apply', '-f', '-'], JSON.stringify(refused)), /must be an https address/);
  });

  it('can be rolled back to the CRD of the release before, which serves v1alpha1 alone', async () => {
    const crd = customResourceDefinition() as {
      spec: { versions: { name: string; storage: boolean }[] };
    };
    const before = {
      ...crd,
      spec: { ...crd.spec, versions: crd.spec.versions.filter(({ name }) => name === 'v1alpha1') },
    };
    await fixture.apply('kept');
    const { uid } = (await fixture.get('whs kept')).metadata;
    try {
      await fixture.kubectl(['apply', '-f', '-'], JSON.stringify(before));
      assert.equal((await fixture.get('whs kept')).metadata.uid, uid);
    } finally {
      await fixture.kubectl(['apply', '-f', '-'], JSON.stringify(crd));
    }
    await until(
      'both versions are served again',
      () =>
        fixture.kubectl(['get', '--raw', '/apis/touchline.dev/v1beta1']).then(
          (text) => text.includes('webhooksubscriptions'),
          () => false,
        ),
      PATIENCE_MS,
    );
  });
});

describe('the operator', function () {
  this.timeout(180_000);
  let fixture: OperatorFixture;
  let replica: Replica;
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
  });
  after(() => fixture?.close());

  it('is ready when the first dispatcher is', async () => {
    fixture.podsAreReady(false);
    const starting = fixture.start();
    await until(
      'there is a Deployment of dispatchers',
      () =>
        fixture.get('deployment touchline-dispatcher').then(
          ({ spec, status }) => status.observedGeneration > 0 && spec.replicas === 1,
          () => false,
        ),
      PATIENCE_MS,
    );
    // Waits long enough for several requests.
    assert.equal(await Promise.race([starting, sleep(2_000)]), undefined);
    fixture.podsAreReady(true);
    replica = await starting;
    await fixture.leader([replica]);
  });

  async function row(name: string): Promise<Subscription | undefined> {
    const rows = await findSubscriptions(fixture.db.pool, { managed: true });
    return rows.find(({ managedBy }) => managedBy!.namespace === fixture.namespace && managedBy!.name === name);
  }
  async function stored(name: string): Promise<string> {
    return decryptSecret((await encryptedSecret(fixture.db.pool, (await row(name))!.id))!, [SECRET_KEY]);
  }
  const secretText = async (name: string, key = 'secret') =>
    Buffer.from((await fixture.get(`secret ${name}`)).data[key], 'base64').toString();
  const secretOf = (name: string, text: string, key = 'secret') =>
    fixture.kubectl(
      ['apply', '-f', '-'],
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { [key]: text } }),
    );
  const events = async (name: string): Promise<string[]> => {
    const { items } = await fixture.get('event');
    return items
      .filter((event: { involvedObject: { name: string } }) => event.involvedObject.name === name)
      .map(({ type, reason }: { type: string; reason: string }) => `${type} ${reason}`);
  };
  const reasons = async (name: string) => (await events(name)).map((one) => one.split(' ')[1]!);
  const deploymentIsGone = (name: string) =>
    until(
      'its Deployment is gone',
      () =>
        fixture.get(`deployment ${name}`).then(
          () => false,
          () => true,
        ),
      PATIENCE_MS,
    );
  /** Sets whether a dispatcher counts as running, by when its heartbeat expires. */
  const dispatcherIs = (group: string, alive: boolean) =>
    fixture.db.pool.query(
      `INSERT INTO webhook_dispatcher (name, dispatcher_group, expires_at) VALUES ($1, $1, $2)
       ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at`,
      [group, alive ? 'infinity' : '-infinity'],
    );

  it('creates a row, a Secret, a status and Events for a resource', async () => {
    await fixture.apply('goals', { eventTypes: ['match.goal', 'match.card'], sports: ['football'], leagues: [7] });
    await fixture.condition('goals', 'Accepted=True');
    const made = (await row('goals'))!;
    assert.equal(made.url, 'https://93.184.216.34/goals');
    assert.deepEqual(
      [made.eventTypes.toSorted(), made.sports, made.leagues],
      [['match.card', 'match.goal'], ['football'], [7]],
    );
    assert.deepEqual([made.account, made.paused, made.dispatcherGroup], [ACCOUNT, false, 'shared']);
    const text = await secretText('goals-webhook');
    checkSecret(text);
    assert.equal(await stored('goals'), text);
    const { metadata } = await fixture.get('secret goals-webhook');
    assert.equal(metadata.ownerReferences[0].name, 'goals');
    const status = (await fixture.status('goals'))!;
    assert.deepEqual(
      [status.subscription, status.dispatcher, status.secret, status.observedGeneration],
      [String(made.id), 'touchline-dispatcher', 'goals-webhook', 1],
    );
    await until('it is told in Events', async () => (await reasons('goals')).includes('SecretCreated'), PATIENCE_MS);
  });

  it('checks a new resource only once, and does not try to delete a Deployment that never existed', async () => {
    const since = performance.now();
    await fixture.apply('counted', { secretRef: { name: 'counted' } });
    await fixture.condition('counted', 'Accepted=True');
    await until('it is told in Events', async () => (await reasons('counted')).length > 0, PATIENCE_MS);
    await fixture.kubectl(['delete', 'whs', 'counted']);
    await until('its row has ended', async () => (await row('counted')) === undefined, PATIENCE_MS);
    // The operator processes the next resource only after this one.
    await fixture.apply('counted-too');
    await fixture.condition('counted-too', 'Accepted=True');
    const asked = replica.proxy.asked
      .filter(({ path, at }) => at > since && /counted(?!-too)/.test(path))
      .map(({ method, path }) => `${method} ${path.split('?')[0]!.split('/').slice(-2).join('/')}`);
    assert.deepEqual(
      asked.map((one) => one.replace(/counted\.\w+/, 'event')),
      ['GET secrets/counted', 'GET webhooksubscriptions/counted', 'PATCH events/event', 'PATCH counted/status'],
    );
    assert.equal(replica.proxy.asked.filter(({ method, at }) => method === 'DELETE' && at > since).length, 0);
  });

  it('applies a spec change', async () => {
    await fixture.apply('goals', { url: 'https://93.184.216.34/other', sports: ['tennis'], paused: true });
    await fixture.condition('goals', 'Delivering=Paused');
    const changed = (await row('goals'))!;
    assert.deepEqual(
      [changed.url, changed.sports, changed.leagues, changed.paused],
      ['https://93.184.216.34/other', ['tennis'], [], true],
    );
    await fixture.apply('goals', { sports: ['tennis'], paused: false });
    await fixture.condition('goals', 'Delivering=NothingSent');
    assert.equal((await row('goals'))!.paused, false);
  });

  it('reports lost events in the condition and a Warning', async () => {
    await fixture.db.pool.query(
      `UPDATE webhook_subscription SET last_success_at = now(), gap = '{"at":"2026-03-01T12:00:00Z","from":3,"to":9}' WHERE id = $1`,
      [(await row('goals'))!.id],
    );
    await fixture.apply('goals', { sports: ['football'] });
    await fixture.condition('goals', 'Delivering=EventsExpired');
    const said = (await fixture.status('goals'))!.conditions!.find(({ type }) => type === 'Delivering')!;
    assert.match(
      said.message,
      /^Deliveries succeed, but events after cursor 3 up to 9 were no longer in the event log/,
    );
    await until('it is a Warning', async () => (await events('goals')).includes('Warning EventsExpired'), PATIENCE_MS);
  });

  const bad: [string, object, string][] = [
    ['an unknown account', { account: 'nobody@example.com' }, 'UnknownAccount'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'AddressRefused'],
    ['a name inside the cluster', { url: 'https://api.touchline.svc.cluster.local/' }, 'AddressRefused'],
    ['an unknown sport', { sports: ['quidditch'] }, 'InvalidSports'],
    ['an unknown type of events', { eventTypes: ['match.snitch'] }, 'InvalidEventTypes'],
    ['an unknown field', { conditions: ['data.match.minutes >= 80'] }, 'InvalidConditions'],
    ['a reserved header', { headers: [{ name: 'Host', value: 'x' }] }, 'InvalidHeaders'],
  ];
  it('is degraded in Argo CD within 10 s of a spec that cannot be applied, and never healthy before', async () => {
    await fixture.apply('broken', { account: 'nobody@example.com' });
    const begun = performance.now();
    const seen = new Set<string>();
    await until(
      'it is degraded',
      async () => {
        const { status, message } = argoCdHealth(await fixture.get('whs broken'));
        seen.add(status);
        if (status === 'Degraded') assert.match(message, /nobody@example\.com|account/);
        return status === 'Degraded';
      },
      PATIENCE_MS,
    );
    const taken = performance.now() - begun;
    assert.ok(taken < 10_000, `degraded after ${taken} ms`);
    assert.ok(!seen.has('Healthy'), [...seen].join());
  });

  it('reports in a condition and an Event why a resource cannot be served, and creates no objects for it', async () => {
    for (const [index, [, spec]] of bad.entries()) await fixture.apply(`bad-${index}`, spec);
    for (const [index, [what, , reason]] of bad.entries()) {
      await fixture.condition(`bad-${index}`, `Accepted=${reason}`);
      assert.equal(await row(`bad-${index}`), undefined, what);
      await assert.rejects(fixture.get(`secret bad-${index}-webhook`), /not found/);
      await until(
        `an Event tells of ${what}`,
        async () => (await reasons(`bad-${index}`)).includes(reason),
        PATIENCE_MS,
      );
    }
    // An invalid change does not alter the row.
    const before = await row('goals');
    await fixture.apply('goals', { url: 'https://127.0.0.1/', sports: ['tennis'] });
    await fixture.condition('goals', 'Accepted=AddressRefused');
    assert.deepEqual(await row('goals'), before);
    await fixture.apply('goals', { sports: ['tennis'] });
    await fixture.condition('goals', 'Accepted=True');
    await fixture.apply('bad-3', { sports: ['football'] });
    await fixture.condition('bad-3', 'Accepted=True');
    assert.equal(replica.process.child.exitCode, null);
  });

  it('sets order, pace, conditions and headers, and sends a Secret’s value only if its label allows it', async () => {
    const valueFrom = { secretKeyRef: { name: 'receiver', key: 'token' } };
    const spec = {
      ...{ ordering: 'Match', maxPerSecond: 5, maxInFlight: 2, delay: 30, conditions: ['data.match.minute >= 80'] },
      headers: [
        { name: 'X-Team', value: 'stadium' },
        { name: 'Authorization', valueFrom },
      ],
    };
    await fixture.apply('paced', spec);
    await fixture.condition('paced', 'Accepted=SecretMissing');
    await secretOf('receiver', 'Bearer x', 'token');
    const touch = (value: string) => fixture.kubectl(['annotate', '--overwrite', 'whs', 'paced', `touch=${value}`]);
    await touch('1');
    await fixture.condition('paced', 'Accepted=SecretNotLabelled');
    await fixture.kubectl(['label', 'secret', 'receiver', 'touchline.dev/webhook-headers=true']);
    await touch('2');
    await fixture.condition('paced', 'Accepted=True');
    const made = (await row('paced'))!;
    const { ordering, maxPerSecond, maxInFlight, delay, conditions, headers } = made;
    assert.deepEqual([ordering, maxPerSecond, maxInFlight, delay, conditions], ['match', 5, 2, 30, spec.conditions]);
    assert.deepEqual(headers, [
      { name: 'X-Team', value: 'stadium', secret: false },
      { name: 'Authorization', value: null, secret: true },
    ]);
    const token = async () =>
      JSON.parse(decryptSecret((await row('paced'))!.secretHeaders!, [SECRET_KEY])).authorization;
    assert.equal(await token(), 'Bearer x');
    await secretOf('receiver', 'Bearer y', 'token');
    await fixture.kubectl(['label', '--overwrite', 'secret', 'receiver', 'touchline.dev/webhook-headers=true']);
    await touch('3');
    await until('the new value is stored', async () => (await token()) === 'Bearer y', PATIENCE_MS);
    await fixture.apply('paced', {});
    await until(
      'everything is as without settings',
      async () => (await row('paced'))!.ordering === 'none',
      PATIENCE_MS,
    );
    assert.deepEqual([(await row('paced'))!.headers, (await row('paced'))!.maxPerSecond], [[], null]);
  });

  it('sends to a destination, with a secret from a Secret whose label allows it', async () => {
    const spec = {
      url: undefined,
      destination: {
        kind: 'Kafka',
        brokers: ['93.184.216.34:9093'],
        topic: 'matches',
        mechanism: 'PLAIN',
        username: 'touchline',
        secretKeyRef: { name: 'broker', key: 'password' },
      },
    };
    await fixture.apply('broker', spec);
    await fixture.condition('broker', 'Accepted=SecretMissing');
    await secretOf('broker', 'a password', 'password');
    const touch = (value: string) => fixture.kubectl(['annotate', '--overwrite', 'whs', 'broker', `touch=${value}`]);
    await touch('1');
    await fixture.condition('broker', 'Accepted=SecretNotLabelled');
    await fixture.kubectl(['label', 'secret', 'broker', 'touchline.dev/webhook-destination=true']);
    await touch('2');
    await fixture.condition('broker', 'Accepted=True');
    const made = (await row('broker'))!;
    assert.deepEqual([made.url, made.ordering], ['kafka://93.184.216.34:9093/matches', 'match']);
    assert.equal(decryptSecret(made.destinationSecret!, [SECRET_KEY]), 'a password');
    assert.ok(!JSON.stringify(made.destination).includes('a password'));
    // Other settings are refused with the reason, and the stored ones stay.
    await fixture.apply('broker', { ...spec, destination: { ...spec.destination, brokers: ['10.0.0.1:9093'] } });
    await fixture.condition('broker', 'Accepted=AddressRefused');
    assert.equal((await row('broker'))!.url, made.url);
    await fixture.apply('broker', { ...spec, destination: { ...spec.destination, topic: 'others' } });
    await until('the topic is stored', async () => (await row('broker'))!.url.endsWith('/others'), PATIENCE_MS);
    await fixture.apply('chat', { url: undefined, destination: { kind: 'Slack' } });
    await fixture.condition('chat', 'Accepted=InvalidDestination');
  });

  it('signs with an existing Secret, rotates when that Secret changes, and creates a deleted Secret again', async () => {
    const [first, second] = [generateSecret(), generateSecret()];
    await secretOf('mine', first, 'key');
    await fixture.apply('secrets', { secretRef: { name: 'mine', key: 'key' } });
    await fixture.condition('secrets', 'Accepted=True');
    assert.equal(await stored('secrets'), first);

    await secretOf('mine', second, 'key');
    // Annotates the resource. The operator reads a Secret every minute, and when the resource changes.
    const touch = (value: string) => fixture.kubectl(['annotate', '--overwrite', 'whs', 'secrets', `touch=${value}`]);
    await touch('1');
    await until('it is rotated', async () => (await stored('secrets')) === second, PATIENCE_MS);
    assert.notEqual((await row('secrets'))!.rotatedAt, null);
    await until('an Event tells it', async () => (await reasons('secrets')).includes('SecretRotated'), PATIENCE_MS);

    await secretOf('mine', 'whsec_short', 'key');
    await fixture.apply('secrets', { secretRef: { name: 'mine', key: 'key' }, sports: ['tennis'] });
    await fixture.condition('secrets', 'Accepted=InvalidSecret');
    assert.deepEqual([await stored('secrets'), (await row('secrets'))!.sports], [second, ['tennis']]);

    await fixture.kubectl(['delete', 'secret', 'mine']);
    await touch('2');
    await until(
      'it is there again',
      () =>
        secretText('mine', 'key').then(
          (text) => text === second,
          () => false,
        ),
      PATIENCE_MS,
    );
    assert.equal(await stored('secrets'), second);
  });

  it('keeps a Secret that two resources share when the first resource is deleted', async () => {
    for (const name of ['sharing-1', 'sharing-2']) {
      await fixture.apply(name, { secretRef: { name: 'both' } });
      await fixture.condition(name, 'Accepted=True');
    }
    const text = await secretText('both');
    assert.deepEqual([await stored('sharing-1'), await stored('sharing-2')], [text, text]);
    // When the third resource's Secret is gone, the garbage collector would also have deleted the shared Secret.
    await fixture.apply('sharing-3');
    await fixture.condition('sharing-3', 'Accepted=True');
    await fixture.kubectl(['delete', 'whs', 'sharing-1', 'sharing-3']);
    await until(
      'the other one is gone',
      () =>
        secretText('sharing-3-webhook').then(
          () => false,
          () => true,
        ),
      PATIENCE_MS,
    );
    assert.equal(await secretText('both'), text);
  });

  it('does not change a resource and its Deployment while a pause annotation is set', async () => {
    const pause = (what: string, value: string) =>
      fixture.kubectl(['annotate', '--overwrite', ...what.split(' '), `touchline.dev/pause-reconciliation=${value}`]);
    await pause('whs goals', 'true');
    await fixture.apply('goals', { sports: ['darts'], paused: true });
    await until(
      'it says so',
      async () => (await fixture.status('goals'))!.reason === 'ReconciliationPaused',
      PATIENCE_MS,
    );
    await sleep(1_000);
    assert.deepEqual([(await row('goals'))!.sports, (await row('goals'))!.paused], [['tennis'], false]);
    await pause('whs goals', 'false');
    await fixture.condition('goals', 'Delivering=Paused');
    assert.deepEqual((await row('goals'))!.sports, ['darts']);
    await fixture.apply('goals', { sports: ['tennis'] });
    await fixture.condition('goals', 'Delivering=EventsExpired');

    const image = async () =>
      (await fixture.get('deployment touchline-dispatcher')).spec.template.spec.containers[0].image;
    await pause('deployment touchline-dispatcher', 'true');
    await fixture.kubectl(['set', 'image', 'deployment/touchline-dispatcher', 'dispatcher=debug:1']);
    await sleep(2_000);
    assert.equal(await image(), 'debug:1');
    await pause('deployment touchline-dispatcher', 'false');
    await until('its image is put right', async () => (await image()) === 'touchline:1', PATIENCE_MS);
  });

  it('reports in its log, a metric and a Warning that a Deployment cannot be applied', async () => {
    const failing = async () => /^touchline_operator_deployments_failing (\d)$/m.exec(await replica.metrics())![1];
    assert.equal(await failing(), '0');
    await fixture.apply('refused', { isolation: 'Dedicated' });
    await fixture.condition('refused', 'Accepted=True');
    replica.proxy.fault((method, path) =>
      method === 'PATCH' && path.includes('/deployments/') ? { status: 500 } : null,
    );
    await fixture.apply('refused', { isolation: 'Dedicated', sports: ['tennis'] });
    await fixture.condition('refused', 'Accepted=DispatcherRefused');
    assert.equal(await failing(), '1');
    await until(
      'an Event tells it',
      async () => (await events('refused')).includes('Warning DispatcherRefused'),
      PATIENCE_MS,
    );
    const told = () =>
      replica.process
        .errors()
        .split('\n')
        .filter((line) => line.startsWith('{') && JSON.parse(line).level === 50)
        .map((line) => JSON.parse(line).msg);
    await fixture.apply('refused', { isolation: 'Dedicated', sports: ['darts'] });
    await fixture.condition('refused', 'Accepted=DispatcherRefused');
    assert.deepEqual(told(), ['Deployment of dispatchers cannot be applied']);
    replica.proxy.fault(() => null);
    await fixture.apply('refused', { isolation: 'Dedicated', sports: ['football'] });
    await fixture.condition('refused', 'Accepted=True');
    assert.equal(await failing(), '0');
    await fixture.kubectl(['delete', 'whs', 'refused']);
  });

  it('creates a shared dispatcher Deployment sized for the subscriptions, and creates it again if it is deleted', async () => {
    const deployment = () => fixture.get('deployment touchline-dispatcher');
    const shared = (await findSubscriptions(fixture.db.pool, {})).filter(
      (one) => one.dispatcherGroup === 'shared',
    ).length;
    const replicas = Math.ceil(shared / 3);
    await until(
      'there are as many as needed',
      async () => (await deployment()).spec.replicas === replicas,
      PATIENCE_MS,
    );
    for (let i = 0; i < 3; i++) await fixture.apply(`more-${i}`);
    await until('there is one more', async () => (await deployment()).spec.replicas === replicas + 1, PATIENCE_MS);

    const { uid, labels } = (await deployment()).metadata;
    assert.equal(labels['app.kubernetes.io/managed-by'], 'touchline-operator');
    await fixture.kubectl(['scale', 'deployment', 'touchline-dispatcher', '--replicas=9']);
    await until('its size is put right', async () => (await deployment()).spec.replicas === replicas + 1, PATIENCE_MS);
    await fixture.kubectl(['set', 'image', 'deployment/touchline-dispatcher', 'dispatcher=evil:1']);
    await until(
      'its image is put right',
      async () => (await deployment()).spec.template.spec.containers[0].image === 'touchline:1',
      PATIENCE_MS,
    );
    await fixture.kubectl(['delete', 'deployment', 'touchline-dispatcher']);
    await until(
      'it is there again',
      () =>
        deployment().then(
          ({ metadata }) => metadata.uid !== uid,
          () => false,
        ),
      PATIENCE_MS,
    );
    const env = (await deployment()).spec.template.spec.containers[0].env;
    assert.deepEqual(env, [{ name: 'DISPATCHER_GROUP', value: 'shared' }]);
  });

  it('gives a dedicated subscription its own dispatchers, and moves it when they are ready', async () => {
    await fixture.apply('moving');
    await fixture.condition('moving', 'Accepted=True');
    const { uid } = (await fixture.get('whs moving')).metadata;
    const name = deploymentName('touchline-dispatcher', dedicatedGroup(uid));
    await fixture.apply('moving', {
      isolation: 'Dedicated',
      resources: { requests: { cpu: '250m' }, limits: { memory: '1Gi' } },
    });
    await until(
      'there is a Deployment',
      () =>
        fixture.get(`deployment ${name}`).then(
          () => true,
          () => false,
        ),
      PATIENCE_MS,
    );
    const { spec, metadata } = await fixture.get(`deployment ${name}`);
    assert.deepEqual(spec.template.spec.containers[0].resources, {
      requests: { cpu: '250m' },
      limits: { memory: '1Gi' },
    });
    assert.deepEqual(spec.template.spec.containers[0].env, [{ name: 'DISPATCHER_GROUP', value: dedicatedGroup(uid) }]);
    assert.equal(metadata.ownerReferences[0].uid, uid);
    await fixture.condition('moving', 'Ready=NoDispatcher');
    assert.equal((await row('moving'))!.dispatcherGroup, 'shared');
    await dispatcherIs(dedicatedGroup(uid), true);
    await until('it moves', async () => (await row('moving'))!.dispatcherGroup === dedicatedGroup(uid), PATIENCE_MS);
    await fixture.kubectl(['delete', 'deployment', name]);
    await until(
      'it is there again',
      () =>
        fixture.get(`deployment ${name}`).then(
          ({ metadata: now }) => now.uid !== metadata.uid,
          () => false,
        ),
      PATIENCE_MS,
    );
  });

  it('reports requested CPU or memory that a Deployment cannot have', async () => {
    await fixture.apply('greedy', { isolation: 'Dedicated', resources: { requests: { cpu: 4 }, limits: { cpu: 1 } } });
    await fixture.condition('greedy', 'Accepted=DispatcherRefused');
  });

  it('marks a deleted resource’s row as ended even during a rollout, and keeps the delivery log', async () => {
    await fixture.apply('leaving', { isolation: 'Dedicated' });
    await fixture.condition('leaving', 'Accepted=True');
    const { id, managedBy } = (await row('leaving'))!;
    const name = deploymentName('touchline-dispatcher', dedicatedGroup(managedBy!.uid));
    await fixture.db.pool.query(
      `INSERT INTO webhook_attempt (subscription_id, delivery_id, event_id, event_type, attempt, at, duration_ms, status)
       VALUES ($1, 'd', 'evt_1_1', 'match.goal', 1, now(), 5, 200)`,
      [id],
    );
    // There is no kubelet to run the pods, so the rollout never completes.
    const { status } = await fixture.get(`deployment ${name}`);
    assert.equal(status.availableReplicas ?? 0, 0);
    await fixture.kubectl(['delete', 'whs', 'leaving', '--timeout=60s']);
    await until(
      'its row has ended',
      async () => (await findSubscriptions(fixture.db.pool, { id, ended: true }))[0]!.endedAt !== null,
      PATIENCE_MS,
    );
    await deploymentIsGone(name);
    const { rows } = await fixture.db.pool.query('SELECT status FROM webhook_attempt WHERE subscription_id = $1', [id]);
    assert.deepEqual(rows, [{ status: 200 }]);
  });

  it('notices a ready dispatcher without a delay', async () => {
    await fixture.apply('outcome');
    await fixture.condition('outcome', 'Ready=NoDispatcher');
    await dispatcherIs('shared', true);
    // The operator polls rows every 5 s. Without that, the status would be updated only after 30 s.
    await fixture.condition('outcome', 'Ready=True', 20_000);
  });

  it('reports delivery results at most once every 30 s', async () => {
    const { id } = (await row('outcome'))!;
    const written = () =>
      replica.proxy.asked
        .filter(({ method, path }) => method === 'PATCH' && path.includes('/outcome/status'))
        .map(({ at }) => at);
    const before = written();
    // Outcomes change all the time. One that becomes worse is reported within seconds, and the next one after 30 s.
    for (let i = 0; written().length < before.length + 2; i++) {
      const set = i % 2 ? 'failures = 9' : 'failures = 0, last_success_at = now()';
      await fixture.db.pool.query(`UPDATE webhook_subscription SET ${set} WHERE id = $1`, [id]);
      assert.ok(i < 90, 'the status is not written');
      await sleep(1_000);
    }
    const taken = written()[before.length + 1]! - written()[before.length]!;
    assert.ok(taken > 29_000, `written after ${taken} ms`);
    await fixture.condition('moving', 'Ready=True');
    const { uid } = (await fixture.get('whs moving')).metadata;
    assert.equal(
      (await fixture.status('moving'))!.dispatcher,
      deploymentName('touchline-dispatcher', dedicatedGroup(uid)),
    );
  });

  it('moves a subscription back to shared dispatchers', async () => {
    const name = (await fixture.status('moving'))!.dispatcher!;
    await fixture.apply('moving', { isolation: 'Shared' });
    await until('it moves back', async () => (await row('moving'))!.dispatcherGroup === 'shared', PATIENCE_MS);
    await deploymentIsGone(name);
  });

  it('keeps up with 200 resources of both versions at once', async () => {
    const items = Array.from({ length: 200 }, (_, i) => ({
      apiVersion: i % 2 === 0 ? 'touchline.dev/v1beta1' : 'touchline.dev/v1alpha1',
      kind: 'WebhookSubscription',
      metadata: { name: `many-${i}` },
      spec: { url: `https://93.184.216.34/many/${i}`, account: ACCOUNT },
    }));
    await fixture.kubectl(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const accepted = async () => {
      await sleep(500);
      const { items: all } = await fixture.get('whs');
      return all.filter(
        ({
          metadata,
          status,
        }: {
          metadata: { name: string };
          status?: { conditions?: { type: string; status: string }[] };
        }) =>
          metadata.name.startsWith('many-') &&
          status?.conditions?.some(({ type, status: value }) => type === 'Accepted' && value === 'True'),
      ).length;
    };
    await until('all are accepted', async () => (await accepted()) === 200, 120_000);
    const { items: secrets } = await fixture.get('secret');
    assert.equal(
      secrets.filter(({ metadata }: { metadata: { name: string } }) => metadata.name.startsWith('many-')).length,
      200,
    );
    await until(
      'the dispatchers are as many as there may be',
      async () => (await fixture.get('deployment touchline-dispatcher')).spec.replicas === 4,
      PATIENCE_MS,
    );
    await fixture.deleteAll();
    await until(
      'all have gone',
      async () => {
        await sleep(500);
        return (await fixture.get('whs')).items.length === 0;
      },
      120_000,
    );
    await until(
      'all rows have ended',
      async () => (await findSubscriptions(fixture.db.pool, { managed: true })).length === 0,
      PATIENCE_MS,
    );
    await until(
      'one dispatcher stays',
      async () => (await fixture.get('deployment touchline-dispatcher')).spec.replicas === 1,
      PATIENCE_MS,
    );
  });

  it('never reveals a secret in the log, an Event or a status', async () => {
    await fixture.apply('last');
    await fixture.condition('last', 'Accepted=True');
    const text = await secretText('last-webhook');
    const told = fixture.output() + (await fixture.kubectl(['get', 'events,whs', '-o', 'json']));
    assert.ok(told.includes('subscription created'));
    assert.ok(!told.includes(text) && !told.includes(Buffer.from(text).toString('base64')));
    // An error quotes only the secret's format, never a part of the secret.
    assert.deepEqual(told.match(/whsec_[A-Za-z0-9+/]+/g), null);
  });

  it('does not read Secrets again after a new list of all objects', async () => {
    const idle = '/secrets/counted-too-webhook';
    const asked = (what: string) =>
      replica.proxy.asked.filter(({ method, path }) => method === 'GET' && path.endsWith(what));
    // Waits until the operator has listed all resources again, which it does every minute, and then a moment longer.
    await until('it has listed again', () => asked('/webhooksubscriptions').length > 1, 90_000);
    await sleep(1_000);
    // The Secret was read twice, when it was created and when the dispatcher arrived.
    assert.equal(asked(idle).length, 2);
  });

  it('works with the Role’s rights, which allow nothing beyond the operator’s work', async () => {
    const kubeconfig = await fixture.kubeconfig(fixture.kube.server);
    const may = (args: string[]) => fixture.kubectl(['--kubeconfig', kubeconfig, ...args]);
    await may(['get', 'whs']);
    await may(['get', 'deployments']);
    for (const args of [
      ['get', 'whs', '-n', 'default'],
      ['get', 'whs', '--all-namespaces'],
      ['get', 'secrets'],
      ['get', 'secret', 'x', '-n', 'kube-system'],
      ['delete', 'secret', 'x', '-n', 'kube-system'],
      ['delete', 'whs', 'last'],
      ['label', 'whs', 'last', 'x=y'],
      ['create', 'configmap', 'x'],
      ['get', 'pods'],
      ['get', 'nodes'],
    ]) {
      await assert.rejects(may(args), /[Ff]orbidden/, args.join(' '));
    }
    const forbidden = replica.proxy.asked.filter(({ status }) => status === 401 || status === 403);
    assert.deepEqual(forbidden, []);
  });

  it('exports metrics about the operator', async () => {
    const metrics = await replica.metrics();
    for (const name of [
      'leading',
      'queue_keys',
      'subscriptions',
      'watch_restarts',
      'reconcile_seconds_count',
      'api_request_seconds_count',
    ]) {
      assert.match(metrics, new RegExp(`^touchline_operator_${name}(\\{[^}]*\\})? \\d`, 'm'));
    }
  });

  it('adds shared dispatchers while the running ones are busy, and keeps them for a while afterwards', async () => {
    const { pool } = fixture.db;
    const replicas = async () => (await fixture.get('deployment touchline-dispatcher')).spec.replicas;
    const before = await replicas();
    assert.ok(before < 4, `${before}`);
    const report = (load: number | null) =>
      pool.query(
        `INSERT INTO webhook_dispatcher (name, dispatcher_group, expires_at, load)
         VALUES ('loaded', 'shared', clock_timestamp() + interval '10 s', $1)
         ON CONFLICT (name) DO UPDATE SET load = excluded.load, expires_at = excluded.expires_at`,
        [load],
      );
    // Stores what an earlier version has written.
    await report(null);
    await sleep(6_000);
    assert.equal(await replicas(), before);
    await report(2.5);
    await until('there are as many as allowed', async () => (await replicas()) === 4, PATIENCE_MS);
    await pool.query("DELETE FROM webhook_dispatcher WHERE name = 'loaded'");
    await sleep(6_000);
    assert.equal(await replicas(), 4);
  });

  it('leaves the shared dispatcher count to an autoscaler', async () => {
    replica.process.child.kill('SIGTERM');
    const deployment = () => fixture.get('deployment touchline-dispatcher');
    const image = async () => (await deployment()).spec.template.spec.containers[0].image;
    await fixture.kubectl(['scale', 'deployment', 'touchline-dispatcher', '--replicas=2']);
    const scaled = await fixture.start({ DISPATCHERS_AUTOSCALED: '1' });
    await fixture.leader([scaled]);
    for (const replicas of [7, 3]) {
      await fixture.kubectl(['scale', 'deployment', 'touchline-dispatcher', `--replicas=${replicas}`]);
      await fixture.kubectl(['set', 'image', 'deployment/touchline-dispatcher', 'dispatcher=evil:1']);
      await until('its image is put right', async () => (await image()) === 'touchline:1', PATIENCE_MS);
      assert.equal((await deployment()).spec.replicas, replicas);
    }
    // An autoscaler does not act on a Deployment with zero pods.
    await fixture.kubectl(['scale', 'deployment', 'touchline-dispatcher', '--replicas=0']);
    await until('it has a pod again', async () => (await deployment()).spec.replicas === 1, PATIENCE_MS);
    await fixture.kubectl(['delete', 'deployment', 'touchline-dispatcher']);
    const remade = () =>
      deployment().then(
        ({ spec }) => spec.replicas === 1,
        () => false,
      );
    await until('it is there again', remade, PATIENCE_MS);
  });
});
