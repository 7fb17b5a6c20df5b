/**
 * Tests the objects that the chart renders for managed stores. kube-service.test.ts tests that pods can connect to such
 * stores.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROLES } from '../../../src/config/config.ts';
import { objectsIn, podsOf, render } from '../../support/chart.ts';
import { needKube } from '../../support/kube.ts';
import type { Resource } from '../../support/kube-api.ts';
import { kubePrograms } from '../../support/kube-binaries.ts';

const CHART = new URL('../../../charts/touchline', import.meta.url).pathname;
const MOUNT = '/etc/touchline-stores';

describe('managed stores in the chart', function () {
  this.timeout(60_000);
  before(function () {
    needKube(this);
  });

  /** Returns the pods for every role and for the migration. */
  async function pods(file: string, ...args: string[]): Promise<Map<string, Resource>> {
    const given = ['template', 'one', CHART, '--values', `${CHART}/ci/${file}-values.yaml`, ...args];
    const { stdout } = await promisify(execFile)(kubePrograms().helm, given, { maxBuffer: 1e8 });
    const resources = objectsIn(stdout);
    return new Map(podsOf(resources).map((spec) => [spec.containers[0].name, spec]));
  }
  /** Returns each variable as NAME=value, or as NAME with its Secret. */
  const stores = (pod: Resource) =>
    pod.containers[0].env
      .filter(({ name }: Resource) => /^(KAFKA_|CLICKHOUSE_CA)/.test(name) && name !== 'KAFKA_BROKERS')
      .map(({ name, value, valueFrom }: Resource) => {
        const of = valueFrom?.secretKeyRef;
        return of === undefined ? `${name}=${value}` : `${name} of ${of.name} ${of.key}`;
      })
      .sort();
  /** Returns the files below the mount, each with the Secret or ConfigMap that it comes from. */
  function files(pod: Resource): string[] {
    const volume = pod.volumes.find((one: Resource) => one.name === 'stores');
    const mount = pod.containers[0].volumeMounts.find((one: Resource) => one.name === 'stores');
    if (volume === undefined) return [];
    assert.deepEqual(mount, { name: 'stores', mountPath: MOUNT, readOnly: true });
    return volume.projected.sources.flatMap(({ secret, configMap, serviceAccountToken }: Resource) => {
      if (serviceAccountToken) return [`${serviceAccountToken.path} for ${serviceAccountToken.audience}`];
      const of = secret ?? configMap;
      return of.items.map(({ key, path }: Resource) => `${path} of ${of.name} ${key}`);
    });
  }

  it('give the address of read replicas to the roles that use it, and let them connect to its port', async () => {
    const readUrl = 'postgresql://touchline:$(DATABASE_PASSWORD)@postgres-ro:5433/touchline';
    const given = ['--set-string', `database.readUrl=${readUrl}`, '--set', 'networkPolicy.enabled=true'];
    const all = await pods('managed', ...given);
    const found = [...all].flatMap(([role, pod]) =>
      pod.containers[0].env
        .filter(({ name }: Resource) => name === 'DATABASE_READ_URL')
        .map(({ value }: Resource) => [role, value]),
    );
    assert.deepEqual(found.sort(), [
      ['api', readUrl],
      ['ingest', readUrl],
    ]);
    const args = ['template', 'one', CHART, '--values', `${CHART}/ci/managed-values.yaml`, ...given];
    const { stdout } = await promisify(execFile)(kubePrograms().helm, args, { maxBuffer: 1e8 });
    const open = objectsIn(stdout)
      .filter(({ kind, spec }) => kind === 'NetworkPolicy' && JSON.stringify(spec).includes('5433'))
      .map(({ metadata }) => metadata.name);
    assert.deepEqual(open.sort(), ['one-touchline-api', 'one-touchline-ingest']);
  });

  it('give every role the files and variables that it reads', async () => {
    const all = await pods('managed');
    assert.deepEqual([...all.keys()].sort(), [...ROLES.filter((role) => role !== 'all'), 'migrate'].sort());
    const database = [
      'database/ca.crt of postgres-ca global-bundle.pem',
      'database/tls.crt of postgres-client tls.crt',
      'database/tls.key of postgres-client tls.key',
    ];
    const kafka = [
      'kafka/ca.crt of kafka-cluster-ca-cert ca.crt',
      'kafka/tls.crt of kafka-user user.crt',
      'kafka/tls.key of kafka-user user.key',
      'kafka/password of kafka-user password',
    ];
    const clickhouse = 'clickhouse/ca.crt of clickhouse-tls ca.crt';
    const clickhouseUrl = 'clickhouse/url of touchline-clickhouse url';
    for (const [role, pod] of all) {
      const hasClickHouse = ['api', 'loader', 'jobs'].includes(role);
      const hasKafka = role !== 'migrate';
      assert.deepEqual(
        files(pod),
        [
          ...database,
          ...(hasClickHouse ? [clickhouse] : []),
          ...(hasKafka ? kafka : []),
          ...(hasClickHouse ? [clickhouseUrl] : []),
          'database/url of touchline-postgres url',
        ],
        role,
      );
      const expected = [
        ...(hasClickHouse ? [`CLICKHOUSE_CA_FILE=${MOUNT}/clickhouse/ca.crt`] : []),
        ...(hasKafka
          ? [
              `KAFKA_CA_FILE=${MOUNT}/kafka/ca.crt`,
              `KAFKA_CERT_FILE=${MOUNT}/kafka/tls.crt`,
              `KAFKA_KEY_FILE=${MOUNT}/kafka/tls.key`,
              `KAFKA_PASSWORD_FILE=${MOUNT}/kafka/password`,
              'KAFKA_SASL=scram-sha-512',
              'KAFKA_TLS=1',
              'KAFKA_USERNAME=touchline',
            ]
          : []),
      ];
      assert.deepEqual(stores(pod), expected, role);
    }
  });

  it('give pods projected tokens for the accounts that they use, but no token for the Kubernetes API', async () => {
    const relay = (await pods('token')).get('relay')!;
    assert.equal(relay.automountServiceAccountToken, false);
    const database = 'database/url of touchline-postgres url';
    assert.deepEqual(files(relay), ['kafka/token for kafka.example.com', database]);
    assert.deepEqual(
      stores(relay),
      [`KAFKA_SASL=oauthbearer`, 'KAFKA_TLS=1', `KAFKA_TOKEN_FILE=${MOUNT}/kafka/token`].sort(),
    );
    const secret = ['--set', 'kafka.sasl.tokenAudience=,kafka.sasl.secretName=kafka-token'];
    assert.deepEqual(files((await pods('token', ...secret)).get('relay')!), [
      'kafka/token of kafka-token token',
      database,
    ]);
  });

  it('take the user from the Secret if the values name no user', async () => {
    const relay = (await pods('managed', '--set', 'kafka.sasl.username=')).get('relay')!;
    assert.ok(addresses(relay).includes('KAFKA_USERNAME_FILE from kafka-user username'));
  });

  it('take the rack for Kafka from the pod label that the values name', async () => {
    const label = 'topology.kubernetes.io/zone';
    for (const [role, { containers }] of await pods('managed', '--set', `kafka.rackLabel=${label}`)) {
      const rack = containers[0].env.find(({ name }: Resource) => name === 'KAFKA_RACK');
      const expected = { fieldRef: { fieldPath: `metadata.labels['${label}']` } };
      assert.deepEqual(rack?.valueFrom, role === 'migrate' ? undefined : expected, role);
    }
  });

  /** Returns the variables with the addresses, like `stores`, each with the file's source if it names a file. */
  function addresses(pod: Resource): string[] {
    const sources = files(pod);
    const from = (path: string) => sources.find((one) => `${MOUNT}/${one}`.startsWith(`${path} of `))?.split(' of ')[1];
    return pod.containers[0].env
      .filter(({ name }: Resource) => /^(DATABASE|CLICKHOUSE)_(CORRECTIONS_)?URL|^KAFKA_USERNAME/.test(name))
      .map(({ name, value, valueFrom }: Resource) => {
        const of = valueFrom?.secretKeyRef;
        return of === undefined ? `${name} from ${from(value)}` : `${name} of ${of.name} ${of.key}`;
      })
      .sort();
  }
  const OWN = [
    '--set',
    'database.secretNames.api=db-api,database.secretNames.corrections=db-corrections,database.secretNames.stream=db-stream',
    '--set',
    'kafka.sasl.username=,kafka.sasl.secretNames.relay=kafka-relay,kafka.tls.certSecretNames.relay=relay-cert',
  ];

  it('give roles the users that the values name for them, and all others the common one, as variables if the values say so', async () => {
    const all = await pods('managed', ...OWN, '--set', 'secrets.storesAsFiles=false');
    const of = (role: string) => addresses(all.get(role)!);
    assert.deepEqual(of('api'), [
      'CLICKHOUSE_URL of touchline-clickhouse url',
      'DATABASE_CORRECTIONS_URL of db-corrections url',
      'DATABASE_URL of db-api url',
      'KAFKA_USERNAME of kafka-user username',
    ]);
    assert.deepEqual(of('stream'), ['DATABASE_URL of db-stream url', 'KAFKA_USERNAME of kafka-user username']);
    assert.deepEqual(of('relay'), ['DATABASE_URL of touchline-postgres url', 'KAFKA_USERNAME of kafka-relay username']);
    assert.deepEqual(of('migrate'), ['DATABASE_URL of touchline-postgres url']);
    const relay = files(all.get('relay')!);
    for (const one of ['kafka/tls.key of relay-cert user.key', 'kafka/password of kafka-relay password'])
      assert.ok(relay.includes(one), one);
  });

  it('pass addresses and users in files', async () => {
    const all = await pods('managed', ...OWN);
    const of = (role: string) => addresses(all.get(role)!);
    assert.deepEqual(of('api'), [
      'CLICKHOUSE_URL_FILE from touchline-clickhouse url',
      'DATABASE_CORRECTIONS_URL_FILE from db-corrections url',
      'DATABASE_URL_FILE from db-api url',
      'KAFKA_USERNAME_FILE from kafka-user username',
    ]);
    assert.deepEqual(of('relay'), [
      'DATABASE_URL_FILE from touchline-postgres url',
      'KAFKA_USERNAME_FILE from kafka-relay username',
    ]);
    assert.deepEqual(of('migrate'), ['DATABASE_URL_FILE from touchline-postgres url']);
    const text = 'postgresql://touchline:$(PASSWORD)@db/touchline';
    const given = await pods('managed', '--set-string', `config.env.DATABASE_URL=${text}`);
    const [variable] = given.get('stream')!.containers[0].env.filter(({ name }: Resource) => /DATABASE_URL/.test(name));
    assert.deepEqual(variable, { name: 'DATABASE_URL', value: text });
  });

  it('let the migration give rights if the values say so', async () => {
    const jobs = (await render(`${CHART}/ci/managed-values.yaml`, { migrate: { grants: true } })).filter(
      ({ kind }) => kind === 'Job',
    );
    assert.deepEqual(
      jobs.map(({ spec }) => spec.template.spec.containers[0].args).filter(([first]) => first === 'migrate'),
      [
        ['migrate', '--grants'],
        ['migrate', '--check'],
      ],
    );
  });

  it('give every role the topic if the values name one', async () => {
    for (const [role, pod] of await pods('managed', '--set', 'kafka.topic=touchline.staging'))
      assert.ok(stores(pod).includes('KAFKA_TOPIC=touchline.staging'), role);
  });

  it('add no objects if no store needs them', async () => {
    for (const pod of (await pods('minimal', '--set', 'secrets.storesAsFiles=false')).values())
      assert.deepEqual([stores(pod), files(pod)], [[], []]);
  });

  for (const [values, expected] of [
    ['kafka.tls.enabled=false', /kafka\.tls: set enabled/],
    ['kafka.tls.caConfigMapName=two', /kafka\.tls: caSecretName and caConfigMapName exclude each other/],
    ['database.caSecretName=two', /database: caSecretName and caConfigMapName exclude each other/],
    ['kafka.brokers=null', /kafka/],
    ['kafka.topic=a topic', /topic/],
    ["kafka.rackLabel=a'label", /rackLabel/],
    ['database.secretNames.nobody=one', /secretNames/],
    ['kafka.sasl.secretNames.migrate=one', /secretNames/],
    ['kafka.sasl.secretName=', /kafka\.sasl\.secretName is required with scram-sha-512/],
    ['kafka.sasl.mechanism=', /kafka\.sasl\.mechanism is required/],
    ['kafka.sasl.mechanism=gssapi', /mechanism/],
  ] as const) {
    it(`the chart refuses ${values}`, () => assert.rejects(pods('managed', '--set', values), { message: expected }));
  }
});
