/**
 * The dispatcher Deployments in the operator's namespace. All shared subscriptions use the same one, and each
 * dedicated subscription has its own.
 */

import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { parse } from 'yaml';
import type { Clock } from '../../src/runtime/clock.ts';
import { errorMessage } from '../../src/runtime/unknown-values.ts';
import { SHARED } from '../../src/webhooks/subscriptions/index.ts';
import type { Involved, Recorder } from '../runtime/event-recorder.ts';
import { type Api, DEPLOYMENTS, isStatus, KubeError, type OwnerReference } from '../runtime/kube-api.ts';
import { isPaused } from '../runtime/labels.ts';
import type { WebhookSubscription } from './crd.ts';
import { dedicatedGroup, ownerReference } from './desired-state.ts';
import {
  type AppliedDeployment,
  type Deployment,
  deploymentFor,
  deploymentName,
  parseTemplate,
  TEMPLATE_ANNOTATION,
} from './dispatcher-deployment.ts';
import { readSharedWork } from './dispatcher-queries.ts';
import { type Bounds, sharedReplicas } from './dispatcher-replicas.ts';

export interface DispatcherDeps {
  api: Api;
  pool: pg.Pool;
  logger: Logger;
  recorder: Recorder;
  namespace: string;
  /** Finds a Deployment in the cache. */
  find(name: string): Deployment | undefined;
  /** The Deployment template in YAML. If undefined, the operator does not manage dispatchers. */
  template: string | undefined;
  bounds: Bounds;
  /** True if an autoscaler sets the number of shared dispatchers. */
  autoscaled: boolean;
  clock: Clock;
  /** Returns the operator's Deployment as the owner of the dispatchers, so that they are deleted with it. */
  owner(): Promise<OwnerReference | undefined>;
}

/** Base of the names in statuses if the operator does not manage dispatchers. */
const UNMANAGED = 'dispatcher';
const REFUSED = 'DispatcherRefused';
/** How long dispatchers stay after the load has required them, so that a quiet phase in a match does not remove any. */
const LOAD_KEPT_MS = 5 * 60_000;
/** How many times to try to apply a Deployment while an autoscaler changes its number of replicas. */
const TRIES = 3;

export class Dispatchers {
  readonly #deps: DispatcherDeps;
  readonly #template: Deployment | null;
  /** The template's digest, which distinguishes it from the templates of other versions. */
  readonly #digest: string;
  /** Why Deployments cannot be applied, by name. */
  readonly #failures = new Map<string, string>();
  /** Loads within LOAD_KEPT_MS, oldest first. */
  #loads: { at: number; load: number }[] = [];

  /** @throws {Error} if the template is invalid */
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
   * Returns whether the shared dispatchers are ready with this process's template. Also true if their
   * template differs. In that case a leader of another version has created them, and may be waiting for this
   * process to become ready.
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

  /** Returns how many shared dispatchers there should be, from the subscriptions and the highest load within LOAD_KEPT_MS. */
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
   * Applies the number that the autoscaler has set. A number of 0 is replaced, since no autoscaler acts on it. The
   * number must not be left out: if the operator has owned the field before, Kubernetes would set it to one.
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

  /** @param resourceVersion the version that is changed; if a newer one exists, the API server answers 409 */
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
    // Only a resource in the same namespace can be the owner. Kubernetes would treat an owner from elsewhere as
    // deleted.
    const isHere = resource.metadata.namespace === namespace;
    const owner = isHere ? ownerReference(resource) : await this.#deps.owner();
    const { resources } = resource.spec;
    const desired = { template: this.#marked(), namespace, group, replicas: 1, owner, resources };
    await this.#apply(deploymentFor(desired), { ...ownerReference(resource), namespace: resource.metadata.namespace });
  }

  /** Returns whether the cache has dedicated dispatchers for a resource. */
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
      // If dedicated dispatchers are disabled, the operator has no permission to delete earlier ones. They are deleted
      // with their owner.
      if (!isStatus(error, 403)) throw error;
      this.#deps.logger.warn({ deployment: name, reason: errorMessage(error) }, 'Deployment cannot be deleted');
    }
  }

  #marked(): Deployment {
    const { metadata, ...rest } = this.#template!;
    const annotations = { ...metadata.annotations, [TEMPLATE_ANNOTATION]: this.#digest };
    return { ...rest, metadata: { ...metadata, annotations } };
  }

  /** @param involved the object that an Event about a failure refers to */
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

  /** Reports a failure. The same failure is reported only once, however often it is retried. */
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
