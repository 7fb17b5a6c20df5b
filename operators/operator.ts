/** The process of the role `operator`. Every replica watches the resources of all kinds, and the leader reconciles them. */

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { OfferedPlans } from '../src/accounts/plans/index.ts';
import type { Config } from '../src/config/config.ts';
import type { Clock } from '../src/runtime/clock.ts';
import type { Loop } from '../src/runtime/loop.ts';
import { errorMessage } from '../src/runtime/unknown-values.ts';
import { type OperatorConfig, servedNamespaces } from './config.ts';
import { createRecorder } from './runtime/event-recorder.ts';
import { Installation } from './runtime/installation.ts';
import { type Api, type KubeObject, loadConfig, openKubeApi, ownNamespace } from './runtime/kube-api.ts';
import { gatedPool, type Leader, startLeader } from './runtime/leader-election.ts';
import { createMetrics, type Metrics } from './runtime/metrics.ts';
import { ownDeployment } from './runtime/own-deployment.ts';
import { type Handler, Reconciler } from './runtime/reconciler.ts';
import type { ResourceWatches } from './runtime/resource-watches.ts';
import { assertFree, NamespaceTaken, ServedNamespaces } from './runtime/served-namespaces.ts';
import { startTenancy, sweepOwned } from './tenancy/handlers.ts';
import { KIND } from './webhook-subscription/crd.ts';
import { SubscriptionHandler } from './webhook-subscription/handler.ts';

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

/** The key in the queue of the search for resources that were deleted without any replica seeing it. */
const SWEEP_KEY = '#sweep';
const SWEEP_MS = 60_000;
/** How often each Secret is read, at most five per second. A watch would need the right to read every Secret. */
const SECRET_READ_MS = 300_000;
const MS_PER_SECRET = 200;

/** Values that are known before the watches begin. */
interface Place {
  api: Api & { close(): void };
  metrics: Metrics;
  /** The operator's namespace. */
  namespace: string;
  /** The namespaces to serve. */
  namespaces: readonly string[];
  installation: Installation;
}

class KubernetesOperator implements Operator {
  readonly #place: Place;
  readonly #leader: Leader;
  readonly #subscriptions: SubscriptionHandler;
  /** By kind. */
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #served: ServedNamespaces;
  readonly #reconciler: Reconciler;
  readonly #polling: Loop;

  constructor(deps: OperatorDeps, place: Place) {
    const { config, clock, logger, plans } = deps;
    const { metrics, namespace, namespaces, installation } = place;
    this.#place = place;
    this.#leader = this.#startLeader(deps);
    // With these, only the leader can write.
    const api = place.api.guarded(() => this.#leader.gate());
    const pool = gatedPool(deps.pool, () => this.#leader.gate());
    const owner = ownDeployment(api, namespace, config.operatorDeployment);
    const common = {
      api,
      reading: place.api,
      pool,
      clock,
      logger,
      plans,
      installation,
      namespaces,
      recorder: createRecorder({ api, clock, logger }),
      idleMs: () => this.#idleMs(),
      onChanged: (key: string) => this.#reconciler.add(key),
      onDeleted: (uid: string, key: string) => this.#reconciler.addDeleted(uid, key),
    };
    this.#subscriptions = new SubscriptionHandler({ ...common, config, namespace, owner });
    const tenancy = config.operatorTenancy
      ? startTenancy({
          ...common,
          configuredPlans: config.plans,
          configuredSources: config.providers,
          secretKeys: config.secretKeys,
          secrets: config.operatorSecrets,
          subscriptionsIn: (of) => this.#subscriptions.watches.keysIn(of),
        })
      : [];
    this.#handlers = new Map<string, Handler>([...tenancy, [KIND, this.#subscriptions]]);
    const occupied = () => this.#occupied();
    this.#served = new ServedNamespaces({ api, pool, logger, installation, namespace, namespaces, owner, occupied });
    this.#reconciler = this.#createReconciler({ api, pool, clock, logger });
    this.#polling = this.#subscriptions.startPolling(() => this.#reconciler.isActive());
    this.#registerGauges(metrics);
  }

  #startLeader({ config, logger }: OperatorDeps): Leader {
    const { api, namespace } = this.#place;
    return startLeader({
      api,
      logger,
      namespace,
      name: `${config.operatorInstallation}-operator`,
      identity: `${hostname()}-${randomBytes(4).toString('hex')}`,
      onChange: (leading) => {
        if (leading) void this.#reconciler.begin();
        else this.#reconciler.end();
      },
    });
  }

  #createReconciler(writing: { api: Api; pool: pg.Pool; clock: Clock; logger: Logger }): Reconciler {
    const { installation, metrics } = this.#place;
    const { clock, logger } = writing;
    const isServed = (namespace: string) => this.#served.has(namespace);
    const sweep = async () => {
      if (!this.#isSynced()) return;
      await this.#subscriptions.sweep(this.#served);
      await sweepOwned({ ...writing, installation, handlers: this.#handlers, isServed });
    };
    return new Reconciler({
      handlers: this.#handlers,
      recurring: new Map([
        ...this.#subscriptions.recurring,
        [SWEEP_KEY, { run: sweep, everyMs: SWEEP_MS, isRunOnServing: true }],
      ]),
      served: this.#served,
      clock,
      logger,
      metrics,
      isLeading: () => this.#leader.leading(),
    });
  }

  caughtUp(): boolean {
    return this.#isSynced() && this.#subscriptions.isReady() && !this.#served.conflicts;
  }

  async stop(): Promise<void> {
    for (const watch of this.#watches()) watch.stop();
    await Promise.all([this.#reconciler.stop(), this.#polling.stop()]);
    await this.#leader.stop();
    this.#place.api.close();
  }

  #resources(): ResourceWatches<KubeObject>[] {
    return [...this.#handlers.values()].map(({ watches }) => watches);
  }

  #watches() {
    return [...this.#resources(), this.#subscriptions.deployments];
  }

  #isSynced(): boolean {
    return this.#watches().every((watch) => watch.isSynced());
  }

  /** Returns the namespaces that have a resource. */
  #occupied(): string[] {
    const all = this.#resources().flatMap((watches) => watches.list());
    return [...new Set(all.map(({ metadata }) => metadata.namespace))];
  }

  /** Returns when an unchanged resource is reconciled again, in milliseconds, so that its Secret is read. */
  #idleMs(): number {
    const count = this.#resources().reduce((sum, watches) => sum + watches.list().length, 0);
    return Math.max(SECRET_READ_MS, count * MS_PER_SECRET) * (0.8 + 0.4 * Math.random());
  }

  #registerGauges(metrics: Metrics): void {
    const { gauge } = metrics;
    gauge('touchline_operator_leading', '1: this replica leads', () => Number(this.#leader.leading()));
    gauge('touchline_operator_queue_keys', 'Keys that are due or in work', () => this.#reconciler.size);
    gauge(
      'touchline_operator_namespaces_refused',
      'Namespaces that are not served, because another installation serves them or for lack of rights',
      () => this.#served.refused,
    );
    this.#subscriptions.registerGauges(metrics);
    gauge('touchline_operator_watch_restarts', 'Restarts of watches after failures', () =>
      this.#watches().reduce((sum, { restarts }) => sum + restarts, 0),
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
  return new KubernetesOperator(deps, { api, metrics, namespace, namespaces, installation });
}
