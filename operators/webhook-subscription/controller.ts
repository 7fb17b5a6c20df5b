/** Brings the row, the Secret, the Deployment and the status in line with one resource's spec. Every step can be repeated. */

import type { Logger } from 'pino';
import {
  changeSubscription,
  endSubscription,
  type SubscriptionDeps,
  subscriptions,
} from '../../src/webhooks/subscriptions/index.ts';
import type { Recorder } from '../runtime/event-recorder.ts';
import type { Installation } from '../runtime/installation.ts';
import { type Api, KubeError } from '../runtime/kube-api.ts';
import { isPaused } from '../runtime/labels.ts';
import { type Acceptance, createAcceptance } from './acceptance.ts';
import { parseSpec, type WebhookSubscription } from './crd.ts';
import { dedicatedGroup, dispatcherGroup, secretName } from './desired-state.ts';
import { groupsAlive } from './dispatcher-queries.ts';
import type { Dispatchers } from './dispatchers.ts';
import { buildStatus, type Rejection } from './resource-status.ts';
import type { StatusTriggers } from './status-triggers.ts';
import { StatusWriter } from './status-writer.ts';

/** Time after which a spec that cannot be applied is retried. By then the account may exist, or the name may resolve. */
const FAULT_RETRY_MS = 60_000;
const PAUSED: Rejection = { reason: 'ReconciliationPaused', message: 'Paused by an annotation of the resource.' };

export interface ControllerDeps {
  api: Api;
  rows: SubscriptionDeps;
  logger: Logger;
  installation: Installation;
  dispatchers: Dispatchers;
  /** True if resources may have dedicated dispatchers. */
  dedicated: boolean;
  /** Names of the Secrets that resources may use. If undefined, RBAC decides. */
  secrets: readonly string[] | undefined;
  /** True if a namespace without an `Account` may have no subscriptions. */
  requireAccounts: boolean;
  recorder: Recorder;
  triggers: StatusTriggers;
  /** Milliseconds until an unchanged resource is reconciled again, to read its Secret. */
  idleMs(): number;
}

export class Controller {
  readonly #deps: ControllerDeps;
  readonly #accept: (resource: WebhookSubscription) => Promise<Acceptance>;
  readonly #statuses: StatusWriter;
  /** Uids of resources for which this process has created dispatchers. */
  readonly #dedicated = new Set<string>();

  constructor(deps: ControllerDeps) {
    const { api, rows, logger, installation, recorder, secrets, requireAccounts } = deps;
    this.#deps = deps;
    this.#accept = createAcceptance({ api, rows, logger, installation, secrets, requireAccounts });
    this.#statuses = new StatusWriter({ api, clock: rows.clock, recorder });
  }

  /** @returns milliseconds until the next reconciliation; undefined if none is needed before the next change */
  async reconcile(resource: WebhookSubscription): Promise<number | undefined> {
    const { pool } = this.#deps.rows;
    const { metadata } = resource;
    // The resource is being deleted, and only another controller's finalizer still keeps it.
    if (metadata.deletionTimestamp !== undefined) {
      await this.end(metadata.uid);
      return undefined;
    }
    if (isPaused(resource)) return this.#reportUnapplied(resource, PAUSED);
    const spec = parseSpec(resource.spec);
    if (!spec.success) {
      const message = spec.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
      return this.#reportUnapplied(resource, { reason: 'InvalidSpec', message });
    }
    const parsed = { ...resource, spec: spec.data };
    const acceptance = await this.#accept(parsed);
    const alive = await groupsAlive(pool);
    const refused = await this.#move(parsed, acceptance.row, alive);
    return this.#report({ ...acceptance, fault: acceptance.fault ?? refused }, parsed, alive);
  }

  /** Ends a deleted resource's row and removes its dedicated dispatchers. */
  async end(uid: string): Promise<void> {
    const { rows } = this.#deps;
    const [row] = await subscriptions(rows.pool, { managedUid: uid });
    if (row !== undefined) await endSubscription(rows, row.id);
    await this.#removeDedicated(uid, row?.dispatcherGroup);
    this.#dedicated.delete(uid);
    this.#statuses.forget(uid);
  }

  /**
   * Removes a resource's dedicated dispatchers if it may have any.
   * @param group the row's group, which is checked too, because the cache may lack the Deployment
   */
  async #removeDedicated(uid: string, group: string | undefined): Promise<void> {
    const { dispatchers } = this.#deps;
    const isKnown = dispatchers.hasDedicated(uid) || this.#dedicated.has(uid) || group === dedicatedGroup(uid);
    if (isKnown) await dispatchers.removeDedicated(uid);
  }

  /** Moves the row to the dispatcher group that the spec requests. A dedicated group takes over only when it has a live dispatcher. */
  async #move(
    resource: WebhookSubscription,
    row: Acceptance['row'],
    alive: ReadonlySet<string>,
  ): Promise<Rejection | null> {
    if (row === null) return null;
    const { rows } = this.#deps;
    const { uid } = resource.metadata;
    const wanted = dispatcherGroup(resource);
    const isDedicated = resource.spec.isolation === 'Dedicated';
    if (isDedicated) {
      const refused = await this.#applyDedicated(resource);
      if (refused !== null) return refused;
    }
    if (row.dispatcherGroup !== wanted && (!isDedicated || alive.has(wanted))) {
      await changeSubscription(rows, row.id, { dispatcherGroup: wanted });
      row.dispatcherGroup = wanted;
    }
    if (!isDedicated) {
      await this.#removeDedicated(uid, undefined);
      this.#dedicated.delete(uid);
    }
    return null;
  }

  async #applyDedicated(resource: WebhookSubscription): Promise<Rejection | null> {
    const { dispatchers, dedicated } = this.#deps;
    if (!dedicated) {
      const message = 'This installation has shared dispatchers only (OPERATOR_DEDICATED).';
      return { reason: 'DispatcherRefused', message };
    }
    this.#dedicated.add(resource.metadata.uid);
    try {
      await dispatchers.applyDedicated(resource);
      return null;
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      return { reason: 'DispatcherRefused', message: error.message };
    }
  }

  /** Reports the status for a spec that is not applied. */
  async #reportUnapplied(resource: WebhookSubscription, fault: Rejection): Promise<number> {
    const { pool } = this.#deps.rows;
    const [row] = await subscriptions(pool, { managedUid: resource.metadata.uid });
    return this.#report({ row: row ?? null, fault, done: [] }, resource, await groupsAlive(pool));
  }

  async #report(
    { row, fault, done }: Acceptance,
    resource: WebhookSubscription,
    alive: ReadonlySet<string>,
  ): Promise<number> {
    const { rows, installation, dispatchers, triggers, idleMs } = this.#deps;
    await this.#statuses.recordDone(resource, done);
    if (row !== null) triggers.reported(row, alive);
    const group = row?.dispatcherGroup ?? dispatcherGroup(resource);
    const next = buildStatus(
      {
        // Keeps the generation during a pause, so that a spec that has not been applied yet is still new when the
        // pause ends.
        generation: fault === PAUSED ? (resource.status?.observedGeneration ?? 0) : resource.metadata.generation,
        fault,
        paused: fault === PAUSED,
        row,
        plans: rows.plans,
        dispatcherAlive: alive.has(group),
        dispatcher: dispatchers.nameOf(group),
        secret: secretName(resource),
        installation: installation.id,
      },
      resource.status,
      rows.clock.now(),
    );
    const again = fault === null ? idleMs() : FAULT_RETRY_MS;
    return Math.min(again, (await this.#statuses.write(resource, next)) ?? again);
  }
}
