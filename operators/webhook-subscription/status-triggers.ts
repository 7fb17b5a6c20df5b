/** Finds the resources that need a new status, because rows or their dispatchers have changed. */
import type { OfferedPlans } from '../../src/accounts/plans/index.ts';
import type { Queryable } from '../../src/db/postgres.ts';
import { type Subscription, subscriptionState, subscriptions } from '../../src/webhooks/subscriptions/index.ts';
import { resourceKey } from '../runtime/resource-watches.ts';
import { KIND } from './crd.ts';
import { dedicatedGroup } from './desired-state.ts';
import { groupsAlive } from './dispatcher-queries.ts';

/** Returns a digest of what a status depends on, without the times and counts that change with each delivery. */
function digest(row: Subscription, alive: ReadonlySet<string>, plans: OfferedPlans): string {
  const { managedBy, dispatcherGroup: group, lastSuccessAt, failures, disabledReason, challenges, fault, gap } = row;
  const dispatchers = [group, alive.has(group), alive.has(dedicatedGroup(managedBy!.uid))];
  const outcomes = [lastSuccessAt === null, failures > 0, disabledReason, challenges > 0, fault, gap];
  return JSON.stringify([subscriptionState(row, plans), dispatchers, ...outcomes]);
}

const keyOf = ({ managedBy }: Subscription) => resourceKey(KIND, managedBy!.namespace, managedBy!.name);

export class StatusTriggers {
  readonly #plans: OfferedPlans;
  /** Keys and digests of the last known rows, by uid. */
  #known = new Map<string, { key: string; digest: string }>();

  constructor(plans: OfferedPlans) {
    this.#plans = plans;
  }

  /** Records that a status was made from this row. @param alive the groups with a live dispatcher */
  reported(row: Subscription, alive: ReadonlySet<string>): void {
    this.#known.set(row.managedBy!.uid, this.#state(row, alive));
  }

  /**
   * Finds the rows that have been added, changed or removed since the last poll or, if that was later, since
   * `reported`.
   * @returns the keys of the rows' resources, see `resourceKey`
   */
  async poll(db: Queryable): Promise<string[]> {
    const alive = await groupsAlive(db);
    const rows = await subscriptions(db, { managed: true });
    const before = this.#known;
    this.#known = new Map(rows.map((row) => [row.managedBy!.uid, this.#state(row, alive)]));
    const changed = [...this.#known].filter(([uid, row]) => before.get(uid)?.digest !== row.digest);
    const gone = [...before].filter(([uid]) => !this.#known.has(uid));
    return [...changed, ...gone].map(([, { key }]) => key);
  }

  #state(row: Subscription, alive: ReadonlySet<string>) {
    return { key: keyOf(row), digest: digest(row, alive, this.#plans) };
  }
}
