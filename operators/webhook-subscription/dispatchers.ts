/**
 * The dispatcher Deployments in the operator's namespace: one for shared subscriptions, and one for each dedicated one.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { parse } from 'yaml';
import type { Clock } from '../../src/runtime/clock.ts';
import { errorMessage } from '../../src/runtime/unknown-values.ts';
import { SHARED } from '../../src/webhooks/subscriptions/index.ts';
import type { WebhookSubscription } from './crd.ts';
import { dedicatedGroup, isPaused, ownerReference } from './desired-state.ts';
import {
  type AppliedDeployment,
  type Deployment,
  deploymentFor,
  deploymentName,
  parseTemplate,
  TEMPLATE_ANNOTATION,
} from './dispatcher-deployment.ts';
import { type Bounds, sharedReplicas } from './dispatcher-replicas.ts';
import type { Involved, Recorder } from './event-recorder.ts';
import { type Api, DEPLOYMENTS, isStatus, KubeError, type OwnerReference } from './kube-api.ts';
import { readSharedWork } from './row-queries.ts';

export interface DispatcherDeps {
  api: Api;
  pool: pg.Pool;
  logger: Logger;
  recorder: Recorder;
  namespace: string;
  /** Reads the cache. */
  find(name: string): Deployment | undefined;
  /** A Deployment in YAML. If undefined, the operator does not manage dispatchers. */
  template: string | undefined;
  bounds: Bounds;
  /** Whether an autoscaler sets the number of shared dispatchers. */
  autoscaled: boolean;
  clock: Clock;
  /** The operator's Deployment. The dispatchers are deleted with it. */
  owner(): Promise<OwnerReference | undefined>;
}

/** Base for names in statuses if the operator does not manage dispatchers. */
const UNMANAGED = 'dispatcher';
const REFUSED = 'DispatcherRefused';
/** Dispatchers that a load has needed stay for this time, so that a quiet phase in a match removes none. */
const LOAD_KEPT_MS = 5 * 60_000;
/** Attempts to apply a Deployment whose number an autoscaler changes meanwhile. */
const TRIES = 3;

export class Dispatchers {
  readonly #deps: DispatcherDeps;
  readonly #template: Deployment | null;
  /** Distinguishes this process's template from a different version's. */
  readonly #digest: string;
  /** Reasons why Deployments cannot be applied, by name. */
  readonly #failures = new Map<string, string>();
  /** Loads in the last minutes, oldest first. */
  #loads: { at: number; load: number }[] = [];

  /** @throws {Error} for an invalid template */
  constructor(deps: DispatcherDeps) {
    const { template = '' } = deps;
    this.#deps = deps;
    this.#template = deps.template === undefined ? null : parseTemplate(parse(template));
    this.#digest = createHash('sha256').update(template).digest('hex').slice(0, 16);
  }

  nameOf(group: string): string {
    return deploymentName(this.#template?.metadata.name ?? UNMANAGED, group);
  }

  /** Number of Deployments that cannot be applied. */
  get failing(): number {
    return this.#failures.size;
  }

  /**
   * Whether the shared dispatchers run with this process's template. Also true if they have a different template, because
   * a leader with a different version created them, and may wait for this process to be ready.
   */
  areReady(): boolean {
    if (this.#template === null) return true;
    const deployment = this.#deps.find(this.nameOf(SHARED));
    if (deployment === undefined) return false;
    const { metadata, spec, status = {} } = deployment;
    if (metadata.annotations?.[TEMPLATE_ANNOTATION] !== this.#digest) return true;
    const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
    return (
      observedGeneration >= (metadata.generation ?? 0) &&
      updatedReplicas >= (spec.replicas ?? 1) &&
      availableReplicas >= (spec.replicas ?? 1)
    );
  }

  /**
   * Returns how many shared dispatchers there should be, from the subscriptions and the load in the last five minutes.
   */
  async sharedReplicas(): Promise<number> {
    const { pool, clock, bounds } = this.#deps;
    const work = await readSharedWork(pool);
    const now = clock.now();
    this.#loads = [...this.#loads.filter(({ at }) => now - at < LOAD_KEPT_MS), { at: now, load: work.load }];
    return sharedReplicas({ ...work, load: Math.max(...this.#loads.map(({ load }) => load)) }, bounds);
  }

  async applyShared(): Promise<void> {
    if (this.#template === null) return;
    if (!this.#deps.autoscaled) return this.#applyShared(await this.sharedReplicas());
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#applyAutoscaled();
      } catch (error) {
        if (!isStatus(error, 409) || tries === TRIES) throw error;
      }
    }
  }

  /**
   * Leaves the number as the autoscaler has set it, unless it is 0, on which no autoscaler acts. The number is applied
   * too. If the operator had owned it before, a Deployment applied without it would fall back to one pod.
   */
  async #applyAutoscaled(): Promise<void> {
    const { api, namespace, bounds } = this.#deps;
    const name = this.nameOf(SHARED);
    const current = await api.get<Deployment>(DEPLOYMENTS, namespace, name).catch((error) => {
      if (isStatus(error, 404)) return null;
      throw error;
    });
    await this.#applyShared(current?.spec.replicas || Math.max(1, bounds.min), current?.metadata.resourceVersion);
  }

  /** @param resourceVersion the version to change; if there is a newer one, the API server answers 409 */
  async #applyShared(replicas: number, resourceVersion?: string): Promise<void> {
    const { namespace } = this.#deps;
    const owner = await this.#deps.owner();
    const desired = deploymentFor({ template: this.#marked(), namespace, group: SHARED, replicas, owner });
    if (resourceVersion !== undefined) desired.metadata.resourceVersion = resourceVersion;
    await this.#apply(desired, owner === undefined ? null : { ...owner, namespace });
  }

  async applyDedicated(resource: WebhookSubscription): Promise<void> {
    const { namespace } = this.#deps;
    if (this.#template === null) return;
    const group = dedicatedGroup(resource.metadata.uid);
    // Kubernetes would treat an owner in a different namespace as deleted.
    const isHere = resource.metadata.namespace === namespace;
    const owner = isHere ? ownerReference(resource) : await this.#deps.owner();
    const { resources } = resource.spec;
    const desired = { template: this.#marked(), namespace, group, replicas: 1, owner, resources };
    await this.#apply(deploymentFor(desired), { ...ownerReference(resource), namespace: resource.metadata.namespace });
  }

  /** Reads the cache. */
  hasDedicated(uid: string): boolean {
    return this.#template !== null && this.#deps.find(this.nameOf(dedicatedGroup(uid))) !== undefined;
  }

  async removeDedicated(uid: string): Promise<void> {
    if (this.#template === null) return;
    const name = this.nameOf(dedicatedGroup(uid));
    this.#failures.delete(name);
    try {
      await this.#deps.api.remove(DEPLOYMENTS, this.#deps.namespace, name);
    } catch (error) {
      if (isStatus(error, 404)) return;
      // With dedicated dispatchers disabled, the operator has no right to delete an earlier one. Deleting the owner
      // does that.
      if (!isStatus(error, 403)) throw error;
      this.#deps.logger.warn({ deployment: name, reason: errorMessage(error) }, 'Deployment is not deleted');
    }
  }

  #marked(): Deployment {
    const { metadata, ...rest } = this.#template!;
    const annotations = { ...metadata.annotations, [TEMPLATE_ANNOTATION]: this.#digest };
    return { ...rest, metadata: { ...metadata, annotations } };
  }

  /** @param involved object for an Event about a failure */
  async #apply(desired: AppliedDeployment, involved: Involved | null): Promise<void> {
    const { api, namespace, find, logger } = this.#deps;
    const name = desired.metadata.name!;
    const current = find(name);
    if (current !== undefined && isPaused(current)) return;
    try {
      await api.apply(DEPLOYMENTS, { namespace, name }, desired);
    } catch (error) {
      if (error instanceof KubeError && !isStatus(error, 409)) await this.#failed(name, error, involved);
      throw error;
    }
    if (this.#failures.delete(name)) logger.info({ deployment: name }, 'Deployment is applied again');
  }

  /** Reports the same failure once, however often it is retried. */
  async #failed(deployment: string, { message }: KubeError, involved: Involved | null): Promise<void> {
    const { logger, recorder } = this.#deps;
    const isNews = this.#failures.get(deployment) !== message;
    this.#failures.set(deployment, message);
    if (!isNews) return;
    logger.error({ deployment, reason: message }, 'Deployment of dispatchers cannot be applied');
    if (involved === null) return;
    await recorder.record(involved, 'Warning', REFUSED, `The Deployment ${deployment} cannot be applied: ${message}`);
  }
}
