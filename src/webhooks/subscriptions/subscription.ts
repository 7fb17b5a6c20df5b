/**
 * Managing webhook subscriptions: for the account (portal, API), the command line, and the operator of custom resources.
 *
 * `createSubscription` returns the id and the secret, once; with `managedBy` it is idempotent by the uid of the resource (`created: false`
 * and no secret: the existing secret stays, see `rotateSecret`). `changeSubscription` changes url, filters, group and paused;
 * `enableSubscription` lifts a pause or a disabling. `subscriptions` reads the current state: position and lag, last success and failure,
 * the dispatcher that has leased it. `endSubscription` deletes; the delivery log stays. Dispatchers see a change within about a second.
 *
 * @example
 * const guard = createGuard({ allow: config.webhookAllow });
 * const plans = new OfferedPlans(config.plans, logger);
 * const deps = { pool, clock, guard, secretKeys: config.secretKeys, policy: webhookPolicy(config), plans };
 * const { id, secret } = await createSubscription(deps, { account: 'a@example.com', url: 'https://example.com/hook', eventTypes: ['match.*'] });
 * const [one] = await subscriptions(pool, { managedUid: uid });
 */

import { decryptSecret, encryptSecret } from '../../accounts/index.ts';
import type { OfferedPlans, Plan } from '../../accounts/plans/index.ts';
import type { Queryable } from '../../db/postgres.ts';
import { within } from '../../events/index.ts';
import { invalidParameter, Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Guard } from './address-guard.ts';
import { checkSettings, type FilterSettings, parseSettings, type WebhookFilter } from './event-filter.ts';
import { requiresHandshake, type WebhookPolicy } from './operator-limits.ts';
import { checkSecret, generateSecret } from './secret.ts';
import { checkNotes, checkUrl, checkWanted, type Wanted } from './settings.ts';
import { FAILING_AFTER } from './subscription-health.ts';
import type { ManagedBy, Subscription, SubscriptionFilter, SubscriptionState } from './subscription-queries.ts';
import * as queries from './subscription-queries.ts';

/** The group of dispatchers for subscriptions without a group of their own. */
export const SHARED = 'shared';

export interface SubscriptionDeps {
  /** A pool, or a transaction. */
  pool: Queryable;
  clock: Clock;
  guard: Guard;
  /** `config.secretKeys` */
  secretKeys: readonly string[];
  policy: WebhookPolicy;
  plans: OfferedPlans;
}

export interface NewSubscription extends Wanted {
  /** Email of an existing account. */
  account: string;
  /** Default: generated. */
  secret?: string | undefined;
  managedBy?: ManagedBy | undefined;
}

export interface Created {
  id: number;
  /** Shown once; null if the resource already has a subscription. */
  secret: string | null;
  created: boolean;
}

/** Returns the filter of a dispatcher: as requested, within the access of the plan. */
export function toFilter(settings: FilterSettings, { access }: Plan): WebhookFilter {
  const filter = parseSettings(settings);
  return { ...filter, ...within(filter, access) };
}

/**
 * Stores a subscription whose settings were checked.
 * @returns null if the custom resource already has a subscription
 */
export const storeSubscription = (
  db: Queryable,
  { clock, secretKeys, policy, plans }: Pick<SubscriptionDeps, 'clock' | 'secretKeys' | 'policy' | 'plans'>,
  { id: accountId, plan }: { id: number; plan: string },
  { url, ...wanted }: Wanted,
  { secret, managedBy = null }: { secret: string; managedBy?: ManagedBy | null | undefined },
): Promise<number | null> =>
  queries.insertSubscription(db, {
    accountId,
    url,
    eventTypes: wanted.eventTypes ?? [],
    sports: wanted.sports ?? [],
    leagues: wanted.leagues ?? [],
    matchIds: wanted.matchIds ?? [],
    participantIds: wanted.participantIds ?? [],
    description: wanted.description ?? '',
    metadata: wanted.metadata ?? {},
    dispatcherGroup: wanted.dispatcherGroup ?? SHARED,
    paused: wanted.paused ?? false,
    secret: encryptSecret(secret, secretKeys),
    managedBy,
    now: new Date(clock.now()),
    handshake: requiresHandshake(policy, plans.named(plan)),
  });

/** @throws {Problem} invalid_parameter, plan_required */
export async function createSubscription(deps: SubscriptionDeps, input: NewSubscription): Promise<Created> {
  const { pool, guard, plans } = deps;
  const { account: email, secret = generateSecret(), managedBy, ...wanted } = input;
  checkSettings(wanted);
  checkNotes(wanted);
  checkSecret(secret);
  const account = await queries.findAccount(pool, email);
  if (account === null)
    throw invalidParameter('account', 'unknown_account', `there is no account ${JSON.stringify(email)}`);
  plans.requireWebhooks(account.plan);
  const url = await checkUrl(guard, wanted.url);
  const id = await storeSubscription(pool, deps, account, { ...wanted, url }, { secret, managedBy });
  if (id !== null) return { id, secret, created: true };
  const [existing] = await queries.findSubscriptions(pool, { managedUid: managedBy?.uid });
  if (existing === undefined) throw new Problem('conflict', 'The subscription was deleted at the same time.');
  return { id: existing.id, secret: null, created: false };
}

export const unknownSubscription = (id: number) => new Problem('not_found', `There is no webhook subscription ${id}.`);

/** Changes the given fields only. A new URL may have to be confirmed. @throws {Problem} invalid_parameter, not_found */
export async function changeSubscription(deps: SubscriptionDeps, id: number, changes: Partial<Wanted>): Promise<void> {
  const { pool, guard, clock, policy, plans } = deps;
  const checked = await checkWanted(guard, changes);
  const [one] = await queries.findSubscriptions(pool, { id });
  if (one === undefined) throw unknownSubscription(id);
  const newUrl = { handshake: requiresHandshake(policy, plans.named(one.plan)), now: new Date(clock.now()) };
  if (!(await queries.updateSubscription(pool, id, checked, newUrl))) throw unknownSubscription(id);
}

/** @throws {Problem} not_found */
export async function endSubscription({ pool, clock }: SubscriptionDeps, id: number): Promise<void> {
  if (!(await queries.endSubscription(pool, id, new Date(clock.now())))) throw unknownSubscription(id);
}

/** @returns null if no key decrypts it */
function readableSecret(stored: string, secretKeys: readonly string[]): string | null {
  try {
    return decryptSecret(stored, secretKeys);
  } catch {
    return null;
  }
}

/**
 * Rotates the secret; the previous one also signs for ROTATION_OVERLAP_HOURS. Passing the current secret changes
 * nothing.
 * @param secret default: a generated one
 * @returns the secret, once
 * @throws {Problem} invalid_parameter, not_found
 */
export async function rotateSecret(deps: SubscriptionDeps, id: number, secret = generateSecret()): Promise<string> {
  const { pool, clock, secretKeys } = deps;
  checkSecret(secret);
  const current = await queries.encryptedSecret(pool, id);
  if (current === null) throw unknownSubscription(id);
  const former = readableSecret(current, secretKeys);
  if (former === secret) return secret;
  // A secret that cannot be read cannot sign either: a new one is the repair.
  const kept = former !== null;
  if (!(await queries.replaceSecret(pool, id, encryptSecret(secret, secretKeys), new Date(clock.now()), kept)))
    throw unknownSubscription(id);
  return secret;
}

/**
 * Lifts a pause or a disabling, and clears a gap.
 * @param replayFrom events after this cursor are sent (again), as far back as the event log reaches
 * @throws {Problem} not_found
 */
export async function enableSubscription({ pool }: SubscriptionDeps, id: number, replayFrom?: number): Promise<void> {
  if (!(await queries.enableSubscription(pool, id, replayFrom))) throw unknownSubscription(id);
}

/**
 * Sends the events after a cursor again; a cursor after the position changes nothing.
 * @throws {Problem} not_found, conflict for a disabled subscription
 */
export async function replaySubscription({ pool }: SubscriptionDeps, id: number, cursor: number): Promise<void> {
  if (await queries.rewindSubscription(pool, id, cursor)) return;
  const [one] = await queries.findSubscriptions(pool, { id });
  if (one === undefined) throw unknownSubscription(id);
  throw new Problem('conflict', 'The subscription is disabled. Enable it, from the same cursor or time.');
}

export const subscriptions = (db: Queryable, filter: SubscriptionFilter): Promise<Subscription[]> =>
  queries.findSubscriptions(db, filter);

/** Returns the first state that applies, in order of how strongly it prevents sending. */
export function subscriptionState(subscription: Subscription, plans: OfferedPlans): SubscriptionState {
  if (subscription.endedAt !== null) return 'ended';
  if (subscription.disabledAt !== null) return 'disabled';
  if (subscription.suspendedAt !== null || !plans.named(subscription.plan).webhooks) return 'suspended';
  if (subscription.paused) return 'paused';
  if (subscription.unconfirmedSince !== null) return 'unconfirmed';
  return subscription.failures >= FAILING_AFTER || subscription.fault !== null ? 'failing' : 'active';
}
