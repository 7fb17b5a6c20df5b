/** Sends requests to the Kubernetes API as plain JSON. The library's models would drop unknown fields and convert dates. */
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type HttpMethod,
  IsomorphicFetchHttpLibrary,
  KubeConfig,
  PatchStrategy,
  RequestContext,
} from '@kubernetes/client-node';

/** Name under which the operator owns the fields that it applies. */
const FIELD_MANAGER = 'touchline-operator';
/** Time limit for a request and its reply. */
const REQUEST_MS = 10_000;
const MAX_CONNECTIONS = 20;

/** How many times to try a request that the API server answers with 429 or 5xx. */
const TRIES = 3;
const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 2_000;

/** A kind of object, as it appears in paths. */
export interface Resource {
  /** The API group. '' for the core group. */
  group: string;
  version: string;
  plural: string;
  kind: string;
}

const core = (plural: string, kind: string): Resource => ({ group: '', version: 'v1', plural, kind });
export const SECRETS = core('secrets', 'Secret');
export const EVENTS = core('events', 'Event');
export const NAMESPACES = core('namespaces', 'Namespace');
export const DEPLOYMENTS: Resource = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment' };
export const LEASES: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease' };

export const apiVersion = ({ group, version }: Resource) => (group === '' ? version : `${group}/${version}`);

/** In place of a namespace: all namespaces. */
export const ALL_NAMESPACES = '';

/** @param namespace the object's namespace or, if the object is a namespace, its own name; ALL_NAMESPACES for a list of all objects */
export function path(resource: Resource, namespace: string, name?: string, subresource?: string): string {
  const { group, version, plural } = resource;
  const inside = resource === NAMESPACES ? [] : [plural, name, subresource];
  const within = namespace === ALL_NAMESPACES ? [] : ['namespaces', namespace];
  const parts = [group === '' ? 'api' : 'apis', group, version, ...within, ...inside];
  return `/${parts.filter((part) => part !== undefined && part !== '').join('/')}`;
}

/** Thrown for an error reply from the API server. The message names objects, but never their contents. */
export class KubeError extends Error {
  readonly status: number;
  readonly reason: string;
  /** Milliseconds to wait before a retry, or 0 if the reply contains none. */
  readonly retryAfterMs: number;
  readonly causes: readonly string[];

  constructor(status: number, reason: string, message: string, retryAfterMs: number, causes: readonly string[]) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
    this.causes = causes;
  }
}

export const isStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof KubeError && statuses.includes(error.status);

/** Returns whether the API server would refuse a repeated request as well. */
export const isRefusal = (error: unknown): error is KubeError =>
  error instanceof KubeError && isStatus(error, 400, 403, 413, 422) && !error.causes.includes('NamespaceTerminating');

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
}
export interface ObjectMeta {
  name: string;
  namespace: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  deletionTimestamp?: string;
  ownerReferences?: OwnerReference[];
}
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}
export interface KubeList<T> {
  items: T[];
  metadata: { resourceVersion: string };
}

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
interface Call {
  query?: Record<string, string>;
  body?: unknown;
  contentType?: string;
  /** Called just before the request is sent. Throws to prevent the request. */
  gate?: () => void;
}

export interface Observed {
  verb: Verb;
  resource: string;
  /** The reply's status, or 0 if no reply came. */
  status: number;
  seconds: number;
}

export interface Api {
  config: KubeConfig;
  /**
   * Returns an API that calls `gate` before each write. Always pass the same gate: all APIs that are made from this
   * one share their connections for writes, which keep the first gate.
   */
  guarded(gate: () => void): Api;
  get<T extends KubeObject>(resource: Resource, namespace: string, name?: string): Promise<T>;
  list<T extends KubeObject>(resource: Resource, namespace: string, labels?: string): Promise<KubeList<T>>;
  create<T extends KubeObject>(resource: Resource, namespace: string, body: unknown): Promise<T>;
  replace<T extends KubeObject>(resource: Resource, body: T): Promise<T>;
  /** Does a server-side apply, which makes the operator the owner of the fields in `body`. */
  apply<T extends KubeObject>(
    resource: Resource,
    target: { namespace: string; name: string; subresource?: 'status' },
    body: object,
  ): Promise<T>;
  remove(resource: Resource, namespace: string, name: string, uid?: string): Promise<void>;
}

/** @param file a kubeconfig; if undefined, the pod's service account is used instead */
export function loadConfig(file: string | undefined): KubeConfig {
  const config = new KubeConfig();
  if (file !== undefined) config.loadFromFile(file);
  else config.loadFromCluster();
  return config;
}

const NAMESPACE_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** Returns the operator's namespace. */
export function ownNamespace(config: KubeConfig, inCluster: boolean): string {
  if (inCluster) return readFileSync(NAMESPACE_FILE, 'utf8').trim();
  return config.getContextObject(config.getCurrentContext())?.namespace ?? 'default';
}

function failure(status: number, text: string, retryAfter: string | undefined): KubeError {
  let body: {
    reason?: string;
    message?: string;
    details?: { causes?: { reason?: string }[]; retryAfterSeconds?: number };
  };
  try {
    body = JSON.parse(text);
  } catch {
    body = {};
  }
  const seconds = Number(retryAfter ?? body.details?.retryAfterSeconds ?? 0);
  return new KubeError(
    status,
    body.reason ?? '',
    body.message ?? `the API server answered ${status}`,
    Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0,
    (body.details?.causes ?? []).map(({ reason }) => reason ?? ''),
  );
}

/**
 * Calls the gate when a connection is ready. A request may have to wait for a connection. If the process has been
 * paused meanwhile, it must not send the request any more.
 */
class GatedAgent extends https.Agent {
  readonly #gate: Call['gate'];

  constructor(options: https.AgentOptions, gate: Call['gate']) {
    super(options);
    this.#gate = gate;
  }

  override createConnection(...given: Parameters<https.Agent['createConnection']>) {
    const socket = super.createConnection(...given);
    socket?.once('secureConnect', () => {
      try {
        this.#gate?.();
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    return socket;
  }
}

class KubeApi {
  readonly config: KubeConfig;
  readonly #server: string;
  readonly #observe: (call: Observed) => void;
  readonly #library = new IsomorphicFetchHttpLibrary();
  // Agents that are kept between requests. The library would create an agent, and so a TLS handshake, for each request.
  readonly #agents = new Map<string, https.Agent>();

  constructor(config: KubeConfig, observe: (call: Observed) => void) {
    const server = config.getCurrentCluster()?.server;
    if (server === undefined) throw new Error('the kubeconfig has no current cluster');
    this.config = config;
    this.#server = server;
    this.#observe = observe;
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  async request<T>(verb: Verb, target: string, resource: Resource, call: Call): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#requestOnce<T>(verb, target, resource, call);
      } catch (error) {
        const isTemporary = error instanceof KubeError && (error.status === 429 || error.status >= 500);
        if (!isTemporary || attempt === TRIES || error.retryAfterMs > MAX_WAIT_MS) throw error;
        await sleep(Math.max(error.retryAfterMs, FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random())));
      }
    }
  }

  async #requestOnce<T>(verb: Verb, target: string, resource: Resource, call: Call): Promise<T> {
    const context = new RequestContext(`${this.#server}${target}`, verb as HttpMethod);
    for (const [name, value] of Object.entries(call.query ?? {})) context.setQueryParam(name, value);
    context.setHeaderParam('Accept', 'application/json');
    if (call.body !== undefined) {
      context.setHeaderParam('Content-Type', call.contentType ?? 'application/json');
      context.setBody(JSON.stringify(call.body));
    }
    await this.config.applySecurityAuthentication(context);
    const agent = this.#keepAlive(context.getAgent(), call.gate);
    if (agent !== undefined) context.setAgent(agent);
    context.setSignal(AbortSignal.timeout(REQUEST_MS));
    call.gate?.();
    const begun = performance.now();
    let status = 0;
    try {
      const reply = await this.#library.send(context).toPromise();
      const text = await reply.body.text();
      status = reply.httpStatusCode;
      if (status < 200 || status > 299) throw failure(status, text, reply.headers['retry-after']);
      return JSON.parse(text) as T;
    } finally {
      this.#observe({ verb, resource: resource.plural, status, seconds: (performance.now() - begun) / 1_000 });
    }
  }

  #keepAlive(agent: unknown, gate: Call['gate']): https.Agent | undefined {
    if (!(agent instanceof https.Agent)) return undefined;
    const { ca, cert } = agent.options;
    const key = `${gate === undefined ? 'reads' : 'writes'} ${ca}${cert}`;
    let cached = this.#agents.get(key);
    if (cached === undefined) {
      cached = new GatedAgent({ ...agent.options, keepAlive: true, maxSockets: MAX_CONNECTIONS }, gate);
      this.#agents.set(key, cached);
    }
    return cached;
  }
}

function createApi(kube: KubeApi, gate: (() => void) | undefined): Api {
  const query = { fieldManager: FIELD_MANAGER };
  return {
    config: kube.config,
    guarded: (next) => createApi(kube, next),
    get: (resource, namespace, name) => kube.request('GET', path(resource, namespace, name), resource, {}),
    list: (resource, namespace, labels) =>
      kube.request(
        'GET',
        path(resource, namespace),
        resource,
        labels === undefined ? {} : { query: { labelSelector: labels } },
      ),
    create: (resource, namespace, body) =>
      kube.request('POST', path(resource, namespace), resource, { body, gate, query }),
    replace: (resource, body) =>
      kube.request('PUT', path(resource, body.metadata.namespace, body.metadata.name), resource, { body, gate, query }),
    apply: (resource, { namespace, name, subresource }, body) =>
      kube.request('PATCH', path(resource, namespace, name, subresource), resource, {
        body: { apiVersion: apiVersion(resource), kind: resource.kind, ...body },
        contentType: PatchStrategy.ServerSideApply,
        gate,
        query: { ...query, force: 'true' },
      }),
    remove: async (resource, namespace, name, uid) => {
      const body = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Background',
        ...(uid !== undefined && { preconditions: { uid } }),
      };
      await kube.request('DELETE', path(resource, namespace, name), resource, { body, gate });
    },
  };
}

/**
 * Opens the API, which keeps connections open between requests. The caller closes it.
 * @throws {Error} for a kubeconfig without a current cluster
 */
export function openKubeApi(config: KubeConfig, observe: (call: Observed) => void = () => {}): Api & { close(): void } {
  const kube = new KubeApi(config, observe);
  return { ...createApi(kube, undefined), close: () => kube.close() };
}
