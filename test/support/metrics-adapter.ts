/**
 * Stands in for metrics-server and prometheus-adapter. Answers the API server's aggregated APIs for pods' CPU and
 * custom metrics from a Prometheus, by the rules that the chart ships.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { parse } from 'yaml';
import { makeAuthority } from './certificates.ts';
import { CHART } from './chart.ts';
import type { KubeApi, Resource } from './kube-api.ts';
import type { Prometheus } from './prometheus.ts';

const GROUPS = { 'metrics.k8s.io': 'v1beta1', 'custom.metrics.k8s.io': 'v1beta2' } as const;
const NAMESPACE = 'kube-system';

interface Rule {
  series: string;
  /** Additional matchers in the rule. */
  metric: string;
  query: string;
}

/** Reads the rules as prometheus-adapter does, as far as the chart's rules need it. */
function readRules(): Rule[] {
  const { rules } = parse(readFileSync(`${CHART}/files/prometheus-adapter.yaml`, 'utf8'));
  return rules.custom.map(({ seriesQuery, name, metricsQuery }: Resource) => {
    const series = /^[a-zA-Z_:]+/.exec(seriesQuery)![0];
    return { series, metric: name?.as ?? series, query: metricsQuery };
  });
}

const expressionOf = ({ series, query }: Rule, namespace: string): string =>
  query
    .replaceAll('<<.Series>>', series)
    .replaceAll('<<.LabelMatchers>>', `namespace="${namespace}"`)
    .replaceAll('<<.GroupBy>>', 'pod');

/** Formats a value in thousandths, as the API does. */
const quantity = (value: number) => `${Math.round(value * 1_000)}m`;

export interface MetricsAdapter {
  /** Names of the custom metrics that were requested. */
  asked: Set<string>;
  close(): void;
}

/** @param host an address of this machine that the API server can reach */
export async function startMetricsAdapter(api: KubeApi, prometheus: Prometheus, host: string): Promise<MetricsAdapter> {
  const rules = readRules();
  const asked = new Set<string>();
  const authority = makeAuthority();
  const { key, cert } = authority.sign(`IP:${host},DNS:adapter.${NAMESPACE}.svc`);
  const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

  async function selected(namespace: string, selector: string | null): Promise<Set<string>> {
    const query = selector === null ? '' : `?labelSelector=${encodeURIComponent(selector)}`;
    const { items } = await api('GET', `/api/v1/namespaces/${namespace}/pods${query}`);
    return new Set(items.map(({ metadata }: Resource) => metadata.name));
  }

  async function answer({ pathname, searchParams }: URL): Promise<object | null> {
    const [, , group, version, , namespace, , , metric] = pathname.split('/');
    if (namespace === undefined) {
      const resource = { name: 'pods', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] };
      return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/${version}`, resources: [resource] };
    }
    const pods = await selected(namespace, searchParams.get('labelSelector'));
    const read = async (expression: string) =>
      (await prometheus.query(expression)).filter((one) => pods.has(one.metric.pod!));
    if (group === 'metrics.k8s.io') {
      const samples = await read(`sum(rate(process_cpu_seconds_total{namespace="${namespace}"}[30s])) by (pod)`);
      const items = samples.map(({ metric: labels, value }) => ({
        metadata: { name: labels.pod, namespace },
        timestamp: now(),
        window: '30s',
        containers: [{ name: 'all', usage: { cpu: quantity(value), memory: '0' } }],
      }));
      return { kind: 'PodMetricsList', apiVersion: `${group}/${version}`, metadata: {}, items };
    }
    const rule = rules.find((one) => one.metric === metric);
    if (rule === undefined) return null;
    asked.add(rule.metric);
    const items = (await read(expressionOf(rule, namespace))).map(({ metric: labels, value }) => ({
      describedObject: { kind: 'Pod', namespace, name: labels.pod, apiVersion: '/v1' },
      metric: { name: metric },
      timestamp: now(),
      value: quantity(value),
    }));
    return { kind: 'MetricValueList', apiVersion: `${group}/${version}`, metadata: {}, items };
  }

  const server = createServer({ key, cert }, async (request, response) => {
    const body = await answer(new URL(request.url!, 'https://adapter')).catch((error: Error) => ({
      kind: 'Status',
      status: 'Failure',
      code: 500,
      message: error.message,
    }));
    const status = body === null ? 404 : 'code' in body ? 500 : 200;
    const missing = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body ?? missing));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  // The API server resolves the name in an ExternalName without a name server.
  const spec = { type: 'ExternalName', externalName: host, ports: [{ port }] };
  await api('POST', `/api/v1/namespaces/${NAMESPACE}/services`, { metadata: { name: 'adapter' }, spec });
  for (const [group, version] of Object.entries(GROUPS))
    await api('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: 100,
        versionPriority: 100,
        caBundle: Buffer.from(authority.ca).toString('base64'),
        service: { name: 'adapter', namespace: NAMESPACE, port },
      },
    });
  return {
    asked,
    close() {
      authority.remove();
      server.closeAllConnections();
      server.close();
    },
  };
}
