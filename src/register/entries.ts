/**
 * A register lists entities with their ids at many providers. The entries are stored as they are, because an entry may be
 * imported before the entity that it means. An entry that means nothing of ours never becomes a participant.
 */
import type pg from 'pg';
import { transaction } from '../db/postgres.ts';

export type RegisterEntity = 'tournament' | 'team' | 'player';

export interface RegisterEntry {
  /** Provider id of the register, such as `reep`. */
  register: string;
  entity: RegisterEntity;
  register_id: string;
  name: string;
  /** A person's full name. */
  full_name: string | null;
  /** Our country codes. There are several if the register names a state with several associations, and none if it names none of ours. */
  countries: string[];
  /** YYYY-MM-DD: a person's birth date, or the day on which a club was founded. */
  since: string | null;
  /** The id by provider, with the register itself among the providers. */
  ids: Record<string, string>;
}

const ENTRIES = `json_to_recordset($1) AS r (at int, register text, entity text, register_id text, name text, full_name text, countries text[],
  since date, ids jsonb)`;

/**
 * Stores entries. They replace the stored ones with the same register id. Two entries of one call must not have the same id.
 * @returns positions of the entries that have changed something
 */
export async function storeEntries(pool: pg.Pool, entries: readonly RegisterEntry[]): Promise<Set<number>> {
  const given = JSON.stringify(entries.map((entry, at) => ({ ...entry, at })));
  const { rows } = await transaction(pool, (client) =>
    client.query<{ at: number }>(
      `WITH given AS (SELECT * FROM ${ENTRIES}), stored AS (
         INSERT INTO register_entry AS e (register, entity, register_id, name, full_name, countries, since, ids)
         SELECT register, entity, register_id, name, full_name, countries, since, ids FROM given ORDER BY 1, 2, 3
         ON CONFLICT (register, entity, register_id) DO UPDATE SET name = excluded.name, full_name = excluded.full_name,
           countries = excluded.countries, since = excluded.since, ids = excluded.ids
         WHERE (e.name, e.full_name, e.countries, e.since, e.ids)
           IS DISTINCT FROM (excluded.name, excluded.full_name, excluded.countries, excluded.since, excluded.ids)
         RETURNING register, entity, register_id)
       SELECT at FROM given JOIN stored USING (register, entity, register_id)`,
      [given],
    ),
  );
  return new Set(rows.map(({ at }) => at));
}
