/** Aliases: every name by which search finds a participant. */
import { foldName } from '../db/fold.ts';
import type { Queryable } from '../db/postgres.ts';

/** @returns how many were not stored before */
export async function storeAliases(
  client: Queryable,
  aliases: readonly { id: number; name: string; locale: string; provider: string }[],
): Promise<number> {
  if (aliases.length === 0) return 0;
  const keyed = aliases.map((alias) => ({ ...alias, key: foldName(alias.name) })).filter((alias) => alias.key !== '');
  const { rowCount } = await client.query(
    `INSERT INTO participant_alias (participant_id, key, name, locale, provider)
     SELECT r.id, r.key, r.name, r.locale, r.provider FROM json_to_recordset($1) AS r (id bigint, key text, name text, locale text, provider text)
     ORDER BY 1, 3 ON CONFLICT DO NOTHING`,
    [JSON.stringify(keyed)],
  );
  return rowCount ?? 0;
}
