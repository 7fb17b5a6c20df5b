/** The plans, and what each allows a principal to do. */
import type { EventAccess } from '../events/filter.ts';
import type { Principal } from '../http/auth.ts';
import { Problem } from '../http/errors.ts';
import type { PlanName } from './keys.ts';

/** Requests per second, day or calendar month (UTC), over all keys of the account. */
export interface PlanWindow {
  name: 'burst' | 'day' | 'month';
  quota: number;
}

export interface Plan {
  name: PlanName | 'site';
  windows: readonly PlanWindow[];
  /** Concurrent streams over all secret keys of the account, SSE and WebSocket together. */
  connections: number;
  /** Concurrent streams over its publishable keys, which are shared by the visitors of a site. */
  publishableConnections: number;
  stream: boolean;
  webhooks: boolean;
  /** null: all events. */
  access: EventAccess | null;
  /** Roubles per month. */
  price: number;
}

/** Of a new account. */
export const DEFAULT_PLAN: PlanName = 'trial';

/** Concurrent streams (spec: the sixth is refused). */
export const CONNECTIONS = 5;

const plan = (name: Plan['name'], windows: readonly PlanWindow[], over: Partial<Plan> = {}): Plan => ({
  name,
  windows,
  connections: CONNECTIONS,
  publishableConnections: CONNECTIONS,
  stream: false,
  webhooks: false,
  access: null,
  price: 0,
  ...over,
});
const burst = (quota: number): PlanWindow => ({ name: 'burst', quota });
const day = (quota: number): PlanWindow => ({ name: 'day', quota });
const month = (quota: number): PlanWindow => ({ name: 'month', quota });

export const PLANS: Readonly<Record<PlanName, Plan>> = {
  free: plan('free', [burst(2), month(500)]),
  trial: plan('trial', [burst(2), day(1_000)]),
  starter: plan('starter', [burst(5), day(50_000)], { price: 4_900 }),
  pro: plan('pro', [burst(20), day(500_000)], {
    stream: true,
    webhooks: true,
    publishableConnections: 100,
    price: 19_900,
  }),
  business: plan('business', [burst(100), day(2_000_000)], {
    stream: true,
    webhooks: true,
    publishableConnections: 1_000,
    price: 49_900,
  }),
};

/** The plan of sessions of our own pages, which have no account. */
const SITE = plan('site', [], { stream: true });

/** A plan that is no longer offered is treated as the smallest one. */
export function planOf(principal: Principal): Plan {
  if (principal.kind === 'session') return SITE;
  return planNamed(principal.plan);
}

export function planNamed(name: string): Plan {
  return Object.hasOwn(PLANS, name) ? PLANS[name as PlanName] : PLANS.free;
}

/** @throws {Problem} plan_required */
export function requireStream(principal: Principal): Plan {
  const plan = planOf(principal);
  if (plan.stream) return plan;
  throw new Problem(
    'plan_required',
    `Streams and replay are included in the plans pro and business, not in ${plan.name}.`,
  );
}

/** Streams that are counted together, and how many of them there may be. */
export interface ConnectionLimit {
  subject: string;
  slots: number;
}

/** Publishable keys of an account are counted separately from its secret keys; visitors of our own pages by session. */
export function connectionLimit(principal: Principal): ConnectionLimit {
  const { connections, publishableConnections } = planOf(principal);
  if (principal.kind === 'session') return { subject: `session:${principal.sessionId}`, slots: connections };
  if (principal.kind === 'sk') return { subject: `account:${principal.accountId}`, slots: connections };
  return { subject: `publishable:${principal.accountId}`, slots: publishableConnections };
}
