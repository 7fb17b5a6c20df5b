/**
 * An account's requests about webhook subscriptions, for REST and the portal. Each function checks the input and runs
 * in one transaction, and writes the change to the audit log.
 */

import { accountIdOf, type CreatedReply, createOnce, type OnceInput } from '../../accounts/index.ts';
import { type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter } from '../../http/index.ts';
import type { Retried } from '../delivery/delivery-retry.ts';
import { readEvent } from '../delivery/event-explorer.ts';
import { type RequestedResult, sendChallenge, sendTest } from '../delivery/requested-event.ts';
import { type WebhookDeps, withSecretKeys } from '../deps.ts';
import { eventFilter } from '../subscriptions/filter-preview.ts';
import { type ReplayFrom, resolveReplay } from '../subscriptions/replay-start.ts';
import { checkWanted, type Wanted } from '../subscriptions/settings.ts';
import type { Subscription } from '../subscriptions/subscription-queries.ts';
import * as owned from './account-subscriptions.ts';
import { type SubscriptionItem, subscriptionItem } from './subscription-item.ts';

/** Limit on the test events and challenges that an account requests, since they may go to third parties' addresses. */
export const REQUESTED_LIMIT = { requests: 30, seconds: 60 };

/** A request by a key or a member. */
type Input = Parameters<typeof owned.toOwner>[0];
type NewSecretReply = CreatedReply<SubscriptionItem, { secret: string }>;
type Settings = Omit<Wanted, 'dispatcherGroup'>;

const ownedDeps = (deps: WebhookDeps, input: Input, pool: Queryable = deps.pool): owned.OwnedDeps => ({
  ...withSecretKeys(deps),
  pool,
  owner: owned.toOwner(input),
});

/** Makes a change in one transaction. */
const inTransaction = <T>(deps: WebhookDeps, input: Input, work: (own: owned.OwnedDeps) => Promise<T>): Promise<T> =>
  transaction(deps.pool, (db) => work(ownedDeps(deps, input, db)));

/** Changes one subscription in one transaction. @returns the changed subscription */
const changed = (
  deps: WebhookDeps,
  input: Input,
  id: number,
  work: (own: owned.OwnedDeps) => Promise<void>,
): Promise<Subscription> =>
  inTransaction(deps, input, async (own) => {
    await work(own);
    return owned.findAccountSubscription(own.pool, own.owner.accountId, id);
  });

/** Returns the reply with the subscription and the secret. */
async function withSecret({ pool, owner, plans }: owned.OwnedDeps, id: number, secret: string) {
  const one = await owned.findAccountSubscription(pool, owner.accountId, id);
  return { item: subscriptionItem(one, plans), secret: { secret } };
}

/**
 * @returns 201 with the subscription and the `secret`; a repeated request gets no secret
 * @throws {Problem} invalid_parameter, plan_required, conflict
 */
export async function createWebhook(
  deps: WebhookDeps,
  input: Input & OnceInput,
  wanted: Settings,
): Promise<NewSecretReply> {
  const settings = await checkWanted(withSecretKeys(deps), wanted);
  return createOnce(deps, input, 'webhook', async (db) => {
    const own = ownedDeps(deps, input, db);
    const { id, secret } = await owned.createAccountSubscription(own, settings);
    return withSecret(own, id, secret);
  });
}

/** Changes only the settings that are given. @throws {Problem} not_found, invalid_parameter, conflict */
export async function changeWebhook(
  deps: WebhookDeps,
  input: Input,
  id: number,
  wanted: Partial<Settings>,
): Promise<Subscription> {
  // If the subscription cannot be changed, fails before a name is resolved.
  const before = await owned.changeableSubscription(deps.pool, accountIdOf(input.principal), id);
  const changes = await checkWanted(withSecretKeys(deps), wanted, before);
  return changed(deps, input, id, (own) => owned.changeAccountSubscription(own, id, changes));
}

/** @throws {Problem} not_found, conflict */
export const deleteWebhook = (deps: WebhookDeps, input: Input, id: number): Promise<void> =>
  inTransaction(deps, input, (own) => owned.deleteAccountSubscription(own, id));

/**
 * @returns 201 with the subscription and the new `secret`; a repeated request gets no secret
 * @throws {Problem} not_found, conflict
 */
export const rotateWebhookSecret = (deps: WebhookDeps, input: Input & OnceInput, id: number): Promise<NewSecretReply> =>
  createOnce(deps, input, 'rotated webhook', async (db) => {
    const own = ownedDeps(deps, input, db);
    return withSecret(own, id, await owned.rotateAccountSubscription(own, id));
  });

const SEND = { tested: sendTest, challenged: sendChallenge };

/** Sends a test event or a challenge now. @throws {Problem} not_found, plan_required, conflict */
export async function requestEvent(
  deps: WebhookDeps,
  input: Input,
  id: number,
  action: keyof typeof SEND,
): Promise<RequestedResult> {
  const { plan } = await owned.findAccountSubscription(deps.pool, accountIdOf(input.principal), id);
  deps.plans.requireWebhooks(plan);
  const outcome = await SEND[action](withSecretKeys(deps), id);
  await owned.note(ownedDeps(deps, input), id, action, { delivered: outcome.failure === null });
  return outcome;
}

/**
 * Lifts a pause or a disabling.
 * @param from where a replay starts; without it, no event is sent again
 * @throws {Problem} not_found, conflict, cursor_expired, rate_limited
 */
export async function enableWebhook(
  deps: WebhookDeps,
  input: Input,
  id: number,
  from: ReplayFrom,
): Promise<Subscription> {
  await owned.findAccountSubscription(deps.pool, accountIdOf(input.principal), id);
  const cursor = await resolveReplay(deps.log, deps.clock, from);
  return changed(deps, input, id, (own) => owned.enableAccountSubscription(own, id, cursor));
}

/** @throws {Problem} not_found, invalid_parameter without a start, conflict, cursor_expired, rate_limited */
export async function replayWebhook(
  deps: WebhookDeps,
  input: Input,
  id: number,
  from: ReplayFrom,
): Promise<Subscription> {
  await owned.findAccountSubscription(deps.pool, accountIdOf(input.principal), id);
  const cursor = await resolveReplay(deps.log, deps.clock, from);
  if (cursor === undefined) throw invalidParameter('cursor', 'required', 'is required, unless `since` is given');
  return changed(deps, input, id, (own) => owned.replayAccountSubscription(own, id, cursor));
}

/** @throws {Problem} not_found, conflict */
export const retryWebhookDelivery = (deps: WebhookDeps, input: Input, id: number, deliveryId: string): Promise<void> =>
  inTransaction(deps, input, (own) => owned.retryAccountDelivery(own, id, deliveryId));

/**
 * Sends one stored event that the plan includes.
 * @returns the delivery's id
 * @throws {Problem} not_found, conflict
 */
export async function sendAccountEvent(deps: WebhookDeps, input: Input, id: number, cursor: number): Promise<string> {
  const { plan } = await owned.findAccountSubscription(deps.pool, accountIdOf(input.principal), id);
  const record = await readEvent(deps.log, eventFilter({}, deps.plans.named(plan)), cursor);
  return inTransaction(deps, input, (own) => owned.sendEventToSubscription(own, id, record));
}

/** @throws {Problem} not_found, conflict */
export const skipWebhookDelivery = (deps: WebhookDeps, input: Input, id: number, deliveryId: string): Promise<void> =>
  inTransaction(deps, input, (own) => owned.skipAccountDelivery(own, id, deliveryId));

/**
 * @param since only deliveries first attempted at or after this time, in ms since 1970 @throws {Problem} not_found,
 * conflict
 */
export const retryFailedWebhookDeliveries = (
  deps: WebhookDeps,
  input: Input,
  id: number,
  since: number,
): Promise<Retried> => inTransaction(deps, input, (own) => owned.retryFailedAccountDeliveries(own, id, since));
