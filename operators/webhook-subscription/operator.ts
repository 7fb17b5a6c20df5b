/** The role `operator`. Every replica watches the resources, and the leader reconciles them. */

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { OfferedPlans } from '../../src/accounts/plans/index.ts';
import type { Config } from '../../src/config/config.ts';
import { createGuard } from '../../src/outbound/index.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { type Loop, startLoop } from '../../src/runtime/loop.ts';
import { errorMessage } from '../../src/runtime/unknown-values.ts';
import { SHARED, webhookPolicy } from '../../src/webhooks/subscriptions/index.ts';
import { createRecorder, type Recorder } from '../runtime/event-recorder.ts';
import { ObjectWatch } from '../runtime/informer.ts';
import { type Api, DEPLOYMENTS, type KubeObject, loadConfig, openKubeApi, ownNamespace } from '../runtime/kube-api.ts';
import { isPaused, MANAGED_LABEL, MANAGER } from '../runtime/labels.ts';
import { gatedPool, type Leader, NotLeader, startLeader } from '../runtime/leader-election.ts';
import { ResourceWatches, resourceKey } from '../runtime/resource-watches.ts';
import { type Listeners, startTenancy, sweepOwned } from '../tenancy/handlers.ts';
import { type OperatorConfig, servedNamespaces } from './config.ts';
import { Controller } from './controller.ts';
import { KIND, SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import { dedicatedGroup } from './desired-state.ts';
import type { Deployment } from './dispatcher-deployment.ts';
import { Dispatchers } from './dispatchers.ts';
import { Installation } from './installation.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { sweep } from './orphaned-rows.ts';
import { ownDeployment } from './own-deployment.ts';
import { type Handler, Reconciler } from './reconciler.ts';
import { assertFree, NamespaceTaken, ServedNamespaces } from './served-namespaces.ts';
import { StatusTriggers } from './status-triggers.ts';

export interface OperatorDeps {
  config: Config & OperatorConfig;
  pool: pg.Pool;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  plans: OfferedPlans;
}

export interface Operator {
  /**
   * Returns whether all lists have been read once and the dispatchers are ready. A replica that is not the leader can
   * be ready too.
   */
  caughtUp(): boolean;
  stop(): Promise<void>;
}

/** How often rows are polled for changes. */
const TRIGGERS_MS = 5_000;
/** How often each Secret is read, at most five per second. A watch would need the right to read every Secret. */
const SECRET_READ_MS = 300_000;
const MS_PER_SECRET = 200;

/** What the operator knows before the watches begin. */
interface Place {
  api: Api & { close(): void };
  metrics: Metrics;
  /** The operator's namespace. */
  namespace: string;
  /** The namespaces to serve. */
  namespaces: readonly string[];
  installation: Installation;
}

class WebhookOperator implements Operator {
  readonly #place: Place;
  readonly #leader: Leader;
  /** A pool that only the leader can use. */
  readonly #pool: pg.Pool;
  readonly #plans: OfferedPlans;
  readonly #triggers: StatusTriggers;
  readonly #resources: ResourceWatches<WebhookSubscription & KubeObject>;
  /** By kind. */
  readonly #handlers: Map<string, Handler>;
  readonly #deployments: ObjectWatch<Deployment>;
  readonly #served: ServedNamespaces;
  readonly #dispatchers: Dispatchers;
  readonly #reconciler: Reconciler;
  readonly #polling: Loop;
  #sharedReplicas = -1;

  constructor(deps: OperatorDeps, place: Place) {
    const { config, pool, clock, logger, plans } = deps;
    const { namespace, namespaces } = place;
    this.#place = place;
    this.#plans = plans;
    this.#triggers = new StatusTriggers(this.#plans);
    this.#leader = startLeader({
      api: place.api,
      logger,
      namespace,
      name: `${config.operatorInstallation}-operator`,
      identity: `${hostname()}-${randomBytes(4).toString('hex')}`,
      onChange: (leading) => {
        if (leading) void this.#reconciler.begin();
        else this.#reconciler.end();
      },
    });
    const api = place.api.guarded(() => this.#leader.gate());
    this.#pool = gatedPool(pool, () => this.#leader.gate());
    const listeners: Listeners = {
      onChanged: (key) => this.#reconciler.add(key),
      onDeleted: (uid, key) => this.#reconciler.addDeleted(uid, key),
    };
    this.#resources = new ResourceWatches({
      api: place.api,
      logger,
      resource: SUBSCRIPTIONS,
      namespaces,
      ...listeners,
    });
    this.#deployments = new ObjectWatch<Deployment>({
      api: place.api,
      logger,
      resource: DEPLOYMENTS,
      namespace,
      labels: `${MANAGED_LABEL}=${MANAGER}`,
      // The status is left out, since it changes with every pod of the Deployment.
      digestOf: (deployment) => [
        deployment.metadata.uid,
        deployment.metadata.generation,
        deployment.metadata.deletionTimestamp,
        isPaused(deployment),
      ],
      onObject: (name) => this.#deploymentChanged(name),
    });
    const owner = ownDeployment(api, namespace, config.operatorDeployment);
    this.#served = new ServedNamespaces({
      ...place,
      api,
      pool: this.#pool,
      logger,
      owner,
      occupied: () => this.#occupied(),
    });
    const recorder = createRecorder({ api, clock, logger });
    this.#dispatchers = new Dispatchers({
      api,
      pool: this.#pool,
      logger,
      recorder,
      namespace,
      template: config.dispatcherTemplate,
      bounds: {
        min: config.dispatchersMin,
        max: Math.max(config.dispatchersMin, config.dispatchersMax),
        each: config.subscriptionsPerDispatcher,
      },
      autoscaled: config.dispatchersAutoscaled,
      clock,
      owner,
      find: (name) => this.#deployments.get(name),
    });
    this.#handlers = config.operatorTenancy ? this.#startTenancy(deps, { api, recorder }, listeners) : new Map();
    this.#reconciler = this.#createReconciler(deps, { api, recorder });
    this.#polling = this.#startPolling(logger);
    this.#registerGauges(place.metrics);
  }

  #startTenancy(
    { config, clock, logger }: OperatorDeps,
    { api, recorder }: { api: Api; recorder: Recorder },
    listeners: Listeners,
  ): Map<string, Handler> {
    const { api: reading, installation, namespaces } = this.#place;
    return startTenancy({
      api,
      reading,
      pool: this.#pool,
      clock,
      plans: this.#plans,
      configuredPlans: config.plans,
      configuredSources: config.providers,
      secretKeys: config.secretKeys,
      secrets: config.operatorSecrets,
      logger,
      installation,
      recorder,
      namespaces,
      idleMs: () => this.#idleMs(),
      subscriptionsIn: (namespace) => this.#resources.keysIn(namespace),
      ...listeners,
    });
  }

  #createReconciler(
    { config, clock, logger }: OperatorDeps,
    { api, recorder }: { api: Api; recorder: Recorder },
  ): Reconciler {
    const { installation, metrics } = this.#place;
    const controller = new Controller({
      api,
      rows: {
        pool: this.#pool,
        clock,
        guard: createGuard({ allow: config.webhookAllow }),
        secretKeys: config.secretKeys,
        policy: webhookPolicy(config),
        plans: this.#plans,
      },
      logger,
      installation,
      dispatchers: this.#dispatchers,
      dedicated: config.operatorDedicated,
      secrets: config.operatorSecrets,
      requireAccounts: config.operatorRequireAccounts,
      recorder,
      triggers: this.#triggers,
      idleMs: () => this.#idleMs(),
    });
    this.#handlers.set(KIND, {
      watches: this.#resources,
      reconcile: (resource: WebhookSubscription & KubeObject) => controller.reconcile(resource),
      end: (uid) => controller.end(uid),
    });
    return new Reconciler({
      handlers: this.#handlers,
      dispatchers: this.#dispatchers,
      served: this.#served,
      sweep: async () => {
        const swept = { api, pool: this.#pool, logger, installation };
        await sweep({
          ...swept,
          served: this.#served,
          find: (namespace, name) => this.#resources.find(namespace, name),
          end: (uid) => controller.end(uid),
        });
        const isServed = (namespace: string) => this.#served.has(namespace);
        await sweepOwned({ ...swept, handlers: this.#handlers, isServed });
      },
      clock,
      logger,
      metrics,
      isLeading: () => this.#leader.leading(),
      isSynced: () => this.#isSynced(),
    });
  }

  caughtUp(): boolean {
    return this.#isSynced() && this.#dispatchers.areReady() && !this.#served.conflicts;
  }

  #watches(): ResourceWatches<KubeObject>[] {
    return [...this.#handlers.values()].map(({ watches }) => watches);
  }

  /** Returns the namespaces that have a resource. */
  #occupied(): string[] {
    const all = this.#watches().flatMap((watches) => watches.list());
    return [...new Set(all.map(({ metadata }) => metadata.namespace))];
  }

  /** Returns when an unchanged resource is reconciled again, in milliseconds, so that its Secret is read. */
  #idleMs(): number {
    const count = this.#watches().reduce((sum, watches) => sum + watches.list().length, 0);
    return Math.max(SECRET_READ_MS, count * MS_PER_SECRET) * (0.8 + 0.4 * Math.random());
  }

  #isSynced(): boolean {
    return [...this.#watches(), this.#deployments].every((watch) => watch.isSynced());
  }

  async stop(): Promise<void> {
    for (const watch of [...this.#watches(), this.#deployments]) watch.stop();
    await Promise.all([this.#reconciler.stop(), this.#polling.stop()]);
    await this.#leader.stop();
    this.#place.api.close();
  }

  /** Applies a Deployment again if it was changed or deleted by hand. */
  #deploymentChanged(name: string): void {
    if (name === this.#dispatchers.nameOf(SHARED)) this.#reconciler.addShared();
    for (const resource of this.#resources.list()) {
      if (this.#dispatchers.nameOf(dedicatedGroup(resource.metadata.uid)) === name)
        this.#reconciler.add(resourceKey(KIND, resource.metadata.namespace, resource.metadata.name));
    }
  }

  #startPolling(logger: Logger): Loop {
    return startLoop({
      run: async () => {
        if (this.#reconciler.isActive()) await this.#poll();
        return TRIGGERS_MS;
      },
      retryMs: TRIGGERS_MS,
      failed: 'polling the state of subscriptions failed, retrying',
      recovered: 'the state of subscriptions is polled again',
      logger,
      onError: (error) => error instanceof NotLeader,
    });
  }

  async #poll(): Promise<void> {
    for (const key of await this.#triggers.poll(this.#pool)) this.#reconciler.add(key);
    const replicas = await this.#dispatchers.sharedReplicas();
    if (replicas !== this.#sharedReplicas) this.#reconciler.addShared();
    this.#sharedReplicas = replicas;
  }

  #registerGauges({ gauge }: Metrics): void {
    gauge('touchline_operator_leading', '1: this replica leads', () => Number(this.#leader.leading()));
    gauge('touchline_operator_queue_keys', 'Keys that are due or in work', () => this.#reconciler.size);
    gauge(
      'touchline_operator_namespaces_refused',
      'Namespaces that are not served, because another installation serves them or for lack of rights',
      () => this.#served.refused,
    );
    gauge(
      'touchline_operator_deployments_failing',
      'Deployments of dispatchers that cannot be applied',
      () => this.#dispatchers.failing,
    );
    gauge('touchline_operator_subscriptions', 'Resources watched', () => this.#resources.list().length);
    gauge('touchline_operator_watch_restarts', 'Restarts of watches after failures', () =>
      [...this.#watches(), this.#deployments].reduce((sum, { restarts }) => sum + restarts, 0),
    );
  }
}

/**
 * @throws {NamespaceTaken} if another installation serves the namespaces from the same database
 * @throws {Error} for a kubeconfig or a template that cannot be used
 */
export async function startOperator(deps: OperatorDeps): Promise<Operator> {
  const { config, pool, logger, registry } = deps;
  const metrics = createMetrics(registry);
  const kube = loadConfig(config.kubeconfig);
  const api = openKubeApi(kube, metrics.request);
  const namespace = ownNamespace(kube, config.kubeconfig === undefined);
  const namespaces = servedNamespaces(config.operatorNamespaces, namespace);
  const installation = new Installation(api, namespace, config.operatorInstallation);
  try {
    await assertFree({ api, pool, installation }, namespaces);
  } catch (error) {
    if (error instanceof NamespaceTaken) {
      api.close();
      throw error;
    }
    // Not fatal, because the leader checks again.
    logger.info({ reason: errorMessage(error) }, 'the Leases that tell who serves the namespaces cannot be read yet');
  }
  return new WebhookOperator(deps, { api, metrics, namespace, namespaces, installation });
}
