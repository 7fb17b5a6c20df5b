/** The plans that the service offers, and the rights that each gives a principal. */
import type { Logger } from 'pino';
import type { Queryable } from '../../db/postgres.ts';
import { invalidParameter, type Principal, Problem } from '../../http/index.ts';
import { type Loop, startLoop } from '../../runtime/loop.ts';
import { type DeclaredPlan, lockDeclaredPlan, readDeclaredPlans } from './declared-plans.ts';
import type { Plan, Plans } from './plan-file.ts';
import { unverifiedPlan } from './unverified-plan.ts';

/** A group of streams that are counted together, and the maximum for the group. */
export interface ConnectionLimit {
  subject: string;
  slots: number;
}

/** How often a process reads the declared plans. */
const REFRESH_MS = 5_000;

const byName = (plans: readonly Plan[]): ReadonlyMap<string, Plan> => new Map(plans.map((plan) => [plan.name, plan]));

const byPriceAndName = (a: Plan, b: Plan): number => a.price.amount - b.price.amount || (a.name < b.name ? -1 : 1);

/**
 * The offered plans: the configured plans, and the plans that are declared in the database. A process has one of these,
 * creates it from `config.plans`, and passes it to all code that depends on a plan. `refresh` reads the declared plans.
 */
export class OfferedPlans {
  /** Name of the plan that new accounts get. */
  readonly default: string;
  readonly #configured: readonly Plan[];
  /** As last read. */
  #declared: readonly DeclaredPlan[] = [];
  #list: readonly Plan[];
  #byName: ReadonlyMap<string, Plan>;
  /**
   * The default plan with the limits that apply until the address is verified. It is created once, because a changed
   * plan is detected by object identity.
   */
  readonly #unverified: Plan;
  readonly #logger: Pick<Logger, 'warn'> | undefined;
  /** Plans that accounts still have although they are no longer offered. Each is logged once. */
  readonly #unknown = new Set<string>();
  #following: Loop | undefined;

  /** @param logger receives one warning for each plan that accounts have although it is no longer offered */
  constructor(plans: Plans, logger?: Pick<Logger, 'warn'>) {
    this.#configured = plans.list;
    this.default = plans.default;
    this.#list = plans.list;
    this.#byName = byName(plans.list);
    this.#unverified = unverifiedPlan(this.#byName.get(plans.default)!);
    this.#logger = logger;
  }

  /** The configured plans, smallest first, and then the declared ones by price and name. */
  get list(): readonly Plan[] {
    return this.#list;
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /**
   * Reads the declared plans. Plans whose definitions are unchanged stay the same objects. A plan that cannot be offered
   * is left out, with one warning.
   */
  async refresh(db: Queryable): Promise<void> {
    const known = this.#declared;
    const declared = await readDeclaredPlans(db, known);
    if (declared.length === known.length && declared.every((one, index) => one === known[index])) return;
    const configured = byName(this.#configured);
    const offered = declared.flatMap((one) => {
      if (one.plan !== null && !configured.has(one.name)) return one.plan;
      if (!known.includes(one))
        this.#logger?.warn(
          { plan: one.name },
          one.plan === null
            ? 'a declared plan is not offered, because this version cannot read its definition'
            : 'a declared plan is not offered, because PLANS_FILE has a plan with its name',
        );
      return [];
    });
    this.#declared = declared;
    this.#list = [...this.#configured, ...offered.sort(byPriceAndName)];
    this.#byName = byName(this.#list);
    for (const name of this.#byName.keys()) this.#unknown.delete(name);
  }

  /**
   * Reads the declared plans every 5 seconds until the loop is stopped, and at once if an account is on a plan that is
   * not known. After a failed read, the plans stay as they were last read.
   */
  follow(db: Queryable, logger: Pick<Logger, 'error' | 'info'>, everyMs = REFRESH_MS): Loop {
    this.#following = startLoop({
      run: async () => {
        await this.refresh(db);
        return everyMs;
      },
      retryMs: everyMs,
      failed: 'the declared plans cannot be read, keeping those that were read last',
      recovered: 'the declared plans are read again',
      logger,
    });
    return this.#following;
  }

  /** Returns whether a plan with this name is offered. */
  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Returns whether the plan is declared in the database. */
  isDeclared(name: string): boolean {
    return this.has(name) && this.#configured.every((plan) => plan.name !== name);
  }

  /** Returns the plan with this name, or the smallest plan (the first in the list) if the name is no longer offered. */
  named(name: string): Plan {
    const plan = this.#byName.get(name);
    if (plan !== undefined) return plan;
    const smallest = this.list[0]!;
    if (!this.#unknown.has(name)) {
      this.#unknown.add(name);
      this.#following?.wake();
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

  /**
   * Returns whether a plan is offered, by what the database says now. Until the transaction ends, the plan cannot be
   * withdrawn.
   */
  async lock(db: Queryable, name: string): Promise<boolean> {
    return this.#configured.some((plan) => plan.name === name) || lockDeclaredPlan(db, name);
  }

  /** Like `lock`. @throws {Problem} invalid_parameter if the plan is not offered */
  async require(db: Queryable, name: string): Promise<void> {
    if (!(await this.lock(db, name)))
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
