/** Which resources need a new status: their rows, or the dispatchers of these, have changed since the status was made. */
import type { Queryable } from '../../src/db/postgres.ts';
import type { Subscription } from '../../src/webhooks/queries.ts';
import { stateOf, subscriptions } from '../../src/webhooks/subscription.ts';
import { dedicatedGroup } from './desired.ts';
import { groupsAlive } from './queries.ts';

/** What a status depends on. Times and counts, which change with each delivery, are left out. */
function digest(row: Subscription, alive: ReadonlySet<string>): string {
  const { managedBy, dispatcherGroup: group, lastSuccessAt, failures, disabledReason, fault, gap } = row;
  const dispatchers = [group, alive.has(group), alive.has(dedicatedGroup(managedBy!.uid))];
  return JSON.stringify([stateOf(row), dispatchers, lastSuccessAt === null, failures > 0, disabledReason, fault, gap]);
}

export class StatusTriggers {
  /** Digests by uid. */
  #known = new Map<string, string>();

  /** A status was made of this row. @param alive groups with a dispatcher that is alive */
  reported(row: Subscription, alive: ReadonlySet<string>): void {
    this.#known.set(row.managedBy!.uid, digest(row, alive));
  }

  /** @returns `namespace/name` of the resources that have changed since the last poll, or since they were reported */
  async poll(db: Queryable): Promise<string[]> {
    const alive = await groupsAlive(db);
    const rows = await subscriptions(db, { managed: true });
    const current = new Map(rows.map((row) => [row.managedBy!.uid, digest(row, alive)]));
    const changed = rows.filter(({ managedBy }) => this.#known.get(managedBy!.uid) !== current.get(managedBy!.uid));
    this.#known = current;
    return changed.map(({ managedBy }) => `${managedBy!.namespace}/${managedBy!.name}`);
  }
}
