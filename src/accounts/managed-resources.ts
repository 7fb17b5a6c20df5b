/** Kubernetes resources that own accounts, keys, feed tokens, plans and sources. Only the resource may change what it owns. */
import type { Queryable } from '../db/postgres.ts';
import { Problem } from '../http/index.ts';
import type { Actor } from './audit.ts';

export type ManagedKind = 'Account' | 'ApiKey' | 'FeedToken' | 'Plan' | 'Source';

export interface ManagingResource {
  kind: ManagedKind;
  namespace: string;
  name: string;
  uid: string;
  /** The installation whose operator serves the resource: `<namespace>/<name>`. */
  installation: string;
  /** The uid of the cluster. Null if it is unknown. */
  cluster: string | null;
}

/** A resource with the id or name of what it owns. */
export interface Ownership extends ManagingResource {
  target: string;
}

/** The actor for changes that a resource requests. */
export const resourceActor = ({ kind, namespace, name, uid }: ManagingResource): Actor => ({
  name: `${kind} ${namespace}/${name}`,
  address: null,
  isOperator: true,
  resource: uid,
});

const COLUMNS = 'uid, kind, target, namespace, name, installation, cluster';

/** @returns what a resource owns; null if nothing */
export async function findOwned(db: Queryable, uid: string): Promise<Ownership | null> {
  const { rows } = await db.query<Ownership>(`SELECT ${COLUMNS} FROM managed_resource WHERE uid = $1`, [uid]);
  return rows[0] ?? null;
}

/** @returns the resource that owns a target; null if none does */
async function findOwner(db: Queryable, kind: ManagedKind, target: number | string): Promise<Ownership | null> {
  const { rows } = await db.query<Ownership>(
    `SELECT ${COLUMNS} FROM managed_resource WHERE kind = $1 AND target = $2`,
    [kind, String(target)],
  );
  return rows[0] ?? null;
}

/** Lists what the resources of an installation own. */
export async function listOwned(db: Queryable, installation: string): Promise<Ownership[]> {
  const { rows } = await db.query<Ownership>(
    `SELECT ${COLUMNS} FROM managed_resource WHERE installation = $1 ORDER BY kind, namespace, name`,
    [installation],
  );
  return rows;
}

/** @returns the id of the account for which a namespace's resources act; null if the namespace has none */
export async function findNamespaceAccount(
  db: Queryable,
  { namespace, cluster }: Pick<ManagingResource, 'namespace' | 'cluster'>,
): Promise<{ id: number; email: string; isSuspended: boolean } | null> {
  const { rows } = await db.query<{ id: number; email: string; isSuspended: boolean }>(
    `SELECT a.id, a.email, a.suspended_at IS NOT NULL AS "isSuspended" FROM managed_resource r JOIN account a ON a.id::text = r.target
     WHERE r.kind = 'Account' AND r.namespace = $1 AND coalesce(r.cluster, '') = $2`,
    [namespace, cluster ?? ''],
  );
  return rows[0] ?? null;
}

const NOUNS: Readonly<Record<ManagedKind, string>> = {
  Account: 'account',
  ApiKey: 'key',
  FeedToken: 'feed token',
  Plan: 'plan',
  Source: 'source',
};

const ownedText = ({ kind, namespace, name }: ManagingResource) =>
  `The ${NOUNS[kind]} is declared in the cluster by the ${kind} ${name} in the namespace ${namespace}`;

/**
 * Refuses a change to something that a resource owns, unless the resource itself requests the change.
 * @throws {Problem} conflict
 */
export async function refuseManaged(
  db: Queryable,
  kind: ManagedKind,
  target: number | string,
  actor: Actor,
): Promise<void> {
  const owner = await findOwner(db, kind, target);
  if (owner !== null && owner.uid !== actor.resource)
    throw new Problem('conflict', `${ownedText(owner)}: change it there.`);
}

/**
 * Records that a resource owns a target, instead of what it owned before. It takes over from a resource with the same
 * name, which no longer exists. Runs in a transaction.
 * @throws {Problem} conflict if a different resource owns the target, or if the namespace has a different account
 */
export async function ownTarget(db: Queryable, resource: ManagingResource, target: number | string): Promise<void> {
  const { uid, kind, namespace, name, installation, cluster } = resource;
  await forgetFormer(db, resource);
  const values = [uid, kind, String(target), namespace, name, installation, cluster];
  const { rowCount } = await db.query(
    `INSERT INTO managed_resource (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    values,
  );
  if (rowCount === 1) return;
  const owner = await findOwner(db, kind, target);
  if (owner !== null && owner.uid !== uid) throw new Problem('conflict', `${ownedText(owner)}.`);
  const { rowCount: updated } = await db.query(
    'UPDATE managed_resource SET target = $2, installation = $3, cluster = $4 WHERE uid = $1',
    [uid, String(target), installation, cluster],
  );
  if (updated === 0)
    throw new Problem('conflict', `A different Account already declares the account of the namespace ${namespace}.`);
}

/** How long a cluster's operator has to be silent before a new cluster may take over from it. */
const REBUILT = "interval '1 hour'";

/** Forgets resources of the same name that no longer exist, because they were deleted or their cluster was rebuilt. */
async function forgetFormer(db: Queryable, { uid, kind, namespace, name, installation, cluster }: ManagingResource) {
  await db.query(
    `DELETE FROM managed_resource r WHERE r.kind = $1 AND r.namespace = $2 AND r.name = $3 AND r.installation = $4 AND r.uid <> $5
       AND (coalesce(r.cluster, '') = $6 OR NOT EXISTS (SELECT FROM operator_namespace o WHERE o.cluster = coalesce(r.cluster, '')
         AND o.namespace = r.namespace AND o.seen_at > clock_timestamp() - ${REBUILT}))`,
    [kind, namespace, name, installation, uid, cluster ?? ''],
  );
}

/** Forgets what a resource owns, so that it can be changed again elsewhere. */
export const releaseTarget = async (db: Queryable, uid: string): Promise<void> => {
  await db.query('DELETE FROM managed_resource WHERE uid = $1', [uid]);
};
