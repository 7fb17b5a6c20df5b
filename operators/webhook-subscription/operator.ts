/** The role `operator`: every replica watches, the leader works. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../../src/config/config.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { openGuard } from '../../src/webhooks/guard.ts';
import { SHARED } from '../../src/webhooks/subscription.ts';
import { DEPLOYMENTS, KubeError, loadConfig, openApi, ownNamespace } from './api.ts';
import type { OperatorConfig } from './config.ts';
import { openController } from './controller.ts';
import { SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import { type Deployment, dedicatedGroup, MANAGED_LABEL, MANAGER } from './desired.ts';
import { openDispatchers } from './dispatchers.ts';
import { watchObjects } from './informer.ts';
import { NotLeader, startLeader } from './leader.ts';
import { openMetrics } from './metrics.ts';
import { openOutcomes } from './outcomes.ts';
import { sharedSubscriptions } from './queries.ts';
import { openQueue, type Queue } from './queue.ts';
import { openRecorder } from './recorder.ts';

export interface OperatorDeps {
  config: Config & OperatorConfig;
  pool: pg.Pool;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}

export interface Operator {
  /** Has everything been read once? A replica that stands by is ready too. */
  synced(): boolean;
  stop(): Promise<void>;
}

const LEASE = 'touchline-operator';
/** Resources brought forward at the same time. */
const CONCURRENCY = 8;
/** What has come of the rows is looked at so often; a status that changes is written at most every 30 s. */
const OUTCOMES_MS = 5_000;
const SWEEP_MS = 60_000;

/** Keys of the queue beside `namespace/name`. */
const SHARED_KEY = '#shared';
const SWEEP_KEY = '#sweep';

/** A pool that a process which no longer leads cannot write through, however long it was paused in between. */
const gated = (pool: pg.Pool, gate: () => void): pg.Pool =>
  new Proxy(pool, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'query' && name !== 'connect') return value;
      return (...args: unknown[]) => {
        gate();
        return value.apply(target, args);
      };
    },
  });

/** @throws {Error} for a kubeconfig or a template that cannot be used */
export function startOperator({ config, pool: openPool, clock, logger, registry }: OperatorDeps): Operator {
  const metrics = openMetrics(registry);
  const kube = loadConfig(config.kubeconfig);
  const free = openApi(kube, metrics.request);
  const own = ownNamespace(kube, config.kubeconfig === undefined);
  const namespaces = config.operatorNamespaces.length > 0 ? config.operatorNamespaces : [own];
  /** Of one term of leadership. */
  let queue: Queue | null = null;
  let ending: Promise<void> = Promise.resolve();
  let stopped = false;

  const leader = startLeader({
    api: free,
    logger,
    namespace: own,
    name: LEASE,
    identity: `${hostname()}-${randomBytes(4).toString('hex')}`,
    onChange: (leading) => {
      if (leading) void begin();
      else end();
    },
  });
  const api = free.guarded(leader.gate);
  const pool = gated(openPool, leader.gate);
  const rows = { pool, clock, guard: openGuard({ allow: config.webhookAllow }), secretKeys: config.secretKeys };

  const watches = new Map(
    namespaces.map((namespace) => [
      namespace,
      watchObjects<WebhookSubscription>({
        api: free,
        logger,
        resource: SUBSCRIPTIONS,
        namespace,
        onGone(name, uid) {
          if (queue !== null) gone.set(uid, `${namespace}/${name}`);
        },
        onObject: (name, anew) => {
          const key = `${namespace}/${name}`;
          if (anew || differs(key, watches.get(namespace)?.get(name))) queue?.add(key);
        },
      }),
    ]),
  );
  const deployments = watchObjects<Deployment>({
    api: free,
    logger,
    resource: DEPLOYMENTS,
    namespace: own,
    labels: `${MANAGED_LABEL}=${MANAGER}`,
    onObject: deploymentChanged,
  });
  const dispatchers = openDispatchers({
    api,
    pool,
    namespace: own,
    template: config.dispatcherTemplate,
    bounds: {
      min: config.dispatchersMin,
      max: Math.max(config.dispatchersMin, config.dispatchersMax),
      each: config.subscriptionsPerDispatcher,
    },
    operatorDeployment: config.operatorDeployment,
    exists: (name) => deployments.get(name) !== undefined,
  });
  const outcomes = openOutcomes();
  const recorder = openRecorder({ api, clock, logger });
  const controller = openController({ api, rows, logger, dispatchers, recorder, saw: outcomes.saw });

  /** Deleted resources whose rows are to be ended: uid to key. What no leader has seen is for the sweep. */
  const gone = new Map<string, string>();
  /** Of each resource, what its applier has asked for, as last seen. */
  const asked = new Map<string, string>();
  /** What the operator writes itself, the status, asks for no work. */
  function differs(key: string, resource: WebhookSubscription | undefined): boolean {
    if (resource === undefined) {
      asked.delete(key);
      return true;
    }
    const { uid, generation, annotations, deletionTimestamp } = resource.metadata;
    const now = JSON.stringify([uid, generation, annotations, deletionTimestamp]);
    const same = asked.get(key) === now;
    asked.set(key, now);
    return !same;
  }

  const resources = () => [...watches.values()].flatMap((watch) => watch.list());
  const synced = () => [...watches.values(), deployments].every((watch) => watch.synced());

  /** One that was edited or deleted by hand comes back. */
  function deploymentChanged(name: string): void {
    if (name === dispatchers.nameOf(SHARED)) queue?.add(SHARED_KEY);
    for (const { metadata } of resources()) {
      if (dispatchers.nameOf(dedicatedGroup(metadata.uid)) === name)
        queue?.add(`${metadata.namespace}/${metadata.name}`);
    }
  }

  async function work(key: string): Promise<number | undefined> {
    if (key === SHARED_KEY) {
      await dispatchers.applyShared();
      return SWEEP_MS;
    }
    if (key === SWEEP_KEY) {
      if (synced()) await controller.sweep(namespaces, (namespace, name) => watches.get(namespace)?.get(name));
      return SWEEP_MS;
    }
    for (const [uid, of] of gone) {
      if (of !== key) continue;
      await controller.end(uid);
      gone.delete(uid);
    }
    const slash = key.indexOf('/');
    const resource = watches.get(key.slice(0, slash))?.get(key.slice(slash + 1));
    return resource === undefined ? undefined : controller.reconcile(resource);
  }

  async function timed(key: string): Promise<number | undefined> {
    const begun = performance.now();
    const seconds = () => (performance.now() - begun) / 1_000;
    try {
      const again = await work(key);
      metrics.reconciled('ok', seconds());
      return again;
    } catch (error) {
      metrics.reconciled('error', seconds());
      throw error;
    }
  }

  /** What the last term had under way ends first: it could write again. */
  async function begin(): Promise<void> {
    await ending;
    if (queue !== null || stopped || !leader.leading()) return;
    queue = openQueue({
      work: timed,
      clock,
      concurrency: CONCURRENCY,
      onFailure(key, error, failures) {
        if (error instanceof NotLeader) return 0;
        const level = failures === 1 ? 'info' : 'warn';
        logger[level]({ resource: key, failures, reason: (error as Error).message }, 'a resource is tried again');
        return error instanceof KubeError ? error.retryAfterMs : 0;
      },
    });
    queue.add(SHARED_KEY);
    queue.add(SWEEP_KEY);
    for (const { metadata } of resources()) queue.add(`${metadata.namespace}/${metadata.name}`);
  }

  function end(): void {
    gone.clear();
    const last = queue;
    queue = null;
    if (last !== null) ending = last.close();
  }

  let shared = -1;
  async function lookAtOutcomes(): Promise<void> {
    const current = queue;
    if (current === null) return;
    for (const key of await outcomes.changed(pool)) current.add(key);
    const count = await sharedSubscriptions(pool);
    if (count !== shared) current.add(SHARED_KEY);
    shared = count;
  }
  let looking = Promise.resolve();
  const look = setInterval(() => {
    looking = looking.then(lookAtOutcomes).catch((error: Error) => {
      if (!(error instanceof NotLeader)) logger.warn({ reason: error.message }, 'outcomes could not be read');
    });
  }, OUTCOMES_MS);

  metrics.gauge('touchline_operator_leading', '1: this replica leads', () => Number(leader.leading()));
  metrics.gauge('touchline_operator_queue_keys', 'Keys that wait or are worked on', () => queue?.size() ?? 0);
  metrics.gauge('touchline_operator_subscriptions', 'Resources watched', () => resources().length);
  metrics.gauge('touchline_operator_watch_restarts', 'Watches begun again after a failure', () =>
    [...watches.values(), deployments].reduce((sum, watch) => sum + watch.restarts(), 0),
  );

  return {
    synced,
    async stop() {
      stopped = true;
      clearInterval(look);
      for (const watch of [...watches.values(), deployments]) watch.stop();
      end();
      await Promise.all([ending, looking]);
      await leader.stop();
      free.close();
    },
  };
}
