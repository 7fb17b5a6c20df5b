/** Stores entities' aliases and Russian names from reviewed lists. */
import type { Queryable } from '../db/postgres.ts';

export interface AliasRow {
  id: number;
  key: string;
  name: string;
  locale: 'en' | 'ru';
}

export interface RussianName {
  id: number;
  nameRu: string;
}

/** Gives entities these Russian names, except those whose name a provider has given. @returns ids of entities whose name has changed */
export async function setRussianNames(
  client: Queryable,
  table: 'participant' | 'tournament',
  names: readonly RussianName[],
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `UPDATE ${table} e SET name_ru = g."nameRu" FROM json_to_recordset($1) AS g (id bigint, "nameRu" text)
     WHERE e.id = g.id AND e.provenance ->> 'name_ru' IS NULL AND e.name_ru IS DISTINCT FROM g."nameRu" RETURNING e.id`,
    [JSON.stringify(names)],
  );
  return rows.map(({ id }) => id);
}

const ID_COLUMNS = { participant_search_alias: 'participant_id', tournament_alias: 'tournament_id' } as const;
const GIVEN = 'json_to_recordset($1) AS g (id bigint, key text, name text, locale text)';

/** Replaces all aliases in a table. @returns how many aliases were removed or added */
export async function replaceAliases(
  client: Queryable,
  table: keyof typeof ID_COLUMNS,
  rows: readonly AliasRow[],
): Promise<number> {
  const id = ID_COLUMNS[table];
  const text = JSON.stringify(rows.filter(({ key }) => key !== ''));
  const removed = await client.query(
    `WITH given AS MATERIALIZED (SELECT * FROM ${GIVEN})
     DELETE FROM ${table} a WHERE NOT EXISTS (
       SELECT FROM given g WHERE g.id = a.${id} AND g.name = a.name AND g.locale = a.locale AND g.key = a.key)`,
    [text],
  );
  const added = await client.query(
    `INSERT INTO ${table} (${id}, key, name, locale)
     SELECT DISTINCT ON (g.id, g.name, g.locale) g.id, g.key, g.name, g.locale FROM ${GIVEN}
     ORDER BY 1, 3, 4 ON CONFLICT DO NOTHING`,
    [text],
  );
  return (removed.rowCount ?? 0) + (added.rowCount ?? 0);
}
