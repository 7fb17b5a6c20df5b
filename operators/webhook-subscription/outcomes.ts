/** What has come of subscriptions, as far as a status tells it: looked at every few seconds, for those that have changed. */
import type { Queryable } from '../../src/db/postgres.ts';
import type { Subscription } from '../../src/webhooks/queries.ts';
import { stateOf, subscriptions } from '../../src/webhooks/subscription.ts';
import { dedicatedGroup } from './desired.ts';
import { groupsAlive } from './queries.ts';

export interface Outcomes {
  /** What was looked at when a resource was worked on. */
  saw(row: Subscription, alive: ReadonlySet<string>): void;
  /** @returns `namespace/name` of those that have changed since they were seen */
  changed(db: Queryable): Promise<string[]>;
}

/** Times and counts go on all the time; these do not. */
function gist({ managedBy, ...row }: Subscription, alive: ReadonlySet<string>): string {
  const { dispatcherGroup: group, lastSuccessAt, failures, disabledReason, gap } = row;
  const dispatchers = [group, alive.has(group), alive.has(dedicatedGroup(managedBy!.uid))];
  return JSON.stringify([
    stateOf({ ...row, managedBy }),
    dispatchers,
    lastSuccessAt === null,
    failures > 0,
    disabledReason,
    gap,
  ]);
}

export function openOutcomes(): Outcomes {
  /** By uid. */
  let seen = new Map<string, string>();
  return {
    saw: (row, alive) => void seen.set(row.managedBy!.uid, gist(row, alive)),
    async changed(db) {
      const alive = await groupsAlive(db);
      const rows = await subscriptions(db, { managed: true });
      const now = new Map(rows.map((row) => [row.managedBy!.uid, gist(row, alive)]));
      const others = rows.filter(({ managedBy }) => seen.get(managedBy!.uid) !== now.get(managedBy!.uid));
      seen = now;
      return others.map(({ managedBy }) => `${managedBy!.namespace}/${managedBy!.name}`);
    },
  };
}
