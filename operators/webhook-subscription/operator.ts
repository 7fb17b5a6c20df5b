/** The role `operator`: every replica watches the resources, the leader reconciles them. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../../src/config/config.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { type Loop, startLoop } from '../../src/runtime/loop.ts';
import { createGuard } from '../../src/webhooks/guard.ts';
import { SHARED } from '../../src/webhooks/subscription.ts';
import { type Api, DEPLOYMENTS, loadConfig, openKubeApi, ownNamespace } from './api.ts';
import type { OperatorConfig } from './config.ts';
import { Controller } from './controller.ts';
import { type Deployment, dedicatedGroup, MANAGED_LABEL, MANAGER } from './desired.ts';
import { createDispatchers } from './dispatchers.ts';
import { ObjectWatch } from './informer.ts';
import { type Leader, NotLeader, startLeader } from './leader.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { countSharedSubscriptions } from './queries.ts';
import { Reconciler } from './reconciler.ts';
import { createRecorder } from './recorder.ts';
import { keyOf, ResourceWatches } from './resource-watches.ts';
import { StatusTriggers } from './status-triggers.ts';

export interface OperatorDeps {
  config: Config & OperatorConfig;
  pool: pg.Pool;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}

export interface Operator {
  /** Whether everything was listed once. A replica that does not lead is ready too. */
  synced(): boolean;
  stop(): Promise<void>;
}

const LEASE = 'touchline-operator';
/** Rows are polled for changes this often. */
const TRIGGERS_MS = 5_000;

/** A pool that a process which does not lead any more cannot write through, however long it was paused in between. */
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

class WebhookOperator implements Operator {
  readonly #api: Api & { close(): void };
  readonly #leader: Leader;
  /** Only the leader can use it. */
  readonly #pool: pg.Pool;
  readonly #triggers = new StatusTriggers();
  readonly #resources: ResourceWatches;
  readonly #deployments: ObjectWatch<Deployment>;
  readonly #nameOf: (group: string) => string;
  readonly #reconciler: Reconciler;
  readonly #polling: Loop;
  #sharedCount = -1;

  constructor({ config, pool, clock, logger, registry }: OperatorDeps) {
    const metrics = createMetrics(registry);
    const kube = loadConfig(config.kubeconfig);
    this.#api = openKubeApi(kube, metrics.request);
    const namespace = ownNamespace(kube, config.kubeconfig === undefined);
    const namespaces = config.operatorNamespaces.length > 0 ? config.operatorNamespaces : [namespace];
    this.#leader = startLeader({
      api: this.#api,
      logger,
      namespace,
      name: LEASE,
      identity: `${hostname()}-${randomBytes(4).toString('hex')}`,
      onChange: (leading) => {
        if (leading) void this.#reconciler.begin();
        else this.#reconciler.end();
      },
    });
    const api = this.#api.guarded(() => this.#leader.gate());
    this.#pool = gated(pool, () => this.#leader.gate());
    this.#resources = new ResourceWatches({
      api: this.#api,
      logger,
      namespaces,
      onChanged: (key) => this.#reconciler.add(key),
      onDeleted: (uid, key) => this.#reconciler.addDeleted(uid, key),
    });
    this.#deployments = new ObjectWatch<Deployment>({
      api: this.#api,
      logger,
      resource: DEPLOYMENTS,
      namespace,
      labels: `${MANAGED_LABEL}=${MANAGER}`,
      onObject: (name) => this.#deploymentChanged(name),
    });
    const dispatchers = createDispatchers({
      api,
      pool: this.#pool,
      namespace,
      template: config.dispatcherTemplate,
      bounds: {
        min: config.dispatchersMin,
        max: Math.max(config.dispatchersMin, config.dispatchersMax),
        each: config.subscriptionsPerDispatcher,
      },
      operatorDeployment: config.operatorDeployment,
      exists: (name) => this.#deployments.get(name) !== undefined,
    });
    this.#nameOf = dispatchers.nameOf;
    this.#reconciler = new Reconciler({
      controller: new Controller({
        api,
        rows: {
          pool: this.#pool,
          clock,
          guard: createGuard({ allow: config.webhookAllow }),
          secretKeys: config.secretKeys,
        },
        logger,
        dispatchers,
        recorder: createRecorder({ api, clock, logger }),
        triggers: this.#triggers,
      }),
      dispatchers,
      resources: this.#resources,
      namespaces,
      clock,
      logger,
      metrics,
      isLeading: () => this.#leader.leading(),
      isSynced: () => this.synced(),
    });
    this.#polling = this.#startPolling(logger);
    this.#registerGauges(metrics);
  }

  synced(): boolean {
    return this.#resources.isSynced() && this.#deployments.isSynced();
  }

  async stop(): Promise<void> {
    this.#resources.stop();
    this.#deployments.stop();
    await Promise.all([this.#reconciler.stop(), this.#polling.stop()]);
    await this.#leader.stop();
    this.#api.close();
  }

  /** A Deployment that was changed or deleted manually is applied again. */
  #deploymentChanged(name: string): void {
    if (name === this.#nameOf(SHARED)) this.#reconciler.addShared();
    for (const resource of this.#resources.list()) {
      if (this.#nameOf(dedicatedGroup(resource.metadata.uid)) === name) this.#reconciler.add(keyOf(resource));
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
    const count = await countSharedSubscriptions(this.#pool);
    if (count !== this.#sharedCount) this.#reconciler.addShared();
    this.#sharedCount = count;
  }

  #registerGauges({ gauge }: Metrics): void {
    gauge('touchline_operator_leading', '1: this replica leads', () => Number(this.#leader.leading()));
    gauge('touchline_operator_queue_keys', 'Keys that wait or are in work', () => this.#reconciler.size);
    gauge('touchline_operator_subscriptions', 'Resources watched', () => this.#resources.list().length);
    gauge(
      'touchline_operator_watch_restarts',
      'Restarts of watches after failures',
      () => this.#resources.restarts + this.#deployments.restarts,
    );
  }
}

/** @throws {Error} for a kubeconfig or a template that cannot be used */
export const startOperator = (deps: OperatorDeps): Operator => new WebhookOperator(deps);
