/**
 * Tests the chart's Gateway API routes. They can exist beside an Ingress, have the same paths, and their timeouts are
 * longer than a stream lasts.
 */
import assert from 'node:assert/strict';
import { CHART, EVERYTHING, find, MINIMAL, render } from '../../support/chart.ts';
import { chartNamespace } from '../../support/chart-namespace.ts';
import type { Resource } from '../../support/kube-api.ts';

const NAMESPACE = 'chart-routes';
const PARENT = { name: 'public', namespace: 'gateways' };
const config = { trustedProxies: ['10.244.0.0/16'] };

const route = (values: object = {}, others: object = {}) => ({
  httpRoute: { enabled: true, parentRefs: [PARENT], ...values },
  config,
  ...others,
});

const REFUSED: [what: string, values: object, message: RegExp][] = [
  ['without a Gateway', route({ parentRefs: [] }), /httpRoute\.parentRefs: required with httpRoute\.enabled/],
  ['to a Gateway without a name', route({ parentRefs: [{ namespace: 'gateways' }] }), /name/],
  ['to an unknown field of a Gateway', route({ parentRefs: [{ ...PARENT, listener: 'https' }] }), /listener/],
  ['to the same Gateway twice', route({ parentRefs: [PARENT, PARENT] }), /parentRefs: public is there twice/],
  [
    'to a Gateway and its listener',
    route({ parentRefs: [PARENT, { ...PARENT, kind: 'Gateway', sectionName: 'https' }] }),
    /parentRefs: public is there twice/,
  ],
  [
    'to the same listener twice',
    route({
      parentRefs: [
        { ...PARENT, sectionName: 'https' },
        { ...PARENT, sectionName: 'http' },
        { ...PARENT, sectionName: 'https', port: 443 },
      ],
    }),
    /parentRefs: public is there twice/,
  ],
  [
    'that would give all clients the address of the Gateway',
    route({}, { config: {} }),
    /config\.trustedProxies: required with httpRoute\.enabled/,
  ],
  [
    'whose feed would count all providers as one',
    route({ feed: true }, { roles: { ingest: { env: { TRUSTED_PROXIES: '' } } } }),
    /config\.trustedProxies: required with httpRoute\.enabled/,
  ],
  [
    'for an IP address',
    route({}, { baseUrl: 'http://10.1.2.3' }),
    /baseUrl: an HTTPRoute cannot be for the IP address/,
  ],
  ['for a host name that is an IP address', route({ hostnames: ['10.1.2.3'] }), /hostnames/],
  ['for a host name with a port', route({ hostnames: ['sports.example.com:8443'] }), /hostnames/],
  ['for a host name in capitals', route({ hostnames: ['Sports.example.com'] }), /hostnames/],
  ['for a wildcard within a host name', route({ hostnames: ['sports.*.com'] }), /hostnames/],
  ['with a timeout without a unit', route({ timeouts: { api: '60' } }), /timeouts/],
  ['with a timeout that is a number', route({ timeouts: { stream: 0 } }), /timeouts/],
  ['with a timeout of an unknown role', route({ timeouts: { relay: '60s' } }), /relay/],
  ['with an unknown value', route({ className: 'envoy' }), /className/],
];

const routes = (resources: Resource[]) => resources.filter(({ kind }) => kind === 'HTTPRoute');

describe('Gateway API routes', function () {
  this.timeout(60_000);
  const server = chartNamespace(NAMESPACE);

  const { dryRun } = server;

  it('have the same paths, roles and hosts as the Ingress', async () => {
    const resources = await render(MINIMAL, route({ feed: true }, { ingress: { enabled: true, feed: true } }));
    const hosts = new Set<string>();
    for (const role of ['api', 'stream', 'ingest']) {
      const name = `one-touchline-${role}`;
      const [rule] = find(resources, 'Ingress', name).spec.rules;
      const { hostnames, rules, parentRefs } = find(resources, 'HTTPRoute', name).spec;
      assert.deepEqual(parentRefs, [PARENT]);
      assert.deepEqual(hostnames, [rule.host]);
      hosts.add(rule.host);
      assert.equal(rules.length, 1);
      assert.deepEqual(
        rules[0].matches.map(({ path }: Resource) => [path.type, path.value]),
        rule.http.paths.map(({ path }: Resource) => ['PathPrefix', path]),
      );
      const { name: service, port } = rules[0].backendRefs[0];
      assert.equal(service, rule.http.paths[0].backend.service.name);
      assert.ok(find(resources, 'Service', service).spec.ports.some((one: Resource) => one.port === port));
    }
    assert.equal(hosts.size, 1);
    await dryRun(routes(resources));
  });

  it('set a time limit for every request except streams', async () => {
    const timeouts = async (values: object) =>
      Object.fromEntries(
        routes(await render(MINIMAL, route({ feed: true, ...values }))).map(({ metadata, spec }) => [
          metadata.labels['app.kubernetes.io/component'],
          spec.rules[0].timeouts,
        ]),
      );
    assert.deepEqual(await timeouts({}), {
      api: { request: '60s' },
      stream: { request: '0s' },
      ingest: { request: '600s' },
    });
    assert.deepEqual(await timeouts({ timeouts: { api: '', stream: '1h30m', ingest: '' } }), {
      api: undefined,
      stream: { request: '1h30m' },
      ingest: undefined,
    });
  });

  it('exist only on request and only for roles that run, and for the feed only if it is exposed', async () => {
    assert.deepEqual(routes(await render(MINIMAL)), []);
    const names = async (others: object) =>
      routes(await render(MINIMAL, route({}, others))).map(({ metadata }) => metadata.name);
    assert.deepEqual(await names({}), ['one-touchline-api', 'one-touchline-stream']);
    assert.deepEqual(await names({ roles: { stream: { enabled: false } } }), ['one-touchline-api']);
  });

  it('follow every value, and are accepted by the API server', async () => {
    const resources = routes(await render(EVERYTHING));
    assert.equal(resources.length, 3);
    for (const { metadata, spec } of resources) {
      assert.equal(metadata.labels['example.com/exposed'], 'true');
      assert.equal(metadata.annotations['example.com/route'], 'sports');
      assert.equal(metadata.annotations['example.com/owner'], 'sports@example.com');
      assert.deepEqual(spec.hostnames, ['sports.example.com', '*.sports.example.com']);
      assert.equal(spec.parentRefs.length, 3);
    }
    await dryRun(resources);
    const port = 8080;
    const [other] = routes(await render(MINIMAL, route({}, { service: { port } })));
    assert.equal(other!.spec.rules[0].backendRefs[0].port, port);
    // If the route has host names, the public address may be an IP address.
    await dryRun(routes(await render(MINIMAL, route({ hostnames: ['localhost'] }, { baseUrl: 'http://10.1.2.3' }))));
    // Proves that the server does check the schema, because it refuses a wrong timeout.
    const wrong = structuredClone(resources[0]!);
    wrong.spec.rules[0].timeouts = { request: '1 minute' };
    await assert.rejects(dryRun([wrong]), /timeouts\.request/);
    const twice = structuredClone(resources[0]!);
    twice.spec.parentRefs = [PARENT, PARENT];
    await assert.rejects(dryRun([twice]), /sectionName must be unique/);
  });

  it('an Ingress has the cluster’s default class, or the class in the values', async () => {
    const classOf = async (ingress: object) =>
      find(await render(MINIMAL, { config, ingress: { enabled: true, ...ingress } }), 'Ingress', 'one-touchline-api')
        .spec.ingressClassName;
    assert.equal(await classOf({}), undefined);
    assert.equal(await classOf({ className: 'nginx' }), 'nginx');
  });

  it('the notes after an install say how to reach the service', async () => {
    const notes = (values: object) =>
      server.kube.helm(
        ['install', 'one', CHART, '--namespace', NAMESPACE, '--dry-run=server', '--values', MINIMAL, '--values', '-'],
        JSON.stringify(values),
      );
    assert.match(await notes(route()), /curl .*http:\/\/touchline\.localhost\/v1\/stream/);
    assert.match(await notes({}), /There is no Ingress and no HTTPRoute/);
  });

  for (const [what, values, message] of REFUSED)
    it(`the chart refuses a route ${what}`, async () => {
      await assert.rejects(render(MINIMAL, values), (error: Error & { stderr: string }) => {
        assert.match(error.stderr, message);
        return true;
      });
    });
});
