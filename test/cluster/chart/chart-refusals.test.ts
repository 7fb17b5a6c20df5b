/**
 * Tests that helm refuses values, before it creates anything, if the API server would refuse an object or a pod could
 * never start.
 */
import assert from 'node:assert/strict';
import { MINIMAL, render } from '../../support/chart.ts';
import { needKube } from '../../support/kube.ts';

const volume = (name: string) => ({ name, emptyDir: {} });
const peer = (cidr: string) => ({ ipBlock: { cidr } });
const role = (values: object) => ({ roles: { api: values } });
const stream = (values: object) => ({ roles: { stream: values } });

const REFUSED: [what: string, values: object, message: RegExp][] = [
  ['a missing address', { baseUrl: '' }, /baseUrl/],
  ['another scheme', { baseUrl: 'ftp://sports.example.com' }, /baseUrl: .* must begin with http/],
  ['a scheme in capitals', { baseUrl: 'HTTPS://sports.example.com' }, /baseUrl: .* must begin with http/],
  ['an address without a host', { baseUrl: 'https://' }, /baseUrl/],
  ['an address with a path', { baseUrl: 'https://sports.example.com/path' }, /baseUrl: .*without a slash/],
  ['an address with a slash', { baseUrl: 'https://sports.example.com/' }, /baseUrl: .*without a slash/],
  ['an address with a query', { baseUrl: 'https://sports.example.com?a=b' }, /baseUrl: .*without a slash/],
  ['an address in capitals', { baseUrl: 'https://Sports.example.com' }, /baseUrl: .*lower case/],
  [
    'an address with a password',
    { baseUrl: 'https://me:secret@sports.example.com' },
    /^(?!.*secret).*baseUrl: .*password/s,
  ],
  ['an address with spaces', { baseUrl: 'https://sports example.com' }, /baseUrl: .*neither a host name/],
  ['an address with a wildcard', { baseUrl: 'https://*.example.com' }, /baseUrl: .*neither a host name/],
  ['an underscore in the address', { baseUrl: 'https://a_b.example.com' }, /baseUrl: .*neither a host name/],
  ['a dot after the address', { baseUrl: 'https://example.com.' }, /baseUrl: .*neither a host name/],
  ['half of an IP address', { baseUrl: 'https://10.1.2' }, /baseUrl: .*neither a host name/],
  ['an impossible port', { baseUrl: 'https://example.com:70000' }, /baseUrl: .*port/],
  ['an empty port', { baseUrl: 'https://example.com:' }, /baseUrl: .*port/],
  ['an IPv6 address without brackets', { baseUrl: 'https://fd00::1' }, /baseUrl: .*brackets/],
  ['an Ingress for an IP address', { baseUrl: 'http://10.1.2.3', ingress: { enabled: true } }, /baseUrl: an Ingress/],
  [
    'an Ingress for an IPv6 address',
    { baseUrl: 'http://[fd00::1]:80', ingress: { enabled: true } },
    /baseUrl: an Ingress/,
  ],
  ['a missing Secret of the database', { database: { secretName: '' } }, /database/],
  ['a Secret with two dots', { database: { secretName: 'a..b' } }, /database/],
  ['a missing Secret of keys', { secrets: { secretName: '' } }, /secrets/],
  ['an unknown value', { replicas: 3 }, /replicas/],
  ['an unknown role', { roles: { streams: { replicas: 3 } } }, /streams/],
  ['an unknown value of a role', stream({ replica: 3 }), /replica/],
  ['a text for a number', role({ replicas: 'three' }), /replicas/],
  ['a negative number of pods', role({ replicas: -1 }), /replicas/],
  ['a number for a flag', { ingress: { enabled: 1 } }, /enabled/],
  ['a broker without a port', { kafka: { brokers: ['kafka'] } }, /brokers/],
  ['a broker with an impossible port', { kafka: { brokers: ['kafka:99999'] } }, /brokers/],
  ['an unknown log level', { config: { logLevel: 'loud' } }, /logLevel/],
  ['a proxy that is not an address', { config: { trustedProxies: ['10.0.0.0/40'] } }, /trustedProxies/],
  [
    'an Ingress that would give all clients its own address',
    { ingress: { enabled: true } },
    /config\.trustedProxies: required with ingress\.enabled/,
  ],
  [
    'an Ingress with proxies that one of its roles does not trust',
    { ingress: { enabled: true }, roles: { api: { env: { TRUSTED_PROXIES: '10.0.0.0/8' } } } },
    /config\.trustedProxies/,
  ],
  ['an unknown right on Secrets', { operator: { secrets: { access: 'all' } } }, /access/],
  ['root', { podSecurity: { runAsUser: 0 } }, /runAsUser/],
  ['root for one role', role({ podSecurityContext: { runAsUser: 0 } }), /runAsUser/],
  [
    'a container that may become root',
    { defaults: { securityContext: { allowPrivilegeEscalation: true } } },
    /allowPriv/,
  ],
  ['a capability', { defaults: { securityContext: { capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } } } }, /add/],
  ['all capabilities', { defaults: { securityContext: { capabilities: { drop: ['KILL'] } } } }, /drop/],
  ['an unknown resource', role({ resources: { limit: { cpu: 1 } } }), /limit/],
  ['an invalid quantity', role({ resources: { limits: { memory: '1 GB' } } }), /memory/],
  [
    'a request above its limit',
    role({ resources: { requests: { memory: '2Gi' } } }),
    /roles\.api\.resources: .*memory/,
  ],
  ['a short digest', { image: { digest: 'sha256:12' } }, /digest/],
  ['a name of an image in capitals', { image: { repository: 'Touchline' } }, /repository/],
  // Environment.
  ['a name of a variable with a dash', { config: { env: { 'A-B': 'x' } } }, /A-B/],
  ['a list in the environment', { config: { env: { A: ['x'] } } }, /config\/env\/A/],
  ['an unknown reference in the environment', { config: { env: { A: { valueFrom: { vault: 'x' } } } } }, /vault/],
  ['a reference without a key', { config: { env: { A: { valueFrom: { secretKeyRef: { name: 'x' } } } } } }, /key/],
  [
    'two sources in one entry',
    { config: { envFrom: [{ secretRef: { name: 'a' }, configMapRef: { name: 'b' } }] } },
    /envFrom/,
  ],
  ['an entry without a source', role({ envFrom: [{ prefix: 'A_' }] }), /envFrom/],
  ['a port that is a word', role({ env: { PORT: 'http' } }), /roles\.api\.env.*PORT/],
  [
    'a port of a Secret',
    { config: { env: { ADMIN_PORT: { valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } } } } },
    /ADMIN_PORT/,
  ],
  ['a missing port', role({ env: { PORT: null } }), /PORT/],
  ['a missing admin port', role({ env: { ADMIN_PORT: null } }), /roles.api.env or config.env: ADMIN_PORT/],
  ['one port for both', { config: { env: { PORT: '9090' } } }, /PORT and ADMIN_PORT/],
  // Drain and grace period.
  ['a grace period within the drain', stream({ terminationGracePeriodSeconds: 60 }), /roles\.stream\.termination.*70/],
  [
    'a grace period within a longer drain',
    { drain: { spreadSeconds: 600 }, ...stream({ terminationGracePeriodSeconds: 90 }) },
    /625/,
  ],
  [
    'a drain of the environment',
    { config: { env: { DRAIN_SPREAD_SECONDS: '600' } }, ...stream({ terminationGracePeriodSeconds: 90 }) },
    /625/,
  ],
  ['a drain of one role', stream({ env: { DRAIN_SPREAD_SECONDS: 600 }, terminationGracePeriodSeconds: 90 }), /625/],
  [
    'a drain of api',
    role({ env: { DRAIN_DELAY_SECONDS: '60' }, terminationGracePeriodSeconds: 45 }),
    /roles\.api\.termination.*75/,
  ],
  ['a drain in minutes', stream({ env: { DRAIN_SPREAD_SECONDS: '5m' } }), /DRAIN_SPREAD_SECONDS must be a number/],
  [
    'a drain of a Secret',
    stream({ env: { DRAIN_SPREAD_SECONDS: { valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } } } }),
    /DRAIN_SPREAD/,
  ],
  ['a drain of a day', { config: { env: { DRAIN_DELAY_SECONDS: '86400' } } }, /hour/],
  // Names and labels.
  ['a label of the chart', { commonLabels: { 'app.kubernetes.io/instance': 'x' } }, /app.kubernetes.io\/instance/],
  ['a label of the chart on pods', role({ podLabels: { 'app.kubernetes.io/component': 'x' } }), /component/],
  [
    'a label of the operator',
    { defaults: { podLabels: { 'touchline.dev/dispatcher-group': 'x' } } },
    /dispatcher-group/,
  ],
  ['a label with a space', { commonLabels: { team: 'a b' } }, /team/],
  ['a long label', { commonLabels: { team: 'a'.repeat(64) } }, /team/],
  ['a number for a label', { commonLabels: { team: 7 } }, /team/],
  ['a hook of Helm', { commonAnnotations: { 'helm.sh/hook': 'test' } }, /helm.sh\/hook/],
  ['a hook of Helm for Deployments', role({ deploymentAnnotations: { 'helm.sh/hook-weight': '1' } }), /helm.sh\/hook/],
  ['a name in capitals', { fullnameOverride: 'Sports' }, /fullnameOverride/],
  ['a name that begins with a digit', { fullnameOverride: '1sports' }, /fullnameOverride/],
  ['a long name', { fullnameOverride: 'a'.repeat(41) }, /fullnameOverride/],
  // Accounts.
  [
    'an account without a name',
    { serviceAccount: { operator: { create: false } } },
    /serviceAccount\.operator\.name: required/,
  ],
  [
    'one account made twice',
    { serviceAccount: { service: { name: 'a' }, operator: { name: 'a' } } },
    /serviceAccount\.operator\.name/,
  ],
  [
    'a migration with an account that is made later',
    { serviceAccount: { migrate: { create: false, name: 'one-touchline' } } },
    /runs before/,
  ],
  // Scheduling.
  ['a number as a key of a toleration', role({ tolerations: [{ key: 5 }] }), /tolerations\/0\/key/],
  ['an unknown field of a toleration', role({ tolerations: [{ keys: 'a' }] }), /keys/],
  [
    'an impossible weight of affinity',
    {
      defaults: {
        affinity: {
          nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }] },
        },
      },
    },
    /weight/,
  ],
  [
    'a spread without a key',
    { defaults: { topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' }] } },
    /topologyKey/,
  ],
  ['a priority in capitals', { defaults: { priorityClassName: 'High' } }, /priorityClassName/],
  ['an unsupported strategy', role({ strategy: { type: 'OnDelete' } }), /strategy/],
  [
    'a strategy without progress',
    role({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } }),
    /roles\.api\.strategy/,
  ],
  ['a handler in a probe', { defaults: { livenessProbe: { exec: { command: ['true'] } } } }, /exec/],
  ['a disruption budget of 0', { podDisruptionBudget: { maxUnavailable: 0 } }, /maxUnavailable/],
  [
    'a budget that keeps all pods',
    role({ podDisruptionBudget: { minAvailable: 2 } }),
    /roles\.api\.podDisruptionBudget/,
  ],
  [
    'a budget that keeps the only dispatcher',
    { podDisruptionBudget: { minAvailable: 1 } },
    /roles\.dispatcher\.podDisruptionBudget/,
  ],
  [
    'a toleration of all values of one',
    role({ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }),
    /tolerations\/0/,
  ],
  ['a toleration without a key', role({ tolerations: [{ operator: 'Equal' }] }), /tolerations\/0/],
  ['a toleration of seconds without its effect', role({ tolerations: [{ key: 'a', tolerationSeconds: 5 }] }), /effect/],
  [
    'an expression without values',
    role({
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'a',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
        },
      ],
    }),
    /values/,
  ],
  [
    'domains of a spread that is a wish',
    role({
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway', minDomains: 2 }],
    }),
    /whenUnsatisfiable/,
  ],
  ['missing name servers', { defaults: { dnsPolicy: 'None' } }, /dnsConfig: dnsPolicy None needs nameservers/],
  ['a name server by name', { defaults: { dnsConfig: { nameservers: ['dns.internal'] } } }, /nameservers/],
  ['two families of addresses for one stack', { service: { ipFamilies: ['IPv4', 'IPv6'] } }, /ipFamilies/],
  [
    'one spread twice',
    {
      defaults: {
        topologySpreadConstraints: [1, 2].map((maxSkew) => ({
          maxSkew,
          topologyKey: 'a',
          whenUnsatisfiable: 'DoNotSchedule',
        })),
      },
    },
    /topologySpreadConstraints: a DoNotSchedule is there twice/,
  ],
  [
    'one address of hosts twice',
    role({ hostAliases: ['a', 'b'].map((name) => ({ ip: '10.0.0.1', hostnames: [name] })) }),
    /roles\.api\.hostAliases: 10\.0\.0\.1/,
  ],
  ['one Secret of the registry twice', { image: { pullSecrets: ['a', 'a'] } }, /pullSecrets/],
  // Volumes and containers.
  ['a volume of the chart', { defaults: { extraVolumes: [volume('tmp')] } }, /extraVolumes: there is a volume tmp/],
  [
    'one volume twice',
    { defaults: { extraVolumes: [volume('a')] }, ...role({ extraVolumes: [volume('a')] }) },
    /volume a/,
  ],
  ['a volume without a source', { defaults: { extraVolumes: [{ name: 'a' }] } }, /extraVolumes/],
  ['a mount without a volume', role({ extraVolumeMounts: [{ name: 'a', mountPath: '/a' }] }), /there is no volume a/],
  [
    'a mount over another',
    role({ extraVolumes: [volume('a')], extraVolumeMounts: [{ name: 'a', mountPath: '/tmp/' }] }),
    /\/tmp is mounted/,
  ],
  [
    'a mount that is not a path',
    role({ extraVolumes: [volume('a')], extraVolumeMounts: [{ name: 'a', mountPath: 'a' }] }),
    /mountPath/,
  ],
  ['a container of the name of the role', role({ extraContainers: [{ name: 'api', image: 'a' }] }), /container api/],
  ['a container without an image', role({ extraContainers: [{ name: 'a' }] }), /image/],
  [
    'a container beside the migration',
    { migrate: { extraContainers: [{ name: 'a', image: 'a' }] } },
    /extraContainers/,
  ],
  ['a migration that is removed at once', { migrate: { ttlSecondsAfterFinished: 0 } }, /ttlSecondsAfterFinished/],
  // Objects.
  [
    'more dispatchers at least than at most',
    { webhooks: { dispatchersMin: 5, dispatchersMax: 2 } },
    /dispatchersMin: 5/,
  ],
  [
    'an object without a kind',
    { extraObjects: [{ apiVersion: 'v1', metadata: { name: 'a' } }] },
    /extraObjects\[0\]: has no kind/,
  ],
  [
    'an object without a name',
    { extraObjects: ['apiVersion: v1\nkind: ConfigMap'] },
    /extraObjects\[0\]: has no metadata.name/,
  ],
  ['an object that is not YAML', { extraObjects: ['a: b: c'] }, /extraObjects\[0\]/],
  ['an unknown alert', { prometheusRule: { enabled: true, disabled: ['Touchline'] } }, /there is no alert Touchline/],
  ['an invalid interval', { podMonitor: { enabled: true, interval: '30' } }, /interval/],
  ['an unsupported type of Service', { service: { type: 'ExternalName' } }, /service\/type/],
  ['a network without its bits', { networkPolicy: { httpFrom: [peer('10.0.0.1')] } }, /httpFrom/],
  [
    'a network and a selector in one peer',
    { networkPolicy: { httpFrom: [{ ...peer('10.0.0.0/8'), podSelector: {} }] } },
    /httpFrom/,
  ],
  ['an empty peer', { networkPolicy: { adminFrom: [{}] } }, /adminFrom/],
  ['a missing port of the name servers', { networkPolicy: { dns: { ports: [] } } }, /dns/],
  ['a size of /tmp without a unit that there is', { defaults: { tmpSizeLimit: '1Hi' } }, /tmpSizeLimit/],
  ['an address of webhooks with a path', { webhooks: { allow: ['https://a.example/x'] } }, /allow/],
  [
    'a policy that would let dispatchers reach everything',
    { networkPolicy: { enabled: true }, webhooks: { allow: ['hooks.internal:*'] } },
    /hooks\.internal/,
  ],
];

describe('the chart’s refusals', function () {
  this.timeout(60_000);
  before(function () {
    this.timeout(1_800_000);
    needKube(this);
  });

  for (const [what, values, message] of REFUSED)
    it(`the chart refuses ${what}`, async () => {
      await assert.rejects(render(MINIMAL, values), (error: Error & { stderr: string }) => {
        assert.match(error.stderr, message);
        return true;
      });
    });

  for (const release of ['1st', 'my.sports'])
    it(`the chart refuses a release named ${release}, because it makes Service names impossible`, async () => {
      await assert.rejects(render(MINIMAL, {}, release), /cannot be that of a Service.*fullnameOverride/);
      await render(MINIMAL, { fullnameOverride: 'sports' }, release);
    });

  it('the chart accepts an IP address or a port in the public address', async () => {
    for (const baseUrl of ['http://10.1.2.3', 'http://10.1.2.3:8080', 'http://[fd00::1]:8080', 'http://localhost:8080'])
      await render(MINIMAL, { baseUrl });
    const config = { trustedProxies: ['10.244.0.0/16'] };
    await render(MINIMAL, { baseUrl: 'https://sports.example.com:8443', config, ingress: { enabled: true } });
  });

  it('the chart accepts an Ingress with proxies from the environment', async () => {
    const from = { configMapKeyRef: { name: 'proxies', key: 'networks' } };
    for (const TRUSTED_PROXIES of ['10.0.0.0/8', { valueFrom: from }])
      await render(MINIMAL, { ingress: { enabled: true }, config: { env: { TRUSTED_PROXIES } } });
  });
});
