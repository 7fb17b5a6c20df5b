/** Reconciles one resource with its spec: the row, the Secret, the Deployment, the status. Every step can be repeated. */
import type { Logger } from 'pino';
import {
  changeSubscription,
  endSubscription,
  type SubscriptionDeps,
  subscriptions,
} from '../../src/webhooks/subscription.ts';
import { type Acceptance, createAcceptance, isRefusal } from './acceptance.ts';
import { type Api, isStatus } from './api.ts';
import { parseSpec, SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import { groupOf, secretName } from './desired.ts';
import type { Dispatchers } from './dispatchers.ts';
import { groupsAlive } from './queries.ts';
import type { Recorder } from './recorder.ts';
import { type Fault, statusOf } from './status.ts';
import type { StatusTriggers } from './status-triggers.ts';
import { StatusWriter } from './status-writer.ts';

export interface ControllerDeps {
  api: Api;
  rows: SubscriptionDeps;
  logger: Logger;
  dispatchers: Dispatchers;
  recorder: Recorder;
  triggers: StatusTriggers;
}

export class Controller {
  readonly #deps: ControllerDeps;
  readonly #accept: (resource: WebhookSubscription) => Promise<Acceptance>;
  readonly #statuses: StatusWriter;

  constructor(deps: ControllerDeps) {
    const { api, rows, logger, recorder } = deps;
    this.#deps = deps;
    this.#accept = createAcceptance({ api, rows, logger });
    this.#statuses = new StatusWriter({ api, clock: rows.clock, recorder });
  }

  /** @returns milliseconds until it is to be reconciled again; undefined: when something changes */
  async reconcile(resource: WebhookSubscription): Promise<number | undefined> {
    const { pool } = this.#deps.rows;
    const { metadata } = resource;
    // A finalizer of somebody else keeps the deleted resource.
    if (metadata.deletionTimestamp !== undefined) {
      await this.end(metadata.uid);
      return undefined;
    }
    const spec = parseSpec(resource.spec);
    if (!spec.success) {
      const message = spec.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
      const [row] = await subscriptions(pool, { managedUid: metadata.uid });
      const fault = { reason: 'InvalidSpec', message };
      return this.#report({ row: row ?? null, fault, done: [] }, resource, new Set());
    }
    const parsed = { ...resource, spec: spec.data };
    const acceptance = await this.#accept(parsed);
    const alive = await groupsAlive(pool);
    const refused = await this.#move(parsed, acceptance.row, alive);
    return this.#report({ ...acceptance, fault: acceptance.fault ?? refused }, parsed, alive);
  }

  /** A resource was deleted: ends its row and its dedicated dispatchers. */
  async end(uid: string): Promise<void> {
    const { rows, dispatchers } = this.#deps;
    const [row] = await subscriptions(rows.pool, { managedUid: uid });
    if (row !== undefined) await endSubscription(rows, row.id);
    await dispatchers.removeDedicated(uid);
    this.#statuses.forget(uid);
  }

  /** Ends rows whose resources were deleted while no replica watched. */
  async sweep(
    namespaces: readonly string[],
    find: (namespace: string, name: string) => WebhookSubscription | undefined,
  ): Promise<void> {
    const { api, rows, logger } = this.#deps;
    for (const { managedBy } of await subscriptions(rows.pool, { managed: true })) {
      const { namespace, name, uid } = managedBy!;
      if (!namespaces.includes(namespace) || find(namespace, name)?.metadata.uid === uid) continue;
      // The cache may be out of date.
      const current = await api.get<WebhookSubscription>(SUBSCRIPTIONS, namespace, name).catch((error) => {
        if (isStatus(error, 404)) return null;
        throw error;
      });
      if (current?.metadata.uid === uid) continue;
      await this.end(uid);
      logger.warn({ namespace, name }, 'resource was deleted while no replica watched, subscription ended');
    }
  }

  /** Moves the row to the group of dispatchers that the spec asks for: to a dedicated one as soon as one of its dispatchers is alive. */
  async #move(
    resource: WebhookSubscription,
    row: Acceptance['row'],
    alive: ReadonlySet<string>,
  ): Promise<Fault | null> {
    if (row === null) return null;
    const { rows, dispatchers } = this.#deps;
    const wanted = groupOf(resource);
    if (resource.spec.isolation === 'Dedicated') {
      try {
        await dispatchers.applyDedicated(resource);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { reason: 'DispatcherRefused', message: error.message };
      }
    }
    if (row.dispatcherGroup !== wanted && (resource.spec.isolation === 'Shared' || alive.has(wanted))) {
      await changeSubscription(rows, row.id, { dispatcherGroup: wanted });
      row.dispatcherGroup = wanted;
    }
    if (resource.spec.isolation === 'Shared' && dispatchers.hasDedicated(resource.metadata.uid)) {
      await dispatchers.removeDedicated(resource.metadata.uid);
    }
    return null;
  }

  async #report(
    { row, fault, done }: Acceptance,
    resource: WebhookSubscription,
    alive: ReadonlySet<string>,
  ): Promise<number | undefined> {
    const { rows, dispatchers, triggers } = this.#deps;
    await this.#statuses.recordDone(resource, done);
    if (row !== null) triggers.reported(row, alive);
    const group = row?.dispatcherGroup ?? groupOf(resource);
    const next = statusOf(
      {
        generation: resource.metadata.generation,
        fault,
        row,
        dispatcherAlive: alive.has(group),
        dispatcher: dispatchers.nameOf(group),
        secret: secretName(resource),
      },
      resource.status,
      rows.clock.now(),
    );
    return this.#statuses.write(resource, next);
  }
}
