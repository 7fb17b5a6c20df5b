/**
 * Environment and files for a pod's containers. They come from the pod, ConfigMaps, Secrets, and the service account's
 * token.
 */
import { chmodSync, chownSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KubeApi, Resource } from './kube-api.ts';

/** Reads an entry of a ConfigMap or Secret. An optional entry may be missing. */
async function read(
  api: KubeApi,
  kind: 'configmaps' | 'secrets',
  namespace: string,
  ref: Resource,
): Promise<Record<string, Buffer>> {
  let found: Resource;
  try {
    found = await api('GET', `/api/v1/namespaces/${namespace}/${kind}/${ref.name ?? ref.secretName}`);
  } catch (error) {
    if (ref.optional === true) return {};
    throw error;
  }
  const texts = Object.entries<string>(found.data ?? {});
  const encoding = kind === 'secrets' ? 'base64' : 'utf8';
  return Object.fromEntries([
    ...texts.map(([key, text]) => [key, Buffer.from(text, encoding)] as const),
    ...Object.entries<string>(found.binaryData ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64')] as const),
  ]);
}

/** Returns a value for a field of the downward API. */
function field(pod: Resource, path: string): string {
  const [, kind, key] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  if (kind !== undefined) return pod.metadata[kind]?.[key!] ?? '';
  const value = path.split('.').reduce((part, name) => part?.[name], pod);
  if (typeof value !== 'string') throw new Error(`fieldRef ${path} is not known here`);
  return value;
}

async function entry(
  api: KubeApi,
  kind: 'configmaps' | 'secrets',
  namespace: string,
  ref: Resource,
): Promise<string | undefined> {
  const value = (await read(api, kind, namespace, ref))[ref.key];
  if (value === undefined && ref.optional !== true) throw new Error(`${kind} ${ref.name} has no key ${ref.key}`);
  return value?.toString();
}

export async function environmentOf(api: KubeApi, pod: Resource, container: Resource): Promise<Record<string, string>> {
  const { namespace } = pod.metadata;
  const env: Record<string, string> = {};
  for (const { prefix = '', configMapRef, secretRef, ...unknown } of container.envFrom ?? []) {
    if (Object.keys(unknown).length > 0) throw new Error(`envFrom of ${Object.keys(unknown)} is not known here`);
    const entries = await read(api, configMapRef ? 'configmaps' : 'secrets', namespace, configMapRef ?? secretRef);
    for (const [key, value] of Object.entries(entries)) env[prefix + key] = value.toString();
  }
  for (const { name, value = '', valueFrom } of container.env ?? []) {
    if (valueFrom === undefined) env[name] = expand(value, env);
    else if (valueFrom.fieldRef) env[name] = field(pod, valueFrom.fieldRef.fieldPath);
    else {
      const { configMapKeyRef, secretKeyRef } = valueFrom;
      if (!configMapKeyRef && !secretKeyRef)
        throw new Error(`valueFrom of ${Object.keys(valueFrom)} is not known here`);
      const kind = configMapKeyRef ? 'configmaps' : 'secrets';
      const found = await entry(api, kind, namespace, configMapKeyRef ?? secretKeyRef);
      if (found !== undefined) env[name] = found;
    }
  }
  return env;
}

/** Expands $(NAME) to an earlier variable, and $$ to $. */
export const expand = (text: string, env: Record<string, string>): string =>
  text.replace(/\$(\$|\(([\w.-]+)\))/g, (all, what, name) => (what === '$' ? '$' : (env[name] ?? all)));

/**
 * Returns the host names that a cluster's name servers would resolve, which are the Services in the pod's namespace
 * when it starts.
 */
export async function hostsOf(api: KubeApi, pod: Resource): Promise<string> {
  const { namespace } = pod.metadata;
  const { items } = await api('GET', `/api/v1/namespaces/${namespace}/services`);
  const services = items.map(
    ({ metadata: { name }, spec: { clusterIP } }: Resource) =>
      `${clusterIP} ${name} ${name}.${namespace} ${name}.${namespace}.svc ${name}.${namespace}.svc.cluster.local`,
  );
  const aliases = (pod.spec.hostAliases ?? []).map(({ ip, hostnames }: Resource) => [ip, ...hostnames].join(' '));
  return ['127.0.0.1 localhost', '::1 localhost', ...services, ...aliases, ''].join('\n');
}

type Files = Record<string, Buffer>;

/** Returns the files that `items` chooses, under the paths in it. Without `items`, returns all files. */
function chosen(files: Files, items: { key: string; path: string }[] | undefined, source: string): Files {
  if (items === undefined) return files;
  return Object.fromEntries(
    items.map(({ key, path }) => {
      if (files[key] === undefined) throw new Error(`${source} has no key ${key}`);
      return [path, files[key]];
    }),
  );
}

async function projected(api: KubeApi, pod: Resource, source: Resource): Promise<Files> {
  const { namespace } = pod.metadata;
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap) return chosen(await read(api, 'configmaps', namespace, configMap), configMap.items, configMap.name);
  if (secret) return chosen(await read(api, 'secrets', namespace, secret), secret.items, secret.name);
  if (downwardAPI) {
    const items: Resource[] = downwardAPI.items;
    return Object.fromEntries(items.map(({ path, fieldRef }) => [path, Buffer.from(field(pod, fieldRef.fieldPath))]));
  }
  if (!serviceAccountToken) throw new Error(`a projected ${Object.keys(source)} is not known here`);
  const { path, audience, expirationSeconds } = serviceAccountToken;
  const { name, uid } = pod.metadata;
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {
      audiences: audience === undefined ? [] : [audience],
      expirationSeconds,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
    },
  };
  const account = pod.spec.serviceAccountName;
  const answer = await api('POST', `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`, request);
  return { [path]: Buffer.from(answer.status.token) };
}

/** Returns a volume's files; null for an empty folder. @param withTokens whether tokens are requested, too */
async function filesIn(api: KubeApi, pod: Resource, volume: Resource, withTokens: boolean): Promise<Files | null> {
  const { namespace } = pod.metadata;
  const { name, emptyDir, configMap, secret } = volume;
  if (emptyDir) return null;
  if (configMap) return chosen(await read(api, 'configmaps', namespace, configMap), configMap.items, configMap.name);
  if (secret) return chosen(await read(api, 'secrets', namespace, secret), secret.items, secret.secretName);
  if (!volume.projected) throw new Error(`volume ${name} is of a kind that is not known here`);
  const sources: Resource[] = volume.projected.sources;
  const wanted = sources.filter(({ serviceAccountToken }) => withTokens || !serviceAccountToken);
  const parts = await Promise.all(wanted.map((source) => projected(api, pod, source)));
  return Object.assign({}, ...parts);
}

/** Writes files as a whole, since a process may read them at any time. */
function writeFiles(files: Files, place: string, owner: number): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(place, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, content, { mode: 0o640 });
    chownSync(`${file}.new`, 0, owner);
    renameSync(`${file}.new`, file);
  }
}

const groupFor = (pod: Resource): number => pod.spec.securityContext?.fsGroup ?? 0;

/**
 * Creates each of the pod's volumes below `folder`.
 * @returns the folder for each volume, by volume name
 */
export async function makeVolumes(api: KubeApi, pod: Resource, folder: string): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const volume of pod.spec.volumes ?? []) {
    const place = join(folder, volume.name);
    mkdirSync(place, { recursive: true });
    places.set(volume.name, place);
    const files = await filesIn(api, pod, volume, true);
    if (files !== null) writeFiles(files, place, groupFor(pod));
    else {
      chownSync(place, 0, groupFor(pod));
      chmodSync(place, 0o2777);
    }
  }
  return places;
}

/** Writes the present content of Secrets and ConfigMaps into a running pod's volumes, as a kubelet does after about a minute. */
export async function renewVolumes(api: KubeApi, pod: Resource, folder: string): Promise<void> {
  for (const volume of pod.spec.volumes ?? []) {
    const files = await filesIn(api, pod, volume, false);
    if (files !== null) writeFiles(files, join(folder, volume.name), groupFor(pod));
  }
}
