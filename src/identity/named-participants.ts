/** Participants known only by a name and a team. Creates them, joins them to identified persons, and deletes them. */
import type { Queryable } from '../db/postgres.ts';
import { IS_NAMED_ONLY, NAMED_ONLY } from './entity-keys.ts';
import { storeAliases } from './participant-names.ts';
import type { Figure } from './player-figures.ts';

/** Returns a key in the stored form, such as "|name:GB-ENG|liverpool:salah m". The sport and the gender are separate columns. */
const storedKey = ({ kind, key }: Pick<Figure, 'kind' | 'key'>) => `|${NAMED_ONLY}${key.slice(kind.length + 1)}`;

/** The source for names that come from no provider. */
const PROVIDER = 'touchline';

/**
 * Finds or creates the participants for these figures.
 * @returns ids by figure key
 */
export async function ensureNamed(client: Queryable, figures: readonly Figure[]): Promise<Map<string, number>> {
  if (figures.length === 0) return new Map();
  const wanted = figures.map((figure) => {
    const [sport, gender] = figure.kind.split('|');
    const country = figure.isNational ? figure.team_country : null;
    return { figure: figure.key, sport, gender, key: storedKey(figure), name: figure.name, country };
  });
  const { rows } = await client.query<{ figure: string; id: number; name: string }>(
    `WITH wanted AS (
       SELECT * FROM json_to_recordset($1) AS w (figure text, sport text, gender text, key text, name text, country text)
     ), made AS (
       INSERT INTO participant AS p (type, sport, gender, key, name, country)
       SELECT 'player', sport, gender, key, name, country FROM wanted ORDER BY sport, gender, key
       ON CONFLICT (type, sport, gender, key) DO UPDATE SET name = excluded.name, country = excluded.country, person_id = NULL
         WHERE p.name <> excluded.name OR p.country IS DISTINCT FROM excluded.country OR p.person_id IS NOT NULL
       RETURNING id, sport, gender, key
     )
     SELECT w.figure, w.name, coalesce(m.id, p.id) AS id FROM wanted w LEFT JOIN made m USING (sport, gender, key)
     LEFT JOIN participant p ON p.type = 'player' AND p.sport = w.sport AND p.gender = w.gender AND p.key = w.key`,
    [JSON.stringify(wanted)],
  );
  await storeAliases(
    client,
    rows.map(({ id, name }) => ({ id, name, locale: 'en', provider: PROVIDER })),
  );
  return new Map(rows.map(({ figure, id }) => [figure, id]));
}

/**
 * Settles participants that no name stands for any more. If the name is now linked to a person, or belongs to a longer
 * figure, the participant is joined to that person or figure, so that the old id stays valid. If the name no longer occurs in
 * any match, the participant is deleted. Search finds neither joined nor deleted participants.
 * @param joins the participant that each key now stands for
 * @param ids participants that names now stand for
 */
export async function settleNamed(
  client: Queryable,
  joins: readonly (Pick<Figure, 'kind' | 'key'> & { person: number })[],
  ids: readonly number[],
): Promise<{ joined: number; deleted: number }> {
  const rows = joins.map((join) => {
    const [sport, gender] = join.kind.split('|');
    return { sport, gender, key: storedKey(join), person: join.person };
  });
  const joined = await client.query(
    `UPDATE participant p SET person_id = r.person FROM json_to_recordset($1) AS r (sport text, gender text, key text, person bigint)
     WHERE p.type = 'player' AND p.sport = r.sport AND p.gender = r.gender AND p.key = r.key AND p.person_id IS DISTINCT FROM r.person`,
    [JSON.stringify(rows)],
  );
  await client.query(
    `DELETE FROM participant_alias a USING participant p WHERE p.id = a.participant_id AND p.person_id IS NOT NULL`,
  );
  const deleted = await client.query(
    `DELETE FROM participant p WHERE p.type = 'player' AND p.${IS_NAMED_ONLY} AND p.person_id IS NULL AND p.id <> ALL ($1)
       AND NOT EXISTS (SELECT FROM player_mention r WHERE r.participant_id = p.id)
       AND NOT EXISTS (SELECT FROM match_player m WHERE m.participant_id = p.id)`,
    [ids],
  );
  return { joined: joined.rowCount ?? 0, deleted: deleted.rowCount ?? 0 };
}

/**
 * Deletes participants that were joined to a person before any service ran, as happens between the imports for a new
 * catalogue. Nobody has seen their ids, and otherwise the set of ids would depend on the import order.
 * @returns how many were deleted
 */
export async function deleteUnseen(client: Queryable): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM participant p WHERE p.type = 'player' AND p.${IS_NAMED_ONLY} AND p.person_id IS NOT NULL
       AND NOT EXISTS (SELECT FROM job)
       AND NOT EXISTS (SELECT FROM participant o WHERE o.person_id = p.id)
       AND NOT EXISTS (SELECT FROM player_mention r WHERE r.participant_id = p.id)
       AND NOT EXISTS (SELECT FROM match_player m WHERE m.participant_id = p.id)`,
  );
  return rowCount ?? 0;
}
