/**
 * The plans that this process offers, and what each allows a principal to do. They are configuration that is read once at start, so
 * that they are the same for everything in a process.
 */
import type { Logger } from 'pino';
import type { Principal } from '../../http/auth.ts';
import { Problem } from '../../http/errors.ts';
import { BUILT_IN, type Plan, type Plans, type PlanWindow } from './plan-file.ts';

let offered: Plans = BUILT_IN;
let byName = new Map<string, Plan>();
let warn: (name: string) => void = () => {};
/** Plans of accounts that are no longer offered, each logged once. */
let unknown = new Set<string>();

/** Sets the plans of this process. @param logger is told once of each plan that accounts are still on */
export function offerPlans(plans: Plans, logger?: Pick<Logger, 'warn'>): void {
  offered = plans;
  byName = new Map(plans.list.map((plan) => [plan.name, plan]));
  unknown = new Set();
  warn = (name) =>
    logger?.warn(
      { plan: name, treated_as: plans.list[0]!.name },
      'accounts are on a plan that is not offered: they are treated as on the first plan of the list',
    );
}
offerPlans(BUILT_IN);

/** The smallest first. */
export const offeredPlans = (): readonly Plan[] => offered.list;

export const planNames = (): string[] => offered.list.map(({ name }) => name);

/** The plan of new accounts. */
export const defaultPlan = (): string => offered.default;

/** A plan that is no longer offered is treated as the first of the list, the smallest one. */
export function planNamed(name: string): Plan {
  const plan = byName.get(name);
  if (plan !== undefined) return plan;
  if (!unknown.has(name)) {
    unknown.add(name);
    warn(name);
  }
  return offered.list[0]!;
}

/** An account whose address is not verified has one of so many requests of a day or month, on the plan of new accounts. */
const UNVERIFIED_SHARE = 10;

/** Each is one object, by which the limits of an account see that its plan has not changed. */
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

/** @param account.plan its name */
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
 * The plans with webhooks as a parameter of `hasWebhooks`: their names; or '*' and the names of the plans without, where accounts on a
 * plan that is not offered have webhooks too.
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

/** Streams that are counted together, and how many of them there may be. */
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
