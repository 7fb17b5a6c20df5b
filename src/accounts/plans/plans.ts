/** The plans that the service offers, and what each allows a principal to do. */
import type { Logger } from 'pino';
import { invalidParameter, type Principal, Problem } from '../../http/index.ts';
import type { Plan, Plans } from './plan-file.ts';
import { unverifiedPlan } from './unverified-plan.ts';

/** A group of streams that are counted together, and the maximum for the group. */
export interface ConnectionLimit {
  subject: string;
  slots: number;
}

/**
 * The offered plans. A role or command creates this from `config.plans` and passes it to all code that depends on a
 * plan.
 */
export class OfferedPlans {
  /** Smallest first. */
  readonly list: readonly Plan[];
  readonly names: readonly string[];
  /** Name of the plan that new accounts get. */
  readonly default: string;
  readonly #byName: ReadonlyMap<string, Plan>;
  /**
   * The default plan with the limits that apply until the address is verified. It is created once, because a changed
   * plan is detected by object identity.
   */
  readonly #unverified: Plan;
  readonly #logger: Pick<Logger, 'warn'> | undefined;
  /** Plans that accounts still have although they are no longer offered. Each is logged once. */
  readonly #unknown = new Set<string>();

  /** @param logger receives one warning for each plan that accounts have although it is no longer offered */
  constructor(plans: Plans, logger?: Pick<Logger, 'warn'>) {
    this.list = plans.list;
    this.names = plans.list.map(({ name }) => name);
    this.default = plans.default;
    this.#byName = new Map(plans.list.map((plan) => [plan.name, plan]));
    this.#unverified = unverifiedPlan(this.#byName.get(plans.default)!);
    this.#logger = logger;
  }

  /** Returns the plan with this name, or the smallest plan (the first in the list) if the name is no longer offered. */
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
   * Returns which share of a slow store's waiting places a request may occupy, up to 1. The largest plan may use all
   * places. Requests without a key may use fewer than the smallest plan.
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

  /** @throws {Problem} plan_required if the plan has no streams */
  requireStream(principal: Principal): Plan {
    const plan = this.of(principal);
    if (plan.stream) return plan;
    throw new Problem(
      'plan_required',
      `Streams and replay are included in ${this.#with('stream')}, not in ${plan.name}.`,
    );
  }

  /**
   * @param plan the name of the account's plan
   * @throws {Problem} plan_required if the plan has no webhooks
   */
  requireWebhooks(plan: string): void {
    const refusal = this.webhookRefusal(plan);
    if (refusal !== null) throw new Problem('plan_required', refusal);
  }

  /** Returns why a plan has no webhooks; null if it has them. */
  webhookRefusal(plan: string): string | null {
    if (this.named(plan).webhooks) return null;
    return `Webhooks are part of ${this.#with('webhooks')}, not of ${plan}.`;
  }

  /**
   * Returns which streams are counted together. The streams of publishable keys and of secret keys are counted
   * separately.
   */
  connectionLimit(principal: Principal): ConnectionLimit {
    const { connections, publishableConnections } = this.of(principal);
    if (principal.kind === 'sk') return { subject: `account:${principal.accountId}`, slots: connections };
    return { subject: `publishable:${principal.accountId}`, slots: publishableConnections };
  }

  /**
   * Returns the parameter for `hasWebhooks`. It normally lists the plans with webhooks. If the smallest plan has
   * webhooks, accounts whose plan is no longer offered have them, too. The parameter then lists '*' and the plans
   * without webhooks.
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
 * SQL that is true if the plan of the account `a` has webhooks.
 * @param plans the parameter with `webhookPlans()`, such as `$1`
 */
export const hasWebhooks = (plans: string) => `('*' = ANY (${plans})) <> (a.plan = ANY (${plans}))`;
