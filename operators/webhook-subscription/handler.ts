/**
 * Handles the WebhookSubscription resources: watches them and the Deployments of the dispatchers, reconciles them, and
 * polls the rows for changes.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { OfferedPlans } from '../../src/accounts/plans/index.ts';
import type { Config } from '../../src/config/config.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { type Loop, startLoop } from '../../src/runtime/loop.ts';
import { SHARED, subscriptionDeps } from '../../src/webhooks/subscriptions/index.ts';
import type { OperatorConfig } from '../config.ts';
import type { Recorder } from '../runtime/event-recorder.ts';
import { ObjectWatch } from '../runtime/informer.ts';
import type { Installation } from '../runtime/installation.ts';
import { type Api, DEPLOYMENTS, type KubeObject, type OwnerReference } from '../runtime/kube-api.ts';
import { isPaused, MANAGED_LABEL, MANAGER } from '../runtime/labels.ts';
import { NotLeader } from '../runtime/leader-election.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Handler, RecurringWork } from '../runtime/reconciler.ts';
import { type Listeners, ResourceWatches, resourceKey } from '../runtime/resource-watches.ts';
import type { ServedNamespaces } from '../runtime/served-namespaces.ts';
import { Controller } from './controller.ts';
import { KIND, SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import { dedicatedGroup } from './desired-state.ts';
import type { Deployment } from './dispatcher-deployment.ts';
import { Dispatchers } from './dispatchers.ts';
import { sweep } from './orphaned-rows.ts';
import { StatusTriggers } from './status-triggers.ts';

export interface SubscriptionOptions extends Listeners {
  config: Config & OperatorConfig;
  api: Api;
  /** The API with which the watches read. They also run while this replica is not the leader. */
  reading: Api;
  pool: pg.Pool;
  clock: Clock;
  logger: Logger;
  plans: OfferedPlans;
  installation: Installation;
  recorder: Recorder;
  /** The operator's namespace. */
  namespace: string;
  /** The namespaces to serve. */
  namespaces: readonly string[];
  /** Returns the operator's Deployment as the owner of the dispatchers, so that they are deleted with it. */
  owner(): Promise<OwnerReference | undefined>;
  idleMs(): number;
}

/** The key in the queue of the shared dispatchers' Deployment. */
const SHARED_KEY = '#shared';
const APPLY_SHARED_MS = 60_000;
/** How often rows are polled for changes. */
const TRIGGERS_MS = 5_000;

export class SubscriptionHandler implements Handler {
  readonly watches: ResourceWatches<WebhookSubscription & KubeObject>;
  /** The dispatchers' Deployments. */
  readonly deployments: ObjectWatch<Deployment>;
  /** By key in the queue. */
  readonly recurring: ReadonlyMap<string, RecurringWork>;
  readonly #options: SubscriptionOptions;
  readonly #dispatchers: Dispatchers;
  readonly #triggers: StatusTriggers;
  readonly #controller: Controller;
  /** The number of shared dispatchers at the last poll. */
  #sharedReplicas = -1;

  /** @throws {Error} if the dispatchers' template is invalid */
  constructor(options: SubscriptionOptions) {
    const { reading, logger, namespace, namespaces, onChanged, onDeleted } = options;
    this.#options = options;
    this.watches = new ResourceWatches({
      api: reading,
      logger,
      resource: SUBSCRIPTIONS,
      namespaces,
      onChanged,
      onDeleted,
    });
    this.deployments = new ObjectWatch<Deployment>({
      api: reading,
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
    this.#dispatchers = createDispatchers(options, (name) => this.deployments.get(name));
    this.#triggers = new StatusTriggers(options.plans);
    this.#controller = createController(options, this.#dispatchers, this.#triggers);
    this.recurring = new Map([
      [SHARED_KEY, { run: () => this.#dispatchers.applyShared(), everyMs: APPLY_SHARED_MS, isRunOnServing: false }],
    ]);
  }

  reconcile(resource: WebhookSubscription & KubeObject): Promise<number | undefined> {
    return this.#controller.reconcile(resource);
  }

  end(uid: string): Promise<void> {
    return this.#controller.end(uid);
  }

  /** Returns whether the shared dispatchers are ready. */
  isReady(): boolean {
    return this.#dispatchers.areReady();
  }

  /** Ends the rows whose resources no longer exist. */
  async sweep(served: ServedNamespaces): Promise<void> {
    const { api, pool, logger, installation } = this.#options;
    const find = (namespace: string, name: string) => this.watches.find(namespace, name);
    await sweep({ api, pool, logger, installation, served, find, end: (uid) => this.end(uid) });
  }

  /**
   * Starts polling for rows, and for a number of shared dispatchers, that have changed.
   * @param isActive whether this replica is reconciling
   */
  startPolling(isActive: () => boolean): Loop {
    return startLoop({
      run: async () => {
        if (isActive()) await this.#poll();
        return TRIGGERS_MS;
      },
      retryMs: TRIGGERS_MS,
      failed: 'polling the state of subscriptions failed, retrying',
      recovered: 'the state of subscriptions is polled again',
      logger: this.#options.logger,
      onError: (error) => error instanceof NotLeader,
    });
  }

  registerGauges({ gauge }: Metrics): void {
    gauge(
      'touchline_operator_deployments_failing',
      'Deployments of dispatchers that cannot be applied',
      () => this.#dispatchers.failing,
    );
    gauge('touchline_operator_subscriptions', 'Resources watched', () => this.watches.list().length);
  }

  async #poll(): Promise<void> {
    const { pool, onChanged } = this.#options;
    for (const key of await this.#triggers.poll(pool)) onChanged(key);
    const replicas = await this.#dispatchers.sharedReplicas();
    if (replicas !== this.#sharedReplicas) onChanged(SHARED_KEY);
    this.#sharedReplicas = replicas;
  }

  /** Applies a Deployment again if it was changed or deleted by hand. */
  #deploymentChanged(name: string): void {
    const { onChanged } = this.#options;
    if (name === this.#dispatchers.nameOf(SHARED)) onChanged(SHARED_KEY);
    for (const resource of this.watches.list()) {
      if (this.#dispatchers.nameOf(dedicatedGroup(resource.metadata.uid)) === name)
        onChanged(resourceKey(KIND, resource.metadata.namespace, resource.metadata.name));
    }
  }
}

/** @param find finds a Deployment in the cache */
function createDispatchers(
  { config, api, pool, clock, logger, recorder, namespace, owner }: SubscriptionOptions,
  find: (name: string) => Deployment | undefined,
): Dispatchers {
  return new Dispatchers({
    api,
    pool,
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
    find,
  });
}

function createController(
  { config, api, pool, clock, logger, plans, installation, recorder, idleMs }: SubscriptionOptions,
  dispatchers: Dispatchers,
  triggers: StatusTriggers,
): Controller {
  return new Controller({
    api,
    rows: subscriptionDeps({ config, plans, pool, clock }),
    logger,
    installation,
    dispatchers,
    dedicated: config.operatorDedicated,
    secrets: config.operatorSecrets,
    requireAccounts: config.operatorRequireAccounts,
    recorder,
    triggers,
    idleMs,
  });
}
