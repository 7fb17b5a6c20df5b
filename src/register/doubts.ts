/** Lists the entries of registers that may mean something of ours, but are in doubt. */
import { stringify } from 'csv-stringify/sync';
import type { Queryable } from '../db/postgres.ts';

interface Row {
  entity: string;
  wikidata: string | null;
  name: string;
  founded_or_born: string | null;
  ids: number;
  reason: string | null;
  ours: string | null;
}

const DOUBTS = `SELECT e.entity, e.ids ->> 'wikidata' AS wikidata, e.name, e.since::text AS founded_or_born,
    (SELECT count(*)::int FROM jsonb_object_keys(e.ids)) AS ids, e.reason,
    (SELECT string_agg(p.id || ' ' || p.name || coalesce(' (' || p.country || ')', ''), ' | ' ORDER BY p.id)
     FROM participant p WHERE p.id = ANY (e.candidates)) AS ours
  FROM register_entry e WHERE e.entity IN ('team', 'player') AND e.entity_id IS NULL AND cardinality(e.candidates) > 0
  ORDER BY e.candidates, e.register, e.register_id`;

/** Returns a CSV text with a row for each entry. A person decides by a row in data/identity/register.csv. */
export async function doubtsAsCsv(db: Queryable): Promise<string> {
  const { rows } = await db.query<Row>(DOUBTS);
  return stringify(rows, {
    header: true,
    columns: ['entity', 'wikidata', 'name', 'founded_or_born', 'ids', 'reason', 'ours'],
  });
}
