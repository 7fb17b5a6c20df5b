/** Queries about the dispatchers, which serve the subscriptions from resources and those from the portal. */
import { firstRow, type Queryable } from '../../src/db/postgres.ts';
import { SHARED } from '../../src/webhooks/subscriptions/index.ts';

/** How much work the shared dispatchers have. */
export interface SharedWork {
  /** Number of shared subscriptions, including those from the portal. */
  subscriptions: number;
  /** The share of capacity, 0 to 1, that each dispatcher uses, summed over all dispatchers. */
  load: number;
}

export async function readSharedWork(db: Queryable): Promise<SharedWork> {
  const { rows } = await db.query<SharedWork>(
    `SELECT (SELECT count(*)::int FROM webhook_subscription WHERE dispatcher_group = $1 AND ended_at IS NULL) AS subscriptions,
       (SELECT coalesce(sum(load), 0)::float8 FROM webhook_dispatcher
        WHERE dispatcher_group = $1 AND expires_at > clock_timestamp()) AS load`,
    [SHARED],
  );
  return firstRow(rows);
}

/** @returns the groups that have a live dispatcher */
export async function groupsAlive(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<{ group: string }>(
    'SELECT DISTINCT dispatcher_group AS "group" FROM webhook_dispatcher WHERE expires_at > clock_timestamp()',
  );
  return new Set(rows.map(({ group }) => group));
}
