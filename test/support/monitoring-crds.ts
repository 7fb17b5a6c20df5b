/** The Prometheus Operator's kinds, with those fields that the chart uses. Unknown fields are refused. */
import type { Resource } from './kube-api.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const map = { type: 'object', additionalProperties: text };
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
const list = (items: object) => ({ type: 'array', items });

const relabelings = list(
  object({ action: text, regex: text, replacement: text, separator: text, sourceLabels: texts, targetLabel: text }),
);
const podMonitor = object(
  {
    jobLabel: text,
    podTargetLabels: texts,
    selector: object({ matchLabels: map }),
    podMetricsEndpoints: list(
      object({
        port: text,
        path: { type: 'string', pattern: '^/' },
        interval: { type: 'string', pattern: '^[0-9]+(ms|s|m|h)$' },
        scrapeTimeout: { type: 'string', pattern: '^[0-9]+(ms|s|m|h)$' },
        relabelings,
        metricRelabelings: relabelings,
      }),
    ),
  },
  ['selector'],
);
const prometheusRule = object({
  groups: list(
    object(
      {
        name: { type: 'string', minLength: 1 },
        rules: list(
          object(
            {
              alert: text,
              record: text,
              expr: { 'x-kubernetes-int-or-string': true },
              for: { type: 'string', pattern: '^[0-9]+m$' },
              labels: map,
              annotations: map,
            },
            ['expr'],
          ),
        ),
      },
      ['name'],
    ),
  ),
});

function crd(kind: string, spec: object): Resource {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.monitoring.coreos.com` },
    spec: {
      group: 'monitoring.coreos.com',
      scope: 'Namespaced',
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: object({ spec }, ['spec']) } }],
    },
  };
}

export const monitoringCrds = (): Resource[] => [crd('PodMonitor', podMonitor), crd('PrometheusRule', prometheusRule)];
