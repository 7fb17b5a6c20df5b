/** The chart as helm renders it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import type { Kube } from './kube.ts';
import type { Resource } from './kube-api.ts';
import { kubePrograms } from './kube-binaries.ts';
import { monitoringCrds } from './monitoring-crds.ts';

export const CHART = new URL('../../charts/touchline', import.meta.url).pathname;
/** Archive of the previous release's chart. */
export const RELEASE_0_1_0 = new URL('releases/touchline-0.1.0.tgz', import.meta.url).pathname;
export const K8S = new URL('../../k8s', import.meta.url).pathname;
/** Files with values that have to work. */
export const CI_VALUES = [
  ...[`${CHART}/ci`, `${K8S}/values`].flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`)),
  `${K8S}/overlays/production/values.yaml`,
];
export const MINIMAL = `${CHART}/ci/minimal-values.yaml`;
export const EVERYTHING = `${CHART}/ci/everything-values.yaml`;
const OUTPUT_BYTES = 1e8;

/**
 * Runs helm.
 * @param input text for standard input, read by `--values -`
 */
export async function helm(args: readonly string[], input?: string): Promise<string> {
  const running = promisify(execFile)(kubePrograms().helm, args, { maxBuffer: OUTPUT_BYTES });
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/**
 * Returns a release's objects.
 * @param values overrides for values in `file`
 * @throws with helm's standard error
 */
export async function render(file: string, values: object = {}, release = 'one'): Promise<Resource[]> {
  const args = ['template', release, CHART, '--namespace', 'sports', '--values', file, '--values', '-'];
  const text = await helm(args, JSON.stringify(values));
  // Parses YAML 1.1, as helm does.
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => {
      assert.deepEqual(document.errors, []);
      return document.toJS();
    })
    .filter((resource) => resource !== null);
}

export function find(resources: Resource[], kind: string, name: string): Resource {
  const found = resources.find((one) => one.kind === kind && one.metadata.name === name);
  assert.ok(found, `${kind} ${name} is there`);
  return found;
}

/** Returns the template from which the operator makes dispatchers. */
export function dispatcherTemplate(resources: Resource[]): Resource | undefined {
  const map = resources.find((one) => one.kind === 'ConfigMap' && one.data['dispatcher.yaml']);
  return map && parse(map.data['dispatcher.yaml']);
}

/** Returns all objects with a pod template, including the operator's dispatchers. */
export const workloads = (resources: Resource[]): Resource[] =>
  [...resources.filter((one) => one.spec?.template?.spec), dispatcherTemplate(resources)].filter((one) => one);

/**
 * Returns the pods for roles and for the migration. The pod for `touchline withdraw` is left out, since it has none of
 * their settings.
 */
export const podsOf = (resources: Resource[]): Resource[] =>
  workloads(resources)
    .filter(({ metadata }) => !metadata.name.endsWith('-withdraw'))
    .map((one) => one.spec.template.spec);

export function podOf(resources: Resource[], role: string): Resource {
  const pod = podsOf(resources).find(({ containers }) => containers[0].name === role);
  assert.ok(pod, `there are pods of ${role}`);
  return pod;
}

export const environment = (pod: Resource) =>
  new Map<string, Resource>(pod.containers[0].env.map((one: Resource) => [one.name, one]));

export const listOf = (items: Resource[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

/** Parses files with Kubernetes objects in YAML. */
export const objectsIn = (text: string): Resource[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((one) => one !== null);

/** Returns the kinds in a vendored file or folder, with the real schemas. */
export function vendoredCrds(path: string): Resource[] {
  const url = new URL(path, import.meta.url);
  const files = path.endsWith('/') ? readdirSync(url).filter((file) => file.endsWith('.yaml')) : [url.pathname];
  return files.flatMap((file) => objectsIn(readFileSync(new URL(file, url), 'utf8')));
}

/** Installs kinds, and waits until the server knows them. */
export async function installCrds({ kubectl }: Kube, crds: Resource[]): Promise<void> {
  await kubectl(['apply', '--server-side', '-f', '-'], listOf(crds));
  const names = crds.map(({ metadata }) => `crd/${metadata.name}`);
  await kubectl(['wait', '--for=condition=Established', '--timeout=60s', ...names]);
}

/** Returns the kinds from other projects that the chart can create objects of. */
export const chartCrds = (): Resource[] => [
  ...monitoringCrds(),
  ...['gateway-api/httproutes.yaml', 'keda/scaledobjects.yaml'].flatMap(vendoredCrds),
];

/**
 * Creates a namespace under the restricted standard, and installs the kinds from the Prometheus Operator, the Gateway
 * API and KEDA.
 */
export async function prepareNamespace(kube: Kube, name: string): Promise<void> {
  await kube.kubectl(['create', 'namespace', name]);
  await kube.kubectl(['label', 'namespace', name, 'pod-security.kubernetes.io/enforce=restricted']);
  await installCrds(kube, chartCrds());
}
