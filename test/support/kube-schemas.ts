/**
 * Writes `kube-lint/kubernetes.json`, with the schemas of the Kubernetes kinds that the chart creates, without
 * descriptions. They come from the sources of the control plane that tests run on. Run `node
 * test/support/kube-schemas.ts` after a change of its version, or if the chart uses a further kind.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const KINDS = [
  'io.k8s.api.apps.v1.Deployment',
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  'io.k8s.api.batch.v1.Job',
  'io.k8s.api.core.v1.ConfigMap',
  'io.k8s.api.core.v1.Pod',
  'io.k8s.api.core.v1.Service',
  'io.k8s.api.core.v1.ServiceAccount',
  'io.k8s.api.networking.v1.Ingress',
  'io.k8s.api.networking.v1.NetworkPolicy',
  'io.k8s.api.policy.v1.PodDisruptionBudget',
  'io.k8s.api.rbac.v1.ClusterRole',
  'io.k8s.api.rbac.v1.ClusterRoleBinding',
  'io.k8s.api.rbac.v1.Role',
  'io.k8s.api.rbac.v1.RoleBinding',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
];

type Schema = { properties?: Record<string, object>; [key: string]: unknown };

const module = new URL('kube', import.meta.url).pathname;
const format = '{{.Dir}} {{.Version}}';
const listed = execFileSync('go', ['list', '-m', '-f', format, 'k8s.io/kubernetes'], { cwd: module }).toString();
const [folder, version] = listed.trim().split(' ');
const text = readFileSync(`${folder}/api/openapi-spec/swagger.json`, 'utf8');
const { definitions: all } = JSON.parse(text, (key, value) => {
  if (key === 'description' && typeof value === 'string') return undefined;
  // Schemas of schemas have fields with the same names as these keywords.
  const isKeyword = key.startsWith('x-kubernetes-') && key !== 'x-kubernetes-group-version-kind';
  return isKeyword && (typeof value !== 'object' || Array.isArray(value)) ? undefined : value;
});

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const definitions: Record<string, Schema> = {};
function take(name: string): void {
  if (definitions[name] !== undefined) return;
  const schema: Schema = all[name];
  if (schema.format === 'int-or-string') definitions[name] = { type: ['integer', 'string'] };
  else if (name === QUANTITY) definitions[name] = { type: ['number', 'string'] };
  // A field that Kubernetes does not have is a mistake.
  else definitions[name] = schema.properties === undefined ? schema : { ...schema, additionalProperties: false };
  for (const [, other] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)) take(other!);
}
for (const kind of KINDS) take(kind);
const comment = `Kubernetes ${version}: api/openapi-spec/swagger.json of the Go module k8s.io/kubernetes. Copyright The Kubernetes Authors, Apache License 2.0, see ../gateway-api/LICENSE. Written by ../kube-schemas.ts: some kinds, without descriptions, with additionalProperties: false.`;
const lines = Object.entries(definitions).map(([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}`);
writeFileSync(
  new URL('kube-lint/kubernetes.json', import.meta.url),
  `{"comment": ${JSON.stringify(comment)},\n"definitions": {\n${lines.join(',\n')}\n}}\n`,
);
