/**
 * Joins two participants that turn out to be the same, and splits them again. `other` becomes `known`, which takes over the
 * aliases.
 */
import type { Queryable } from '../db/postgres.ts';

/** Joins `other` to `known`. @returns ids of all participants that now stand for `known` */
export async function joinPersons(client: Queryable, known: number, other: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    'UPDATE participant SET person_id = $1 WHERE id = $2 OR person_id = $2 RETURNING id',
    [known, other],
  );
  return rows.map(({ id }) => id);
}

/** Splits `other` off again. @param joined participants that had been joined to `other` before */
export async function splitPersons(client: Queryable, other: number, joined: readonly number[]): Promise<void> {
  await client.query('UPDATE participant SET person_id = NULL WHERE id = $1', [other]);
  await client.query('UPDATE participant SET person_id = $1 WHERE id = ANY ($2)', [other, joined]);
}

export interface MovedAlias {
  name: string;
  locale: string;
  provider: string;
  key: string;
  /** False if `known` already had this alias. */
  isNew: boolean;
}

export async function moveAliases(client: Queryable, known: number, other: number): Promise<MovedAlias[]> {
  const { rows } = await client.query<MovedAlias>(
    `WITH gone AS (DELETE FROM participant_alias WHERE participant_id = $2 RETURNING name, locale, provider, key),
       added AS (INSERT INTO participant_alias (participant_id, key, name, locale, provider)
         SELECT $1, key, name, locale, provider FROM gone ORDER BY name, locale ON CONFLICT DO NOTHING RETURNING name, locale)
     SELECT gone.*, added.name IS NOT NULL AS "isNew" FROM gone LEFT JOIN added USING (name, locale)`,
    [known, other],
  );
  return rows;
}

export async function moveAliasesBack(
  client: Queryable,
  known: number,
  other: number,
  aliases: readonly MovedAlias[],
): Promise<void> {
  await client.query(
    `INSERT INTO participant_alias (participant_id, key, name, locale, provider)
     SELECT $1, key, name, locale, provider FROM json_to_recordset($2) AS a (key text, name text, locale text, provider text)
     ORDER BY name, locale ON CONFLICT DO NOTHING`,
    [other, JSON.stringify(aliases)],
  );
  await client.query(
    `DELETE FROM participant_alias a USING json_to_recordset($2) AS g (name text, locale text)
     WHERE a.participant_id = $1 AND a.name = g.name AND a.locale = g.locale`,
    [known, JSON.stringify(aliases.filter(({ isNew }) => isNew))],
  );
}
