/** Tests the containers' environment: the chart's variables, and the user's values, which override them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CHART, CI_VALUES, environment, helm, MINIMAL, podOf, podsOf, render } from '../../support/chart.ts';
import { needKube } from '../../support/kube.ts';
import type { Resource } from '../../support/kube-api.ts';

const ROLES = ['api', 'stream', 'ingest', 'relay', 'loader', 'dispatcher', 'operator', 'jobs'];
/** Variables that the chart reads from the values. */
const NUMBERS = { PORT: '8081', ADMIN_PORT: '9091', DRAIN_DELAY_SECONDS: '1', DRAIN_SPREAD_SECONDS: '2' };

describe('the environment in the chart', function () {
  this.timeout(60_000);
  before(function () {
    this.timeout(1_800_000);
    needKube(this);
  });

  const namesOf = (container: Resource): string[] => (container.env ?? []).map(({ name }: Resource) => name);
  function assertUnique(pods: Resource[]): void {
    for (const container of pods.flatMap((pod) => [...pod.containers, ...(pod.initContainers ?? [])])) {
      const names = namesOf(container);
      assert.deepEqual(names, [...new Set(names)], container.name);
    }
  }
  /** Returns the names that a values file sets only for a role or for the migration. They override common ones. */
  function particular(file: string): (role: string) => string[] {
    const { roles = {}, migrate = {} } = parse(readFileSync(file, 'utf8'));
    return (role) =>
      role === 'migrate'
        ? [...Object.keys(migrate.env ?? {}), ...(migrate.database ? ['DATABASE_URL'] : [])]
        : Object.keys(roles[role]?.env ?? {});
  }

  it("has each name only once, with the user's value taking precedence", async () => {
    for (const file of CI_VALUES) {
      const plain = podsOf(await render(file));
      assertUnique(plain);
      const names = [...new Set(plain.flatMap((pod) => namesOf(pod.containers[0])))];
      const of = (level: string) => ({
        ...Object.fromEntries(names.map((name) => [name, `${level} ${name}`])),
        ...NUMBERS,
      });
      const config = { env: { ...of('common'), FURTHER: 'yes' } };
      const own = Object.fromEntries(ROLES.map((role) => [role, { env: of(role) }]));
      const common = await render(file, { config });
      const both = await render(file, { config, roles: own, migrate: { env: of('migrate') } });
      const isParticular = particular(file);
      for (const role of plain.map((pod) => pod.containers[0].name)) {
        assertUnique([podOf(common, role), podOf(both, role)]);
        for (const [name, entry] of environment(podOf(common, role)))
          if (!(name in NUMBERS) && name !== 'FURTHER' && !isParticular(role).includes(name))
            assert.deepEqual(entry, { name, value: `common ${name}` }, `${role} of ${file}`);
        for (const [name, entry] of environment(podOf(both, role)))
          if (!(name in NUMBERS) && name !== 'FURTHER')
            assert.deepEqual(entry, { name, value: `${role} ${name}` }, `${role} of ${file}`);
        assert.equal(environment(podOf(both, role)).get('FURTHER')?.value, 'yes');
      }
    }
  });

  it('gives the trace collector’s address to the roles that have spans, with headers from a Secret', async () => {
    const tracing = { endpoint: 'http://collector:4318', headers: { secretName: 'collector' }, sampleRatio: 0.25 };
    const objects = await render(MINIMAL, { tracing, clickhouse: { secretName: 'c' } });
    for (const role of ['api', 'stream', 'ingest', 'relay', 'jobs']) {
      const env = environment(podOf(objects, role));
      assert.equal(env.get('OTEL_EXPORTER_OTLP_ENDPOINT')?.value, 'http://collector:4318');
      assert.equal(env.get('OTEL_TRACES_SAMPLER')?.value, 'parentbased_traceidratio');
      assert.equal(env.get('OTEL_TRACES_SAMPLER_ARG')?.value, '0.25');
      const secretKeyRef = { name: 'collector', key: 'headers' };
      assert.deepEqual(env.get('OTEL_EXPORTER_OTLP_HEADERS')?.valueFrom, { secretKeyRef });
    }
    for (const role of ['loader', 'operator'])
      assert.ok(!environment(podOf(objects, role)).has('OTEL_EXPORTER_OTLP_ENDPOINT'));
    assert.ok(!environment(podOf(await render(MINIMAL), 'api')).has('OTEL_EXPORTER_OTLP_ENDPOINT'));
    await assert.rejects(render(MINIMAL, { tracing: { endpoint: 'collector:4318' } }), /tracing/);
  });

  it('gives the contacts for vulnerability reports to the role that serves them', async () => {
    const securityContacts = ['mailto:security@example.com', 'https://example.com/report'];
    const objects = await render(MINIMAL, { config: { securityContacts } });
    assert.equal(environment(podOf(objects, 'api')).get('SECURITY_CONTACT')?.value, securityContacts.join(','));
    assert.ok(!environment(podOf(objects, 'stream')).has('SECURITY_CONTACT'));
    // An empty value counts as unset.
    assert.equal(environment(podOf(await render(MINIMAL), 'api')).get('SECURITY_CONTACT')?.value, '');
    await assert.rejects(
      render(MINIMAL, { config: { securityContacts: ['security@example.com'] } }),
      /securityContacts/,
    );
  });

  it('gives the contact for questions about plans to the role that serves the pages', async () => {
    const contactUrl = 'mailto:sales@example.com';
    const objects = await render(MINIMAL, { accounts: { contactUrl } });
    assert.equal(environment(podOf(objects, 'api')).get('CONTACT_URL')?.value, contactUrl);
    assert.ok(!environment(podOf(objects, 'stream')).has('CONTACT_URL'));
    assert.equal(environment(podOf(await render(MINIMAL), 'api')).get('CONTACT_URL')?.value, '');
    await assert.rejects(render(MINIMAL, { accounts: { contactUrl: 'javascript:alert(1)' } }), /contactUrl/);
  });

  it('gives the provider for operators to the role that serves the pages, with the secret from a Secret', async () => {
    const singleSignOn = { issuer: 'https://login.example.com', clientId: 'touchline', secretName: 'oidc' };
    const objects = await render(MINIMAL, { accounts: { singleSignOn } });
    const api = environment(podOf(objects, 'api'));
    assert.equal(api.get('OIDC_ISSUER')?.value, 'https://login.example.com');
    assert.equal(api.get('OIDC_CLIENT_ID')?.value, 'touchline');
    const { name, key } = api.get('OIDC_CLIENT_SECRET')!.valueFrom.secretKeyRef;
    assert.deepEqual([name, key], ['oidc', 'client-secret']);
    for (const role of ['stream', 'ingest', 'jobs'])
      assert.ok(![...environment(podOf(objects, role)).keys()].some((one) => one.startsWith('OIDC')), role);
    assert.ok(!environment(podOf(await render(MINIMAL), 'api')).has('OIDC_CLIENT_SECRET'));
    for (const missing of [{ clientId: '' }, { secretName: '' }])
      await assert.rejects(
        render(MINIMAL, { accounts: { singleSignOn: { ...singleSignOn, ...missing } } }),
        /singleSignOn/,
      );
  });

  it('accepts numbers, flags and references, and null removes an entry that the chart sets', async () => {
    const valueFrom = { secretKeyRef: { name: 'pg', key: 'password' } };
    const env = {
      NUMBER: 10_000_000,
      FRACTION: 1.5,
      FLAG: false,
      EMPTY: '',
      OBJECT: { value: 3 },
      DATABASE_PASSWORD: { valueFrom },
      DATABASE_URL: 'postgresql://app:$(DATABASE_PASSWORD)@pgbouncer:6432/touchline',
      NODE_OPTIONS: null,
      STRICT: null,
    };
    const resources = await render(MINIMAL, { config: { env }, roles: { relay: { env: { FLAG: null } } } });
    const stream = podOf(resources, 'stream').containers[0];
    const value = (name: string) => stream.env.find((one: Resource) => one.name === name);
    for (const [name, text] of Object.entries({
      NUMBER: '10000000',
      FRACTION: '1.5',
      FLAG: 'false',
      EMPTY: '',
      OBJECT: '3',
    }))
      assert.deepEqual(value(name), { name, value: text });
    assert.deepEqual(value('DATABASE_PASSWORD'), { name: 'DATABASE_PASSWORD', valueFrom });
    for (const name of ['NODE_OPTIONS', 'STRICT']) assert.equal(value(name), undefined);
    assert.equal(environment(podOf(resources, 'relay')).get('FLAG'), undefined);
    // NAME has to be defined first, because Kubernetes expands $(NAME) only if NAME comes earlier.
    assert.equal(namesOf(stream).at(-1), 'DATABASE_URL');
  });

  it('keeps names and texts that YAML 1.1 would read as flags, numbers or null', async () => {
    const names = ['N', 'Y', 'NO', 'YES', 'ON', 'OFF', 'no', 'On', 'n', '_1', 'Null', 'NULL', 'inf', 'e3'];
    const texts = [
      'n',
      'Yes',
      'off',
      '1e3',
      '0x1F',
      '012',
      '1_000',
      '~',
      'null',
      '2026-11-28',
      '12:30',
      '',
      ' a: b # c ',
      '"\\\n',
    ];
    for (const [index, text] of texts.entries()) {
      const env = Object.fromEntries(names.map((name, place) => [name, texts[(index + place) % texts.length]!]));
      const resources = await render(MINIMAL, { config: { env }, roles: { relay: { env: { NO: { value: text } } } } });
      for (const pod of podsOf(resources)) {
        const role = pod.containers[0].name;
        const wanted = { ...env, ...(role === 'relay' && { NO: text }) };
        for (const [name, value] of Object.entries(wanted))
          assert.deepEqual(environment(pod).get(name), { name, value }, `${name} of ${role}`);
      }
    }
    // Without quotes, YAML would parse these names as booleans before the chart sees them.
    for (const name of ['N', 'yes', 'On', 'true'])
      await assert.rejects(
        helm(['template', 'one', CHART, '--values', MINIMAL, '--values', '-'], `config: { env: { ${name}: "1" } }`),
        /YAML has read the name of a variable as (true|false).*put the name in quotes/,
      );
  });

  it('lists Secrets and ConfigMaps, for all roles or for one, before variables that are set by name', async () => {
    const all = { configMapRef: { name: 'common' } };
    const one = { prefix: 'X_', secretRef: { name: 'more', optional: true } };
    const resources = await render(MINIMAL, { config: { envFrom: [all] }, roles: { dispatcher: { envFrom: [one] } } });
    for (const pod of podsOf(resources)) {
      const wanted = pod.containers[0].name === 'dispatcher' ? [all, one] : [all];
      assert.deepEqual(pod.containers[0].envFrom, wanted, pod.containers[0].name);
    }
  });

  it('lets the migration use another database than the roles, whatever the common environment has', async () => {
    const address = { secretKeyRef: { name: 'direct', key: 'url' } };
    const url = (resources: Resource[], role: string) => environment(podOf(resources, role)).get('DATABASE_URL');
    const given = {
      config: { env: { DATABASE_URL: 'postgresql://pgbouncer/touchline' } },
      secrets: { storesAsFiles: false },
    };
    const database = { secretName: 'direct' };
    const split = await render(MINIMAL, { ...given, migrate: { database } });
    assert.deepEqual(url(split, 'migrate').valueFrom, address);
    assert.equal(url(split, 'api').value, 'postgresql://pgbouncer/touchline');
    assert.equal(url(await render(MINIMAL, given), 'migrate').value, 'postgresql://pgbouncer/touchline');
    const own = await render(MINIMAL, { ...given, migrate: { database, env: { DATABASE_URL: 'postgresql://mine/' } } });
    assert.equal(url(own, 'migrate').value, 'postgresql://mine/');
  });
});
