/**
 * One account's subscriptions, which keys and members manage over REST and in the portal. A subscription of another
 * account counts as unknown. A subscription declared by a custom resource can be changed only in the cluster. Every
 * change is written to the audit log. The caller opens the transaction.
 */
import {
  type Actor,
  type AuditAction,
  accountIdOf,
  audit,
  OPERATOR,
  readsAudit,
  toActor,
} from '../../accounts/index.ts';
import type { Queryable } from '../../db/postgres.ts';
import type { LogRecord } from '../../events/index.ts';
import { type Principal, Problem, rateLimited } from '../../http/index.ts';
import { HOUR_MS } from '../../wire/time.ts';
import { type Retried, retryDelivery, retryFailed, skipDelivery } from '../delivery/delivery-retry.ts';
import { sendEvent } from '../delivery/event-explorer.ts';
import { readHost } from '../destinations/kinds.ts';
import * as bounds from '../subscriptions/limit-queries.ts';
import { hostFactor } from '../subscriptions/operator-limits.ts';
import { generateSecret } from '../subscriptions/secret.ts';
import type { Checked } from '../subscriptions/settings.ts';
import {
  enableSubscription,
  endSubscription,
  replaySubscription,
  rotateSecret,
  type SubscriptionDeps,
  storeChanges,
  storeSubscription,
  subscriptionState,
  unknownSubscription,
} from '../subscriptions/subscription.ts';
import { FAILING_AFTER } from '../subscriptions/subscription-health.ts';
import type { Subscription } from '../subscriptions/subscription-queries.ts';
import * as queries from '../subscriptions/subscription-queries.ts';

/** The actor that changes a subscription. */
export interface Owner {
  accountId: number;
  actor: Actor;
  /** True if the actor may read the account's audit log, and have it sent somewhere. */
  readsAudit: boolean;
}

export const toOwner = (input: { principal: Principal | null; address: string }): Owner => ({
  accountId: accountIdOf(input.principal),
  actor: toActor(input),
  readsAudit: readsAudit(input.principal),
});

/**
 * Refuses to send the audit log to an address that somebody chooses who may not read it.
 * @throws {Problem} role_not_permitted
 */
function requireAudit({ owner }: OwnedDeps, eventTypes: readonly string[] | undefined): void {
  if (owner.readsAudit || !eventTypes?.some((type) => type.startsWith('account.'))) return;
  const detail =
    'The subscription gets the audit log: that takes an owner or an admin, or a key with the scope account.';
  throw new Problem('role_not_permitted', detail);
}

/** The stores that a request uses, and the owner who sent it. For a change, `pool` is a transaction. */
export interface OwnedDeps extends SubscriptionDeps {
  owner: Owner;
}
/** Settings that `checkWanted` has checked. */
type Settings = Omit<Checked, 'dispatcherGroup'>;

/** @throws {Problem} not_found, also for a subscription of another account */
export async function findAccountSubscription(db: Queryable, accountId: number, id: number): Promise<Subscription> {
  const [one] = await queries.findSubscriptions(db, { accountId, id });
  if (one === undefined) throw unknownSubscription(id);
  return one;
}

/** @throws {Problem} not_found, conflict */
export async function changeableSubscription(db: Queryable, accountId: number, id: number): Promise<Subscription> {
  const one = await findAccountSubscription(db, accountId, id);
  if (one.managedBy === null) return one;
  const { namespace, name } = one.managedBy;
  throw new Problem(
    'conflict',
    `The subscription is declared in the cluster: change the WebhookSubscription ${name} in the namespace ${namespace}.`,
  );
}

/** The name of a change to a subscription in the audit log. */
export type SubscriptionAction =
  Extract<AuditAction, `webhook.${string}`> extends `webhook.${infer Name}` ? Name : never;

/** Writes an action into the account's audit log. */
export const note = (
  { pool, clock, owner }: Pick<OwnedDeps, 'pool' | 'clock' | 'owner'>,
  id: number,
  action: SubscriptionAction,
  details: Record<string, unknown> = {},
): Promise<void> => audit(pool, clock, { ...owner, action: `webhook.${action}`, target: `webhook ${id}`, details });

/** Returns only the URL's origin for the audit log, since path and query may contain the receiver's secret. */
const shownUrl = ({ url, destination }: Pick<Settings, 'url' | 'destination'>) => {
  if (url === undefined) return {};
  return destination === undefined ? { origin: new URL(url).origin } : { destination: url };
};

/**
 * Refuses a URL if too many subscriptions, across all accounts, already send to its host.
 * @param url as stored
 * @throws {Problem} conflict
 */
async function requireRoom({ pool, policy }: OwnedDeps, url: string): Promise<void> {
  const hostname = readHost(url);
  const most = policy.hostSubscriptions * hostFactor(policy, hostname);
  if ((await bounds.countToHost(pool, hostname)) < most) return;
  throw new Problem('conflict', `All accounts together may have at most ${most} webhook subscriptions to ${hostname}.`);
}

/** Limits an account's concurrent and repeated replays. @throws {Problem} not_found, conflict, rate_limited */
async function requireReplay({ pool, clock, policy, owner }: OwnedDeps): Promise<void> {
  const { accountId, actor } = owner;
  if (actor === OPERATOR) return;
  // Without the lock, two replays that begin at the same time would not count each other.
  if ((await bounds.lockAccount(pool, accountId)) === null)
    throw new Problem('not_found', 'The account has been deleted.');
  const { replaysAtOnce, replaysPerHour } = policy;
  if ((await bounds.countReplays(pool, accountId, FAILING_AFTER)) >= replaysAtOnce) {
    const detail = `At most ${replaysAtOnce} replays of an account can be sent at the same time: wait until one has ended.`;
    throw new Problem('conflict', detail);
  }
  const since = new Date(clock.now() - HOUR_MS);
  const begun = await bounds.replaysSince(pool, accountId, since);
  const earliest = begun.at(-replaysPerHour);
  if (earliest === undefined) return;
  const freeAt = earliest.getTime() + HOUR_MS;
  const detail = `At most ${replaysPerHour} replays of an account can begin within an hour.`;
  throw rateLimited(detail, (freeAt - clock.now()) / 1_000);
}

/**
 * Creates a subscription.
 * @returns the id and the secret, which cannot be read again
 * @throws {Problem} plan_required; conflict if the account, or the host, already has too many subscriptions
 */
export async function createAccountSubscription(
  deps: OwnedDeps,
  settings: Settings,
): Promise<{ id: number; secret: string }> {
  const { pool, plans, policy, owner } = deps;
  const account = await bounds.lockAccount(pool, owner.accountId);
  if (account === null) throw new Problem('not_found', 'The account has been deleted.');
  plans.requireWebhooks(account.plan);
  requireAudit(deps, settings.eventTypes);
  const { accountSubscriptions } = policy;
  if (account.subscriptions >= accountSubscriptions) {
    throw new Problem(
      'conflict',
      `An account has at most ${accountSubscriptions} webhook subscriptions. Delete one first.`,
    );
  }
  await requireRoom(deps, settings.url!);
  const secret = generateSecret();
  const id = (await storeSubscription(pool, deps, { id: owner.accountId, plan: account.plan }, settings, { secret }))!;
  await note(deps, id, 'created', shownUrl(settings));
  return { id, secret };
}

/** Returns the action for the audit log: `paused` or `enabled` if only `paused` is changed, otherwise `changed`. */
function auditAction(before: Subscription, { paused, ...others }: Partial<Settings>): SubscriptionAction {
  if (paused === undefined || paused === before.paused || Object.values(others).some((value) => value !== undefined))
    return 'changed';
  return paused ? 'paused' : 'enabled';
}

/** Makes changes that `checkWanted` has checked. @throws {Problem} not_found, conflict */
export async function changeAccountSubscription(
  deps: OwnedDeps,
  id: number,
  changes: Partial<Settings>,
): Promise<void> {
  const before = await changeableSubscription(deps.pool, deps.owner.accountId, id);
  const fields = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (fields.length === 0) return;
  if (fields.some((field) => field !== 'paused')) requireAudit(deps, changes.eventTypes ?? before.eventTypes);
  if (changes.url !== undefined && !isSameHost(changes.url, before.url)) await requireRoom(deps, changes.url);
  await storeChanges(deps, before, changes);
  const details = { fields: fields.map(wireName), ...shownUrl(changes) };
  await note(deps, id, auditAction(before, changes), details);
}

/** Returns whether both addresses have the same host. */
const isSameHost = (url: string, stored: string) => readHost(url) === readHost(stored);

const wireName = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** @throws {Problem} not_found, conflict */
export async function deleteAccountSubscription(deps: OwnedDeps, id: number): Promise<void> {
  await changeableSubscription(deps.pool, deps.owner.accountId, id);
  await endSubscription(deps, id);
  await note(deps, id, 'deleted');
}

/** @returns the new secret, which cannot be read again @throws {Problem} not_found, conflict */
export async function rotateAccountSubscription(deps: OwnedDeps, id: number): Promise<string> {
  await changeableSubscription(deps.pool, deps.owner.accountId, id);
  const secret = await rotateSecret(deps, id);
  await note(deps, id, 'rotated');
  return secret;
}

/**
 * Lifts a pause or a disabling.
 * @param replayFrom cursor after which events are sent again
 * @throws {Problem} not_found; conflict or rate_limited if there are too many replays
 */
export async function enableAccountSubscription(deps: OwnedDeps, id: number, replayFrom?: number): Promise<void> {
  await findAccountSubscription(deps.pool, deps.owner.accountId, id);
  if (replayFrom !== undefined) await requireReplay(deps);
  await enableSubscription(deps, id, replayFrom);
  await note(deps, id, 'enabled', replayFrom === undefined ? {} : { cursor: replayFrom });
}

/**
 * Sends the events after a cursor again.
 * @throws {Problem} not_found; conflict for a disabled subscription; conflict or rate_limited if there are too many
 * replays
 */
export async function replayAccountSubscription(deps: OwnedDeps, id: number, cursor: number): Promise<void> {
  await findAccountSubscription(deps.pool, deps.owner.accountId, id);
  await requireReplay(deps);
  await replaySubscription(deps, id, cursor);
  await note(deps, id, 'replayed', { cursor });
}

/** Refuses a retry while the subscription sends no events, since it would only wait. */
async function requireSending({ pool, plans, owner }: OwnedDeps, id: number): Promise<void> {
  const one = await findAccountSubscription(pool, owner.accountId, id);
  if (one.fault !== null)
    throw new Problem('conflict', `No event is sent, because the stored settings cannot be used: ${one.fault}.`);
  const state = subscriptionState(one, plans);
  if (state === 'active' || state === 'failing') return;
  if (state === 'unconfirmed') throw new Problem('conflict', 'The URL is not confirmed yet: confirm it first.');
  throw new Problem('conflict', `The subscription is ${state}, so no event is sent. Enable it first.`);
}

/** @throws {Problem} not_found, conflict */
export async function retryAccountDelivery(deps: OwnedDeps, id: number, deliveryId: string): Promise<void> {
  await requireSending(deps, id);
  await retryDelivery(deps.pool, deps.clock, id, deliveryId);
  await note(deps, id, 'retried', { delivery: deliveryId });
}

/** @returns the delivery's id @throws {Problem} not_found, conflict */
export async function sendEventToSubscription(deps: OwnedDeps, id: number, record: LogRecord): Promise<string> {
  await requireSending(deps, id);
  const delivery = await sendEvent(deps.pool, deps.clock, id, record);
  await note(deps, id, 'retried', { delivery });
  return delivery;
}

/** @throws {Problem} not_found, conflict */
export async function skipAccountDelivery(deps: OwnedDeps, id: number, deliveryId: string): Promise<void> {
  await findAccountSubscription(deps.pool, deps.owner.accountId, id);
  await skipDelivery(deps.pool, deps.clock, id, deliveryId);
  await note(deps, id, 'skipped', { delivery: deliveryId });
}

/**
 * @param since only deliveries first attempted at or after this time, in ms since 1970 @throws {Problem} not_found,
 * conflict
 */
export async function retryFailedAccountDeliveries(deps: OwnedDeps, id: number, since: number): Promise<Retried> {
  await requireSending(deps, id);
  const retried = await retryFailed(deps.pool, deps.clock, id, since);
  await note(deps, id, 'retried', { deliveries: retried.count });
  return retried;
}
