/** Brings one resource to what its spec says: the row, the Secret, the Deployment, the status. Everything may be done again. */
import type { Logger } from 'pino';
import {
  changeSubscription,
  endSubscription,
  type SubscriptionDeps,
  subscriptions,
} from '../../src/webhooks/subscription.ts';
import { type Acceptance, isRefusal, openAcceptance } from './acceptance.ts';
import { type Api, isStatus } from './api.ts';
import { parseSpec, type Status, SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import { groupOf, secretName } from './desired.ts';
import type { Dispatchers } from './dispatchers.ts';
import type { Outcomes } from './outcomes.ts';
import { groupsAlive } from './queries.ts';
import type { Recorder } from './recorder.ts';
import { changed, type Fault, GAP, lastTransition, statusOf, writeIn } from './status.ts';

export interface ControllerDeps {
  api: Api;
  rows: SubscriptionDeps;
  logger: Logger;
  dispatchers: Dispatchers;
  recorder: Recorder;
  /** Told what a status was made from. */
  saw: Outcomes['saw'];
}

export interface Controller {
  /** @returns after how many ms to look again, if at all */
  reconcile(resource: WebhookSubscription): Promise<number | undefined>;
  /** A resource is gone. */
  end(uid: string): Promise<void>;
  /** Ends rows whose resource has gone while nobody watched. @returns how many */
  sweep(
    namespaces: readonly string[],
    find: (namespace: string, name: string) => WebhookSubscription | undefined,
  ): Promise<number>;
}

/** What is said when something was done. */
const TOLD: Readonly<Record<Acceptance['done'][number], string>> = {
  SecretCreated: 'The missing Secret was made.',
  SecretRotated: 'The Secret has changed: for 24 hours the old one signs too.',
  Enabled: 'Enabled again, with the new address.',
};

export function openController(deps: ControllerDeps): Controller {
  const { api, rows, logger, dispatchers, recorder, saw } = deps;
  const { pool, clock } = rows;
  const accept = openAcceptance({ api, rows, logger });
  /** By uid. */
  const statusWrites = new Map<string, number>();

  async function endRow(uid: string): Promise<void> {
    const [row] = await subscriptions(pool, { managedUid: uid });
    if (row !== undefined) await endSubscription(rows, row.id);
  }

  async function end(uid: string): Promise<void> {
    await endRow(uid);
    await dispatchers.removeDedicated(uid);
    statusWrites.delete(uid);
  }

  /** Where the row should be sent from, and is: it moves to dispatchers of its own when one of them is there. */
  async function move(
    resource: WebhookSubscription,
    row: Acceptance['row'],
    alive: ReadonlySet<string>,
  ): Promise<Fault | null> {
    if (row === null) return null;
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

  async function writeStatus(resource: WebhookSubscription, next: Status): Promise<number | undefined> {
    const { metadata, status: previous } = resource;
    const { namespace, name, uid } = metadata;
    const last = statusWrites.get(uid) ?? lastTransition(previous);
    const wait = writeIn(next, previous, last, clock.now());
    if (wait === null) return undefined;
    if (wait > 0) return wait;
    await api.apply(
      SUBSCRIPTIONS,
      { namespace, name, subresource: 'status' },
      { metadata: { namespace, name, uid }, status: next },
    );
    statusWrites.set(uid, clock.now());
    for (const { type, status, reason, message } of changed(next, previous)) {
      // That a new one has no dispatcher yet, or all is well with it, is no news.
      const isNew = previous?.conditions === undefined;
      if (status === 'Unknown' || reason === 'NotAccepted' || (isNew && (status === 'True' || type === 'Ready')))
        continue;
      await recorder.record(
        resource,
        status === 'True' && reason !== GAP ? 'Normal' : 'Warning',
        reason,
        `${type}: ${message}`,
      );
    }
    return undefined;
  }

  async function report(
    acceptance: Acceptance,
    resource: WebhookSubscription,
    alive: ReadonlySet<string>,
  ): Promise<number | undefined> {
    const { row, fault, done } = acceptance;
    for (const reason of done) await recorder.record(resource, 'Normal', reason, TOLD[reason]);
    if (row !== null) saw(row, alive);
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
      clock.now(),
    );
    return writeStatus(resource, next);
  }

  return {
    async reconcile(resource) {
      const { metadata } = resource;
      // Somebody else's finalizer holds it.
      if (metadata.deletionTimestamp !== undefined) {
        await end(metadata.uid);
        return undefined;
      }
      const spec = parseSpec(resource.spec);
      if (!spec.success) {
        const message = spec.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
        const [row] = await subscriptions(pool, { managedUid: metadata.uid });
        return report({ row: row ?? null, fault: { reason: 'InvalidSpec', message }, done: [] }, resource, new Set());
      }
      const known = { ...resource, spec: spec.data };
      const acceptance = await accept(known);
      const alive = await groupsAlive(pool);
      const refused = await move(known, acceptance.row, alive);
      return report({ ...acceptance, fault: acceptance.fault ?? refused }, known, alive);
    },

    end,

    async sweep(namespaces, find) {
      let ended = 0;
      for (const { managedBy } of await subscriptions(pool, { managed: true })) {
        const { namespace, name, uid } = managedBy!;
        if (!namespaces.includes(namespace) || find(namespace, name)?.metadata.uid === uid) continue;
        // What is cached may be behind.
        const there = await api.get<WebhookSubscription>(SUBSCRIPTIONS, namespace, name).catch((error) => {
          if (isStatus(error, 404)) return null;
          throw error;
        });
        if (there?.metadata.uid === uid) continue;
        await end(uid);
        logger.warn({ namespace, name }, 'a subscription has ended: its resource went unseen');
        ended += 1;
      }
      return ended;
    },
  };
}
