/** Providers' match ids, as they are stored with the matches. */
import { prepared, type Queryable } from '../db/postgres.ts';

const STORE_MATCH_IDS = prepared(
  'store external ids',
  `INSERT INTO external_ref (entity, provider, external_id, entity_id)
   SELECT 'match', r.provider, r.external_id, r.id FROM json_to_recordset($1) AS r (provider text, external_id text, id bigint) ORDER BY 2, 3`,
);

export async function storeMatchIds(
  client: Queryable,
  refs: readonly { provider: string; external_id: string; id: number }[],
): Promise<void> {
  if (refs.length > 0) await client.query(STORE_MATCH_IDS([JSON.stringify(refs)]));
}

/** Moves the merged match's ids from providers to the match that stays. */
export async function moveMatchIds(client: Queryable, { from, into }: { from: number; into: number }): Promise<void> {
  await client.query("UPDATE external_ref SET entity_id = $2 WHERE entity = 'match' AND entity_id = $1", [from, into]);
}

export async function forgetMatchIds(client: Queryable, matches: readonly number[]): Promise<void> {
  await client.query("DELETE FROM external_ref WHERE entity = 'match' AND entity_id = ANY ($1)", [matches]);
}
