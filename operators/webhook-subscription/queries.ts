/** Queries of the operator about all subscriptions together. */
import type { Queryable } from '../../src/db/postgres.ts';
import { SHARED } from '../../src/webhooks/subscription.ts';

/** @returns how many subscriptions shared dispatchers send, those of the portal included */
export async function countSharedSubscriptions(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_subscription WHERE dispatcher_group = $1 AND ended_at IS NULL',
    [SHARED],
  );
  return rows[0]!.count;
}

/** @returns the groups that have a dispatcher that is alive */
export async function groupsAlive(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<{ group: string }>(
    'SELECT DISTINCT dispatcher_group AS "group" FROM webhook_dispatcher WHERE expires_at > clock_timestamp()',
  );
  return new Set(rows.map(({ group }) => group));
}
