/**
 * Plans that this process offers, and what each allows a principal to do. They are read once at start, so that they are
 * the same everywhere in a process.
 */
import type { Logger } from 'pino';
import type { Principal } from '../../http/auth.ts';
import { Problem } from '../../http/errors.ts';
import { BUILT_IN, type Plan, type Plans, type PlanWindow } from './plan-file.ts';

let offered: Plans = BUILT_IN;
let byName = new Map<string, Plan>();
let warn: (name: string) => void = () => {};
/** Names of plans that are no longer offered but still used; each is logged once. */
let unknown = new Set<string>();

/**
 * Sets the plans of this process. @param logger receives one warning per plan that is no longer offered but still used
 */
export function offerPlans(plans: Plans, logger?: Pick<Logger, 'warn'>): void {
  offered = plans;
  byName = new Map(plans.list.map((plan) => [plan.name, plan]));
  unknown = new Set();
  warn = (name) =>
    logger?.warn(
      { plan: name, treated_as: plans.list[0]!.name },
      'accounts are on a plan that is not offered: the first plan of the list applies to them',
    );
}
offerPlans(BUILT_IN);

/** Smallest first. */
export const offeredPlans = (): readonly Plan[] => offered.list;

export const planNames = (): string[] => offered.list.map(({ name }) => name);

/** The plan of new accounts. */
export const defaultPlan = (): string => offered.default;

/** Returns the smallest plan (the first of the list) if the named one is no longer offered. */
export function planNamed(name: string): Plan {
  const plan = byName.get(name);
  if (plan !== undefined) return plan;
  if (!unknown.has(name)) {
    unknown.add(name);
    warn(name);
  }
  return offered.list[0]!;
}

/** An account whose address is not verified has 1/n of the requests per day and month of the plan of new accounts. */
const UNVERIFIED_SHARE = 10;

/** One object per plan: an account's limits detect a plan change by identity. */
const reducedPlans = new WeakMap<Plan, Plan>();

const share = ({ name, quota }: PlanWindow): PlanWindow => ({
  name,
  quota: name === 'burst' ? quota : Math.max(1, Math.floor(quota / UNVERIFIED_SHARE)),
});

function reduced(plan: Plan): Plan {
  const made = reducedPlans.get(plan) ?? {
    ...plan,
    windows: plan.windows.map(share),
    publishableWindows: plan.publishableWindows.map(share),
  };
  reducedPlans.set(plan, made);
  return made;
}

/** @param account.plan name of the plan */
export function planFor(account: { plan: string; awaits_verification: boolean }): Plan {
  const plan = planNamed(account.plan);
  return account.awaits_verification && plan.name === defaultPlan() ? reduced(plan) : plan;
}

export const planOf = ({ plan, awaitsVerification }: Principal): Plan =>
  planFor({ plan, awaits_verification: awaitsVerification });

/** `the plans pro and business`, for messages. */
export function plansWith(channel: 'stream' | 'webhooks'): string {
  const names = offered.list.filter((plan) => plan[channel]).map(({ name }) => name);
  if (names.length < 2) return names[0] === undefined ? 'no plan' : `the plan ${names[0]}`;
  return `the plans ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/**
 * Value of the parameter of `hasWebhooks`: the names of the plans with webhooks; or '*' and the names of the plans
 * without, if accounts on plans that are no longer offered have webhooks too.
 */
export function webhookPlans(): string[] {
  const having = offered.list[0]!.webhooks;
  const names = offered.list.filter(({ webhooks }) => webhooks !== having).map(({ name }) => name);
  return having ? ['*', ...names] : names;
}

/** SQL: whether the plan of the account `a` has webhooks. @param plans the parameter with `webhookPlans()`: `$1` */
export const hasWebhooks = (plans: string) => `('*' = ANY (${plans})) <> (a.plan = ANY (${plans}))`;

/** @throws {Problem} plan_required */
export function requireStream(principal: Principal): Plan {
  const plan = planOf(principal);
  if (plan.stream) return plan;
  throw new Problem('plan_required', `Streams and replay are included in ${plansWith('stream')}, not in ${plan.name}.`);
}

/** The group of streams that are counted together, and its maximum. */
export interface ConnectionLimit {
  subject: string;
  slots: number;
}

/** Publishable keys of an account are counted separately from its secret keys. */
export function connectionLimit(principal: Principal): ConnectionLimit {
  const { connections, publishableConnections } = planOf(principal);
  if (principal.kind === 'sk') return { subject: `account:${principal.accountId}`, slots: connections };
  return { subject: `publishable:${principal.accountId}`, slots: publishableConnections };
}
