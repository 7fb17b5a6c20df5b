/**
 * The requests of an account about its webhook subscriptions, for REST and the portal: each checks its input, runs in
 * one transaction and is in the audit log.
 */
import { createOnce, type OnceInput } from '../../accounts/idempotency.ts';
import { transaction } from '../../db/postgres.ts';
import { invalidParameter } from '../../http/errors.ts';
import type { Reply } from '../../http/route.ts';
import type { Retried } from '../delivery/delivery-retry.ts';
import { type RequestedResult, sendChallenge, sendTest } from '../delivery/requested-event.ts';
import { requestDeps, storeDeps, type WebhookDeps } from '../deps.ts';
import { type ReplayFrom, resolveReplay } from '../subscriptions/replay.ts';
import { checkWanted, type Wanted } from '../subscriptions/subscription.ts';
import type { Subscription } from '../subscriptions/subscription-queries.ts';
import * as owned from './account-subscriptions.ts';
import { subscriptionItem } from './subscription-item.ts';

/** Limit of test events and challenges, which may go to third-party addresses. */
export const REQUESTED_LIMIT = { requests: 30, seconds: 60 };

/** A request of a key or a member. */
type Input = Parameters<typeof owned.toOwner>[0];
type Settings = Omit<Wanted, 'dispatcherGroup'>;

/**
 * @returns 201 with the subscription and, unless the request is a repetition, its `secret`
 * @throws {Problem} invalid_parameter, plan_required, conflict
 */
export async function createWebhook(deps: WebhookDeps, input: Input & OnceInput, wanted: Settings): Promise<Reply> {
  const owner = owned.toOwner(input);
  const settings = await checkWanted(deps.guard, wanted);
  return createOnce(deps, input, 'webhook', async (db) => {
    const { id, secret } = await owned.createAccountSubscription(db, storeDeps(deps), owner, settings);
    const created = await owned.findAccountSubscription(db, owner.accountId, id);
    return { item: subscriptionItem(created, deps.plans), secret: { secret } };
  });
}

/** Changes the given settings only. @throws {Problem} not_found, invalid_parameter, conflict */
export async function changeWebhook(
  deps: WebhookDeps,
  input: Input,
  id: number,
  wanted: Partial<Settings>,
): Promise<Subscription> {
  const owner = owned.toOwner(input);
  // Checked before a name is resolved.
  await owned.changeableSubscription(deps.pool, owner.accountId, id);
  const changes = await checkWanted(deps.guard, wanted);
  return transaction(deps.pool, async (db) => {
    await owned.changeAccountSubscription(db, storeDeps(deps), owner, id, changes);
    return owned.findAccountSubscription(db, owner.accountId, id);
  });
}

/** @throws {Problem} not_found, conflict */
export const deleteWebhook = (deps: WebhookDeps, input: Input, id: number): Promise<void> =>
  transaction(deps.pool, (db) => owned.deleteAccountSubscription(db, storeDeps(deps), owned.toOwner(input), id));

/**
 * @returns 201 with the subscription and, unless the request is a repetition, its new `secret`
 * @throws {Problem} not_found, conflict
 */
export function rotateWebhookSecret(deps: WebhookDeps, input: Input & OnceInput, id: number): Promise<Reply> {
  const owner = owned.toOwner(input);
  return createOnce(deps, input, 'rotated webhook', async (db) => {
    const secret = await owned.rotateAccountSubscription(db, storeDeps(deps), owner, id);
    const rotated = await owned.findAccountSubscription(db, owner.accountId, id);
    return { item: subscriptionItem(rotated, deps.plans), secret: { secret } };
  });
}

const SEND = { tested: sendTest, challenged: sendChallenge };

/** Sends a test event or a challenge now. @throws {Problem} not_found, plan_required, conflict */
export async function requestEvent(
  deps: WebhookDeps,
  input: Input,
  id: number,
  action: keyof typeof SEND,
): Promise<RequestedResult> {
  const owner = owned.toOwner(input);
  const { plan } = await owned.findAccountSubscription(deps.pool, owner.accountId, id);
  deps.plans.requireWebhooks(plan);
  const outcome = await SEND[action](requestDeps(deps), id);
  await owned.noteRequested(deps.pool, deps.clock, owner, id, action, outcome);
  return outcome;
}

/**
 * Lifts a pause or a disabling.
 * @param from events from there on are sent (again); by default no event is sent again
 * @throws {Problem} not_found, conflict, cursor_expired, rate_limited
 */
export async function enableWebhook(
  deps: WebhookDeps,
  input: Input,
  id: number,
  from: ReplayFrom,
): Promise<Subscription> {
  const owner = owned.toOwner(input);
  await owned.findAccountSubscription(deps.pool, owner.accountId, id);
  const cursor = await resolveReplay(deps.log, deps.clock, from);
  return transaction(deps.pool, async (db) => {
    await owned.enableAccountSubscription(db, storeDeps(deps), owner, id, cursor);
    return owned.findAccountSubscription(db, owner.accountId, id);
  });
}

/** @throws {Problem} not_found, invalid_parameter without a start, conflict, cursor_expired, rate_limited */
export async function replayWebhook(
  deps: WebhookDeps,
  input: Input,
  id: number,
  from: ReplayFrom,
): Promise<Subscription> {
  const owner = owned.toOwner(input);
  await owned.findAccountSubscription(deps.pool, owner.accountId, id);
  const cursor = await resolveReplay(deps.log, deps.clock, from);
  if (cursor === undefined) throw invalidParameter('cursor', 'required', 'or `since` is required');
  return transaction(deps.pool, async (db) => {
    await owned.replayAccountSubscription(db, storeDeps(deps), owner, id, cursor);
    return owned.findAccountSubscription(db, owner.accountId, id);
  });
}

/** @throws {Problem} not_found, conflict */
export const retryWebhookDelivery = (deps: WebhookDeps, input: Input, id: number, deliveryId: string): Promise<void> =>
  transaction(deps.pool, (db) => owned.retryAccountDelivery(db, storeDeps(deps), owned.toOwner(input), id, deliveryId));

/** @param since earliest time of the first attempts, in ms since 1970. @throws {Problem} not_found, conflict */
export const retryFailedWebhookDeliveries = (
  deps: WebhookDeps,
  input: Input,
  id: number,
  since: number,
): Promise<Retried> =>
  transaction(deps.pool, (db) =>
    owned.retryFailedAccountDeliveries(db, storeDeps(deps), owned.toOwner(input), id, since),
  );
