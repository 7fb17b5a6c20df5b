/** The row of a resource and its Secret: made, brought in line with the spec, or the reason why not. */
import type { Logger } from 'pino';
import { Problem } from '../../src/http/errors.ts';
import { type Subscription, sealedSecret } from '../../src/webhooks/queries.ts';
import { openSecret } from '../../src/webhooks/secret.ts';
import {
  changeSubscription,
  createSubscription,
  enableSubscription,
  rotateSecret,
  type SubscriptionDeps,
  subscriptions,
} from '../../src/webhooks/subscription.ts';
import { type Api, isStatus, KubeError, type KubeObject, SECRETS } from './api.ts';
import { type Spec, SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import { changesOf, groupOf, MANAGED_LABEL, MANAGER, ownerReference, secretName } from './desired.ts';
import type { Fault } from './status.ts';

interface Secret extends KubeObject {
  /** Base64. */
  data?: Record<string, string>;
}

export interface AcceptanceDeps {
  api: Api;
  rows: SubscriptionDeps;
  logger: Logger;
}

export interface Acceptance {
  /** As it is now. */
  row: Subscription | null;
  fault: Fault | null;
  /** What was done to the Secret, to be told. */
  done: ('SecretCreated' | 'SecretRotated' | 'Enabled')[];
}

/** A spec that cannot be followed as it is. */
class Unacceptable extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  url: 'InvalidUrl',
  account: 'UnknownAccount',
  event_types: 'InvalidEventTypes',
  sports: 'InvalidSports',
  leagues: 'InvalidLeagues',
  secret: 'InvalidSecret',
  address_refused: 'AddressRefused',
  not_resolved: 'NotResolved',
};

/** @returns null for what is not the spec's fault */
export function faultOf(error: unknown): Fault | null {
  if (error instanceof Unacceptable) return error.fault;
  if (!(error instanceof Problem)) return null;
  if (error.code === 'plan_required') return { reason: 'PlanRequired', message: error.message };
  const [first] = error.options.errors ?? [];
  if (error.code !== 'invalid_parameter' || first === undefined) return null;
  return { reason: REASONS[first.code] ?? REASONS[first.parameter] ?? 'Invalid', message: error.message };
}

/** Requests that will not do better the next time. */
export const isRefusal = (error: unknown): error is KubeError =>
  error instanceof KubeError &&
  [400, 403, 413, 422].includes(error.status) &&
  !error.causes.includes('NamespaceTerminating');

/** @returns the text; null: there is no such Secret. @throws {Unacceptable} where it lacks the key */
async function readSecret({ api }: AcceptanceDeps, resource: WebhookSubscription): Promise<string | null> {
  const name = secretName(resource);
  const { key } = resource.spec.secretRef;
  try {
    const secret = await api.get<Secret>(SECRETS, resource.metadata.namespace, name);
    const data = secret.data?.[key];
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8').trim();
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
  throw new Unacceptable({ reason: 'SecretKeyMissing', message: `The Secret ${name} has no key ${key}.` });
}

async function writeSecret({ api }: AcceptanceDeps, resource: WebhookSubscription, text: string): Promise<void> {
  const name = secretName(resource);
  const { namespace } = resource.metadata;
  try {
    await api.create(SECRETS, namespace, {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: {
        name,
        namespace,
        labels: { [MANAGED_LABEL]: MANAGER },
        ownerReferences: [ownerReference(resource)],
      },
      data: { [resource.spec.secretRef.key]: Buffer.from(text).toString('base64') },
    });
  } catch (error) {
    // Made by somebody else just now: the next look takes it.
    if (isStatus(error, 409)) return;
    if (!isRefusal(error)) throw error;
    throw new Unacceptable({ reason: 'SecretRefused', message: `The Secret ${name} cannot be made: ${error.message}` });
  }
}

export function openAcceptance(deps: AcceptanceDeps): (resource: WebhookSubscription) => Promise<Acceptance> {
  const { api, rows, logger } = deps;
  const { pool, secretKeys } = rows;

  async function rowOf(uid: string): Promise<Subscription | null> {
    const [row] = await subscriptions(pool, { managedUid: uid });
    return row ?? null;
  }

  /** What is cached may have gone: nobody would end the row that is made for it. */
  async function assertThere({ metadata: { namespace, name, uid } }: WebhookSubscription): Promise<void> {
    const { metadata } = await api.get<WebhookSubscription>(SUBSCRIPTIONS, namespace, name);
    if (metadata.uid !== uid || metadata.deletionTimestamp !== undefined) throw new Error('the resource is gone');
  }

  async function make(resource: WebhookSubscription, secret: string | null): Promise<void> {
    const { metadata, spec } = resource;
    const { namespace, name, uid } = metadata;
    // What is cached may have gone: nobody would end its row.
    const now = await api.get<WebhookSubscription>(SUBSCRIPTIONS, namespace, name);
    if (now.metadata.uid !== uid || now.metadata.deletionTimestamp !== undefined)
      throw new Error('the resource is gone');
    const { account, url, eventTypes, sports, leagues, paused } = spec;
    const wanted = { account, url, eventTypes, sports, leagues, paused, dispatcherGroup: groupOf(resource) };
    await createSubscription(rows, {
      ...wanted,
      managedBy: { namespace, name, uid },
      ...(secret !== null && { secret }),
    });
    logger.info({ namespace, name }, 'a subscription was made');
  }

  async function change(row: Subscription, spec: Spec, isNew: boolean): Promise<boolean> {
    const changes = changesOf(spec, row, { isNew });
    if (Object.keys(changes).length === 0) return false;
    await changeSubscription(rows, row.id, changes);
    // A new address deserves a new trial.
    if (changes.url === undefined || row.disabledAt === null) return false;
    await enableSubscription(rows, row.id);
    return true;
  }

  /** @returns whether it was another one */
  async function rotate(row: Subscription, secret: string): Promise<boolean> {
    const sealed = await sealedSecret(pool, row.id);
    if (sealed === null || openSecret(sealed, secretKeys) === secret) return false;
    await rotateSecret(rows, row.id, secret);
    return true;
  }

  async function follow(resource: WebhookSubscription, done: Acceptance['done']): Promise<void> {
    const { metadata, spec, status } = resource;
    const secret = await readSecret(deps, resource);
    const row = await rowOf(metadata.uid);
    if (row === null) {
      await assertThere(resource);
      await make(resource, secret);
    } else {
      if (await change(row, spec, metadata.generation !== status?.observedGeneration)) done.push('Enabled');
      if (secret !== null && (await rotate(row, secret))) done.push('SecretRotated');
    }
    if (secret !== null) return;
    // The row has it, also where the Secret was deleted by hand: its receiver need not change anything.
    const { id } = row ?? (await rowOf(metadata.uid))!;
    const sealed = await sealedSecret(pool, id);
    if (sealed === null) return;
    await writeSecret(deps, resource, openSecret(sealed, secretKeys));
    done.push('SecretCreated');
  }

  return async (resource) => {
    const done: Acceptance['done'] = [];
    let fault: Fault | null = null;
    try {
      await follow(resource, done);
    } catch (error) {
      fault = faultOf(error);
      if (fault === null) throw error;
    }
    return { row: await rowOf(resource.metadata.uid), fault, done };
  };
}
