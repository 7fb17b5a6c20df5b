/** The plans that a service offers, and what each allows a principal to do. */
import type { Logger } from 'pino';
import { invalidParameter, type Principal, Problem } from '../../http/index.ts';
import type { Plan, Plans } from './plan-file.ts';
import { unverifiedPlan } from './unverified-plan.ts';

/** The streams that are counted together as a group, and the group's maximum. */
export interface ConnectionLimit {
  subject: string;
  slots: number;
}

/** A role or command creates it from `config.plans` and passes it to all that depends on a plan. */
export class OfferedPlans {
  /** Smallest first. */
  readonly list: readonly Plan[];
  readonly names: readonly string[];
  /** Name of the plan that new accounts get. */
  readonly default: string;
  readonly #byName: ReadonlyMap<string, Plan>;
  /**
   * The default plan as it applies until the address is verified. There is one object because a changed plan is
   * detected by identity.
   */
  readonly #unverified: Plan;
  readonly #logger: Pick<Logger, 'warn'> | undefined;
  /** Names of plans that are no longer offered but still used; each is logged once. */
  readonly #unknown = new Set<string>();

  /** @param logger receives one warning per plan that is no longer offered but still used */
  constructor(plans: Plans, logger?: Pick<Logger, 'warn'>) {
    this.list = plans.list;
    this.names = plans.list.map(({ name }) => name);
    this.default = plans.default;
    this.#byName = new Map(plans.list.map((plan) => [plan.name, plan]));
    this.#unverified = unverifiedPlan(this.#byName.get(plans.default)!);
    this.#logger = logger;
  }

  /** Returns the smallest plan (the first of the list) if the named one is no longer offered. */
  named(name: string): Plan {
    const plan = this.#byName.get(name);
    if (plan !== undefined) return plan;
    const smallest = this.list[0]!;
    if (!this.#unknown.has(name)) {
      this.#unknown.add(name);
      this.#logger?.warn(
        { plan: name, treated_as: smallest.name },
        'accounts are on a plan that is not offered: the first plan of the list applies to them',
      );
    }
    return smallest;
  }

  /** @param account.plan plan name */
  for(account: { plan: string; awaits_verification: boolean }): Plan {
    const plan = this.named(account.plan);
    return account.awaits_verification && plan.name === this.default ? this.#unverified : plan;
  }

  of({ plan, awaitsVerification }: Principal): Plan {
    return this.for({ plan, awaits_verification: awaitsVerification });
  }

  /**
   * Returns which part of the requests may wait for a slow store, up to 1. The greatest plan may use all places, and
   * visitors fewer than the smallest plan.
   */
  shareOf(principal: Principal | null): number {
    const place = principal === null ? 0 : 1 + this.list.indexOf(this.named(principal.plan));
    return (1 + place) / (1 + this.list.length);
  }

  /** @throws {Problem} invalid_parameter if no plan has the name */
  check(name: string): void {
    if (!this.#byName.has(name))
      throw invalidParameter('plan', 'unknown_plan', `must be one of ${this.names.join(', ')}`);
  }

  /** @throws {Problem} plan_required */
  requireStream(principal: Principal): Plan {
    const plan = this.of(principal);
    if (plan.stream) return plan;
    throw new Problem(
      'plan_required',
      `Streams and replay are included in ${this.#with('stream')}, not in ${plan.name}.`,
    );
  }

  /** @param plan the name of the account's plan. @throws {Problem} plan_required */
  requireWebhooks(plan: string): void {
    const refusal = this.webhookRefusal(plan);
    if (refusal !== null) throw new Problem('plan_required', refusal);
  }

  /** Returns why a plan has no webhooks; null if it has them. */
  webhookRefusal(plan: string): string | null {
    if (this.named(plan).webhooks) return null;
    return `Webhooks are part of ${this.#with('webhooks')}, not of ${plan}.`;
  }

  /** An account's publishable keys are counted separately from the secret keys. */
  connectionLimit(principal: Principal): ConnectionLimit {
    const { connections, publishableConnections } = this.of(principal);
    if (principal.kind === 'sk') return { subject: `account:${principal.accountId}`, slots: connections };
    return { subject: `publishable:${principal.accountId}`, slots: publishableConnections };
  }

  /**
   * Returns the parameter value for `hasWebhooks`, which has the names of the plans with webhooks. If accounts on plans
   * that are no longer offered have webhooks too, it has '*' and the names of the plans without webhooks instead.
   */
  webhookPlans(): string[] {
    const having = this.list[0]!.webhooks;
    const names = this.list.filter(({ webhooks }) => webhooks !== having).map(({ name }) => name);
    return having ? ['*', ...names] : names;
  }

  /** `the plans pro and business`, for messages. */
  #with(channel: 'stream' | 'webhooks'): string {
    const names = this.list.filter((plan) => plan[channel]).map(({ name }) => name);
    if (names.length < 2) return names[0] === undefined ? 'no plan' : `the plan ${names[0]}`;
    return `the plans ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  }
}

/**
 * SQL that tells whether the plan on the account `a` has webhooks. @param plans the parameter with `webhookPlans()`,
 * such as `$1`
 */
export const hasWebhooks = (plans: string) => `('*' = ANY (${plans})) <> (a.plan = ANY (${plans}))`;
