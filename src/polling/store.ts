/** Queries on the table `source_scope`. */
import type { Queryable } from '../db/postgres.ts';
import type { Asked } from './due-requests.ts';

export interface StoredScope {
  known: unknown;
  asked: Record<string, Asked>;
}

/**
 * Returns a source's scopes by name. Leaves out scopes that were stored with another version of the provider's state.
 */
export async function readScopes(db: Queryable, source: string, version: number): Promise<Map<string, StoredScope>> {
  const { rows } = await db.query<StoredScope & { scope: string }>(
    'SELECT scope, known, asked FROM source_scope WHERE source = $1 AND known_version = $2',
    [source, version],
  );
  return new Map(rows.map(({ scope, known, asked }) => [scope, { known, asked }]));
}

export async function saveScope(
  db: Queryable,
  source: string,
  scope: string,
  version: number,
  { known, asked }: StoredScope,
): Promise<void> {
  await db.query(
    `INSERT INTO source_scope (source, scope, known_version, known, asked) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (source, scope) DO UPDATE
     SET known_version = excluded.known_version, known = excluded.known, asked = excluded.asked`,
    [source, scope, version, JSON.stringify(known), JSON.stringify(asked)],
  );
}
