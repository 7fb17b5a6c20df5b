/** Queries about the table of served namespaces, in which several installations mark the namespaces that they serve. */
import type { Queryable } from '../../src/db/postgres.ts';

/** How long after its last renewal an installation still counts as serving a namespace. */
export const SERVED_MS = 300_000;

/** A namespace in a cluster. The cluster is '' if its uid is unknown. */
interface Place {
  cluster: string;
  namespace: string;
}

/**
 * Records that the installation serves the namespace.
 * @returns false if another installation already serves it, in a cluster that cannot be distinguished from this one
 */
export async function markServed(db: Queryable, { cluster, namespace }: Place, installation: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO operator_namespace AS o (cluster, namespace, installation, seen_at) VALUES ($1, $2, $3, clock_timestamp())
     ON CONFLICT (cluster, namespace) DO UPDATE SET installation = excluded.installation, seen_at = excluded.seen_at
     WHERE o.installation = excluded.installation OR o.cluster <> '' OR o.seen_at < clock_timestamp() - $4 * interval '1 ms'`,
    [cluster, namespace, installation, SERVED_MS],
  );
  return rowCount === 1;
}

/** @returns whether this installation's operator has served the namespace, using this database, within this time */
export async function wasServedBy(
  db: Queryable,
  { cluster, namespace }: Place,
  installation: string,
  withinMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM operator_namespace
     WHERE cluster = $1 AND namespace = $2 AND installation = $3 AND seen_at > clock_timestamp() - $4 * interval '1 ms'`,
    [cluster, namespace, installation, withinMs],
  );
  return rowCount === 1;
}
