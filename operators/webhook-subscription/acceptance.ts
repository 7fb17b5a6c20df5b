/** Applies a resource's spec to the subscription row and the Secret, or finds the reason why the spec cannot be applied. */

import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { decryptSecret, findNamespaceAccount, normalEmail } from '../../src/accounts/index.ts';
import { Problem } from '../../src/http/index.ts';
import { type DestinationSettings, isOtherDestination } from '../../src/webhooks/destinations/index.ts';
import {
  adoptSubscription,
  type CustomHeader,
  changeSubscription,
  createSubscription,
  enableSubscription,
  encryptedSecret,
  readHeaders,
  rotateSecret,
  type Subscription,
  type SubscriptionDeps,
  subscriptions,
} from '../../src/webhooks/subscriptions/index.ts';
import type { Installation } from '../runtime/installation.ts';
import { type Api, isRefusal, isStatus, type KubeObject, SECRETS } from '../runtime/kube-api.ts';
import { MANAGED_LABEL, MANAGER } from '../runtime/labels.ts';
import { SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import {
  DESTINATION_LABEL,
  diffSpec,
  dispatcherGroup,
  HEADERS_LABEL,
  ownerReference,
  secretName,
  wantedDestination,
  wantedOrdering,
} from './desired-state.ts';
import type { Rejection } from './resource-status.ts';

interface Secret extends KubeObject {
  /** Values in Base64, by key. */
  data?: Record<string, string>;
}

interface AcceptanceDeps {
  api: Api;
  rows: SubscriptionDeps;
  logger: Logger;
  installation: Installation;
  /** Names of the Secrets that may be read. If undefined, RBAC decides. */
  secrets: readonly string[] | undefined;
  /** True if a namespace without an `Account` may have no subscriptions. */
  requireAccounts: boolean;
}

export interface Acceptance {
  /** The row's current state. Null if there is no row. */
  row: Subscription | null;
  fault: Rejection | null;
  /** The changes that are recorded as Events. */
  done: ('SecretCreated' | 'SecretRotated' | 'Enabled')[];
}

/** Thrown if a spec cannot be applied. */
class Unacceptable extends Error {
  readonly fault: Rejection;

  constructor(fault: Rejection) {
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
  match_ids: 'InvalidMatchIds',
  participant_ids: 'InvalidParticipantIds',
  conditions: 'InvalidConditions',
  headers: 'InvalidHeaders',
  destination: 'InvalidDestination',
  secret: 'InvalidSecret',
  address_refused: 'AddressRefused',
  not_resolved: 'NotResolved',
};

/** Returns what is wrong with the spec. Null if the spec is not what caused the error. */
function toRejection(error: unknown): Rejection | null {
  if (error instanceof Unacceptable) return error.fault;
  if (!(error instanceof Problem)) return null;
  if (error.code === 'plan_required') return { reason: 'PlanRequired', message: error.message };
  const [first] = error.options.errors ?? [];
  if (error.code !== 'invalid_parameter' || first === undefined) return null;
  return { reason: REASONS[first.code] ?? REASONS[first.parameter] ?? 'Invalid', message: error.message };
}

/** @param listed names of the Secrets that may be read, if known */
function notListed(name: string, listed: readonly string[] = []): Unacceptable {
  const choice = listed.length === 0 ? '' : ` Or name one of these in spec.secretRef.name: ${listed.join(', ')}.`;
  return new Unacceptable({
    reason: 'SecretNotListed',
    message: `The operator may not read the Secret ${name}: add it to operator.secrets.names of the Helm release, or set operator.secrets.access to any.${choice}`,
  });
}

type SecretReader = Pick<AcceptanceDeps, 'api' | 'secrets'>;

/**
 * @param check throws if the value may not be read from this Secret
 * @returns the value of a key; null if the Secret does not exist
 * @throws {Unacceptable} if the operator may not read the Secret, or if the Secret lacks the key
 */
async function readSecret(
  { api, secrets }: SecretReader,
  namespace: string,
  { name, key }: { name: string; key: string },
  check: (secret: Secret) => void = () => {},
): Promise<string | null> {
  if (secrets !== undefined && !secrets.includes(name)) throw notListed(name, secrets);
  try {
    const secret = await api.get<Secret>(SECRETS, namespace, name);
    check(secret);
    const data = secret.data?.[key];
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8').trim();
  } catch (error) {
    if (isStatus(error, 404)) return null;
    if (isStatus(error, 403)) throw notListed(name);
    throw error;
  }
  throw new Unacceptable({ reason: 'SecretKeyMissing', message: `The Secret ${name} has no key ${key}.` });
}

/**
 * Reads a value that is sent to a receiver. Only the owner of a Secret adds the label. Otherwise, whoever may create
 * resources could have any Secret sent to a URL.
 * @param what the value is, as a part of a sentence
 * @throws {Unacceptable}
 */
async function readSentSecret(
  deps: SecretReader,
  namespace: string,
  ref: { name: string; key: string },
  { label, what }: { label: string; what: string },
): Promise<string> {
  const { name } = ref;
  const found = await readSecret(deps, namespace, ref, ({ metadata }) => {
    if (metadata.labels?.[label] === 'true') return;
    const message = `The values of the Secret ${name} would be sent to the receiver: add the label ${label}=true to the Secret to allow that.`;
    throw new Unacceptable({ reason: 'SecretNotLabelled', message });
  });
  if (found !== null) return found;
  throw new Unacceptable({
    reason: 'SecretMissing',
    message: `The Secret ${name}, which has ${what}, does not exist.`,
  });
}

/** Returns the headers of a resource. @throws {Unacceptable} if a value cannot be read from its Secret */
const readWantedHeaders = (deps: SecretReader, { metadata, spec }: WebhookSubscription): Promise<CustomHeader[]> =>
  Promise.all(
    spec.headers.map(async ({ name, value = '', valueFrom }) => {
      if (valueFrom === undefined) return { name, value, secret: false };
      const label = { label: HEADERS_LABEL, what: `the value of the header ${name}` };
      return {
        name,
        value: await readSentSecret(deps, metadata.namespace, valueFrom.secretKeyRef, label),
        secret: true,
      };
    }),
  );

/** @throws {Unacceptable} if the secret cannot be read @throws {Problem} invalid_parameter */
async function readWantedDestination(
  deps: SecretReader,
  { metadata, spec: { destination } }: WebhookSubscription,
): Promise<DestinationSettings | undefined> {
  if (destination === undefined) return undefined;
  const label = { label: DESTINATION_LABEL, what: 'the secret of the destination' };
  const { secretKeyRef } = destination;
  const secret = secretKeyRef && (await readSentSecret(deps, metadata.namespace, secretKeyRef, label));
  return wantedDestination(destination, secret);
}

/** Returns whether the row's headers are others than the wanted ones. Headers that cannot be read are written again. */
function areOtherHeaders(wanted: readonly CustomHeader[], row: Subscription, secretKeys: readonly string[]): boolean {
  const kinds = (headers: readonly CustomHeader[]) => headers.map(({ name, secret }) => [name, secret]);
  if (!isDeepStrictEqual(kinds(wanted), kinds(row.headers))) return true;
  try {
    const stored = readHeaders(row, secretKeys);
    return wanted.some(({ name, value }) => stored[name] !== value);
  } catch {
    return true;
  }
}

async function writeSecret(api: Api, resource: WebhookSubscription, text: string): Promise<void> {
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
        // If the user has chosen the Secret's name, the Secret gets no owner, because several resources may use it. It
        // therefore stays when the resource is deleted.
        ...(resource.spec.secretRef.name === undefined && { ownerReferences: [ownerReference(resource)] }),
      },
      data: { [resource.spec.secretRef.key]: Buffer.from(text).toString('base64') },
    });
  } catch (error) {
    // A client has just created the Secret. The next reconciliation reads it.
    if (isStatus(error, 409)) return;
    if (!isRefusal(error)) throw error;
    throw new Unacceptable({
      reason: 'SecretRefused',
      message: `The Secret ${name} cannot be created: ${error.message}. Create it, or set operator.secrets.create of the Helm release.`,
    });
  }
}

/** Settings with values that may come from Secrets. */
interface SentSettings {
  headers: CustomHeader[];
  destination: DestinationSettings | undefined;
}

/** One attempt to apply a spec. */
class SpecApplication {
  readonly #deps: AcceptanceDeps;
  readonly #resource: WebhookSubscription;
  readonly #done: Acceptance['done'] = [];

  constructor(deps: AcceptanceDeps, resource: WebhookSubscription) {
    this.#deps = deps;
    this.#resource = resource;
  }

  async run(): Promise<Acceptance> {
    let fault: Rejection | null = null;
    try {
      await this.#apply();
    } catch (error) {
      fault = toRejection(error);
      if (fault === null) throw error;
    }
    return { row: await this.#row(), fault, done: this.#done };
  }

  async #row(): Promise<Subscription | null> {
    const [row] = await subscriptions(this.#deps.rows.pool, { managedUid: this.#resource.metadata.uid });
    return row ?? null;
  }

  async #apply(): Promise<void> {
    const { api, rows } = this.#deps;
    const { metadata, spec } = this.#resource;
    await this.#checkAccount();
    const secret = await readSecret(this.#deps, metadata.namespace, {
      name: secretName(this.#resource),
      key: spec.secretRef.key,
    });
    const sent = {
      headers: await readWantedHeaders(this.#deps, this.#resource),
      destination: await readWantedDestination(this.#deps, this.#resource),
    };
    const existing = await this.#row();
    if (existing === null) await this.#create(secret, sent);
    else await this.#change(existing, secret, sent);
    if (secret !== null) return;
    // If the Secret was deleted by hand, it is created again with the row's secret, so that the receiver does not have
    // to change anything.
    const { id } = existing ?? (await this.#row())!;
    const stored = await encryptedSecret(rows.pool, id);
    if (stored === null) return;
    await writeSecret(api, this.#resource, decryptSecret(stored, rows.secretKeys));
    this.#done.push('SecretCreated');
  }

  /**
   * Checks that the resource acts for the account of the namespace, if the namespace has one.
   * @throws {Unacceptable}
   */
  async #checkAccount(): Promise<void> {
    const { rows, installation, requireAccounts } = this.#deps;
    const { namespace } = this.#resource.metadata;
    const own = await findNamespaceAccount(rows.pool, { namespace, cluster: installation.cluster });
    if (own === null) {
      if (!requireAccounts) return;
      throw new Unacceptable({
        reason: 'NoAccount',
        message: `The namespace ${namespace} has no Account, which this installation requires (OPERATOR_REQUIRE_ACCOUNTS).`,
      });
    }
    if (normalEmail(own.email) === normalEmail(this.#resource.spec.account)) return;
    const message = `Subscriptions in the namespace ${namespace} act for the account ${own.email}, which the Account there declares.`;
    throw new Unacceptable({ reason: 'WrongAccount', message });
  }

  async #create(secret: string | null, sent: SentSettings): Promise<void> {
    const { rows, logger, installation } = this.#deps;
    const { metadata, spec } = this.#resource;
    const { namespace, name, uid } = metadata;
    await this.#assertExists();
    const { account, url, eventTypes, sports, leagues, matchIds, participantIds, maxPerSecond, maxInFlight, paused } =
      spec;
    const filters = { eventTypes, sports, leagues, matchIds, participantIds, conditions: spec.conditions };
    await createSubscription(rows, {
      account,
      url,
      ...filters,
      ...sent,
      ordering: wantedOrdering(spec),
      maxPerSecond,
      maxInFlight,
      delay: spec.delay,
      paused,
      dispatcherGroup: dispatcherGroup(this.#resource),
      managedBy: { namespace, name, uid, installation: installation.id, cluster: installation.cluster },
      ...(secret !== null && { secret }),
    });
    logger.info({ namespace, name }, 'subscription created');
  }

  /**
   * Checks that the resource still exists, since it was read from a cache. A row created for a deleted resource would
   * never be ended.
   */
  async #assertExists(): Promise<void> {
    const { namespace, name, uid } = this.#resource.metadata;
    const { metadata } = await this.#deps.api.get<WebhookSubscription>(SUBSCRIPTIONS, namespace, name);
    if (metadata.uid !== uid || metadata.deletionTimestamp !== undefined) throw new Error('the resource was deleted');
  }

  async #change(row: Subscription, secret: string | null, { headers, destination }: SentSettings): Promise<void> {
    const { rows, installation } = this.#deps;
    const { metadata, spec, status } = this.#resource;
    if (!installation.owns(row.managedBy!)) await adoptSubscription(rows.pool, row.id, installation);
    const changes = {
      ...diffSpec(spec, row, { isNew: metadata.generation !== status?.observedGeneration }),
      ...(areOtherHeaders(headers, row, rows.secretKeys) && { headers }),
      ...(destination !== undefined && isOtherDestination(destination, row, rows.secretKeys) && { destination }),
    };
    if (Object.keys(changes).length > 0) await changeSubscription(rows, row.id, changes);
    // A new URL or destination enables a disabled subscription.
    if ((changes.url ?? changes.destination) !== undefined && row.disabledAt !== null) {
      await enableSubscription(rows, row.id);
      this.#done.push('Enabled');
    }
    if (secret !== null) await this.#rotate(row, secret);
  }

  async #rotate(row: Subscription, secret: string): Promise<void> {
    const { rows } = this.#deps;
    const stored = await encryptedSecret(rows.pool, row.id);
    if (stored === null || decryptSecret(stored, rows.secretKeys) === secret) return;
    await rotateSecret(rows, row.id, secret);
    this.#done.push('SecretRotated');
  }
}

export const createAcceptance =
  (deps: AcceptanceDeps) =>
  (resource: WebhookSubscription): Promise<Acceptance> =>
    new SpecApplication(deps, resource).run();
