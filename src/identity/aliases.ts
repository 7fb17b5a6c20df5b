/** Aliases: every name by which search finds a participant. */
import { foldName } from '../db/fold.ts';
import type { Queryable } from '../db/postgres.ts';

/** @returns the number of new ones */
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

/** Search finds a tournament by its display names immediately; by other names after the next refresh of the search. */
export async function storeTournamentNames(client: Queryable, id: number): Promise<void> {
  const { rows } = await client.query<{ name: string; name_ru: string | null }>(
    'SELECT name, name_ru FROM tournament WHERE id = $1',
    [id],
  );
  const names = rows.flatMap(({ name, name_ru }) => [
    { name, locale: 'en' },
    ...(name_ru === null ? [] : [{ name: name_ru, locale: 'ru' }]),
  ]);
  for (const { name, locale } of names)
    await client.query(
      'INSERT INTO tournament_alias (tournament_id, key, name, locale) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [id, foldName(name), name, locale],
    );
}
