/** Requests to the Kubernetes API, as JSON: what the library's models do not know is neither dropped nor turned into dates. */
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

/** Who owns the fields that the operator applies. */
export const FIELD_MANAGER = 'touchline-operator';
/** Over a whole request, its reply included. */
const REQUEST_MS = 10_000;
const MAX_CONNECTIONS = 20;

/** Tries of a request that the API server answers with 429 or 5xx: it says "not now", and is asked again soon. */
const TRIES = 3;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 2_000;

/** A kind, as its paths name it. */
export interface Resource {
  /** '' for the core. */
  group: string;
  version: string;
  plural: string;
  kind: string;
}

const core = (plural: string, kind: string): Resource => ({ group: '', version: 'v1', plural, kind });
export const SECRETS = core('secrets', 'Secret');
export const EVENTS = core('events', 'Event');
export const DEPLOYMENTS: Resource = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment' };
export const LEASES: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease' };

export const apiVersion = ({ group, version }: Resource) => (group === '' ? version : `${group}/${version}`);

export function path(resource: Resource, namespace: string, name?: string, subresource?: string): string {
  const { group, version, plural } = resource;
  const parts = [group === '' ? 'api' : 'apis', group, version, 'namespaces', namespace, plural, name, subresource];
  return `/${parts.filter((part) => part !== undefined && part !== '').join('/')}`;
}

/** What the API server answered instead of what was asked for. Its message names objects, never what is in them. */
export class KubeError extends Error {
  readonly status: number;
  readonly reason: string;
  /** Milliseconds to wait, where it says so. */
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

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof KubeError && error.status === status;

export interface ObjectMeta {
  name: string;
  namespace: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  deletionTimestamp?: string;
  ownerReferences?: unknown[];
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
  /** Just before the request leaves: throws where it must not. */
  gate?: () => void;
}

export interface Observed {
  verb: Verb;
  resource: string;
  /** Of the reply; 0: there was none. */
  status: number;
  seconds: number;
}

export interface Api {
  config: KubeConfig;
  /** With a gate on everything that writes; the same one for all that is made from one API. */
  guarded(gate: () => void): Api;
  get<T extends KubeObject>(resource: Resource, namespace: string, name: string): Promise<T>;
  list<T extends KubeObject>(resource: Resource, namespace: string, labels?: string): Promise<KubeList<T>>;
  create<T extends KubeObject>(resource: Resource, namespace: string, body: unknown): Promise<T>;
  replace<T extends KubeObject>(resource: Resource, body: T): Promise<T>;
  /** Server-side apply: the fields in `body`, taken from whoever has them. */
  apply<T extends KubeObject>(
    resource: Resource,
    place: { namespace: string; name: string; subresource?: 'status' },
    body: object,
  ): Promise<T>;
  remove(resource: Resource, namespace: string, name: string, uid?: string): Promise<void>;
}

/** @param file of a kubeconfig; without one, the service account of the pod */
export function loadConfig(file: string | undefined): KubeConfig {
  const config = new KubeConfig();
  if (file !== undefined) config.loadFromFile(file);
  else config.loadFromCluster();
  return config;
}

const NAMESPACE_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** Where the operator itself runs. */
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

/** A request waits for its connection: a process that was paused in the meantime must not send it when it wakes. */
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

export function openApi(config: KubeConfig, observe: (call: Observed) => void = () => {}): Api & { close(): void } {
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new Error('the kubeconfig has no current cluster');
  const library = new IsomorphicFetchHttpLibrary();
  // The library makes an agent for each request, and so a handshake.
  const agents = new Map<string, https.Agent>();

  function keepAlive(agent: unknown, gate: Call['gate']): https.Agent | undefined {
    if (!(agent instanceof https.Agent)) return undefined;
    const { ca, cert } = agent.options;
    const key = `${gate === undefined ? 'reads' : 'writes'} ${ca}${cert}`;
    let kept = agents.get(key);
    if (kept === undefined) {
      kept = new GatedAgent({ ...agent.options, keepAlive: true, maxSockets: MAX_CONNECTIONS }, gate);
      agents.set(key, kept);
    }
    return kept;
  }

  async function request<T>(verb: Verb, place: string, resource: Resource, call: Call): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await requestOnce<T>(verb, place, resource, call);
      } catch (error) {
        const later = error instanceof KubeError && (error.status === 429 || error.status >= 500);
        if (!later || attempt === TRIES || error.retryAfterMs > LONGEST_WAIT_MS) throw error;
        await sleep(Math.max(error.retryAfterMs, FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random())));
      }
    }
  }

  async function requestOnce<T>(verb: Verb, place: string, resource: Resource, call: Call): Promise<T> {
    const context = new RequestContext(`${server}${place}`, verb as HttpMethod);
    for (const [name, value] of Object.entries(call.query ?? {})) context.setQueryParam(name, value);
    context.setHeaderParam('Accept', 'application/json');
    if (call.body !== undefined) {
      context.setHeaderParam('Content-Type', call.contentType ?? 'application/json');
      context.setBody(JSON.stringify(call.body));
    }
    await config.applySecurityAuthentication(context);
    const agent = keepAlive(context.getAgent(), call.gate);
    if (agent !== undefined) context.setAgent(agent);
    context.setSignal(AbortSignal.timeout(REQUEST_MS));
    call.gate?.();
    const begun = performance.now();
    let status = 0;
    try {
      const reply = await library.send(context).toPromise();
      const text = await reply.body.text();
      status = reply.httpStatusCode;
      if (status < 200 || status > 299) throw failure(status, text, reply.headers['retry-after']);
      return JSON.parse(text) as T;
    } finally {
      observe({ verb, resource: resource.plural, status, seconds: (performance.now() - begun) / 1_000 });
    }
  }

  const made = (gate: (() => void) | undefined): Api => ({
    config,
    guarded: (next) => made(next),
    get: (resource, namespace, name) => request('GET', path(resource, namespace, name), resource, {}),
    list: (resource, namespace, labels) =>
      request(
        'GET',
        path(resource, namespace),
        resource,
        labels === undefined ? {} : { query: { labelSelector: labels } },
      ),
    create: (resource, namespace, body) =>
      request('POST', path(resource, namespace), resource, { body, gate, query: { fieldManager: FIELD_MANAGER } }),
    replace: (resource, body) =>
      request('PUT', path(resource, body.metadata.namespace, body.metadata.name), resource, {
        body,
        gate,
        query: { fieldManager: FIELD_MANAGER },
      }),
    apply: (resource, { namespace, name, subresource }, body) =>
      request('PATCH', path(resource, namespace, name, subresource), resource, {
        body: { apiVersion: apiVersion(resource), kind: resource.kind, ...body },
        contentType: PatchStrategy.ServerSideApply,
        gate,
        query: { fieldManager: FIELD_MANAGER, force: 'true' },
      }),
    remove: async (resource, namespace, name, uid) => {
      const body = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Background',
        ...(uid !== undefined && { preconditions: { uid } }),
      };
      await request('DELETE', path(resource, namespace, name), resource, { body, gate });
    },
  });
  return {
    ...made(undefined),
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
